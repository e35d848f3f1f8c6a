//! Sums in lanes: each implementation that the processor has, against sums one by one.

#![allow(
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::unwrap_used,
    reason = "a test panics where it fails, and its own inputs are in range"
)]

#[macro_use]
pub(super) mod field;
mod ed448;

use core::hint::black_box;
use std::time::Instant;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use crrl::field::GF25519;

use super::{AT_ONCE, Sums};
use crate::edwards::{Edwards, GENERATOR, SQRT_M1, mul_base};
use crate::msm::{Term, edwards_coefficient, one_by_one};
use crate::{Curve, Ed25519};

/// A random point, with a Z other than 1, and a number of so many limbs, the top one of 61 bits.
fn random_term(rng: &mut ChaCha20Rng, length: usize) -> Term<Edwards> {
    let mut bytes = [0; 32];
    rng.fill_bytes(&mut bytes);
    bytes[31] &= 15;
    let mut limbs = [0; 8];
    limbs[..length].iter_mut().for_each(|limb| *limb = rng.next_u64());
    limbs[length - 1] >>= 3;
    Term { limbs, point: mul_base(&bytes) }
}

fn random_terms(rng: &mut ChaCha20Rng, count: usize, length: usize) -> Vec<Term<Edwards>> {
    (0..count).map(|_| random_term(rng, length)).collect()
}

fn check(terms: &[Term<Edwards>]) {
    let expected = one_by_one(terms);
    for lanes in Sums::all() {
        let sum = lanes.sum(terms);
        assert!(sum.equals(&expected), "{} terms", terms.len());
        assert!((sum.x * sum.y).equals(sum.t * sum.z) != 0, "T");
        assert!(sum.z.iszero() == 0, "Z");
    }
}

#[test]
fn the_fields_arithmetic_is_right_up_to_its_bounds() {
    Sums::all().into_iter().for_each(Sums::check_field);
}

#[test]
fn sums_of_all_lengths() {
    let mut rng = ChaCha20Rng::from_seed([1; 32]);
    for count in (0..=40).chain([67, 100, AT_ONCE, AT_ONCE + 1, 2 * AT_ONCE + 3]) {
        for length in 1..=4 {
            check(&random_terms(&mut rng, count, length));
        }
        let mut terms = random_terms(&mut rng, count, 4);
        terms.iter_mut().step_by(3).for_each(|term| term.limbs[2..].fill(0));
        check(&terms);
    }
}

/// The points whose order divides eight.
fn torsion() -> Vec<Edwards> {
    let order_four = Edwards::from_affine(SQRT_M1, GF25519::ZERO);
    // Of order eight: the affine coordinates of a half of the point of order four.
    let bytes = curve25519_dalek::constants::EIGHT_TORSION.map(|point| point.compress().to_bytes());
    let y = bytes.map(|mut bytes| {
        bytes[31] &= 0x7f;
        GF25519::decode(&bytes).unwrap()
    });
    let mut points =
        vec![Edwards::IDENTITY, order_four, order_four.negated(), order_four.doubled(1)];
    for y in y {
        // x^2 = (y^2 - 1)/(d y^2 + 1)
        let ratio = (y.square() - GF25519::ONE) / (crate::edwards::D * y.square() + GF25519::ONE);
        let (root, is_square) = crate::edwards::sqrt_ratio(ratio, GF25519::ONE);
        assert!(is_square != 0);
        points.extend([Edwards::from_affine(root, y), Edwards::from_affine(-root, y)]);
    }
    points
}

/// Scalars at the ends of their range.
fn numbers() -> Vec<[u64; 8]> {
    let [a, b, c, d] = [0, 1, 2, 3].map(|at| Ed25519::ORDER[at]);
    let number = |a, b, c, d| [a, b, c, d, 0, 0, 0, 0];
    vec![
        number(0, 0, 0, 0),
        number(1, 0, 0, 0),
        number(a - 1, b, c, d),
        number(a, b, c, d),
        number(u64::MAX, u64::MAX, u64::MAX, u64::MAX),
        number(0, 0, 0, 1 << 63),
        number(0x8421_0842_1084_2108, 0x4210_8421_0842_1084, 0x2108_4210_8421_0842, 0x1084),
        [u64::MAX; 8],
        number(16, 0, 0, 0),
        number(31, 0, 1 << 40, 0),
    ]
}

/// Neutral points, points of low order and sums with them, equal and opposite points, with all scalars.
#[test]
fn special_points_and_scalars() {
    let mut rng = ChaCha20Rng::from_seed([2; 32]);
    let low = torsion();
    let some = random_term(&mut rng, 4).point;
    let mut points = low.clone();
    points.extend([GENERATOR, GENERATOR.negated(), some, some, some.negated(), some.doubled(3)]);
    points.extend(low.iter().map(|low| low.plus(&some)));
    let numbers = numbers();
    for number in &numbers {
        for point in &points {
            check(&[Term { limbs: *number, point: *point }]);
        }
    }
    for shift in 0..numbers.len() {
        for count in [2, 3, 7, 8, 9, 16, points.len(), 3 * points.len()] {
            let numbers = numbers.iter().cycle().skip(shift);
            let terms = points.iter().cycle().take(count).zip(numbers);
            check(
                &terms
                    .map(|(point, limbs)| Term { limbs: *limbs, point: *point })
                    .collect::<Vec<_>>(),
            );
        }
        // One point and one number, as a whole and against the opposite point.
        let both = [some, some.negated()];
        for count in [2, 8, 30, 31] {
            let limbs = numbers[shift];
            let equal: Vec<_> = (0..count).map(|_| Term { limbs, point: some }).collect();
            check(&equal);
            let opposite: Vec<_> = (0..count).map(|k| Term { limbs, point: both[k & 1] }).collect();
            check(&opposite);
        }
    }
}

/// Times of sums in lanes and one by one, in turn in one run: the least of many. Scalars of 253 bits, of 125, and
/// coefficients.
#[test]
#[ignore = "a measurement: run it alone, with optimisation"]
fn times() {
    let mut rng = ChaCha20Rng::from_seed([3; 32]);
    for length in [4, 2, 0] {
        for count in [2, 5, 10, 16, 20, 32, 67, 100, 200, 320, 667, 2000, 19_999] {
            let mut terms = random_terms(&mut rng, count, length.max(1));
            if length == 0 {
                for term in &mut terms {
                    let coefficient = edwards_coefficient::<Ed25519>(&mut rng, count);
                    term.limbs = Ed25519::scalar_limbs(&coefficient);
                }
            }
            let all = Sums::all();
            let lanes: Vec<_> = all.iter().map(|lanes| || lanes.sum(black_box(&terms))).collect();
            let plain = || one_by_one(black_box(&terms));
            let mut ways: Vec<&dyn Fn() -> Edwards> = vec![&plain];
            ways.extend(lanes.iter().map(|way| -> &dyn Fn() -> Edwards { way }));
            println!("{length} limbs, {count} terms: {}", compared(&ways, 20_000 / (count + 10)));
        }
    }
}

/// The time of the first way, and those of the others with their ratios.
fn compared<T>(ways: &[&dyn Fn() -> T], samples: usize) -> String {
    let mut least = vec![f64::INFINITY; ways.len()];
    for _ in 0..samples.max(5) {
        for (way, least) in ways.iter().zip(&mut least) {
            let start = Instant::now();
            black_box(way());
            *least = least.min(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    let others: Vec<_> =
        least.iter().skip(1).map(|time| format!("{time:.1} ({:.2})", least[0] / time)).collect();
    format!("{:.1} µs, in lanes {}", least[0], others.join(", "))
}
