//! The share of a signature: as it is sent between sessions, and within one.

use alloc::vec::Vec;
use core::fmt;

use quorate_session::{PartyId, wire::Reader};

use crate::wire::{self, Kind, SCALAR, read_party, truncated};
use crate::{DecodeError, EcdsaCurve, Presignature, PresignatureId, PresignatureInfo, RawDigest};

/// A signer's share of a signature, σ_i, with the name and the digest of the presignature and the
/// digest of the message that it is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PartialSignature<C: EcdsaCurve> {
    party: PartyId,
    id: PresignatureId,
    points: [u8; 32],
    digest: [u8; 32],
    sigma: C::Scalar,
}

impl<C: EcdsaCurve> PartialSignature<C> {
    /// Figure 10: σ_i = k̃·m + r·χ̃.
    pub(super) fn new(presignature: &Presignature<C>, digest: &RawDigest) -> Self {
        let (m, r) = (digest.scalar::<C>(), presignature.info().r());
        let sigma = *presignature.k().expose() * m + *r * *presignature.chi().expose();
        Self::nameless(presignature.party(), presignature.info(), digest, sigma)
    }

    /// A share that came without its names, in a session that has them.
    pub(super) const fn nameless(
        party: PartyId,
        info: &PresignatureInfo<C>,
        digest: &RawDigest,
        sigma: C::Scalar,
    ) -> Self {
        Self { party, id: info.id(), points: *info.digest(), digest: *digest.as_bytes(), sigma }
    }

    /// The signer.
    #[must_use]
    pub const fn party(&self) -> PartyId {
        self.party
    }

    /// The presignature that was spent.
    #[must_use]
    pub const fn presignature(&self) -> PresignatureId {
        self.id
    }

    /// The [digest](PresignatureInfo::digest) of the presignature that was spent.
    #[must_use]
    pub const fn presignature_digest(&self) -> &[u8; 32] {
        &self.points
    }

    /// The digest that was signed.
    #[must_use]
    pub const fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    pub(super) const fn sigma(&self) -> &C::Scalar {
        &self.sigma
    }

    /// The sent form: party ‖ presignature ‖ its digest ‖ digest of the message ‖ σ.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = wire::start::<C>(Kind::PartialSignature, 2 + 3 * 32 + SCALAR);
        bytes.extend_from_slice(&self.party.get().to_be_bytes());
        bytes.extend_from_slice(&self.id.0);
        bytes.extend_from_slice(&self.points);
        bytes.extend_from_slice(&self.digest);
        bytes.extend_from_slice(&C::encode_scalar(&self.sigma));
        wire::end_public(bytes)
    }

    /// Reads a share, strictly.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is not canonical.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader: Reader<'_> = wire::open::<C>(bytes, Kind::PartialSignature)?;
        let party = read_party(&mut reader)?;
        let id = PresignatureId(reader.array().map_err(truncated)?);
        let (points, digest) =
            (reader.array().map_err(truncated)?, reader.array().map_err(truncated)?);
        let sigma = reader.bytes(SCALAR).map_err(truncated)?;
        let sigma = C::decode_scalar(sigma).ok_or(DecodeError::BadScalar)?;
        reader.finish().map_err(|_| DecodeError::TrailingBytes)?;
        Ok(Self { party, id, points, digest, sigma })
    }
}

impl<C: EcdsaCurve> fmt::Debug for PartialSignature<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartialSignature")
            .field("party", &self.party)
            .field("presignature", &self.id)
            .finish_non_exhaustive()
    }
}
