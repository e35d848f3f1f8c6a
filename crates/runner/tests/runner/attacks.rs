//! Attacks on a runner by peers, by the network and by an operator, and their outcomes.

use crate::common;

use common::{
    BOUNDS, DEADLINE, Shared, Toy, Worker, begin, done, exchange, header, id, job, sent, three,
    worker,
};
use quorate_runner::{
    Bounds, Continuity, EndKind, Error, IncomingPacket, Job, Kind, MessageTable, Outcome,
    ReceiveOutcome, Refusal, RunTable, StartOutcome, Stored, Transport,
};
use quorate_session::{PartyId, Protocol, Session, frame::Header};
use quorate_testkit::Stuck;

#[test]
fn three_runs_at_once_are_done_and_nothing_is_left() {
    let mut all = three();
    for number in 1..=3 {
        all.iter_mut().for_each(|(worker, _)| begin(worker, &job(number, 3, DEADLINE)));
    }
    assert_eq!(done(&exchange(&mut all, 1)), 9);
    for (worker, store) in &mut all {
        let counts = store.store.borrow_mut().counts().unwrap();
        assert_eq!((counts.open, counts.messages, counts.parked), (0, 0, 0));
        assert_eq!((worker.in_memory(), worker.metrics().done), (0, 3));
        assert_eq!((worker.metrics().rounds, worker.metrics().stale), (6, 0));
    }
}

#[test]
fn early_frames_are_parked_over_a_restart() {
    let mut all = three();
    let one = job(1, 3, DEADLINE);
    begin(&mut all[0].0, &one);
    begin(&mut all[1].0, &one);
    assert_eq!(done(&exchange(&mut all, 1)), 0);
    assert_eq!(all[2].0.metrics().parked, 2);
    // The third is made anew, and only then gets the job. No peer has to send again.
    all[2].0 = worker(id(3), &all[2].1, BOUNDS).unwrap();
    begin(&mut all[2].0, &one);
    assert_eq!(done(&exchange(&mut all, 1)), 3);
}

#[test]
fn a_job_that_comes_again_with_another_seed_begins_nothing() {
    let mut all = three();
    let one = job(1, 3, DEADLINE);
    begin(&mut all[0].0, &one);
    let first = sent(&mut all[0].0, 0);
    let again = |worker: &mut Worker, job: &Job| worker.start::<Toy>(job, 1, &mut Stuck::at(99));
    assert_eq!(again(&mut all[0].0, &one), Ok(StartOutcome::Running));
    // On another worker, too, and one that has nothing in memory.
    let mut other = worker(id(1), &all[0].1, BOUNDS).unwrap();
    assert_eq!(again(&mut other, &one), Ok(StartOutcome::Running));
    assert_eq!(sent(&mut other, 10), first, "the frames of the first seed alone");
    all[1..].iter_mut().for_each(|(worker, _)| begin(worker, &one));
    all[0].0 = other;
    let events = exchange(&mut all, 40);
    assert_eq!(done(&events), 3);
    let outcome: Vec<Outcome> = events.into_iter().map(|event| event.outcome).collect();
    assert!(outcome.iter().all(|one| *one == outcome[0]));
    // After its end it gives the outcome, and still another body or other parties are refused.
    let messages = |store: &Shared| store.store.borrow_mut().counts().unwrap().messages;
    assert_eq!(again(&mut all[0].0, &one), Ok(StartOutcome::Ended(outcome[0].clone())));
    let body = Job { body: vec![7], ..one.clone() };
    let parties = Job { parties: job(1, 2, 0).parties, ..one.clone() };
    for other in [body, parties] {
        assert_eq!(again(&mut all[0].0, &other), Err(Error::Refused(Refusal::OtherJob)));
    }
    assert_eq!(messages(&all[0].1), 0);
    assert_eq!(all[0].0.metrics().refused.of(Refusal::OtherJob), 2);
}

#[test]
fn late_frames_of_a_finished_run_are_acknowledged_and_change_nothing() {
    let mut all = three();
    let one = job(1, 3, DEADLINE);
    all.iter_mut().for_each(|(worker, _)| begin(worker, &one));
    let first = sent(&mut all[1].0, 0);
    assert_eq!(done(&exchange(&mut all, 20)), 3);
    let (to, packet) = first.iter().find(|(to, _)| *to == id(1)).unwrap();
    assert_eq!(*to, id(1));
    for _ in 0..3 {
        assert_eq!(all[0].0.receive(id(2), packet, 30), Ok(ReceiveOutcome::Late));
    }
    assert!(all[0].0.work(30).unwrap().is_empty());
    // One acknowledgement, of 32 bytes.
    assert!(
        sent(&mut all[0].0, 30).iter().map(|(to, packet)| (*to, packet.len())).eq([(id(2), 33)])
    );
    assert_eq!((all[0].0.metrics().late, all[0].0.metrics().opened), (3, 0));
}

