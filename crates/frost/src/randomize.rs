//! Rerandomised FROST (Gouvea and Komlo, 2024): a signature under a key that cannot be linked to
//! the group's.

use alloc::vec::Vec;
use core::fmt;

use rand_core::CryptoRng;
use zeroize::Zeroizing;

use crate::binding::encoded_list;
use crate::error::{SignError, TweakError};
use crate::keys::{KeyShare, PublicKeyPackage};
use crate::nonces::Nonces;
use crate::package::SigningPackage;
use crate::sign::SignatureShare;
use crate::suite::{Ciphersuite, Scalar, hash_to_scalar, scalar_len};

/// The seed of a randomiser, drawn by the coordinator for one signing package and sent to its
/// signers over a confidential channel: whoever has it can link the signature to the group.
///
/// The randomiser is hashed from the seed and all commitments, so that no coordinator can choose
/// it after it has seen them, or use it for another package.
pub struct RandomizerSeed(Zeroizing<Vec<u8>>);

impl RandomizerSeed {
    /// A fresh seed for a suite.
    pub fn new<S: Ciphersuite>(rng: &mut impl CryptoRng) -> Self {
        let mut seed = Zeroizing::new(alloc::vec![0; scalar_len::<S>()]);
        rng.fill_bytes(&mut seed);
        Self(seed)
    }

    /// The seed as it was sent: any bytes are one.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self(Zeroizing::new(bytes.to_vec()))
    }

    /// The seed, to be sent.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    fn randomizer<S: Ciphersuite>(&self, package: &SigningPackage<S>) -> Scalar<S> {
        let list = encoded_list(package);
        hash_to_scalar::<S>("randomizer", [self.as_bytes(), list.as_slice()])
    }
}

impl fmt::Debug for RandomizerSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RandomizerSeed")
    }
}

impl<S: Ciphersuite> KeyShare<S> {
    /// Round two for a randomised key: as [`KeyShare::sign`], under the key
    /// `Y + H(seed, commitments)·G`.
    ///
    /// # Errors
    /// As [`KeyShare::sign`].
    pub fn sign_randomized(
        &self,
        package: &SigningPackage<S>,
        nonces: Nonces<S>,
        seed: &RandomizerSeed,
    ) -> Result<SignatureShare<S>, SignError> {
        let shift = seed.randomizer(package);
        let (key, secret) = self.shift_parts(&shift).map_err(|_| SignError::Tweak)?;
        self.sign_as(package, nonces, &key, &secret)
    }
}

impl<S: Ciphersuite> PublicKeyPackage<S> {
    /// The package of the randomised key of a signing package: aggregate and verify with it.
    ///
    /// # Errors
    /// [`TweakError`] if there is no such key; for a hash this never happens.
    pub fn randomized(
        &self,
        package: &SigningPackage<S>,
        seed: &RandomizerSeed,
    ) -> Result<Self, TweakError> {
        self.clone().shifted(&seed.randomizer(package))
    }
}
