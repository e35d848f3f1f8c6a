//! Jobs on their way to the runner, and outcomes on their way to the callers.

use std::time::Instant;

use quorate_runner::{Error as RunnerError, Refusal, StartOutcome, Store, Time};
use quorate_session::SessionId;

use super::{Engine, SLICE};
use crate::input::QueuedJob;
use crate::panics::caught;
use crate::{Error, Event};

impl<S: Store, A> Engine<S, A> {
    /// Starts the jobs that can be started, for a while.
    pub(super) fn start_jobs(&mut self, now: Time) {
        let began = Instant::now();
        for queued in self.state.jobs.take_due(now) {
            if began.elapsed() >= SLICE {
                self.state.jobs.put(queued, None);
                self.state.more = true;
            } else if self.state.jobs.is_busy() && now < queued.job.deadline {
                self.state.jobs.put(queued, None);
            } else {
                self.start(queued, now);
            }
        }
    }

    fn start(&mut self, queued: QueuedJob<S, A>, now: Time) {
        if queued.answer.is_closed() {
            return;
        }
        #[cfg(feature = "tracing")]
        let _span = queued.span.clone().entered();
        let answer = match caught(|| (queued.start)(&mut self.runner, &queued.job, now)) {
            Ok(Ok(StartOutcome::Begun | StartOutcome::Running)) => {
                match self.state.still.get(&queued.job.sid) {
                    Some(message) => Err(Error::Panicked(message.clone())),
                    None => {
                        let QueuedJob { job, answer, .. } = queued;
                        return self.state.jobs.wait_for(job, answer);
                    }
                }
            }
            Ok(Ok(StartOutcome::Ended(outcome))) => Ok(outcome),
            Ok(Err(RunnerError::Refused(why @ (Refusal::Busy | Refusal::Outbox)))) => {
                let again = Instant::now().checked_add(self.pause());
                if why == Refusal::Busy {
                    self.state.jobs.set_busy(again);
                }
                return self.state.jobs.put(queued, again);
            }
            Ok(Err(error)) => Err(Error::Runner(error)),
            Err(message) => {
                self.tell(Event::Panicked { run: None, message: message.clone() });
                self.recover();
                Err(Error::Panicked(message))
            }
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
