//! The ends of a run: a result, a result that lacks confirmation, or none.

use core::fmt;

use crate::{Abort, Check, Sealed};

/// A result of a run that not every other party has confirmed.
///
/// For this party the result is as good as a confirmed one: the party has verified it. It is not known whether every
/// other party has its own. **Store it**, before the tombstone: the others may have theirs, and may need this one. The
/// protocol says when it may be used. A key share is marked as unconfirmed, in its stored form as well, and does not sign.
#[must_use = "it holds a result, perhaps a share of a key: store `output`"]
#[derive(PartialEq, Eq)]
pub struct Unconfirmed<O> {
    /// The result.
    pub output: O,
    /// The reason why the run has ended without a confirmation, and the parties that are to blame.
    pub abort: Abort,
    /// The record that the store keeps for ever in the session's place: see [`Session::tombstone`](crate::Session::tombstone).
    pub tombstone: Sealed,
}

impl<O> fmt::Debug for Unconfirmed<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unconfirmed").field("abort", &self.abort).finish_non_exhaustive()
    }
}

/// The error of a run that has ended without a result. There is nothing to keep but the reason and the tombstone: the
/// secrets of the run are wiped.
#[derive(Clone, PartialEq, Eq)]
pub struct Stopped {
    /// The reason, and the parties that are to blame.
    pub abort: Abort,
    /// The record that the store keeps for ever in the session's place: see [`Session::tombstone`](crate::Session::tombstone).
    pub tombstone: Sealed,
}

impl fmt::Debug for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stopped").field("abort", &self.abort).finish_non_exhaustive()
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let advice = match &self.abort {
            Abort::Misbehaviour(_) => {
                "keep the evidence, and begin again without the culprits under a new session id"
            }
            Abort::Unattributed { check: Check::Internal, .. } => "every run like it ends so",
            Abort::Unattributed { .. } => "begin again under a new session id",
            Abort::Missing { .. } => {
                "check the network and the parties' settings, and begin again under a new session id"
            }
        };
        write!(f, "the run ended without a result: {}; {advice}", self.abort)
    }
}

impl core::error::Error for Stopped {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.abort)
    }
}

/// The end of a run with a result: of [`drive`](crate::drive).
#[must_use = "it holds a result, perhaps a share of a key: store the output of both variants"]
#[derive(PartialEq, Eq)]
pub enum Ended<O> {
    /// The result, confirmed by all where the protocol has confirmations.
    Done(O),
    /// The result, and the reason why it is not confirmed.
    Unconfirmed(Unconfirmed<O>),
}

impl<O> Ended<O> {
    /// Takes the result, confirmed or not, and drops the reason of an unconfirmed one.
    ///
    /// No result is lost. The call is right where the result itself shows how it may be used: a signature verifies, and
    /// a share of a key or auxiliary information is marked as unconfirmed and refuses to work until it is confirmed.
    /// A caller that has to tell who withheld a confirmation looks at [`abort`](Self::abort) first.
    pub fn into_output(self) -> O {
        match self {
            Self::Done(output) | Self::Unconfirmed(Unconfirmed { output, .. }) => output,
        }
    }

    /// The reason why the result is not confirmed; `None` if it is.
    #[must_use]
    pub const fn abort(&self) -> Option<&Abort> {
        match self {
            Self::Done(_) => None,
            Self::Unconfirmed(unconfirmed) => Some(&unconfirmed.abort),
        }
    }
}

impl<O> fmt::Debug for Ended<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done(_) => f.write_str("Done(..)"),
            Self::Unconfirmed(unconfirmed) => unconfirmed.fmt(f),
        }
    }
}

/// The end of a run that is over: with this result, if there is one.
pub(crate) fn over<O>(
    output: Option<O>,
    abort: Abort,
    tombstone: Sealed,
) -> Result<Unconfirmed<O>, Stopped> {
    match output {
        Some(output) => Ok(Unconfirmed { output, abort, tombstone }),
        None => Err(Stopped { abort, tombstone }),
    }
}
