//! Encodings that no decoder may take, per curve: written out by the rules of each encoding, not by the code under test.

use quorate_curve::{Curve, Ed448, Ed25519, P256, Ristretto255, Secp256k1};

use crate::unhex;

/// The form in which a curve's points are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// y little-endian, the sign of x in the top bit.
    Edwards,
    /// s little-endian, never negative.
    Ristretto,
    /// A tag and x big-endian.
    Sec1,
}

/// A curve whose encodings can be mutated.
pub trait Encoding: Curve {
    /// The form of its points.
    const FORM: Form;
    /// The field's prime, big-endian in hexadecimal.
    const PRIME: &'static str;
    /// The y-coordinate of the generator, for the uncompressed form of SEC 1.
    const GENERATOR_Y: &'static str = "";
}

const P25519: &str = "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed";

impl Encoding for Ed25519 {
    const FORM: Form = Form::Edwards;
    const PRIME: &'static str = P25519;
}

impl Encoding for Ristretto255 {
    const FORM: Form = Form::Ristretto;
    const PRIME: &'static str = P25519;
}

impl Encoding for Ed448 {
    const FORM: Form = Form::Edwards;
    const PRIME: &'static str = "fffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff\
                                 ffffffffffffffffffffffffffffffffffffffffffffffff";
}

impl Encoding for P256 {
    const FORM: Form = Form::Sec1;
    const PRIME: &'static str = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";
    const GENERATOR_Y: &'static str =
        "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";
}

impl Encoding for Secp256k1 {
    const FORM: Form = Form::Sec1;
    const PRIME: &'static str = "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f";
    const GENERATOR_Y: &'static str =
        "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8";
}

/// Bytes of an encoded point.
pub fn point_len<C: Curve>() -> usize {
    size_of::<C::PointBytes>()
}

/// Bytes of an encoded scalar.
#[must_use]
pub fn scalar_len<C: Curve>() -> usize {
    size_of::<C::ScalarBytes>()
}

/// The encoding of a point.
#[must_use]
pub fn encoded<C: Curve>(point: &C::Point) -> Vec<u8> {
    C::encode_point(point).as_ref().to_vec()
}

/// The prime in little-endian bytes, as many as an encoded point has.
fn prime<C: Encoding>() -> Vec<u8> {
    let mut prime = unhex(C::PRIME);
    prime.reverse();
    prime.resize(point_len::<C>().max(prime.len()), 0);
    prime
}

/// a + b·k over little-endian bytes of one length, k = 1 or −1; the last carry is dropped.
fn combine(a: &[u8], b: &[u8], k: i32) -> Vec<u8> {
    let mut carry = 0;
    a.iter()
        .zip(b)
        .map(|(a, b)| {
            let sum = i32::from(*a) + k * i32::from(*b) + carry;
            carry = sum >> 8;
            u8::try_from(sum & 255).unwrap()
        })
        .collect()
}

/// A small number as an encoded coordinate, or that number plus the prime.
fn small<C: Encoding>(number: u8, plus_prime: bool) -> Vec<u8> {
    let mut le = prime::<C>();
    le.resize(if C::FORM == Form::Sec1 { 32 } else { point_len::<C>() }, 0);
    if !plus_prime {
        le.fill(0);
    }
    let mut addend = vec![0; le.len()];
    addend[0] = number;
    let mut bytes = combine(&le, &addend, 1);
    if C::FORM == Form::Sec1 {
        bytes.push(2);
        bytes.reverse();
    }
    bytes
}

/// A coordinate that is not below the prime; where there is one small enough, the alias of a
/// point that decodes.
#[must_use]
pub fn alias<C: Encoding>() -> Vec<u8> {
    let decodes = |number: &u8| C::decode_point(&small::<C>(*number, false)).is_some();
    small::<C>((1..=18).find(decodes).unwrap_or(1), true)
}

/// Every alias of a coordinate from 0 to 18.
#[must_use]
pub fn aliases<C: Encoding>() -> Vec<Vec<u8>> {
    (0..=18).map(|number| small::<C>(number, true)).collect()
}

