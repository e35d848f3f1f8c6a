//! Decoding is strict: one string for each scalar and each point, and nothing else.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test panics where it fails, and its own inputs are in range"
)]

#[path = "common/oracle.rs"]
mod common;

use chacha20::rand_core::Rng;
use common::{Oracle, for_every_curve, rng};
use quorate_curve::{
    Curve, Ed448, Ed25519, P256, Ristretto255, Secp256k1, random_nonzero_scalar, random_scalar,
};

/// The integer of little-endian limbs, as long as a scalar and in its byte order.
fn integer<C: Curve>(limbs: &[u64]) -> Vec<u8> {
    let mut bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    bytes.resize(C::encode_scalar(&C::Scalar::default()).as_ref().len(), 0);
    if C::encode_scalar(&1.into()).as_ref()[0] == 0 {
        bytes.reverse();
    }
    bytes
}

/// a + b, without a carry out of the limbs.
fn plus(a: &[u64], b: u64) -> Vec<u64> {
    let mut carry = b;
    let add = |limb: &u64| {
        let (sum, over) = limb.overflowing_add(carry);
        carry = u64::from(over);
        sum
    };
    a.iter().map(add).collect()
}

fn some_point<C: Curve>(seed: u8) -> C::Point {
    C::mul_base(&random_nonzero_scalar::<C>(&mut rng(seed)).unwrap())
}

fn en_01_scalars_at_and_above_the_order<C: Oracle>() {
    let mut below = C::ORDER.to_vec();
    below[0] -= 1;
    let largest = C::decode_scalar(&integer::<C>(&below)).unwrap();
    assert!(largest + 1.into() == C::Scalar::default());
    assert!(C::decode_scalar(&integer::<C>(C::ORDER)).is_none());
    for small in [1, 2, 0xffff, u64::MAX] {
        assert!(C::decode_scalar(&integer::<C>(&plus(C::ORDER, small))).is_none());
    }
    assert!(C::decode_scalar(&integer::<C>(&vec![u64::MAX; C::ORDER.len()])).is_none());
    let zero = C::encode_scalar(&C::Scalar::default());
    assert!(zero.as_ref().iter().all(|byte| *byte == 0));
    assert!(C::decode_scalar(zero.as_ref()).unwrap() == C::Scalar::default());
    assert!(C::decode_scalar(&vec![0xff; zero.as_ref().len()]).is_none());
}

fn en_01_scalars_of_a_wrong_length<C: Oracle>() {
    let right = C::encode_scalar(&1.into()).as_ref().len();
    for length in (0..130).filter(|length| *length != right) {
        assert!(C::decode_scalar(&vec![0; length]).is_none(), "{length}");
        assert!(C::decode_scalar(&vec![1; length]).is_none(), "{length}");
    }
    let encoded = C::encode_scalar(&random_scalar::<C>(&mut rng(1)));
    for longer in [[encoded.as_ref(), &[0]].concat(), [&[0], encoded.as_ref()].concat()] {
        assert!(C::decode_scalar(&longer).is_none());
    }
}

fn scalars_there_and_back<C: Oracle>() {
    let mut rng = rng(2);
    for _ in 0..200 {
        let scalar = random_scalar::<C>(&mut rng);
        let encoded = C::encode_scalar(&scalar);
        assert!(C::decode_scalar(encoded.as_ref()).unwrap() == scalar);
        assert_eq!(C::bytes(C::number(encoded.as_ref())), encoded.as_ref());
    }
}

fn points_there_and_back<C: Oracle>() {
    let mut rng = rng(3);
    let mut points: Vec<_> =
        (0..60).map(|_| C::mul_base(&random_nonzero_scalar::<C>(&mut rng).unwrap())).collect();
    points.push(C::generator());
    for point in &points {
        let encoded = C::encode_point(point);
        assert_eq!(C::decode_point(encoded.as_ref()).unwrap(), *point);
        assert!(C::accepts(encoded.as_ref()));
        assert_eq!(C::decode_point(C::encode_point(&-*point).as_ref()).unwrap(), -*point);
    }
}

fn many_points_at_once<C: Oracle>() {
    assert!(C::encode_points(&[]).is_empty());
    assert_eq!(C::encode_points(&[C::identity()]), [C::encode_point(&C::identity())]);
    let mut rng = rng(4);
    for length in [1, 2, 3, 64, 201] {
        let mut points: Vec<_> =
            (0..length).map(|_| C::mul_base(&random_scalar::<C>(&mut rng))).collect();
        // The identity must not spoil the shared inversion.
        points[length >> 1] = C::identity();
        points.push(points[0]);
        let alone: Vec<_> = points.iter().map(C::encode_point).collect();
        assert_eq!(C::encode_points(&points), alone);
    }
}

