//! Every curve: scalars, points and sums, against an independent implementation.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::cast_possible_truncation,
    reason = "a test may stop where it fails"
)]

#[path = "common/oracle.rs"]
mod oracle;

use chacha20::ChaCha20Rng;
use oracle::Oracle;
use quorate_curve::rand_core::SeedableRng;
use quorate_curve::{
    Curve, Ed448, Ed25519, P256, Ristretto255, Secp256k1, batch_invert, random_nonzero_scalar,
    random_scalar,
};

fn rng(seed: u8) -> ChaCha20Rng {
    ChaCha20Rng::from_seed([seed; 32])
}

/// `ORDER - subtrahend`, as limbs.
fn below_order<C: Curve>(subtrahend: u64) -> [u64; 8] {
    let mut limbs = [0; 8];
    limbs[..C::ORDER.len()].copy_from_slice(C::ORDER);
    limbs[0] -= subtrahend;
    limbs
}

fn oracle_mul<C: Oracle>(scalar: &C::Scalar, point: &C::Point) -> C::PointBytes {
    oracle_sum::<C>(&[*scalar], &[*point])
}

fn oracle_sum<C: Oracle>(scalars: &[C::Scalar], points: &[C::Point]) -> C::PointBytes {
    let terms: Vec<_> = scalars
        .iter()
        .zip(points)
        .map(|(scalar, point)| {
            let bytes = (!C::is_identity(point)).then(|| C::encode_point(point));
            (C::encode_scalar(scalar), bytes)
        })
        .collect();
    C::sum(&terms)
}

fn edge_scalars<C: Curve>() -> Vec<C::Scalar> {
    let mut edges: Vec<C::Scalar> =
        [0, 1, 2, 3, 15, 16, 17, 31, 32, u64::MAX].into_iter().map(C::Scalar::from).collect();
    edges.extend((1..4).map(|less| C::scalar_from_limbs(&below_order::<C>(less))));
    // All windows full, and all windows just over half: the carries run to the top.
    let bits = C::ORDER.len() - 1;
    for pattern in [u64::MAX, 0x8888_8888_8888_8888, 0xcccc_cccc_cccc_cccc, 0x1084_2108_4210_8421] {
        let mut limbs = [0; 8];
        limbs[..bits].fill(pattern);
        edges.push(C::scalar_from_limbs(&limbs));
        limbs[bits] = C::ORDER[bits] >> 1;
        edges.push(C::scalar_from_limbs(&limbs));
    }
    // On either side of half the order, where the sum changes to the negative.
    let half = C::invert(&C::Scalar::from(2));
    edges.extend([half, half - C::Scalar::from(1), half + C::Scalar::from(1)]);
    edges
}

/// The edges and `count` random ones.
fn edges_and_more<C: Curve>(count: usize) -> Vec<C::Scalar> {
    let mut rng = rng(9);
    let mut scalars = edge_scalars::<C>();
    scalars.extend((0..count).map(|_| random_scalar::<C>(&mut rng)));
    scalars
}

fn scalars_are_a_field<C: Curve>() {
    let mut rng = rng(1);
    let zero = C::Scalar::default();
    let one = C::Scalar::from(1);
    for a in edges_and_more::<C>(20) {
        let b = random_nonzero_scalar::<C>(&mut rng);
        assert!(a + b - b == a);
        assert!(a * (b + one) == a * b + a);
        assert!(a + (-a) == zero);
        assert!(b * C::invert(&b) == one);
        assert!(C::scalar_from_limbs(&C::scalar_limbs(&a)) == a);
        assert!(C::decode_scalar(C::encode_scalar(&a).as_ref()).unwrap() == a);
    }
    assert!(C::invert(&zero) == zero);
    assert!(C::scalar_from_limbs(&below_order::<C>(0)) == zero);
    assert!(C::scalar_from_limbs(&below_order::<C>(1)) + one == zero);
    assert_eq!(C::scalar_limbs(&C::Scalar::from(77)), [77, 0, 0, 0, 0, 0, 0, 0]);
}

/// Horner's rule over bytes, most significant first: slow and plain.
fn reduced<C: Curve>(big_endian: impl Iterator<Item = u8>) -> C::Scalar {
    big_endian.fold(C::Scalar::default(), |value, byte| {
        value * C::Scalar::from(256) + C::Scalar::from(u64::from(byte))
    })
}

fn wide_values_reduce<C: Curve>(big_endian: bool) {
    for length in [0, 1, 31, 32, 33, 48, 56, 57, 63, 64, 65, 112, 113, 114, 200] {
        for fill in [0u8, 0x5a, 0xff] {
            let bytes: Vec<u8> = (0..length).map(|i| fill.wrapping_sub((fill & 1) * i)).collect();
            let expected = if big_endian {
                reduced::<C>(bytes.iter().copied())
            } else {
                reduced::<C>(bytes.iter().rev().copied())
            };
            assert!(C::scalar_from_wide(&bytes) == expected, "{length} bytes of {fill}");
        }
    }
    let limbs = [u64::MAX; 8];
    let expected = reduced::<C>(core::iter::repeat_n(0xff, 64));
    assert!(C::scalar_from_limbs(&limbs) == expected);
}

