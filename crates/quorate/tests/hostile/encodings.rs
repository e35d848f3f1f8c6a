//! Encodings that no decoder may take, per suite: written out by the rules of each encoding, not
//! by the code under test.

use quorate::frost::ed448::Ed448Shake256;
use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::generic::curve::Curve;
use quorate::frost::generic::{Ciphersuite, PointBytes};
use quorate::frost::p256::P256Sha256;
use quorate::frost::ristretto255::Ristretto255Sha512;
use quorate::frost::secp256k1::Secp256k1Sha256;
use quorate::frost::secp256k1_tr::Secp256k1Taproot;

/// How a suite writes its points.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// y little-endian, the sign of x in the top bit.
    Edwards,
    /// s little-endian, never negative.
    Ristretto,
    /// A tag and x big-endian.
    Sec1,
}

/// What the mutations have to know of a suite.
pub trait Hostile: Ciphersuite {
    const FORM: Form;
    /// The field's prime, big-endian in hexadecimal.
    const PRIME: &'static str;
    /// The y-coordinate of the generator, for the uncompressed form of SEC 1.
    const GENERATOR_Y: &'static str = "";
}

const P25519: &str = "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed";
const SECP256K1: &str = "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f";
const SECP256K1_Y: &str = "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8";

impl Hostile for Ed25519Sha512 {
    const FORM: Form = Form::Edwards;
    const PRIME: &'static str = P25519;
}

impl Hostile for Ristretto255Sha512 {
    const FORM: Form = Form::Ristretto;
    const PRIME: &'static str = P25519;
}

impl Hostile for Ed448Shake256 {
    const FORM: Form = Form::Edwards;
    const PRIME: &'static str = "fffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff\
                                 ffffffffffffffffffffffffffffffffffffffffffffffff";
}

impl Hostile for P256Sha256 {
    const FORM: Form = Form::Sec1;
    const PRIME: &'static str = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";
    const GENERATOR_Y: &'static str =
        "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";
}

impl Hostile for Secp256k1Sha256 {
    const FORM: Form = Form::Sec1;
    const PRIME: &'static str = SECP256K1;
    const GENERATOR_Y: &'static str = SECP256K1_Y;
}

impl Hostile for Secp256k1Taproot {
    const FORM: Form = Form::Sec1;
    const PRIME: &'static str = SECP256K1;
    const GENERATOR_Y: &'static str = SECP256K1_Y;
}

/// Bytes of an encoded point.
pub fn point_len<S: Ciphersuite>() -> usize {
    size_of::<PointBytes<S>>()
}

/// Bytes of an encoded scalar.
pub fn scalar_len<S: Ciphersuite>() -> usize {
    size_of::<<S::Curve as Curve>::ScalarBytes>()
}

pub fn unhex(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect()
}

/// The encoding of a point.
pub fn encoded<S: Ciphersuite>(point: &<S::Curve as Curve>::Point) -> Vec<u8> {
    S::Curve::encode_point(point).as_ref().to_vec()
}

