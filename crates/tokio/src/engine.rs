//! The runner's thread.

mod packets;
mod starting;
mod stopping;

use core::sync::atomic::AtomicBool;
use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Instant;

use quorate_runner::{EndedRun, Error, IncomingPacket, OutgoingPacket, Runner, Store, Time};
use quorate_session::SessionId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::AbortHandle;

use crate::Event;
use crate::clock::Clock;
use crate::input::{Input, WorkDone};
use crate::jobs::Jobs;
#[cfg(feature = "metrics")]
use crate::meters::{Gauges, Meters};
use crate::panics::caught;
use crate::service::{StopReason, Stopped};
use crate::workers::{Workers, step};

/// Inputs taken in and packets sent in a turn, at most, before others get their turn.
const TURN: usize = 1024;
/// The time for which packets are taken in, jobs started, or rounds done without workers in a turn: then it is looked
/// whether the service is to stop.
const SLICE: Duration = Duration::from_millis(50);
/// Jobs, packets or steps that are stored at once, by a store that takes less time for them than this.
const TOGETHER: usize = 128;
const QUICK: Duration = Duration::from_millis(12);
/// Errors about single runs in a turn, at most.
const ERRORS: usize = 16;
/// The failures of the store in a row after which the pause does not grow: eight seconds, by default.
const RESTS: u32 = 3;
/// The time for which packets are sent after the stream has ended.
const LIMIT: Duration = Duration::from_secs(5);
/// The longest time for which the thread sleeps: the clock may jump.
const NAP: Duration = Duration::from_secs(60);

/// The ends of the queues around the thread.
pub(crate) struct Ends<S: Store, A> {
    pub(crate) inputs: Receiver<Input<S, A>>,
    /// The queue of jobs and calls.
    pub(crate) queue: Arc<Semaphore>,
    /// Packets to be sent. `None` once the service has stopped.
    pub(crate) sink: Option<mpsc::Sender<OutgoingPacket>>,
    /// Set where the sink's task is to tell when there is room.
    pub(crate) starved: Arc<AtomicBool>,
    pub(crate) tasks: [AbortHandle; 2],
}

/// Nobody waits for a place in the queue, and the tasks end, whatever ends the thread.
impl<S: Store, A> Drop for Ends<S, A> {
    fn drop(&mut self) {
        self.queue.close();
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}

/// The runner, and everything that happens on its thread.
pub(crate) struct Engine<S: Store, A> {
    pub(crate) runner: Runner<S, A>,
    pub(crate) clock: Clock,
    pub(crate) ends: Ends<S, A>,
    pub(crate) workers: Workers,
    pub(crate) observer: Box<dyn FnMut(Event<S::Error>) + Send>,
    #[cfg(feature = "metrics")]
    meters: Meters,
    state: State<S, A>,
}

/// The state of the thread between two turns.
struct State<S: Store, A> {
    jobs: Jobs<S, A>,
    /// The runs of which a worker has a piece of work.
    out: BTreeSet<SessionId>,
    /// The runs that stand still after a panic, with its message.
    still: BTreeMap<SessionId, String>,
    /// Packets that wait for the store.
    held: VecDeque<(IncomingPacket, OwnedSemaphorePermit)>,
    /// Packets that wait for the sink.
    unsent: VecDeque<OutgoingPacket>,
    /// The jobs, packets or steps that are stored at once: one, with a store that is slow or has failed.
    together: usize,
    /// There is more to do at once.
    more: bool,
    /// The store has failed in this turn.
    down: bool,
    /// The failures of the store in a row, and the moment until which it is left alone.
    rest: Option<(u32, Instant)>,
    /// The moment until which there is nothing to do, if nothing has come since the last turn but calls of the application.
    quiet: Option<Instant>,
    /// No packets will arrive.
    stream_ended: bool,
    /// The service is to stop.
    stop: Option<(Duration, StopReason)>,
}

impl<S: Store, A> State<S, A> {
    const fn new() -> Self {
        Self {
            jobs: Jobs::new(),
            out: BTreeSet::new(),
            still: BTreeMap::new(),
            held: VecDeque::new(),
            unsent: VecDeque::new(),
            together: 1,
            more: true,
            down: false,
            rest: None,
            quiet: None,
            stream_ended: false,
            stop: None,
        }
    }
}

impl<S: Store, A> Engine<S, A> {
    pub(crate) fn new(
        runner: Runner<S, A>,
        clock: Clock,
        ends: Ends<S, A>,
        workers: Workers,
        observer: Box<dyn FnMut(Event<S::Error>) + Send>,
    ) -> Self {
        Self {
            #[cfg(feature = "metrics")]
            meters: Meters::new(runner.id()),
            runner,
            clock,
            ends,
            workers,
            observer,
            state: State::new(),
        }
    }

