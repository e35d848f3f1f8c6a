//! Putting shares together, and naming who spoilt it (RFC 9591 §5.3, §5.4).

mod cheaters;

use alloc::vec::Vec;

use crate::binding::Binding;
use crate::error::AggregateError;
use crate::keys::PublicKeyPackage;
use crate::package::SigningPackage;
use crate::sign::{SignatureShare, unknown};
use crate::signature::Signature;
use crate::suite::{Ciphersuite, Scalar};
use cheaters::Suspects;
use quorate_curve::Curve;

impl<S: Ciphersuite> PublicKeyPackage<S> {
    /// Adds the signers' shares up to a signature and verifies it (RFC 9591 §5.3). Only if that
    /// fails are shares looked at, and then all wrong ones are found.
    ///
    /// # Errors
    /// [`AggregateError::Cheaters`] names exactly the parties whose shares are wrong **for this
    /// package**: a coordinator that sent different packages to different signers blames the
    /// honest. The other variants say which shares are missing or do not belong.
    pub fn aggregate(
        &self,
        package: &SigningPackage<S>,
        shares: &[SignatureShare<S>],
    ) -> Result<Signature<S>, AggregateError> {
        self.check(package)?;
        let z = arrange(package, shares)?;
        let binding = Binding::new(package, &self.key).ok_or(AggregateError::IdentityCommitment)?;
        self.finish(package, &binding, &z)
    }

    /// Verifies one share as it comes in, for protocols that replace a bad signer at once.
    ///
    /// # Errors
    /// [`AggregateError::Cheaters`] if it is wrong; [`AggregateError::UnexpectedShare`] if its
    /// party is none of the signers; else as [`PublicKeyPackage::aggregate`].
    pub fn verify_share(
        &self,
        package: &SigningPackage<S>,
        share: &SignatureShare<S>,
    ) -> Result<(), AggregateError> {
        self.check(package)?;
        let binding = Binding::new(package, &self.key).ok_or(AggregateError::IdentityCommitment)?;
        self.verify_one(package, &binding, share)
    }

    /// [`PublicKeyPackage::verify_share`] for a package whose binding is known.
    pub(crate) fn verify_one(
        &self,
        package: &SigningPackage<S>,
        binding: &Binding<S>,
        share: &SignatureShare<S>,
    ) -> Result<(), AggregateError> {
        match cheaters::is_honest(self, package, binding, share) {
            None => Err(AggregateError::UnexpectedShare(share.id)),
            Some(true) => Ok(()),
            Some(false) => Err(AggregateError::Cheaters(alloc::vec![share.id])),
        }
    }

    /// Whether this key can have signed the package.
    pub(crate) fn check(&self, package: &SigningPackage<S>) -> Result<(), AggregateError> {
        if let Some(party) = unknown(package, &self.parties) {
            return Err(AggregateError::UnknownParty(party));
        }
        if package.ids.len() < usize::from(self.threshold) {
            return Err(AggregateError::TooFewSigners {
                got: package.ids.len(),
                need: usize::from(self.threshold),
            });
        }
        Ok(())
    }

    /// The signature of shares that are in the order of the package.
    pub(crate) fn finish(
        &self,
        package: &SigningPackage<S>,
        binding: &Binding<S>,
        z: &[Scalar<S>],
    ) -> Result<Signature<S>, AggregateError> {
        let signature = sum(binding, z);
        if S::Curve::verify_vartime(&self.key.point, &binding.r, &signature.z, &binding.challenge) {
            return Ok(signature);
        }
        Err(self.blame(package, binding, z))
    }

    /// Who sent the wrong ones among shares that make no signature together.
    pub(crate) fn blame(
        &self,
        package: &SigningPackage<S>,
        binding: &Binding<S>,
        z: &[Scalar<S>],
    ) -> AggregateError {
        let cheaters =
            Suspects::new(self, package, binding, z).map_or_else(Vec::new, |s| s.cheaters());
        AggregateError::Cheaters(cheaters)
    }
}

/// The signature (R, Σ z_i), not yet verified.
pub(crate) fn sum<S: Ciphersuite>(binding: &Binding<S>, z: &[Scalar<S>]) -> Signature<S> {
    let z = z.iter().fold(Scalar::<S>::default(), |sum, z| sum + *z);
    Signature { r: binding.r, bytes: binding.r_bytes, z }
}

/// The shares in the order of the package: one of each signer, and no other.
fn arrange<S: Ciphersuite>(
    package: &SigningPackage<S>,
    shares: &[SignatureShare<S>],
) -> Result<Vec<Scalar<S>>, AggregateError> {
    let mut slots = Vec::new();
    slots.resize(package.ids.len(), None);
    for share in shares {
        let slot = package.position(share.id).and_then(|at| slots.get_mut(at));
        match slot {
            None => return Err(AggregateError::UnexpectedShare(share.id)),
            Some(Some(_)) => return Err(AggregateError::DuplicateShare(share.id)),
            Some(slot) => *slot = Some(share.z),
        }
    }
    complete(package, &slots)
}

/// All shares, or who still owes one.
pub(crate) fn complete<S: Ciphersuite>(
    package: &SigningPackage<S>,
    slots: &[Option<Scalar<S>>],
) -> Result<Vec<Scalar<S>>, AggregateError> {
    let missing: Vec<_> = package
        .ids
        .iter()
        .zip(slots)
        .filter_map(|(id, slot)| slot.is_none().then_some(*id))
        .collect();
    if missing.is_empty() {
        Ok(slots.iter().copied().flatten().collect())
    } else {
        Err(AggregateError::MissingShares(missing))
    }
}
