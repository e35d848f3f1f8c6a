//! The conformance tests of a [`Store`](crate::Store).

mod checks;
mod toy;
mod violation;

pub use violation::Violation;

/// Checks a store against its contract, each rule on an empty store that `make` gives.
///
/// One caller does everything: [`conformance_at_once`] lets several act at the same time.
///
/// The checks do not kill the store's process: a test of the store's own has to show that committed rows survive. Where a
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

/// Checks what several callers may do to a store at the same time, as the workers of a service do: each rule on an empty
/// store.
///
/// `make` makes an empty store and gives a function that opens one more handle of it. Each caller opens its own, on a
/// thread of its own. **Run this for every store that more than one thread or process can open.** A store that looks a
/// claim up and then inserts it passes [`conformance`], and gives two signature shares for one pair of nonces here.
///
/// A store that passes may have been lucky: a race is found by chance. Run the test more than once.
///
/// # Errors
/// [`Violation`], by the first rule that the store breaks.
#[cfg(feature = "std")]
pub fn conformance_at_once<S: crate::Store<Error: Send>, O: Fn() -> S + Sync>(
    make: impl FnMut() -> O,
) -> Result<(), Violation<S::Error>> {
    checks::at_once(make)
}
