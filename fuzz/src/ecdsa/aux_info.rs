//! Stored auxiliary information.

use std::sync::{Arc, OnceLock};

use num_bigint::BigUint;
use quorate_bignum::Modulus;
use quorate_cggmp::{AuxInfo, AuxPublic, Presign, PresignParams, Secp256k1};
use quorate_frost::session::{Parties, Session, SessionId};
use quorate_testkit::fixtures;

use super::fixture::{DIGEST, LEVEL, Suite, aux, ended};
use super::forms::{form, strict};
use crate::fixture::rng;
use crate::input::Input;

/// Flag: accepted information is put to use, which takes time.
const USE: u8 = 0x80;
/// Flag: a modulus of the public form is replaced.
pub(super) const MODULI: u8 = 0x40;

/// The first byte: what it is, and in the bits above how it is made.
pub(crate) fn check(data: &[u8]) -> bool {
    let mut input = Input::new(data);
    let what = input.byte();
    if what & 1 == 0 { public(what, &mut input) } else { secret(what, &mut input) }
}

fn public(what: u8, input: &mut Input<'_>) -> bool {
    let honest = aux()[0].public();
    let bytes = match what & MODULI {
        0 => form(what >> 1, input, honest_public()),
        _ => ended(moduli(input)),
    };
    let decode = |bytes: &[u8]| AuxPublic::from_bytes(LEVEL, bytes);
    let Some(public) = strict(&bytes, decode, AuxPublic::to_bytes) else { return false };
    check_public(&public);
    assert_eq!(public.digest() == honest.digest(), bytes == honest_public());
    true
}

fn secret(what: u8, input: &mut Input<'_>) -> bool {
    let bytes = form(what >> 1, input, honest_secret());
    let decode = |bytes: &[u8]| AuxInfo::from_bytes(LEVEL, bytes);
    let Some(info) = strict(&bytes, decode, |info| info.to_bytes().to_vec()) else { return false };
    check_public(info.public());
    let party = info.id();
    assert!(info.parties().contains(party));
    // The same primes make the same moduli, whatever else was altered.
    let own = info.public().encryption_key(party).map(|key| key.to_bytes());
    assert!(own == aux()[0].public().encryption_key(aux()[0].id()).map(|key| key.to_bytes()));
    if what & USE != 0 {
        presigns(info);
    }
    true
}

/// A party whose peers' moduli are anything takes part in the first round without a panic.
fn presigns(info: AuxInfo) {
    let shares = &Secp256k1::fixture().shares;
    let me = info.id();
    let Some(share) = shares.iter().find(|share| share.id() == me) else { return };
    let others = info.parties().iter().filter(|party| *party != me && party.get() <= 3);
    let Ok(signers) = Parties::new([me].into_iter().chain(others)) else { return };
    let params = PresignParams::new(Arc::clone(share), Arc::new(info));
    let sid = SessionId::new([30; 32]);
    // A party that is alone cannot sign.
    Session::<Presign<Secp256k1>>::start(sid, me, &signers, params, &mut rng(4)).ok();
}

/// The honest public form with one modulus replaced by a product of two primes of the fixtures,
/// which others have as factors.
fn moduli(input: &mut Input<'_>) -> Vec<u8> {
    let mut bytes = honest_public()[..honest_public().len() - DIGEST].to_vec();
    let each = 4 * LEVEL.modulus_bytes();
    let (party, is_setup) = (input.below(3), input.byte() & 1);
    let at = bytes.len() - (3 - party) * each + usize::from(is_setup) * LEVEL.modulus_bytes();
    let mut prime = || {
        let (index, which) = (input.below(fixtures::PARTIES), input.byte());
        let pair = match which & 2 {
            0 => fixtures::paillier_primes(LEVEL, index),
            _ => fixtures::pedersen_primes(LEVEL, index),
        };
        let [first, second] = pair;
        if which & 1 == 0 { first } else { second }
    };
    let (p, q) = (prime(), prime());
    let product = p.mul(&q).declassify();
    let product = product.to_be_bytes(LEVEL.modulus_bytes()).expect("of its length");
    bytes[at..at + product.len()].copy_from_slice(&product);
    bytes
}

/// Checks with another library that no two moduli have a common factor.
fn check_moduli(public: &AuxPublic) {
    let number = |modulus: &Modulus| {
        let bytes = modulus.value().to_be_bytes(LEVEL.modulus_bytes()).expect("of its length");
        BigUint::from_bytes_be(&bytes)
    };
    let mut before = BigUint::from(1u8);
    for party in public.parties().iter() {
        let (key, setup) = (public.encryption_key(party), public.pedersen(party));
        for modulus in [key.map(|key| key.modulus()), setup.map(|setup| setup.modulus())] {
            let modulus = number(modulus.expect("everybody has both"));
            assert!(gcd(before.clone(), modulus.clone()) == one(), "moduli that share a factor");
            before *= modulus;
        }
    }
}

fn one() -> BigUint {
    BigUint::from(1u8)
}

fn gcd(mut a: BigUint, mut b: BigUint) -> BigUint {
    while b != BigUint::ZERO {
        (a, b) = (b.clone(), a % b);
    }
    a
}

fn check_public(public: &AuxPublic) {
    assert_eq!(public.level(), LEVEL);
    check_moduli(public);
    for party in public.parties().iter() {
        assert!(public.encryption_key(party).is_some() && public.pedersen(party).is_some());
    }
}

pub(super) fn honest_public() -> &'static [u8] {
    static HONEST: OnceLock<Vec<u8>> = OnceLock::new();
    HONEST.get_or_init(|| aux()[0].public().to_bytes())
}

pub(super) fn honest_secret() -> &'static [u8] {
    static HONEST: OnceLock<Vec<u8>> = OnceLock::new();
    HONEST.get_or_init(|| aux()[0].to_bytes().to_vec())
}
