//! A store whose rows somebody has exchanged or restored, and parties that are late.

use quorate_runner::store::{RunRow, RunTable as _};
use quorate_runner::{
    Bounds, EndKind, EndedRun, Job, OutgoingPacket, ReceiveOutcome, StartOutcome,
};
use quorate_session::{Parties, PartyId, Protocol as _, Session};
use quorate_testkit::Stuck;

use super::common::{Shared, Toy, Worker, id, job, worker};

const BOUNDS: Bounds = Bounds::new(10);

fn begin(worker: &mut Worker, job: &Job) {
    let seed = worker.id().get().to_be_bytes()[1];
    assert_eq!(worker.start::<Toy>(job, 0, &mut Stuck::at(seed)), Ok(StartOutcome::Begun));
}

fn context(job: &Job) -> [u8; 32] {
    Session::<Toy>::context_of(job.sid, &job.parties, &job.body)
}

fn row(store: &Shared, job: &Job) -> RunRow {
    store.store.borrow_mut().run(&context(job)).unwrap().unwrap()
}

/// From now on the store gives this row for the run of the job.
fn put(store: &Shared, job: &Job, row: RunRow) {
    store.rows.borrow_mut().insert(context(job), row);
}

fn sent(worker: &mut Worker, now: u64) -> Vec<(PartyId, Vec<u8>)> {
    let packets = worker.outgoing(now, 100).unwrap();
    packets.into_iter().map(|OutgoingPacket { to, bytes }| (to, bytes.to_vec())).collect()
}

/// Works, and comes to rest soon; gives what has ended.
fn work(worker: &mut Worker, now: u64) -> Vec<EndedRun> {
    let mut ended = Vec::new();
    for _ in 0..100 {
        match worker.next_work(now) {
            Ok(None) => return ended,
            Ok(Some(work)) => ended.extend(worker.finish(work.run()).ok().flatten()),
            Err(error) => panic!("{error}"),
        }
    }
    panic!("it does not come to rest");
}

/// Three parties, each with its store, that have begun a job.
fn three(job: &Job) -> ([Shared; 3], Vec<Worker>) {
    let stores = [1, 2, 3].map(|_| Shared::default());
    let mut all = Vec::new();
    for (number, store) in (1..).zip(&stores) {
        let mut one = worker(id(number), store, BOUNDS).unwrap();
        begin(&mut one, job);
        all.push(one);
    }
    (stores, all)
}

/// Delivers the messages of the other two to the first.
fn deliver_to_first(all: &mut [Worker], now: u64) {
    let (first, others) = all.split_first_mut().unwrap();
    for other in others {
        for (to, packet) in sent(other, now) {
            if to == first.id() {
                first.receive(other.id(), &packet, now).unwrap();
            }
        }
    }
}

#[test]
fn a_row_with_the_session_of_another_run_harms_that_run_alone() {
    let store = Shared::default();
    let (one, two) = (job(1, 3, 50), job(2, 3, 1000));
    let mut party = worker(id(1), &store, BOUNDS).unwrap();
    begin(&mut party, &one);
    begin(&mut party, &two);
    put(&store, &one, RunRow { sealed: row(&store, &two).sealed, ..row(&store, &one) });
    let mut party = worker(id(1), &store, BOUNDS).unwrap();
    assert!(work(&mut party, 1).is_empty());
    let ended = work(&mut party, 50);
    assert_eq!((ended.len(), ended[0].sid, ended[0].outcome.kind), (1, one.sid, EndKind::Lost));
    assert_eq!(party.outcome(&two), Ok(None));
    assert_eq!(party.metrics().damaged, 1);
}

#[test]
fn a_session_that_was_put_back_is_over_at_its_deadline() {
    let one = job(1, 3, 50);
    let (stores, mut all) = three(&one);
    let old = row(&stores[0], &one);
    deliver_to_first(&mut all, 1);
    assert!(work(&mut all[0], 1).is_empty());
    assert_eq!(all[0].metrics().rounds, 1);
    put(&stores[0], &one, old);
    let mut party = worker(id(1), &stores[0], BOUNDS).unwrap();
    assert!(work(&mut party, 2).is_empty());
    let ended = work(&mut party, 50);
    assert_eq!((ended.len(), ended[0].outcome.kind), (1, EndKind::Lost));
}

#[test]
fn tombstones_in_open_rows_hold_no_deadline_up() {
    let store = Shared::default();
    let mut party = worker(id(1), &store, BOUNDS).unwrap();
    for number in 1..=16 {
        let one = job(number, 3, 40);
        begin(&mut party, &one);
        let tombstone = Session::<Toy>::tombstone_of(context(&one), id(1)).as_bytes().to_vec();
        put(&store, &one, RunRow { sealed: tombstone, ..row(&store, &one) });
    }
    let honest = job(99, 3, 50);
    begin(&mut party, &honest);
    let mut party = worker(id(1), &store, BOUNDS).unwrap();
    assert_eq!(work(&mut party, 50).len(), 17);
    assert!(matches!(party.outcome(&honest), Ok(Some(_))));
}

