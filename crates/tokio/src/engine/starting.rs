//! Jobs on their way to the runner, and outcomes on their way to the callers.

use std::time::Instant;

use quorate_runner::{Error as RunnerError, NewJob, Refusal, StartOutcome, Starting, Store, Time};
use quorate_session::SessionId;

use super::{Engine, SLICE};
use crate::input::QueuedJob;
use crate::panics::caught;
use crate::{Error, Event};

/// A job whose first step waits to be stored.
struct New<S: Store, A> {
    queued: QueuedJob<S, A>,
    job: Box<NewJob>,
}

impl<S: Store, A> Engine<S, A> {
    /// Starts the jobs that can be started, many at once, for a while.
    pub(super) fn start_jobs(&mut self, now: Time) {
        let began = Instant::now();
        let mut new = Vec::new();
        for queued in self.state.jobs.take_due(now) {
            if began.elapsed() >= SLICE {
                self.state.jobs.put(queued, None);
                self.state.more = true;
            } else if self.state.jobs.is_busy() && now < queued.job.deadline {
                self.state.jobs.put(queued, None);
            } else {
                self.prepare(queued, &mut new, now);
            }
            if new.len() >= self.state.together {
                self.start_all(core::mem::take(&mut new));
            }
        }
        self.start_all(new);
    }

    /// Makes the first step of a job, to be stored with those of others.
    fn prepare(&mut self, queued: QueuedJob<S, A>, new: &mut Vec<New<S, A>>, now: Time) {
        if queued.answer.is_closed() {
            return;
        }
        #[cfg(feature = "tracing")]
        let _span = queued.span.clone().entered();
        let before = new.len();
        match caught(|| (queued.start)(&mut self.runner, &queued.job, before, now)) {
            Ok(Ok(Starting::New(job))) => new.push(New { queued, job }),
            Ok(Ok(Starting::Known(outcome))) => self.started(queued, Ok(outcome)),
            Ok(Err(error)) => self.started(queued, Err(error)),
            Err(message) => {
                self.start_panicked(&message);
                queued.answer.send(Err(Error::Panicked(message))).ok();
            }
        }
    }

    /// Stores the first steps of jobs.
    fn start_all(&mut self, new: Vec<New<S, A>>) {
        if new.is_empty() {
            return;
        }
        let (queued, jobs): (Vec<_>, _) = new.into_iter().map(|new| (new.queued, new.job)).unzip();
        let began = Instant::now();
        match caught(|| self.runner.start_all(jobs)) {
            Ok(results) => {
                let failed = results.iter().any(|one| matches!(one, Err(RunnerError::Store(_))));
                self.pace(began, failed);
                for (queued, result) in queued.into_iter().zip(results) {
                    self.started(queued, result);
                }
            }
            Err(message) => {
                self.start_panicked(&message);
                for queued in queued {
                    queued.answer.send(Err(Error::Panicked(message.clone()))).ok();
                }
            }
        }
    }

    fn start_panicked(&mut self, message: &str) {
        self.tell(Event::Panicked { run: None, message: message.to_owned() });
        self.recover();
    }

    /// The caller of a job waits, or has its answer; or the job waits.
    fn started(
        &mut self,
        queued: QueuedJob<S, A>,
        outcome: Result<StartOutcome, RunnerError<S::Error>>,
    ) {
        let answer = match outcome {
            Ok(StartOutcome::Begun | StartOutcome::Running) => {
                match self.state.still.get(&queued.job.sid) {
                    Some(message) => Err(Error::Panicked(message.clone())),
                    None => {
                        let QueuedJob { job, answer, .. } = queued;
                        return self.state.jobs.wait_for(job, answer);
                    }
                }
            }
            Ok(StartOutcome::Ended(outcome)) => Ok(outcome),
            Err(RunnerError::Refused(why @ (Refusal::Busy | Refusal::Outbox))) => {
                let again = Instant::now().checked_add(self.pause());
                if why == Refusal::Busy {
                    self.state.jobs.set_busy(again);
                }
                return self.state.jobs.put(queued, again);
            }
            Err(error) => Err(Error::Runner(error)),
        };
        queued.answer.send(answer).ok();
    }

    /// Looks for outcomes that another process on the same store has recorded.
    pub(super) fn look_for_others(&mut self) {
        let pause = self.pause();
        for job in self.state.jobs.next_looks(pause) {
            if self.state.down {
                return;
            }
            match caught(|| self.runner.outcome(&job)) {
                Ok(Ok(None)) => {}
                Ok(Ok(Some(outcome))) => self.state.jobs.ended(&job.sid, &outcome),
                Ok(Err(error)) => self.failed(error),
                Err(message) => self.panicked(message),
            }
        }
    }

    /// Ends a run for good.
    pub(super) fn abandon(&mut self, sid: &SessionId) -> Result<bool, Error<S::Error>> {
        let now = (self.clock)();
        match caught(|| self.runner.abandon(sid, now)) {
            Ok(Ok(None)) => Ok(false),
            Ok(Ok(Some(run))) => {
                self.ended(run);
                Ok(true)
            }
            Ok(Err(error)) => Err(Error::Runner(error)),
            Err(message) => {
                self.tell(Event::Panicked { run: None, message: message.clone() });
                self.recover();
                Err(Error::Panicked(message))
            }
        }
    }
}
