//! Runs of the key generation over a network that one party tampers with.

use quorate::frost::generic::{Ciphersuite, Dkg, DkgOutput, DkgParams};
use quorate::session::sim::{Delivery, Network, Report};
use quorate::session::{Check, Evidence, Round, frame};
use quorate::{Abort, Fault, Parties, PartyId, SessionId};

use super::harness::{MUTATOR, PARTIES, id, parties};

/// The offset of the context of the run in a frame.
pub const CONTEXT: core::ops::Range<usize> = 7..39;
/// The offset of the echo in a frame of round 2.
pub const ECHO: core::ops::Range<usize> = 39..71;
/// The offset of the body in the frames of rounds 1, 2 and 3.
pub const BODY: [usize; 3] = [71, 71, 39];

pub type KeyReport<S> = Report<DkgOutput<S>>;
pub type Frames = Vec<Delivery>;

/// A key generation 2-of-3 with the parties 1, 2, 5.
pub fn keygen<S: Ciphersuite>(sid: u8, hook: impl FnMut(Delivery) -> Frames) -> KeyReport<S> {
    keygen_among(2, &parties(PARTIES), sid, hook)
}

pub fn keygen_among<S: Ciphersuite>(
    threshold: u16,
    parties: &Parties,
    sid: u8,
    hook: impl FnMut(Delivery) -> Frames,
) -> KeyReport<S> {
    let network = Network::new(u64::from(sid)).tamper(hook);
    let params = |_| DkgParams::new(threshold);
    network.run::<Dkg<S>>(SessionId::new([sid; 32]), parties, params).unwrap()
}

/// As [`keygen`], with a slow line to party 5, whose frames come last in every round.
pub fn keygen_unhurried<S: Ciphersuite>(hook: impl FnMut(Delivery) -> Frames) -> KeyReport<S> {
    let latency = |from, to| if [from, to].contains(&id(5)) { 9 } else { 1 };
    let network = Network::new(1).latency(latency).tamper(hook);
    let params = |_| DkgParams::new(2);
    let all = parties(PARTIES);
    let report = network.run::<Dkg<S>>(SessionId::new([1; 32]), &all, params);
    report.unwrap()
}

/// The frames of an honest run; the same run sends them again.
pub fn honest<S: Ciphersuite>(sid: u8) -> Frames {
    let mut frames = Vec::new();
    let report = keygen::<S>(sid, |one| {
        frames.push(one.clone());
        vec![one]
    });
    assert!(report.results.values().all(Result::is_ok));
    frames
}

/// The frame of a round from one party to another.
pub fn frame(frames: &[Delivery], round: u8, from: u16, to: u16) -> &Delivery {
    let wanted = (round, id(from), id(to));
    frames.iter().find(|one| (one.round.get(), one.from, one.to) == wanted).unwrap()
}

/// How a run ended for a party.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Done,
    /// The mutator is blamed, and nobody else.
    Blamed(Fault),
    Unattributed(Check),
    /// Still waiting; nobody is blamed.
    Missing,
}

/// The end of the run for an honest party. For every case, this asserts that no honest party is blamed.
pub fn verdict<S: Ciphersuite>(report: &KeyReport<S>, party: u16) -> Verdict {
    judged(report, party, |_, evidence| {
        assert!(evidence.frames.iter().all(|(from, _)| *from == id(MUTATOR)));
    })
}

/// The end of a run of any protocol for an honest party. `sound` checks the evidence.
pub fn judged<O>(report: &Report<O>, party: u16, sound: impl Fn(Fault, &Evidence)) -> Verdict {
    match report.results.get(&id(party)).unwrap() {
        Ok(_) => Verdict::Done,
        Err(Abort::Misbehaviour(blames)) => {
            let [blame] = &blames[..] else { panic!("{blames:?}") };
            assert_eq!(blame.party, id(MUTATOR));
            let evidence = blame.evidence.as_ref().unwrap();
            assert!(!evidence.frames.is_empty());
            let equivocates = evidence.proves_equivocation(id(MUTATOR));
            assert_eq!(equivocates, blame.fault == Fault::Equivocation);
            sound(blame.fault, evidence);
            Verdict::Blamed(blame.fault)
        }
        Err(Abort::Unattributed { check, .. }) => Verdict::Unattributed(*check),
        Err(Abort::Missing { .. }) => Verdict::Missing,
        Err(other) => panic!("{other:?}"),
    }
}

/// The verdicts of the two honest parties, 1 and 5.
pub fn verdicts<S: Ciphersuite>(report: &KeyReport<S>) -> [Verdict; 2] {
    let verdicts = [verdict(report, 1), verdict(report, 5)];
    assert_one_key(report);
    verdicts
}

/// Asserts that all parties that have a key have the same one.
pub fn assert_one_key<S: Ciphersuite>(report: &KeyReport<S>) {
    let mut packages = report.results.values().flatten().map(|output| output.public.to_bytes());
    if let Some(first) = packages.next() {
        assert!(packages.all(|other| other == first));
    }
}

/// Asserts that every party ended the run with one and the same key.
pub fn assert_unharmed<S: Ciphersuite>(report: &KeyReport<S>) {
    for (party, result) in &report.results {
        assert!(result.is_ok(), "{party}: {result:?}");
    }
    assert_one_key(report);
}

/// The echo of round 1: a digest of all bodies, ascending by party.
pub fn echo(context: &[u8], bodies: &[Vec<u8>]) -> [u8; 32] {
    echo_of(1, context, bodies)
}

/// The echo of a round.
pub fn echo_of(round: u8, context: &[u8], bodies: &[Vec<u8>]) -> [u8; 32] {
    frame::echo(context.try_into().unwrap(), Round(round), bodies)
}

/// Other bytes in place of the mutator's frame of one round, to `victims`. If `echoed`, the echo of its next
/// round claims that it sent these bytes to all.
pub struct Replacement<'a> {
    pub round: u8,
    pub victims: &'a [u16],
    /// The whole frame.
    pub bytes: Vec<u8>,
    pub echoed: bool,
}

/// Runs with a replacement; everything else is honest.
pub fn replaced<S: Ciphersuite>(
    sid: u8,
    frames: &[Delivery],
    replacement: &Replacement<'_>,
) -> KeyReport<S> {
    let Replacement { round, victims, bytes, echoed } = replacement;
    let bodies: Vec<Vec<u8>> = PARTIES
        .map(|party| match party {
            // Replaced in another round, or too short to be taken, it is not echoed.
            MUTATOR => bytes.get(BODY[0]..).unwrap_or_default().to_vec(),
            _ => frame(frames, 1, party, MUTATOR).bytes[BODY[0]..].to_vec(),
        })
        .to_vec();
    let victims: Vec<PartyId> = victims.iter().map(|victim| id(*victim)).collect();
    keygen::<S>(sid, |mut one| {
        let mine = one.from == id(MUTATOR) && victims.contains(&one.to);
        if mine && one.round.get() == *round {
            one.bytes.clone_from(bytes);
        } else if mine && *echoed && one.round.get() == 2 {
            let digest = echo(&one.bytes[CONTEXT], &bodies);
            one.bytes[ECHO].copy_from_slice(&digest);
        }
        vec![one]
    })
}
