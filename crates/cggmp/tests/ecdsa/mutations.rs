//! What is done to each kind of field.

use quorate_bignum::Natural;
use quorate_cggmp::EcdsaCurve;

/// What a field holds.
#[derive(Clone)]
pub enum Class {
    /// Random bytes, digests, bits of a challenge.
    Bytes,
    Scalar,
    Point,
    /// A number that has to be a unit below a modulus; the modulus, and one of its factors.
    Unit(Natural, Natural),
    /// A sign and a magnitude of at most half of the largest.
    Integer,
    /// An exponent below a modulus.
    Exponent(Natural),
    /// A modulus or a base of a setup: the checks of their form are elsewhere.
    Number,
}

#[derive(Clone)]
pub struct Field {
    pub name: String,
    pub len: usize,
    pub class: Class,
}

pub fn field(name: impl Into<String>, len: usize, class: Class) -> Field {
    Field { name: name.into(), len, class }
}

/// What a field is changed to, with a name for how.
pub type Change = (&'static str, Vec<u8>);

fn number(value: &Natural, len: usize) -> Vec<u8> {
    value.to_be_bytes(len).unwrap()
}

pub fn order<C: EcdsaCurve>() -> Vec<u8> {
    C::ORDER.iter().rev().flat_map(|limb| limb.to_be_bytes()).collect()
}

fn flipped(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 1;
    bytes
}

/// All changes of a field that make it another; `other` is the same field of another session.
pub fn changes<C: EcdsaCurve>(class: &Class, now: &[u8], other: &[u8]) -> Vec<Change> {
    let len = now.len();
    let fill = |byte: u8| vec![byte; len];
    let mut out: Vec<Change> = match class {
        Class::Bytes => vec![
            ("first bit", flipped(now, 0)),
            ("last bit", flipped(now, len - 1)),
            ("zero", fill(0)),
        ],
        Class::Scalar => scalars::<C>(now),
        Class::Point => points::<C>(now),
        Class::Unit(modulus, factor) => vec![
            ("zero", fill(0)),
            ("one", number(&Natural::one(), len)),
            ("modulus", number(modulus, len)),
            ("a factor", number(factor, len)),
            ("largest", fill(0xff)),
            ("last bit", flipped(now, len - 1)),
        ],
        Class::Integer => integers(now),
        Class::Exponent(modulus) => vec![
            ("zero", fill(0)),
            ("modulus", number(modulus, len)),
            ("largest", fill(0xff)),
            ("last bit", flipped(now, len - 1)),
        ],
        Class::Number => vec![("zero", fill(0)), ("last bit", flipped(now, len - 1))],
    };
    out.push(("of another session", other.to_vec()));
    out.retain(|(_, bytes)| bytes != now);
    out
}

fn scalars<C: EcdsaCurve>(now: &[u8]) -> Vec<Change> {
    let value = C::decode_scalar(now).unwrap();
    let encode = |scalar: C::Scalar| C::encode_scalar(&scalar).to_vec();
    vec![
        ("zero", vec![0; 32]),
        ("plus one", encode(value + C::Scalar::from(1))),
        ("negative", encode(-value)),
        ("order", order::<C>()),
        ("largest", vec![0xff; 32]),
    ]
}

fn points<C: EcdsaCurve>(now: &[u8]) -> Vec<Change> {
    let mut tag = now.to_vec();
    tag[0] = 4;
    let mut beyond = vec![0xff; 33];
    beyond[0] = 2;
    let value = C::decode_point(now).unwrap();
    vec![
        ("identity", vec![0; 33]),
        ("negative", flipped(now, 0)),
        ("generator", C::encode_point(&C::generator()).to_vec()),
        ("plus generator", C::encode_point(&(value + C::generator())).to_vec()),
        ("bad tag", tag),
        ("beyond the field", beyond),
    ]
}

fn integers(now: &[u8]) -> Vec<Change> {
    let len = now.len();
    let with = |sign: u8, first: u8, last: u8| {
        let mut bytes = vec![0; len];
        (bytes[0], bytes[1], bytes[len - 1]) = (sign, first, last);
        bytes
    };
    let sign = |byte: u8| [&[byte], &now[1..]].concat();
    vec![
        ("zero", with(0, 0, 0)),
        ("minus zero", with(1, 0, 0)),
        ("bound", with(0, 0x80, 0)),
        ("beyond the bound", with(0, 0x80, 1)),
        ("beyond the other bound", with(1, 0x80, 1)),
        ("largest", [&[0][..], &vec![0xff; len - 1]].concat()),
        ("other sign", sign(now[0] ^ 1)),
        ("no sign", sign(2)),
        ("last bit", flipped(now, len - 1)),
    ]
}
