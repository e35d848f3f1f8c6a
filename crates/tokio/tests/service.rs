//! Jobs, callers, restarts and slow transports.
#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod common;

use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::sync::Arc;
use std::time::Instant;

use common::*;
use futures_util::StreamExt as _;
use quorate_runner::{Bounds, EndKind, Refusal};
use quorate_tokio::{Builder, Error, StopReason};
use tokio::time::{sleep, timeout};

const SOON: Duration = Duration::from_secs(20);

#[tokio::test]
async fn a_run_gives_its_typed_outcome_to_its_caller() {
    let nodes = pair().await;
    let records = both(&nodes, &job(1, b"a")).await;
    assert_eq!(records, [b"aa", b"aa"]);
    let handle = nodes[0].handle.clone();
    let done = tokio::spawn(async move { handle.with(|runner, _| runner.metrics().done).await });
    assert_eq!(done.await.unwrap(), Ok(1));
}

#[tokio::test]
async fn jobs_beyond_all_bounds_wait_and_all_of_them_end() {
    let [one, two] = network();
    let (bounds, most) = (Bounds { open: 4, ..BOUNDS }, Arc::new(AtomicUsize::new(0)));
    let mut nodes = Vec::new();
    for ends in [one, two] {
        let (store, most) = (Shared::default(), Arc::clone(&most));
        let inner = Arc::clone(&store.store);
        store.hook(move |_| {
            let open = quorate_runner::RunTable::counts(&mut *inner.lock().unwrap()).unwrap().open;
            most.fetch_max(open, Ordering::Relaxed);
            Ok(())
        });
        let builder = Builder::new().queue(2).workers(1);
        nodes.push(node_with(builder, ends, &store, (ToyApp::default(), bounds)).await);
    }
    let mut runs = Vec::new();
    for node in &nodes {
        for number in 0..200 {
            let handle = node.handle.clone();
            runs.push(tokio::spawn(async move { handle.run::<Toy>(job(number, b"a")).await }));
        }
    }
    // No more than two wait in the queue, and four are open.
    for run in runs {
        assert_eq!(timeout(SOON, run).await.unwrap().unwrap().unwrap().kind, EndKind::Done);
    }
    assert_eq!(most.load(Ordering::Relaxed), 4);
}

#[tokio::test]
async fn a_job_that_waits_for_room_is_refused_at_its_deadline() {
    let [ends, _] = network();
    let bounds = Bounds { open: 1, ..BOUNDS };
    let store = Shared::default();
    let node = node_with(Builder::new(), ends, &store, (ToyApp::default(), bounds)).await;
    let first = {
        let handle = node.handle.clone();
        tokio::spawn(async move { handle.run::<Toy>(job(1, b"a")).await })
    };
    while store.counts().open == 0 {
        sleep(Duration::from_millis(2)).await;
    }
    let mut late = job(2, b"a");
    late.deadline = now() + 100;
    let refused = timeout(SOON, node.handle.run::<Toy>(late)).await.unwrap();
    assert_eq!(refused, Err(Error::Runner(quorate_runner::Error::Refused(Refusal::Late))));
    first.abort();
}

#[tokio::test]
async fn a_future_dropped_before_the_start_starts_nothing() {
    let [ends, _] = network();
    let store = Shared::default();
    let bounds = Bounds { open: 1, ..BOUNDS };
    let node = node_with(Builder::new(), ends, &store, (ToyApp::default(), bounds)).await;
    assert!(
        timeout(Duration::from_millis(50), node.handle.run::<Toy>(job(1, b"a"))).await.is_err()
    );
    assert!(
        timeout(Duration::from_millis(50), node.handle.run::<Toy>(job(2, b"a"))).await.is_err()
    );
    assert_eq!(node.handle.abandon(job(1, b"a").sid).await, Ok(true));
    // There is room now, and nobody wants it.
    sleep(Duration::from_millis(100)).await;
    assert_eq!(store.counts().open, 0);
    assert_eq!(node.handle.with(|runner, _| runner.metrics().started).await, Ok(1));
}

#[tokio::test]
async fn a_run_whose_future_is_dropped_continues_and_its_outcome_is_there_later() {
    let mut nodes = pair().await;
    let job = job(1, b"a");
    let dropped = timeout(Duration::from_millis(50), nodes[0].handle.run::<Toy>(job.clone())).await;
    assert!(dropped.is_err());
    nodes[1].handle.run::<Toy>(job.clone()).await.unwrap();
    assert_eq!(timeout(SOON, nodes[0].ended(job.sid)).await.unwrap(), EndKind::Done);
    assert_eq!(nodes[0].handle.run::<Toy>(job).await.unwrap().record().unwrap().as_slice(), b"aa");
}

