//! Inputs that differ from valid ones in one respect that a decoder has to look at.

use quorate_cggmp::{P256, Secp256k1};

use super::{ALTERED, body, what};
use crate::CURVES;
use crate::ecdsa::aux_info::{MODULI, honest_public};
use crate::ecdsa::fixture::Suite;
use crate::fixture::id;
use crate::seeds::Seed;

/// Neighbours exchanged.
const EXCHANGED: u8 = 4;
/// Bytes of a point.
const POINT: usize = 33;

pub(crate) fn all() -> Vec<Seed> {
    let [a, b] = CURVES;
    let mut seeds = of::<Secp256k1>("secp256k1", a);
    seeds.extend(of::<P256>("p256", b));
    seeds.extend(aux_info());
    seeds
}

fn of<C: Suite>(curve: &str, selector: u8) -> Vec<Seed> {
    let mut seeds = Vec::new();
    let mut add = |target, part: &str, bytes: &[&[u8]]| {
        let bytes = [[selector].as_slice(), &bytes.concat()].concat();
        seeds.push(Seed { target, name: format!("{curve}_{part}"), bytes });
    };
    let share = &C::fixture().shares[0];
    let three = parties_exchanged(&share.public().to_bytes(), &[1, 2, 3]);
    add("ecdsa_key", "info_order", &[&what(1, 4, EXCHANGED), &three]);
    let made = &C::fixture().presignatures[0];
    let (stored, info) = (&made.stored[&id(1)], made.info.to_bytes());
    let two = parties_exchanged(stored, &[1, 2]);
    add("ecdsa_presignature", "one_order", &[&what(0, 4, EXCHANGED), &two]);
    let two = parties_exchanged(&info, &[1, 2]);
    add("ecdsa_presignature", "info_order", &[&what(1, 4, EXCHANGED), &two]);
    // Δ̃ and S̃ of the second signer, another point each.
    for (part, from_end) in [("info_k", 2), ("info_chi", 1)] {
        let at = body(&info).len() - from_end * POINT;
        let other = another_point::<C>(&info, at);
        add("ecdsa_presignature", part, &[&what(1, 4, ALTERED), &other]);
    }
    seeds
}

/// The exchange of the first two of a list of parties.
fn parties_exchanged(form: &[u8], parties: &[u16]) -> [u8; 3] {
    let list: Vec<u8> = parties.iter().flat_map(|party| party.to_be_bytes()).collect();
    let at = body(form).windows(list.len()).position(|window| window == list);
    let at = u16::try_from(at.expect("parties")).expect("short").to_be_bytes();
    [at[0], at[1], 2]
}

/// The change of the last byte of the point that begins there, into that of another point.
fn another_point<C: Suite>(form: &[u8], at: usize) -> [u8; 3] {
    let is_point = |change: &u8| {
        let mut point = form[at..at + POINT].to_vec();
        point[POINT - 1] ^= change;
        C::is_key(&point)
    };
    let change = (1..=255).find(is_point).expect("every other one");
    let last = u16::try_from(at + POINT - 1).expect("short").to_be_bytes();
    [last[0], last[1], change]
}

/// The modulus of party 2 that is made of primes of others, see `aux_info.rs`.
const MADE: [(&str, [u8; 6]); 3] = [
    // That of party 1.
    ("moduli_equal", [1, 0, 0, 0, 0, 1]),
    // One prime of party 1, one of nobody.
    ("moduli_share", [1, 0, 0, 0, 4, 0]),
    // One prime of the setup of party 1.
    ("moduli_setup", [1, 0, 0, 2, 4, 0]),
];

fn aux_info() -> Vec<Seed> {
    let seed = |name: &str, bytes: &[&[u8]]| Seed {
        target: "ecdsa_aux_info",
        name: name.into(),
        bytes: bytes.concat(),
    };
    let mut seeds: Vec<_> =
        MADE.iter().map(|(name, made)| seed(name, &[&[MODULI], made])).collect();
    let order = parties_exchanged(honest_public(), &[1, 2, 3]);
    seeds.push(seed("public_order", &[&what(0, 2, EXCHANGED), &order]));
    seeds
}