fn en_02_en_03_en_04_identity_is_refused<C: Oracle>() {
    let point = some_point::<C>(5);
    for identity in [C::identity(), point + -point, C::mul_base(&C::Scalar::default())] {
        assert!(C::decode_point(C::encode_point(&identity).as_ref()).is_none());
    }
    let length = C::encode_point(&point).as_ref().len();
    assert!(C::decode_point(&vec![0; length]).is_none());
}

fn en_02_en_03_en_04_points_of_a_wrong_length<C: Oracle>() {
    let encoded = C::encode_point(&some_point::<C>(6));
    let encoded = encoded.as_ref();
    for length in (0..130).filter(|length| *length != encoded.len()) {
        let mut other = encoded.to_vec();
        other.resize(length, 0);
        assert!(C::decode_point(&other).is_none(), "{length}");
        assert!(C::decode_point(&vec![0; length]).is_none(), "{length}");
        assert!(C::decode_point(&vec![2; length]).is_none(), "{length}");
    }
    assert!(C::decode_point(&[&[0], encoded].concat()).is_none());
}

/// Bytes that decode encode to the same bytes, and the oracle agrees about which bytes decode.
fn en_02_en_03_en_04_random_strings<C: Oracle>() {
    let mut rng = rng(7);
    let length = C::encode_point(&C::generator()).as_ref().len();
    let mut accepted = 0;
    for case in 0..400 {
        let mut bytes = vec![0; length];
        rng.fill_bytes(&mut bytes);
        // Closer to valid bytes; otherwise all would be refused for their first or last byte.
        match C::NAME {
            "P-256" | "secp256k1" => bytes[0] = 2 | (bytes[0] & 1),
            "Ed448" => bytes[56] &= 0x80,
            "ristretto255" => {
                bytes[0] &= 0xfe;
                bytes[31] &= 0x7f;
            }
            _ => {}
        }
        let decoded = C::decode_point(&bytes);
        assert_eq!(decoded.is_some(), C::accepts(&bytes), "{case}");
        if let Some(point) = decoded {
            accepted += 1;
            assert_eq!(C::encode_point(&point).as_ref(), bytes);
        }
    }
    // A half, a quarter or an eighth of the strings are points of the group.
    assert!((10..300).contains(&accepted), "{accepted}");
}

/// Every single bit of a valid encoding, flipped.
fn en_02_en_03_en_04_flipped_bits<C: Oracle>() {
    let point = some_point::<C>(8);
    let encoded = C::encode_point(&point);
    for bit in 0..8 * encoded.as_ref().len() {
        let mut bytes = encoded.as_ref().to_vec();
        bytes[bit >> 3] ^= 1 << (bit & 7);
        if let Some(other) = C::decode_point(&bytes) {
            assert_ne!(other, point);
            assert_eq!(C::encode_point(&other).as_ref(), bytes);
            assert!(C::accepts(&bytes));
        }
    }
}

for_every_curve!(
    en_01_scalars_at_and_above_the_order,
    en_01_scalars_of_a_wrong_length,
    scalars_there_and_back,
    points_there_and_back,
    many_points_at_once,
    en_02_en_03_en_04_identity_is_refused,
    en_02_en_03_en_04_points_of_a_wrong_length,
    en_02_en_03_en_04_random_strings,
    en_02_en_03_en_04_flipped_bits,
);

/// Tags other than 2 and 3, and the 65-byte forms, of a point that is valid otherwise.
fn sec1_tags<C: Curve>(uncompressed: &[u8]) {
    assert_eq!(uncompressed.len(), 65);
    let encoded = C::encode_point(&some_point::<C>(9));
    assert_eq!(&encoded.as_ref()[1..], &uncompressed[1..33]);
    for tag in 0..=255 {
        let mut short = encoded.as_ref().to_vec();
        short[0] = tag;
        assert_eq!(C::decode_point(&short).is_some(), tag == 2 || tag == 3, "{tag}");
        let mut long = uncompressed.to_vec();
        long[0] = tag;
        assert!(C::decode_point(&long).is_none(), "{tag}");
    }
    assert!(C::decode_point(&[0]).is_none());
}

#[test]
fn en_02_secp256k1_tags() {
    use k256::elliptic_curve::sec1::ToSec1Point;
    let encoded = Secp256k1::encode_point(&some_point::<Secp256k1>(9));
    let key = k256::PublicKey::from_sec1_bytes(&encoded).unwrap();
    sec1_tags::<Secp256k1>(key.as_affine().to_sec1_point(false).as_bytes());
}