#[test]
fn nobody_speaks_in_anothers_name() {
    let mut all = three();
    let one = job(1, 3, DEADLINE);
    all.iter_mut().for_each(|(worker, _)| begin(worker, &one));
    let (_, packet) = sent(&mut all[1].0, 0).remove(0);
    let context = header(&packet).unwrap().context;
    let victim = &mut all[0].0;
    let refused = |why| Ok(ReceiveOutcome::Refused(why));
    // Party 3 sends the frame of party 2; somebody reflects the victim's own; a stranger acknowledges.
    assert_eq!(victim.receive(id(3), &packet, 1), refused(Refusal::OtherSender));
    let (_, own) = sent(victim, 0).remove(0);
    assert_eq!(victim.receive(id(1), &own, 1), refused(Refusal::OtherSender));
    assert_eq!(victim.receive(id(2), &own, 1), refused(Refusal::OtherSender));
    let name = quorate_runner::packet::id(&own);
    assert_eq!(
        victim.receive(id(9), &[&[1], &name[..]].concat(), 1),
        Ok(ReceiveOutcome::Acknowledged(0))
    );
    // A stranger says that it has stopped, and so does party 3, which is waited for. Only party 3's own message ends the
    // run of party 1, and nobody is blamed.
    let stopped = [&[2, Header::parse(&own[1..]).unwrap().code], &context[..]].concat();
    assert_eq!(victim.receive(id(9), &stopped, 1), Ok(ReceiveOutcome::Stored));
    assert!(victim.work(1).unwrap().is_empty());
    assert_eq!(victim.receive(id(1), &stopped, 1), refused(Refusal::OtherSender));
    assert_eq!(victim.receive(id(3), &stopped, 1), Ok(ReceiveOutcome::Stored));
    let ended = victim.work(1).unwrap().remove(0).outcome;
    assert_eq!(ended.kind, EndKind::Stopped);
    let record = String::from_utf8_lossy(&ended.record_bytes).into_owned();
    assert!(record.starts_with("0 culprits") && record.contains("told_by: Some(3)"), "{record}");
}

#[test]
fn the_word_that_a_peer_has_stopped_ends_no_run_that_has_all_it_needs() {
    let mut all = three();
    let one = job(1, 3, DEADLINE);
    all.iter_mut().for_each(|(worker, _)| begin(worker, &one));
    // Party 1 gets everything of party 2 but the last confirmation, then its message that it has stopped, then the rest.
    let mut held = Vec::new();
    let mut ended = 0;
    for _ in 0..6 {
        for from in 0..3 {
            let me = all[from].0.id();
            for (to, packet) in sent(&mut all[from].0, 1) {
                let round = header(&packet).map_or(0, |header| header.round.get());
                if (me, to, round) == (id(2), id(1), 3) {
                    let code = packet[2];
                    held.push([&[2, code], &header(&packet).unwrap().context[..]].concat());
                    held.push(packet);
                    continue;
                }
                all[usize::from(to.get()) - 1].0.receive(me, &packet, 1).unwrap();
            }
            ended += done(&all[from].0.work(1).unwrap());
        }
    }
    assert_eq!((ended, held.len()), (2, 2));
    // Both come before there is time to work.
    for packet in &held {
        assert_eq!(all[0].0.receive(id(2), packet, 2), Ok(ReceiveOutcome::Stored));
    }
    assert_eq!(done(&all[0].0.work(2).unwrap()), 1);
}

#[test]
fn an_abort_is_passed_on() {
    let mut all = three();
    let one = job(1, 3, DEADLINE);
    for (worker, _) in &mut all {
        let deadline = if worker.id() == id(2) { 100 } else { DEADLINE };
        begin(worker, &Job { deadline, ..one.clone() });
    }
    // Party 2 never hears of party 3, and gives up early. The others are in round 2.
    for from in 0..3 {
        let me = all[from].0.id();
        for (to, packet) in sent(&mut all[from].0, 1) {
            if (me, to) != (id(3), id(2)) {
                all[usize::from(to.get()) - 1].0.receive(me, &packet, 1).unwrap();
            }
        }
    }
    assert!(all.iter_mut().all(|(worker, _)| worker.work(1).unwrap().is_empty()));
    let gave_up = all[1].0.work(100).unwrap().remove(0);
    assert_eq!(gave_up.outcome.kind, EndKind::Stopped);
    let mut told = 0;
    for event in exchange(&mut all, 100) {
        assert_eq!(event.outcome.kind, EndKind::Stopped);
        let record = String::from_utf8_lossy(&event.outcome.record_bytes).into_owned();
        assert!(record.starts_with("0 culprits") && record.contains("told_by: Some("), "{record}");
        told += 1;
    }
    assert_eq!(told, 2, "long before their deadline");
}

