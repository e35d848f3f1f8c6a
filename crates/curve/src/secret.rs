//! The wrapper of everything that must not outlive its use.

use alloc::boxed::Box;
use core::fmt;

use zeroize::Zeroize;

/// A value that is wiped when dropped.
///
/// The value can't be cloned, copied, compared or serialized, and its `Debug` prints the type only.
///
/// The value has a place of its own on the heap. A move of the wrapper, from struct to struct or
/// out of a vector, moves only a pointer. So no copy of the value stays behind in a block that is
/// freed.
pub struct Secret<T: Zeroize>(Box<T>);

impl<T: Zeroize> Secret<T> {
    /// Takes `value` in. A copy that the caller keeps is the caller's to wipe.
    #[must_use]
    pub fn new(value: T) -> Self {
        Self(Box::new(value))
    }

    /// The value that `work` gives, whose copies on the stack are wiped: those that a later struct would carry along in
    /// its padding.
    #[must_use]
    pub fn make(work: impl FnOnce() -> T) -> Self {
        let made = apart(|| Self::new(work()));
        wipe_stack();
        made
    }

    /// Makes a secret as [`Self::make`], if there is a value.
    #[must_use]
    pub fn try_make(work: impl FnOnce() -> Option<T>) -> Option<Self> {
        let made = apart(|| work().map(Self::new));
        wipe_stack();
        made
    }

    /// The value, on loan.
    #[must_use]
    pub fn expose(&self) -> &T {
        &self.0
    }

    /// The value, on loan for writing.
    #[must_use]
    pub fn expose_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// Does the work in a frame of its own.
#[inline(never)]
fn apart<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Wipes the stack below the caller's frame, as far as arithmetic of scalars reaches.
#[inline(never)]
fn wipe_stack() {
    let mut below = [0u64; 512];
    below.zeroize();
    core::hint::black_box(&below);
}

impl<T: Zeroize> Zeroize for Secret<T> {
    fn zeroize(&mut self) {
        (*self.0).zeroize();
    }
}

impl<T: Zeroize> zeroize::ZeroizeOnDrop for Secret<T> {}

impl<T: Zeroize> Drop for Secret<T> {
    fn drop(&mut self) {
        (*self.0).zeroize();
    }
}

impl<T: Zeroize> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}