#[test]
fn en_02_p256_tags() {
    use ::p256::elliptic_curve::sec1::ToSec1Point;
    let encoded = P256::encode_point(&some_point::<P256>(9));
    let key = ::p256::PublicKey::from_sec1_bytes(&encoded).unwrap();
    sec1_tags::<P256>(key.as_affine().to_sec1_point(false).as_bytes());
}

/// x + p, for every small x: the same point where x is one, but not its encoding.
fn x_above_the_field<C: Oracle>(field: &[u64; 4]) {
    let (mut on_curve, mut off_curve) = (0, 0);
    for x in 0..100 {
        for tag in [2, 3] {
            let small = [&[tag][..], &integer::<C>(&[x])].concat();
            let alias = [&[tag][..], &integer::<C>(&plus(field, x))].concat();
            assert_eq!(C::decode_point(&small).is_some(), C::accepts(&small));
            assert!(C::decode_point(&alias).is_none(), "{x}");
            if C::accepts(&small) { on_curve += 1 } else { off_curve += 1 }
        }
    }
    assert!(on_curve > 20 && off_curve > 20);
    for tag in [2, 3] {
        let largest = [&[tag][..], &[0xff; 32]].concat();
        assert!(C::decode_point(&largest).is_none());
    }
}

#[test]
fn en_02_secp256k1_x_above_the_field() {
    let field = [0xffff_fffe_ffff_fc2f, u64::MAX, u64::MAX, u64::MAX];
    x_above_the_field::<Secp256k1>(&field);
}

#[test]
fn en_02_p256_x_above_the_field() {
    x_above_the_field::<P256>(&[u64::MAX, 0xffff_ffff, 0, 0xffff_ffff_0000_0001]);
}

const FIELD_25519: [u64; 4] = [0xffff_ffff_ffff_ffed, u64::MAX, u64::MAX, 0x7fff_ffff_ffff_ffff];

#[test]
fn en_03_ed25519_small_order_points_and_their_aliases() {
    let mut refused = Vec::new();
    for torsion in curve25519_dalek::constants::EIGHT_TORSION {
        refused.push(torsion.compress().to_bytes());
    }
    // x = 0 with its sign set ("-0"), for y = 1 and y = -1.
    for y in [
        integer::<Ed25519>(&[1]),
        integer::<Ed25519>(&[0xffff_ffff_ffff_ffec, u64::MAX, u64::MAX, u64::MAX >> 1]),
    ] {
        refused.push(y.try_into().unwrap());
    }
    // y from p to 2^255 - 1 is a second name of y from 0 to 18.
    for y in 0..19 {
        refused.push(integer::<Ed25519>(&plus(&FIELD_25519, y)).try_into().unwrap());
    }
    for mut bytes in refused {
        assert!(Ed25519::decode_point(&bytes).is_none(), "{bytes:?}");
        bytes[31] ^= 0x80;
        assert!(Ed25519::decode_point(&bytes).is_none(), "{bytes:?}");
    }
}

#[test]
fn en_03_ed25519_points_outside_the_subgroup() {
    for seed in 10..30 {
        let encoded = Ed25519::encode_point(&some_point::<Ed25519>(seed));
        let point = curve25519_dalek::edwards::CompressedEdwardsY(encoded).decompress().unwrap();
        for (index, torsion) in curve25519_dalek::constants::EIGHT_TORSION.iter().enumerate() {
            let moved = point + torsion;
            let decoded = Ed25519::decode_point(&moved.compress().to_bytes());
            assert_eq!(decoded.is_some(), index == 0);
            assert_eq!(decoded.is_some(), moved.is_torsion_free());
        }
    }
}

#[test]
fn en_03_ristretto255_second_names() {
    for s in 0..19 {
        let bytes = integer::<Ristretto255>(&plus(&FIELD_25519, s));
        assert!(Ristretto255::decode_point(&bytes).is_none());
    }
    for seed in 30..50 {
        let encoded = Ristretto255::encode_point(&some_point::<Ristretto255>(seed));
        let mut high = encoded;
        high[31] |= 0x80;
        assert!(Ristretto255::decode_point(&high).is_none());
        // p - s is the other square root: odd, hence negative.
        let mut borrow = 0;
        let mut negative = [0u8; 32];
        let field: Vec<u8> = FIELD_25519.iter().flat_map(|limb| limb.to_le_bytes()).collect();
        for ((byte, p), s) in negative.iter_mut().zip(field).zip(encoded) {
            let difference = i16::from(p) - i16::from(s) - borrow;
            borrow = i16::from(difference < 0);
            *byte = u8::try_from(difference & 0xff).unwrap();
        }
        assert_eq!(negative[0] & 1, 1);
        assert!(Ristretto255::decode_point(&negative).is_none());
    }
}

