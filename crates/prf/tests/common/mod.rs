//! Shared keys, and the generators of the tests.
#![allow(dead_code, reason = "each test uses a part")]

use core::convert::Infallible;
use std::collections::BTreeMap;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;
use quorate_frost::{
    Dealing, Dkg, DkgOutput, DkgParams, KeyShare, KeySuite, PublicKeyPackage, Reshare,
    ReshareParams, ResharePlan,
};
use quorate_keys::Committee;
use quorate_prf::curve::rand_core::{TryCryptoRng, TryRng};
use quorate_prf::session::{Parties, PartyId, SessionId, sim::Network};
use quorate_prf::{EvaluationShare, KeyKind, ProofPackage, Provable, Query};

pub(crate) fn rng(seed: u8) -> ChaCha20Rng {
    ChaCha20Rng::from_seed([seed; 32])
}

pub(crate) fn id(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

/// A key and the shares of its parties.
pub(crate) struct Shared<K: KeySuite> {
    pub(crate) public: PublicKeyPackage<K>,
    pub(crate) shares: Vec<KeyShare<K>>,
}

/// A dealt key of parties 1 to n.
pub(crate) fn shared<K: KeySuite>(threshold: u16, parties: u16, seed: u8) -> Shared<K> {
    let parties = Parties::numbered(parties).unwrap();
    accepted(Dealing::new(threshold, &parties, &mut rng(seed)).unwrap(), threshold)
}

/// This key, dealt among parties 1 to n.
pub(crate) fn imported<K: KeySuite>(key: &[u8], threshold: u16, parties: u16) -> Shared<K> {
    let parties = Parties::numbered(parties).unwrap();
    accepted(Dealing::import(key, threshold, &parties, &mut rng(9)).unwrap(), threshold)
}

fn accepted<K: KeySuite>(dealing: Dealing<K>, threshold: u16) -> Shared<K> {
    let Dealing { shares, public } = dealing;
    let shares = shares.into_iter().map(|share| share.accept(threshold, &public).unwrap());
    Shared { shares: shares.collect(), public }
}

impl<K: KeySuite> Shared<K> {
    pub(crate) fn of(&self, number: u16) -> &KeyShare<K> {
        self.shares.iter().find(|share| share.id() == id(number)).unwrap()
    }
}

/// The shares of these parties in an evaluation, through their bytes.
pub(crate) fn evaluate<K: KeyKind>(
    key: &Shared<K>,
    query: &Query<K>,
    parties: &[u16],
) -> Vec<EvaluationShare<K>> {
    let share = |number: &u16| {
        let share = query.evaluate(key.of(*number), &mut rng(20)).unwrap();
        EvaluationShare::from_bytes(id(*number), &share.to_bytes()).unwrap()
    };
    parties.iter().map(share).collect()
}

/// The joint proof of these parties, through the bytes of every message.
pub(crate) fn prove<K: Provable>(key: &Shared<K>, query: &Query<K>, parties: &[u16]) -> K::Proof {
    use quorate_prf::{Contribution, ProofShare};
    let mut rng = rng(30);
    let (mut nonces, mut sent) = (BTreeMap::new(), Vec::new());
    for number in parties {
        let (own, contribution) = query.contribute(key.of(*number), &mut rng).unwrap();
        nonces.insert(*number, own);
        sent.push(Contribution::from_bytes(id(*number), &contribution.to_bytes()).unwrap());
    }
    let package = ProofPackage::new(&key.public, query, sent).unwrap();
    let bytes = package.to_bytes();
    let shares: Vec<_> = nonces
        .into_iter()
        .map(|(number, nonces)| {
            let package = ProofPackage::from_bytes(&key.public, query, &bytes).unwrap();
            let share = package.prove(key.of(number), nonces).unwrap();
            ProofShare::from_bytes(id(number), &share.to_bytes()).unwrap()
        })
        .collect();
    package.aggregate(&shares).unwrap()
}

/// A key that three parties generate.
pub(crate) fn made<K: KeySuite>(seed: u64) -> Vec<DkgOutput<K>> {
    let parties = Parties::numbered(3).unwrap();
    let run =
        Network::new(seed).run::<Dkg<K>>(SessionId::new([1; 32]), &parties, |_| DkgParams::new(2));
    run.unwrap().results.into_values().map(Result::unwrap).collect()
}

/// The key in the next epoch: of 2, 3 and 4, dealt by 1 and 3.
pub(crate) fn reshared<K: KeySuite>(old: &[DkgOutput<K>]) -> Shared<K> {
    let ids = |numbers: &[u16]| Parties::new(numbers.iter().map(|number| id(*number))).unwrap();
    let committee = Committee::new(ids(&[2, 3, 4]), 2).unwrap();
    let plan = ResharePlan::new(old[0].public.shared(), ids(&[1, 3]), committee).unwrap();
    let run = Network::new(2).run::<Reshare<K>>(SessionId::new([2; 32]), &plan.parties(), |me| {
        if plan.dealers().contains(me) {
            let own = old[usize::from(me.get()) - 1].share.secret_share();
            ReshareParams::dealer(&plan, own).unwrap()
        } else {
            ReshareParams::member(&plan, me).unwrap()
        }
    });
    let results: BTreeMap<_, _> =
        run.unwrap().results.into_iter().map(|(me, result)| (me, result.unwrap())).collect();
    let public = results[&id(2)].public.clone();
    let shares = results.into_values().filter_map(|result| result.share).collect();
    Shared { public, shares }
}

/// A "generator" that hands out the bytes of a test vector.
pub(crate) struct Fixed(pub(crate) Vec<u8>);

impl TryRng for Fixed {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        panic!("only bytes are drawn")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        panic!("only bytes are drawn")
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        let rest = self.0.split_off(bytes.len());
        bytes.copy_from_slice(&core::mem::replace(&mut self.0, rest));
        Ok(())
    }
}

impl TryCryptoRng for Fixed {}

pub(crate) fn unhex(text: &str) -> Vec<u8> {
    assert!(text.len().is_multiple_of(2));
    let byte = |at| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
    (0..text.len()).step_by(2).map(byte).collect()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The vectors of a file: the name and the values of each group, and of each vector in it.
pub(crate) type Group<'a> = (&'a str, BTreeMap<&'a str, &'a str>, Vec<BTreeMap<&'a str, &'a str>>);

pub(crate) fn groups(text: &str) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if line == "[vector]" {
            groups.last_mut().unwrap().2.push(BTreeMap::new());
        } else if line.starts_with('[') {
            groups.push((line, BTreeMap::new(), Vec::new()));
        } else {
            let (name, value) = line.split_once('=').unwrap();
            let (_, head, vectors) = groups.last_mut().unwrap();
            vectors.last_mut().unwrap_or(head).insert(name.trim(), value.trim());
        }
    }
    groups
}
