//! What is due: sent once by whoever stored it, found by everybody else, and asked for once in a while.

use crate::common;

use common::{BOUNDS, DEADLINE, Shared, begin, exchange, id, job, sent, three, worker};
use quorate_runner::store::MessageTable;
use quorate_runner::{
    Bounds, EndKind, Error, Job, ReceiveOutcome, Refusal, RunTable, StartOutcome,
};
use quorate_session::SessionId;
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

/// There is room for a few packets at a time.
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

/// As many runs are open as may be. From the first refusal on the store is asked before the application is.
#[test]
fn a_runner_that_was_refused_asks_before_it_works() {
    let store = Shared::default();
    let mut party = worker(id(1), &store, Bounds { open: 2, ..BOUNDS }).unwrap();
    begin(&mut party, &job(1, 3, 5));
    begin(&mut party, &job(2, 3, 6));
    // The application has no parameters for this one.
    let locked = Job { body: b"locked".to_vec(), ..job(3, 3, DEADLINE) };
    let mut refused = |job: &Job, now| {
        party.work(now).unwrap();
        party.start::<common::Toy>(job, now, &mut Stuck::at(1)).err()
    };
    let [no_params, busy] = [Refusal::NoParams, Refusal::Busy].map(|why| Some(Error::Refused(why)));
    assert_eq!(refused(&locked, 0), no_params);
    assert_eq!(refused(&job(4, 3, DEADLINE), 0), busy);
    assert_eq!(refused(&locked, 0), busy);
    // One place of two is free, then both.
    assert_eq!(refused(&locked, 5), no_params);
    assert_eq!(refused(&locked, 6), no_params);
    assert_eq!(refused(&job(4, 3, DEADLINE), 6), None);
}

/// More is stored at once than is kept in memory: the rest is read from the store, at once, too.
#[test]
fn what_memory_has_no_room_for_is_not_late() {
    let store = Shared::default();
    let mut party = worker(id(1), &store, Bounds { open: 5000, ..BOUNDS }).unwrap();
    assert_eq!((sent(&mut party, 0).len(), party.next_due()), (0, Ok(None)));
    let mut bytes = 0;
    for number in 0..4000_u16 {
        let mut sid = [0; 32];
        sid[..2].copy_from_slice(&number.to_be_bytes());
        begin(&mut party, &Job { sid: SessionId::new(sid), ..job(1, 3, DEADLINE) });
    }
    let mut packets = std::collections::BTreeSet::new();
    for _ in 0..100 {
        for packet in party.outgoing(0, 100).unwrap() {
            bytes += packet.bytes.len();
            assert!(packets.insert((packet.to, packet.bytes.to_vec())), "sent twice");
        }
    }
    assert!(bytes > 0 && packets.len() == 8000, "{}", packets.len());
    assert!(store.store.borrow_mut().counts().unwrap().outbox > 1 << 19, "both peers: 1 MiB");
}

/// Nothing is sent for longer than the pause before the second attempt: then the store gives what is in memory, too.
#[test]
fn what_waited_in_memory_for_long_is_sent_once() {
    let mut party = worker(id(1), &Shared::default(), BOUNDS).unwrap();
    begin(&mut party, &job(1, 3, DEADLINE));
    assert_eq!(sent(&mut party, BOUNDS.resend + 5).len(), 2);
    assert!(sent(&mut party, BOUNDS.resend + 6).is_empty());
}

/// All that the first round needs has come before the run begins.
#[test]
fn what_was_parked_is_read_when_its_run_begins() {
    let (mut all, one) = (three(), job(1, 3, DEADLINE));
    for from in [1, 2] {
        begin(&mut all[from].0, &one);
        let me = all[from].0.id();
        for (to, packet) in sent(&mut all[from].0, 0) {
            if to == id(1) {
                assert_eq!(all[0].0.receive(me, &packet, 0), Ok(ReceiveOutcome::Parked));
            }
        }
    }
    begin(&mut all[0].0, &one);
    all[0].0.work(0).unwrap();
    assert_eq!(all[0].0.metrics().rounds, 1);
}