/// RFC 9496 appendix A.1: the multiples 0 to 3 of the generator.
#[test]
fn ristretto255_multiples_of_the_generator() {
    let encodings = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76",
        "6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919",
        "94741f5d5d52755ece4f23f044ee27d5d1ea1e2bd196b462166b16152a9d0259",
    ];
    for (multiple, encoding) in (0..).zip(encodings) {
        let point = Ristretto255::mul_base(&multiple.into());
        assert_eq!(format!("{point:?}"), encoding);
    }
}

#[test]
fn en_04_ed448_scalar_top_byte() {
    let mut bytes = Ed448::encode_scalar(&random_scalar::<Ed448>(&mut rng(50)));
    for top in 1..=255 {
        bytes[56] = top;
        assert!(Ed448::decode_scalar(&bytes).is_none(), "{top}");
    }
    bytes[56] = 0;
    assert!(Ed448::decode_scalar(&bytes).is_some());
    for bit in [0x40, 0x80, 0xc0] {
        let mut high = bytes;
        high[55] |= bit;
        assert!(Ed448::decode_scalar(&high).is_none());
    }
}

#[test]
fn en_04_ed448_scalar_plus_order() {
    let mut rng = rng(51);
    for _ in 0..50 {
        let limbs = Ed448::scalar_limbs(&random_scalar::<Ed448>(&mut rng));
        // S + L and S + 2L fit in 448 bits.
        let mut sum = limbs[..7].to_vec();
        for _ in 0..2 {
            let mut carry = 0;
            for (limb, order) in sum.iter_mut().zip(Ed448::ORDER) {
                let total = u128::from(*limb) + u128::from(*order) + carry;
                *limb = u64::try_from(total & u128::from(u64::MAX)).unwrap();
                carry = total >> 64;
            }
            assert_eq!(carry, 0);
            assert!(Ed448::decode_scalar(&integer::<Ed448>(&sum)).is_none());
        }
    }
}

#[test]
fn en_04_ed448_point_last_byte() {
    let mut bytes = Ed448::encode_point(&some_point::<Ed448>(52));
    let sign = bytes[56];
    assert_eq!(sign & 0x7f, 0);
    for last in 0..=255 {
        bytes[56] = last;
        assert_eq!(Ed448::decode_point(&bytes).is_some(), last & 0x7f == 0, "{last}");
    }
}

#[test]
fn en_04_ed448_point_y_above_the_field() {
    let field = [u64::MAX, u64::MAX, u64::MAX, 0xffff_fffe_ffff_ffff, u64::MAX, u64::MAX, u64::MAX];
    let mut names = 0;
    for y in 0..100 {
        for sign in [0, 0x80] {
            let mut small = integer::<Ed448>(&[y]);
            let mut alias = integer::<Ed448>(&plus(&field, y));
            small[56] = sign;
            alias[56] = sign;
            assert!(Ed448::decode_point(&alias).is_none());
            names += u32::from(Ed448::decode_point(&small).is_some());
        }
    }
    assert!(names > 10);
    let mut largest = [0xff; 57];
    largest[56] = 0;
    assert!(Ed448::decode_point(&largest).is_none());
}

#[test]
fn en_04_ed448_small_order_and_outside_the_subgroup() {
    let mut torsion = Vec::new();
    // (0, 1), (0, -1), (1, 0), (-1, 0), and the first two with the sign of zero set.
    let minus_one =
        [u64::MAX - 1, u64::MAX, u64::MAX, 0xffff_fffe_ffff_ffff, u64::MAX, u64::MAX, u64::MAX];
    for y in [integer::<Ed448>(&[1]), integer::<Ed448>(&minus_one), integer::<Ed448>(&[0])] {
        for sign in [0, 0x80] {
            let mut bytes = y.clone();
            bytes[56] = sign;
            assert!(Ed448::decode_point(&bytes).is_none());
            torsion.extend(crrl::ed448::Point::decode(&bytes));
        }
    }
    assert_eq!(torsion.len(), 4);
    for seed in 53..60 {
        let encoded = Ed448::encode_point(&some_point::<Ed448>(seed));
        let point = crrl::ed448::Point::decode(&encoded).unwrap();
        for torsion in &torsion {
            let moved = (point + torsion).encode();
            let in_group = torsion.isneutral() != 0;
            assert_eq!(Ed448::decode_point(&moved).is_some(), in_group);
            assert_eq!(Ed448::accepts(&moved), in_group);
        }
    }
}
