//! Cheating provers: parties that deviate from the protocol and hide it as well as can be.

use quorate::frost::generic::curve::{Curve, random_nonzero_scalar};
use quorate::frost::generic::hash::SuiteHash;
use quorate::frost::generic::{Ciphersuite, Scalar};
use quorate::session::Round;
use quorate::session::sim::Delivery;
use quorate::{Parties, PartyId};

use super::dkg::{BODY, CONTEXT, ECHO, Frames, KeyReport, echo, keygen_among};
use super::harness::{MUTATOR, id, rng};
use quorate_testkit::encodings::encoded;

pub fn scalar_bytes<S: Ciphersuite>(scalar: &Scalar<S>) -> Vec<u8> {
    S::Curve::encode_scalar(scalar).as_ref().to_vec()
}

/// A random polynomial of this many coefficients.
pub fn polynomial<S: Ciphersuite>(coefficients: usize, seed: u64) -> Vec<Scalar<S>> {
    let mut rng = rng(seed);
    (0..coefficients).map(|_| random_nonzero_scalar::<S::Curve>(&mut rng).unwrap()).collect()
}

/// The polynomial's value at a party's number.
pub fn evaluate<S: Ciphersuite>(polynomial: &[Scalar<S>], at: PartyId) -> Scalar<S> {
    let x = Scalar::<S>::from(u64::from(at.get()));
    polynomial.iter().rev().fold(Scalar::<S>::default(), |sum, one| sum * x + *one)
}

/// The challenge of a proof of possession, as the key generation defines it.
pub fn challenge<S: Ciphersuite>(
    context: &[u8],
    prover: PartyId,
    key: &[u8],
    r: &[u8],
) -> Scalar<S> {
    let mut hash = S::Hash::new(S::CONTEXT, "dkg");
    let place = scalar_bytes::<S>(&u64::from(prover.get()).into());
    [context, &place, key, r].into_iter().for_each(|part| hash.update(part));
    hash.finish::<S::Curve>()
}

/// A proof of possession of a scalar, R ‖ z.
pub fn prove<S: Ciphersuite>(context: &[u8], prover: PartyId, secret: &Scalar<S>) -> Vec<u8> {
    let k = random_nonzero_scalar::<S::Curve>(&mut rng(77)).unwrap();
    let r = encoded::<S::Curve>(&S::Curve::mul_base(&k));
    let key = encoded::<S::Curve>(&S::Curve::mul_base(secret));
    let z = k + challenge::<S>(context, prover, &key, &r) * *secret;
    [r, scalar_bytes::<S>(&z)].concat()
}

/// The commitment to a polynomial.
pub fn commitment<S: Ciphersuite>(polynomial: &[Scalar<S>]) -> Vec<u8> {
    polynomial.iter().flat_map(|one| encoded::<S::Curve>(&S::Curve::mul_base(one))).collect()
}

/// The body of round 1, given the context and the others' bodies.
pub type Announce<'a> = &'a dyn Fn(&[u8], &[(PartyId, Vec<u8>)]) -> Vec<u8>;

/// A dealer under the mutator's name that announces and deals what it likes. Its echo always agrees
/// with its announcement, and it confirms whatever the others confirm.
pub struct Dealer<'a> {
    pub announcement: Announce<'a>,
    /// The body of round 2 for each party.
    pub share: &'a dyn Fn(PartyId) -> Vec<u8>,
}

/// Runs a key generation in which party 2 is such a dealer.
pub fn run<S: Ciphersuite>(
    threshold: u16,
    parties: &Parties,
    sid: u8,
    dealer: &Dealer<'_>,
) -> KeyReport<S> {
    let first = bodies::<S>(threshold, parties, sid);
    let mut mine = Vec::new();
    keygen_among::<S>(threshold, parties, sid, |mut one| {
        let round = one.round.get();
        if one.from != id(MUTATOR) {
            return if round == 3 { confirmed_too(one) } else { vec![one] };
        }
        let context = one.bytes[CONTEXT].to_vec();
        match round {
            1 => {
                mine = (dealer.announcement)(&context, &first);
                one.bytes.truncate(BODY[0]);
                one.bytes.extend(&mine);
            }
            2 => {
                let mut all: Vec<_> = first.clone();
                all.push((id(MUTATOR), mine.clone()));
                all.sort_unstable();
                let all: Vec<_> = all.into_iter().map(|(_, body)| body).collect();
                one.bytes[ECHO].copy_from_slice(&echo(&context, &all));
                one.bytes.truncate(BODY[1]);
                one.bytes.extend((dealer.share)(one.to));
            }
            // The mutator's own session does not know of the dealer's messages, so its confirmation is not sent.
            _ => return vec![],
        }
        vec![one]
    })
}

/// Rushing: the messages that the others will send in round 1 of this run.
fn bodies<S: Ciphersuite>(threshold: u16, parties: &Parties, sid: u8) -> Vec<(PartyId, Vec<u8>)> {
    let mut first = std::collections::BTreeMap::new();
    let report = keygen_among::<S>(threshold, parties, sid, |one| {
        if one.from != id(MUTATOR) {
            first.entry(one.from).or_insert_with(|| one.bytes[BODY[0]..].to_vec());
        }
        vec![one]
    });
    assert_eq!(report.results.len(), parties.len());
    first.into_iter().collect()
}

/// An honest party's confirmation, and the same in the mutator's name.
fn confirmed_too(one: Delivery) -> Frames {
    let mut forged = one.clone();
    forged.from = id(MUTATOR);
    forged.bytes[3..5].copy_from_slice(&MUTATOR.to_be_bytes());
    assert_eq!(one.round, Round(3));
    if one.to == id(MUTATOR) { vec![one] } else { vec![one, forged] }
}
