//! Returns of all kinds: coordinators from logs, two of them under one run id, messages of other runs, tables that record
//! and then fail, shares that nobody has confirmed.

use std::collections::BTreeMap;

use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::generic::keys::Family;
use quorate::frost::generic::roast::{AnswerOutcome, AnswerRejected, Ask, Refused, SignerFault};
use quorate::frost::generic::{
    Ciphersuite, Frost, KeyShare, RoastCoordinator, RoastSigner, ShareState, SignError,
};
use quorate::session::container::{HEADER, Kind};
use quorate::session::{RecordError, SpentInMemory};
use quorate::{PartyId, SessionId};
use quorate_testkit::lockstep::{id, sid};
use quorate_testkit::{Lcg, rng, rng_of, suite_tests};

use super::adversary::Flaky;
use super::faults::Bench;
use super::outside::Outside;
use super::world::{Bad, Layout, RUN, TEXT, World, forged, key, layout, package_of, run_id};

/// The step of a coordinator, in a form to compare.
fn told<S: Ciphersuite>(step: Result<AnswerOutcome<S>, AnswerRejected>) -> String {
    match step {
        Ok(AnswerOutcome::Ask(Ask { session, signers, bytes })) => {
            format!("{session} {signers:?} {}", quorate_testkit::hex(&bytes))
        }
        Ok(AnswerOutcome::Done(signature)) => quorate_testkit::hex(signature.to_bytes().as_ref()),
        Ok(AnswerOutcome::Waiting) => "waiting".to_owned(),
        Err(why) => format!("{why:?}"),
    }
}

/// A coordinator that crashes after any message, with that message in its log, sends what it would have sent.
#[test]
fn a_coordinator_restored_after_any_message_says_the_same() {
    type S = Ed25519Sha512;
    let kinds = [Bad::WrongShare, Bad::StallsAfterOne, Bad::TwoFirst];
    for seed in 0..3 {
        let mut world = World::<S>::new(2, 5, &kinds, seed);
        world.play().unwrap();
        let start = || RoastCoordinator::start(world.public.clone(), run_id(), TEXT).unwrap();
        let mut whole = start();
        let steps: Vec<_> =
            world.log.iter().map(|(from, bytes)| told(whole.receive(*from, bytes))).collect();
        for crash in (0..world.log.len()).step_by(3) {
            let mut restored = start();
            for ((from, bytes), step) in world.log[..=crash].iter().zip(&steps) {
                assert_eq!(&told(restored.receive(*from, bytes)), step);
            }
            // The step after the last message may or may not have been sent: every open request is sent again.
            for (party, session) in restored.waiting_for().collect::<Vec<_>>() {
                let request = package_of::<S>(&restored.request(session).unwrap());
                assert!(request.signers().contains(&party));
            }
            // A message that comes once more is a repetition, or its sender was marked for it.
            let (from, bytes) = &world.log[crash];
            let again = restored.receive(*from, bytes).unwrap_err();
            assert!(matches!(
                again,
                AnswerRejected::Duplicate | AnswerRejected::MarkedBefore(_) | AnswerRejected::Over
            ));
            for ((from, bytes), step) in world.log.iter().zip(&steps).skip(crash + 1) {
                assert_eq!(&told(restored.receive(*from, bytes)), step);
            }
        }
    }
}

