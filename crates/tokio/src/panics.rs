//! Panics of others' code.

use core::any::Any;
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

/// Calls, and gives the message of a panic.
pub(crate) fn caught<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    // What may be left half done is the runner's, which continues from its store after `Runner::recover`.
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| message(&*panic))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message").to_owned()
}
