//! Panics of an application, of a protocol and of a store; a store that fails or blocks.
#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod common;

use core::pin::Pin;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use core::task::{Context, Poll};
use core::time::Duration;
use std::sync::Arc;
use std::time::Instant;

use common::*;
use futures_util::Sink;
use quorate_runner::{EndKind, IncomingPacket, Job, OutgoingPacket};
use quorate_tokio::{Builder, Error, Event, SpawnError, StopReason};
use tokio::time::{sleep, timeout};

const SOON: Duration = Duration::from_secs(20);

/// The operations of a store that two runs call.
const OPERATIONS: [&str; 11] = [
    "job",
    "begin",
    "run",
    "swap",
    "expired",
    "next",
    "put",
    "inbox",
    "acknowledge",
    "due",
    "prune",
];

/// Two parties, of which the first has an application that panics.
async fn pair_with_panics(store: &Shared) -> [Node; 2] {
    let [one, two] = network();
    let settings = (ToyApp { panics: true }, BOUNDS);
    let one = node_with(Builder::new(), one, store, settings).await;
    [one, node(two, &Shared::default()).await]
}

fn spawn_run(node: &Node, job: &Job) -> tokio::task::JoinHandle<Result<EndKind, Error<Down>>> {
    let (handle, job) = (node.handle.clone(), job.clone());
    tokio::spawn(async move { Ok(handle.run::<Toy>(job).await?.kind) })
}

fn panicked<T>(message: &str) -> Result<T, Error<Down>> {
    Err(Error::Panicked(message.to_owned()))
}

async fn begun(store: &Shared, open: usize) {
    while store.counts().open < open {
        sleep(Duration::from_millis(2)).await;
    }
}

#[tokio::test]
async fn a_panic_in_params_refuses_one_job_and_others_run() {
    let store = Shared::default();
    let mut nodes = pair_with_panics(&store).await;
    let refused = nodes[0].handle.run::<Toy>(job(1, b"panic in params")).await;
    assert_eq!(refused.unwrap_err(), Error::Panicked("params panics".to_owned()));
    assert_eq!(nodes[0].panic().await, None);
    assert_eq!(store.counts().open, 0);
    assert_eq!(both(&nodes, &job(2, b"a")).await, [b"aa", b"aa"]);
}

#[tokio::test]
async fn a_panic_in_record_ends_one_run_and_the_result_is_there_after_a_restart() {
    let store = Shared::default();
    let mut nodes = pair_with_panics(&store).await;
    let (bad, good) = (job(1, b"panic in record"), job(2, b"a"));
    let waits = [spawn_run(&nodes[0], &bad), spawn_run(&nodes[1], &bad)];
    assert_eq!(both(&nodes, &good).await, [b"aa", b"aa"]);
    let [one, two] = waits;
    assert_eq!(one.await.unwrap(), panicked("record panics"));
    assert_eq!(two.await.unwrap(), Ok(EndKind::Done));
    assert_eq!(nodes[0].panic().await, Some(bad.sid));
    // It stands still: whoever asks is told, and others run.
    assert_eq!(spawn_run(&nodes[0], &bad).await.unwrap(), panicked("record panics"));
    assert_eq!(both(&nodes, &job(3, b"b")).await, [b"bb", b"bb"]);
    let panics = nodes[0].handle.with(|runner, _| runner.at_work().count()).await;
    assert_eq!(panics, Ok(1));
    // The application is mended, and the result of the run was not lost.
    let [one, _peer] = nodes;
    one.shutdown().await;
    let [ends, _] = network();
    let mut mended = node(ends, &store).await;
    assert_eq!(timeout(SOON, mended.ended(bad.sid)).await.unwrap(), EndKind::Done);
    let record = mended.handle.run::<Toy>(bad).await.unwrap().record().unwrap();
    assert_eq!(record.as_slice(), b"panic in recordpanic in record");
}

#[tokio::test]
async fn a_panic_in_record_at_the_deadline_is_not_repeated() {
    let store = Shared::default();
    let [ends, _] = network();
    let settings = (ToyApp { panics: true }, BOUNDS);
    let mut node = node_with(Builder::new(), ends, &store, settings).await;
    let mut bad = job(1, b"panic in record");
    bad.deadline = now() + 100;
    assert_eq!(spawn_run(&node, &bad).await.unwrap(), panicked("record panics"));
    assert_eq!(node.panic().await, Some(bad.sid));
    sleep(Duration::from_millis(200)).await;
    while let Ok(event) = node.events.try_recv() {
        assert!(!matches!(event, Event::Panicked { .. }), "{event:?}");
    }
}

