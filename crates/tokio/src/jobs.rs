//! Jobs that wait to be started, and callers that wait for outcomes.

use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

use quorate_runner::{Job, Outcome, Store, Time};
use quorate_session::SessionId;

use crate::Error;
use crate::input::{Answer, QueuedJob};

/// Runs whose outcomes are looked for at a time, because another process may have ended them.
const LOOKS: usize = 64;

/// Jobs that wait to be started, and callers that wait for outcomes.
pub(crate) struct Jobs<S: Store, A> {
    queue: VecDeque<Waiting<S, A>>,
    callers: BTreeMap<SessionId, Callers<S::Error>>,
    /// The moment until which it is taken that as many runs are open as may be.
    busy: Option<Instant>,
    /// The moment of the next look, and the run that was looked for last.
    look: (Option<Instant>, Option<SessionId>),
}

/// A job that waits to be started.
struct Waiting<S: Store, A> {
    queued: QueuedJob<S, A>,
    /// The moment of the next attempt.
    again: Option<Instant>,
}

/// The callers that wait for the outcome of a run.
struct Callers<E> {
    job: Job,
    answers: Vec<Answer<Outcome, E>>,
}

impl<S: Store, A> Jobs<S, A> {
    pub(crate) const fn new() -> Self {
        Self { queue: VecDeque::new(), callers: BTreeMap::new(), busy: None, look: (None, None) }
    }

    /// The numbers of jobs that wait and of runs that are waited for.
    #[cfg(feature = "metrics")]
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.queue.len(), self.callers.len())
    }

    /// Takes the jobs that may be started now, or that are late.
    pub(crate) fn take_due(&mut self, now: Time) -> Vec<QueuedJob<S, A>> {
        let moment = Some(Instant::now());
        let (mut due, mut rest) = (Vec::new(), VecDeque::new());
        for waiting in core::mem::take(&mut self.queue) {
            let may = moment >= waiting.again.max(self.busy);
            if may || now >= waiting.queued.job.deadline {
                due.push(waiting.queued);
            } else {
                rest.push_back(waiting);
            }
        }
        self.queue = rest;
        due
    }

    /// Sets the moment until which it is taken that as many runs are open as may be.
    pub(crate) const fn set_busy(&mut self, until: Option<Instant>) {
        self.busy = until;
    }

    /// Returns whether it is taken that as many runs are open as may be.
    pub(crate) fn is_busy(&self) -> bool {
        self.busy > Some(Instant::now())
    }

    /// A job waits to be started, not before this moment.
    pub(crate) fn put(&mut self, queued: QueuedJob<S, A>, again: Option<Instant>) {
        self.queue.push_back(Waiting { queued, again });
    }

    /// The caller of a job waits for the outcome of its run.
    pub(crate) fn wait_for(&mut self, job: Job, answer: Answer<Outcome, S::Error>) {
        let callers = self.callers.entry(job.sid);
        let callers = callers.or_insert_with(|| Callers { job, answers: Vec::new() });
        callers.answers.retain(|answer| !answer.is_closed());
        callers.answers.push(answer);
    }

    /// The outcome of a run goes to its callers. There is room for another run.
    pub(crate) fn ended(&mut self, sid: &SessionId, outcome: &Outcome) {
        self.busy = None;
        for answer in self.callers.remove(sid).into_iter().flat_map(|callers| callers.answers) {
            // A caller that has dropped the future does not want it.
            answer.send(Ok(outcome.clone())).ok();
        }
    }

    /// The callers of a run are told that it stands still.
    pub(crate) fn panicked(&mut self, sid: &SessionId, message: &str) {
        for answer in self.callers.remove(sid).into_iter().flat_map(|callers| callers.answers) {
            answer.send(Err(Error::Panicked(message.to_owned()))).ok();
        }
    }

    /// Returns whether a job waits.
    pub(crate) fn wait(&self) -> bool {
        !self.queue.is_empty()
    }

    /// The time until a job or a caller needs a look, if there is one: a while, or until the first deadline.
    pub(crate) fn next_look(&self, now: Time, pause: Duration) -> Option<Duration> {
        let waits = self.wait() || !self.callers.is_empty();
        let deadlines = self.queue.iter().map(|waiting| waiting.queued.job.deadline);
        let left = deadlines.map(|deadline| Duration::from_millis(deadline.saturating_sub(now)));
        waits.then(|| left.fold(pause, Duration::min))
    }

    /// The next runs whose callers wait, in turn, once in each pause. Callers that have dropped their futures are forgotten.
    pub(crate) fn next_looks(&mut self, pause: Duration) -> Vec<Job> {
        let now = Instant::now();
        if self.look.0.is_some_and(|next| now < next) {
            return Vec::new();
        }
        self.callers.retain(|_, callers| {
            callers.answers.retain(|answer| !answer.is_closed());
            !callers.answers.is_empty()
        });
        let last = self.look.1.take();
        let after = self.callers.iter().filter(|(sid, _)| last.is_none_or(|last| **sid > last));
        let jobs: Vec<_> = after.take(LOOKS).map(|(_, callers)| callers.job.clone()).collect();
        let last = jobs.last().filter(|_| jobs.len() >= LOOKS).map(|job| job.sid);
        self.look = (now.checked_add(pause), last);
        jobs
    }
}