/// A message whose request was sent before it was in the log: the restored coordinator makes another session of that
/// number, and an honest signer's answer is one to another package.
fn a_log_without_its_last_message_has_an_honest_signer_marked<S: Ciphersuite>() {
    let mut bench = Bench::<S>::new(2, 3);
    let [first, second, third] = [0, 1, 2].map(|at| bench.message(at));
    assert!(matches!(bench.receive(0, &first), Ok(AnswerOutcome::Waiting)));
    let Ok(AnswerOutcome::Ask(sent)) = bench.receive(1, &second) else { panic!("no session") };
    let answer = bench.answer(0, &sent.bytes).unwrap();
    // The log has the first message alone.
    let mut restored = RoastCoordinator::start(bench.public.clone(), run_id(), TEXT).unwrap();
    assert!(matches!(restored.receive(id(1), &first), Ok(AnswerOutcome::Waiting)));
    let Ok(AnswerOutcome::Ask(other)) = restored.receive(id(3), &third) else {
        panic!("no session")
    };
    assert_eq!((other.session, sent.session), (1, 1));
    let refused = bench.answer(0, &other.bytes).unwrap_err();
    assert_eq!(refused, Refused::NotNext { got: 1, answered: 1 });
    let fault = SignerFault::OtherPackage { session: 1 };
    assert_eq!(restored.receive(id(1), &answer).unwrap_err(), AnswerRejected::Marked(fault));
    // With the second one in the log nobody is.
    let mut restored = RoastCoordinator::start(bench.public.clone(), run_id(), TEXT).unwrap();
    assert!(matches!(restored.receive(id(1), &first), Ok(AnswerOutcome::Waiting)));
    assert!(
        matches!(restored.receive(id(2), &second), Ok(AnswerOutcome::Ask(same)) if same == sent)
    );
    assert!(matches!(restored.receive(id(1), &answer), Ok(AnswerOutcome::Waiting)));
}

/// Runs two coordinators of one run id, in any order, each of which receives all messages of the signers.
/// Returns whether there was a signature, and the number of honest signers that were marked.
fn two_coordinators_of_one_run<S: Outside>(seed: u64) -> (bool, usize) {
    let mut bench = Bench::<S>::new(2, 4);
    let start = || RoastCoordinator::start(bench.public.clone(), run_id(), TEXT).unwrap();
    let mut both = [start(), start()];
    let mut random = Lcg(seed);
    let mut up: Vec<(usize, usize, Vec<u8>)> =
        (0..8).map(|at| (at / 4, at % 4, bench.message(at % 4))).collect();
    let mut down: Vec<(usize, Vec<u8>)> = Vec::new();
    let mut spent = BTreeMap::new();
    let mut signed = false;
    let Layout { digest, end, .. } = layout::<S>();
    while !up.is_empty() || !down.is_empty() {
        let at = random.below(up.len() + down.len());
        if at < up.len() {
            let (which, from, bytes) = up.swap_remove(at);
            match both[which].receive(id(from as u16 + 1), &bytes) {
                Ok(AnswerOutcome::Ask(Ask { signers, bytes, .. })) => {
                    let signers = signers.iter().map(|one| usize::from(one.get()) - 1);
                    down.extend(signers.map(|one| (one, bytes.clone())));
                }
                Ok(AnswerOutcome::Done(signature)) => {
                    let key = bench.public.verifying_key();
                    let signature = signature.to_bytes();
                    assert!(S::holds(key.as_bytes().as_ref(), TEXT, signature.as_ref()));
                    signed = true;
                }
                Ok(AnswerOutcome::Waiting) | Err(_) => {}
            }
        } else {
            let (to, request) = down.swap_remove(at - up.len());
            let Ok(answer) = bench.answer(to, &request) else { continue };
            let package = package_of::<S>(&request);
            let mine = package.commitments_of(id(to as u16 + 1)).unwrap();
            let pair = [mine.hiding().as_ref(), mine.binding().as_ref()].concat();
            let share = answer[digest..end].to_vec();
            let before = spent.insert(pair, share.clone());
            assert!(before.is_none_or(|before| before == share), "one pair, two shares");
            up.extend([0, 1].map(|which| (which, to, answer.clone())));
        }
    }
    (signed, both.iter().map(|one| one.marked().count()).sum())
}

#[test]
fn two_coordinators_of_one_run_get_no_pair_spent_twice() {
    let runs: Vec<_> = (0..30).map(two_coordinators_of_one_run::<Ed25519Sha512>).collect();
    let signed = runs.iter().filter(|(signed, _)| *signed).count();
    let marked: usize = runs.iter().map(|(_, marked)| marked).sum();
    // A run id that is used twice costs honest signers their place, and no key.
    assert!(signed > 20 && marked > 20, "{signed} signed, {marked} marked");
}

