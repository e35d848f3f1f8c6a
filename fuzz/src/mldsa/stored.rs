//! Stored forms of shares and of public packages.

use std::sync::OnceLock;

use quorate_mldsa::session::container::{DIGEST, Kind, Label, NO_CURVE};
use quorate_mldsa::{Dealing, KeyShare, PublicKeyPackage};

use super::fixture::LEVEL;
use crate::decoders::strict;
use crate::fixture::{parties, rng};
use crate::input::Input;

/// The stored forms of a share and of its package, of two of three.
pub(crate) fn forms() -> &'static [Vec<u8>; 2] {
    static FORMS: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
    FORMS.get_or_init(|| {
        let dealt = Dealing::new(LEVEL, 2, &parties(), &mut rng(50)).expect("2 of 3");
        let forms = [dealt.shares[1].to_bytes().to_vec(), dealt.public.to_bytes()];
        for (form, kind) in forms.iter().zip(0..) {
            assert_eq!(ended(kind, form[..form.len() - DIGEST].to_vec()), *form);
        }
        forms
    })
}

/// A form with the digest that fits.
fn ended(kind: usize, mut bytes: Vec<u8>) -> Vec<u8> {
    let (code, version) = (forms_code(kind), forms_version(&bytes));
    let kind = Kind { code, name: "a form", version };
    let label =
        Label { kind, curve: NO_CURVE, family: "quorate-mldsa ML-DSA-44 v1", family_code: 44 };
    label.end(&mut bytes);
    bytes
}

const fn forms_code(kind: usize) -> u8 {
    if kind == 0 { 113 } else { 112 }
}

/// The version that a header says.
fn forms_version(bytes: &[u8]) -> u8 {
    bytes.get(4).copied().unwrap_or_default()
}

/// Which form; how it is made: as it is, all but the digest, altered, with a piece replaced, with pieces exchanged.
pub(crate) fn check(data: &[u8]) -> bool {
    let mut input = Input::new(data);
    let kind = input.below(2);
    let honest = &forms()[kind];
    let mut body = honest[..honest.len() - DIGEST].to_vec();
    let bytes = match input.byte() % 5 {
        0 => input.bytes(usize::MAX).to_vec(),
        1 => ended(kind, input.bytes(usize::MAX).to_vec()),
        2 => {
            for _ in 0..8 {
                let at = usize::from(input.pair()) % body.len();
                body[at] ^= input.byte();
            }
            ended(kind, body)
        }
        3 => {
            let at = usize::from(input.pair()) % body.len();
            let length = usize::from(input.pair()) % (body.len() - at + 1);
            ended(kind, [&body[..at], input.bytes(usize::MAX), &body[at + length..]].concat())
        }
        _ => {
            let at = usize::from(input.pair()) % body.len();
            let length = usize::from(input.pair()).min((body.len() - at) / 2);
            let (first, second) = body[at..at + 2 * length].split_at_mut(length);
            first.swap_with_slice(second);
            ended(kind, body)
        }
    };
    if kind == 0 { share(&bytes) } else { package(&bytes) }
}

/// A share that is read has the seeds of its package's values.
fn share(bytes: &[u8]) -> bool {
    let encode = |share: &KeyShare| share.to_bytes().to_vec();
    let decode = |bytes: &[u8]| KeyShare::from_bytes(LEVEL, bytes);
    let Some(share) = strict(bytes, decode, encode) else { return false };
    assert!(share.public().parties().contains(share.id()));
    assert!(package(&share.public().to_bytes()));
    true
}

fn package(bytes: &[u8]) -> bool {
    let decode = |bytes: &[u8]| PublicKeyPackage::from_bytes(LEVEL, bytes);
    let Some(found) = strict(bytes, decode, PublicKeyPackage::to_bytes) else { return false };
    let honest = PublicKeyPackage::from_bytes(LEVEL, &forms()[1]).expect("just made");
    assert_eq!(found.digest() == honest.digest(), found == honest);
    assert!((2..=6).contains(&found.parties().len()) && found.attempts() > 0);
    assert!((2..=found.parties().len()).contains(&usize::from(found.threshold())));
    true
}
