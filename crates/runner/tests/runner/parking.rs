//! Packets that peers park in memory: they take no more than is counted, and no call takes long because of them. One test,
//! since it measures the memory of its process.

use core::time::Duration;
use std::time::Instant;

use quorate_runner::store::{Arrival, ArrivalKind, BeginOutcome, NewRun, Place, PutOutcome};
use quorate_runner::{Bounds, Kind, MemoryStore, MessageTable, RunTable};
use quorate_session::{PartyId, SealKey, Session};

use crate::common;

const PARKED: usize = 8 << 20;

/// The memory that the process takes.
fn memory() -> Option<usize> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    pages.split(' ').nth(1)?.parse::<usize>().ok().map(|pages| pages * 4096)
}

/// Parks as many packets as allowed, the smallest possible ones or frames of round 1; gives their number.
fn park(store: &mut MemoryStore, peer: u16, frames: bool) -> u64 {
    let from = PartyId::new(peer).unwrap();
    let bounds = Bounds { parked: PARKED, ..Bounds::new(1) };
    for number in 0.. {
        let mut context = [peer.to_be_bytes()[1]; 32];
        let mixed: u64 = u64::wrapping_mul(number, 0x9e37_79b9_7f4a_7c15);
        context[..8].copy_from_slice(&mixed.to_be_bytes());
        let kind = if frames { ArrivalKind::Broadcast } else { ArrivalKind::Stopped };
        let place = Place { from, round: u8::from(frames), kind };
        let mut opening = context;
        opening[..4].copy_from_slice(&mixed.to_le_bytes()[..4]);
        let arrival = Arrival {
            context,
            place,
            id: context,
            sealed: if frames { &[7; 200] } else { &[] },
            opening: frames.then_some(opening),
            until: number,
        };
        if store.put(&arrival, &bounds).unwrap() == PutOutcome::Full {
            return number;
        }
    }
    0
}

/// The shortest time in which one of some runs begins.
fn begin(store: &mut MemoryStore) -> Duration {
    let begin = |number| {
        let job = common::job(number, 3, 1_000_000);
        let (me, rng) = (common::id(1), &mut quorate_testkit::Stuck::at(1));
        let step = Session::<common::Toy>::start(job.sid, me, &job.parties, job.body, rng);
        let sealed = step.unwrap().session.seal(&SealKey::new([1; 32]));
        let run = NewRun {
            kind: Kind::new([210; 32]),
            sid: job.sid,
            tag: [number; 4],
            digest: [0; 32],
            job: b"job",
            sealed: &sealed,
            deadline: 1_000_000,
            longest: 1000,
            messages: &[],
        };
        let start = Instant::now();
        assert_eq!(store.begin(&run, &Bounds::new(1)), Ok(BeginOutcome::Begun { parked: false }));
        start.elapsed()
    };
    (1..=8).map(begin).min().unwrap()
}

#[test]
fn parked_packets_take_the_memory_that_is_counted_and_no_call_is_slow() {
    let empty = begin(&mut MemoryStore::new());
    let mut store = MemoryStore::new();
    let before = memory();
    let (small, frames) = (park(&mut store, 2, false), park(&mut store, 3, true));
    let counted = store.counts().unwrap().parked;
    assert!(small > 10_000 && frames > 10_000 && counted > PARKED);
    if let (Some(before), Some(after)) = (before, memory()) {
        let taken = after.saturating_sub(before);
        println!("{taken} bytes taken, {counted} counted");
        assert!(taken <= counted, "{taken} bytes taken, {counted} counted");
    }
    // A run begins as quickly as if nothing was parked, but for some steps in trees.
    let full = begin(&mut store);
    println!("begun in {empty:?} on an empty store, in {full:?} on a full one");
    assert!(full < 20 * empty + Duration::from_micros(500), "{full:?}, not {empty:?}");
    // Everything is over: it is forgotten in pieces, each of a few thousand rows.
    let (mut pieces, mut longest) = (0, Duration::ZERO);
    let mut left = store.counts().unwrap().parked;
    while left > 0 {
        let start = Instant::now();
        store.prune(u64::MAX).unwrap();
        longest = longest.max(start.elapsed());
        let now = store.counts().unwrap().parked;
        assert!(now < left && left - now <= 8192 * 700, "{left} bytes were parked, then {now}");
        (left, pieces) = (now, pieces + 1);
    }
    println!("{small} small, {frames} frames, forgotten in {pieces} pieces, {longest:?} at most");
    assert!((small + frames) / 8192 <= pieces && pieces <= 20, "{pieces}");
}
