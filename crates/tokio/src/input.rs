//! The inputs of the runner's thread.

use core::time::Duration;

use quorate_runner::{FinishedWork, IncomingPacket, Job, Outcome, Runner, Starting, Store, Time};
use quorate_session::SessionId;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use crate::Error;

/// An answer to a caller of a handle.
pub(crate) type Answer<T, E> = oneshot::Sender<Result<T, Error<E>>>;

/// A call on the runner's thread, which says whether it has panicked.
pub(crate) type Call<S, A> = Box<dyn FnOnce(&mut Runner<S, A>, Time) -> bool + Send>;

/// A call that sees the application alone, and says whether it has panicked.
pub(crate) type AppCall<A> = Box<dyn FnOnce(&mut A, Time) -> bool + Send>;

/// [`Runner::prepare_start`] for one protocol.
pub(crate) type Start<S, A, E> =
    fn(&mut Runner<S, A>, &Job, usize, Time) -> Result<Starting, quorate_runner::Error<E>>;

/// An input of the runner's thread.
pub(crate) enum Input<S: Store, A> {
    /// A packet has arrived. It keeps its share of the queue until it is taken in.
    Packet(IncomingPacket, OwnedSemaphorePermit),
    /// No packets will arrive: the stream has ended, or the runtime is shut down.
    StreamEnded,
    /// A job was handed in.
    Job(Box<QueuedJob<S, A>>),
    /// A call of the handle.
    Call(Call<S, A>, OwnedSemaphorePermit),
    /// A call of the handle, which gives the runner nothing to do.
    AppCall(AppCall<A>, OwnedSemaphorePermit),
    /// A run is to be ended for good.
    Abandon(SessionId, Answer<bool, S::Error>, OwnedSemaphorePermit),
    /// A worker has done its piece of work on a run, or has panicked.
    Worked(SessionId, Box<WorkDone>),
    /// A worker has left its piece of work, since the service stops.
    NotBegun(SessionId),
    /// The sink has room again.
    Room,
    /// The sink refused a packet.
    NotSent(String),
    /// The sink is closed, or the runtime is shut down.
    SinkClosed,
    /// The service is to stop, and may take this time for it.
    Stop(Duration),
}

/// What came of a piece of work.
pub(crate) struct WorkDone {
    pub(crate) finished: Result<FinishedWork, String>,
    pub(crate) took: Duration,
}

/// A job that waits to be started.
pub(crate) struct QueuedJob<S: Store, A> {
    pub(crate) job: Job,
    pub(crate) start: Start<S, A, S::Error>,
    pub(crate) answer: Answer<Outcome, S::Error>,
    /// The place in the queue, until it is started.
    pub(crate) _place: OwnedSemaphorePermit,
    #[cfg(feature = "tracing")]
    pub(crate) span: tracing::Span,
}
