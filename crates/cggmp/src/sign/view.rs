//! The public view of a session that signs, once it has presigned.

use quorate_session::{Fault, PartyId};

use super::messages::SignatureShare;
use super::rerandomized::Rerandomized;
use crate::proofs::exactly;
use crate::wire::SCALAR;
use crate::{EcdsaCurve, PresignatureInfo, RawDigest};

/// The public side of the presignature, re-randomised for the digest that is signed.
pub(crate) struct View<C: EcdsaCurve> {
    pub(super) info: PresignatureInfo<C>,
    pub(super) rerandomized: Rerandomized<C>,
}

impl<C: EcdsaCurve> View<C> {
    /// For the key that was presigned for. `None` with a chance of 2^-255.
    pub(crate) fn new(info: PresignatureInfo<C>, digest: RawDigest) -> Option<Self> {
        let rerandomized = Rerandomized::untweaked(&info, digest)?;
        Some(Self { info, rerandomized })
    }

    /// Reads σ_j.
    pub(crate) fn read_share(
        &self,
        from: PartyId,
        bytes: &[u8],
    ) -> Result<SignatureShare<C>, Fault> {
        let sigma: [u8; SCALAR] = exactly(bytes)?;
        let sigma = C::decode_scalar(&sigma).ok_or(Fault::InvalidScalar)?;
        Ok(SignatureShare::nameless(from, &self.info, &self.rerandomized, sigma))
    }

    /// Figure 10: σ_j, alone.
    pub(crate) fn verify_share(&self, from: PartyId, bytes: &[u8]) -> Result<(), Fault> {
        let share = self.read_share(from, bytes)?;
        let verdict = self.info.verify_rerandomized(&self.rerandomized, &share);
        verdict.map_err(|_| Fault::InvalidSignatureShare)
    }
}
