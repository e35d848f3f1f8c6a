//! The conformance test of a [`Store`].

mod checks;
mod toy;

use core::fmt;

/// What a store does wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Broken<E> {
    /// The rule that it breaks.
    Rule(&'static str),
    /// It failed, where nothing was wrong.
    Failed(E),
}

impl<E: fmt::Display> fmt::Display for Broken<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(rule) => write!(f, "the store breaks a rule: {rule}"),
            Self::Failed(error) => write!(f, "the store failed: {error}"),
        }
    }
}

impl<E: core::error::Error> core::error::Error for Broken<E> {}

/// Checks a store against its contract, each rule on an empty store that `make` gives.
///
/// It does not kill the store's process: that what was committed survives is for a test of the store's own. Where a
/// store has a handle that can be closed and opened again, let `reopen` do so between any two calls; else let it give the
/// store back.
///
/// # Errors
/// [`Broken`], by the first rule that the store breaks.
pub fn conformance<S: crate::Store>(
    mut make: impl FnMut() -> S,
    mut reopen: impl FnMut(S) -> S,
) -> Result<(), Broken<S::Error>> {
    for check in checks::all::<S>() {
        check(make(), &mut reopen)?;
    }
    Ok(())
}
