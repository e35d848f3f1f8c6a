//! Rows that the store has damaged: they are counted, and the outcome names the peers that they stand between.

use crate::common;

use common::{BOUNDS, DEADLINE, Shared, Toy, begin, done, exchange, id, job, sent, three, worker};
use quorate_runner::store::{Arrival, ArrivalKind, NewRun, NewStep, OutgoingMessage, Place};
use quorate_runner::{EndKind, Job, Kind, MessageTable, RunTable};
use quorate_session::{Sealed, Session};

fn context(job: &Job) -> [u8; 32] {
    Session::<Toy>::context_of(job.sid, &job.parties, &job.body)
}

/// Stores a frame of party 2 of round 1, of which a byte is not what was stored.
fn put_damaged(store: &Shared, job: &Job) {
    let place = Place { from: id(2), round: 1, kind: ArrivalKind::Broadcast };
    let mut sealed = quorate_session::SealKey::new([1; 32]).seal_bytes("runner inbox", b"frame");
    sealed[20] ^= 1;
    let (context, id) = (context(job), [1; 32]);
    let arrival = Arrival { context, place, id, sealed: &sealed, opening: None, until: DEADLINE };
    store.store.borrow_mut().put(&arrival, &BOUNDS).unwrap();
}

#[test]
fn a_damaged_frame_is_counted_and_its_sender_is_named_in_the_outcome() {
    let store = Shared::default();
    let mut party = worker(id(1), &store, BOUNDS).unwrap();
    let one = job(1, 3, DEADLINE);
    begin(&mut party, &one);
    put_damaged(&store, &one);
    party.recover().unwrap();
    assert!(party.work(1).unwrap().is_empty());
    assert_eq!(party.metrics().damaged_frames, 1);
    // Looked at again, it is not counted again.
    party.recover().unwrap();
    assert!(party.work(2).unwrap().is_empty());
    assert_eq!(party.metrics().damaged_frames, 1);
    let ended = party.work(DEADLINE).unwrap().remove(0).outcome;
    assert_eq!((ended.kind, &ended.damaged[..]), (EndKind::Stopped, &[id(2)][..]));
    let record = String::from_utf8_lossy(&ended.record_bytes).into_owned();
    assert!(record.contains("damaged: [2]"), "the application is told: {record}");
    assert_eq!(party.outcome(&one).unwrap().unwrap().damaged, [id(2)]);
}

#[test]
fn a_damaged_message_is_counted_and_its_recipient_is_named_in_the_outcome() {
    let store = Shared::default();
    let mut party = worker(id(1), &store, BOUNDS).unwrap();
    let one = job(1, 3, DEADLINE);
    begin(&mut party, &one);
    let row = store.store.borrow_mut().run(&context(&one)).unwrap().unwrap();
    let after = Sealed::from_bytes(&row.sealed).unwrap();
    let sealed = b"damaged".to_vec();
    let message = OutgoingMessage { to: vec![id(3)], id: [7; 32], sealed, due: 0, until: DEADLINE };
    let (messages, until) = (&[message][..], DEADLINE);
    let step = NewStep { after: &after, taken: &[], messages, outcome: None, until };
    assert!(store.store.borrow_mut().swap(after.slot(), &step).unwrap());
    assert_eq!(sent(&mut party, 0).len(), 2);
    assert_eq!(party.metrics().damaged_messages, 1);
    assert_eq!((sent(&mut party, 10).len(), party.metrics().damaged_messages), (2, 2));
    let ended = party.work(DEADLINE).unwrap().remove(0).outcome;
    assert_eq!((ended.kind, &ended.damaged[..]), (EndKind::Stopped, &[id(3)][..]));
}

/// A run that hears its frames in spite of a damaged copy of one ends well, and no other is told of it.
#[test]
fn a_run_without_damage_names_nobody() {
    let mut all = three();
    let (one, two) = (job(1, 3, DEADLINE), job(2, 3, DEADLINE));
    for job in [&one, &two] {
        all.iter_mut().for_each(|(worker, _)| begin(worker, job));
    }
    put_damaged(&all[0].1, &one);
    assert_eq!(done(&exchange(&mut all, 1)), 6);
    let mut damaged = |job| all[0].0.outcome(job).unwrap().unwrap().damaged;
    assert!(damaged(&one).is_empty() && damaged(&two).is_empty());
    assert_eq!(all[0].0.metrics().damaged_messages, 0);
}

/// A store whose row of the run has an earlier deadline than the job.
fn brought_forward(job: &Job, deadline: u64) -> Shared {
    let store = Shared::default();
    begin(&mut worker(id(1), &store, BOUNDS).unwrap(), job);
    let row = store.store.borrow_mut().run(&context(job)).unwrap().unwrap();
    let run = NewRun {
        kind: Kind::of::<Toy>(),
        sid: job.sid,
        tag: [0; 4],
        digest: [0; 32],
        job: &row.job,
        sealed: &Sealed::from_bytes(&row.sealed).unwrap(),
        deadline,
        longest: 1000,
        messages: &[],
    };
    let altered = Shared::default();
    altered.store.borrow_mut().begin(&run, &BOUNDS).unwrap();
    altered
}

#[test]
fn a_deadline_that_the_store_brings_forward_ends_the_run_and_holds_nobody_up() {
    let one = job(1, 3, DEADLINE);
    let store = brought_forward(&one, 40);
    let mut party = worker(id(1), &store, BOUNDS).unwrap();
    assert!(party.work(39).unwrap().is_empty());
    let mut ended = Vec::new();
    for _ in 0..9 {
        let Some(work) = party.next_work(40).unwrap() else { break };
        ended.extend(party.finish(work.run()).unwrap());
    }
    assert!(party.next_work(40).unwrap().is_none(), "the work has an end");
    assert_eq!(ended.len(), 1);
    assert_eq!((ended[0].sid, ended[0].outcome.kind), (one.sid, EndKind::Stopped));
    assert_eq!(store.store.borrow_mut().counts().unwrap().open, 0);
}
