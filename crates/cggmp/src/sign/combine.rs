//! From shares of a signature to the signature.

use alloc::vec::Vec;

use quorate_session::{PartyId, PerParty};

use super::claim::MessageDigest;
use super::messages::PartialSignature;
use crate::{
    CombineError, EcdsaCurve, PartialError, PartialFault, PartialMismatch, PresignatureInfo,
    RawDigest, Signature,
};

impl<C: EcdsaCurve> PresignatureInfo<C> {
    /// Figure 10: whether a share is the one that its sender owes, `σ_jΓ = mΔ̃_j + rS̃_j`.
    ///
    /// `from` is who the **authenticated** transport says has sent it.
    ///
    /// # Errors
    /// A [`PartialError`] that says what is wrong with it.
    pub fn verify_partial(
        &self,
        message: impl Into<MessageDigest>,
        from: PartyId,
        share: &[u8],
    ) -> Result<PartialSignature<C>, PartialError> {
        let digest = message.into().into();
        let partial = self.read_partial(&digest, from, share)?;
        self.verify_partial_digest(&digest, &partial).map(|()| partial)
    }

    pub(crate) fn verify_partial_digest(
        &self,
        digest: &RawDigest,
        partial: &PartialSignature<C>,
    ) -> Result<(), PartialError> {
        self.names(digest, partial).map_err(PartialError::Mismatch)?;
        let points = self.signer_points(partial.party()).ok_or(PartialError::NotASigner)?;
        self.equation(digest, points, partial).map_err(PartialError::Fault)
    }

    /// Puts the shares of all signers together: the sum, with the smaller of s and −s, verified
    /// before it is given out.
    ///
    /// Each share comes with its sender, who the **authenticated** transport says has sent it; one's
    /// own with oneself. The same share twice is one.
    ///
    /// Shares whose errors cancel each other are not noticed, since the signature is right.
    ///
    /// # Errors
    /// [`CombineError`], which names every signer whose share is wrong, and apart from them those
    /// whose share is for something else, or missing.
    pub fn combine<B: AsRef<[u8]>>(
        &self,
        message: impl Into<MessageDigest>,
        shares: impl IntoIterator<Item = (PartyId, B)>,
    ) -> Result<Signature<C>, CombineError> {
        let digest = message.into().into();
        let (mut faults, mut mismatches) = (PerParty::new(), PerParty::new());
        let mut partials = Vec::new();
        for (from, share) in shares {
            match self.read_partial(&digest, from, share.as_ref()) {
                Ok(partial) if partials.contains(&partial) => {}
                Ok(partial) => partials.push(partial),
                Err(PartialError::NotASigner) => return Err(CombineError::Unexpected(from)),
                Err(PartialError::Fault(fault)) => faults.or_insert(from, fault),
                Err(PartialError::Mismatch(mismatch)) => mismatches.or_insert(from, mismatch),
            }
        }
        let complete = partials.len() == self.signers().len();
        if complete && faults.is_empty() && mismatches.is_empty() {
            return self.combine_digest(&digest, &partials);
        }
        for (party, fault) in self.wrong(&digest, &partials) {
            faults.or_insert(party, fault);
        }
        if !faults.is_empty() {
            return Err(CombineError::Cheaters(faults.into_iter().collect()));
        }
        if !mismatches.is_empty() {
            return Err(CombineError::Mismatch(mismatches.into_iter().collect()));
        }
        let came = |id: &PartyId| partials.iter().any(|partial| partial.party() == *id);
        Err(CombineError::Missing(self.signers().iter().filter(|id| !came(id)).collect()))
    }

    /// Puts together shares for this presignature and this message, as many as there are signers.
    pub(crate) fn combine_digest(
        &self,
        digest: &RawDigest,
        partials: &[PartialSignature<C>],
    ) -> Result<Signature<C>, CombineError> {
        if let Some(signature) = self.sum(digest, partials) {
            return Ok(signature);
        }
        let cheaters = self.wrong(digest, partials);
        if cheaters.is_empty() {
            return Err(CombineError::Inconsistent);
        }
        Err(CombineError::Cheaters(cheaters.into_iter().collect()))
    }

    /// Reads a share of this sender for this presignature and this message.
    fn read_partial(
        &self,
        digest: &RawDigest,
        from: PartyId,
        share: &[u8],
    ) -> Result<PartialSignature<C>, PartialError> {
        if !self.signers().contains(from) {
            return Err(PartialError::NotASigner);
        }
        let partial = PartialSignature::from_bytes(share).map_err(|error| {
            if error.is_another_format() {
                PartialError::Mismatch(PartialMismatch::OtherFormat(error))
            } else {
                PartialError::Fault(PartialFault::Malformed(error))
            }
        })?;
        if partial.party() != from {
            return Err(PartialError::Fault(PartialFault::InAnothersName(partial.party())));
        }
        self.names(digest, &partial).map_err(PartialError::Mismatch)?;
        Ok(partial)
    }

    /// Whether a share says that it is for this presignature and this message.
    fn names(
        &self,
        digest: &RawDigest,
        partial: &PartialSignature<C>,
    ) -> Result<(), PartialMismatch> {
        if partial.presignature() != self.id() {
            return Err(PartialMismatch::OtherPresignature);
        }
        if partial.presignature_digest() != self.digest() {
            return Err(PartialMismatch::OtherPoints);
        }
        if partial.digest() != digest.as_bytes() {
            return Err(PartialMismatch::OtherMessage);
        }
        Ok(())
    }

    /// The signers whose shares are not those that they owe.
    fn wrong(
        &self,
        digest: &RawDigest,
        partials: &[PartialSignature<C>],
    ) -> PerParty<PartialFault> {
        let fault = |partial: &PartialSignature<C>| {
            let points = self.signer_points(partial.party())?;
            Some((partial.party(), self.equation(digest, points, partial).err()?))
        };
        partials.iter().filter_map(fault).collect()
    }

    /// Figure 10: `σ_jΓ = mΔ̃_j + rS̃_j`.
    fn equation(
        &self,
        digest: &RawDigest,
        [k, chi]: &[C::Point; 2],
        partial: &PartialSignature<C>,
    ) -> Result<(), PartialFault> {
        let scalars = [*partial.sigma(), -digest.scalar::<C>(), -*self.r()];
        let difference = C::msm_vartime(&scalars, &[*self.nonce(), *k, *chi]);
        if C::is_identity(&difference) { Ok(()) } else { Err(PartialFault::Equation) }
    }

    /// The signature that the shares add up to, if it verifies.
    fn sum(&self, digest: &RawDigest, partials: &[PartialSignature<C>]) -> Option<Signature<C>> {
        let zero = C::Scalar::default();
        let s = partials.iter().fold(zero, |sum, partial| sum + *partial.sigma());
        let signature = Signature::from_nonce_point(self.nonce(), &s)?;
        self.verifying_key().verify_raw_digest(digest, &signature).ok()?;
        Some(signature)
    }
}
