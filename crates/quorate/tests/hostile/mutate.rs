//! The mutations: for every class of field all its wrong values, for every message all its
//! fields.

use core::ops::Range;

use quorate::frost::generic::curve::Curve;

use super::encodings::{
    Hostile, alias, bad_tag, encoded, flip_off_curve, foreign_form, identity, order_plus,
};

/// What a field holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Scalar,
    Point,
    /// A party's number.
    Id,
    /// Bytes without structure: a digest.
    Digest,
}

/// What became of the field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// It decodes, to another value.
    Valid,
    /// It has the right length and must not decode.
    Invalid,
    /// It is a number that no party of the key has.
    Unknown,
    Longer,
    Shorter,
}

/// One value to put in a field's place.
pub struct Mutation {
    pub name: &'static str,
    pub kind: Kind,
    pub bytes: Vec<u8>,
}

/// A field of a message: where its bytes are.
#[derive(Clone)]
pub struct Field {
    pub name: &'static str,
    pub class: Class,
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
pub struct Case {
    pub field: &'static str,
    pub class: Class,
    pub mutation: &'static str,
    pub kind: Kind,
    /// The whole message.
    pub bytes: Vec<u8>,
}

/// Every mutation of every field of a message; the other two messages have the same layout.
pub fn cases<S: Hostile>(
    fields: &[Field],
    message: &[u8],
    other_party: &[u8],
    other_session: &[u8],
) -> Vec<Case> {
    let mut cases = Vec::new();
    for Field { name, class, at } in fields {
        let value = &message[at.clone()];
        let others = [&other_party[at.clone()], &other_session[at.clone()]];
        let mutations = match class {
            Class::Scalar => scalars::<S>(value, others),
            Class::Point => points::<S>(value, others),
            Class::Id => identifiers::<S>(value, others[0]),
            Class::Digest => digests(value, others[1]),
        };
        cases.extend(mutations.into_iter().map(|Mutation { name: mutation, kind, bytes }| Case {
            field: name,
            class: *class,
            mutation,
            kind,
            bytes: splice(message, at.clone(), &bytes),
        }));
    }
    cases
}

/// The message with other bytes at one place.
pub fn splice(message: &[u8], at: Range<usize>, with: &[u8]) -> Vec<u8> {
    [&message[..at.start], with, &message[at.end..]].concat()
}

fn mutation(name: &'static str, kind: Kind, bytes: Vec<u8>) -> Mutation {
    Mutation { name, kind, bytes }
}

/// The eight mutations of a scalar.
pub fn scalars<S: Hostile>(value: &[u8], [party, session]: [&[u8]; 2]) -> Vec<Mutation> {
    use Kind::{Invalid, Valid};
    let scalar = S::Curve::decode_scalar(value).expect("the honest value");
    let encode = |scalar| S::Curve::encode_scalar(&scalar).as_ref().to_vec();
    let mut flipped = value.to_vec();
    // The lowest bit: the result stays below the order, which is odd.
    let low = if super::encodings::is_big_endian::<S>() { value.len() - 1 } else { 0 };
    flipped[low] ^= 1;
    let mutations = vec![
        mutation("zero", Valid, encode(0.into())),
        mutation("bit flip", Valid, flipped),
        mutation("plus one", Valid, encode(scalar + 1.into())),
        mutation("the order", Invalid, order_plus::<S>(0)),
        mutation("negated", Valid, encode(-scalar)),
        mutation("all ones", Invalid, vec![255; value.len()]),
        mutation("other session's", Valid, session.to_vec()),
        mutation("other party's", Valid, party.to_vec()),
    ];
    for one in &mutations {
        let decoded = S::Curve::decode_scalar(&one.bytes);
        assert_eq!(decoded.is_some(), one.kind == Valid, "{} of a scalar", one.name);
        assert!(one.bytes != value, "{} changes nothing", one.name);
    }
    mutations
}

/// The nine mutations of a point.
pub fn points<S: Hostile>(value: &[u8], [party, session]: [&[u8]; 2]) -> Vec<Mutation> {
    use Kind::{Invalid, Longer, Valid};
    let point = S::Curve::decode_point(value).expect("the honest value");
    let foreign = foreign_form::<S>(value);
    let foreign_kind = if foreign.len() == value.len() { Invalid } else { Longer };
    let mutations = vec![
        mutation("identity", Invalid, identity::<S>()),
        mutation("bit flip", Invalid, flip_off_curve::<S>(value)),
        mutation("negated", Valid, encoded::<S>(&-point)),
        mutation("other party's", Valid, party.to_vec()),
        mutation("other session's", Valid, session.to_vec()),
        mutation("not canonical", Invalid, alias::<S>()),
        mutation("bad tag", Invalid, bad_tag::<S>(value)),
        mutation("torsion or uncompressed", foreign_kind, foreign),
        mutation("generator", Valid, encoded::<S>(&S::Curve::generator())),
    ];
    for one in &mutations {
        let decoded = S::Curve::decode_point(&one.bytes);
        assert_eq!(decoded.is_some(), one.kind == Valid, "{} of a point", one.name);
        assert!(one.bytes != value, "{} changes nothing", one.name);
    }
    mutations
}

/// The five mutations of a party's number among the parties 1, 2 and 5; a second one of a list is
/// for the lists.
fn identifiers<S: Hostile>(value: &[u8], party: &[u8]) -> Vec<Mutation> {
    use Kind::{Invalid, Unknown, Valid};
    let id = u16::from_be_bytes([value[0], value[1]]);
    let low = u16::try_from(S::Curve::ORDER[0] & 0xffff).unwrap();
    let mutations = vec![
        mutation("zero", Invalid, vec![0, 0]),
        mutation("unknown", Unknown, vec![0, 4]),
        mutation("greatest", Unknown, vec![255, 255]),
        mutation("alias modulo the order", Unknown, low.wrapping_add(id).to_be_bytes().to_vec()),
        mutation("other party's", Valid, party.to_vec()),
    ];
    assert!(mutations.iter().all(|one| one.bytes != value));
    mutations
}

/// The five mutations of a digest that is the same at all parties.
fn digests(value: &[u8], session: &[u8]) -> Vec<Mutation> {
    let mut flipped = value.to_vec();
    flipped[value.len() / 2] ^= 0x10;
    vec![
        mutation("bit flip", Kind::Valid, flipped),
        mutation("empty", Kind::Shorter, Vec::new()),
        mutation("short", Kind::Shorter, value[1..].to_vec()),
        mutation("long", Kind::Longer, [value, &[0]].concat()),
        mutation("other session's", Kind::Valid, session.to_vec()),
    ]
}
