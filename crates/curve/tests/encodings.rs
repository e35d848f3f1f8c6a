//! Decoding is strict: one string for each scalar and each point, and nothing else gets in.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::cast_possible_truncation,
    reason = "a test may stop where it fails"
)]

use chacha20::ChaCha20Rng;
use quorate_curve::rand_core::{Rng, SeedableRng};
use quorate_curve::{Curve, Ed448, Ed25519, P256, Ristretto255, Secp256k1, Secret, random_scalar};

fn rng(seed: u8) -> ChaCha20Rng {
    ChaCha20Rng::from_seed([seed; 32])
}

/// `limbs` (little-endian) plus `addend` in `length` bytes, little-endian or big-endian.
fn sum_bytes(limbs: &[u64], addend: u64, length: usize, big_endian: bool) -> Vec<u8> {
    let mut carry = u128::from(addend);
    let mut bytes = Vec::new();
    for limb in limbs {
        carry += u128::from(*limb);
        bytes.extend((carry as u64).to_le_bytes());
        carry >>= 64;
    }
    assert_eq!(carry, 0);
    bytes.resize(length, 0);
    if big_endian {
        bytes.reverse();
    }
    bytes
}

fn scalars_are_strict<C: Curve>(big_endian: bool) {
    let length = C::encode_scalar(&C::Scalar::default()).as_ref().len();
    let alias = |addend| sum_bytes(C::ORDER, addend, length, big_endian);
    for addend in [0, 1, 2, 77, u64::MAX] {
        assert!(C::decode_scalar(&alias(addend)).is_none(), "q + {addend}");
    }
    assert!(C::decode_scalar(&vec![0xff; length]).is_none());
    let mut most = C::ORDER.to_vec();
    most[0] -= 1;
    let most = sum_bytes(&most, 0, length, big_endian);
    assert!(C::decode_scalar(&most).unwrap() == -C::Scalar::from(1));
    assert!(C::decode_scalar(&vec![0; length]).unwrap() == C::Scalar::default());
    for other in [0, 1, length - 1, length + 1, 2 * length] {
        assert!(C::decode_scalar(&vec![0; other]).is_none(), "{other} bytes");
    }
    // Every bit above the order's.
    for bit in 0..8 * length {
        let mut bytes = vec![0; length];
        let index = if big_endian { length - 1 - bit / 8 } else { bit / 8 };
        bytes[index] = 1 << (bit % 8);
        let top = 64 * C::ORDER.len() - C::ORDER.last().unwrap().leading_zeros() as usize;
        assert_eq!(C::decode_scalar(&bytes).is_some(), bit < top, "bit {bit}");
    }
}

#[test]
fn en_01_non_canonical_scalars() {
    scalars_are_strict::<Ed25519>(false);
    scalars_are_strict::<Ristretto255>(false);
    scalars_are_strict::<P256>(true);
    scalars_are_strict::<Secp256k1>(true);
}

#[test]
fn en_04_ed448_scalars() {
    scalars_are_strict::<Ed448>(false);
    let mut bytes = Ed448::encode_scalar(&random_scalar::<Ed448>(&mut rng(1)));
    for alias in 1..=255 {
        bytes[56] = alias;
        assert!(Ed448::decode_scalar(&bytes).is_none());
    }
    bytes[56] = 0;
    assert!(Ed448::decode_scalar(&bytes).is_some());
    for top in [0x40, 0x80, 0xc0] {
        let mut bytes = bytes;
        bytes[55] |= top;
        assert!(Ed448::decode_scalar(&bytes).is_none());
    }
    assert!(Ed448::decode_scalar(&bytes[..56]).is_none());
}