/// An impossible tag or sign: SEC 1's tag of an uncompressed point, a sign without a
/// coordinate, a sign where none is written.
#[must_use]
pub fn bad_tag<C: Encoding>(point: &[u8]) -> Vec<u8> {
    let mut bytes = match C::FORM {
        Form::Edwards => small::<C>(1, false),
        Form::Ristretto | Form::Sec1 => point.to_vec(),
    };
    match C::FORM {
        Form::Sec1 => bytes[0] = 4,
        Form::Edwards | Form::Ristretto => *bytes.last_mut().unwrap() |= 0x80,
    }
    bytes
}

/// The point shifted by the point (0, −1) of order two, the negative of ristretto255's s, or the
/// generator in SEC 1's uncompressed form.
#[must_use]
pub fn foreign_form<C: Encoding>(point: &[u8]) -> Vec<u8> {
    match C::FORM {
        Form::Sec1 => {
            let mut bytes = encoded::<C>(&C::generator());
            bytes[0] = 4;
            bytes.extend(unhex(C::GENERATOR_Y));
            bytes
        }
        Form::Ristretto => combine(&prime::<C>(), point, -1),
        // (x, y) + (0, −1) = (−x, −y) on every twisted Edwards curve.
        Form::Edwards => {
            let mut y = point.to_vec();
            let sign = y.last().unwrap() & 0x80;
            *y.last_mut().unwrap() &= 0x7f;
            let mut bytes = combine(&prime::<C>(), &y, -1);
            *bytes.last_mut().unwrap() |= sign ^ 0x80;
            bytes
        }
    }
}

/// The identity as the curve's formulas write it: never a valid encoding.
#[must_use]
pub fn identity<C: Encoding>() -> Vec<u8> {
    match C::FORM {
        Form::Edwards => small::<C>(1, false),
        Form::Ristretto | Form::Sec1 => vec![0; point_len::<C>()],
    }
}

/// The first flip of one bit, from the end that holds the coordinate's lowest, that leaves the
/// curve. Half of all flips do.
#[must_use]
pub fn flip_off_curve<C: Encoding>(point: &[u8]) -> Vec<u8> {
    let flipped = |bit: usize| {
        let mut bytes = point.to_vec();
        let at = if C::FORM == Form::Sec1 { bytes.len() - 1 - bit / 8 } else { bit / 8 };
        bytes[at] ^= 1 << (bit % 8);
        bytes
    };
    let off = |bytes: &Vec<u8>| C::decode_point(bytes).is_none();
    (0..64).map(flipped).find(off).expect("half of all coordinates are off the curve")
}

/// The order of the group plus a small number, as an encoded scalar.
#[must_use]
pub fn order_plus<C: Curve>(number: u8) -> Vec<u8> {
    let mut le: Vec<u8> = C::ORDER.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    le.resize(scalar_len::<C>(), 0);
    let mut addend = vec![0; le.len()];
    addend[0] = number;
    let mut bytes = combine(&le, &addend, 1);
    if is_big_endian::<C>() {
        bytes.reverse();
    }
    bytes
}

/// The scalar plus the order, if it still fits: the malleable alias.
#[must_use]
pub fn scalar_alias<C: Curve>(scalar: &[u8]) -> Option<Vec<u8>> {
    let big = is_big_endian::<C>();
    let turn = |mut bytes: Vec<u8>| {
        if big {
            bytes.reverse();
        }
        bytes
    };
    let value = turn(scalar.to_vec());
    let sum = combine(&value, &turn(order_plus::<C>(0)), 1);
    // A sum that wrapped around is smaller than its first term.
    let fits = sum.iter().rev().cmp(value.iter().rev()).is_gt();
    fits.then(|| turn(sum))
}

/// Returns whether scalars are written big-endian.
#[must_use]
pub fn is_big_endian<C: Curve>() -> bool {
    C::encode_scalar(&1.into()).as_ref()[0] == 0
}
