//! The conformance test of a [`Store`](crate::Store).

mod broken;
mod checks;
mod toy;

pub use broken::Broken;

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
