//! What is due: sent once by whoever stored it, found by everybody else, and asked for once in a while.

use crate::common;

use common::{BOUNDS, DEADLINE, Shared, begin, exchange, id, job, sent, three, worker};
use quorate_runner::store::MessageTable;
use quorate_runner::{EndKind, StartOutcome};
use quorate_testkit::Stuck;

/// The operations on a store that something takes.
fn operations<T>(store: &Shared, act: impl FnOnce() -> T) -> (u64, T) {
    let before = store.operations.get();
    let value = act();
    (store.operations.get() - before, value)
}

#[test]
fn what_was_just_stored_is_sent_without_asking_the_store() {
    let store = Shared::default();
    let mut party = worker(id(1), &store, BOUNDS).unwrap();
    assert_eq!(sent(&mut party, 0).len(), 0);
    assert_eq!(party.next_due(), Ok(None));
    begin(&mut party, &job(1, 3, DEADLINE));
    let (asked, packets) = operations(&store, || sent(&mut party, 0));
    assert_eq!((asked, packets.len()), (0, 2));
    // Nothing is due, and nothing is asked.
    let (asked, due) = operations(&store, || (sent(&mut party, 9).len(), party.next_due()));
    assert_eq!((asked, due), (0, (0, Ok(Some(10)))));
    assert_eq!(operations(&store, || party.work(9).unwrap().len()), (0, 0));
    // Nobody has acknowledged them: they are sent again, the second time after the second attempt's pause.
    assert_eq!(sent(&mut party, 10), packets);
    assert_eq!(party.next_due(), Ok(Some(20)));
    assert_eq!((sent(&mut party, 19).len(), sent(&mut party, 20)), (0, packets));
    assert_eq!(party.next_due(), Ok(Some(40)));
}

/// The process ends after the messages were stored. The next one does not know whether they were sent.
#[test]
fn what_a_process_may_not_have_sent_is_sent_by_the_next_one_at_once() {
    for was_sent in [false, true] {
        let store = Shared::default();
        let mut party = worker(id(1), &store, BOUNDS).unwrap();
        begin(&mut party, &job(1, 3, DEADLINE));
        if was_sent {
            assert_eq!(sent(&mut party, 1).len(), 2);
        }
        drop(party);
        let mut next = worker(id(1), &store, BOUNDS).unwrap();
        // Those of a run of its own are not sent twice.
        begin(&mut next, &job(2, 3, DEADLINE));
        let mut packets = Vec::new();
        for _ in 0..5 {
            let some = next.outgoing(2, 1).unwrap();
            packets.extend(some.into_iter().map(|packet| (packet.to, packet.bytes.to_vec())));
        }
        assert_eq!(packets.len(), 4);
        packets.sort();
        packets.dedup();
        assert_eq!(packets.len(), 4);
    }
}

/// Another worker on the same store stores something and dies.
#[test]
fn what_another_worker_stored_is_found_after_a_while() {
    let store = Shared::default();
    let mut one = worker(id(1), &store, BOUNDS).unwrap();
    assert_eq!((sent(&mut one, 0).len(), one.next_due()), (0, Ok(None)));
    let mut other = worker(id(1), &store, BOUNDS).unwrap();
    other.start::<common::Toy>(&job(1, 3, 13), 0, &mut Stuck::at(1)).unwrap();
    drop(other);
    assert!(sent(&mut one, 9).is_empty());
    assert_eq!(sent(&mut one, 10).len(), 2);
    let ended = one.work(13).unwrap();
    assert_eq!(ended.iter().map(|run| run.outcome.kind).collect::<Vec<_>>(), [EndKind::Stopped]);
}

/// An answer of the store holds until something earlier is stored here.
#[test]
fn an_earlier_deadline_is_met() {
    let store = Shared::default();
    let mut party = worker(id(1), &store, BOUNDS).unwrap();
    begin(&mut party, &job(1, 3, DEADLINE));
    sent(&mut party, 0);
    assert_eq!(party.next_due(), Ok(Some(10)));
    begin(&mut party, &job(2, 3, 4));
    // Its first messages have not been sent.
    assert_eq!(party.next_due(), Ok(Some(0)));
    assert_eq!(sent(&mut party, 0).len(), 2);
    assert_eq!(party.next_due(), Ok(Some(4)));
    assert_eq!(party.work(3).unwrap().len(), 0);
    assert_eq!(party.work(4).unwrap().len(), 1);
    // Its peers are told at once.
    assert_eq!((party.next_due(), sent(&mut party, 4).len()), (Ok(Some(4)), 2));
}

/// A long message stays in the store until there is room for it.
#[test]
fn a_sink_without_room_is_given_no_message_twice() {
    let mut all = three();
    for number in 1..=20 {
        all.iter_mut().for_each(|(party, _)| begin(party, &job(number, 3, DEADLINE)));
    }
    let mut packets = Vec::new();
    for _ in 0..50 {
        packets.extend(all[0].0.outgoing(0, 3).unwrap().into_iter().map(|one| (one.to, one.bytes)));
    }
    assert_eq!(packets.len(), 40);
    assert!(all[0].1.store.borrow_mut().due(9, &BOUNDS, 100).unwrap().is_empty());
    for (to, bytes) in packets {
        all[usize::from(to.get()) - 1].0.receive(id(1), &bytes, 0).unwrap();
    }
    let ended = exchange(&mut all, 1);
    assert_eq!(common::done(&ended), 60);
}