#[tokio::test]
async fn a_panic_in_a_round_ends_one_run_on_a_worker_and_without_workers() {
    for workers in [0, 1] {
        let [one, two] = network();
        let store = Shared::default();
        let settings = (ToyApp::default(), BOUNDS);
        let one = node_with(Builder::new().workers(workers), one, &store, settings).await;
        let mut nodes = [one, node(two, &Shared::default()).await];
        let bad = job(1, b"panic in the round");
        let waits = [spawn_run(&nodes[0], &bad), spawn_run(&nodes[1], &bad)];
        for wait in waits {
            assert_eq!(wait.await.unwrap(), panicked("the round panics"));
        }
        assert_eq!(nodes[0].panic().await, Some(bad.sid));
        assert_eq!(both(&nodes, &job(2, b"a")).await, [b"aa", b"aa"]);
    }
}

#[tokio::test]
async fn a_run_whose_parameters_panic_after_a_restart_stands_still_until_it_is_abandoned() {
    let store = Shared::default();
    let [ends, _] = network();
    let first = node(ends, &store).await;
    let (bad, good) = (job(1, b"panic in params"), job(2, b"a"));
    drop([spawn_run(&first, &bad), spawn_run(&first, &good)]);
    begun(&store, 2).await;
    first.shutdown().await;
    let mut nodes = pair_with_panics(&store).await;
    assert_eq!(timeout(SOON, nodes[0].panic()).await.unwrap(), Some(bad.sid));
    let peer = nodes[1].handle.run::<Toy>(good.clone()).await.unwrap();
    assert_eq!(peer.kind, EndKind::Done);
    assert_eq!(timeout(SOON, nodes[0].ended(good.sid)).await.unwrap(), EndKind::Done);
    assert_eq!(nodes[0].handle.abandon(bad.sid).await, Ok(true));
    assert_eq!(nodes[0].handle.abandon(bad.sid).await, Ok(false));
    assert_eq!(spawn_run(&nodes[0], &bad).await.unwrap(), Ok(EndKind::Lost));
    assert_eq!(nodes[0].handle.with(|runner, _| runner.at_work().count()).await, Ok(0));
}

#[tokio::test]
async fn a_function_that_panics_harms_its_caller_alone() {
    let nodes = pair().await;
    let harmed = nodes[0].handle.with(|_, _| -> u8 { panic!("the function panics") }).await;
    let called = nodes[0].handle.with_app(|_, _| -> u8 { panic!("the function panics") }).await;
    assert_eq!(called, panicked("the function panics"));
    assert_eq!(harmed, panicked("the function panics"));
    assert_eq!(both(&nodes, &job(1, b"a")).await, [b"aa", b"aa"]);
}

#[tokio::test]
async fn an_observer_that_panics_harms_nobody() {
    let [one, two] = network();
    let Ends { me, packets, sink } = one;
    let store = Shared::default();
    let open = move || {
        let key = Arc::new(quorate_session::SealKey::new([3; 32]));
        let builder =
            quorate_runner::Runner::builder(me, key, quorate_runner::Continuity::NewStore);
        builder.protocol::<Toy>().open(store, ToyApp::default())
    };
    let observed = Builder::new().on_event(|_| panic!("the observer panics"));
    let (handle, _service) = observed.spawn(open, packets, sink).await.unwrap();
    let peer = node(two, &Shared::default()).await;
    for number in 1..=2 {
        let job = job(number, b"a");
        let (one, two) = tokio::join!(handle.run::<Toy>(job.clone()), peer.handle.run::<Toy>(job));
        assert_eq!((one.unwrap().kind, two.unwrap().kind), (EndKind::Done, EndKind::Done));
    }
}

/// Each operation of a store panics once, or fails once, in the middle of runs: all end nevertheless.
#[tokio::test]
async fn runs_survive_a_panic_and_a_failure_of_each_operation_of_the_store() {
    for (number, operation) in
        (0..).zip(OPERATIONS.iter().flat_map(|name| [(*name, true), (*name, false)]))
    {
        let (name, panics) = operation;
        let store = Shared::default();
        let [one, two] = network();
        let nodes = [node(one, &store).await, node(two, &Shared::default()).await];
        let mut left = 1;
        let hit = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&hit);
        store.hook(move |called| {
            if called == name && left > 0 {
                left -= 1;
                seen.store(true, Ordering::Relaxed);
                assert!(!panics, "the store panics");
                return Err(Down);
            }
            Ok(())
        });
        let job = job(number, b"a");
        let peer = spawn_run(&nodes[1], &job);
        // What is parked is read when its run begins.
        let parked = async {
            while name == "inbox" && store.counts().parked == 0 {
                sleep(Duration::from_millis(2)).await;
            }
        };
        timeout(SOON, parked).await.expect(name);
        // What could not begin is handed in again.
        let run = async {
            loop {
                if let Ok(end) = nodes[0].handle.run::<Toy>(job.clone()).await {
                    return end.kind;
                }
            }
        };
        assert_eq!(timeout(SOON, run).await.expect(name), EndKind::Done, "{operation:?}");
        assert_eq!(timeout(SOON, peer).await.expect(name).unwrap(), Ok(EndKind::Done));
        let called = async {
            while !hit.load(Ordering::Relaxed) {
                sleep(Duration::from_millis(2)).await;
            }
        };
        timeout(SOON, called).await.expect(name);
    }
}

