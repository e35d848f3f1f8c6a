//! The maps to curves: the test vectors of RFC 9380 (appendix J), and of RFC 9496 (appendix A.3) for ristretto255.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test panics where it fails, and its own inputs are in range"
)]

use crrl::field::GF25519;
use curve25519_dalek::RistrettoPoint;
use quorate_curve::{Curve, Ed25519, MapToCurve, P256, Ristretto255, Secp256k1};

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

/// The elements of a vector, each as long as the map's input.
fn elements(line: &str) -> Vec<u8> {
    line.split(' ').flat_map(|u| [vec![0; 16], bytes(u)].concat()).collect()
}

/// The compressed form of a point of a curve of SEC 1.
fn sec1(x: &str, y: &str) -> Vec<u8> {
    [vec![2 | bytes(y)[31] & 1], bytes(x)].concat()
}

/// The form of RFC 8032.
fn edwards(x: &str, y: &str) -> Vec<u8> {
    let mut encoding = bytes(y);
    encoding.reverse();
    encoding[31] |= (bytes(x)[31] & 1) << 7;
    encoding
}

fn mapped<C: MapToCurve>(uniform: &[u8]) -> Vec<u8> {
    C::encode_point(&C::map_to_curve(uniform).unwrap()).as_ref().to_vec()
}

#[test]
fn rfc9380() {
    let (mut suite, mut seen) = ("", 0);
    let mut lines = include_str!("data/map.txt").lines();
    while let Some(line) = lines.next() {
        if line.starts_with('[') {
            suite = line;
            continue;
        }
        let value = |line: &'static str| line.split_once(' ').unwrap().1;
        let u = elements(value(line));
        let (x, y) = (value(lines.next().unwrap()), value(lines.next().unwrap()));
        let (found, expected) = match &suite[..5] {
            "[P256" => (mapped::<P256>(&u), sec1(x, y)),
            "[secp" => (mapped::<Secp256k1>(&u), sec1(x, y)),
            _ => (mapped::<Ed25519>(&u), edwards(x, y)),
        };
        assert_eq!(found, expected, "{suite}");
        seen += 1;
    }
    assert_eq!(seen, 30);
}

#[test]
fn ristretto_maps_as_dalek_does() {
    let mut uniform = [0u8; 64];
    for round in 0..200u8 {
        for (at, byte) in (0u8..).zip(&mut uniform) {
            *byte = byte.wrapping_mul(167).wrapping_add(at ^ round);
        }
        let expected = RistrettoPoint::from_uniform_bytes(&uniform).compress().to_bytes();
        assert_eq!(mapped::<Ristretto255>(&uniform), expected);
    }
}

/// The exceptional elements, and those above the order of the field.
#[test]
fn every_element_gives_a_point_of_the_group() {
    fn each<C: MapToCurve>() {
        for element in [vec![0; C::ELEMENT], vec![255; C::ELEMENT], vec![1; C::ELEMENT]] {
            for uniform in [element.clone(), [element.clone(), element].concat()] {
                let Some(point) = C::map_to_curve(&uniform) else { continue };
                let bytes = C::encode_point(&point);
                assert!(C::is_identity(&point) || C::decode_point(bytes.as_ref()) == Some(point));
            }
        }
    }
    each::<P256>();
    each::<Secp256k1>();
    each::<Ed25519>();
    each::<Ristretto255>();
}

#[test]
fn other_lengths_are_refused() {
    fn each<C: MapToCurve>(allowed: &[usize]) {
        for length in 0..=4 * C::ELEMENT {
            let is_some = C::map_to_curve(&vec![7; length]).is_some();
            assert_eq!(is_some, allowed.contains(&length), "{} {length}", C::NAME);
        }
    }
    each::<P256>(&[48, 96]);
    each::<Secp256k1>(&[48, 96]);
    each::<Ed25519>(&[48, 96]);
    each::<Ristretto255>(&[64]);
}

#[test]
fn the_cofactor_is_cleared_and_low_order_is_refused() {
    use curve25519_dalek::constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION};
    let eight = Ed25519::encode_point(&Ed25519::mul_base(&8.into()));
    for low in &EIGHT_TORSION {
        let low_alone = low.compress().to_bytes();
        assert!(Ed25519::decode_clearing_cofactor_vartime(&low_alone).is_none());
        let moved = (ED25519_BASEPOINT_POINT + low).compress().to_bytes();
        let cleared = Ed25519::decode_clearing_cofactor_vartime(&moved).unwrap();
        assert_eq!(Ed25519::encode_point(&cleared), eight);
    }
    // y = p, which RFC 8032 refuses.
    let order = [[0xed].as_slice(), &[0xff; 30], &[0x7f]].concat();
    assert!(GF25519::decode(&order).is_none());
    assert!(Ed25519::decode_clearing_cofactor_vartime(&order.try_into().unwrap()).is_none());
}
