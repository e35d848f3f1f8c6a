//! The generator of the fixtures under the traits that the frost-* crates know.

use chacha20::ChaCha20Rng;
use rand_core::Rng as _;

/// The ChaCha20 generator that Quorate's side draws from.
pub struct OldRng(ChaCha20Rng);

impl OldRng {
    /// The stream for a purpose.
    #[must_use]
    pub fn new(purpose: u8) -> Self {
        Self(quorate_benches::generator(purpose))
    }
}

impl rand_core_06::RngCore for OldRng {
    fn next_u32(&mut self) -> u32 {
        self.0.next_u32()
    }

    fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        self.0.fill_bytes(bytes);
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), rand_core_06::Error> {
        self.0.fill_bytes(bytes);
        Ok(())
    }
}

impl rand_core_06::CryptoRng for OldRng {}
