//! A runner in an async program.

use alloc::{boxed::Box, collections::VecDeque, vec::Vec};
use core::{fmt, pin::Pin, task};

use futures_core::Stream;
use futures_sink::Sink;
use quorate_session::{PartyId, Protocol};

use crate::store::Store;
use crate::{App, EndedRun, Error, FinishedWork, OutgoingPacket, Runner, Time, Work};

/// The threads and the clock of an async program, which the runtime of the caller's choice has.
pub trait Runtime<P: Protocol> {
    /// Work under way on another thread.
    type Running: Future<Output = FinishedWork<P>>;
    /// A timer.
    type Sleep: Future<Output = ()>;

    /// Has a thread do [`Work::run`]: one that may be busy for the time of a round, and never one that polls.
    fn run(&mut self, work: Work<P>) -> Self::Running;

    /// The time by the clock of the runner.
    fn now(&mut self) -> Time;

    /// A timer that ends at this time.
    fn sleep_until(&mut self, time: Time) -> Self::Sleep;
}

/// Packets taken in at a time, at most, before others get their turn.
const TURN: usize = 1024;

/// A runner between a stream of packets that arrive and a sink of packets to send, as a stream of the runs that end.
///
/// It has no runtime of its own: whoever polls it moves it, and [`Runtime`] has the threads and the timers. The rounds run
/// on the caller's threads. The store is asked while it is polled: keep it quick, or near.
///
/// Packets come with the sender whom the transport has authenticated. A packet that the sink does not take is counted in
/// [`failures`](Self::failures), and sent again later. After an error the stream goes on; it ends when the packets do.
/// **Poll it on after a run has ended**: peers may still need what it has to send.
pub struct RunnerStream<P: Protocol, S, A, R: Runtime<P>, I, O> {
    runner: Runner<P, S, A>,
    runtime: R,
    packets: I,
    sink: O,
    threads: usize,
    running: Vec<Pin<Box<R::Running>>>,
    timer: Option<(Time, Pin<Box<R::Sleep>>)>,
    unsent: VecDeque<OutgoingPacket>,
    ended: VecDeque<EndedRun>,
    failures: u64,
    closed: bool,
}

impl<P: Protocol, S, A, R: Runtime<P>, I, O> RunnerStream<P, S, A, R, I, O> {
    /// A runner between these two, with at most so many pieces of work under way at a time.
    pub fn new(
        runner: Runner<P, S, A>,
        runtime: R,
        (packets, sink): (I, O),
        threads: usize,
    ) -> Self {
        Self {
            runner,
            runtime,
            packets,
            sink,
            threads,
            running: Vec::new(),
            timer: None,
            unsent: VecDeque::new(),
            ended: VecDeque::new(),
            failures: 0,
            closed: false,
        }
    }

    /// The runner, to start jobs and to look: between two polls.
    pub const fn runner(&mut self) -> &mut Runner<P, S, A> {
        &mut self.runner
    }

    /// The number of packets that the sink did not take.
    #[must_use]
    pub const fn failures(&self) -> u64 {
        self.failures
    }
}

// Nothing of it is pinned in its place: what has to be is in boxes.
impl<P: Protocol, S, A, R: Runtime<P>, I, O> Unpin for RunnerStream<P, S, A, R, I, O> {}