#[tokio::test]
async fn the_same_job_twice_is_one_run_and_both_callers_have_its_outcome() {
    let [one, two] = pair().await;
    let job = job(1, b"a");
    let (first, second, peer) = tokio::join!(
        one.handle.run::<Toy>(job.clone()),
        one.handle.run::<Toy>(job.clone()),
        two.handle.run::<Toy>(job.clone())
    );
    assert_eq!(first.unwrap(), second.unwrap());
    assert_eq!(peer.unwrap().kind, EndKind::Done);
    assert_eq!(one.handle.with(|runner, _| runner.metrics().started).await, Ok(1));
}

#[tokio::test]
async fn another_job_under_the_same_id_is_refused() {
    let nodes = pair().await;
    both(&nodes, &job(1, b"a")).await;
    let refused = nodes[0].handle.run::<Toy>(job(1, b"b")).await;
    assert_eq!(refused, Err(Error::Runner(quorate_runner::Error::Refused(Refusal::OtherJob))));
}

#[tokio::test]
async fn what_a_peer_sent_before_the_start_is_taken_up_by_the_run() {
    let [one, two] = pair().await;
    let job = job(1, b"a");
    let begun = {
        let (handle, job) = (one.handle.clone(), job.clone());
        tokio::spawn(async move { handle.run::<Toy>(job).await })
    };
    // The packets of the peer lie parked.
    while two.handle.with(|runner, _| runner.metrics().parked).await.unwrap() == 0 {
        sleep(Duration::from_millis(2)).await;
    }
    assert_eq!(two.handle.run::<Toy>(job).await.unwrap().kind, EndKind::Done);
    assert_eq!(begun.await.unwrap().unwrap().kind, EndKind::Done);
}

