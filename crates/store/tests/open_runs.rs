//! Many open runs: what a call costs while they are open, and the totals of them.
#![cfg(feature = "sqlite")]
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, reason = "tests")]

mod common;

use core::time::Duration;
use std::time::Instant;

use common::{Folder, KIND, end, message, party, session, sid};
use quorate_runner::store::{Counts, NewRun};
use quorate_runner::{Bounds, MessageTable as _, RunTable as _};
use quorate_store::SqliteStore;

const PEERS: u16 = 9;

/// Begins the run of this number, which has one message for each peer.
fn begin(store: &mut SqliteStore, number: u32) {
    let (sealed, _) = session(number);
    let mut message = message(number);
    message.to = (2..2 + PEERS).map(party).collect();
    let new = NewRun {
        kind: KIND,
        sid: sid(number),
        tag: Default::default(),
        digest: [7; 32],
        job: b"job",
        sealed: &sealed,
        deadline: 1_000_000,
        longest: 100,
        messages: &[message],
    };
    store.begin(&new, &Bounds { open: 1_000_000, ..Bounds::new(10) }).unwrap();
}

fn time(call: impl FnOnce()) -> Duration {
    let began = Instant::now();
    call();
    began.elapsed()
}

/// The times of the calls that a runner makes in a step, each the best of some.
fn times(store: &mut SqliteStore, run: &mut u32) -> Vec<(&'static str, Duration)> {
    let mut best = vec![
        ("counts", Duration::MAX),
        ("open_runs", Duration::MAX),
        ("next", Duration::MAX),
        ("expired", Duration::MAX),
        ("begin", Duration::MAX),
        ("end", Duration::MAX),
    ];
    for _ in 0..20 {
        *run += 1;
        let kinds = [KIND];
        let times = [
            time(|| assert!(store.counts().is_ok())),
            time(|| assert!(store.open_runs().is_ok())),
            time(|| assert!(store.next(&kinds).is_ok())),
            time(|| assert!(store.expired(&kinds, 5, 16).is_ok())),
            time(|| begin(store, *run)),
            time(|| assert!(end(store, *run).unwrap())),
        ];
        for ((_, best), time) in best.iter_mut().zip(times) {
            *best = time.min(*best);
        }
    }
    best
}

/// A ratio of times of one run. Other programs disturb both sides, so some attempts are allowed.
#[test]
fn step_costs_the_same_with_a_thousand_open_runs_as_with_ten() {
    let stores = [10, 1000].map(|open| {
        let folder = Folder::new();
        let mut store = folder.pair().unwrap();
        (0..open).for_each(|run| begin(&mut store, run));
        (folder, store)
    });
    let [(_few, mut few), (_many, mut many)] = stores;
    let mut run = 100_000;
    for _ in 0..5 {
        let pairs = times(&mut few, &mut run).into_iter().zip(times(&mut many, &mut run));
        let grown: Vec<_> = pairs
            .filter(|((_, few), (_, many))| *many > *few * 2)
            .map(|((name, few), (_, many))| format!("{name}: {few:?} with 10, {many:?} with 1000"))
            .collect();
        if grown.is_empty() {
            return;
        }
        println!("{grown:?}");
    }
    unreachable!("each attempt found a call that costs more than twice as much");
}

#[test]
fn totals_are_those_of_the_tables_after_ends_acknowledgements_and_prunes() {
    let folder = Folder::new();
    let mut store = folder.pair().unwrap();
    (0..6).for_each(|run| begin(&mut store, run));
    assert!(end(&mut store, 1).unwrap());
    for peer in 2..2 + PEERS {
        store.acknowledge(party(peer), &[*sid(2).as_bytes()]).unwrap();
    }
    store.acknowledge(party(3), &[*sid(3).as_bytes()]).unwrap();
    // The messages of the run that has ended are forgotten at 2000, with their recipients.
    store.prune(5000).unwrap();
    let counted = |store: &mut SqliteStore| {
        let Counts { open, messages, outbox, .. } = store.counts().unwrap();
        (open, messages, outbox)
    };
    let peers = usize::from(PEERS);
    assert_eq!(counted(&mut store), (5, 4 * peers - 1, 4 * 50));
    drop(store);
    // A database of before there were totals.
    let file = rusqlite::Connection::open(folder.file("node.db")).unwrap();
    let mut triggers =
        file.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").unwrap();
    let names = triggers.query_map([], |row| row.get::<_, String>(0)).unwrap();
    let names: Vec<String> = names.map(Result::unwrap).collect();
    for name in &names {
        file.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    file.execute_batch("DROP TABLE quorate_totals").unwrap();
    drop(triggers);
    drop(file);
    let mut store = folder.pair().unwrap();
    assert_eq!(counted(&mut store), (5, 4 * peers - 1, 4 * 50));
    begin(&mut store, 9);
    assert_eq!(counted(&mut store), (6, 5 * peers - 1, 5 * 50));
    assert_eq!(store.open_runs(), Ok(6));
}
