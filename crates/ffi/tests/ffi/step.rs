//! Sessions as pure functions, and claims for tables that answer later.

use std::collections::BTreeMap;
use std::sync::Arc;

use quorate_ffi::{
    ErrorKind, KeyShare, MlDsaLevel, Outcome, Outgoing, Progress, Received, Scheme, SealKey,
    Session, Stepped, TableEntry, Task, start_steps, step,
};

use crate::frost::sign;
use crate::support::{Table, kind, seal_key, session_id};

const PARTIES: [u16; 3] = [1, 2, 3];

fn task(scheme: Scheme) -> Task {
    Task::Keygen { scheme, threshold: 2 }
}

/// The frames of `outgoing` that are for this party.
fn for_party(from: u16, outgoing: &[Outgoing], party: u16) -> Vec<Received> {
    let is_for = |one: &&Outgoing| from != party && one.recipient.is_none_or(|to| to == party);
    let frame = |one: &Outgoing| Received { sender: from, bytes: one.bytes.clone() };
    outgoing.iter().filter(is_for).map(frame).collect()
}

fn started(number: u8, scheme: Scheme) -> BTreeMap<u16, Stepped> {
    let start = |me| {
        let parties = PARTIES.to_vec();
        start_steps(session_id(number), me, parties, task(scheme), seal_key()).unwrap()
    };
    PARTIES.map(|me| (me, start(me))).into()
}

/// Steps with one frame each, in the order in which they were sent, until all have ended.
fn by_single_frames(number: u8, scheme: Scheme) -> BTreeMap<u16, Arc<KeyShare>> {
    let mut runs = started(number, scheme);
    let mut due: Vec<(u16, Received)> = Vec::new();
    let send = |due: &mut Vec<_>, from: u16, outgoing: &[Outgoing]| {
        for to in PARTIES {
            due.extend(for_party(from, outgoing, to).into_iter().map(|frame| (to, frame)));
        }
    };
    runs.iter().for_each(|(me, run)| send(&mut due, *me, &run.outgoing));
    while !due.is_empty() {
        let (to, frame) = due.remove(0);
        let run = &runs[&to];
        assert_eq!(run.progress, Some(Progress::Waiting));
        let next = step(run.state.bytes.clone(), seal_key(), task(scheme), vec![frame]).unwrap();
        assert!(next.rejections.is_empty());
        send(&mut due, to, &next.outgoing);
        runs.insert(to, next);
    }
    let share = |(me, run): (u16, Stepped)| {
        assert_eq!(run.progress, Some(Progress::Done));
        let Some(Outcome::KeyMade { share }) = run.outcome else { panic!("no key") };
        // A run that has ended takes no step.
        let again = step(run.state.bytes, seal_key(), task(scheme), Vec::new());
        assert_eq!(kind(again), ErrorKind::Seal);
        (me, share)
    };
    runs.into_iter().map(share).collect()
}

#[test]
fn a_key_is_made_by_steps_of_one_frame_each() {
    let schemes = [Scheme::FrostEd25519, Scheme::EcdsaP256];
    for (number, scheme) in (70..).zip(schemes) {
        let shares = by_single_frames(number, scheme);
        let public = shares[&1].public().unwrap();
        assert!(shares.values().all(|share| share.public().unwrap() == public));
        if scheme == Scheme::FrostEd25519 {
            let signature = sign(&[&shares[&1], &shares[&3]], b"by steps");
            public.verify(b"by steps".to_vec(), signature.bytes).unwrap();
        }
    }
}

/// Party 3's frames for party 1 in round two of the run that `a_step_repeats_and_refuses` has.
fn rest_of_round_two(scheme: Scheme) -> Vec<Received> {
    let runs = started(72, scheme);
    let heard = [1, 2].map(|from| for_party(from, &runs[&from].outgoing, 3)).concat();
    let next = step(runs[&3].state.bytes.clone(), seal_key(), task(scheme), heard).unwrap();
    for_party(3, &next.outgoing, 1)
}