/// The prime in little-endian bytes, as many as an encoded point has.
fn prime<S: Hostile>() -> Vec<u8> {
    let mut prime = unhex(S::PRIME);
    prime.reverse();
    prime.resize(point_len::<S>().max(prime.len()), 0);
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
fn small<S: Hostile>(number: u8, plus_prime: bool) -> Vec<u8> {
    let mut le = prime::<S>();
    le.resize(if S::FORM == Form::Sec1 { 32 } else { point_len::<S>() }, 0);
    if !plus_prime {
        le.fill(0);
    }
    let mut addend = vec![0; le.len()];
    addend[0] = number;
    let mut bytes = combine(&le, &addend, 1);
    if S::FORM == Form::Sec1 {
        bytes.push(2);
        bytes.reverse();
    }
    bytes
}

/// A coordinate that is not below the prime; where there is one small enough, the alias of a
/// point that decodes.
pub fn alias<S: Hostile>() -> Vec<u8> {
    let decodes = |number: &u8| S::Curve::decode_point(&small::<S>(*number, false)).is_some();
    small::<S>((1..=18).find(decodes).unwrap_or(1), true)
}

/// Every alias of a coordinate from 0 to 18.
pub fn aliases<S: Hostile>() -> Vec<Vec<u8>> {
    (0..=18).map(|number| small::<S>(number, true)).collect()
}

/// A tag or sign that cannot be: SEC 1's tag of an uncompressed point, a sign without a
/// coordinate, a sign where none is written.
pub fn bad_tag<S: Hostile>(point: &[u8]) -> Vec<u8> {
    let mut bytes = match S::FORM {
        Form::Edwards => small::<S>(1, false),
        Form::Ristretto | Form::Sec1 => point.to_vec(),
    };
    match S::FORM {
        Form::Sec1 => bytes[0] = 4,
        Form::Edwards | Form::Ristretto => *bytes.last_mut().unwrap() |= 0x80,
    }
    bytes
}

/// The point shifted by the point (0, −1) of order two, the negative of ristretto255's s, or the
/// generator in SEC 1's uncompressed form.
pub fn foreign_form<S: Hostile>(point: &[u8]) -> Vec<u8> {
    match S::FORM {
        Form::Sec1 => {
            let mut bytes = encoded::<S>(&S::Curve::generator());
            bytes[0] = 4;
            bytes.extend(unhex(S::GENERATOR_Y));
            bytes
        }
        Form::Ristretto => combine(&prime::<S>(), point, -1),
        // (x, y) + (0, −1) = (−x, −y) on every twisted Edwards curve.
        Form::Edwards => {
            let mut y = point.to_vec();
            let sign = y.last().unwrap() & 0x80;
            *y.last_mut().unwrap() &= 0x7f;
            let mut bytes = combine(&prime::<S>(), &y, -1);
            *bytes.last_mut().unwrap() |= sign ^ 0x80;
            bytes
        }
    }
}

/// The identity as the curve's formulas write it: never a valid encoding.
pub fn identity<S: Hostile>() -> Vec<u8> {
    match S::FORM {
        Form::Edwards => small::<S>(1, false),
        Form::Ristretto | Form::Sec1 => vec![0; point_len::<S>()],
    }
}

/// The first flip of one bit, from the end that holds the coordinate's lowest, that leaves the
/// curve. Half of all flips do.
pub fn flip_off_curve<S: Hostile>(point: &[u8]) -> Vec<u8> {
    let flipped = |bit: usize| {
        let mut bytes = point.to_vec();
        let at = if S::FORM == Form::Sec1 { bytes.len() - 1 - bit / 8 } else { bit / 8 };
        bytes[at] ^= 1 << (bit % 8);
        bytes
    };
    let off = |bytes: &Vec<u8>| S::Curve::decode_point(bytes).is_none();
    (0..64).map(flipped).find(off).expect("half of all coordinates are off the curve")
}

/// The order of the group plus a small number, as an encoded scalar.
pub fn order_plus<S: Hostile>(number: u8) -> Vec<u8> {
    let mut le: Vec<u8> = S::Curve::ORDER.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    le.resize(scalar_len::<S>(), 0);
    let mut addend = vec![0; le.len()];
    addend[0] = number;
    let mut bytes = combine(&le, &addend, 1);
    if is_big_endian::<S>() {
        bytes.reverse();
    }
    bytes
}

/// The scalar plus the order, if it still fits: the malleable alias.
pub fn scalar_alias<S: Hostile>(scalar: &[u8]) -> Option<Vec<u8>> {
    let big = is_big_endian::<S>();
    let turn = |mut bytes: Vec<u8>| {
        if big {
            bytes.reverse();
        }
        bytes
    };
    let value = turn(scalar.to_vec());
    let sum = combine(&value, &turn(order_plus::<S>(0)), 1);
    // A sum that wrapped around is smaller than what was added to.
    let fits = sum.iter().rev().cmp(value.iter().rev()).is_gt();
    fits.then(|| turn(sum))
}

/// Whether scalars are written big-endian.
pub fn is_big_endian<S: Ciphersuite>() -> bool {
    S::Curve::encode_scalar(&1.into()).as_ref()[0] == 0
}
