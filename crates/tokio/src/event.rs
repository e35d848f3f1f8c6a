//! Events that no call of a handle waits for.

use quorate_runner::{EndedRun, Error};
use quorate_session::SessionId;

/// An event of a service, for [`Builder::on_event`](crate::Builder::on_event). `E` is the error of the store.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<E> {
    /// A run has ended, and its outcome is stored. There is one event for each run that ends, whoever waits for it.
    Ended(EndedRun),
    /// A step failed. The service tries again: at once for other runs, later where the store failed.
    Failed(Error<E>),
    /// The application, a protocol or the store panicked.
    Panicked {
        /// The run that stands still since. `None` if no run does: the panic came from the store, or before a run began.
        run: Option<SessionId>,
        /// The message of the panic.
        message: String,
    },
    /// The sink refused a packet, which is sent again later: the text of its error.
    NotSent(String),
}
