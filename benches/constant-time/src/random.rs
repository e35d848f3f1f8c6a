//! A generator all of whose numbers are secret.

use core::convert::Infallible;

use chacha20::ChaCha20Rng;
use rand_core::{Rng, SeedableRng, TryCryptoRng, TryRng};

use crate::memory::hide;

/// A generator from a fixed seed, whose bytes are marked.
pub(crate) struct Secrets(ChaCha20Rng);

impl Secrets {
    pub(crate) fn new(seed: u8) -> Self {
        Self(ChaCha20Rng::from_seed([seed; 32]))
    }
}

/// The generator's bytes, unmarked.
pub(crate) fn public(seed: u8) -> ChaCha20Rng {
    ChaCha20Rng::from_seed([seed; 32])
}

impl TryRng for Secrets {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut word = [0; 4];
        self.try_fill_bytes(&mut word)?;
        Ok(u32::from_le_bytes(word))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut word = [0; 8];
        self.try_fill_bytes(&mut word)?;
        Ok(u64::from_le_bytes(word))
    }

    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Infallible> {
        self.0.fill_bytes(to);
        hide(to);
        Ok(())
    }
}

impl TryCryptoRng for Secrets {}
