//! Attacks on encodings, EN-01 to EN-07, where FROST types read them. EN-08 is about the curves.

use quorate::frost::ed448::Ed448Shake256;
use quorate::frost::generic::curve::Curve;
use quorate::frost::generic::{
    Commitments, DealError, Dealing, DealtShare, DecodeError, KeyShare, PublicKeyPackage,
    Signature, SignatureShare, SigningPackage, VerifyingKey,
};

use super::cheat::scalar_bytes;
use super::harness::Hostile;
use super::harness::{Key, id, parties, rng};
use quorate_testkit::encodings::{
    Encoding, Form, aliases, bad_tag, encoded, foreign_form, order_plus, point_len, scalar_alias,
    scalar_len,
};
use quorate_testkit::unhex;

fn scalars<S: Hostile>() {
    let key = Key::<S>::new(1);
    let package = key.sign(&[1, 5], b"m", 2).package;
    let refused = |bytes: &[u8], error: DecodeError| {
        assert_eq!(SignatureShare::from_parts(id(1), &package, bytes).unwrap_err(), error);
        assert_eq!(KeyShare::<S>::import(id(1), bytes, &key.public).unwrap_err(), error);
        let dealt = Dealing::<S>::import(bytes, 2, &parties([1, 2]), &mut rng(1));
        assert_eq!(dealt.unwrap_err(), DealError::BadKey);
        let r = Signature::<S>::from_bytes(&[encoded_r::<S>(), bytes.to_vec()].concat());
        assert_eq!(r.unwrap_err(), error);
    };
    for number in [0, 1, 2, 255] {
        refused(&order_plus::<S::Curve>(number), DecodeError::BadScalar);
    }
    refused(&vec![255; scalar_len::<S::Curve>()], DecodeError::BadScalar);
    let one = scalar_bytes::<S>(&1.into());
    if let Some(alias) = scalar_alias::<S::Curve>(&one) {
        assert_eq!(alias, order_plus::<S::Curve>(1));
    }
    refused(&one[1..], DecodeError::Truncated);
    refused(&[], DecodeError::Truncated);
    refused(&[&one[..], &[0]].concat(), DecodeError::TrailingBytes);
    // The greatest scalar is one.
    let greatest = scalar_bytes::<S>(&-quorate::frost::generic::Scalar::<S>::from(1));
    SignatureShare::from_parts(id(1), &package, &greatest).unwrap();
}

fn encoded_r<S: Hostile>() -> Vec<u8> {
    let g = S::Curve::encode_point(&S::Curve::generator());
    let signature = S::encode_signature(&g, &S::Curve::encode_scalar(&1.into()));
    let r = signature.as_ref().len() - scalar_len::<S::Curve>();
    signature.as_ref()[..r].to_vec()
}

#[test]
fn en_01_scalars_that_are_not_canonical() {
    quorate_testkit::for_every_suite!(scalars);
}

fn refused_point<S: Hostile>(bytes: &[u8]) {
    let key = VerifyingKey::<S>::from_bytes(bytes).unwrap_err();
    let g = encoded::<S::Curve>(&S::Curve::generator());
    let of = Key::<S>::new(1).public.package_id();
    let commitments = Commitments::<S>::from_parts(id(1), of, &g, bytes).unwrap_err();
    if bytes.len() == point_len::<S::Curve>() {
        assert_eq!((key, commitments), (DecodeError::BadPoint, DecodeError::BadPoint));
    } else {
        let (expected, got) = (point_len::<S::Curve>(), bytes.len());
        assert_eq!(key, DecodeError::WrongLength { expected, got });
        // An impossible tag is refused before the length is read.
        let expected = [DecodeError::BadPoint, DecodeError::Truncated, DecodeError::TrailingBytes];
        assert!(expected.contains(&commitments));
    }
    let all = parties([1, 2]);
    let package = PublicKeyPackage::<S>::from_parts(2, 0, all, bytes, &[&g, &g]);
    assert_eq!(package.unwrap_err(), DecodeError::BadPoint);
}

fn points<S: Hostile>() {
    let g = encoded::<S::Curve>(&S::Curve::generator());
    refused_point::<S>(&[]);
    refused_point::<S>(&g[1..]);
    refused_point::<S>(&g[..g.len() - 1]);
    refused_point::<S>(&[&g[..], &[0]].concat());
    refused_point::<S>(&foreign_form::<S::Curve>(&g));
    refused_point::<S>(&bad_tag::<S::Curve>(&g));
    if <S::Curve as Encoding>::FORM == Form::Sec1 {
        for tag in (0..=255).filter(|tag| ![2, 3].contains(tag)) {
            refused_point::<S>(&[&[tag], &g[1..]].concat());
        }
        for tag in [2, 3] {
            let uncompressed = [&[tag], &foreign_form::<S::Curve>(&g)[1..]].concat();
            refused_point::<S>(&uncompressed);
        }
    }
}

#[test]
fn en_02_points_in_other_forms() {
    quorate_testkit::for_every_suite!(points);
}

fn field_aliases<S: Hostile>() {
    for alias in aliases::<S::Curve>() {
        refused_point::<S>(&alias);
        let mut other = alias.clone();
        match <S::Curve as Encoding>::FORM {
            Form::Sec1 => other[0] = 3,
            Form::Edwards | Form::Ristretto => *other.last_mut().unwrap() |= 0x80,
        }
        refused_point::<S>(&other);
    }
}