    /// Works until the service stops.
    pub(crate) fn run(mut self) -> Stopped {
        let mut wait = Duration::ZERO;
        loop {
            self.take_inputs(wait);
            if let Some((limit, reason)) = self.state.stop.take() {
                return self.stop(limit, reason);
            }
            wait = self.turn();
            if self.state.stream_ended && self.is_idle() {
                return self.stop(LIMIT, StopReason::StreamEnded);
            }
        }
    }

    /// Returns whether nothing can be done until a packet arrives.
    fn is_idle(&self) -> bool {
        let State { more, down, out, held, .. } = &self.state;
        !more && !down && out.is_empty() && held.is_empty()
    }

    /// Takes in what has come, after a time at the latest.
    fn take_inputs(&mut self, wait: Duration) {
        let mut next = match self.ends.inputs.recv_timeout(wait) {
            Ok(input) => Some(input),
            Err(RecvTimeoutError::Timeout) => None,
            // Nobody is left: not even the tasks at the stream and the sink.
            Err(RecvTimeoutError::Disconnected) => Some(Input::SinkClosed),
        };
        let mut taken = 0_usize;
        while let Some(input) = next {
            // Packets are not counted: they have their room, and what comes behind them need not wait until they are stored.
            taken = taken.saturating_add(usize::from(!matches!(input, Input::Packet(..))));
            self.take(input);
            next = if taken < TURN { self.ends.inputs.try_recv().ok() } else { None };
        }
    }

    fn take(&mut self, input: Input<S, A>) {
        let state = &mut self.state;
        if !matches!(input, Input::AppCall(..)) {
            state.quiet = None;
        }
        match input {
            Input::Packet(packet, room) => state.held.push_back((packet, room)),
            Input::Job(job) => state.jobs.put(*job, None),
            Input::Call(call, _place) => {
                if call(&mut self.runner, (self.clock)()) {
                    self.recover();
                }
            }
            Input::AppCall(call, _place) => {
                if call(self.runner.app(), (self.clock)()) {
                    state.quiet = None;
                    self.recover();
                }
            }
            Input::Abandon(sid, answer, _place) => {
                let abandoned = self.abandon(&sid);
                answer.send(abandoned).ok();
            }
            Input::Worked(sid, finished) => self.worked(sid, *finished),
            Input::NotBegun(sid) => {
                self.state.out.remove(&sid);
            }
            Input::Room => {}
            Input::NotSent(error) => self.tell(Event::NotSent(error)),
            // What has arrived before is worked off first.
            Input::StreamEnded => self.state.stream_ended = true,
            Input::SinkClosed => {
                self.ends.sink = None;
                self.stop_for(Duration::ZERO, StopReason::SinkClosed);
            }
            Input::Stop(limit) => self.stop_for(limit, StopReason::Shutdown),
        }
    }