#[tokio::test]
async fn a_run_that_waits_for_a_silent_peer_ends_at_its_deadline() {
    let [ends, _] = network();
    let node = node(ends, &Shared::default()).await;
    let mut job = job(1, b"a");
    job.deadline = node.handle.deadline(Duration::from_millis(150));
    let began = Instant::now();
    assert_eq!(node.handle.run::<Toy>(job).await.unwrap().kind, EndKind::Stopped);
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

#[tokio::test]
async fn calls_of_the_application_ask_the_store_nothing_and_hold_no_deadline_up() {
    let [ends, _] = network();
    let store = Shared::default();
    let node = node(ends, &store).await;
    let quiet = async || sleep(Duration::from_millis(50)).await;
    quiet().await;
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    store.hook(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
        Ok(())
    });
    for _ in 0..100 {
        node.handle.with_app(|_, _| ()).await.unwrap();
    }
    assert_eq!(asked.load(Ordering::Relaxed), 0);
    node.handle.with(|_, _| ()).await.unwrap();
    quiet().await;
    assert!(asked.load(Ordering::Relaxed) > 0);

    let mut job = job(1, b"a");
    job.deadline = node.handle.deadline(Duration::from_millis(150));
    let run = tokio::spawn({
        let handle = node.handle.clone();
        async move { handle.run::<Toy>(job).await.unwrap().kind }
    });
    let began = Instant::now();
    while !run.is_finished() && began.elapsed() < SOON {
        node.handle.with_app(|_, _| ()).await.unwrap();
    }
    assert_eq!(timeout(SOON, run).await.unwrap().unwrap(), EndKind::Stopped);
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

#[tokio::test]
async fn shutdown_in_the_middle_sends_what_is_due_and_the_next_start_resumes() {
    let (ends, mut sent, mut inboxes) = wires();
    let [one, two]: [Ends; 2] = ends.try_into().unwrap_or_else(|_| panic!());
    let store = Shared::default();
    let first = node(one, &store).await;
    let job = job(1, b"a");
    let caller = {
        let (handle, job) = (first.handle.clone(), job.clone());
        tokio::spawn(async move { handle.run::<Toy>(job).await })
    };
    while store.counts().open == 0 {
        sleep(Duration::from_millis(2)).await;
    }
    let handle = first.handle.clone();
    let (stopped, packet) = tokio::join!(first.shutdown(), sent[0].packets.next());
    assert_eq!((stopped.reason, stopped.flushed), (StopReason::Shutdown, true));
    assert_eq!(packet.unwrap().to, id(2));
    assert_eq!(caller.await.unwrap(), Err(Error::Stopped));
    assert_eq!(handle.run::<Toy>(job.clone()).await, Err(Error::Stopped));
    // The next process has only what the store has. Nobody waits for the run: an event tells of its end.
    let (inbox, packets) = futures_channel::mpsc::channel(16);
    let (sink, outbox) = futures_channel::mpsc::channel(0);
    inboxes.insert(id(1), inbox);
    sent[0].packets = outbox;
    for sent in sent {
        tokio::spawn(carry(sent, inboxes.clone(), Duration::ZERO));
    }
    let mut next = node(Ends { me: id(1), packets, sink }, &store).await;
    let peer = node(two, &Shared::default()).await;
    assert_eq!(peer.handle.run::<Toy>(job.clone()).await.unwrap().kind, EndKind::Done);
    assert_eq!(timeout(SOON, next.ended(job.sid)).await.unwrap(), EndKind::Done);
    // After one more restart, the outcome is there at once, without a peer.
    next.shutdown().await;
    let [alone, _] = network();
    let last = node(alone, &store).await;
    assert_eq!(last.handle.run::<Toy>(job).await.unwrap().record().unwrap().as_slice(), b"aa");
}

#[tokio::test]
async fn shutdown_with_a_stuck_sink_ends_at_its_limit() {
    let (ends, sent, _inboxes) = wires();
    let store = Shared::default();
    let mut nodes = ends.into_iter();
    let node = node(nodes.next().unwrap(), &store).await;
    for number in 1..=3 {
        let handle = node.handle.clone();
        tokio::spawn(async move { handle.run::<Toy>(job(number, b"a")).await });
    }
    while store.counts().open < 3 {
        sleep(Duration::from_millis(2)).await;
    }
    let began = Instant::now();
    let stopped = node.service.shutdown(Duration::from_millis(100)).await;
    assert_eq!((stopped.reason, stopped.flushed), (StopReason::Shutdown, false));
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert_eq!(store.counts().messages, 3);
    drop(sent);
}

#[tokio::test]
async fn a_slow_sink_delays_runs_and_loses_none() {
    let (ends, sent, inboxes) = wires();
    for sent in sent {
        tokio::spawn(carry(sent, inboxes.clone(), Duration::from_millis(2)));
    }
    let mut nodes = Vec::new();
    for ends in ends {
        let builder = Builder::new().outgoing(1);
        let settings = (ToyApp::default(), Bounds::new(1_000));
        nodes.push(node_with(builder, ends, &Shared::default(), settings).await);
    }
    let nodes: [Node; 2] = nodes.try_into().unwrap_or_else(|_| panic!());
    let jobs: Vec<_> = (0..20).map(|number| job(number, b"a")).collect();
    let runs = jobs.iter().map(|job| both(&nodes, job));
    let records = timeout(SOON, futures_util::future::join_all(runs)).await.unwrap();
    assert!(records.iter().all(|record| record[0] == b"aa"));
}

#[tokio::test]
async fn a_sink_that_is_stuck_holds_no_deadline_up() {
    let (ends, _sent, _inboxes) = wires();
    let mut ends = ends.into_iter();
    let builder = Builder::new().outgoing(1);
    let settings = (ToyApp::default(), BOUNDS);
    let node = node_with(builder, ends.next().unwrap(), &Shared::default(), settings).await;
    let runs = (1..=4).map(|number| {
        let mut job = job(number, b"a");
        job.deadline = now() + 150;
        node.handle.run::<Toy>(job)
    });
    for run in timeout(SOON, futures_util::future::join_all(runs)).await.unwrap() {
        assert_eq!(run.unwrap().kind, EndKind::Stopped);
    }
}

#[tokio::test]
async fn a_stream_that_ends_stops_the_service() {
    let (ends, _sent, inboxes) = wires();
    let mut ends = ends.into_iter();
    let mut node = node(ends.next().unwrap(), &Shared::default()).await;
    drop(inboxes);
    let stopped = timeout(SOON, node.service.stopped()).await.unwrap();
    assert_eq!((stopped.reason, stopped.flushed), (StopReason::StreamEnded, true));
    assert_eq!(node.handle.run::<Toy>(job(1, b"a")).await, Err(Error::Stopped));
}

#[test]
fn a_runtime_that_is_dropped_ends_the_thread() {
    let store = Shared::default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (node, wires) = runtime.block_on(async {
        let (ends, sent, inboxes) = wires();
        (node(ends.into_iter().next().unwrap(), &store).await, (sent, inboxes))
    });
    drop(runtime);
    let began = Instant::now();
    while Arc::strong_count(&store.store) > 1 {
        assert!(began.elapsed() < SOON, "the thread still has the store");
        std::thread::sleep(Duration::from_millis(1));
    }
    drop((node, wires));
}

/// Two processes on one store: a caller in one, and the packets in the other.
#[tokio::test]
async fn a_run_that_another_process_has_ended_is_noticed() {
    let [one, two] = network();
    let (store, peer) = (Shared::default(), Shared::default());
    let (_wires, waiting) = {
        let (ends, sent, inboxes) = wires();
        ((sent, inboxes), node(ends.into_iter().next().unwrap(), &store).await)
    };
    let job = job(1, b"a");
    let caller = {
        let job = job.clone();
        tokio::spawn(async move { waiting.handle.run::<Toy>(job).await })
    };
    while store.counts().open == 0 {
        sleep(Duration::from_millis(2)).await;
    }
    let (_working, peer) = (node(one, &store).await, node(two, &peer).await);
    assert_eq!(peer.handle.run::<Toy>(job).await.unwrap().kind, EndKind::Done);
    assert_eq!(timeout(SOON, caller).await.unwrap().unwrap().unwrap().kind, EndKind::Done);
}
