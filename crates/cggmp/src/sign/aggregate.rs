//! The aggregation of shares to a signature.

use alloc::vec::Vec;

use quorate_session::{PartyId, PerParty};

use super::messages::SignatureShare;
use super::rerandomized::Rerandomized;
use crate::{
    AggregateError, Descendant, EcdsaCurve, PresignatureInfo, RawDigest, ShareFault, ShareMismatch,
    ShareRejected, Signature,
};

impl<C: EcdsaCurve> PresignatureInfo<C> {
    /// Figure 10: checks that a share is the one that its sender owes, `σ_jΓ' = mΔ̃_j + r'(S̃_j + eΔ̃_j)`.
    ///
    /// `child` is the key that signs, [derived](crate::PublicKeyPackage::derivation) from the one that was
    /// presigned for. `digest` is a [`MessageDigest`](crate::MessageDigest), or the [`RawDigest`] that was claimed for. `sender` is
    /// the sender of the share, as the **authenticated** transport names it.
    ///
    /// # Errors
    /// A [`ShareRejected`] that says what is wrong with it.
    pub fn verify_share(
        &self,
        child: &impl Descendant<C>,
        digest: impl Into<RawDigest>,
        sender: PartyId,
        bytes: &[u8],
    ) -> Result<SignatureShare<C>, ShareRejected> {
        if !self.is_ancestor_of(child) {
            return Err(ShareRejected::NotAChild);
        }
        let rerandomized = self.rerandomize(child, digest.into());
        let rerandomized = rerandomized.ok_or(ShareRejected::NoNonce)?;
        let share = self.read_share(&rerandomized, sender, bytes)?;
        self.verify_rerandomized(&rerandomized, &share).map(|()| share)
    }

    pub(crate) fn verify_rerandomized(
        &self,
        rerandomized: &Rerandomized<C>,
        share: &SignatureShare<C>,
    ) -> Result<(), ShareRejected> {
        self.names(rerandomized, share).map_err(ShareRejected::Mismatch)?;
        let points = self.signer_points(share.id()).ok_or(ShareRejected::NotASigner)?;
        equation(rerandomized, points, share).map_err(ShareRejected::Fault)
    }

    /// X' = X + eG. Otherwise honest shares for X' would look wrong.
    fn is_ancestor_of(&self, child: &impl Descendant<C>) -> bool {
        let shift = C::mul_base(child.tweak());
        *child.child().point() == *self.verifying_key().point() + shift
    }

    /// For a descendant of the key.
    fn rerandomize(
        &self,
        child: &impl Descendant<C>,
        digest: RawDigest,
    ) -> Option<Rerandomized<C>> {
        Rerandomized::new(self, child, digest)
    }

    /// Aggregates the shares of all signers: the sum, with the smaller of s and −s, verified
    /// before it is given out.
    ///
    /// `child` is the key that signs, [derived](crate::PublicKeyPackage::derivation) from the one that was
    /// presigned for, with the empty path for the key itself. Each share comes with its sender, as
    /// the **authenticated** transport names it; a signer's own share comes with its own number. A share that
    /// comes twice counts once, and of different ones of one signer two are looked at, of which one is wrong. So the
    /// time grows with the number of shares and no faster. A share for something else, beside the right ones of all signers, does not
    /// stand in the way of the signature, and is then not reported: [`verify_share`](Self::verify_share) says
    /// what each is for.
    ///
    /// Shares whose errors cancel each other are not noticed, since the signature is right.
    ///
    /// # Errors
    /// [`AggregateError`], which names every signer whose share is wrong, and apart from them those
    /// whose share is for something else, or missing.
    pub fn aggregate<B: AsRef<[u8]>>(
        &self,
        child: &impl Descendant<C>,
        digest: impl Into<RawDigest>,
        shares: impl IntoIterator<Item = (PartyId, B)>,
    ) -> Result<Signature<C>, AggregateError> {
        let rerandomized = self.rerandomize(child, digest.into());
        let rerandomized = &rerandomized.ok_or(AggregateError::NoNonce)?;
        let (mut faults, mut mismatches) = (PerParty::new(), PerParty::new());
        let mut taken = Vec::new();
        for (from, bytes) in shares {
            match self.read_share(rerandomized, from, bytes.as_ref()) {
                Ok(share) if adds_nothing(&taken, &share) => {}
                Ok(share) => taken.push(share),
                Err(Refused::NotASigner) => return Err(AggregateError::Unexpected(from)),
                Err(Refused::Fault(fault)) => faults.or_insert(from, fault),
                Err(Refused::Mismatch(mismatch)) => mismatches.or_insert(from, mismatch),
            }
        }
        let complete = taken.len() == self.signers().len();
        if complete && faults.is_empty() {
            // It verifies under the key that was asked for. Shares for something else have no part in it.
            if let Some(signature) = sum(rerandomized, &taken) {
                return Ok(signature);
            }
        }
        if !self.is_ancestor_of(child) {
            return Err(AggregateError::NotAChild);
        }
        for (party, fault) in self.wrong(rerandomized, &taken) {
            faults.or_insert(party, fault);
        }
        if !faults.is_empty() {
            return Err(AggregateError::Cheaters(faults.into_iter().collect()));
        }
        if !mismatches.is_empty() {
            return Err(AggregateError::Mismatch(mismatches.into_iter().collect()));
        }
        if complete {
            return Err(AggregateError::Inconsistent);
        }
        let came = |id: &PartyId| taken.iter().any(|share| share.id() == *id);
        Err(AggregateError::Missing(self.signers().iter().filter(|id| !came(id)).collect()))
    }

