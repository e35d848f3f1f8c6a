//! Rerandomised FROST (Gouvea and Komlo, 2024): a signature under a key that cannot be linked to
//! the group's.

use core::fmt;

use quorate_curve::Curve;

use crate::aggregate::Aggregator;
use crate::binding::encoded_list;
use crate::error::{AggregateError, SignError, TweakError};
use crate::key::{KeyShare, PublicKeyPackage};
use crate::nonces::Nonces;
use crate::package::SigningPackage;
use crate::randomizer::RandomizerSeed;
use crate::shift::shift_key;
use crate::sign::SignatureShare;
use crate::signature::{Signature, VerifyingKey};
use crate::suite::{Ciphersuite, Point, Scalar, hash_to_scalar};

/// The randomiser of a signing package: a hash of the seed and all commitments.
fn randomizer<S: Ciphersuite>(seed: &RandomizerSeed, package: &SigningPackage<S>) -> Scalar<S> {
    let list = encoded_list(package);
    hash_to_scalar::<S>("randomizer", [seed.as_bytes(), list.as_slice()])
}

impl<S: Ciphersuite> KeyShare<S> {
    /// Round two for a randomised key: as [`KeyShare::sign`], under the key
    /// `Y + H(seed, commitments)·G`. Nonces of a batch are those of
    /// [`NonceBatch::claim_randomized`](crate::NonceBatch::claim_randomized).
    ///
    /// # Errors
    /// As [`KeyShare::sign`].
    pub fn sign_randomized(
        &self,
        package: &SigningPackage<S>,
        nonces: Nonces<S>,
        seed: &RandomizerSeed,
    ) -> Result<SignatureShare<S>, SignError> {
        let shift = randomizer(seed, package);
        let (key, secret) = self.shift_parts(&shift).map_err(|_| SignError::Tweak)?;
        self.sign_as(package, package.digest(Some(seed)), nonces, &key, &secret)
    }
}

impl<S: Ciphersuite> PublicKeyPackage<S> {
    /// The randomised key of a signing package: aggregate and verify with it.
    ///
    /// # Errors
    /// [`TweakError::Degenerate`] if there is no such key; for a hash this never happens.
    pub fn randomized(
        &self,
        package: &SigningPackage<S>,
        seed: &RandomizerSeed,
    ) -> Result<RandomizedKey<S>, TweakError> {
        let by = S::Curve::mul_base(&randomizer(seed, package));
        let (key, negated) = shift_key::<S>(&self.key, &by)?;
        Ok(RandomizedKey {
            public: self.clone(),
            key,
            shift: (by, negated),
            digest: package.digest(Some(seed)),
        })
    }
}

/// A group's key, randomised for one signing package.
pub struct RandomizedKey<S: Ciphersuite> {
    public: PublicKeyPackage<S>,
    key: VerifyingKey<S>,
    /// The point added to every verifying share, and whether the sign changes after that.
    shift: (Point<S>, bool),
    /// The digest that shares carry.
    digest: [u8; 32],
}

impl<S: Ciphersuite> RandomizedKey<S> {
    /// The randomised key, which the signature verifies under.
    #[must_use]
    pub fn verifying_key(&self) -> &VerifyingKey<S> {
        &self.key
    }

    /// Adds up and verifies shares of [`KeyShare::sign_randomized`], like
    /// [`PublicKeyPackage::aggregate`].
    ///
    /// # Errors
    /// Those of [`PublicKeyPackage::aggregate`]; a share that was made with another seed is
    /// [`AggregateError::OtherPackage`].
    pub fn aggregate(
        &self,
        package: &SigningPackage<S>,
        shares: &[SignatureShare<S>],
    ) -> Result<Signature<S>, AggregateError> {
        self.aggregator().aggregate(package, self.digest, shares)
    }

    /// Verifies one share under the randomised key, like [`PublicKeyPackage::verify_share`].
    ///
    /// # Errors
    /// Those of [`PublicKeyPackage::verify_share`].
    pub fn verify_share(
        &self,
        package: &SigningPackage<S>,
        share: &SignatureShare<S>,
    ) -> Result<(), AggregateError> {
        self.aggregator().verify_share(package, self.digest, share)
    }

    fn aggregator(&self) -> Aggregator<'_, S> {
        Aggregator { public: &self.public, key: self.key, shift: Some(self.shift) }
    }
}

impl<S: Ciphersuite> fmt::Debug for RandomizedKey<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RandomizedKey").field("key", &self.key).finish_non_exhaustive()
    }
}