/// Messages of one run mark no party of another, and change nothing there.
fn messages_of_another_run_mark_no_party<S: Outside>() {
    const OTHER: u8 = RUN + 1;
    let mut world = World::<S>::new(2, 3, &[Bad::StallsAfterOne], 5);
    world.play().unwrap();
    let mut other = RoastCoordinator::start(world.public.clone(), sid(OTHER), TEXT).unwrap();
    let replay = |other: &mut RoastCoordinator<S>| {
        for (from, bytes) in &world.log {
            assert_eq!(other.receive(*from, bytes).unwrap_err(), AnswerRejected::OtherRun);
        }
    };
    let requests: Vec<_> = (1..3).filter_map(|number| world.coordinator.request(number)).collect();
    let mut signers: BTreeMap<PartyId, _> = world
        .players
        .iter()
        .map(|(party, player)| {
            let random = &mut rng_of(u64::from(party.get()) + 300);
            let signer = RoastSigner::start(&player.share, sid(OTHER), TEXT, random).unwrap();
            (*party, (signer, SpentInMemory::new()))
        })
        .collect();
    replay(&mut other);
    let mut asked = None;
    for (party, (signer, table)) in &mut signers {
        let before = signer.seal(&key());
        for request in &requests {
            let share = &world.players[party].share;
            let refused = signer.answer(share, request, table, &mut rng(1)).unwrap_err();
            assert_eq!(refused, Refused::OtherRun);
        }
        assert!(table.is_empty() && signer.seal(&key()) == before);
        if asked.is_none()
            && let AnswerOutcome::Ask(ask) = other.receive(*party, signer.message()).unwrap()
        {
            asked = Some(ask);
        }
        replay(&mut other);
    }
    let Ask { signers: who, bytes, .. } = asked.unwrap();
    let mut done = false;
    for party in who {
        let (signer, table) = signers.get_mut(&party).unwrap();
        let share = &world.players[&party].share;
        let answer = signer.answer(share, &bytes, table, &mut rng(2)).unwrap().to_vec();
        done |= matches!(other.receive(party, &answer), Ok(AnswerOutcome::Done(_)));
    }
    assert!(done);
    assert_eq!(other.marked().count(), 0);
}

/// The table records and then fails: the same request is answered later, and no other one, before and after a restart.
fn a_table_that_records_and_then_fails<S: Ciphersuite>() {
    let mut bench = Bench::<S>::new(2, 4);
    let first = bench.join(&[0, 1]);
    let mut elsewhere = RoastCoordinator::start(bench.public.clone(), run_id(), TEXT).unwrap();
    assert!(matches!(elsewhere.receive(id(1), &bench.message(0)), Ok(AnswerOutcome::Waiting)));
    let other = match elsewhere.receive(id(3), &bench.message(2)).unwrap() {
        AnswerOutcome::Ask(ask) => ask.bytes,
        step => panic!("{step:?}"),
    };
    let mut table = Flaky { fails: true, ..Flaky::default() };
    let stored = bench.signers[0].seal(&key());
    for restart in [false, true, false] {
        table.fails = true;
        let (signer, share) = (&mut bench.signers[0], &bench.shares[0]);
        let refused = signer.answer(share, &first, &mut table, &mut rng(1)).unwrap_err();
        assert!(matches!(refused, Refused::Record(RecordError::Table(_))), "{refused:?}");
        assert_eq!(signer.seal(&key()), stored, "nothing has changed");
        table.fails = false;
        if restart {
            *signer = RoastSigner::open(&stored, &key()).unwrap();
        }
        let refused = signer.answer(share, &other, &mut table, &mut rng(1)).unwrap_err();
        assert!(matches!(refused, Refused::Record(RecordError::Spent { .. })), "{refused:?}");
        assert_eq!(signer.seal(&key()), stored, "nothing has changed");
    }
    let (signer, share) = (&mut bench.signers[0], &bench.shares[0]);
    let answer = signer.answer(share, &first, &mut table, &mut rng(1)).unwrap().to_vec();
    assert_eq!(table.table.len(), 1);
    assert!(matches!(bench.receive(0, &answer), Ok(AnswerOutcome::Waiting)));
}