#[test]
fn contradictions_convict_their_sender_and_a_third_is_refused() {
    let mut all = three();
    let one = job(1, 3, DEADLINE);
    all.iter_mut().for_each(|(worker, _)| begin(worker, &one));
    let (_, good) = sent(&mut all[1].0, 0).into_iter().find(|(to, _)| *to == id(1)).unwrap();
    let altered = |by: u8| {
        let mut packet = good.clone();
        *packet.last_mut().unwrap() ^= by;
        packet
    };
    let victim = &mut all[0].0;
    assert_eq!(victim.receive(id(2), &good, 1), Ok(ReceiveOutcome::Stored));
    // Both halves outlive the worker.
    assert_eq!(victim.receive(id(2), &altered(1), 1), Ok(ReceiveOutcome::Stored));
    let third = Ok(ReceiveOutcome::Refused(Refusal::Contradiction));
    assert_eq!(victim.receive(id(2), &altered(2), 1), third);
    let mut victim = worker(id(1), &all[0].1, BOUNDS).unwrap();
    let ended = victim.work(1).unwrap().remove(0).outcome;
    let record = String::from_utf8_lossy(&ended.record_bytes).into_owned();
    assert!(record.starts_with("1 culprits") && record.contains("Equivocation"), "{record}");
}

/// A runner on a restored store gives no second answer from the same state: it sends byte for byte what it sent before, or,
/// after other frames, draws anew.
#[test]
fn a_restored_store_sends_the_same_or_draws_anew() {
    let mut all = three();
    let one = job(1, 3, DEADLINE);
    all.iter_mut().for_each(|(worker, _)| begin(worker, &one));
    let context = Session::<Toy>::context_of(one.sid, &one.parties, &one.body);
    let row = all[0].1.store.borrow_mut().run(&context).unwrap().unwrap();
    let theirs: Vec<_> = [1, 2]
        .map(|peer| {
            let packets = sent(&mut all[peer].0, 0);
            packets.into_iter().find(|(to, _)| *to == id(1)).unwrap().1
        })
        .into();
    let round_2 = |from_3: &[u8]| {
        // The row of the first slot, in a new store: a backup.
        let store = Shared::default();
        let mut again = worker(id(1), &store, BOUNDS).unwrap();
        let sealed = quorate_session::Sealed::from_bytes(&row.sealed).unwrap();
        let run = quorate_runner::store::NewRun {
            kind: Kind::of::<Toy>(),
            sid: one.sid,
            tag: [0; 4],
            digest: [0; 32],
            job: &row.job,
            sealed: &sealed,
            deadline: DEADLINE,
            longest: 1000,
            messages: &[],
        };
        store.store.borrow_mut().begin(&run, &BOUNDS).unwrap();
        again.receive(id(2), &theirs[0], 1).unwrap();
        again.receive(id(3), from_3, 1).unwrap();
        again.work(1).unwrap();
        let frames = sent(&mut again, 1)
            .into_iter()
            .filter_map(|(to, packet)| Some((to, header(&packet)?, packet)));
        frames
            .filter(|(_, header, _)| header.to.is_some())
            .map(|(.., packet)| packet[72..].to_vec())
            .collect::<Vec<_>>()
    };
    let mut altered = theirs[1].clone();
    *altered.last_mut().unwrap() ^= 1;
    let (first, same, other) = (round_2(&theirs[1]), round_2(&theirs[1]), round_2(&altered));
    assert_eq!((first.len(), &first), (2, &same));
    assert!(first.iter().zip(&other).all(|(one, other)| one != other));
}

#[test]
fn garbage_is_refused_for_a_reason_that_can_be_counted() {
    let (mut victim, store) = three().into_iter().next().unwrap();
    begin(&mut victim, &job(1, 3, DEADLINE));
    let (_, own) = sent(&mut victim, 0).remove(0);
    let with = |at: usize, value: u8| {
        let mut packet = own.clone();
        (packet[at], packet[5]) = (value, packet[5]);
        packet
    };
    let before = store.operations.get();
    for (packet, why) in [
        (vec![], Refusal::Malformed),
        (vec![9], Refusal::Malformed),
        (vec![0; 20], Refusal::Malformed),
        (vec![1], Refusal::Malformed),
        (vec![1; 34], Refusal::Malformed),
        (vec![1; 1 + 65 * 32], Refusal::Malformed),
        (vec![2, Header::parse(&own[1..]).unwrap().code], Refusal::Malformed),
        ([vec![2, 9], vec![0; 32]].concat(), Refusal::OtherProtocol),
        (with(1, 9), Refusal::OtherProtocol),
        (with(2, 9), Refusal::OtherProtocol),
        (vec![0; BOUNDS.packet + 1], Refusal::TooLong),
    ] {
        assert_eq!(
            victim.receive(id(2), &packet, 1),
            Ok(ReceiveOutcome::Refused(why)),
            "{packet:?}"
        );
    }
    // From party 2: a frame of an impossible round, and one for another party.
    let mut from_2 = own.clone();
    from_2[5] = 2;
    let with = |at: usize, value: u8| {
        let mut packet = from_2.clone();
        packet[at] = value;
        packet
    };
    assert_eq!(
        victim.receive(id(2), &with(3, 0), 1),
        Ok(ReceiveOutcome::Refused(Refusal::Malformed))
    );
    assert_eq!(
        victim.receive(id(2), &with(3, 4), 1),
        Ok(ReceiveOutcome::Refused(Refusal::Malformed))
    );
    assert_eq!(
        victim.receive(id(2), &with(7, 3), 1),
        Ok(ReceiveOutcome::Refused(Refusal::OtherRecipient))
    );
    assert_eq!(store.operations.get(), before, "no operation of the store");
    // Of these, only a frame that is longer than the run allows reaches the store.
    let long = [from_2, vec![0; 2_000]].concat();
    assert_eq!(victim.receive(id(2), &long, 1), Ok(ReceiveOutcome::Refused(Refusal::TooLong)));
    assert_eq!(victim.metrics().refused.total(), 15);
    assert_eq!(victim.metrics().refused.of(Refusal::TooLong), 2);
}