/// The store commits, and its answer is lost: what it has is sent at once, and nobody sleeps too long.
#[test]
fn what_may_be_stored_is_due_at_once() {
    let (mut all, one) = (three(), job(1, 3, DEADLINE));
    let store = all[0].1.clone();
    assert_eq!((sent(&mut all[0].0, 0).len(), all[0].0.next_due()), (0, Ok(None)));
    // A start: the job is looked up, and it begins.
    store.fuse.set(Some((1, true)));
    assert!(all[0].0.start::<common::Toy>(&one, 1, &mut Stuck::at(1)).is_err());
    let again = all[0].0.start::<common::Toy>(&one, 1, &mut Stuck::at(1));
    assert_eq!(again, Ok(StartOutcome::Running));
    assert!(all[0].0.next_due().unwrap().is_some());
    let first = sent(&mut all[0].0, 1);
    assert_eq!(first.len(), 2);
    // A step.
    all[1..].iter_mut().for_each(|(party, _)| begin(party, &one));
    for from in 1..3 {
        let me = all[from].0.id();
        for (to, packet) in sent(&mut all[from].0, 2) {
            if to == id(1) {
                all[0].0.receive(me, &packet, 2).unwrap();
            }
        }
    }
    all[0].0.next_due().unwrap();
    // The run and its inbox are read, and the step is stored.
    store.fuse.set(Some((2, true)));
    all[0].0.work(2).unwrap_err();
    all[0].0.work(2).unwrap();
    assert!(all[0].0.next_due().unwrap().is_some_and(|due| due <= 2 + BOUNDS.resend));
    // The acknowledgements are two packets, and so are the broadcasts and what is for one.
    assert!(sent(&mut all[0].0, 2).len() > 4);
    for (to, packet) in first {
        all[usize::from(to.get()) - 1].0.receive(id(1), &packet, 2).unwrap();
    }
    assert_eq!(common::done(&exchange(&mut all, 3)) + common::done(&exchange(&mut all, 30)), 3);
}

/// Another worker on the same store has died, and somebody says so.
#[test]
fn what_a_dead_worker_left_is_due_at_once() {
    for told_by_a_job in [false, true] {
        let store = Shared::default();
        let mut one = worker(id(1), &store, BOUNDS).unwrap();
        assert_eq!((sent(&mut one, 0).len(), one.next_due()), (0, Ok(None)));
        let mut other = worker(id(1), &store, BOUNDS).unwrap();
        let left = job(1, 3, 13);
        other.start::<common::Toy>(&left, 0, &mut Stuck::at(1)).unwrap();
        drop(other);
        if told_by_a_job {
            let again = one.start::<common::Toy>(&left, 1, &mut Stuck::at(1));
            assert_eq!(again, Ok(StartOutcome::Running));
        } else {
            one.recover().unwrap();
        }
        assert_eq!(one.work(1).unwrap().len(), 0);
        assert_eq!(one.next_due(), Ok(Some(10)));
    }
}

/// A step takes longer than the pause before the second attempt.
#[test]
fn what_took_long_to_make_is_sent_once() {
    let mut all = three();
    all.iter_mut().for_each(|(party, _)| begin(party, &job(1, 3, DEADLINE)));
    for from in 1..3 {
        let me = all[from].0.id();
        for (to, packet) in sent(&mut all[from].0, 0) {
            if to == id(1) {
                all[0].0.receive(me, &packet, 0).unwrap();
            }
        }
    }
    assert_eq!(sent(&mut all[0].0, 0).len(), 4, "two acknowledgements, two frames");
    let work = all[0].0.next_work(0).unwrap().unwrap();
    // Others are worked on meanwhile.
    assert!(all[0].0.next_work(25).unwrap().is_none());
    all[0].0.finish(work.run()).unwrap();
    let mut packets = sent(&mut all[0].0, 25);
    let count = packets.len();
    packets.sort();
    packets.dedup();
    assert_eq!(packets.len(), count);
    assert!(sent(&mut all[0].0, 34).is_empty());
}

/// As many runs are open as may be. The store is asked before anything is computed, from the second refusal on.
#[test]
fn a_runner_that_was_refused_asks_before_it_works() {
    let store = Shared::default();
    let bounds = quorate_runner::Bounds { open: 1, ..BOUNDS };
    let mut party = worker(id(1), &store, bounds).unwrap();
    begin(&mut party, &job(1, 3, 5));
    for _ in 0..2 {
        let refused = party.start::<common::Toy>(&job(2, 3, DEADLINE), 0, &mut Stuck::at(1));
        let busy = quorate_runner::Error::Refused(quorate_runner::Refusal::Busy);
        assert_eq!(refused, Err(busy));
    }
    party.work(5).unwrap();
    let begun = party.start::<common::Toy>(&job(2, 3, DEADLINE), 5, &mut Stuck::at(1));
    assert_eq!(begun, Ok(StartOutcome::Begun));
}
