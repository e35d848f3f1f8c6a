//! From shares of a signature to the signature.

use alloc::vec::Vec;

use quorate_session::{PartyId, PerParty};

use super::claim::MessageDigest;
use super::messages::PartialSignature;
use super::rerandomized::Rerandomized;
use crate::{
    CombineError, Derived, EcdsaCurve, PartialError, PartialFault, PartialMismatch,
    PresignatureInfo, Signature,
};

impl<C: EcdsaCurve> PresignatureInfo<C> {
    /// Figure 10: whether a share is the one that its sender owes, `σ_jΓ' = mΔ̃_j + r'(S̃_j + eΔ̃_j)`.
    ///
    /// `child` is the key that signs, [derived](crate::KeyInfo::derivation) from the one that was
    /// presigned for; `from` is who the **authenticated** transport says has sent the share.
    ///
    /// # Errors
    /// A [`PartialError`] that says what is wrong with it.
    pub fn verify_partial(
        &self,
        child: &Derived<C>,
        message: impl Into<MessageDigest>,
        from: PartyId,
        share: &[u8],
    ) -> Result<PartialSignature<C>, PartialError> {
        if !self.is_ancestor_of(child) {
            return Err(PartialError::NotAChild);
        }
        let rerandomized = self.rerandomize(child, message.into());
        let rerandomized = rerandomized.ok_or(PartialError::NoNonce)?;
        let partial = self.read_partial(&rerandomized, from, share)?;
        self.verify_rerandomized(&rerandomized, &partial).map(|()| partial)
    }

    pub(crate) fn verify_rerandomized(
        &self,
        rerandomized: &Rerandomized<C>,
        partial: &PartialSignature<C>,
    ) -> Result<(), PartialError> {
        self.names(rerandomized, partial).map_err(PartialError::Mismatch)?;
        let points = self.signer_points(partial.party()).ok_or(PartialError::NotASigner)?;
        equation(rerandomized, points, partial).map_err(PartialError::Fault)
    }

    /// X' = X + eG. Otherwise honest shares for X' would look wrong.
    fn is_ancestor_of(&self, child: &Derived<C>) -> bool {
        *child.key.point() == *self.verifying_key().point() + C::mul_base(&child.tweak)
    }

    /// For a descendant of the key.
    fn rerandomize(&self, child: &Derived<C>, digest: MessageDigest) -> Option<Rerandomized<C>> {
        Rerandomized::new(self, child.tweak, child.key, digest.into())
    }