/// A flood of one peer, of all kinds, before honest runs and between them: each run costs as many operations as without.
#[test]
fn a_flood_costs_honest_runs_nothing_that_grows() {
    let cost = |flood: usize| {
        let mut all = three();
        let mut parked = 0;
        for number in 1..=4_u8 {
            let victim = &mut all[0].0;
            for index in 0..flood {
                // Frames of runs that do not exist, in the flooder's own name.
                let mut packet = vec![0, 1, 210, 1, 0, 9, 0, 0];
                packet.extend((number as usize * 100_000 + index).to_be_bytes());
                packet.resize(200, 7);
                parked +=
                    usize::from(victim.receive(id(9), &packet, 1) == Ok(ReceiveOutcome::Parked));
            }
            let one = job(number, 3, DEADLINE);
            all.iter_mut().for_each(|(worker, _)| begin(worker, &one));
            let context = Session::<Toy>::context_of(one.sid, &one.parties, &one.body);
            let victim = &mut all[0].0;
            for index in 0..flood {
                // Frames of an open run, by a stranger; acknowledgements; the message that it has stopped.
                let mut packet = vec![0, 1, 210, 1 + (index % 3) as u8, 0, 9, 0, 0];
                packet.extend(context);
                packet.extend(index.to_be_bytes());
                victim.receive(id(9), &packet, 1).unwrap();
                victim.receive(id(9), &[vec![1], vec![index as u8; 32]].concat(), 1).unwrap();
                victim.receive(id(9), &[vec![2, 210], context.to_vec()].concat(), 1).unwrap();
            }
            // The operations that the honest run takes from here on.
            all[0].1.operations.set(0);
            assert_eq!(done(&exchange(&mut all, 1)), 3);
        }
        let counts = all[0].1.store.borrow_mut().counts().unwrap();
        assert!(counts.parked <= BOUNDS.parked && counts.open == 0);
        (all[0].1.operations.get(), parked, all[0].0.metrics().refused.of(Refusal::Parked))
    };
    let [(without, ..), (some, parked, none), (more, ..)] = [0, 300, 1_000].map(cost);
    assert!(parked == 1_200 && none == 0);
    assert_eq!((some, more), (some, some), "{without} without a flood");
    assert!(some <= without + 12, "{some}, {without} without a flood");
    let (_, parked, refused) = cost(3_000);
    assert!(refused > 0 && parked as u64 + refused == 12_000, "{parked} parked, {refused} refused");
}

#[test]
fn over_a_bound_jobs_wait_and_start_later() {
    let store = Shared::default();
    let mut one = worker(id(1), &store, Bounds { open: 2, ..BOUNDS }).unwrap();
    begin(&mut one, &job(1, 3, 50));
    begin(&mut one, &job(2, 3, DEADLINE));
    let third = job(3, 3, DEADLINE);
    let start = |one: &mut Worker, job: &Job, now| one.start::<Toy>(job, now, &mut Stuck::at(1));
    assert_eq!(start(&mut one, &third, 0), Err(Error::Refused(Refusal::Busy)));
    assert_eq!(one.work(50).unwrap().len(), 1);
    assert_eq!(start(&mut one, &third, 50), Ok(StartOutcome::Begun));
    assert_eq!(start(&mut one, &job(4, 3, 50), 50), Err(Error::Refused(Refusal::Late)));
    let locked = Job { body: b"locked".to_vec(), ..job(5, 3, DEADLINE) };
    one.work(DEADLINE).unwrap();
    assert_eq!(start(&mut one, &locked, 60), Err(Error::Refused(Refusal::NoParams)));
    let mut full = worker(id(1), &store, Bounds { outbox: 0, ..BOUNDS }).unwrap();
    assert_eq!(
        start(&mut full, &job(6, 3, 2 * DEADLINE), 60),
        Err(Error::Refused(Refusal::Outbox))
    );
    let why = Refusal::Busy.to_string();
    assert_eq!(
        Error::<common::Killed>::Refused(Refusal::Busy).to_string(),
        format!("refused: {why}")
    );
}

#[test]
fn sessions_beyond_the_memory_are_opened_when_something_comes() {
    let mut all = [1, 2, 3].map(|me| {
        let store = Shared::default();
        (worker(id(me), &store, Bounds { in_memory: 2, ..BOUNDS }).unwrap(), store)
    });
    for number in 1..=9 {
        all.iter_mut().for_each(|(worker, _)| begin(worker, &job(number, 3, DEADLINE)));
    }
    assert_eq!(done(&exchange(&mut all, 1)), 27);
    assert!(all.iter().all(|(worker, _)| worker.metrics().opened > 0 && worker.in_memory() == 0));
}

