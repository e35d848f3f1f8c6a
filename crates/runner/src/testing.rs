//! The conformance test of a [`Store`](crate::Store).

mod checks;
mod toy;
mod violation;

pub use violation::Violation;

/// Checks a store against its contract, each rule on an empty store that `make` gives.
///
/// It does not kill the store's process: that what was committed survives is for a test of the store's own. Where a
/// store has a handle that can be closed and opened again, let `reopen` do so between any two calls; else let it give the
/// store back.
///
/// # Errors
/// [`Violation`], by the first rule that the store breaks.
pub fn conformance<S: crate::Store>(
    mut make: impl FnMut() -> S,
    mut reopen: impl FnMut(S) -> S,
) -> Result<(), Violation<S::Error>> {
    for check in checks::all::<S>() {
        check(make(), &mut reopen)?;
    }
    Ok(())
}