    /// Aggregates shares for this presignature, key and message, as many as there are signers.
    pub(crate) fn aggregate_rerandomized(
        &self,
        rerandomized: &Rerandomized<C>,
        shares: &[SignatureShare<C>],
    ) -> Result<Signature<C>, AggregateError> {
        if let Some(signature) = sum(rerandomized, shares) {
            return Ok(signature);
        }
        let cheaters = self.wrong(rerandomized, shares);
        if cheaters.is_empty() {
            return Err(AggregateError::Inconsistent);
        }
        Err(AggregateError::Cheaters(cheaters.into_iter().collect()))
    }

    /// Reads a share of this sender for this presignature, key and message.
    fn read_share(
        &self,
        rerandomized: &Rerandomized<C>,
        sender: PartyId,
        bytes: &[u8],
    ) -> Result<SignatureShare<C>, Refused> {
        if !self.signers().contains(sender) {
            return Err(Refused::NotASigner);
        }
        let share = SignatureShare::from_bytes(sender, bytes).map_err(|error| {
            if error.is_another_format() {
                Refused::Mismatch(ShareMismatch::OtherFormat(error))
            } else {
                Refused::Fault(ShareFault::Malformed(error))
            }
        })?;
        self.names(rerandomized, &share).map_err(Refused::Mismatch)?;
        Ok(share)
    }

    /// Checks that a share names this presignature, key and message.
    fn names(
        &self,
        rerandomized: &Rerandomized<C>,
        share: &SignatureShare<C>,
    ) -> Result<(), ShareMismatch> {
        if share.presignature() != self.id() {
            return Err(ShareMismatch::OtherPresignature);
        }
        if share.presignature_digest() != self.digest() {
            return Err(ShareMismatch::OtherPoints);
        }
        if share.key_bytes() != rerandomized.key().as_bytes() {
            return Err(ShareMismatch::OtherKey);
        }
        if share.digest() != rerandomized.digest().as_bytes() {
            return Err(ShareMismatch::OtherMessage);
        }
        Ok(())
    }

    /// The signers whose shares are not those that they owe.
    fn wrong(
        &self,
        rerandomized: &Rerandomized<C>,
        shares: &[SignatureShare<C>],
    ) -> PerParty<ShareFault> {
        let fault = |share: &SignatureShare<C>| {
            let points = self.signer_points(share.id())?;
            Some((share.id(), equation(rerandomized, points, share).err()?))
        };
        shares.iter().filter_map(fault).collect()
    }
}

/// Returns whether a share is there already, or two different ones of its signer are.
fn adds_nothing<C: EcdsaCurve>(taken: &[SignatureShare<C>], share: &SignatureShare<C>) -> bool {
    let of_signer = taken.iter().filter(|one| one.id() == share.id());
    of_signer.clone().any(|one| one == share) || of_signer.count() > 1
}

/// The signature with the sum of the shares, if it verifies.
fn sum<C: EcdsaCurve>(
    rerandomized: &Rerandomized<C>,
    shares: &[SignatureShare<C>],
) -> Option<Signature<C>> {
    let zero = C::Scalar::default();
    rerandomized.signature(&shares.iter().fold(zero, |sum, share| sum + *share.sigma()))
}

fn equation<C: EcdsaCurve>(
    rerandomized: &Rerandomized<C>,
    points: &[C::Point; 2],
    share: &SignatureShare<C>,
) -> Result<(), ShareFault> {
    let holds = rerandomized.holds(points, share.sigma());
    if holds { Ok(()) } else { Err(ShareFault::Equation) }
}

/// The reason why a share cannot be aggregated.
enum Refused {
    NotASigner,
    Fault(ShareFault),
    Mismatch(ShareMismatch),
}

impl From<Refused> for ShareRejected {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::NotASigner => Self::NotASigner,
            Refused::Fault(fault) => Self::Fault(fault),
            Refused::Mismatch(mismatch) => Self::Mismatch(mismatch),
        }
    }
}