/// Rows that somebody with access to the database can make: altered ones, and ones in another's place.
#[test]
fn rows_of_another_are_not_used() {
    let mut all = three();
    let (one, two) = (job(1, 3, DEADLINE), job(2, 3, DEADLINE));
    for job in [&one, &two] {
        all.iter_mut().for_each(|(worker, _)| begin(worker, job));
    }
    // A message for party 2 alone, in a row for party 3.
    exchange(&mut all[..2], 1);
    let victim = Shared::default();
    let mut other = worker(id(1), &victim, BOUNDS).unwrap();
    let first = |store: &Shared| store.store.borrow_mut().due(900, &BOUNDS, 100).unwrap();
    let messages = first(&all[0].1);
    let swapped = messages.into_iter().map(|message| quorate_runner::store::OutgoingMessage {
        to: vec![id(3)],
        id: message.id,
        sealed: message.sealed,
        due: 0,
        until: DEADLINE,
    });
    let swapped: Vec<_> = swapped.collect();
    let context = Session::<Toy>::context_of(one.sid, &one.parties, &one.body);
    let row = all[0].1.store.borrow_mut().run(&context).unwrap().unwrap();
    let sealed = quorate_session::Sealed::from_bytes(&row.sealed).unwrap();
    let run = quorate_runner::store::NewRun {
        kind: Kind::of::<Toy>(),
        sid: two.sid,
        tag: [0; 4],
        digest: [0; 32],
        job: &row.job,
        sealed: &sealed,
        deadline: DEADLINE,
        longest: 1000,
        messages: &swapped,
    };
    victim.store.borrow_mut().begin(&run, &BOUNDS).unwrap();
    let frames: Vec<_> = sent(&mut other, 1)
        .into_iter()
        .filter_map(|(to, packet)| Some((to, header(&packet)?.to)))
        .collect();
    assert!(frames.iter().all(|(to, named)| named.is_none_or(|named| named == *to)));
    // A damaged session cannot be continued, and does not hinder any other.
    let store = Shared::default();
    let mut other = worker(id(1), &store, BOUNDS).unwrap();
    let damaged = quorate_runner::store::NewRun { job: b"damaged", messages: &[], ..run };
    store.store.borrow_mut().begin(&damaged, &BOUNDS).unwrap();
    assert!(other.recover().is_ok() && other.work(1).unwrap().is_empty());
    begin(&mut other, &job(7, 3, DEADLINE));
    assert!(other.work(1).unwrap().is_empty() && sent(&mut other, 1).len() == 2);
}

/// A run whose parameters are not at hand, or whose session another key sealed, waits for its deadline and is closed.
#[test]
fn a_run_that_cannot_be_opened_is_closed_at_its_deadline() {
    let mut all = three();
    begin(&mut all[0].0, &job(1, 3, DEADLINE));
    let context = {
        let one = job(1, 3, DEADLINE);
        Session::<Toy>::context_of(one.sid, &one.parties, &one.body)
    };
    let row = all[0].1.store.borrow_mut().run(&context).unwrap().unwrap();
    let sealed = quorate_session::Sealed::from_bytes(&row.sealed).unwrap();
    // The session of job 1 under the job 2, whose parameters are others.
    begin(&mut all[1].0, &job(2, 3, DEADLINE));
    let other = job(2, 3, DEADLINE);
    let its = Session::<Toy>::context_of(other.sid, &other.parties, &other.body);
    let its_job = {
        let key = quorate_session::SealKey::new([2; 32]);
        let row = all[1].1.store.borrow_mut().run(&its).unwrap().unwrap();
        let plain = key.open_bytes("runner job", &row.job).unwrap();
        quorate_session::SealKey::new([1; 32]).seal_bytes("runner job", &plain)
    };
    let store = Shared::default();
    let run = quorate_runner::store::NewRun {
        kind: Kind::of::<Toy>(),
        sid: other.sid,
        tag: [0; 4],
        digest: [0; 32],
        job: &its_job,
        sealed: &sealed,
        deadline: DEADLINE,
        longest: 1000,
        messages: &[],
    };
    store.store.borrow_mut().begin(&run, &BOUNDS).unwrap();
    let mut worker = worker(id(1), &store, BOUNDS).unwrap();
    assert!(matches!(worker.work(1), Err(Error::Seal(_))));
    assert!(worker.work(2).unwrap().is_empty(), "it is not tried again and again");
    let ended = worker.work(DEADLINE).unwrap();
    assert_eq!(ended[0].outcome.kind, EndKind::Lost);
    assert_eq!(store.store.borrow_mut().counts().unwrap().open, 0);
}

/// Two functions that fail every other time.
struct Bad {
    calls: u32,
    sent: Vec<(PartyId, Vec<u8>)>,
}

