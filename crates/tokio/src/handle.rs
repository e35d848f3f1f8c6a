//! The handle of a service.

use core::fmt;
use core::time::Duration;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use getrandom::SysRng;
use quorate_runner::{App, Job, Runner, Starting, Store, Time};
use quorate_session::rand_core::UnwrapErr;
use quorate_session::{Protocol, SessionId};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::clock::Clock;
use crate::input::{Input, QueuedJob};
use crate::panics::caught;
use crate::{Error, RunOutcome};

/// A handle of a running service, to be cloned into any task.
///
/// Whatever needs the runner is handed to its thread through one bounded queue. When that is full, the calls wait.
pub struct Handle<S: Store, A> {
    pub(crate) inputs: Sender<Input<S, A>>,
    pub(crate) queue: Arc<Semaphore>,
    pub(crate) clock: Clock,
}

impl<S, A> Handle<S, A>
where
    S: Store<Error: Send> + 'static,
    A: 'static,
{
    /// Starts a job of the protocol `P`, once, and waits for its outcome, which is stored by then.
    ///
    /// A job that is delivered again starts nothing. It waits for the same run, or gives the outcome that is stored already, also
    /// after a restart.
    ///
    /// The call waits where the queue of jobs is full, where [`Bounds::open`](quorate_runner::Bounds::open) runs are open, and
    /// where a peer's outbox is full, until the deadline of the job at the latest. If its future is dropped before the run
    /// has begun, the job is not started. Dropped afterwards, the run continues.
    ///
    /// # Errors
    /// [`Error::Runner`] if the job cannot start. [`Error::Panicked`] if the application panics about it. [`Error::Stopped`].
    pub async fn run<P: Protocol>(&self, job: Job) -> Result<RunOutcome<A::Record>, Error<S::Error>>
    where
        A: App<P>,
    {
        let place = self.place().await?;
        let (answer, outcome) = oneshot::channel();
        let start = start::<S, A, P>;
        #[cfg(feature = "tracing")]
        let span = tracing::Span::current();
        self.hand_in(Input::Job(Box::new(QueuedJob {
            job,
            start,
            answer,
            _place: place,
            #[cfg(feature = "tracing")]
            span,
        })))?;
        outcome.await.map_err(|_| Error::Stopped)?.map(RunOutcome::new)
    }

    /// Calls a function with the runner, on its thread: to look at its counters, its outcomes, its store or its application.
    /// The second argument is the time.
    ///
    /// ```text
    /// let outcome = handle.with(move |runner, _| runner.outcome(&job)).await??;
    /// ```
    ///
    /// # Errors
    /// [`Error::Panicked`] if the function panics. [`Error::Stopped`].
    pub async fn with<T: Send + 'static>(
        &self,
        call: impl FnOnce(&mut Runner<S, A>, Time) -> T + Send + 'static,
    ) -> Result<T, Error<S::Error>> {
        let (call, result) = call_of(call);
        self.hand_in(Input::Call(Box::new(call), self.place().await?))?;
        result.await.map_err(|_| Error::Stopped)?.map_err(Error::Panicked)
    }

    /// Calls a function with the application, on the thread of the runner. It costs less than [`with`](Self::with), after
    /// which the store is asked for work. The second argument is the time.
    ///
    /// ```text
    /// let commitments = handle.with_app(|app, _| app.commit()).await?;
    /// ```
    ///
    /// # Errors
    /// As [`with`](Self::with).
    pub async fn with_app<T: Send + 'static>(
        &self,
        call: impl FnOnce(&mut A, Time) -> T + Send + 'static,
    ) -> Result<T, Error<S::Error>> {
        let (call, result) = call_of(call);
        self.hand_in(Input::AppCall(Box::new(call), self.place().await?))?;
        result.await.map_err(|_| Error::Stopped)?.map_err(Error::Panicked)
    }

    /// Ends a run for good, without a result, as [`Runner::abandon`] does: one that stands still after a panic, say. Gives
    /// `false` if there is no such run or it has ended.
    ///
    /// # Errors
    /// [`Error::Runner`] if the store fails. [`Error::Panicked`] if the application panics about the end. [`Error::Stopped`].
    pub async fn abandon(&self, sid: SessionId) -> Result<bool, Error<S::Error>> {
        let place = self.place().await?;
        let (answer, result) = oneshot::channel();
        self.hand_in(Input::Abandon(sid, answer, place))?;
        result.await.map_err(|_| Error::Stopped)?
    }

    /// A place in the queue.
    async fn place(&self) -> Result<OwnedSemaphorePermit, Error<S::Error>> {
        Arc::clone(&self.queue).acquire_owned().await.map_err(|_| Error::Stopped)
    }

    fn hand_in(&self, input: Input<S, A>) -> Result<(), Error<S::Error>> {
        self.inputs.send(input).map_err(|_| Error::Stopped)
    }
}

impl<S: Store, A> Handle<S, A> {
    /// The time by the clock of the service, in milliseconds since 1970 unless the builder was given another.
    #[must_use]
    pub fn now(&self) -> Time {
        (self.clock)()
    }

    /// The time after this duration, for [`Job::deadline`].
    #[must_use]
    pub fn deadline(&self, after: Duration) -> Time {
        self.now().saturating_add(u64::try_from(after.as_millis()).unwrap_or(Time::MAX))
    }
}

/// A call on the runner's thread, and its result, which is a message if it panicked.
fn call_of<X, T: Send + 'static>(
    call: impl FnOnce(&mut X, Time) -> T + Send + 'static,
) -> (impl FnOnce(&mut X, Time) -> bool + Send + 'static, oneshot::Receiver<Result<T, String>>) {
    let (answer, result) = oneshot::channel();
    let call = move |with: &mut X, now: Time| {
        let result = caught(|| call(with, now));
        let panicked = result.is_err();
        // A caller that has dropped the future does not want the answer.
        answer.send(result).ok();
        panicked
    };
    (call, result)
}

fn start<S: Store, A: App<P>, P: Protocol>(
    runner: &mut Runner<S, A>,
    job: &Job,
    before: usize,
    now: Time,
) -> Result<Starting, quorate_runner::Error<S::Error>> {
    runner.prepare_start::<P>(job, before, now, &mut UnwrapErr(SysRng))
}

impl<S: Store, A> Clone for Handle<S, A> {
    fn clone(&self) -> Self {
        let (queue, clock) = (Arc::clone(&self.queue), Arc::clone(&self.clock));
        Self { inputs: self.inputs.clone(), queue, clock }
    }
}

impl<S: Store, A> fmt::Debug for Handle<S, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle")
            .field("free", &self.queue.available_permits())
            .finish_non_exhaustive()
    }
}
