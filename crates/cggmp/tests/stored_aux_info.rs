//! A stored form of auxiliary information that an attacker has altered, with a digest that fits: every check that opening
//! makes, and the changes that no check finds.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "a test that fails stops"
)]

use quorate_bignum::{Engine, Natural};
use quorate_cggmp::{AuxInfo, DecodeError};
use quorate_paillier::{Error, Level};
use quorate_session::PartyId;
use quorate_session::container::{ContainerError, HEADER, Kind, Label, NO_CURVE};
use quorate_testkit::fixtures;

/// The code is the same at every level.
const FAST: Level = Level::Toy;
const NUMBERS: [u16; 3] = [2, 7, 40];
const LABEL: Label = Label {
    kind: Kind { code: 35, name: "auxiliary information", version: 1 },
    curve: NO_CURVE,
    family: "moduli of another length",
    family_code: 0x80 | FAST.code(),
};
/// Bytes of a number.
const SIZE: usize = FAST.modulus_bytes();
/// header ‖ set of proofs ‖ confirmed ‖ party.
const PARTIES: usize = HEADER + 4;
/// number of parties ‖ parties ‖ rid.
const NUMBERS_AT: usize = PARTIES + 2 + 2 * NUMBERS.len() + 32;
/// length ‖ version ‖ level ‖ N ‖ p ‖ q.
const KEY_AT: usize = NUMBERS_AT + NUMBERS.len() * 4 * SIZE;
/// length ‖ version ‖ level ‖ N̂ ‖ s ‖ t ‖ p̂ ‖ q̂ ‖ λ.
const SETUP_AT: usize = KEY_AT + 6 + 2 * SIZE;

/// Where a number of a party begins: N, N̂, s, t.
const fn at(place: usize, number: usize) -> usize {
    NUMBERS_AT + (4 * place + number) * SIZE
}

/// The stored form of a party, from the primes of the fixtures.
fn stored_by(place: usize) -> Vec<u8> {
    let engine = Engine::detect();
    let mut rng = quorate_testkit::rng(1);
    let keys = [0, 1, 2].map(|index| fixtures::decryption_key(&engine, FAST, index).unwrap());
    let setups =
        [0, 1, 2].map(|index| fixtures::pedersen_trapdoor(&engine, FAST, index, &mut rng).unwrap());
    // The set of proofs, and that all have confirmed it.
    let mut bytes = LABEL.start(0).to_vec();
    bytes.extend([&[1, 1][..], &NUMBERS[place].to_be_bytes(), &[0, 3]].concat());
    bytes.extend(NUMBERS.iter().flat_map(|number| number.to_be_bytes()));
    bytes.extend([8; 32]);
    for (key, setup) in keys.iter().zip(&setups) {
        bytes.extend([key.encryption_key().to_bytes(), setup.pedersen().to_bytes()].concat());
    }
    for secret in [keys[place].to_secret_bytes(), setups[place].to_secret_bytes()] {
        bytes.extend(u32::try_from(secret.len()).unwrap().to_be_bytes());
        bytes.extend_from_slice(&secret);
    }
    bytes.extend([0; 32]);
    resealed(&bytes)
}

fn stored() -> Vec<u8> {
    stored_by(1)
}

/// With the digest that belongs to the body.
fn resealed(bytes: &[u8]) -> Vec<u8> {
    LABEL.altered(bytes, |_| {})
}

fn open(bytes: &[u8]) -> Result<[u8; 32], DecodeError> {
    AuxInfo::from_bytes(FAST, &resealed(bytes)).map(|info| info.digest())
}

/// Opens it with other bytes there.
fn with(at: usize, bytes: &[u8]) -> Result<[u8; 32], DecodeError> {
    let mut stored = stored();
    stored[at..at + bytes.len()].copy_from_slice(bytes);
    open(&stored)
}

fn number(place: usize, number: usize) -> Natural {
    Natural::from_be_bytes(&stored()[at(place, number)..][..SIZE])
}

fn bytes(number: &Natural) -> Vec<u8> {
    number.to_be_bytes(SIZE).unwrap()
}

fn refused(why: Error) -> Result<[u8; 32], DecodeError> {
    Err(DecodeError::Numbers(why))
}

#[test]
fn other_digest_or_set_of_proofs() {
    let mut damaged = stored();
    damaged[NUMBERS_AT] ^= 1;
    let found = AuxInfo::from_bytes(FAST, &damaged).map(|_| ());
    assert_eq!(found, Err(DecodeError::Container(ContainerError::Damaged)));
    for found in [0, 2] {
        let other = DecodeError::OtherProofs { expected: 1, found };
        assert_eq!(with(HEADER, &[found]), Err(other));
    }
    assert_eq!(with(HEADER + 1, &[2]), Err(DecodeError::BadFlag(2)));
}

