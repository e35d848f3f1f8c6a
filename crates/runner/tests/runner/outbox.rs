//! Peers that acknowledge nothing.

use crate::common;

use common::{BOUNDS, Shared, Toy, Worker, done, exchange, id, job, sent, three, worker};
use quorate_runner::{Bounds, Error, Job, Refusal, RunTable, StartOutcome, Time};
use quorate_session::Parties;
use quorate_testkit::Stuck;

const FAR: Time = 1_000_000_000;

/// A job of party 1 and a peer.
fn with(number: u8, peer: u16) -> Job {
    Job { parties: Parties::new([id(1), id(peer)]).unwrap(), ..job(number, 2, FAR) }
}

fn start(worker: &mut Worker, job: &Job) -> Result<StartOutcome, Error<common::Killed>> {
    worker.start::<Toy>(job, 0, &mut Stuck::at(1))
}

#[test]
fn a_peer_that_acknowledges_nothing_holds_up_no_job_without_it() {
    let store = Shared::default();
    let mut party = worker(id(1), &store, Bounds { outbox: 100, ..BOUNDS }).unwrap();
    assert_eq!(start(&mut party, &with(1, 2)), Ok(StartOutcome::Begun));
    assert!(store.store.borrow_mut().counts().unwrap().outbox > 100);
    assert_eq!(start(&mut party, &with(2, 2)), Err(Error::Refused(Refusal::Outbox)));
    assert_eq!(start(&mut party, &with(3, 3)), Ok(StartOutcome::Begun));
    // When it acknowledges, its jobs begin.
    let packets = sent(&mut party, 0);
    let (_, packet) = packets.iter().find(|(to, _)| *to == id(2)).unwrap();
    let name = quorate_runner::packet::id(packet);
    party.receive(id(2), &[&[1], &name[..]].concat(), 1).unwrap();
    assert_eq!(start(&mut party, &with(2, 2)), Ok(StartOutcome::Begun));
}

/// Party 3 hears everything, and its acknowledgements are lost. The deadline is far.
#[test]
fn the_messages_of_a_run_that_has_ended_have_an_end() {
    let mut all = three();
    let one = job(1, 3, FAR);
    all.iter_mut().for_each(|(worker, _)| drop(worker.start::<Toy>(&one, 0, &mut Stuck::at(2))));
    let packets: Vec<_> = all.iter_mut().map(|(worker, _)| sent(worker, 0)).collect();
    assert_eq!(packets.iter().map(Vec::len).sum::<usize>(), 6);
    let mut runs = Vec::new();
    for now in (10..200).step_by(10) {
        for from in 0..3 {
            let me = all[from].0.id();
            for (to, packet) in sent(&mut all[from].0, now) {
                let lost = me == id(3) && to == id(1) && packet[0] == 1;
                let (peer, _) = all.iter_mut().find(|(peer, _)| peer.id() == to).unwrap();
                if !lost {
                    peer.receive(me, &packet, now).unwrap();
                }
            }
            runs.extend(all[from].0.work(now).unwrap());
        }
    }
    assert_eq!(done(&runs), 3);
    let waiting = |all: &[(Worker, Shared)]| all[0].1.store.borrow_mut().counts().unwrap().messages;
    let left = waiting(&all);
    assert!(left > 0);
    let hour = BOUNDS.outlive;
    assert!(all[0].0.next_due().unwrap().is_some());
    all[0].0.outgoing(hour - 1, 0).unwrap();
    assert_eq!(waiting(&all), left, "it may have been down for a while");
    all[0].0.outgoing(hour + 200, 0).unwrap();
    assert_eq!((waiting(&all), all[0].0.next_due().unwrap()), (0, None));
    assert!(exchange(&mut all, hour + 200).is_empty());
}
