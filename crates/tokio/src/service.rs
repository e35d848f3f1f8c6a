//! The owner's side of a service.

use core::fmt;
use core::time::Duration;
use std::sync::mpsc::Sender;

use quorate_runner::Store;
use tokio::sync::oneshot;

use crate::input::Input;

/// A running service, to wait for its end or to bring it about.
///
/// Dropped, the service goes on until its stream ends or the runtime is shut down.
pub struct Service<S: Store, A> {
    pub(crate) inputs: Sender<Input<S, A>>,
    pub(crate) end: oneshot::Receiver<Stopped>,
    pub(crate) stopped: Option<Stopped>,
}

/// The end of a service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped {
    /// The reason.
    pub reason: StopReason,
    /// `true` if all steps under way were finished and all packets that were due were sent. If not, that is made up for when
    /// the service is spawned anew.
    pub flushed: bool,
}

/// The reasons for which a service stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StopReason {
    /// [`Service::shutdown`].
    Shutdown,
    /// The stream of packets has ended, or panicked.
    StreamEnded,
    /// The sink panicked, or the runtime was shut down.
    SinkClosed,
    /// The thread of the runner panicked. That is a defect of this crate.
    Panicked,
}

impl<S: Store, A> Service<S, A> {
    /// Waits until the service has stopped for whatever reason. May be dropped and called again.
    pub async fn stopped(&mut self) -> Stopped {
        if let Some(stopped) = self.stopped {
            return stopped;
        }
        let gone = Stopped { reason: StopReason::Panicked, flushed: false };
        let stopped = (&mut self.end).await.unwrap_or(gone);
        self.stopped = Some(stopped);
        stopped
    }

    /// Stops the service: it takes no more jobs and packets, finishes the steps that are under way, sends what is due, and
    /// closes the sink. What is not done within the limit is left: the store is consistent at any time.
    ///
    /// Calls of handles that wait give [`Error::Stopped`](crate::Error::Stopped). The runs continue when the service is
    /// spawned anew.
    pub async fn shutdown(mut self, limit: Duration) -> Stopped {
        // If the thread has ended, it has said why.
        drop(self.inputs.send(Input::Stop(limit)));
        self.stopped().await
    }
}

impl<S: Store, A> fmt::Debug for Service<S, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").field("stopped", &self.stopped).finish_non_exhaustive()
    }
}
