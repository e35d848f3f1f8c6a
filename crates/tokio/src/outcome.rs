//! Typed outcomes.

use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;

use quorate_runner::{OtherRecord, Outcome, Record};

/// The [`Outcome`] of a run whose application records an `R`. It dereferences to the outcome.
#[derive(Clone, PartialEq, Eq)]
pub struct RunOutcome<R> {
    outcome: Outcome,
    record: PhantomData<fn() -> R>,
}

impl<R: Record> RunOutcome<R> {
    pub(crate) const fn new(outcome: Outcome) -> Self {
        Self { outcome, record: PhantomData }
    }

    /// The application's record of the end.
    ///
    /// # Errors
    /// [`OtherRecord`] if there is none: it was [forgotten](quorate_runner::Runner::forget_record), or the store has damaged the
    /// job, so that the application was not asked.
    pub fn record(&self) -> Result<R, OtherRecord> {
        self.outcome.record()
    }
}

impl<R> RunOutcome<R> {
    /// The outcome, without the type of its record.
    #[must_use]
    pub fn into_inner(self) -> Outcome {
        self.outcome
    }
}

impl<R> Deref for RunOutcome<R> {
    type Target = Outcome;

    fn deref(&self) -> &Outcome {
        &self.outcome
    }
}

impl<R> fmt::Debug for RunOutcome<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.outcome.fmt(f)
    }
}