/// A share that is opened unconfirmed in the middle of a run spends nothing, and the confirmed one continues.
fn an_unconfirmed_share_spends_nothing<S: Ciphersuite>() {
    const ANY: Kind = Kind { code: 0, name: "", version: 1 };
    let mut bench = Bench::<S>::new(2, 3);
    let label = Frost::<S>::label(ANY);
    let form = label.altered(&bench.shares[0].to_bytes(), |form| form[HEADER + 70] = 2);
    let share = KeyShare::from_bytes(&form, &bench.public).unwrap();
    assert_eq!(share.state(), ShareState::Unconfirmed);
    let request = bench.join(&[0, 1]);
    let (signer, table) = (&mut bench.signers[0], &mut bench.tables[0]);
    let refused = signer.answer(&share, &request, table, &mut rng(1)).unwrap_err();
    assert_eq!(refused, Refused::Sign(SignError::Unconfirmed));
    assert!(table.is_empty());
    let answer = bench.answer(0, &request).unwrap();
    assert!(matches!(bench.receive(0, &answer), Ok(AnswerOutcome::Waiting)));
}

/// A signer that publishes another's commitments as its own: it cannot answer, and the others finish without it.
fn mirrored_commitments_hold_up_one_session<S: Outside>() {
    let mut bench = Bench::<S>::new(2, 3);
    let Layout { party, .. } = layout::<S>();
    let mirrored = forged::<S>(&bench.message(0), |bytes| bytes[party + 1] = 3);
    assert!(matches!(bench.receive(2, &mirrored), Ok(AnswerOutcome::Waiting)));
    let request = bench.join(&[0]);
    let answer = bench.answer(0, &request).unwrap();
    // It answers with the honest share, in its own name.
    let stolen = forged::<S>(&answer, |bytes| bytes[party + 1] = 3);
    let fault = SignerFault::WrongShare { session: 1 };
    assert_eq!(bench.receive(2, &stolen).unwrap_err(), AnswerRejected::Marked(fault));
    assert!(matches!(bench.receive(0, &answer), Ok(AnswerOutcome::Waiting)));
    let request = bench.join(&[1]);
    let answers = [0, 1].map(|at| bench.answer(at, &request).unwrap());
    assert!(matches!(bench.receive(0, &answers[0]), Ok(AnswerOutcome::Waiting)));
    let Ok(AnswerOutcome::Done(signature)) = bench.receive(1, &answers[1]) else {
        panic!("not done")
    };
    let key = bench.public.verifying_key();
    assert!(S::holds(key.as_bytes().as_ref(), TEXT, signature.to_bytes().as_ref()));
}

/// The first and the last message of a run, once more and in every name.
fn first_and_last_messages_again<S: Ciphersuite>() {
    let mut bench = Bench::<S>::new(2, 3);
    let first = bench.message(0);
    let request = bench.join(&[0, 1]);
    let answers = [0, 1].map(|at| bench.answer(at, &request).unwrap());
    assert_eq!(bench.receive(0, &first).unwrap_err(), AnswerRejected::Duplicate);
    assert!(matches!(bench.receive(0, &answers[0]), Ok(AnswerOutcome::Waiting)));
    for again in [&first, &answers[0]] {
        assert_eq!(bench.receive(0, again).unwrap_err(), AnswerRejected::Duplicate);
    }
    // In the name of a signer that has sent nothing: a signer that repeats another's message is marked for it.
    let why = bench.receive(2, &answers[0]).unwrap_err();
    assert!(matches!(why, AnswerRejected::Marked(SignerFault::Malformed(_))), "{why:?}");
    assert!(matches!(bench.receive(1, &answers[1]), Ok(AnswerOutcome::Done(_))));
    for (at, late) in [(0, &first), (0, &answers[0]), (1, &answers[1]), (2, &answers[1])] {
        assert_eq!(bench.receive(at, late).unwrap_err(), AnswerRejected::Over);
    }
    let marked: Vec<_> = bench.coordinator.marked().map(|(party, _)| party).collect();
    assert_eq!(marked, [id(3)]);
    assert_eq!(bench.coordinator.sessions(), 1);
    let run: SessionId = bench.signers[0].run();
    assert_eq!(run, run_id());
}

suite_tests!(
    a_log_without_its_last_message_has_an_honest_signer_marked,
    messages_of_another_run_mark_no_party,
    a_table_that_records_and_then_fails,
    an_unconfirmed_share_spends_nothing,
    mirrored_commitments_hold_up_one_session,
    first_and_last_messages_again,
);
