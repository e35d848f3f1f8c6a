//! One party sends different broadcasts to different parties, or a second one too late. For every protocol
//! and every round, the tests find how each honest party ends and who is named. The findings are the tables
//! of *Equivocation* in `docs/misbehaviour.md`.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "a test that fails stops"
)]

use std::collections::{BTreeMap, BTreeSet};

use quorate::ecdsa::{
    AuxInfoGen, AuxInfoParams, Keygen, KeygenParams, Presign, RawDigest, Secp256k1, Sign,
    SignParams,
};
use quorate::frost::ed25519;
use quorate::frost::generic::{
    Acknowledge, AcknowledgeParams, Dkg, DkgParams, Repair, RepairParams, RepairPlan, Reshare,
    ReshareParams, ResharePlan,
};
use quorate::mldsa;
use quorate::session::frame::{HEADER, PREFIX};
use quorate::session::sim::{Delivery, Network, Report};
use quorate::session::{Evidence, Protocol, SpentInMemory};
use quorate::{Abort, Parties, PartyId, SessionId};
use quorate_testkit::lockstep::{id, parties};
use quorate_testkit::{documented, ecdsa};

const SID: SessionId = SessionId::new([11; 32]);
const NUMBERS: [u16; 4] = [2, 7, 40, 55];
const CULPRIT: u16 = 7;

fn all() -> &'static Parties {
    Box::leak(Box::new(parties(NUMBERS)))
}

fn place(party: PartyId) -> usize {
    NUMBERS.iter().position(|number| id(*number) == party).unwrap()
}

/// How the culprit equivocates.
#[derive(Clone, Copy)]
enum How {
    /// In place of the honest message, to these parties.
    To(&'static [u16]),
    /// After the honest message, when its round is over, to this party.
    Late(u16),
}

const HOWS: [(How, &str); 3] = [
    (How::To(&[2]), "to one"),
    (How::To(&[2, 40]), "to two of three"),
    (How::Late(2), "late, to one"),
];

impl How {
    fn told(self) -> Vec<PartyId> {
        match self {
            Self::To(numbers) => numbers.iter().map(|number| id(*number)).collect(),
            Self::Late(number) => vec![id(number)],
        }
    }
}

/// The offset of a body in its frame, and the body.
type Body = (usize, Vec<u8>);

/// The broadcasts of the culprit in a run with other seeds, by round.
fn others<P: Protocol>(params: &impl Fn(PartyId) -> P::Params) -> BTreeMap<u8, Body> {
    let mut frames = BTreeMap::new();
    let network = Network::new(2).tamper(|delivery: Delivery| {
        if delivery.from == id(CULPRIT) && delivery.broadcast {
            frames.insert(delivery.round.get(), delivery.bytes.clone());
        }
        vec![delivery]
    });
    let report = network.run::<P>(SID, all(), params).unwrap();
    assert!(report.results.values().all(Result::is_ok));
    // A round after one without broadcasts has no echo.
    let prefixed = |round: u8| round == 1 || frames.contains_key(&(round - 1));
    let start = |round| if prefixed(round) { HEADER + PREFIX } else { HEADER };
    let body = |round, frame: &[u8]| (start(round), frame[start(round)..].to_vec());
    frames.iter().map(|(round, frame)| (*round, body(*round, frame))).collect()
}

/// A frame like this one with another body. If the bodies are equal, a byte is added.
fn instead(frame: &[u8], (start, body): &Body) -> Vec<u8> {
    let other = [&frame[..*start], body].concat();
    if other == frame { [frame, &[0]].concat() } else { other }
}

/// A run in which the culprit also sends `body` in this round.
fn run<P: Protocol>(
    params: &impl Fn(PartyId) -> P::Params,
    (round, how): (u8, How),
    body: &Body,
) -> Report<P::Output> {
    let told = how.told();
    let mut first = BTreeMap::new();
    let network = Network::new(1).tamper(move |mut delivery: Delivery| {
        let now = delivery.round.get();
        if delivery.from != id(CULPRIT) || !told.contains(&delivery.to) {
            return vec![delivery];
        }
        match how {
            How::To(_) if now == round && delivery.broadcast => {
                delivery.bytes = instead(&delivery.bytes, body);
            }
            How::Late(_) if now == round && delivery.broadcast => {
                first.insert(delivery.to, delivery.clone());
            }
            How::Late(_) if now > round => {
                if let Some(mut late) = first.remove(&delivery.to) {
                    late.bytes = instead(&late.bytes, body);
                    return vec![late, delivery];
                }
            }
            _ => {}
        }
        vec![delivery]
    });
    network.run::<P>(SID, all(), params).unwrap()
}

/// How a party ended, in words. Nobody but the culprit is ever blamed.
fn ended<O>(report: &Report<O>, party: PartyId, told: &[PartyId]) -> String {
    let mut text = match &report.results[&party] {
        Ok(_) => "has the result".into(),
        Err(Abort::Misbehaviour(blames)) => {
            assert!(blames.iter().all(|blame| blame.party == id(CULPRIT)), "{blames:?}");
            format!("names it: `{:?}`", blames[0].fault)
        }
        Err(Abort::Unattributed { check, .. }) => format!("`{check:?}`"),
        Err(Abort::Missing { parties, .. }) => {
            assert!(parties.iter().all(|party| told.contains(party)), "{parties:?}");
            "gives up: who was told otherwise is silent".into()
        }
        Err(other) => panic!("{other}"),
    };
    if report.unconfirmed.contains_key(&party) {
        text += ", keeps the result unconfirmed";
    }
    text
}

/// A party's evidence against the culprit.
fn evidence<O>(report: &Report<O>, party: PartyId) -> Option<&Evidence> {
    match &report.results[&party] {
        Err(Abort::Unattributed { evidence, .. }) => evidence.as_deref(),
        _ => None,
    }
}

/// The number of honest parties that it takes to name the culprit, in words.
fn named<O>(report: &Report<O>, honest: &[PartyId]) -> &'static str {
    let alone = |party: &PartyId| matches!(report.results[party], Err(Abort::Misbehaviour(_)));
    if honest.iter().any(alone) {
        return "by one";
    }
    let held: Vec<_> = honest.iter().filter_map(|party| evidence(report, *party)).collect();
    let convicts = |one: &&Evidence, two: &&Evidence| {
        let found = one.equivocators(two);
        assert!(found.iter().all(|(party, _)| *party == id(CULPRIT)));
        !found.is_empty()
    };
    if held.iter().any(|one| held.iter().any(|two| convicts(one, two))) {
        return "by two together";
    }
    // Every honest party has its result.
    assert!(honest.iter().all(|party| report.results[party].is_ok()));
    "nobody"
}