fn products_agree<C: Oracle>() {
    let mut rng = rng(2);
    let generator = C::generator();
    let point = C::mul_base(&random_scalar::<C>(&mut rng));
    for scalar in edges_and_more::<C>(8) {
        let base = C::mul_base(&scalar);
        assert_eq!(C::encode_point(&base), oracle_mul::<C>(&scalar, &generator));
        assert_eq!(base, C::mul(&generator, &scalar));
        let product = C::mul(&point, &scalar);
        assert_eq!(C::encode_point(&product), oracle_mul::<C>(&scalar, &point));
    }
    for small in (0..70).chain([254, 255, 256, 667, 65_535, u64::MAX >> 1, u64::MAX - 1, u64::MAX])
    {
        let product = C::mul_small_vartime(&point, small);
        assert_eq!(product, C::mul(&point, &C::Scalar::from(small)), "{small}");
    }
}

fn points_are_a_group<C: Curve>() {
    let mut rng = rng(3);
    let p = C::mul_base(&random_scalar::<C>(&mut rng));
    let q = C::mul_base(&random_scalar::<C>(&mut rng));
    let zero = C::identity();
    assert_eq!(p + q, q + p);
    assert_eq!(p + zero, p);
    assert_eq!(zero + p, p);
    assert_eq!(p + p, C::double(&p));
    assert_eq!(p + (-p), zero);
    assert_eq!(p + q - q, p);
    assert_eq!(-(-p), p);
    assert_eq!(C::double(&zero), zero);
    assert!(C::is_identity(&(q - C::mul(&q, &C::Scalar::from(1)))) && !C::is_identity(&p));
    assert_ne!(p, q);
    assert!(C::is_identity(&C::mul(&p, &C::Scalar::default())));
}

fn sums_agree<C: Oracle>(lengths: &[usize]) {
    let mut rng = rng(4);
    let most = *lengths.iter().max().unwrap();
    let edges = edge_scalars::<C>();
    let mut scalars: Vec<C::Scalar> = (0..most).map(|_| random_scalar::<C>(&mut rng)).collect();
    let mut points: Vec<C::Point> =
        (0..most).map(|_| C::mul_base(&random_scalar::<C>(&mut rng))).collect();
    for i in 0..most {
        match i % 11 {
            // Edges, short ones, and the identity; equal and opposite points in the same bucket.
            3 => scalars[i] = edges[i / 11 % edges.len()],
            4 => scalars[i] = C::Scalar::from(0x1234_5678 + i as u64),
            5 => points[i] = C::identity(),
            6 => points[i] = points[i - 6],
            7 => (points[i], scalars[i]) = (-points[i - 7], scalars[i - 7]),
            8 => (points[i], scalars[i]) = (points[i - 8], scalars[i - 8]),
            9 => (points[i], scalars[i]) = (-points[i - 9], -scalars[i - 9]),
            10 => scalars[i] = -C::Scalar::from(i as u64),
            _ => {}
        }
    }
    for &length in lengths {
        let sum = C::msm_vartime(&scalars[..length], &points[..length]);
        let expected = oracle_sum::<C>(&scalars[..length], &points[..length]);
        assert_eq!(C::encode_point(&sum), expected, "{length} terms");
    }
    // The shorter slice counts.
    let few = C::msm_vartime(&scalars[..2], &points);
    assert_eq!(few, C::msm_vartime(&scalars, &points[..2]));
}

fn degenerate_sums<C: Curve>() {
    let mut rng = rng(5);
    let one = C::Scalar::from(1);
    let p = C::mul_base(&random_scalar::<C>(&mut rng));
    for length in [1, 2, 3, 40, 150, 300] {
        let same = vec![p; length];
        let scalar = random_scalar::<C>(&mut rng);
        let expected = C::mul_small_vartime(&C::mul(&p, &scalar), length as u64);
        assert_eq!(C::msm_vartime(&vec![scalar; length], &same), expected);
        let zeros = vec![C::Scalar::default(); length];
        assert!(C::is_identity(&C::msm_vartime(&zeros, &same)));
        let ones = C::msm_vartime(&vec![one; length], &same);
        assert_eq!(ones, C::mul_small_vartime(&p, length as u64));
        assert_eq!(C::msm_vartime(&vec![-one; length], &same), -ones);
        let identities = vec![C::identity(); length];
        assert!(C::is_identity(&C::msm_vartime(&vec![scalar; length], &identities)));
        // Neighbours cancel.
        let signs: Vec<_> = (0..2 * length).map(|i| if i % 2 == 0 { p } else { -p }).collect();
        assert!(C::is_identity(&C::msm_vartime(&vec![scalar; 2 * length], &signs)));
    }
    // 128-bit coefficients, as in batch verification.
    let points: Vec<_> = (0..300u64).map(|i| C::mul_base(&C::Scalar::from(i * i + 7))).collect();
    let short: Vec<_> = (0..300)
        .map(|_| {
            let mut limbs = C::scalar_limbs(&random_scalar::<C>(&mut rng));
            limbs[2..].fill(0);
            C::scalar_from_limbs(&limbs)
        })
        .collect();
    let value = short.iter().zip(0..).fold(C::Scalar::default(), |sum, (scalar, i): (_, u64)| {
        sum + *scalar * C::Scalar::from(i * i + 7)
    });
    assert_eq!(C::msm_vartime(&short, &points), C::mul_base(&value));
}

