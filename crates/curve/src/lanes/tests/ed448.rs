//! Sums on the curve of Ed448 in lanes.

use core::hint::black_box;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;
use crrl::ed448 as backend;

use super::compared;
use crate::ed448::Point;
use crate::lanes::{AT_ONCE, Sums};
use crate::msm::{Term, sum};
use crate::{Curve, Ed448, random_scalar};

/// A random point, with a Z other than 1, and a number of so many limbs.
fn random_terms(rng: &mut ChaCha20Rng, count: usize, length: usize) -> Vec<Term<Point>> {
    let term = |_| {
        let mut limbs = Ed448::scalar_limbs(&random_scalar::<Ed448>(rng));
        limbs[length..].fill(0);
        Term { limbs, point: Ed448::mul_base(&random_scalar::<Ed448>(rng)) }
    };
    (0..count).map(term).collect()
}

fn check(terms: &[Term<Point>]) {
    let expected = sum::<Ed448>(terms);
    for lanes in Sums::all() {
        let sum = lanes.sum_ed448(terms, |point| point.0).map(Point);
        assert_eq!(sum, Some(expected), "{} terms", terms.len());
    }
}

#[test]
fn sums_of_all_lengths() {
    let mut rng = ChaCha20Rng::from_seed([1; 32]);
    for count in (0..=20).chain([67, AT_ONCE + 1]) {
        check(&random_terms(&mut rng, count, 7));
        check(&random_terms(&mut rng, count, 3));
    }
}

/// Neutral points, points of low order and sums with them, equal and opposite points, with all scalars.
#[test]
fn special_points_and_scalars() {
    let mut rng = ChaCha20Rng::from_seed([2; 32]);
    let mut bytes = [0; 57];
    bytes[56] = 0x80;
    let four = backend::Point::decode(&bytes).unwrap();
    let low = [backend::Point::NEUTRAL, four, four.double(), -four];
    let some = random_terms(&mut rng, 1, 7)[0].point.0;
    let mut points = low.to_vec();
    points.extend([backend::Point::BASE, some, some, -some, some.double()]);
    points.extend(low.map(|low| low + some));
    let mut order = [0; 8];
    order[..7].copy_from_slice(Ed448::ORDER);
    let mut less = order;
    less[0] -= 1;
    let number = |low| [low, 0, 0, 0, 0, 0, 0, 0];
    let numbers = [number(0), number(1), number(16), less, order, [u64::MAX; 8]];
    for shift in 0..numbers.len() {
        for count in [1, 2, 8, 9, points.len(), 2 * points.len()] {
            let terms = points.iter().cycle().take(count).zip(numbers.iter().cycle().skip(shift));
            let term = |(point, limbs): (&_, &_)| Term { limbs: *limbs, point: Point(*point) };
            check(&terms.map(term).collect::<Vec<_>>());
        }
        for signs in [[some, some], [some, -some]] {
            let term = |k: usize| Term { limbs: numbers[shift], point: Point(signs[k & 1]) };
            check(&(0..10).map(term).collect::<Vec<_>>());
        }
    }
}

/// Times of sums in lanes and by the backend, in turn in one run: the least of many.
#[test]
#[ignore = "a measurement: run it alone, with optimisation"]
fn times_of_ed448() {
    let mut rng = ChaCha20Rng::from_seed([3; 32]);
    for length in [7, 4, 2] {
        for count in [8, 12, 16, 24, 32, 67, 100, 150, 223, 667] {
            let terms = random_terms(&mut rng, count, length);
            let all = Sums::all();
            let lanes: Vec<_> = all
                .iter()
                .map(|lanes| || lanes.sum_ed448(black_box(&terms), |point| point.0))
                .collect();
            let plain = || Some(sum::<Ed448>(black_box(&terms)).0);
            let mut ways: Vec<&dyn Fn() -> Option<backend::Point>> = vec![&plain];
            ways.extend(lanes.iter().map(|way| -> &dyn Fn() -> Option<backend::Point> { way }));
            let times = compared(&ways, 3_000 / (count + 10));
            println!("{length} limbs, {count} terms: {times}");
        }
    }
}