    /// Does all that can be done now. Gives the time until there is more to do.
    fn turn(&mut self) -> Duration {
        let quiet = self.state.quiet.map(|until| until.saturating_duration_since(Instant::now()));
        if let Some(left) = quiet.filter(|left| !left.is_zero()) {
            return left;
        }
        let left =
            self.state.rest.map(|(_, until)| until.saturating_duration_since(Instant::now()));
        if let Some(left) = left.filter(|left| !left.is_zero()) {
            return left;
        }
        let now = (self.clock)();
        self.state.more = false;
        self.state.down = false;
        self.start_jobs(now);
        self.receive(now);
        self.work(now);
        self.send(now);
        self.look_for_others();
        let wait = self.until_due(now);
        #[cfg(feature = "metrics")]
        self.measure();
        if self.state.down {
            return self.rest();
        }
        self.state.rest = None;
        self.state.quiet = Instant::now().checked_add(wait);
        wait
    }

    /// Passes the counters on.
    #[cfg(feature = "metrics")]
    fn measure(&mut self) {
        let state = &self.state;
        let (jobs_waiting, runs_awaited) = state.jobs.counts();
        let gauges = Gauges {
            jobs_waiting,
            runs_awaited,
            steps_at_work: state.out.len(),
            runs_standing_still: state.still.len(),
            packets_waiting: state.held.len(),
            packets_unsent: state.unsent.len(),
            sessions_in_memory: self.runner.in_memory(),
        };
        self.meters.update(self.runner.metrics(), gauges);
    }

    /// Leaves the store alone for a while.
    fn rest(&mut self) -> Duration {
        let failed = self.state.rest.map_or(0, |(failed, _)| failed);
        let pause = Duration::from_millis(self.runner.bounds().backoff(failed.min(RESTS)));
        let until = Instant::now().checked_add(pause);
        self.state.rest = until.map(|until| (failed.saturating_add(1), until));
        pause
    }

    /// The time after which something that could not be done is tried again.
    fn pause(&self) -> Duration {
        Duration::from_millis(self.runner.bounds().backoff(0))
    }

    /// The time until something is due. What is overdue and cannot be done now is looked at again after a while: its run is
    /// being worked on or stands still, or the sink is full.
    fn until_due(&mut self, now: Time) -> Duration {
        if self.state.more || self.state.down {
            return Duration::ZERO;
        }
        let due = match caught(|| self.runner.next_due()) {
            Ok(Ok(due)) => due,
            Ok(Err(error)) => {
                self.failed(error);
                None
            }
            Err(message) => {
                self.panicked(message);
                None
            }
        };
        let (pause, full) = (self.pause(), !self.state.unsent.is_empty());
        let due = due.map(|due| {
            let wait = Duration::from_millis(due.saturating_sub(now));
            if wait.is_zero() || full { wait.max(pause) } else { wait }
        });
        let look = self.state.jobs.next_look(now, pause);
        [due, look].into_iter().flatten().fold(NAP, Duration::min)
    }

    /// Hands work to the threads that are free, or does it here if there are none. Stores what came of it, many steps at once.
    fn work(&mut self, now: Time) {
        let (mut errors, began) = (0_usize, Instant::now());
        loop {
            let more = self.take_work(now, began, &mut errors);
            // A run that has begun another round may go on at once.
            let more = self.store_steps() > 0 || more;
            if self.state.down || errors >= ERRORS || !more {
                return;
            }
            if began.elapsed() >= SLICE {
                self.state.more = true;
                return;
            }
        }
    }

    /// Takes pieces of work, as many as are stored at once. Returns whether there may be more to take now.
    fn take_work(&mut self, now: Time, began: Instant, errors: &mut usize) -> bool {
        for _ in 0..self.state.together {
            if self.state.down || *errors >= ERRORS || self.state.out.len() >= self.workers.room() {
                return false;
            }
            match caught(|| self.runner.next_work(now)) {
                Ok(Ok(None)) => return false,
                Ok(Ok(Some(work))) => {
                    let sid = work.sid();
                    self.state.out.insert(sid);
                    if let Some(work) = self.workers.hand_over(work) {
                        self.worked(sid, step(work));
                    }
                }
                Ok(Err(error)) => {
                    *errors = errors.saturating_add(1);
                    self.failed(error);
                }
                Err(message) => {
                    *errors = errors.saturating_add(1);
                    self.panicked(message);
                }
            }
            if began.elapsed() >= SLICE {
                break;
            }
        }
        true
    }

