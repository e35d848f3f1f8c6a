//! Parties that send wrong sums, the same to all others, and the findings of the red alert.

use std::collections::BTreeMap;
use std::sync::Mutex;

use quorate_cggmp::{EcdsaCurve, Evidence, P256, Presign, Secp256k1, Sign, SignParams, SigningRun};
use quorate_session::sim::{Delivery, Network};
use quorate_session::{Abort, Blame, Check, Fault, PartyId, Progress, Protocol};

use crate::support::*;

/// The fault in round 3.
#[derive(Clone, Copy)]
pub enum Lie {
    /// δ_j, type 1.
    Delta,
    /// S_j, type 2.
    Chi,
}

fn altered<C: EcdsaCurve>(frame: &mut [u8], index: usize, lie: Lie) {
    let body = &mut frame[HEADER + ECHO + SUMS * index..];
    match lie {
        Lie::Delta => {
            let delta = C::decode_scalar(&body[..32]).unwrap() + C::Scalar::from(1);
            body[..32].copy_from_slice(&C::encode_scalar(&delta));
        }
        Lie::Chi => {
            let s = C::decode_point(&body[32..65]).unwrap() + C::generator();
            body[32..65].copy_from_slice(&C::encode_point(&s));
        }
    }
}

/// Bytes of one presignature in round 3.
const SUMS: usize = 32 + 2 * 33 + 96;

/// [`lying_at`] in a run for one presignature.
pub fn lying<C: EcdsaCurve, P: Protocol>(
    liars: &[(u16, Lie)],
    params: impl FnMut(PartyId) -> P::Params,
    public: &SigningRun<C>,
) -> (Frames, Vec<(PartyId, Outcome)>) {
    lying_at::<C, P>(0, liars, params, public)
}

/// Runs with liars about one of the presignatures. Each sends all others the same wrong sum, answers the alert truthfully, and
/// echoes its own lie.
pub fn lying_at<C: EcdsaCurve, P: Protocol>(
    index: usize,
    liars: &[(u16, Lie)],
    params: impl FnMut(PartyId) -> P::Params,
    public: &SigningRun<C>,
) -> (Frames, Vec<(PartyId, Outcome)>) {
    let all = parties(NUMBERS);
    let liar = |party: PartyId| liars.iter().find(|(number, _)| id(*number) == party);
    // The sums that each liar has sent to the honest parties, by party.
    let mut told = BTreeMap::new();
    let alter = |(from, round, broadcast, to): Place, frame: &mut Vec<u8>, _: &Frames| {
        if !broadcast {
            return;
        }
        match (round, liar(from), liar(to)) {
            (3, Some((_, lie)), _) => {
                altered::<C>(frame, index, *lie);
                told.insert(from, frame[HEADER + ECHO..].to_vec());
            }
            (3, None, raised) => {
                told.insert(from, frame[HEADER + ECHO..].to_vec());
                // So that the liar raises the alarm as well.
                if let Some((_, lie)) = raised {
                    altered::<C>(frame, index, *lie);
                }
            }
            (4, Some(_), None) => {
                let seen: Vec<&[u8]> = told.values().map(Vec::as_slice).collect();
                let echo = echo(&context(frame), Round(3), &seen);
                frame[HEADER..HEADER + ECHO].copy_from_slice(&echo);
            }
            _ => {}
        }
    };
    let (frames, results) = record::<P>(&all, sid(SESSION), params, alter);
    let honest = results.into_iter().filter(|(party, _)| liar(*party).is_none());
    let outcomes = honest.map(|(party, result)| match result {
        Ok(_) => (party, Outcome::Done),
        Err(abort) => {
            if let Abort::Misbehaviour(blames) = &abort {
                for blame in blames {
                    let evidence = Evidence::from_blame(blame).unwrap();
                    let evidence = Evidence::from_bytes(&evidence.to_bytes()).unwrap();
                    assert_eq!(evidence.verify(public), Ok(blame.fault));
                }
                share_broadcasts(blames);
            }
            (party, Outcome::from(abort))
        }
    });
    (frames, outcomes.collect())
}

/// Broadcasts that are evidence against several parties are in memory once.
fn share_broadcasts(blames: &[Blame]) {
    let shown = blames.iter().flat_map(|blame| &blame.evidence.as_ref().unwrap().frames);
    let mut places = BTreeMap::<_, BTreeMap<_, usize>>::new();
    for (from, frame) in shown {
        *places.entry((from, frame.to_vec())).or_default().entry(frame.as_ptr()).or_default() += 1;
    }
    assert!(places.values().all(|at| at.len() == 1));
    let shared = places.values().flat_map(BTreeMap::values).filter(|count| **count > 1).count();
    assert!(blames.len() < 2 || shared > 0);
}