impl Transport for Bad {
    type Error = ();

    fn send(&mut self, to: PartyId, packet: &[u8]) -> Result<(), ()> {
        self.calls += 1;
        if self.calls.is_multiple_of(2) {
            return Err(());
        }
        self.sent.push((to, packet.to_vec()));
        Ok(())
    }

    fn receive(&mut self) -> Result<Option<IncomingPacket>, ()> {
        Err(())
    }
}

#[test]
fn a_transport_that_fails_loses_nothing() {
    let (mut one, _) = three().into_iter().next().unwrap();
    begin(&mut one, &job(1, 3, DEADLINE));
    let mut bad = Bad { calls: 0, sent: Vec::new() };
    assert_eq!(one.turn(&mut bad, 0).unwrap().failures, 2);
    assert_eq!(one.next_due(), Ok(Some(10)));
    assert_eq!(one.turn(&mut bad, 10).unwrap().failures, 2);
    assert_eq!(bad.sent.len(), 2);
    assert_eq!(one.metrics().sent, 4);
}

/// A store that fails when a second run ends: the event of the first comes with the next call, and so does that of the
/// second, unless it had ended already.
#[test]
fn no_event_is_lost_with_another_runs_error() {
    for (happens, events) in [(false, 2), (true, 1)] {
        let (mut one, store) = three().into_iter().next().unwrap();
        let jobs = [job(1, 3, 50), job(2, 3, 50)];
        jobs.iter().for_each(|job| begin(&mut one, job));
        // For each run: which are over, the row, its inbox, the swap.
        store.fuse.set(Some((7, happens)));
        assert_eq!(one.work(50), Err(Error::Store(common::Killed)));
        assert_eq!(one.work(50).unwrap().len(), events);
        assert!(jobs.iter().all(|job| one.outcome(job).unwrap().is_some()));
        assert_eq!(store.store.borrow_mut().counts().unwrap().open, 0);
    }
}

/// SE-18: party 3 has the same job with another body. However its frames come, the ends of the others' runs say that it was
/// refused, and for which parameter.
#[test]
fn the_end_of_a_run_names_the_parameter_that_differs() {
    let (one, other) = (job(1, 3, 500), Job { body: vec![9], ..job(1, 3, 400) });
    // Party 1 and 2 begin before or after the frames of party 3 come; or party 1 is made anew after they have.
    for (late, anew, longer) in
        [(false, false, false), (true, false, false), (false, true, false), (false, false, true)]
    {
        let mut all = three();
        begin(&mut all[2].0, &other);
        if !late {
            all[..2].iter_mut().for_each(|(worker, _)| begin(worker, &one));
        }
        for (to, mut packet) in sent(&mut all[2].0, 0) {
            if longer {
                packet.resize(5_000, 7);
            }
            let victim = &mut all[usize::from(to.get()) - 1].0;
            let received = victim.receive(id(3), &packet, 1).unwrap();
            if late {
                assert_eq!(received, ReceiveOutcome::Parked);
                continue;
            }
            for _ in 0..2 {
                assert_eq!(received, ReceiveOutcome::Refused(Refusal::OtherParameters));
                victim.receive(id(3), &packet, 1).unwrap();
            }
            assert_eq!(victim.metrics().refused.of(Refusal::OtherParameters), 3);
            // It is not acknowledged, so that it would come again.
            assert!(sent(victim, 1).iter().all(|(_, packet)| packet[0] == 0));
        }
        if late {
            all[..2].iter_mut().for_each(|(worker, _)| begin(worker, &one));
        }
        all.iter_mut().for_each(|(worker, _)| assert!(worker.work(2).unwrap().is_empty()));
        if anew {
            all[0].0 = worker(id(1), &all[0].1, BOUNDS).unwrap();
        }
        for (worker, store) in &mut all[..2] {
            let ended = worker.work(500).unwrap().remove(0).outcome;
            let record = String::from_utf8_lossy(&ended.record_bytes).into_owned();
            let says = "rejected: [Rejection { from: 3, count: 1, last: OtherParameters { \
                which: \"body\" } }]";
            assert!(record.starts_with("0 culprits") && record.contains(says), "{record}");
            assert_eq!(store.store.borrow_mut().counts().unwrap().open, 0);
        }
    }
}

/// A frame whose session id has the tag of another's, which is rare, is refused only until its own run begins.
#[test]
fn a_tag_that_two_sessions_share_loses_nothing() {
    let mut all = three();
    let (one, two) = (job(1, 3, DEADLINE), job(2, 3, DEADLINE));
    begin(&mut all[0].0, &one);
    begin(&mut all[1].0, &two);
    let tag: Vec<u8> = sent(&mut all[0].0, 0)[0].1[40..44].to_vec();
    let (_, mut packet) = sent(&mut all[1].0, 0).remove(0);
    packet[40..44].copy_from_slice(&tag);
    let victim = &mut all[0].0;
    let refused = Ok(ReceiveOutcome::Refused(Refusal::OtherParameters));
    assert_eq!(victim.receive(id(2), &packet, 1), refused);
    begin(victim, &two);
    assert_eq!(victim.receive(id(2), &packet, 1), Ok(ReceiveOutcome::Stored));
}

