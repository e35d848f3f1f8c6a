//! Peers that flood, steps that take long, and callers that change their mind in the middle of them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::unwrap_in_result,
    reason = "tests"
)]

mod common;

use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::sync::{Arc, Mutex, mpsc};

use common::*;
use futures_util::{SinkExt as _, StreamExt as _};
use quorate_runner::{EndKind, IncomingPacket};
use quorate_session::PartyId;
use quorate_tokio::{Builder, Event, StopReason};
use tokio::sync::oneshot;

/// The time after which the runner's thread turns to other work.
const SLICE: Duration = Duration::from_millis(60);

/// Somebody who stops at a place, says so, and waits to be let through. The first alone; `calls` counts all.
struct Stop {
    calls: AtomicUsize,
    said: Mutex<Option<oneshot::Sender<()>>>,
    go: Mutex<mpsc::Receiver<()>>,
}

impl Stop {
    fn new() -> (Arc<Self>, oneshot::Receiver<()>, mpsc::Sender<()>) {
        let ((say, said), (go, wait)) = (oneshot::channel(), mpsc::channel());
        let (said_, go_) = (Mutex::new(Some(say)), Mutex::new(wait));
        (Arc::new(Self { calls: AtomicUsize::new(0), said: said_, go: go_ }), said, go)
    }

    fn pass(&self) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        if let Some(said) = self.said.lock().unwrap().take() {
            said.send(()).unwrap();
            self.go.lock().unwrap().recv().unwrap();
            std::thread::sleep(SLICE);
        }
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }
}

/// The packet that a party sends in a job of two, without a network.
async fn packet_of(me: PartyId, number: u16) -> Vec<u8> {
    let (mut ends, mut sent, _inboxes) = wires();
    let at = ends.iter().position(|ends| ends.me == me).unwrap();
    let node = node(ends.remove(at), &Shared::default()).await;
    let handle = node.handle.clone();
    let run = tokio::spawn(async move { handle.run::<Toy>(job(number, b"x")).await });
    let packet = sent.remove(at).packets.next().await.unwrap();
    node.shutdown().await;
    assert!(run.await.unwrap().is_err());
    packet.bytes.to_vec()
}

#[tokio::test]
async fn packets_that_came_in_an_outage_hold_up_no_shutdown() {
    const FLOOD: usize = 3_000;
    let bytes = packet_of(id(2), 1).await;
    let store = Shared::default();
    let (stop, at_first, go) = Stop::new();
    let down = Arc::new(Mutex::new(true));
    let (held, is_down) = (Arc::clone(&stop), Arc::clone(&down));
    let (mut ends, _sent, mut inboxes) = wires();
    let node = node(ends.remove(0), &store).await;
    store.hook(move |name| {
        if name == "put" {
            if *is_down.lock().unwrap() {
                return Err(Down);
            }
            held.pass();
        }
        Ok(())
    });
    let inbox = inboxes.get_mut(&id(1)).unwrap();
    for _ in 0..FLOOD {
        inbox.send(IncomingPacket { from: id(2), bytes: bytes.clone() }).await.unwrap();
    }
    *down.lock().unwrap() = false;
    at_first.await.unwrap();
    let stopping = tokio::spawn(node.shutdown());
    tokio::task::yield_now().await;
    go.send(()).unwrap();
    let stopped = stopping.await.unwrap();
    assert_eq!((stopped.reason, stopped.flushed), (StopReason::Shutdown, true));
    assert!(stop.calls() < 10, "{} packets were stored before it stopped", stop.calls());
}

/// The gate is one for the process: both of its tests, one after the other.
#[tokio::test]
async fn steps_that_take_long_hold_up_neither_shutdown_nor_an_end_that_came_first() {
    long_steps_without_workers_hold_up_no_shutdown().await;
    a_run_that_is_abandoned_while_a_worker_has_it_ends_once().await;
}