    /// Takes what came of a piece of work, to be stored with others.
    fn worked(&mut self, sid: SessionId, done: WorkDone) {
        self.state.out.remove(&sid);
        self.workers.took(done.took);
        let prepared = done.finished.and_then(|finished| caught(|| self.runner.prepare(finished)));
        if let Err(message) = prepared {
            self.panicked(message);
        }
    }

    /// Stores what came of the pieces of work that are done. Gives their number.
    fn store_steps(&mut self) -> usize {
        let began = Instant::now();
        let results = match caught(|| self.runner.finish_all()) {
            Ok(results) => results,
            Err(message) => {
                self.panicked(message);
                return 0;
            }
        };
        let stored = results.len();
        let ended = self.each(results, began);
        ended.into_iter().flatten().for_each(|run| self.ended(run));
        stored
    }

    /// The results of a batch that are no errors. Of those of the store one error is told. How long it took says how many records
    /// the next batch has, so that no slow store holds up a shutdown.
    fn each<T>(&mut self, results: Vec<Result<T, Error<S::Error>>>, began: Instant) -> Vec<T> {
        let (mut values, mut down) = (Vec::with_capacity(results.len()), false);
        for result in results {
            match result {
                Ok(value) => values.push(value),
                Err(error) => {
                    let store = matches!(error, Error::Store(_));
                    if !(store && core::mem::replace(&mut down, store)) {
                        self.failed(error);
                    }
                }
            }
        }
        if !values.is_empty() || down {
            self.pace(began, down);
        }
        values
    }

    /// The next batch is larger if this one was stored quickly, and has one record if not.
    fn pace(&mut self, began: Instant, failed: bool) {
        let (took, together) = (began.elapsed(), &mut self.state.together);
        if failed || took >= SLICE {
            *together = 1;
        } else if took < QUICK {
            *together = together.saturating_mul(2).min(TOGETHER);
        }
    }

    fn ended(&mut self, run: EndedRun) {
        self.state.still.remove(&run.sid);
        self.state.more |= self.state.jobs.wait();
        self.state.jobs.ended(&run.sid, &run.outcome);
        self.tell(Event::Ended(run));
    }

    fn failed(&mut self, error: Error<S::Error>) {
        self.state.down |= matches!(error, Error::Store(_));
        self.tell(Event::Failed(error));
    }

    /// Somebody else's code has panicked. If the application or a protocol has, its run is out and stands still. Else it was
    /// the store.
    fn panicked(&mut self, message: String) {
        let State { out, still, .. } = &self.state;
        let run = self.runner.at_work().find(|sid| !out.contains(sid) && !still.contains_key(sid));
        match run {
            Some(sid) => {
                self.state.still.insert(sid, message.clone());
                self.state.jobs.panicked(&sid, &message);
            }
            None => self.state.down = true,
        }
        self.tell(Event::Panicked { run, message });
        self.recover();
    }

    /// Continues all runs that do not stand still, after a panic.
    fn recover(&mut self) {
        match caught(|| self.runner.recover()) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => self.failed(error),
            Err(_) => self.state.down = true,
        }
        self.state.more = true;
    }

    fn tell(&mut self, event: Event<S::Error>) {
        #[cfg(feature = "metrics")]
        self.meters.count(&event);
        #[cfg(feature = "tracing")]
        crate::spans::record(&event);
        // The panic of an observer has been printed, and nothing depends on it.
        drop(caught(|| (self.observer)(event)));
    }
}
