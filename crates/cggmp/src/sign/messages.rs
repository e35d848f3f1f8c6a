//! The share of a signature: as it is sent between sessions, and within one.

use alloc::vec::Vec;
use core::fmt;

use quorate_session::{PartyId, wire::Reader};

use super::rerandomized::Rerandomized;
use crate::wire::{self, PARTIAL_SIGNATURE, POINT, SCALAR, curve_label, read_party, truncated};
use crate::{DecodeError, EcdsaCurve, Presignature, PresignatureId, PresignatureInfo};

/// A signer's share of a signature, σ_i, with the name and the digest of the presignature, the key
/// that signs and the digest of the message that it is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PartialSignature<C: EcdsaCurve> {
    party: PartyId,
    id: PresignatureId,
    points: [u8; 32],
    key: C::PointBytes,
    digest: [u8; 32],
    sigma: C::Scalar,
}

impl<C: EcdsaCurve> PartialSignature<C> {
    /// Figure 10: σ_i.
    pub(super) fn new(presignature: &Presignature<C>, rerandomized: &Rerandomized<C>) -> Self {
        let sigma = rerandomized.sigma(presignature);
        Self::nameless(presignature.party(), presignature.info(), rerandomized, sigma)
    }

    /// A share that came without its names, in a session that has them.
    pub(super) const fn nameless(
        party: PartyId,
        info: &PresignatureInfo<C>,
        rerandomized: &Rerandomized<C>,
        sigma: C::Scalar,
    ) -> Self {
        let (key, digest) = (*rerandomized.key().as_bytes(), *rerandomized.digest().as_bytes());
        Self { party, id: info.id(), points: *info.digest(), key, digest, sigma }
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

    /// The compressed form of the key that signs, as the signer has sent it: not decoded. It stands
    /// for the tweak as well, since the two determine each other.
    #[must_use]
    pub const fn key_bytes(&self) -> &C::PointBytes {
        &self.key
    }

    /// The digest that was signed.
    #[must_use]
    pub const fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    pub(super) const fn sigma(&self) -> &C::Scalar {
        &self.sigma
    }

    /// The sent form: party ‖ presignature ‖ its digest ‖ key that signs ‖ digest of the message ‖ σ.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.encode_into(&mut bytes);
        bytes
    }

    /// Appends the sent form to a buffer of the caller: none is made while it has room.
    pub fn encode_into(&self, out: &mut Vec<u8>) {
        let body = 2 + PresignatureId::LENGTH + 2 * 32 + POINT + SCALAR;
        curve_label::<C>(PARTIAL_SIGNATURE).encode_into(out, body, |bytes| {
            bytes.extend_from_slice(&self.party.get().to_be_bytes());
            self.id.put(bytes);
            bytes.extend_from_slice(&self.points);
            bytes.extend_from_slice(self.key.as_ref());
            bytes.extend_from_slice(&self.digest);
            bytes.extend_from_slice(&C::encode_scalar(&self.sigma));
        });
    }

    /// Reads a share, strictly.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is not canonical.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        wire::open(curve_label::<C>(PARTIAL_SIGNATURE), bytes, Self::read)
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let party = read_party(reader)?;
        let id = PresignatureId::read(reader)?;
        let points = reader.array().map_err(truncated)?;
        let key = reader.array().map_err(truncated)?;
        let digest = reader.array().map_err(truncated)?;
        let sigma = reader.bytes(SCALAR).map_err(truncated)?;
        let sigma = C::decode_scalar(sigma).ok_or(DecodeError::BadScalar)?;
        Ok(Self { party, id, points, key, digest, sigma })
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