fn named<C: EcdsaCurve>(liars: &[(u16, Lie)]) {
    let group = Group::<C>::new(3);
    let public = group.public(&parties(NUMBERS), SigningGoal::Presignature);
    let (_, outcomes) = lying::<C, Presign<C>>(liars, |party| group.params(party), &public);
    assert_eq!(outcomes.len(), 3 - liars.len());
    let blamed: Vec<_> =
        liars.iter().map(|(number, _)| (id(*number), Fault::InvalidProof)).collect();
    for (party, outcome) in outcomes {
        assert_eq!(outcome, Outcome::Blamed(4, blamed.clone()), "{party}");
    }
}

#[test]
fn a_wrong_delta_names_its_sender() {
    named::<Secp256k1>(&[(7, Lie::Delta)]);
    named::<P256>(&[(40, Lie::Delta)]);
}

#[test]
fn a_wrong_chi_names_its_sender() {
    named::<Secp256k1>(&[(2, Lie::Chi)]);
}

/// Both liars are named.
#[test]
fn two_liars_are_both_named() {
    named::<Secp256k1>(&[(7, Lie::Delta), (40, Lie::Delta)]);
}

/// In interactive signing as well.
#[test]
fn a_wrong_chi_while_signing_names_its_sender() {
    let group = Group::<Secp256k1>::new(3);
    let params = |party| SignParams::new(group.params(party), digest::<Secp256k1>(b"message"));
    let public =
        group.public(&parties(NUMBERS), SigningGoal::Signature(digest::<Secp256k1>(b"message")));
    let liars = [(7, Lie::Chi)];
    let (_, outcomes) = lying::<Secp256k1, Sign<Secp256k1>>(&liars, params, &public);
    let blamed = vec![(id(7), Fault::InvalidProof)];
    assert!(outcomes.iter().all(|(_, one)| *one == Outcome::Blamed(4, blamed.clone())));
}

/// A party that crashes in an alarm comes back with the same alarm.
#[test]
fn a_crash_in_an_alarm_changes_nothing() {
    let group = Group::<Secp256k1>::new(2);
    let network = Network::new(4).crash(100).tamper(|mut delivery: Delivery| {
        if delivery.round.get() == 3 {
            altered::<Secp256k1>(&mut delivery.bytes, 0, Lie::Delta);
        }
        vec![delivery]
    });
    let params = |party| group.params(party);
    let report = group.run::<Presign<Secp256k1>>(network, &[2, 7], SESSION, params);
    assert_eq!((report.stats.rounds.len(), report.stats.diverged), (4, 0));
    for result in report.results.into_values() {
        assert_eq!(Outcome::from(result.unwrap_err()), Outcome::Unattributed(Check::EchoMismatch));
    }
}

/// A party that saw other sums than the others cannot have any party blamed.
#[test]
fn equivocated_sums_blame_nobody() {
    let group = Group::<Secp256k1>::new(3);
    let all = parties(NUMBERS);
    let (_, results) = record::<Presign<Secp256k1>>(
        &all,
        sid(SESSION),
        |party| group.params(party),
        |(from, round, broadcast, to), frame, _| {
            if (from, round, broadcast) == (id(7), 3, true) {
                altered::<Secp256k1>(frame, 0, Lie::Delta);
                if to == id(40) {
                    altered::<Secp256k1>(frame, 0, Lie::Delta);
                }
            }
            // So that the liar raises the alarm as well.
            if (round, to) == (3, id(7)) {
                altered::<Secp256k1>(frame, 0, Lie::Delta);
            }
        },
    );
    for (_, result) in results {
        let outcome = Outcome::from(result.map(|_| ()).unwrap_err());
        assert_eq!(outcome, Outcome::Unattributed(Check::EchoMismatch));
    }
}

