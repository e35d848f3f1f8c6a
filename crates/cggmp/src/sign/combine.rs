//! From shares of a signature to the signature.

use alloc::vec::Vec;

use quorate_session::PartyId;

use super::{MessageDigest, PartialSignature};
use crate::{CombineError, EcdsaCurve, PartialFault, PresignatureInfo, RawDigest, Signature};

impl<C: EcdsaCurve> PresignatureInfo<C> {
    /// Figure 10: whether a share is the one that its signer owes, `σ_jΓ = mΔ̃_j + rS̃_j`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn verify_partial(
        &self,
        message: impl Into<MessageDigest>,
        partial: &PartialSignature<C>,
    ) -> Result<(), PartialFault> {
        self.verify_partial_digest(&message.into().into(), partial)
    }

    pub(crate) fn verify_partial_digest(
        &self,
        digest: &RawDigest,
        partial: &PartialSignature<C>,
    ) -> Result<(), PartialFault> {
        self.names(digest, partial)?;
        let points = self.points().find(|(id, _)| *id == partial.party());
        let (_, points) = points.ok_or(PartialFault::NotASigner)?;
        self.equation(digest, points, partial)
    }

    /// Puts the shares of all signers together: the sum, with the smaller of s and −s, verified
    /// before it is given out.
    ///
    /// Shares whose errors cancel each other are not noticed, since the signature is right.
    ///
    /// # Errors
    /// [`CombineError`], which names every signer whose share is wrong, or missing.
    pub fn combine(
        &self,
        message: impl Into<MessageDigest>,
        partials: &[PartialSignature<C>],
    ) -> Result<Signature<C>, CombineError> {
        self.combine_digest(&message.into().into(), partials)
    }

    pub(crate) fn combine_digest(
        &self,
        digest: &RawDigest,
        partials: &[PartialSignature<C>],
    ) -> Result<Signature<C>, CombineError> {
        self.complete(partials)?;
        let named = partials.iter().all(|partial| self.names(digest, partial).is_ok());
        if named && let Some(signature) = self.sum(digest, partials) {
            return Ok(signature);
        }
        let mut cheaters = Vec::new();
        for (party, points) in self.points() {
            let partial = partials.iter().find(|partial| partial.party() == party);
            let partial = partial.ok_or(CombineError::Inconsistent)?;
            let names = self.names(digest, partial);
            if let Err(fault) = names.and_then(|()| self.equation(digest, points, partial)) {
                cheaters.push((party, fault));
            }
        }
        if cheaters.is_empty() {
            return Err(CombineError::Inconsistent);
        }
        Err(CombineError::Cheaters(cheaters))
    }

    /// One share of each signer and none besides.
    fn complete(&self, partials: &[PartialSignature<C>]) -> Result<(), CombineError> {
        let mut seen: Vec<PartyId> = Vec::with_capacity(partials.len());
        for party in partials.iter().map(PartialSignature::party) {
            if !self.signers().contains(party) {
                return Err(CombineError::Unexpected(party));
            }
            if seen.contains(&party) {
                return Err(CombineError::Duplicate(party));
            }
            seen.push(party);
        }
        let missing: Vec<_> = self.signers().iter().filter(|id| !seen.contains(id)).collect();
        if missing.is_empty() { Ok(()) } else { Err(CombineError::Missing(missing)) }
    }

    /// Whether a share says that it is for this presignature and this message.
    fn names(&self, digest: &RawDigest, partial: &PartialSignature<C>) -> Result<(), PartialFault> {
        if partial.presignature() != self.id() {
            return Err(PartialFault::OtherPresignature);
        }
        if partial.digest() != digest.as_bytes() {
            return Err(PartialFault::OtherMessage);
        }
        Ok(())
    }

    /// Figure 10: `σ_jΓ = mΔ̃_j + rS̃_j`.
    fn equation(
        &self,
        digest: &RawDigest,
        [k, chi]: [&C::Point; 2],
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
