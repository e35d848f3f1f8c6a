//! The lines where a secret becomes public.
//!
//! Code that works on secrets never branches on them, with a few exceptions. If two primes are equal, the creation of a key
//! ends with an error; and a challenge is a hash of commitments that are about to be sent. Such a value goes through
//! [`declassify`] on the line where it stops being secret, with a comment that says why. A search for the name finds all
//! these lines.
//!
//! In an ordinary build these functions are the identity. In a build for a watcher of memory (`--cfg quorate_watch`,
//! the project's `benches/constant-time`) they tell the watcher that the memory is defined from here on. The watcher
//! reports every other branch and every other address that depends on a secret.
//!
//! ```
//! use quorate_declassify::declassify;
//!
//! # let (sent, expected) = ([1u8], [1u8]);
//! // The message is on the wire either way; only the verdict is new, and it is published.
//! if declassify(sent == expected) {
//!     // ...
//! }
//! ```

#![no_std]

#[cfg(quorate_watch)]
extern crate std;

/// Gives the value back, public from here on.
///
/// Only the value's own bytes become public, not what it points to: see [`declassify_slice`].
#[cfg(not(quorate_watch))]
#[inline(always)]
#[must_use]
pub const fn declassify<T>(value: T) -> T {
    value
}

/// Makes the elements of a slice public where they are.
#[cfg(not(quorate_watch))]
#[inline(always)]
pub const fn declassify_slice<T>(_values: &mut [T]) {}

#[cfg(quorate_watch)]
pub use watch::{Watcher, declassify, declassify_slice, watch};

#[cfg(quorate_watch)]
mod watch {
    use std::sync::OnceLock;

    /// A function that gets the address and the length in bytes of what has just become public. It changes nothing there.
    pub type Watcher = fn(*mut u8, usize);

    static WATCHER: OnceLock<Watcher> = OnceLock::new();

    /// Sets the watcher, and returns whether this call was the first. Later calls change nothing.
    pub fn watch(watcher: Watcher) -> bool {
        WATCHER.set(watcher).is_ok()
    }

    /// Gives the value back, public from here on.
    #[must_use]
    #[inline(never)]
    pub fn declassify<T>(mut value: T) -> T {
        declassify_slice(core::slice::from_mut(&mut value));
        value
    }

    /// Makes the elements of a slice public where they are.
    #[inline(never)]
    pub fn declassify_slice<T>(values: &mut [T]) {
        if let Some(tell) = WATCHER.get() {
            // By a pointer that may be written through, so that no value read before it is used after it.
            tell(values.as_mut_ptr().cast(), size_of_val(values));
        }
    }
}