#[test]
fn a_step_repeats_and_refuses() {
    let scheme = Scheme::FrostEd25519;
    let runs = started(72, scheme);
    let frames = for_party(2, &runs[&2].outgoing, 1);
    let state = &runs[&1].state.bytes;
    let twice = [&frames[..], &frames[..]].concat();
    // One of two peers is heard, twice.
    let next = step(state.clone(), seal_key(), task(scheme), twice).unwrap();
    assert!(next.outgoing.is_empty());
    assert_eq!(next.waiting_for, [3]);
    // The same state and frames give the same messages.
    let rest = for_party(3, &runs[&3].outgoing, 1);
    let ends = [(); 2].map(|()| {
        step(next.state.bytes.clone(), seal_key(), task(scheme), rest.clone()).unwrap().outgoing
    });
    assert!(!ends[0].is_empty());
    assert_eq!(ends[0], ends[1]);
    // A frame was heard: the state is a later one of the same run.
    let (before, after) = (&runs[&1].state, &next.state);
    assert_eq!(before.run, after.run);
    assert!(before.length < after.length);
    // The state is a session: after a crash the messages are there again.
    let session = Session::open(next.state.bytes.clone(), seal_key(), task(scheme)).unwrap();
    assert_eq!(session.outgoing().unwrap(), runs[&1].outgoing);
    session.give_up().unwrap();
    assert_eq!(kind(session.outcome()), ErrorKind::Missing);
    // Frames without an end from one peer: the state does not grow.
    let frames: Vec<_> = (0..200_u8)
        .map(|n| {
            let mut bytes = rest_of_round_two(scheme)[0].bytes.clone();
            *bytes.last_mut().unwrap() ^= n;
            Received { sender: 3, bytes }
        })
        .collect();
    let flooded = step(next.state.bytes.clone(), seal_key(), task(scheme), frames).unwrap();
    assert!(flooded.state.bytes.len() < next.state.bytes.len() + 2000);
    // A stranger is told of, too.
    let stranger = vec![Received { sender: 9, bytes: vec![9; 40] }];
    let told = step(next.state.bytes.clone(), seal_key(), task(scheme), stranger).unwrap();
    assert_eq!(told.rejections.iter().map(|one| one.party).collect::<Vec<_>>(), [9]);
    // What is no frame changes nothing, and is told of.
    let junk = Received { sender: 3, bytes: vec![9; 40] };
    let told = step(next.state.bytes.clone(), seal_key(), task(scheme), vec![junk]).unwrap();
    assert_eq!(told.rejections.len(), 1);
    assert_eq!((told.rejections[0].party, told.waiting_for), (3, vec![3]));
    // Another key, another task, altered bytes, the bytes of nothing.
    let other = || SealKey::new(&[8; 32]).unwrap();
    let refused = |state, key, task| kind(step(state, key, task, Vec::new()));
    assert_eq!(refused(next.state.bytes.clone(), other(), task(scheme)), ErrorKind::Seal);
    let ecdsa = task(Scheme::EcdsaP256);
    assert_eq!(refused(next.state.bytes.clone(), seal_key(), ecdsa), ErrorKind::Seal);
    let mut altered = next.state.bytes.clone();
    altered[20] ^= 1;
    assert_eq!(refused(altered, seal_key(), task(scheme)), ErrorKind::Seal);
    assert_eq!(refused(Vec::new(), seal_key(), task(scheme)), ErrorKind::Seal);
}

#[test]
fn a_contradiction_ends_the_run_and_names_its_sender() {
    let scheme = Scheme::FrostEd25519;
    let (one, other) = (started(73, scheme), started(73, scheme));
    let frames = |runs: &BTreeMap<_, Stepped>| for_party(2, &runs[&2].outgoing, 1);
    let state = one[&1].state.bytes.clone();
    let heard = step(state, seal_key(), task(scheme), frames(&one)).unwrap();
    let ended = step(heard.state.bytes, seal_key(), task(scheme), frames(&other)).unwrap();
    assert!(ended.progress.is_none() && ended.outcome.is_none());
    assert_eq!(ended.blames.iter().map(|blame| blame.party).collect::<Vec<_>>(), [2]);
    assert_eq!(kind(Err::<(), _>(ended.reason.unwrap())), ErrorKind::Misbehaviour);
}

/// A claim of stored nonces, with the answers that a table can give.
#[test]
fn a_claim_is_released_once_by_the_answer_of_the_table() {
    let shares = crate::support::key(74, Scheme::FrostEd25519);
    let public = shares[&1].public().unwrap();
    let package = |stocks: &[Arc<quorate_ffi::NonceStock>], message: &[u8]| {
        let commitments = (1..).zip(stocks).map(|(sender, stock)| Received {
            sender,
            bytes: stock.commitments().unwrap().remove(0),
        });
        let commitments = commitments.collect();
        let public = Arc::clone(&public);
        quorate_ffi::SigningSession::start(public, commitments, message.to_vec()).unwrap()
    };
    let stocks = [1_u16, 2].map(|party| shares[&party].precompute(4).unwrap());
    let session = package(&stocks, b"claimed");
    for (party, stock) in (1_u16..).zip(&stocks) {
        let share = || Arc::clone(&shares[&party]);
        let claim = stock.claim(share(), session.package().unwrap()).unwrap();
        assert_eq!((claim.id().len(), claim.digest().len()), (32, 32));
        // Recorded before a crash, and read back: the same digest.
        let digest = claim.digest();
        let signed = claim.release(TableEntry::Before { digest }).unwrap();
        session.receive(party, signed).unwrap();
        assert_eq!(kind(claim.release(TableEntry::New)), ErrorKind::Consumed);
    }
    let signature = session.aggregate().unwrap();
    public.verify(b"claimed".to_vec(), signature.bytes).unwrap();

    for (answer, is) in [
        (TableEntry::Before { digest: vec![0; 32] }, ErrorKind::Spent),
        (TableEntry::Before { digest: vec![0; 31] }, ErrorKind::Table),
    ] {
        let session = package(&stocks, b"refused");
        let claim = stocks[0].claim(Arc::clone(&shares[&1]), session.package().unwrap()).unwrap();
        assert_eq!(kind(claim.release(answer)), is);
        assert_eq!(kind(claim.release(TableEntry::New)), ErrorKind::Consumed);
        drop(stocks[1].claim(Arc::clone(&shares[&2]), session.package().unwrap()).unwrap());
    }
}

#[test]
fn an_attempt_of_ml_dsa_takes_no_steps_and_is_not_used_up() {
    let shares = crate::mldsa::key(75, MlDsaLevel::MlDsa44);
    let attempt = crate::mldsa::attempt(&shares[&1], 0, 76, b"message", Table::new()).unwrap();
    let (task, signers) = (Task::MlDsaSign { attempt }, vec![1, 3]);
    let steps = start_steps(session_id(76), 1, signers.clone(), task.clone(), seal_key());
    assert_eq!(kind(steps), ErrorKind::Arguments);
    Session::start(session_id(76), 1, signers, task).unwrap();
}