impl<P, S, A, R, I, O> RunnerStream<P, S, A, R, I, O>
where
    P: Protocol,
    S: Store,
    A: App<P>,
    R: Runtime<P>,
    I: Stream<Item = (PartyId, Vec<u8>)> + Unpin,
    O: Sink<OutgoingPacket> + Unpin,
{
    fn take_in(&mut self, cx: &mut task::Context<'_>, now: Time) -> Result<(), Error<S::Error>> {
        for _ in 0..TURN {
            if self.closed {
                return Ok(());
            }
            match Pin::new(&mut self.packets).poll_next(cx) {
                task::Poll::Ready(Some((from, packet))) => {
                    self.runner.receive(from, &packet, now)?;
                }
                task::Poll::Ready(None) => self.closed = true,
                task::Poll::Pending => return Ok(()),
            }
        }
        cx.waker().wake_by_ref();
        Ok(())
    }

    fn work(&mut self, cx: &mut task::Context<'_>, now: Time) -> Result<(), Error<S::Error>> {
        loop {
            let mut place = 0;
            while let Some(running) = self.running.get_mut(place) {
                match running.as_mut().poll(cx) {
                    task::Poll::Ready(finished) => {
                        drop(self.running.swap_remove(place));
                        self.ended.extend(self.runner.finish(finished)?);
                    }
                    task::Poll::Pending => place = place.saturating_add(1),
                }
            }
            let before = self.running.len();
            while self.running.len() < self.threads.max(1)
                && let Some(work) = self.runner.next_work(now)?
            {
                self.running.push(Box::pin(self.runtime.run(work)));
            }
            // What is new has to be polled, or it wakes nobody.
            if self.running.len() == before {
                return Ok(());
            }
        }
    }

    fn send(&mut self, cx: &mut task::Context<'_>, now: Time) -> Result<(), Error<S::Error>> {
        loop {
            if self.unsent.is_empty() {
                self.unsent.extend(self.runner.outgoing(now, TURN)?);
            }
            let Some(packet) = self.unsent.pop_front() else { break };
            let sink = Pin::new(&mut self.sink);
            let sent = match sink.poll_ready(cx) {
                task::Poll::Ready(ready) => {
                    ready.and_then(|()| Pin::new(&mut self.sink).start_send(packet))
                }
                task::Poll::Pending => {
                    self.unsent.push_front(packet);
                    break;
                }
            };
            self.failures = self.failures.saturating_add(u64::from(sent.is_err()));
        }
        if let task::Poll::Ready(Err(_)) = Pin::new(&mut self.sink).poll_flush(cx) {
            self.failures = self.failures.saturating_add(1);
        }
        Ok(())
    }

    /// Sees to it that it is polled when something is due. What is overdue and cannot be done now, since its run is being
    /// worked on or the sink takes nothing, is looked at again after a while.
    fn sleep(&mut self, cx: &mut task::Context<'_>) -> Result<(), Error<S::Error>> {
        let Some(due) = self.runner.next_due()? else {
            self.timer = None;
            return Ok(());
        };
        let now = self.runtime.now();
        let later = now.saturating_add(self.runner.bounds().backoff(0));
        let at = if due > now && self.unsent.is_empty() { due } else { due.max(later) };
        if self.timer.as_ref().is_none_or(|(time, _)| *time != at) {
            self.timer = Some((at, Box::pin(self.runtime.sleep_until(at))));
        }
        if self.timer.as_mut().is_some_and(|(_, timer)| timer.as_mut().poll(cx).is_ready()) {
            self.timer = None;
            cx.waker().wake_by_ref();
        }
        Ok(())
    }
}

impl<P, S, A, R, I, O> Stream for RunnerStream<P, S, A, R, I, O>
where
    P: Protocol,
    S: Store,
    A: App<P>,
    R: Runtime<P>,
    I: Stream<Item = (PartyId, Vec<u8>)> + Unpin,
    O: Sink<OutgoingPacket> + Unpin,
{
    type Item = Result<EndedRun, Error<S::Error>>;

    fn poll_next(
        self: Pin<&mut Self>,
        cx: &mut task::Context<'_>,
    ) -> task::Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let now = this.runtime.now();
        this.take_in(cx, now)?;
        this.work(cx, now)?;
        this.send(cx, now)?;
        if let Some(run) = this.ended.pop_front() {
            return task::Poll::Ready(Some(Ok(run)));
        }
        if this.closed && this.running.is_empty() {
            return task::Poll::Ready(None);
        }
        this.sleep(cx)?;
        task::Poll::Pending
    }
}

impl<P: Protocol, S, A, R: Runtime<P>, I, O> fmt::Debug for RunnerStream<P, S, A, R, I, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunnerStream")
            .field("runner", &self.runner)
            .field("running", &self.running.len())
            .field("unsent", &self.unsent.len())
            .finish_non_exhaustive()
    }
}