fn table<P: Protocol>(title: &str, params: impl Fn(PartyId) -> P::Params) -> String {
    let bodies = others::<P>(&params);
    let mut table = format!(
        "### {title}\n\n| round | another message | who was told otherwise | the others | named |\n\
         |---|---|---|---|---|\n"
    );
    for (round, body) in &bodies {
        for (how, text) in HOWS {
            let told = how.told();
            let last = *round == *bodies.keys().max().unwrap();
            if last && matches!(how, How::Late(_)) {
                // The run is over.
                continue;
            }
            let report = run::<P>(&params, (*round, how), body);
            let honest: Vec<_> = all().iter().filter(|party| *party != id(CULPRIT)).collect();
            let of = |among: bool| {
                let each = honest.iter().filter(|party| told.contains(party) == among);
                let texts: BTreeSet<_> = each.map(|party| ended(&report, *party, &told)).collect();
                texts.into_iter().collect::<Vec<_>>().join("; ")
            };
            let (told, rest) = (of(true), of(false));
            let named = named(&report, &honest);
            table += &format!("| {round} | {text} | {told} | {rest} | {named} |\n");
        }
    }
    table
}

fn check<P: Protocol>(title: &str, params: impl Fn(PartyId) -> P::Params) {
    documented(&format!("Equivocation, {title}"), &table::<P>(title, params));
}

fn results<O>(report: Report<O>) -> Vec<O> {
    report.results.into_values().map(Result::unwrap).collect()
}

fn aux_params(party: PartyId) -> AuxInfoParams {
    ecdsa::aux_params(ecdsa::FAST, place(party)).with_table_bytes(0)
}

#[test]
fn ecdsa_keys() {
    let params = |_| KeygenParams::new(3);
    check::<Keygen<Secp256k1>>("ECDSA key generation", params);
}

#[test]
fn ecdsa_aux_info() {
    check::<AuxInfoGen>("Auxiliary information", aux_params);
}

#[test]
fn ecdsa_signing() {
    let group = ecdsa::Group::<Secp256k1>::of(&NUMBERS, 4);
    let presign = |party| group.params(party);
    check::<Presign<Secp256k1>>("Presigning", presign);
    let digest = RawDigest::of_message::<Secp256k1>(b"message");
    check::<Sign<Secp256k1>>("Signing", |party| SignParams::new(presign(party), digest));
}

#[test]
fn frost_keys() {
    type Suite = ed25519::Ed25519Sha512;
    check::<Dkg<Suite>>("FROST key generation", |_| DkgParams::new(3));
    let made = Network::new(3).run::<Dkg<Suite>>(SID, all(), |_| DkgParams::new(3)).unwrap();
    let made = results(made);
    let shared = made[0].public.shared();
    let share = |party| made[place(party)].share.secret_share();
    let plan = ResharePlan::refresh(shared, all().clone()).unwrap();
    check::<Reshare<Suite>>("FROST refresh", |party| {
        ReshareParams::dealer(&plan, share(party)).unwrap()
    });
    let plan = RepairPlan::new(shared, parties([2, 7, 40]), id(55)).unwrap();
    check::<Repair<Suite>>("FROST repair", |party| match party == plan.target() {
        true => RepairParams::target(&plan),
        false => RepairParams::helper(&plan, share(party)).unwrap(),
    });
    check::<Acknowledge<Suite>>("FROST acknowledgement", |party| {
        let output = &made[place(party)];
        AcknowledgeParams::from_stored(&output.share.to_bytes(), &output.public.to_bytes()).unwrap()
    });
}

#[test]
fn ml_dsa() {
    let level = mldsa::Level::MlDsa44;
    check::<mldsa::Dkg>("ML-DSA key generation", |_| mldsa::DkgParams::new(level, 3));
    let rng = &mut quorate_testkit::rng(4);
    let dealt = mldsa::Dealing::new(level, 4, all(), rng).unwrap();
    let mu = dealt.public.verifying_key().represent(b"message", b"").unwrap();
    check::<mldsa::Sign>("ML-DSA signing", |party| {
        let share = dealt.shares[place(party)].to_bytes();
        let share = mldsa::KeyShare::from_bytes(level, &share).unwrap();
        let record = share.attempt(0, SID, all(), &mu).unwrap();
        let receipt = record.store(&mut SpentInMemory::new()).unwrap();
        mldsa::SignParams::new(share.into(), mu, 0, receipt)
    });
}
