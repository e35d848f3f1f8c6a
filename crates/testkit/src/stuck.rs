//! Broken generators of random numbers.

use core::convert::Infallible;

use rand_core::{TryCryptoRng, TryRng};

/// A generator that gives one byte again and again; after so many of them, if it was told to stop, it counts up.
#[derive(Clone, Debug)]
pub struct Stuck {
    byte: u8,
    left: usize,
}

impl Stuck {
    /// Stuck for ever.
    #[must_use]
    pub const fn at(byte: u8) -> Self {
        Self::for_bytes(byte, usize::MAX)
    }

    /// Stuck for the first `left` bytes.
    #[must_use]
    pub const fn for_bytes(byte: u8, left: usize) -> Self {
        Self { byte, left }
    }

    fn next(&mut self) -> u8 {
        match self.left.checked_sub(1) {
            Some(left) if self.left < usize::MAX => self.left = left,
            Some(_) => {}
            None => self.byte = self.byte.wrapping_add(1),
        }
        self.byte
    }
}

impl TryRng for Stuck {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes([(); 4].map(|()| self.next())))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_le_bytes([(); 8].map(|()| self.next())))
    }

    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Infallible> {
        to.iter_mut().for_each(|byte| *byte = self.next());
        Ok(())
    }
}

impl TryCryptoRng for Stuck {}