/// Where parts of party 40's alarm end: the products for party 2, of which those for party 7 are no
/// more than a repetition, and Πdec; and its length.
fn parts() -> (Vec<(&'static str, usize)>, usize) {
    let products = ["D sent", "F sent", "D received", "F received"];
    let mut out: Vec<_> =
        (1..).zip(products).map(|(count, name)| (name, CIPHERTEXT * count)).collect();
    out.extend([("digest of what is not shown", 4 * CIPHERTEXT + 64)]);
    let dec = 2 * (4 * CIPHERTEXT + 64);
    let z = response(ELL);
    let w = z + SUM_RESPONSE;
    let one = w + MODULUS;
    // The first repetition of one, the last of the others.
    let last = dec + 16 + 127 * one;
    out.extend([("e of Πdec", dec + 16), ("z of Πdec", dec + 16 + z)]);
    out.extend([("w of Πdec", last + w), ("ν of Πdec", last + one)]);
    (out, last + one)
}

/// An alarm is worked on one proof at a time, without new frames in between.
#[test]
fn one_proof_at_a_time() {
    let group = Group::<Secp256k1>::new(3);
    let params = |party| group.params(party);
    let public = group.public(&parties(NUMBERS), SigningGoal::Presignature);
    let (frames, _) = lying::<Secp256k1, Presign<Secp256k1>>(&[(7, Lie::Delta)], params, &public);
    let mut step =
        start::<Presign<Secp256k1>>(sid(SESSION), id(2), &parties(NUMBERS), group.params(id(2)));
    let mut works = Vec::new();
    let stopped = loop {
        let mut session = step.session;
        let round = session.round().get();
        for (place, frame) in frames.iter().filter(|(place, _)| place.3 == id(2)) {
            if place.1 == round {
                session.receive(place.0, frame).unwrap();
            }
        }
        let mut progress = session.advance();
        while let Ok(Progress::Working(working)) = progress {
            works.push((working.round().get(), working.waiting_for().count()));
            progress = working.advance();
        }
        match progress {
            Ok(Progress::Round(next)) => step = next,
            Err(stopped) => break stopped,
            other => panic!("{other:?}"),
        }
    };
    assert!(stopped.abort.culprits().eq([id(7)]));
    // Party 7's Πdec, and party 40's ends it.
    assert_eq!(works, [(4, 0)]);
}

/// Besides the liar, the party whose alarm is altered is named.
#[test]
fn altered_alarms_name_their_senders_beside_the_liar() {
    let group = Group::<Secp256k1>::new(3);
    let params = |party| group.params(party);
    let public = group.public(&parties(NUMBERS), SigningGoal::Presignature);
    let liars = [(7, Lie::Delta)];
    let (frames, outcomes) = lying::<Secp256k1, Presign<Secp256k1>>(&liars, params, &public);
    let blamed = Outcome::Blamed(4, vec![(id(7), Fault::InvalidProof)]);
    assert!(outcomes.iter().all(|(_, one)| *one == blamed));
    let place = (id(40), 4, true, id(2));
    let (parts, length) = parts();
    assert_eq!(frames[&place].len(), HEADER + ECHO + length);
    let all = parties(NUMBERS);
    let mut cases: Vec<(&str, Fault, Frames)> = Vec::new();
    for (name, end) in parts {
        let product = ["sent", "received", "shown"].iter().any(|end| name.ends_with(end));
        let fault = if product { Fault::InvalidDecommitment } else { Fault::InvalidProof };
        let mut frames = frames.clone();
        frames.get_mut(&place).unwrap()[HEADER + ECHO + end - 1] ^= 1;
        cases.push((name, fault, frames));
    }
    let mut short = frames.clone();
    short.get_mut(&place).unwrap().pop();
    cases.push(("a byte less", Fault::Malformed, short));
    let mut table =
        String::from("## Red alert\n\n| round | field | changed to | found |\n|---|---|---|---|\n");
    for (name, fault, _) in &cases {
        let (name, how) =
            if *name == "a byte less" { ("broadcast", *name) } else { (*name, "last bit") };
        table += &format!("| 4 | {name} | {how} | `{fault:?}` |\n");
    }
    quorate_testkit::documented("Red alert", &table);
    let left = Mutex::new(cases.into_iter());
    let try_one = |(name, fault, frames): (&str, Fault, Frames)| {
        let found = play::<Presign<Secp256k1>>(id(2), &all, sid(SESSION), params(id(2)), &frames);
        let expected = vec![(id(7), Fault::InvalidProof), (id(40), fault)];
        assert_eq!(found, Outcome::Blamed(4, expected), "{name}");
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().unwrap().get() {
            scope.spawn(|| {
                loop {
                    let Some(case) = left.lock().unwrap().next() else { break };
                    try_one(case);
                }
            });
        }
    });
}
