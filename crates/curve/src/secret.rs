//! The wrapper of everything that must not outlive its use.

use core::fmt;

use zeroize::Zeroize;

/// A value that is wiped when dropped.
///
/// It can't be cloned, copied, compared or serialized, and its `Debug` prints the type only.
pub struct Secret<T: Zeroize>(T);

impl<T: Zeroize> Secret<T> {
    /// Takes `value` in. A copy that the caller keeps is the caller's to wipe.
    #[must_use]
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// The value, on loan.
    #[must_use]
    pub const fn expose(&self) -> &T {
        &self.0
    }

    /// The value, on loan for writing.
    #[must_use]
    pub const fn expose_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Zeroize> Zeroize for Secret<T> {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl<T: Zeroize> zeroize::ZeroizeOnDrop for Secret<T> {}

impl<T: Zeroize> Drop for Secret<T> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl<T: Zeroize> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}
