//! Sums of products on every curve. Each point has a known logarithm, so one multiplication of the
//! generator by the oracle gives the expected sum.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "a test panics where it fails, and its own inputs are in range"
)]

#[path = "common/oracle.rs"]
mod common;

use common::{Oracle, for_every_curve, rng};
use quorate_curve::{Curve, random_scalar};

const LENGTHS: [usize; 18] =
    [0, 1, 2, 3, 4, 5, 17, 64, 67, 134, 150, 151, 190, 199, 200, 256, 700, 1100];

/// Checks the sum of `scalars[i] * logs[i] * G`.
fn check<C: Oracle>(scalars: &[C::Scalar], logs: &[C::Scalar]) {
    let points: Vec<_> = logs.iter().map(C::mul_base).collect();
    let theirs = scalars.iter().zip(logs).fold(C::small(0), |sum, (scalar, log)| {
        C::plus_times(sum, C::numbered(scalar), C::numbered(log))
    });
    let ours = C::msm_vartime(scalars, &points);
    if C::bytes(theirs).iter().all(|byte| *byte == 0) {
        assert_eq!(ours, C::identity());
    } else {
        assert_eq!(C::encode_point(&ours).as_ref(), C::base_times(theirs), "{}", scalars.len());
    }
}

fn random<C: Curve>(length: usize, seed: u8) -> Vec<C::Scalar> {
    let mut rng = rng(seed);
    (0..length).map(|_| random_scalar::<C>(&mut rng)).collect()
}

fn random_terms<C: Oracle>() {
    for length in LENGTHS {
        check::<C>(&random::<C>(length, 1), &random::<C>(length, 2));
    }
}

/// Scalars of 1, 64, 128 and 129 bits, and their negatives: the short way must be right too.
fn short_scalars<C: Oracle>() {
    for length in [1, 2, 3, 17, 64, 99, 134, 200, 700] {
        for kept in [[1, 0, 0], [u64::MAX, 0, 0], [u64::MAX, u64::MAX, 0], [u64::MAX, u64::MAX, 1]]
        {
            let mut scalars = random::<C>(length, 3);
            for (index, scalar) in scalars.iter_mut().enumerate() {
                let [a, b, c, ..] = C::scalar_limbs(scalar);
                let limbs = [a & kept[0], b & kept[1], c & kept[2], 0, 0, 0, 0, 0];
                let short = C::scalar_from_limbs(&limbs);
                *scalar = if index % 3 == 0 { -short } else { short };
            }
            check::<C>(&scalars, &random::<C>(length, 4));
        }
    }
}

/// Zeros, one, the order less one, identity points, equal points, opposite points.
fn special_terms<C: Oracle>() {
    let (zero, one) = (C::Scalar::default(), C::Scalar::from(1));
    for length in LENGTHS {
        let mut scalars = random::<C>(length, 5);
        let mut logs = random::<C>(length, 6);
        for index in 0..length {
            match index % 8 {
                0 => scalars[index] = zero,
                1 => scalars[index] = one,
                2 => scalars[index] = -one,
                3 => logs[index] = zero,
                4 => logs[index] = logs[0],
                5 => logs[index] = -logs[0],
                _ => {}
            }
        }
        check::<C>(&scalars, &logs);
    }
}

/// Sums whose parts meet as equal or opposite points inside the tables and buckets.
fn colliding_terms<C: Oracle>() {
    let one = C::Scalar::from(1);
    let (scalar, log) = (random::<C>(1, 7)[0], random::<C>(1, 8)[0]);
    for length in [1, 2, 3, 17, 99, 134, 200, 700] {
        let all = |value: C::Scalar| vec![value; length];
        let alternating = |value: C::Scalar| -> Vec<_> {
            (0..length).map(|index| if index % 2 == 0 { value } else { -value }).collect()
        };
        check::<C>(&all(one), &all(one));
        check::<C>(&all(-one), &all(log));
        check::<C>(&all(scalar), &all(log));
        check::<C>(&all(scalar), &alternating(log));
        check::<C>(&alternating(scalar), &alternating(log));
        check::<C>(&all(C::Scalar::default()), &all(log));
        check::<C>(&all(scalar), &all(C::Scalar::default()));
    }
}

/// Every digit pattern: scalars next to powers of two, and their negatives.
fn scalars_next_to_powers_of_two<C: Oracle>() {
    let one = C::Scalar::from(1);
    let mut power = one;
    let mut scalars = Vec::new();
    for _ in 0..64 * C::ORDER.len() {
        scalars.extend([power, power - one, power + one, -power]);
        power = power + power;
    }
    let logs = random::<C>(scalars.len(), 9);
    check::<C>(&scalars, &logs);
    for (scalars, logs) in scalars.chunks(40).zip(logs.chunks(40)) {
        check::<C>(scalars, logs);
    }
    for scalar in &scalars {
        let point = C::msm_vartime(&[*scalar], &[C::generator()]);
        assert_eq!(point, C::mul_base(scalar));
    }
}

fn shorter_length_counts<C: Oracle>() {
    let (scalars, logs) = (random::<C>(5, 10), random::<C>(5, 11));
    let points: Vec<_> = logs.iter().map(C::mul_base).collect();
    let three = C::msm_vartime(&scalars[..3], &points[..3]);
    assert_eq!(C::msm_vartime(&scalars, &points[..3]), three);
    assert_eq!(C::msm_vartime(&scalars[..3], &points), three);
    assert_eq!(C::msm_vartime(&scalars, &[]), C::identity());
    assert_eq!(C::msm_vartime(&[], &points), C::identity());
}

for_every_curve!(
    random_terms,
    short_scalars,
    special_terms,
    colliding_terms,
    scalars_next_to_powers_of_two,
    shorter_length_counts,
);