fn points_are_strict<C: Curve>() {
    let mut rng = rng(2);
    let point = C::mul_base(&random_scalar::<C>(&mut rng));
    let bytes = C::encode_point(&point);
    let bytes = bytes.as_ref();
    assert_eq!(C::decode_point(bytes), Some(point));
    for length in 0..bytes.len() {
        assert_eq!(C::decode_point(&bytes[..length]), None);
    }
    for extra in [0, 1, 0xff] {
        assert_eq!(C::decode_point(&[bytes, &[extra]].concat()), None);
    }
    assert_eq!(C::decode_point(C::encode_point(&C::identity()).as_ref()), None);
    assert_eq!(C::decode_point(&vec![0; bytes.len()]), None);
    assert_eq!(C::decode_point(&vec![0xff; bytes.len()]), None);
    // What is accepted is what would be written.
    let mut accepted = 0;
    for round in 0..600 {
        let mut candidate = vec![0; bytes.len()];
        rng.fill_bytes(&mut candidate);
        match C::NAME {
            "P-256" | "secp256k1" => candidate[0] = 2 | (candidate[0] & 1),
            "Ed448" => candidate[56] &= 0x80,
            "ristretto255" => candidate[0] &= 0xfe,
            _ => {}
        }
        if round % 3 == 0 {
            // One flipped bit of a good one.
            candidate.copy_from_slice(bytes);
            let bit = round / 3 % (8 * bytes.len());
            candidate[bit / 8] ^= 1 << (bit % 8);
        }
        if let Some(point) = C::decode_point(&candidate) {
            assert_eq!(C::encode_point(&point).as_ref(), &candidate[..]);
            assert!(!C::is_identity(&point));
            let order_less_one = -C::Scalar::from(1);
            assert_eq!(C::mul(&point, &order_less_one) + point, C::identity());
            accepted += 1;
        }
    }
    assert!((20..500).contains(&accepted), "{accepted}");
}

#[test]
fn en_02_compressed_sec1_points() {
    points_are_strict::<P256>();
    points_are_strict::<Secp256k1>();
    // The field's orders, little-endian.
    sec1_points_are_strict::<P256>(&[u64::MAX, 0xffff_ffff, 0, 0xffff_ffff_0000_0001]);
    sec1_points_are_strict::<Secp256k1>(&[0xffff_fffe_ffff_fc2f, u64::MAX, u64::MAX, u64::MAX]);
}

fn sec1_points_are_strict<C: Curve>(field: &[u64]) {
    let generator = C::encode_point(&C::generator());
    let x = &generator.as_ref()[1..];
    for tag in (0..=255u8).filter(|tag| !matches!(tag, 2 | 3)) {
        assert_eq!(C::decode_point(&[&[tag], x].concat()), None, "tag {tag}");
    }
    let even = C::decode_point(&[&[2], x].concat()).unwrap();
    assert_eq!(C::decode_point(&[&[3], x].concat()), Some(-even));
    assert_eq!(C::decode_point(&[0]), None, "the identity of SEC 1");
    // x and x + p are the same coordinate: only the first may decode.
    let mut on_curve = 0;
    for small in 0..200 {
        let coordinate = sum_bytes(&[small, 0, 0, 0], 0, 32, true);
        let decoded = C::decode_point(&[&[2][..], &coordinate].concat());
        on_curve += u32::from(decoded.is_some());
        let alias = sum_bytes(field, small, 32, true);
        for tag in [2, 3] {
            assert_eq!(C::decode_point(&[&[tag][..], &alias].concat()), None, "p + {small}");
        }
    }
    // About half are coordinates of the curve; the others, of its twist, are refused.
    assert!((60..140).contains(&on_curve), "{on_curve}");
}

#[test]
fn en_02_uncompressed_and_hybrid() {
    let compact = p256::elliptic_curve::sec1::ToSec1Point::to_sec1_point;
    let full = compact(&p256::AffinePoint::GENERATOR, false);
    full_forms_are_refused::<P256>(full.as_bytes());
    let full = k256::elliptic_curve::sec1::ToSec1Point::to_sec1_point(
        &k256::AffinePoint::GENERATOR,
        false,
    );
    full_forms_are_refused::<Secp256k1>(full.as_bytes());
}

