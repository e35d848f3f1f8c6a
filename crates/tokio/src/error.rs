//! Errors of a handle.

use core::fmt;

/// The failure of a call of a [`Handle`](crate::Handle). `E` is the error of the store.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error<E> {
    /// The runner refused the job, or its store failed.
    Runner(quorate_runner::Error<E>),
    /// The application, a protocol or the store panicked, with this message.
    ///
    /// If the run had begun, the store has it as it was before the step that panicked. The service leaves it alone until it
    /// is spawned anew, and then continues it. [`Handle::abandon`](crate::Handle::abandon) ends it for good.
    Panicked(String),
    /// The service has stopped or is about to. A run that had begun continues when the service is spawned anew.
    Stopped,
}

impl<E> From<quorate_runner::Error<E>> for Error<E> {
    fn from(error: quorate_runner::Error<E>) -> Self {
        Self::Runner(error)
    }
}

impl<E: fmt::Display> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Runner(error) => error.fmt(f),
            Self::Panicked(message) => write!(f, "the application of the run panicked: {message}"),
            Self::Stopped => f.write_str(
                "the service has stopped: spawn it again to continue the runs that had begun",
            ),
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for Error<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Runner(error) => Some(error),
            Self::Panicked(_) | Self::Stopped => None,
        }
    }
}
