//! The mutation engine: every wrong value for every class of field.

use core::ops::Range;

use quorate_curve::Curve;

use crate::encodings::{
    Encoding, Form, alias, bad_tag, encoded, flip_off_curve, foreign_form, identity, is_big_endian,
    order_plus,
};

/// The kind of value that a field holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// A scalar of the curve.
    Scalar,
    /// A point of the curve.
    Point,
    /// A party's number.
    Id,
    /// Bytes without structure: random ones, digests, bits of a challenge.
    Bytes,
    /// A number that has to be a unit below a modulus; both big-endian.
    Unit {
        /// The modulus.
        modulus: &'static [u8],
        /// One of its factors.
        factor: &'static [u8],
    },
    /// A sign and a magnitude of at most half of the largest.
    Integer,
    /// An exponent below this number, big-endian.
    Exponent(&'static [u8]),
    /// A modulus or a base of a setup: the checks of their form are elsewhere.
    Number,
}

/// The effect of a mutation on a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The new value decodes, to another value.
    Valid,
    /// The new value has the right length and must not decode.
    Invalid,
    /// The new value is a number that no party of the key has.
    Unknown,
    /// The new value is longer than the honest one.
    Longer,
    /// The new value is shorter than the honest one.
    Shorter,
}

/// One value to put in a field's place.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// The name of the mutation.
    pub name: &'static str,
    /// The effect on the field.
    pub kind: Kind,
    /// The value.
    pub bytes: Vec<u8>,
}

/// A field of a message, and the place of its bytes.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name of the field.
    pub name: &'static str,
    /// The kind of value that it holds.
    pub class: Class,
    /// The place of its bytes.
    pub at: Range<usize>,
}

impl Field {
    /// The field of this length that follows this offset; moves the offset behind it.
    pub fn next(name: &'static str, class: Class, length: usize, offset: &mut usize) -> Self {
        let at = *offset..*offset + length;
        *offset = at.end;
        Self { name, class, at }
    }
}

/// One wrong message.
#[derive(Clone, Debug)]
pub struct Case {
    /// The field's name.
    pub field: &'static str,
    /// The kind of value that the field holds.
    pub class: Class,
    /// The mutation's name.
    pub mutation: &'static str,
    /// The effect on the field.
    pub kind: Kind,
    /// The whole message.
    pub bytes: Vec<u8>,
}

/// The field's values in other messages.
#[derive(Clone, Copy, Default, Debug)]
pub struct Others<'a> {
    /// Of another party in the same session.
    pub party: Option<&'a [u8]>,
    /// Of the same party in another session.
    pub session: Option<&'a [u8]>,
}

/// Every mutation of every field of a message; the other two messages have the same layout.
#[must_use]
pub fn cases<C: Encoding>(
    fields: &[Field],
    message: &[u8],
    other_party: &[u8],
    other_session: &[u8],
) -> Vec<Case> {
    let of_field = |field: &Field| {
        let Field { name, class, at } = field.clone();
        let others = Others {
            party: Some(&other_party[at.clone()]),
            session: Some(&other_session[at.clone()]),
        };
        let mutations = mutations::<C>(class, &message[at.clone()], others).into_iter();
        mutations.map(move |Mutation { name: mutation, kind, bytes }| Case {
            field: name,
            class,
            mutation,
            kind,
            bytes: splice(message, at.clone(), &bytes),
        })
    };
    fields.iter().flat_map(of_field).collect()
}

/// The message with other bytes at one place.
#[must_use]
pub fn splice(message: &[u8], at: Range<usize>, with: &[u8]) -> Vec<u8> {
    [&message[..at.start], with, &message[at.end..]].concat()
}

/// The bytes with the lowest bit of one of them flipped.
#[must_use]
pub fn flipped(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 1;
    bytes
}

/// Every value for a field that differs from its own.
#[must_use]
pub fn mutations<C: Encoding>(class: Class, value: &[u8], others: Others<'_>) -> Vec<Mutation> {
    let mut all = match class {
        Class::Scalar => scalars::<C>(value),
        Class::Point => points::<C>(value),
        Class::Id => identifiers::<C>(value),
        Class::Bytes => bytes(value),
        Class::Unit { modulus, factor } => units(value, modulus, factor),
        Class::Integer => integers(value),
        Class::Exponent(modulus) => exponents(value, modulus),
        Class::Number => numbers(value),
    };
    let another = |name, bytes: Option<&[u8]>| Some(mutation(name, Kind::Valid, bytes?.to_vec()));
    let of_a_party = matches!(class, Class::Scalar | Class::Point | Class::Id);
    all.extend(another("of another party", others.party.filter(|_| of_a_party)));
    all.extend(another(
        "of another session",
        others.session.filter(|_| !matches!(class, Class::Id)),
    ));
    all.retain(|one| one.bytes != value);
    check::<C>(class, &all);
    all
}

/// Asserts that decoders agree with the kinds.
fn check<C: Curve>(class: Class, all: &[Mutation]) {
    for one in all {
        let decodes = match class {
            Class::Scalar => C::decode_scalar(&one.bytes).is_some(),
            Class::Point => C::decode_point(&one.bytes).is_some(),
            _ => continue,
        };
        assert_eq!(decodes, one.kind == Kind::Valid, "{} of a {class:?}", one.name);
    }
}

fn mutation(name: &'static str, kind: Kind, bytes: Vec<u8>) -> Mutation {
    Mutation { name, kind, bytes }
}