fn full_forms_are_refused<C: Curve>(full: &[u8]) {
    assert_eq!(full.len(), 65);
    for tag in 0..=7 {
        let bytes = [&[tag], &full[1..]].concat();
        assert_eq!(C::decode_point(&bytes), None, "tag {tag}");
        let short = C::decode_point(&bytes[..33]);
        assert_eq!(short.is_some(), matches!(tag, 2 | 3));
    }
}

const FIELD_25519: [u64; 4] = [0xffff_ffff_ffff_ffed, u64::MAX, u64::MAX, u64::MAX >> 1];

#[test]
fn en_03_ed25519_points() {
    points_are_strict::<Ed25519>();
    for addend in 0..19 {
        let mut bytes = sum_bytes(&FIELD_25519, addend, 32, false);
        for sign in [0, 0x80] {
            bytes[31] = (bytes[31] & 0x7f) | sign;
            assert_eq!(Ed25519::decode_point(&bytes), None, "y = p + {addend}");
        }
    }
    // x = 0 with the sign of a negative number: y = 1 and y = -1.
    let mut bytes = [0; 32];
    (bytes[0], bytes[31]) = (1, 0x80);
    assert_eq!(Ed25519::decode_point(&bytes), None);
    let mut bytes = [0xff; 32];
    bytes[0] = 0xec;
    assert_eq!(Ed25519::decode_point(&bytes), None);
}

#[test]
fn en_03_ed25519_small_and_mixed_order() {
    let mut rng = rng(3);
    for torsion in curve25519_dalek::constants::EIGHT_TORSION {
        assert_eq!(Ed25519::decode_point(torsion.compress().as_bytes()), None);
        for _ in 0..8 {
            let point = Ed25519::mul_base(&random_scalar::<Ed25519>(&mut rng));
            let bytes =
                curve25519_dalek::edwards::CompressedEdwardsY(Ed25519::encode_point(&point));
            let mixed = (bytes.decompress().unwrap() + torsion).compress();
            let expected = (mixed == bytes).then_some(point);
            assert_eq!(Ed25519::decode_point(mixed.as_bytes()), expected);
        }
    }
}

#[test]
fn en_03_ristretto_points() {
    points_are_strict::<Ristretto255>();
    for addend in 0..19 {
        let mut bytes = sum_bytes(&FIELD_25519, addend, 32, false);
        for top in [0, 0x80] {
            bytes[31] = (bytes[31] & 0x7f) | top;
            assert_eq!(Ristretto255::decode_point(&bytes), None, "s = p + {addend}");
        }
    }
    // -1, which RFC 9496 appendix A.3 lists by itself.
    let mut bytes = [0xff; 32];
    (bytes[0], bytes[31]) = (0xec, 0x7f);
    assert_eq!(Ristretto255::decode_point(&bytes), None);
    let mut rng = rng(4);
    for _ in 0..32 {
        let point = Ristretto255::mul_base(&random_scalar::<Ristretto255>(&mut rng));
        let bytes = Ristretto255::encode_point(&point);
        let mut high_bit = bytes;
        high_bit[31] |= 0x80;
        assert_eq!(Ristretto255::decode_point(&high_bit), None);
        // p - s is the other square root: the negative one.
        let mut borrow = 0i16;
        let p = sum_bytes(&FIELD_25519, 0, 32, false);
        let negative: Vec<u8> = p
            .iter()
            .zip(bytes)
            .map(|(p, s)| {
                let difference = i16::from(*p) - i16::from(s) + borrow;
                borrow = difference >> 8;
                (difference & 0xff) as u8
            })
            .collect();
        assert_eq!(negative[0] & 1, 1);
        assert_eq!(Ristretto255::decode_point(&negative), None);
    }
}

