//! A runner as a stream, polled by hand: no runtime, no threads, a clock that the test sets.
#![allow(
    missing_docs,
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod common;

use core::cell::{Cell, RefCell};
use core::future::{Ready, ready};
use core::pin::Pin;
use core::task::{Context, Poll, Waker};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use common::{Killed, Shared, Toy, ToyApp, id, job, worker};
use futures_core::Stream;
use futures_sink::Sink;
use quorate_runner::{
    Bounds, EndKind, EndedRun, Error, FinishedWork, OutgoingPacket, RunnerStream, Runtime, Store,
    Time, Work,
};
use quorate_session::PartyId;
use quorate_testkit::Stuck;

const BOUNDS: Bounds = Bounds::new(10);

#[derive(Clone, Default)]
struct Clock {
    now: Rc<Cell<Time>>,
    /// Pieces of work done.
    done: Rc<Cell<usize>>,
    /// The time of the last timer.
    alarm: Rc<Cell<Time>>,
}

struct Alarm(Clock, Time);

impl Future for Alarm {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.0.now.get() >= self.1 { Poll::Ready(()) } else { Poll::Pending }
    }
}

impl Runtime<Toy> for Clock {
    type Running = Ready<FinishedWork<Toy>>;
    type Sleep = Alarm;

    fn run(&mut self, work: Work<Toy>) -> Self::Running {
        self.done.set(self.done.get() + 1);
        ready(work.run())
    }

    fn now(&mut self) -> Time {
        self.now.get()
    }

    fn sleep_until(&mut self, time: Time) -> Alarm {
        self.alarm.set(time);
        Alarm(self.clone(), time)
    }
}

/// The wire, with what arrives at each party. It may be full or broken for those who send, and closed for all.
#[derive(Default)]
struct Wire {
    arriving: BTreeMap<PartyId, VecDeque<(PartyId, Vec<u8>)>>,
    full: bool,
    broken: bool,
    closed: bool,
}

struct End(PartyId, Rc<RefCell<Wire>>);

impl Stream for End {
    type Item = (PartyId, Vec<u8>);

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut wire = self.1.borrow_mut();
        match wire.arriving.entry(self.0).or_default().pop_front() {
            None if !wire.closed => Poll::Pending,
            packet => Poll::Ready(packet),
        }
    }
}

impl Sink<OutgoingPacket> for End {
    type Error = ();

    fn poll_ready(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), ()>> {
        if self.1.borrow().full { Poll::Pending } else { Poll::Ready(Ok(())) }
    }

    fn start_send(self: Pin<&mut Self>, packet: OutgoingPacket) -> Result<(), ()> {
        let mut wire = self.1.borrow_mut();
        if wire.broken {
            return Err(());
        }
        wire.arriving.entry(packet.to).or_default().push_back((self.0, packet.bytes.to_vec()));
        Ok(())
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), ()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), ()>> {
        Poll::Ready(Ok(()))
    }
}

type Node = RunnerStream<Toy, Shared, ToyApp, Clock, End, End>;

/// So many of three parties with one job each, their stores, the wire and the clock.
fn nodes(count: u16) -> (Vec<Node>, Vec<Shared>, Rc<RefCell<Wire>>, Clock) {
    let (wire, clock): (Rc<RefCell<Wire>>, Clock) = Default::default();
    let (mut nodes, mut stores) = (Vec::new(), Vec::new());
    for me in 1..=count {
        let store = Shared::default();
        let mut runner = worker(id(me), &store, BOUNDS).unwrap();
        runner.start(&job(1, 3, 1_000), 0, &mut Stuck::at(7)).unwrap();
        let end = || End(id(me), Rc::clone(&wire));
        nodes.push(RunnerStream::new(runner, clock.clone(), (end(), end()), 2));
        stores.push(store);
    }
    (nodes, stores, wire, clock)
}

fn poll(node: &mut Node) -> Poll<Option<Result<EndedRun, Error<Killed>>>> {
    Pin::new(node).poll_next(&mut Context::from_waker(Waker::noop()))
}

/// Polls all so many times: what they give.
fn turns(nodes: &mut [Node], count: usize) -> Vec<Result<EndedRun, Error<Killed>>> {
    let mut given = Vec::new();
    for _ in 0..count {
        for node in &mut *nodes {
            if let Poll::Ready(Some(item)) = poll(node) {
                given.push(item);
            }
        }
    }
    given
}

fn done(given: Vec<Result<EndedRun, Error<Killed>>>) -> usize {
    given.into_iter().filter(|run| run.as_ref().unwrap().outcome.kind == EndKind::Done).count()
}

#[test]
fn runs_end_and_nothing_is_left() {
    let (mut nodes, stores, wire, clock) = nodes(3);
    assert_eq!(done(turns(&mut nodes, 20)), 3);
    // The work went through the caller's hands, and what was sent is acknowledged.
    assert!(clock.done.get() >= 9, "{}", clock.done.get());
    for store in &stores {
        assert_eq!(store.store.borrow_mut().counts().unwrap().letters, 0);
    }
    wire.borrow_mut().closed = true;
    assert!(nodes.iter_mut().all(|node| matches!(poll(node), Poll::Ready(None))));
}

#[test]
fn what_a_broken_sink_loses_is_counted_and_sent_again() {
    let (mut nodes, _, wire, clock) = nodes(3);
    wire.borrow_mut().broken = true;
    assert!(turns(&mut nodes, 3).is_empty());
    assert!(nodes.iter().all(|node| node.failures() == 2));
    wire.borrow_mut().broken = false;
    // The timer is set to the time at which the message comes again.
    assert_eq!(clock.alarm.get(), 10);
    assert!(turns(&mut nodes, 3).is_empty());
    clock.now.set(10);
    assert_eq!(done(turns(&mut nodes, 20)), 3);
}

#[test]
fn a_full_sink_is_waited_for_and_not_past_a_deadline() {
    let (mut nodes, _, wire, clock) = nodes(2);
    wire.borrow_mut().full = true;
    assert!(turns(&mut nodes, 3).is_empty());
    assert!(nodes.iter().all(|node| node.failures() == 0));
    // It looks again after a while, not at once.
    clock.now.set(500);
    assert!(turns(&mut nodes, 1).is_empty());
    assert_eq!(clock.alarm.get(), 510);
    clock.now.set(1_000);
    let ended: Vec<_> = turns(&mut nodes, 3).into_iter().map(Result::unwrap).collect();
    assert_eq!(ended.len(), 2);
    assert!(ended.iter().all(|run| run.outcome.kind == EndKind::Stopped));
}

/// Killed at each operation of the store in turn, the stream gives the error and goes on.
#[test]
fn an_error_of_the_store_is_given_and_the_stream_goes_on() {
    for fuse in 0..40 {
        let (mut nodes, stores, _, clock) = nodes(3);
        stores[0].fuse.set(Some((fuse, fuse & 1 == 0)));
        let mut given = Vec::new();
        // What was in hand when the store failed comes again with the others' next attempts.
        for now in [0, 10, 30, 70, 150] {
            clock.now.set(now);
            given.extend(turns(&mut nodes, 20));
        }
        let failed = given.iter().filter(|item| matches!(item, Err(Error::Store(Killed))));
        assert_eq!(failed.count(), 1, "{fuse}");
        for node in &mut nodes {
            let outcome = node.runner().outcome(&job(1, 3, 1_000)).unwrap().unwrap();
            assert_eq!(outcome.kind, EndKind::Done, "{fuse}");
        }
    }
}