async fn long_steps_without_workers_hold_up_no_shutdown() {
    const RUNS: u16 = 12;
    let [one, two] = network();
    let store = Shared::default();
    let builder = Builder::new().workers(0);
    let one = node_with(builder, one, &store, (ToyApp::default(), BOUNDS)).await;
    let two = node(two, &Shared::default()).await;
    let spawn = |node: &Node, number, body: &'static [u8]| {
        let handle = node.handle.clone();
        tokio::spawn(async move { handle.run::<Toy>(job(number, body)).await })
    };
    let theirs: Vec<_> = (0..RUNS).map(|number| spawn(&two, number, b"short")).collect();
    // All of them are parked here before the first one begins.
    let parked = async || one.handle.with(|runner, _| runner.metrics().parked).await.unwrap();
    while parked().await < u64::from(RUNS) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let (stop, at_first, go) = Stop::new();
    let gate = Arc::clone(&stop);
    *GATE.lock().unwrap() = Some(Arc::new(move |own: &[u8]| {
        if own == b"long" {
            gate.pass();
        }
    }));
    let (open, wait) = mpsc::channel::<()>();
    let handle = one.handle.clone();
    let busy = tokio::spawn(async move { handle.with(move |_, _| wait.recv().unwrap()).await });
    tokio::task::yield_now().await;
    let ours: Vec<_> = (0..RUNS).map(|number| spawn(&one, number, b"long")).collect();
    tokio::task::yield_now().await;
    open.send(()).unwrap();
    busy.await.unwrap().unwrap();

    at_first.await.unwrap();
    let stopping = tokio::spawn(one.shutdown());
    tokio::task::yield_now().await;
    go.send(()).unwrap();
    stopping.await.unwrap();
    assert_eq!(stop.calls(), 1, "rounds were done before it stopped");
    let mut ended = 0;
    for run in ours {
        ended += usize::from(run.await.unwrap().is_ok());
    }
    assert_eq!(ended, 1, "the step that was under way was finished");
    *GATE.lock().unwrap() = None;
    two.shutdown().await;
    for run in theirs {
        drop(run.await.unwrap());
    }
}

async fn a_run_that_is_abandoned_while_a_worker_has_it_ends_once() {
    let mut nodes = pair().await;
    let (stop, at_first, go) = Stop::new();
    let gate = Arc::clone(&stop);
    *GATE.lock().unwrap() = Some(Arc::new(move |own: &[u8]| {
        if own == b"slow" {
            gate.pass();
        }
    }));
    let slow = job(77, b"slow");
    let run = |node: &Node, job: &quorate_runner::Job| {
        let (handle, job) = (node.handle.clone(), job.clone());
        tokio::spawn(async move { handle.run::<Toy>(job).await.map(|outcome| outcome.kind) })
    };
    let slow_runs = [run(&nodes[0], &slow), run(&nodes[1], &job(77, b"other"))];
    at_first.await.unwrap();
    assert!(nodes[0].handle.abandon(slow.sid).await.unwrap());
    assert!(!nodes[0].handle.abandon(slow.sid).await.unwrap(), "it has ended");
    go.send(()).unwrap();
    // The worker brings back a round of a run that has ended. Others go on, and the end stays as it is.
    both(&nodes, &job(78, b"next")).await;
    let [first, _] = slow_runs;
    let kind = first.await.unwrap().unwrap();
    assert_ne!(kind, EndKind::Done);
    let stored = slow.clone();
    let outcome = nodes[0].handle.with(move |runner, _| runner.outcome(&stored)).await.unwrap();
    assert_eq!(outcome.unwrap().unwrap().kind, kind);
    let mut ends = 0;
    while let Ok(event) = nodes[0].events.try_recv() {
        match event {
            Event::Ended(run) => ends += usize::from(run.sid == slow.sid),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(ends, 1);
    *GATE.lock().unwrap() = None;
}
