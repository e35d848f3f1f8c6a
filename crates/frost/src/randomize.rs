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
use crate::suite::{Ciphersuite, Point, Scalar, hash_to_scalar, scalar_len};

/// The randomiser of a signing package: a hash of the seed and all commitments. `None` if the length of the seed
/// is not that of a scalar. Such a seed could hold the beginning of a longer list, and give two packages one key.
fn randomizer<S: Ciphersuite>(
    seed: &RandomizerSeed,
    package: &SigningPackage<S>,
) -> Option<Scalar<S>> {
    let seed = seed.as_bytes();
    let list = encoded_list(package);
    (seed.len() == scalar_len::<S>())
        .then(|| hash_to_scalar::<S>("randomizer", [seed, list.as_slice()]))
}

impl<S: Ciphersuite> KeyShare<S> {
    /// Performs round two for a randomised key: as [`KeyShare::sign`], under the key
    /// `Y + H(seed, commitments)·G`. Nonces of a batch come from
    /// [`NonceBatch::claim_randomized`](crate::NonceBatch::claim_randomized).
    ///
    /// # Errors
    /// The errors of [`KeyShare::sign`], and [`SignError::Tweak`] for a seed of another length than
    /// [`RandomizerSeed::new`] gives.
    pub fn sign_randomized(
        &self,
        package: &SigningPackage<S>,
        nonces: Nonces<S>,
        seed: &RandomizerSeed,
    ) -> Result<SignatureShare<S>, SignError> {
        let shift = randomizer(seed, package).ok_or(SignError::Tweak)?;
        let (key, secret) = self.shift_parts(&shift).map_err(|_| SignError::Tweak)?;
        self.sign_as(package, package.digest(Some(seed)), nonces, &key, &secret)
    }

    /// Checks that the seed makes a key of this share's, as [`Self::sign_randomized`] does.
    pub(crate) fn check_seed(
        &self,
        package: &SigningPackage<S>,
        seed: &RandomizerSeed,
    ) -> Result<(), SignError> {
        let shift = randomizer(seed, package).ok_or(SignError::Tweak)?;
        let shifted = shift_key::<S>(&self.key, &S::Curve::mul_base(&shift));
        shifted.map(drop).map_err(|_| SignError::Tweak)
    }
}

impl<S: Ciphersuite> PublicKeyPackage<S> {
    /// The randomised key of a signing package: aggregate and verify with it.
    ///
    /// # Errors
    /// [`TweakError::Degenerate`] if there is no such key. That is so for a seed of another length than
    /// [`RandomizerSeed::new`] gives, and otherwise, for a hash, never.
    pub fn randomized(
        &self,
        package: &SigningPackage<S>,
        seed: &RandomizerSeed,
    ) -> Result<RandomizedKey<S>, TweakError> {
        let by = randomizer(seed, package).ok_or(TweakError::Degenerate)?;
        let by = S::Curve::mul_base(&by);
        let (key, negated) = shift_key::<S>(&self.key, &by)?;
        Ok(RandomizedKey {
            public: self.clone(),
            key,
            shift: (by, negated),
            package: package.digest(None),
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
    /// The digest of the package, without the seed.
    package: [u8; 32],
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
    /// The errors of [`PublicKeyPackage::aggregate`]. [`AggregateError::OtherPackage`] stands for a share that was
    /// made with another seed, and for any share if `package` is not the key's.
    pub fn aggregate(
        &self,
        package: &SigningPackage<S>,
        shares: &[SignatureShare<S>],
    ) -> Result<Signature<S>, AggregateError> {
        self.check_belongs_to(package, shares.first())?;
        self.aggregator().aggregate(package, self.digest, shares)
    }

    /// Verifies one share under the randomised key, like [`PublicKeyPackage::verify_share`].
    ///
    /// # Errors
    /// The errors of [`PublicKeyPackage::verify_share`].
    pub fn verify_share(
        &self,
        package: &SigningPackage<S>,
        share: &SignatureShare<S>,
    ) -> Result<(), AggregateError> {
        self.check_belongs_to(package, Some(share))?;
        self.aggregator().verify_share(package, self.digest, share)
    }

    /// Refuses a package other than the one for which the key was made. No share of either fits the other, so
    /// honest signers would be named.
    fn check_belongs_to(
        &self,
        package: &SigningPackage<S>,
        share: Option<&SignatureShare<S>>,
    ) -> Result<(), AggregateError> {
        if package.digest(None) == self.package {
            return Ok(());
        }
        Err(match share {
            Some(share) => AggregateError::OtherPackage(share.id),
            None => AggregateError::MissingShares(package.ids.clone()),
        })
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
