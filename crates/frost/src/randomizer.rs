//! The seed of a randomised signature.

use alloc::vec::Vec;
use core::fmt;

use rand_core::CryptoRng;
use zeroize::Zeroizing;

use crate::suite::{Ciphersuite, scalar_len};

/// The seed of a randomiser, drawn by the coordinator for one signing package and sent to its
/// signers over a confidential channel: with the seed, the signature can be linked to the group.
///
/// The randomiser is hashed from the seed and all commitments. So no coordinator can choose it after it has seen
/// them, or use it for another package.
pub struct RandomizerSeed(Zeroizing<Vec<u8>>);

impl RandomizerSeed {
    /// A fresh seed for a suite.
    pub fn new<S: Ciphersuite>(rng: &mut impl CryptoRng) -> Self {
        let mut seed = Zeroizing::new(alloc::vec![0; scalar_len::<S>()]);
        rng.fill_bytes(&mut seed);
        Self(seed)
    }

    /// The seed as it was received. A seed of another length than [`Self::new`] gives for the suite signs
    /// nothing.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self(Zeroizing::new(bytes.to_vec()))
    }

    /// The seed, to be sent.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for RandomizerSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RandomizerSeed")
    }
}