const FIELD_448: [u64; 7] =
    [u64::MAX, u64::MAX, u64::MAX, 0xffff_fffe_ffff_ffff, u64::MAX, u64::MAX, u64::MAX];

#[test]
fn en_04_ed448_points() {
    points_are_strict::<Ed448>();
    let mut rng = rng(5);
    let point = Ed448::mul_base(&random_scalar::<Ed448>(&mut rng));
    let bytes = Ed448::encode_point(&point);
    for last in 0..=255 {
        let mut alias = bytes;
        alias[56] = last;
        let expected = match last ^ bytes[56] {
            0 => Some(point),
            0x80 => Some(-point),
            _ => None,
        };
        assert_eq!(Ed448::decode_point(&alias), expected);
    }
    for addend in 0..300 {
        let mut alias = sum_bytes(&FIELD_448, addend, 57, false);
        for sign in [0, 0x80] {
            alias[56] = sign;
            assert_eq!(Ed448::decode_point(&alias), None, "y = p + {addend}");
        }
    }
}

#[test]
fn en_04_ed448_small_and_mixed_order() {
    use crrl::ed448::Point;
    let mut rng = rng(6);
    // (0, 1), (0, -1) and (±1, 0); with the sign set, the first two are no encodings at all.
    let mut one = [0; 57];
    one[0] = 1;
    let mut minus_one = [0; 57];
    minus_one.copy_from_slice(&sum_bytes(&FIELD_448, 0, 57, false));
    minus_one[0] -= 1;
    for y in [one, minus_one, [0; 57]] {
        for sign in [0, 0x80] {
            let mut bytes = y;
            bytes[56] = sign;
            assert_eq!(Ed448::decode_point(&bytes), None);
            let Some(torsion) = Point::decode(&bytes) else {
                assert_eq!(sign, 0x80);
                continue;
            };
            for _ in 0..8 {
                let point = Ed448::mul_base(&random_scalar::<Ed448>(&mut rng));
                let bytes = Ed448::encode_point(&point);
                let mixed = (Point::decode(&bytes).unwrap() + torsion).encode();
                let expected = (mixed == bytes).then_some(point);
                assert_eq!(Ed448::decode_point(&mixed), expected);
            }
        }
    }
}

#[test]
fn known_encodings() {
    fn hex<C: Curve>() -> String {
        format!("{:?}", C::generator())
    }
    // RFC 8032 section 5.1, RFC 9496 appendix A.1, SEC 2 sections 2.4.1 and 2.4.2.
    assert_eq!(
        hex::<Ed25519>(),
        "5866666666666666666666666666666666666666666666666666666666666666"
    );
    assert_eq!(
        hex::<Ristretto255>(),
        "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"
    );
    assert_eq!(
        hex::<Secp256k1>(),
        "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
    );
    assert_eq!(hex::<P256>(), "036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296");
    assert_eq!(P256::encode_scalar(&258.into())[30..], [1, 2]);
    assert_eq!(Secp256k1::encode_scalar(&258.into())[30..], [1, 2]);
    assert_eq!(Ed25519::encode_scalar(&258.into())[..2], [2, 1]);
    assert_eq!(Ed448::encode_scalar(&258.into())[..2], [2, 1]);
    assert_eq!(P256::encode_point(&P256::identity()), [0; 33]);
    assert_eq!(Ristretto255::encode_point(&Ristretto255::identity()), [0; 32]);
}

#[test]
fn secrets_print_no_digits() {
    let text = format!("{:?}", Secret::new(1_234_567_890u64));
    assert!(!text.chars().any(|c| c.is_ascii_digit()));
    assert_eq!(text, "Secret");
    let mut secret = Secret::new([7u8; 4]);
    secret.expose_mut()[0] = 8;
    assert_eq!(*secret.expose(), [8, 7, 7, 7]);
    zeroize::Zeroize::zeroize(&mut secret);
    assert_eq!(*secret.expose(), [0; 4]);
}