/// A row that is not what was stored is closed when the time of its run is over, and hinders none that comes after it.
#[test]
fn a_damaged_row_is_closed_at_its_deadline() {
    // The session is damaged: the application is told, and so are the peers.
    let (mut one, store) = three().into_iter().next().unwrap();
    begin(&mut one, &job(1, 3, 50));
    sent(&mut one, 0);
    store.damaged.set(true);
    one.recover().unwrap();
    assert!(one.work(49).unwrap().is_empty());
    assert_eq!(store.store.borrow_mut().counts().unwrap().open, 1);
    let ended = one.work(50).unwrap();
    assert_eq!((ended[0].sid, ended[0].outcome.kind), (job(1, 3, 0).sid, EndKind::Lost));
    assert!(
        String::from_utf8_lossy(&ended[0].outcome.record_bytes).contains("not what was stored")
    );
    assert_eq!((one.metrics().damaged, one.metrics().stopped), (1, 1));
    assert_eq!(sent(&mut one, 50).iter().filter(|(_, packet)| packet[0] == 2).count(), 2);
    assert_eq!(one.outcome(&job(1, 3, 50)).unwrap().unwrap().kind, EndKind::Lost);
    // More jobs are damaged than a runner gives up at a time: if they stayed due, no other run would ever end.
    let store = Shared::default();
    let mut one = worker(id(1), &store, BOUNDS).unwrap();
    begin(&mut one, &job(1, 3, 50));
    let its = Session::<Toy>::context_of(job(1, 3, 0).sid, &job(1, 3, 0).parties, &vec![1]);
    let row = store.store.borrow_mut().run(&its).unwrap().unwrap();
    let sealed = quorate_session::Sealed::from_bytes(&row.sealed).unwrap();
    let damaged = Shared::default();
    for number in 2..=40 {
        let its = job(number, 3, 0);
        let step =
            Session::<Toy>::start(its.sid, id(1), &its.parties, its.body, &mut Stuck::at(number));
        let sealed = step.unwrap().session.seal(&quorate_session::SealKey::new([1; 32]));
        let run = quorate_runner::store::NewRun {
            kind: Kind::of::<Toy>(),
            sid: its.sid,
            tag: [0; 4],
            digest: [0; 32],
            job: b"damaged",
            sealed: &sealed,
            deadline: 40,
            longest: 1000,
            messages: &[],
        };
        damaged.store.borrow_mut().begin(&run, &BOUNDS).unwrap();
    }
    drop(sealed);
    let mut one = worker(id(1), &damaged, BOUNDS).unwrap();
    begin(&mut one, &job(1, 3, 50));
    let mut ended = Vec::new();
    for now in [39, 50] {
        ended.extend(one.work(now).unwrap());
    }
    assert_eq!(ended.len(), 40);
    let lost = ended.iter().filter(|end| end.outcome.kind == EndKind::Lost);
    assert!(lost.clone().all(|end| end.outcome.record_bytes.is_empty()) && lost.count() == 39);
    assert_eq!((one.metrics().damaged, damaged.store.borrow_mut().counts().unwrap().open), (39, 0));
}

/// A broadcast is in the outbox once, however many peers need it.
#[test]
fn a_broadcast_is_stored_once() {
    let bytes = |parties| {
        let store = Shared::default();
        let mut one = worker(id(1), &store, BOUNDS).unwrap();
        begin(&mut one, &job(1, parties, DEADLINE));
        let counts = store.store.borrow_mut().counts().unwrap();
        assert_eq!(counts.messages, usize::from(parties) - 1);
        counts.outbox
    };
    assert_eq!(bytes(2), bytes(30));
}

/// A record that the application keeps elsewhere is forgotten; the kind of the run's end is not.
#[test]
fn a_record_is_forgotten_and_the_end_is_not() {
    let mut all = three();
    let one = job(1, 3, DEADLINE);
    all.iter_mut().for_each(|(worker, _)| begin(worker, &one));
    assert_eq!(all[0].0.forget_record(&one), Ok(false));
    assert_eq!(done(&exchange(&mut all, 1)), 3);
    let worker = &mut all[0].0;
    assert!(!worker.outcome(&one).unwrap().unwrap().record_bytes.is_empty());
    assert_eq!(worker.forget_record(&one), Ok(true));
    let record_bytes = Vec::new().into();
    let left = Outcome { kind: EndKind::Done, record_bytes, damaged: Vec::new(), unopened: None };
    assert_eq!(worker.start::<Toy>(&one, 2, &mut Stuck::at(9)), Ok(StartOutcome::Ended(left)));
    assert_eq!(worker.forget_record(&job(9, 3, 0)), Ok(false));
}