fn scalars<C: Encoding>(value: &[u8]) -> Vec<Mutation> {
    use Kind::{Invalid, Valid};
    let scalar = C::decode_scalar(value).expect("the honest value");
    let encode = |scalar| C::encode_scalar(&scalar).as_ref().to_vec();
    // With its lowest bit flipped a scalar stays below the order, which is odd.
    let low = if is_big_endian::<C>() { value.len() - 1 } else { 0 };
    vec![
        mutation("zero", Valid, encode(0.into())),
        mutation("last bit", Valid, flipped(value, low)),
        mutation("plus one", Valid, encode(scalar + 1.into())),
        mutation("negative", Valid, encode(-scalar)),
        mutation("order", Invalid, order_plus::<C>(0)),
        mutation("largest", Invalid, vec![0xff; value.len()]),
    ]
}

fn points<C: Encoding>(value: &[u8]) -> Vec<Mutation> {
    use Kind::{Invalid, Longer, Valid};
    let point = C::decode_point(value).expect("the honest value");
    let generator = C::generator();
    let foreign = foreign_form::<C>(value);
    let foreign_kind = if foreign.len() == value.len() { Invalid } else { Longer };
    let tag = if C::FORM == Form::Sec1 { &value[..1] } else { &[0xff] };
    let largest = [tag, &vec![0xff; value.len() - 1]].concat();
    vec![
        mutation("identity", Invalid, identity::<C>()),
        mutation("off the curve", Invalid, flip_off_curve::<C>(value)),
        mutation("negative", Valid, encoded::<C>(&-point)),
        mutation("generator", Valid, encoded::<C>(&generator)),
        mutation("plus generator", Valid, encoded::<C>(&(point + generator))),
        mutation("bad tag", Invalid, bad_tag::<C>(value)),
        mutation("not canonical", Invalid, alias::<C>()),
        mutation("beyond the field", Invalid, largest),
        mutation("torsion or uncompressed", foreign_kind, foreign),
    ]
}

/// A party's number among the parties 1, 2 and 5; a second one of a list is for the lists.
fn identifiers<C: Curve>(value: &[u8]) -> Vec<Mutation> {
    use Kind::{Invalid, Unknown};
    let number = u16::from_be_bytes([value[0], value[1]]);
    let low = u16::try_from(C::ORDER[0] & 0xffff).expect("16 bits");
    let alias = low.wrapping_add(number).to_be_bytes().to_vec();
    vec![
        mutation("zero", Invalid, vec![0, 0]),
        mutation("unknown", Unknown, vec![0, 4]),
        mutation("greatest", Unknown, vec![255, 255]),
        mutation("alias modulo the order", Unknown, alias),
    ]
}

fn bytes(value: &[u8]) -> Vec<Mutation> {
    use Kind::{Longer, Shorter, Valid};
    let len = value.len();
    vec![
        mutation("first bit", Valid, flipped(value, 0)),
        mutation("last bit", Valid, flipped(value, len - 1)),
        mutation("zero", Valid, vec![0; len]),
        mutation("empty", Shorter, Vec::new()),
        mutation("short", Shorter, value[1..].to_vec()),
        mutation("long", Longer, [value, &[0]].concat()),
    ]
}

/// A big-endian number in `len` bytes.
fn padded(number: &[u8], len: usize) -> Vec<u8> {
    let skipped = number.len().saturating_sub(len);
    assert!(number[..skipped].iter().all(|byte| *byte == 0), "a number of that length");
    let number = &number[skipped..];
    [&vec![0; len - number.len()], number].concat()
}

fn units(value: &[u8], modulus: &[u8], factor: &[u8]) -> Vec<Mutation> {
    use Kind::{Invalid, Valid};
    let len = value.len();
    vec![
        mutation("zero", Invalid, vec![0; len]),
        mutation("one", Valid, padded(&[1], len)),
        mutation("modulus", Invalid, padded(modulus, len)),
        mutation("a factor", Invalid, padded(factor, len)),
        mutation("largest", Invalid, vec![0xff; len]),
        mutation("last bit", Valid, flipped(value, len - 1)),
    ]
}

fn exponents(value: &[u8], modulus: &[u8]) -> Vec<Mutation> {
    use Kind::{Invalid, Valid};
    let len = value.len();
    vec![
        mutation("zero", Valid, vec![0; len]),
        mutation("modulus", Invalid, padded(modulus, len)),
        mutation("largest", Invalid, vec![0xff; len]),
        mutation("last bit", Valid, flipped(value, len - 1)),
    ]
}

fn integers(value: &[u8]) -> Vec<Mutation> {
    use Kind::{Invalid, Valid};
    let len = value.len();
    let with = |sign: u8, first: u8, last: u8| {
        let mut bytes = vec![0; len];
        (bytes[0], bytes[1], bytes[len - 1]) = (sign, first, last);
        bytes
    };
    let sign = |byte: u8| [&[byte], &value[1..]].concat();
    vec![
        mutation("zero", Valid, with(0, 0, 0)),
        mutation("minus zero", Invalid, with(1, 0, 0)),
        mutation("bound", Valid, with(0, 0x80, 0)),
        mutation("beyond the bound", Invalid, with(0, 0x80, 1)),
        mutation("beyond the other bound", Invalid, with(1, 0x80, 1)),
        mutation("largest", Invalid, [&[0][..], &vec![0xff; len - 1]].concat()),
        mutation("other sign", Valid, sign(value[0] ^ 1)),
        mutation("no sign", Invalid, sign(2)),
        mutation("last bit", Valid, flipped(value, len - 1)),
    ]
}

fn numbers(value: &[u8]) -> Vec<Mutation> {
    vec![
        mutation("zero", Kind::Valid, vec![0; value.len()]),
        mutation("last bit", Kind::Valid, flipped(value, value.len() - 1)),
    ]
}