#[tokio::test]
async fn a_store_that_is_down_is_told_and_asked_seldom() {
    let [ends, _] = network();
    let store = Shared::default();
    let mut node = node(ends, &store).await;
    drop(spawn_run(&node, &job(1, b"a")));
    begun(&store, 1).await;
    let calls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&calls);
    store.hook(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
        Err(Down)
    });
    let failed = |event: &Event<Down>| {
        matches!(event, Event::Failed(quorate_runner::Error::Store(Down))).then_some(())
    };
    timeout(SOON, node.event(failed)).await.unwrap();
    sleep(Duration::from_millis(400)).await;
    // After 50, 100 and 200 ms.
    assert!(calls.load(Ordering::Relaxed) < 12, "{calls:?}");
    store.hook(|_| Ok(()));
    assert_eq!(node.handle.abandon(job(1, b"a").sid).await, Ok(true));
}

/// The runtime has one thread. It goes on while the store blocks another.
#[tokio::test]
async fn a_store_that_blocks_holds_the_runtime_up_for_no_moment() {
    let [ends, _] = network();
    let store = Shared::default();
    let node = node(ends, &store).await;
    let blocked = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&blocked);
    store.hook(move |name| {
        if name == "begin" {
            flag.store(true, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(300));
            flag.store(false, Ordering::Relaxed);
        }
        Ok(())
    });
    drop(spawn_run(&node, &job(1, b"a")));
    let mut ticks = 0;
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(250) {
        sleep(Duration::from_millis(5)).await;
        ticks += u32::from(blocked.load(Ordering::Relaxed));
    }
    assert!(ticks >= 5, "{ticks}");
}

#[tokio::test]
async fn a_runner_that_does_not_open_is_an_error_of_spawn() {
    let ends = || {
        (
            futures_util::stream::empty::<IncomingPacket>(),
            futures_util::sink::drain::<OutgoingPacket>(),
        )
    };
    let (packets, sink) = ends();
    let open = || Err::<quorate_runner::Runner<Shared, ToyApp>, _>("no such file");
    let refused = Builder::new().spawn(open, packets, sink).await.map(drop);
    assert!(matches!(refused, Err(SpawnError::Open("no such file"))));
    let (packets, sink) = ends();
    let open = || -> Result<quorate_runner::Runner<Shared, ToyApp>, Down> { panic!("open panics") };
    let refused = Builder::new().spawn(open, packets, sink).await.map(drop);
    assert!(matches!(refused, Err(SpawnError::Panicked(message)) if message == "open panics"));
}

/// A sink that refuses the first packet.
struct Refuses(Option<()>, futures_channel::mpsc::Sender<OutgoingPacket>);

impl Sink<OutgoingPacket> for Refuses {
    type Error = String;

    fn poll_ready(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), String>> {
        self.1.poll_ready(cx).map_err(|error| error.to_string())
    }

    fn start_send(mut self: Pin<&mut Self>, packet: OutgoingPacket) -> Result<(), String> {
        match self.0.take() {
            Some(()) => Err("refused".to_owned()),
            None => self.1.start_send(packet).map_err(|error| error.to_string()),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), String>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), String>> {
        Poll::Ready(Ok(()))
    }
}

#[tokio::test]
async fn a_packet_that_the_sink_refuses_is_told_and_sent_again() {
    let [one, two] = network();
    let (store, sink) = (Shared::default(), Refuses(Some(()), one.sink));
    let settings = (ToyApp::default(), BOUNDS);
    let one = node_on(Builder::new(), (one.me, one.packets, sink), &store, settings).await;
    let mut nodes = [one, node(two, &Shared::default()).await];
    assert_eq!(both(&nodes, &job(1, b"a")).await, [b"aa", b"aa"]);
    let refused = |event: &Event<Down>| match event {
        Event::NotSent(error) => Some(error.clone()),
        _ => None,
    };
    assert_eq!(nodes[0].event(refused).await, "refused");
}

#[tokio::test]
async fn a_sink_that_panics_stops_the_service() {
    let [one, _] = network();
    let sink =
        futures_util::sink::unfold((), async |(), _: OutgoingPacket| -> Result<(), String> {
            panic!("the sink panics")
        });
    let settings = (ToyApp::default(), BOUNDS);
    let wire = (one.me, one.packets, sink);
    let mut node = node_on(Builder::new(), wire, &Shared::default(), settings).await;
    let run = spawn_run(&node, &job(1, b"a"));
    assert_eq!(node.service.stopped().await.reason, StopReason::SinkClosed);
    assert_eq!(run.await.unwrap(), Err(Error::Stopped));
}