#[test]
fn frames_of_a_run_go_to_no_other_runs_parties() {
    let one = job(1, 3, 500);
    let (stores, mut all) = three(&one);
    let strangers = [7, 8].map(id);
    let parties = Parties::new([id(1), strangers[0], strangers[1]]).unwrap();
    let other = Job { parties, ..job(2, 3, 500) };
    begin(&mut all[0], &other);
    let of_other = row(&stores[0], &other);
    for mixed in [
        RunRow { job: of_other.job.clone(), ..row(&stores[0], &one) },
        RunRow { job: of_other.job.clone(), sid: other.sid, ..row(&stores[0], &one) },
    ] {
        put(&stores[0], &one, mixed);
        deliver_to_first(&mut all, 1);
        assert!(work(&mut all[0], 1).is_empty());
        let mut again = worker(id(1), &stores[0], BOUNDS).unwrap();
        drop(again.next_work(1).map(|work| work.map(|work| again.finish(work.run()))));
        for (to, packet) in sent(&mut again, 1000) {
            let of_one = packet.windows(32).any(|window| window == context(&one));
            assert!(!(of_one && strangers.contains(&to)));
        }
    }
}

#[test]
fn a_run_does_not_end_at_the_deadline_of_another() {
    let (one, two) = (job(1, 3, 500), job(2, 3, 400));
    let (stores, mut all) = three(&one);
    begin(&mut all[0], &two);
    put(&stores[0], &one, RunRow { job: row(&stores[0], &two).job, ..row(&stores[0], &one) });
    let mut party = worker(id(1), &stores[0], BOUNDS).unwrap();
    let ended = work(&mut party, 400);
    assert_eq!(ended.iter().map(|run| run.sid).collect::<Vec<_>>(), [two.sid]);
}

#[test]
fn work_that_is_out_holds_no_deadline_up() {
    let store = Shared::default();
    let mut party = worker(id(1), &store, BOUNDS).unwrap();
    for number in 1..=16 {
        begin(&mut party, &job(number, 3, 40));
    }
    begin(&mut party, &job(99, 3, 50));
    work(&mut party, 1);
    let mut out = Vec::new();
    while let Some(one) = party.next_work(40).unwrap() {
        out.push(one);
    }
    assert_eq!(out.len(), 16);
    assert_eq!(work(&mut party, 50).len(), 1);
}

/// The others begin, and the first hears of the job when what they have sent was parked and forgotten.
#[test]
fn who_begins_after_the_parking_time_still_hears_everything() {
    let stores = [1, 2, 3].map(|_| Shared::default());
    let mut all: Vec<Worker> = (1..)
        .zip(&stores)
        .map(|(number, store)| worker(id(number), store, BOUNDS).unwrap())
        .collect();
    let one = job(1, 3, 100_000);
    begin(&mut all[1], &one);
    begin(&mut all[2], &one);
    let mut ended = Vec::new();
    for now in (0..4_000).step_by(10) {
        if now == 620 {
            assert_eq!(all[0].start::<Toy>(&one, now, &mut Stuck::at(1)), Ok(StartOutcome::Begun));
        }
        for from in 0..3 {
            let me = all[from].id();
            for (to, packet) in sent(&mut all[from], now) {
                let outcome = all[usize::from(to.get()) - 1].receive(me, &packet, now).unwrap();
                let parked = outcome == ReceiveOutcome::Parked;
                assert_eq!(parked, now < 620 && to == id(1), "a copy is parked as well");
            }
            ended.extend(work(&mut all[from], now).into_iter().map(|run| run.outcome.kind));
        }
    }
    assert_eq!(ended, [EndKind::Done; 3]);
}

/// A packet for a run comes while its last piece of work is out, and is looked at after its deadline.
#[test]
fn a_run_that_has_ended_is_not_ended_again() {
    let one = job(1, 3, 50);
    let (_, mut all) = three(&one);
    let mut ended = Vec::new();
    for now in 0..3 {
        for from in 0..3 {
            let me = all[from].id();
            for (to, packet) in sent(&mut all[from], now) {
                all[usize::from(to.get()) - 1].receive(me, &packet, now).unwrap();
            }
        }
        for party in &mut all {
            let Some(work) = party.next_work(now).unwrap() else { continue };
            if party.metrics().rounds == 2 {
                let peer = id(if party.id() == id(1) { 2 } else { 1 });
                let stopped = [&[2, Toy::CODE][..], &context(&one)].concat();
                assert_eq!(party.receive(peer, &stopped, now), Ok(ReceiveOutcome::Stored));
            }
            ended.extend(party.finish(work.run()).unwrap());
        }
    }
    assert_eq!(ended.iter().map(|run| run.outcome.kind).collect::<Vec<_>>(), [EndKind::Done; 3]);
    for party in &mut all {
        assert!(party.next_work(50).unwrap().is_none());
    }
}