    /// Puts the shares of all signers together: the sum, with the smaller of s and −s, verified
    /// before it is given out.
    ///
    /// `child` is the key that signs, [derived](crate::KeyInfo::derivation) from the one that was
    /// presigned for, with the empty path for the key itself. Each share comes with its sender, who
    /// the **authenticated** transport says has sent it; one's own with oneself. The same share
    /// twice is one.
    ///
    /// Shares whose errors cancel each other are not noticed, since the signature is right.
    ///
    /// # Errors
    /// [`CombineError`], which names every signer whose share is wrong, and apart from them those
    /// whose share is for something else, or missing.
    pub fn combine<B: AsRef<[u8]>>(
        &self,
        child: &Derived<C>,
        message: impl Into<MessageDigest>,
        shares: impl IntoIterator<Item = (PartyId, B)>,
    ) -> Result<Signature<C>, CombineError> {
        if !self.is_ancestor_of(child) {
            return Err(CombineError::NotAChild);
        }
        let rerandomized = self.rerandomize(child, message.into());
        let rerandomized = &rerandomized.ok_or(CombineError::NoNonce)?;
        let (mut faults, mut mismatches) = (PerParty::new(), PerParty::new());
        let mut partials = Vec::new();
        for (from, share) in shares {
            match self.read_partial(rerandomized, from, share.as_ref()) {
                Ok(partial) if partials.contains(&partial) => {}
                Ok(partial) => partials.push(partial),
                Err(Refused::NotASigner) => return Err(CombineError::Unexpected(from)),
                Err(Refused::Fault(fault)) => faults.or_insert(from, fault),
                Err(Refused::Mismatch(mismatch)) => mismatches.or_insert(from, mismatch),
            }
        }
        let complete = partials.len() == self.signers().len();
        if complete && faults.is_empty() && mismatches.is_empty() {
            return self.combine_rerandomized(rerandomized, &partials);
        }
        for (party, fault) in self.wrong(rerandomized, &partials) {
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

    /// Puts together shares for this presignature, key and message, as many as there are signers.
    pub(crate) fn combine_rerandomized(
        &self,
        rerandomized: &Rerandomized<C>,
        partials: &[PartialSignature<C>],
    ) -> Result<Signature<C>, CombineError> {
        let zero = C::Scalar::default();
        let s = partials.iter().fold(zero, |sum, partial| sum + *partial.sigma());
        if let Some(signature) = rerandomized.signature(&s) {
            return Ok(signature);
        }
        let cheaters = self.wrong(rerandomized, partials);
        if cheaters.is_empty() {
            return Err(CombineError::Inconsistent);
        }
        Err(CombineError::Cheaters(cheaters.into_iter().collect()))
    }

    /// Reads a share of this sender for this presignature, key and message.
    fn read_partial(
        &self,
        rerandomized: &Rerandomized<C>,
        from: PartyId,
        share: &[u8],
    ) -> Result<PartialSignature<C>, Refused> {
        if !self.signers().contains(from) {
            return Err(Refused::NotASigner);
        }
        let partial = PartialSignature::from_bytes(share).map_err(|error| {
            if error.is_another_format() {
                Refused::Mismatch(PartialMismatch::OtherFormat(error))
            } else {
                Refused::Fault(PartialFault::Malformed(error))
            }
        })?;
        if partial.party() != from {
            return Err(Refused::Fault(PartialFault::InAnothersName(partial.party())));
        }
        self.names(rerandomized, &partial).map_err(Refused::Mismatch)?;
        Ok(partial)
    }

    /// Whether a share says that it is for this presignature, key and message.
    fn names(
        &self,
        rerandomized: &Rerandomized<C>,
        partial: &PartialSignature<C>,
    ) -> Result<(), PartialMismatch> {
        if partial.presignature() != self.id() {
            return Err(PartialMismatch::OtherPresignature);
        }
        if partial.presignature_digest() != self.digest() {
            return Err(PartialMismatch::OtherPoints);
        }
        if partial.key_bytes() != rerandomized.key().as_bytes() {
            return Err(PartialMismatch::OtherKey);
        }
        if partial.digest() != rerandomized.digest().as_bytes() {
            return Err(PartialMismatch::OtherMessage);
        }
        Ok(())
    }

    /// The signers whose shares are not those that they owe.
    fn wrong(
        &self,
        rerandomized: &Rerandomized<C>,
        partials: &[PartialSignature<C>],
    ) -> PerParty<PartialFault> {
        let fault = |partial: &PartialSignature<C>| {
            let points = self.signer_points(partial.party())?;
            Some((partial.party(), equation(rerandomized, points, partial).err()?))
        };
        partials.iter().filter_map(fault).collect()
    }
}

fn equation<C: EcdsaCurve>(
    rerandomized: &Rerandomized<C>,
    points: &[C::Point; 2],
    partial: &PartialSignature<C>,
) -> Result<(), PartialFault> {
    let holds = rerandomized.holds(points, partial.sigma());
    if holds { Ok(()) } else { Err(PartialFault::Equation) }
}

/// Why a share is not one of those to put together.
enum Refused {
    NotASigner,
    Fault(PartialFault),
    Mismatch(PartialMismatch),
}

impl From<Refused> for PartialError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::NotASigner => Self::NotASigner,
            Refused::Fault(fault) => Self::Fault(fault),
            Refused::Mismatch(mismatch) => Self::Mismatch(mismatch),
        }
    }
}