#[test]
fn en_03_coordinates_that_are_not_canonical() {
    quorate_testkit::for_every_suite!(field_aliases);
}

#[test]
fn en_04_the_last_byte_of_ed448() {
    type S = Ed448Shake256;
    let key = Key::<S>::new(1);
    let signed = key.sign(&[1, 5], b"m", 2);
    let honest = key.public.aggregate(&signed.package, &signed.shares).unwrap().to_bytes();
    let point = key.public.verifying_key().as_bytes().as_ref().to_vec();
    for last in 1..=255u8 {
        let mut malleated = honest;
        malleated[113] = last;
        let read = Signature::<S>::from_bytes(&malleated);
        assert_eq!(read.unwrap_err(), DecodeError::BadScalar);
        // The top bit of a point is its sign; the other spare bits must be zero.
        if last & 0x7f != 0 {
            let mut alias = point.clone();
            alias[56] ^= last & 0x7f;
            refused_point::<S>(&alias);
        }
    }
    let above = unhex(&["00".repeat(55), "4000".into()].concat());
    let read = SignatureShare::from_parts(id(1), &signed.package, &above);
    assert_eq!(read.unwrap_err(), DecodeError::BadScalar, "2^446 is above the order");
}

fn one_encoding<S: Hostile>() {
    let key = Key::<S>::new(1);
    let signed = key.sign(&[1, 5], b"message", 3);
    let again = |bytes: Vec<u8>, decoded: Vec<u8>| assert_eq!(bytes, decoded);
    let bytes = key.shares[0].to_bytes().to_vec();
    again(
        bytes.clone(),
        KeyShare::<S>::from_bytes(&bytes, &key.public).unwrap().to_bytes().to_vec(),
    );
    let bytes = key.dealt[0].clone();
    again(bytes.clone(), DealtShare::<S>::from_bytes(&bytes).unwrap().to_bytes().to_vec());
    let bytes = key.public.to_bytes();
    again(bytes.clone(), PublicKeyPackage::<S>::from_bytes(&bytes).unwrap().to_bytes());
    let bytes = signed.package.to_bytes();
    again(bytes.clone(), SigningPackage::<S>::from_bytes(&bytes).unwrap().to_bytes());
    let bytes = signed.shares[0].to_bytes();
    again(bytes.clone(), SignatureShare::<S>::from_bytes(id(1), &bytes).unwrap().to_bytes());
    let bytes = signed.package.commitments_of(id(1)).unwrap().to_bytes();
    again(bytes.clone(), Commitments::<S>::from_bytes(id(1), &bytes).unwrap().to_bytes());
}

#[test]
fn en_05_numbers_have_one_encoding() {
    quorate_testkit::for_every_suite!(one_encoding);
}

fn greatest_numbers<S: Hostile>() {
    let numbers = [1, 255, 256, 65534, 65535];
    let key = Key::<S>::among(5, &parties(numbers), 1);
    let signed = key.sign(&numbers, b"m", 2);
    key.public.aggregate(&signed.package, &signed.shares).unwrap();
    for (dealt, number) in key.dealt.iter().zip(numbers) {
        assert_eq!(DealtShare::<S>::from_bytes(dealt).unwrap().id(), id(number));
    }
    // A list that claims 65535 entries is refused before room is made for them.
    let mut bytes = key.public.to_bytes();
    bytes[18..20].copy_from_slice(&[255; 2]);
    let bytes = super::harness::sealed_again::<S>(super::harness::undigested(&bytes));
    let opened = PublicKeyPackage::<S>::from_bytes(&bytes);
    assert_eq!(opened.unwrap_err(), DecodeError::Truncated);
}

#[test]
fn en_06_numbers_at_the_edge_of_sixteen_bits() {
    quorate_testkit::for_every_suite!(greatest_numbers);
    // The greatest possible set of parties.
    type S = quorate::frost::ed25519::Ed25519Sha512;
    let all = parties(1..=65535);
    let dealing = Dealing::<S>::new(2, &all, &mut rng(1)).unwrap();
    let last = dealing.shares.into_iter().next_back().unwrap();
    let last = DealtShare::<S>::from_bytes(&last.to_bytes()).unwrap();
    let last = last.accept(2, &dealing.public).unwrap();
    assert_eq!((last.id(), last.parties().len()), (id(65535), 65535));
}

fn order_and_duplicates<S: Hostile>() {
    let key = Key::<S>::new(1);
    let (_, sent) = key.commit(&[1, 2, 5], 3);
    // In whatever order commitments come, the package is one; as bytes it has one order only,
    // see the matrix. Trailing bytes are there too.
    let package = |order: [usize; 3]| {
        SigningPackage::new(&key.public, order.map(|at| sent[at]), b"m").unwrap()
    };
    let orders = [[0, 1, 2], [2, 1, 0], [1, 2, 0]].map(|order| package(order).to_bytes());
    assert!(orders.iter().all(|bytes| *bytes == orders[0]));
    let mut message_longer = super::harness::undigested(&orders[0]).to_vec();
    message_longer.extend(b"m");
    let message_longer = super::harness::sealed_again::<S>(&message_longer);
    let read = SigningPackage::<S>::from_bytes(&message_longer);
    assert_eq!(read.unwrap_err(), DecodeError::TrailingBytes);
}

#[test]
fn en_07_order_duplicates_and_trailing_bytes() {
    quorate_testkit::for_every_suite!(order_and_duplicates);
}