/// Two runners of different protocols on one store: each looks after its own runs.
#[test]
fn protocols_share_a_store() {
    let store = Shared::default();
    let mut one = worker(id(1), &store, BOUNDS).unwrap();
    begin(&mut one, &job(1, 3, 50));
    let key = std::sync::Arc::new(quorate_session::SealKey::new([1; 32]));
    let builder = quorate_runner::Runner::builder(id(1), key, Continuity::StayedUp);
    let builder = builder.protocol::<common::Other>().bounds(BOUNDS);
    let mut other = builder.open(store.clone(), common::OtherApp).unwrap();
    assert!(other.work(40).unwrap().is_empty() && other.work(50).unwrap().is_empty());
    let context = Session::<Toy>::context_of(job(1, 3, 0).sid, &job(1, 3, 0).parties, &vec![1]);
    // A peer has both say something about the run of the other.
    let word = [&[2, common::Other::CODE], &context[..]].concat();
    assert_eq!(other.receive(id(2), &word, 50), Ok(ReceiveOutcome::Stored));
    assert!(other.work(50).unwrap().is_empty());
    assert_eq!(other.metrics().refused.of(Refusal::NoParams), 0);
    assert_eq!(one.work(50).unwrap().len(), 1);
}

/// The store commits, and its answer is lost: the same worker goes on from what is there.
#[test]
fn an_answer_of_the_store_that_is_lost_holds_no_run_up() {
    // A packet.
    let (mut all, job) = (three(), job(1, 3, DEADLINE));
    all.iter_mut().for_each(|(worker, _)| begin(worker, &job));
    let [two, three_] = [1, 2].map(|place| sent(&mut all[place].0, 0));
    let to_one =
        |sent: &[(PartyId, Vec<u8>)]| sent.iter().find(|(to, _)| *to == id(1)).unwrap().1.clone();
    let (two, three_) = (to_one(&two), to_one(&three_));
    assert_eq!(all[0].0.receive(id(2), &two, 1), Ok(ReceiveOutcome::Stored));
    all[0].0.work(1).unwrap();
    all[0].1.fuse.set(Some((0, true)));
    assert_eq!(all[0].0.receive(id(3), &three_, 1), Err(Error::Store(common::Killed)));
    all[0].0.work(1).unwrap();
    assert_eq!(all[0].0.metrics().rounds, 1);
    assert_eq!(all[0].0.receive(id(3), &three_, 2), Ok(ReceiveOutcome::Duplicate));

    // A start, when all that the first round needs is parked.
    let store = Shared::default();
    let mut one = worker(id(1), &store, BOUNDS).unwrap();
    assert_eq!(one.receive(id(2), &two, 1), Ok(ReceiveOutcome::Parked));
    assert_eq!(one.receive(id(3), &three_, 1), Ok(ReceiveOutcome::Parked));
    // The job is looked up, and it begins.
    store.fuse.set(Some((1, true)));
    assert_eq!(one.start::<Toy>(&job, 1, &mut Stuck::at(1)), Err(Error::Store(common::Killed)));
    assert_eq!(one.start::<Toy>(&job, 1, &mut Stuck::at(9)), Ok(StartOutcome::Running));
    one.work(1).unwrap();
    assert_eq!(one.metrics().rounds, 1);
}

/// A store whose key is replaced, row by row, between one life of a worker and the next: the run goes on.
#[test]
fn what_is_stored_goes_on_under_another_key() {
    let (old, new) =
        (quorate_session::SealKey::new([1; 32]), quorate_session::SealKey::new([2; 32]));
    let mut all = three();
    let one = job(1, 3, DEADLINE);
    all.iter_mut().for_each(|(worker, _)| begin(worker, &one));
    let (_, packet) = sent(&mut all[1].0, 1).remove(0);
    let two = all[1].0.id();
    all[0].0.receive(two, &packet, 1).unwrap();
    let mut store = all[0].1.clone();
    let context = Session::<Toy>::context_of(one.sid, &one.parties, &one.body);
    let row = store.run(&context).unwrap().unwrap();
    let frame = store.inbox(&context).unwrap().remove(0).sealed;
    // It was sent at once, and is due again.
    let message = store.due(1 + BOUNDS.resend, &BOUNDS, 1).unwrap().remove(0).sealed;
    let mut ends = done(&exchange(&mut all, 2));
    ends += done(&exchange(&mut all, 50));
    assert_eq!(ends, 3);
    let outcome = store.job(&one.sid).unwrap().unwrap().outcome.unwrap();
    let kinds = [
        (Stored::Job, row.job),
        (Stored::Session, row.sealed),
        (Stored::Frame, frame),
        (Stored::OutgoingMessage, message),
        (Stored::Outcome, outcome),
    ];
    for (kind, bytes) in &kinds {
        let moved = kind.reseal(bytes, &old, &new).unwrap();
        assert!(moved != *bytes && kind.reseal(&moved, &old, &new).is_err(), "{kind:?}");
        assert_eq!(kind.reseal(&moved, &new, &old).as_ref(), Ok(bytes), "{kind:?}");
        for (other, _) in kinds.iter().filter(|(other, _)| other != kind) {
            assert!(other.reseal(bytes, &old, &new).is_err(), "{kind:?} as {other:?}");
        }
    }
}
