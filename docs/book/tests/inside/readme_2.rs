//! The record of the loop opens to what was made, confirmed or not.

use std::collections::BTreeMap;

use quorate::frost::ShareState;
use quorate::frost::ed25519::Coordinator;
use quorate::runner::{Record, RunEnd};
use quorate::session::{sim::Network, zeroize::Zeroizing};
use quorate::{PartyId, Progress, Session, Unconfirmed};

use super::*;

/// The bytes that the loop's application keeps of an end.
fn kept(end: RunEnd<DkgOutput>) -> Zeroizing<Vec<u8>> {
    end.into_output().to_bytes()
}

fn open(record: &[u8]) -> Option<DkgOutput> {
    Option::<DkgOutput>::from_bytes(record).flatten()
}

/// The public package, the share and the share's state, to be compared.
fn parts(key: &DkgOutput) -> (Vec<u8>, Zeroizing<Vec<u8>>, ShareState) {
    (key.public.to_bytes(), key.share.to_bytes(), key.share.state())
}

#[test]
fn what_was_made_opens_again() {
    let parties = Parties::numbered(3).unwrap();
    let made = Network::new(1)
        .run::<Dkg>(SessionId::new([1; 32]), &parties, |_| DkgParams::new(2))
        .unwrap();
    for key in made.results.into_values().map(Result::unwrap) {
        assert_eq!(key.share.state(), ShareState::Ready);
        let made = parts(&key);
        assert_eq!(parts(&open(&kept(RunEnd::Done(key))).unwrap()), made);
    }
}

/// Gives a key generation whose last messages never arrive.
fn unconfirmed() -> BTreeMap<PartyId, Unconfirmed<DkgOutput>> {
    let parties = Parties::numbered(2).unwrap();
    let mut steps: BTreeMap<_, _> = parties
        .iter()
        .map(|me| {
            let (sid, rng) = (SessionId::new([6; 32]), &mut UnwrapErr(SysRng));
            (me, Session::<Dkg>::start(sid, me, &parties, DkgParams::new(2), rng).unwrap())
        })
        .collect();
    for _ in 0..2 {
        let sent: Vec<_> = steps
            .iter_mut()
            .flat_map(|(&from, step)| {
                std::mem::take(&mut step.outgoing).into_iter().map(move |message| (from, message))
            })
            .collect();
        for (from, message) in sent {
            for (&me, step) in &mut steps {
                if me != from {
                    step.session.receive(from, &message.bytes).unwrap();
                }
            }
        }
        steps = steps
            .into_iter()
            .map(|(me, step)| match step.session.advance() {
                Ok(Progress::Round(next)) => (me, next),
                other => panic!("{me}: {other:?}"),
            })
            .collect();
    }
    steps.into_iter().map(|(me, step)| (me, step.session.give_up().unwrap())).collect()
}

#[test]
fn an_unconfirmed_key_is_kept_as_well() {
    for (_, Unconfirmed { output, abort, .. }) in unconfirmed() {
        assert_eq!(output.share.state(), ShareState::Unconfirmed);
        let made = parts(&output);
        let record =
            kept(RunEnd::Unconfirmed { output, abort, told_by: None, damaged: Vec::new() });
        assert_eq!(parts(&open(&record).unwrap()), made);
    }
}

#[test]
fn a_run_without_a_key_keeps_nothing() {
    let abort = quorate::Abort::Missing {
        round: quorate::session::Round::FIRST,
        parties: Vec::new(),
        rejected: Vec::new(),
    };
    let stopped = RunEnd::Stopped { abort, told_by: None, damaged: Vec::new() };
    for end in [stopped, RunEnd::Lost("damaged".into()), RunEnd::Discontinued] {
        assert!(matches!(Option::<DkgOutput>::from_bytes(&kept(end)), Some(None)));
    }
}

/// The whole loop: three parties run it, and what they keep is one key, whose shares sign.
#[test]
fn what_the_loop_keeps_is_the_key_that_was_made() {
    let parties = Parties::numbered(3).unwrap();
    let sid = SessionId::new([12; 32]);
    let job = Job { sid, parties: parties.clone(), body: Vec::new(), deadline: 60_000 };
    let ends = MemoryTransport::network(&parties).into_iter();
    let kept: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = ends.map(|end| scope.spawn(|| party(end, &job).unwrap())).collect();
        let outcomes = threads.into_iter().map(|thread| thread.join().unwrap());
        let record = |outcome: Outcome| outcome.record::<Option<DkgOutput>>().unwrap().unwrap();
        outcomes.map(|outcome| record(outcome)).map(|key| (key.public, key.share)).collect()
    });
    assert!(kept.iter().all(|(public, _)| *public == kept[0].0));
    assert!(kept.iter().map(|(_, share)| share.id()).eq(parties.iter()));
    let mut rng = UnwrapErr(SysRng);
    let coordinator = Coordinator::new(kept[0].0.clone());
    let signers = [&kept[0].1, &kept[2].1];
    let [one, two] = signers.map(|share| share.commit(&mut rng));
    let sent = [(signers[0].id(), one.1.to_bytes()), (signers[1].id(), two.1.to_bytes())];
    let mut session = coordinator.start(sent, b"kept").unwrap();
    for (share, nonces) in signers.into_iter().zip([one.0, two.0]) {
        let signed = share.sign(session.package(), nonces).unwrap();
        session.receive(share.id(), &signed.to_bytes()).unwrap();
    }
    let signature = coordinator.aggregate(session).unwrap();
    kept[1].0.verifying_key().verify(b"kept", &signature).unwrap();
}

#[test]
fn a_record_that_is_cut_off_is_refused() {
    for record in [&[][..], &[1], &[2], &[0, 0], &[1, 0, 0, 0, 9], &[255; 12]] {
        assert!(Option::<DkgOutput>::from_bytes(record).is_none(), "{record:?}");
    }
}