#[test]
fn lists_of_other_parties_are_refused() {
    let [one, two, three] = NUMBERS.map(u16::to_be_bytes);
    assert_eq!(with(PARTIES, &[0, 3]), open(&stored()));
    assert_eq!(with(PARTIES + 2, &[two, one, three].concat()), Err(DecodeError::BadOrder));
    assert_eq!(with(PARTIES + 2, &[one, one, three].concat()), Err(DecodeError::BadOrder));
    assert_eq!(with(PARTIES, &[0, 1]), Err(DecodeError::BadParties { got: 1 }));
    let other = Err(DecodeError::Inconsistent("the secrets are not those of the party's moduli"));
    // Another party's, and a party that is none of them.
    assert_eq!(with(HEADER + 2, &one), other);
    assert_eq!(with(HEADER + 2, &[0x7f, 0xff]), other);
}

/// Length and parity of N and N̂.
#[test]
fn moduli_of_another_form() {
    for place in [0, 1, 2] {
        for which in [0, 1] {
            let n = number(place, which);
            let even = n.checked_sub(&Natural::one()).unwrap();
            assert_eq!(with(at(place, which), &bytes(&even)), refused(Error::Modulus));
            let mut short = bytes(&n);
            short[0] &= 0x7f;
            // s and t may be too large for it.
            for value in [&short[..], &[0; SIZE]] {
                let found = with(at(place, which), value);
                let wrong = [Error::Modulus, Error::OutOfRange].map(refused);
                assert!(found == wrong[0] || which == 1 && found == wrong[1], "{found:?}");
            }
        }
    }
}

/// s and t: below N̂, units, not 1, −1 or equal.
#[test]
fn bases_of_another_form() {
    let setup = number(2, 1);
    // The third party's own prime.
    let [p, _] = fixtures::pedersen_primes(FAST, 2);
    let no_unit = p.declassify();
    for which in [2, 3] {
        let other = number(2, 5 - which);
        for (value, why) in [
            (Natural::zero(), Error::OutOfRange),
            (setup.clone(), Error::OutOfRange),
            (no_unit.clone(), Error::NotUnit),
            (Natural::one(), Error::TrivialBase),
            (setup.checked_sub(&Natural::one()).unwrap(), Error::TrivialBase),
            (other, Error::TrivialBase),
        ] {
            assert_eq!(with(at(2, which), &bytes(&value)), refused(why), "{which}");
        }
    }
}

/// No two of all N and N̂ have a factor in common, be it all or one prime.
#[test]
fn moduli_that_share_a_factor() {
    let shared = Err(DecodeError::Inconsistent("two of the moduli share a factor"));
    let [p, _] = fixtures::paillier_primes(FAST, 0);
    let [p_hat, _] = fixtures::pedersen_primes(FAST, 1);
    // A prime of none of the parties.
    let [r, _] = fixtures::paillier_primes(FAST, 4);
    let product = |prime: &quorate_bignum::SecretNatural| prime.mul(&r).declassify();
    for value in [number(0, 0), number(1, 1), product(&p), product(&p_hat)] {
        assert_eq!(with(at(2, 0), &bytes(&value)), shared);
    }
}

/// A party's secrets are those of its own moduli, and belong together.
#[test]
fn secrets_of_other_moduli_are_refused() {
    let alter = |at: usize| with(at, &[stored()[at] ^ 1]);
    // Versions, primes and λ of the key and the setup.
    assert_eq!(alter(KEY_AT + 4), refused(Error::Version));
    assert_eq!(alter(SETUP_AT + 4), refused(Error::Version));
    assert_eq!(alter(KEY_AT + 6 + SIZE + SIZE / 4), refused(Error::Inconsistent));
    assert_eq!(alter(SETUP_AT + 6 + 3 * SIZE + SIZE / 4), refused(Error::Inconsistent));
    assert_eq!(alter(SETUP_AT + 6 + 5 * SIZE - 1), refused(Error::Inconsistent));
    assert_eq!(with(SETUP_AT + 6 + 4 * SIZE, &[0xff; SIZE]), refused(Error::OutOfRange));
    // Those of another party, whole.
    let (own, theirs) = (stored(), stored_by(2));
    let other = Err(DecodeError::Inconsistent("the secrets are not those of the party's moduli"));
    let end = own.len() - 32;
    assert_eq!(open(&[&own[..KEY_AT], &theirs[KEY_AT..]].concat()), other);
    let key = [&own[..KEY_AT], &theirs[KEY_AT..SETUP_AT], &own[SETUP_AT..]].concat();
    assert_eq!((open(&key), end), (other, SETUP_AT + 6 + 5 * SIZE));
}

/// A peer's modulus that was not proved has the right form, and is accepted: the proofs are not in the stored form. The
/// digest differs, so no honest peer presigns with a party that uses it.
#[test]
fn what_no_check_sees() {
    let unproved = number(2, 0).checked_sub(&Natural::from(2)).unwrap();
    let honest = open(&stored()).unwrap();
    let mut altered = stored();
    altered[at(2, 0)..][..SIZE].copy_from_slice(&bytes(&unproved));
    let opened = AuxInfo::from_bytes(FAST, &resealed(&altered)).unwrap();
    assert_eq!(
        opened.public().encryption_key(PartyId::new(NUMBERS[2]).unwrap()).unwrap().to_bytes(),
        bytes(&unproved)
    );
    assert_ne!(opened.digest(), honest);
}
