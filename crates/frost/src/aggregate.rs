//! Aggregation, and the identification of cheaters (RFC 9591 §5.3, §5.4).

mod cheaters;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;

use quorate_curve::Curve;
use quorate_session::PartyId;

use crate::binding::SigningContext;
use crate::error::{AggregateError, ShareRejected};
use crate::key::PublicKeyPackage;
use crate::package::SigningPackage;
use crate::sign::{SignatureShare, unknown};
use crate::signature::{Signature, VerifyingKey};
use crate::suite::{Ciphersuite, Point, Scalar};
use cheaters::Suspects;

impl<S: Ciphersuite> PublicKeyPackage<S> {
    /// Adds the signers' shares up to a signature and verifies it (RFC 9591 §5.3). Single shares are checked only
    /// if that fails, and then all wrong ones are found.
    ///
    /// # Errors
    /// [`AggregateError::Cheaters`] names exactly the parties whose shares are wrong. The other variants blame
    /// nobody. They name shares that are missing or belong to something else.
    pub fn aggregate(
        &self,
        package: &SigningPackage<S>,
        shares: &[SignatureShare<S>],
    ) -> Result<Signature<S>, AggregateError> {
        self.aggregator().aggregate(package, package.digest(None), shares)
    }

    /// Verifies one share as it comes in, for protocols that replace a bad signer at once.
    ///
    /// # Errors
    /// [`AggregateError::Cheaters`] if it is wrong; [`AggregateError::UnexpectedShare`] if its party is not one
    /// of the signers; otherwise the errors of [`PublicKeyPackage::aggregate`].
    pub fn verify_share(
        &self,
        package: &SigningPackage<S>,
        share: &SignatureShare<S>,
    ) -> Result<(), AggregateError> {
        self.aggregator().verify_share(package, package.digest(None), share)
    }

    /// For signatures by the group's own key.
    pub(crate) fn aggregator(&self) -> Aggregator<'_, S> {
        Aggregator { public: self, key: self.key, shift: None }
    }
}

/// The key that signs, and every party's verifying share of it.
pub(crate) struct Aggregator<'a, S: Ciphersuite> {
    pub(crate) public: &'a PublicKeyPackage<S>,
    /// The group's own key, or one that was shifted for this signature.
    pub(crate) key: VerifyingKey<S>,
    /// The shift of every verifying share for it, and whether the sign changed after that.
    pub(crate) shift: Option<(Point<S>, bool)>,
}

impl<S: Ciphersuite> Aggregator<'_, S> {
    pub(crate) fn aggregate(
        &self,
        package: &SigningPackage<S>,
        digest: [u8; 32],
        shares: &[SignatureShare<S>],
    ) -> Result<Signature<S>, AggregateError> {
        self.check(package)?;
        shares.iter().try_for_each(|share| blameless(package, &digest, share))?;
        let z = arrange(package, shares)?;
        let binding =
            SigningContext::new(package, &self.key).ok_or(AggregateError::IdentityCommitment)?;
        self.sum(package, &binding, &z)
    }

    pub(crate) fn verify_share(
        &self,
        package: &SigningPackage<S>,
        digest: [u8; 32],
        share: &SignatureShare<S>,
    ) -> Result<(), AggregateError> {
        self.check(package)?;
        blameless(package, &digest, share)?;
        let binding =
            SigningContext::new(package, &self.key).ok_or(AggregateError::IdentityCommitment)?;
        self.verify_one(package, &binding, share.id, share.z)
    }

    /// The share equation of one signer, for a package whose binding is known.
    pub(crate) fn verify_one(
        &self,
        package: &SigningPackage<S>,
        binding: &SigningContext<S>,
        party: PartyId,
        z: Scalar<S>,
    ) -> Result<(), AggregateError> {
        let key = self.share_point(party);
        match key.and_then(|key| cheaters::is_honest(key, package, binding, party, z)) {
            None => Err(AggregateError::UnexpectedShare(party)),
            Some(true) => Ok(()),
            Some(false) => Err(AggregateError::Cheaters(alloc::vec![party])),
        }
    }

    /// Checks that this key can have signed the package.
    pub(crate) fn check(&self, package: &SigningPackage<S>) -> Result<(), AggregateError> {
        package
            .of
            .check_belongs_to(&self.public.package_id())
            .map_err(|why| AggregateError::Mismatch { party: None, why })?;
        if let Some(party) = unknown(package, self.public.parties()) {
            return Err(AggregateError::UnknownParty(party));
        }
        let (got, need) = (package.ids.len(), usize::from(self.public.threshold()));
        if got < need { Err(AggregateError::TooFewSigners { got, need }) } else { Ok(()) }
    }

    /// The signature of shares that are in the order of the package.
    pub(crate) fn sum(
        &self,
        package: &SigningPackage<S>,
        binding: &SigningContext<S>,
        z: &[Scalar<S>],
    ) -> Result<Signature<S>, AggregateError> {
        let signature = sum(binding, z);
        if S::Curve::verify_vartime(&self.key.point, &binding.r, &signature.z, &binding.challenge) {
            return Ok(signature);
        }
        let keys: Option<Vec<_>> = package.ids.iter().map(|id| self.share_point(*id)).collect();
        let suspects = keys.and_then(|keys| Suspects::new(keys, package, binding, z));
        Err(AggregateError::Cheaters(suspects.map_or_else(Vec::new, |all| all.cheaters())))
    }

    /// A party's verifying share of the key that signs.
    fn share_point(&self, party: PartyId) -> Option<Point<S>> {
        let share = *self.public.share_point(party)?;
        let Some((by, negated)) = self.shift else { return Some(share) };
        Some(if negated { -(share + by) } else { share + by })
    }
}

/// Checks that a share was made for this package, whose digest is `digest`. A share's own claim decides only
/// whether the share is checked, and never who is to blame.
pub(crate) fn belongs<S: Ciphersuite>(
    package: &SigningPackage<S>,
    digest: &[u8; 32],
    share: &SignatureShare<S>,
) -> Result<(), ShareRejected> {
    share.of.check_belongs_to(&package.of).map_err(ShareRejected::Mismatch)?;
    if share.package == *digest { Ok(()) } else { Err(ShareRejected::OtherPackage) }
}

/// [`belongs`], with the party whose share does not.
fn blameless<S: Ciphersuite>(
    package: &SigningPackage<S>,
    digest: &[u8; 32],
    share: &SignatureShare<S>,
) -> Result<(), AggregateError> {
    belongs(package, digest, share).map_err(|why| match why {
        ShareRejected::Mismatch(why) => AggregateError::Mismatch { party: Some(share.id), why },
        _ => AggregateError::OtherPackage(share.id),
    })
}

/// The signature (R, Σ z_i), not yet verified.
pub(crate) fn sum<S: Ciphersuite>(binding: &SigningContext<S>, z: &[Scalar<S>]) -> Signature<S> {
    let z = z.iter().fold(Scalar::<S>::default(), |sum, z| sum + *z);
    Signature { r: binding.r, bytes: binding.r_bytes, z }
}

/// The shares in the order of the package: one of each signer, and no others.
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

/// The shares of all signers, or the parties that still owe one.
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
