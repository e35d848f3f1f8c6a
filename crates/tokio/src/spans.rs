//! Events of the loop as events of `tracing`.

use quorate_runner::Error;

use crate::Event;

/// Records an event. Errors of a store are not printed: they need not be printable.
pub(crate) fn record<E>(event: &Event<E>) {
    match event {
        Event::Ended(run) => {
            tracing::info!(sid = ?run.sid, kind = ?run.outcome.kind, "a run has ended");
        }
        Event::Failed(Error::Store(_)) => tracing::warn!("the store failed"),
        Event::Failed(Error::OtherKey) => tracing::warn!("a row of the store is under another key"),
        Event::Failed(Error::Seal(error)) => {
            tracing::warn!(%error, "a row of the store does not open")
        }
        Event::Failed(_) => tracing::warn!("a step failed"),
        Event::Panicked { run, message } => {
            tracing::error!(?run, message, "others' code panicked");
        }
        Event::NotSent(error) => tracing::warn!(error, "the sink refused a packet"),
    }
}
