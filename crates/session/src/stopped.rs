//! The end of a run that has no confirmed result.

use core::fmt;

use crate::{Abort, Sealed};

/// A run that has ended without a result that all parties confirm.
#[must_use]
#[derive(PartialEq, Eq)]
pub struct Stopped<O> {
    /// The reason, and the parties that are to blame.
    pub abort: Abort,
    /// The result, where this party has verified it and only a confirmation is wrong or missing.
    ///
    /// For this party it is as good as a confirmed one, but it is not known whether every other party
    /// has its own. The protocol says when it may be used.
    pub unconfirmed: Option<O>,
    /// The record that the store keeps for ever in the session's place: see [`Session::tombstone`](crate::Session::tombstone).
    pub tombstone: Sealed,
}

impl<O> fmt::Debug for Stopped<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stopped")
            .field("abort", &self.abort)
            .field("unconfirmed", &self.unconfirmed.is_some())
            .finish_non_exhaustive()
    }
}

impl<O> fmt::Display for Stopped<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.abort.fmt(f)?;
        if self.unconfirmed.is_some() {
            f.write_str("; the result is there, unconfirmed")?;
        }
        Ok(())
    }
}

impl<O> core::error::Error for Stopped<O> {}
