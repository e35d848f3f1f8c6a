//! The public view of a session that signs, once it has presigned.

use quorate_session::{Fault, PartyId};

use super::messages::PartialSignature;
use crate::proofs::exactly;
use crate::wire::SCALAR;
use crate::{EcdsaCurve, PresignatureInfo, RawDigest};

/// The public side of the presignature, and the digest that is signed.
pub(crate) struct View<C: EcdsaCurve> {
    pub(crate) info: PresignatureInfo<C>,
    pub(crate) digest: RawDigest,
}

impl<C: EcdsaCurve> View<C> {
    /// Reads σ_j.
    pub(crate) fn read_share(
        &self,
        from: PartyId,
        bytes: &[u8],
    ) -> Result<PartialSignature<C>, Fault> {
        let sigma: [u8; SCALAR] = exactly(bytes)?;
        let sigma = C::decode_scalar(&sigma).ok_or(Fault::InvalidScalar)?;
        Ok(PartialSignature::nameless(from, &self.info, &self.digest, sigma))
    }

    /// Figure 10: σ_j, alone.
    pub(crate) fn verify_share(&self, from: PartyId, bytes: &[u8]) -> Result<(), Fault> {
        let partial = self.read_share(from, bytes)?;
        let verdict = self.info.verify_partial_digest(&self.digest, &partial);
        verdict.map_err(|_| Fault::InvalidSignatureShare)
    }
}