fn signatures_verify<C: Curve>() {
    let mut rng = rng(6);
    for c in edges_and_more::<C>(20) {
        let (secret, nonce) = (random_scalar::<C>(&mut rng), random_scalar::<C>(&mut rng));
        let (key, r) = (C::mul_base(&secret), C::mul_base(&nonce));
        let s = nonce + c * secret;
        assert!(C::verify_vartime(&key, &r, &s, &c));
        assert!(!C::verify_vartime(&key, &r, &(s + C::Scalar::from(1)), &c));
        assert!(!C::verify_vartime(&key, &(r + C::generator()), &s, &c));
        assert!(!C::verify_vartime(&(key + C::generator()), &r, &s, &(c + C::Scalar::from(1))));
        // The identity in any place.
        let zero = C::identity();
        assert!(C::verify_vartime(&zero, &r, &nonce, &c));
        assert!(C::verify_vartime(&key, &zero, &(c * secret), &c));
        assert!(!C::verify_vartime(&key, &zero, &s, &c));
    }
}

fn encodings_round_trip<C: Curve>() {
    let mut rng = rng(7);
    for length in [0, 1, 2, 3, 201, 450] {
        let mut points: Vec<_> =
            (0..length).map(|_| C::mul_base(&random_scalar::<C>(&mut rng))).collect();
        if length > 2 {
            points[1] = C::identity();
            points[2] = points[0];
        }
        let encoded = C::encode_points(&points);
        assert_eq!(encoded.len(), points.len());
        for (point, bytes) in points.iter().zip(&encoded) {
            assert_eq!(*bytes, C::encode_point(point));
            let decoded = C::decode_point(bytes.as_ref());
            if C::is_identity(point) {
                assert_eq!(decoded, None);
            } else {
                assert_eq!(decoded, Some(*point));
                assert_eq!(C::encode_point(&decoded.unwrap()), *bytes);
            }
        }
    }
    assert_eq!(
        format!("{:?}", C::generator()).len(),
        2 * C::encode_point(&C::generator()).as_ref().len()
    );
}

fn batches_invert<C: Curve>() {
    let mut rng = rng(8);
    for length in [0, 1, 2, 3, 100] {
        let scalars: Vec<_> = (0..length).map(|_| random_nonzero_scalar::<C>(&mut rng)).collect();
        let mut inverses = scalars.clone();
        assert!(batch_invert::<C>(&mut inverses).is_some());
        assert!(scalars.iter().zip(&inverses).all(|(s, i)| *i == C::invert(s)));
        if length > 0 {
            let mut with_zero = scalars.clone();
            with_zero[length / 2] = C::Scalar::default();
            let before = with_zero.clone();
            assert!(batch_invert::<C>(&mut with_zero).is_none());
            assert!(with_zero == before);
        }
    }
}

macro_rules! every_check {
    ($($module:ident, $curve:ty, $big_endian:literal;)*) => { $(
        mod $module {
            use super::*;

            #[test]
            fn scalars_are_a_field() {
                super::scalars_are_a_field::<$curve>();
            }

            #[test]
            fn wide_values_reduce() {
                super::wide_values_reduce::<$curve>($big_endian);
            }

            #[test]
            fn products_agree() {
                super::products_agree::<$curve>();
            }

            #[test]
            fn points_are_a_group() {
                super::points_are_a_group::<$curve>();
            }

            #[test]
            fn sums_agree() {
                super::sums_agree::<$curve>(&[0, 1, 2, 3, 5, 17, 64, 99, 100, 150, 151, 200, 700]);
            }

            #[test]
            fn degenerate_sums() {
                super::degenerate_sums::<$curve>();
            }

            #[test]
            fn signatures_verify() {
                super::signatures_verify::<$curve>();
            }

            #[test]
            fn encodings_round_trip() {
                super::encodings_round_trip::<$curve>();
            }

            #[test]
            fn batches_invert() {
                super::batches_invert::<$curve>();
            }
        }
    )* };
}

every_check! {
    ed25519, Ed25519, false;
    ristretto255, Ristretto255, false;
    ed448, Ed448, false;
    p256, P256, true;
    secp256k1, Secp256k1, true;
}
