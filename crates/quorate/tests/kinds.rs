//! Protocols of several suites and curves on one store.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeSet;
use std::sync::Arc;

use quorate::ecdsa::curves::{P256, Secp256k1};
use quorate::ecdsa::{AuxInfoGen, Keygen, Presign, PresignMany, Sign};
use quorate::frost::generic::{
    Ciphersuite, Dkg, DkgOutput, DkgParams, Frost, KeySuite, ShareExchange,
};
use quorate::frost::{ed25519, secp256k1_tr};
use quorate::keys::{Acknowledge, Repair, Reshare};
use quorate::runner::{App, Continuity, Job, Kind, MemoryStore, RunEnd, Runner, StartOutcome};
use quorate::session::Protocol;
use quorate::{Parties, PartyId, SealKey, SessionId};
use quorate_testkit::Stuck;
use quorate_testkit::lockstep::id;

type Ed25519 = ed25519::Ed25519Sha512;
type Taproot = secp256k1_tr::Secp256k1Taproot;

fn of_suite<S: Ciphersuite>() -> [Kind; 5] {
    [
        Kind::of::<Dkg<S>>(),
        Kind::of::<ShareExchange<S>>(),
        Kind::of::<Reshare<Frost<S>>>(),
        Kind::of::<Repair<Frost<S>>>(),
        Kind::of::<Acknowledge<Frost<S>>>(),
    ]
}

macro_rules! of_suites {
    ($($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {
        [$(of_suite::<$suite>()),*]
    };
}

/// The kinds as stores have them, by the first bytes; those of FROST are pinned with the forms of their suites. Stored kinds
/// never change: if a name or family changed, runners would not find earlier runs.
const STORED: &str = "6eb504 dc3e25 82170e df2b68 214a4d 5af0f9 37e9cb ad1ec2 494dd2";

#[test]
fn every_protocol_of_every_suite_and_curve_is_a_kind_of_its_own() {
    let mut all = vec![Kind::of::<AuxInfoGen>()];
    all.extend([Kind::of::<Keygen<Secp256k1>>(), Kind::of::<Keygen<P256>>()]);
    all.extend([Kind::of::<Presign<Secp256k1>>(), Kind::of::<Presign<P256>>()]);
    all.extend([Kind::of::<PresignMany<Secp256k1>>(), Kind::of::<PresignMany<P256>>()]);
    all.extend([Kind::of::<Sign<Secp256k1>>(), Kind::of::<Sign<P256>>()]);
    let first =
        |kind: &Kind| kind.as_bytes()[..3].iter().map(|byte| format!("{byte:02x}")).collect();
    let stored: Vec<String> = all.iter().map(first).collect();
    assert_eq!(stored.join(" "), STORED);
    all.extend(quorate::for_each_frost_suite!(of_suites).into_iter().flatten());
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
}

struct Keys;

impl<S: KeySuite> App<Dkg<S>> for Keys {
    type Record = Option<DkgOutput<S>>;

    fn params(&mut self, _: &Job) -> Option<DkgParams<S>> {
        Some(DkgParams::new(2))
    }

    fn record(&mut self, _: &Job, end: RunEnd<DkgOutput<S>>) -> Option<DkgOutput<S>> {
        end.into_output()
    }
}

fn open<P: Protocol>(me: PartyId, store: MemoryStore) -> Runner<MemoryStore, Keys>
where
    Keys: App<P>,
{
    let key = Arc::new(SealKey::new([7; 32]));
    Runner::builder(me, key, Continuity::StayedUp).protocol::<P>().open(store, Keys).unwrap()
}

/// The key generations of Ed25519 and Taproot have one name and one code. A runner for Taproot leaves a run for Ed25519 on
/// its store alone, also at its deadline, and the share is kept.
#[test]
fn a_taproot_runner_does_not_end_the_key_generation_of_ed25519() {
    assert_eq!(
        (Dkg::<Ed25519>::NAME, Dkg::<Ed25519>::CODE),
        (Dkg::<Taproot>::NAME, Dkg::<Taproot>::CODE)
    );
    let parties = Parties::numbered(2).unwrap();
    let job = Job { sid: SessionId::new([1; 32]), parties, body: Vec::new(), deadline: 1_000 };
    let mut nodes = [1, 2].map(|me| open::<Dkg<Ed25519>>(id(me), MemoryStore::new()));
    for (node, seed) in nodes.iter_mut().zip(1..) {
        let begun = node.start::<Dkg<Ed25519>>(&job, 0, &mut Stuck::at(seed)).unwrap();
        assert_eq!(begun, StartOutcome::Begun);
    }
    let mut taproot = open::<Dkg<Taproot>>(id(1), core::mem::take(nodes[0].store()));
    for now in [0, 1_000, 5_000] {
        assert_eq!(taproot.work(now).unwrap(), Vec::new());
    }
    nodes[0] = open::<Dkg<Ed25519>>(id(1), core::mem::take(taproot.store()));
    let mut keys = Vec::new();
    for now in 1..10 {
        for at in [0, 1] {
            let from = nodes[at].id();
            for packet in nodes[at].outgoing(now * 100, 100).unwrap() {
                nodes[1 - at].receive(from, &packet.bytes, now * 100).unwrap();
            }
            for run in nodes[at].work(now * 100).unwrap() {
                keys.push(run.outcome.record::<Option<DkgOutput<Ed25519>>>().unwrap().unwrap());
            }
        }
    }
    assert_eq!(keys.len(), 2);
    assert_eq!(keys[0].public, keys[1].public);
}
