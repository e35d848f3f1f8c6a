//! The share of a signature: as it is sent between sessions, and within one.

use alloc::vec::Vec;
use core::fmt;

use quorate_session::{PartyId, wire::Reader};

use super::rerandomized::Rerandomized;
use crate::wire::{POINT, SCALAR, SIGNATURE_SHARE, curve_label, read_party};
use crate::{DecodeError, EcdsaCurve, Presignature, PresignatureId, PresignatureInfo};

/// A signer's share of a signature, σ_i, with the name and the digest of the presignature, the key
/// that signs and the digest of the message that it is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SignatureShare<C: EcdsaCurve> {
    id: PartyId,
    presignature: PresignatureId,
    points: [u8; 32],
    key: C::PointBytes,
    digest: [u8; 32],
    sigma: C::Scalar,
}

impl<C: EcdsaCurve> SignatureShare<C> {
    /// Figure 10: σ_i.
    pub(super) fn new(presignature: &Presignature<C>, rerandomized: &Rerandomized<C>) -> Self {
        let sigma = rerandomized.sigma(presignature);
        Self::nameless(presignature.party_id(), presignature.info(), rerandomized, sigma)
    }

    /// A share that was sent without its names, in a session that has them.
    pub(super) const fn nameless(
        id: PartyId,
        info: &PresignatureInfo<C>,
        rerandomized: &Rerandomized<C>,
        sigma: C::Scalar,
    ) -> Self {
        let (key, digest) = (*rerandomized.key().as_bytes(), *rerandomized.digest().as_bytes());
        Self { id, presignature: info.id(), points: *info.digest(), key, digest, sigma }
    }

    /// The signer.
    #[must_use]
    pub const fn id(&self) -> PartyId {
        self.id
    }

    /// The presignature that was spent.
    #[must_use]
    pub const fn presignature(&self) -> PresignatureId {
        self.presignature
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
        curve_label::<C>(SIGNATURE_SHARE).encode_into(out, body, |bytes| {
            bytes.extend_from_slice(&self.id.get().to_be_bytes());
            self.presignature.put(bytes);
            bytes.extend_from_slice(&self.points);
            bytes.extend_from_slice(self.key.as_ref());
            bytes.extend_from_slice(&self.digest);
            bytes.extend_from_slice(&C::encode_scalar(&self.sigma));
        });
    }

    /// Reads the share that `sender` has sent, strictly. The **authenticated** transport names the sender.
    ///
    /// # Errors
    /// [`DecodeError::NotTheSenders`] for a share in another party's name, or the [`DecodeError`] that says what is
    /// not canonical.
    pub fn from_bytes(sender: PartyId, bytes: &[u8]) -> Result<Self, DecodeError> {
        let share = curve_label::<C>(SIGNATURE_SHARE).read(bytes, Self::read)?;
        if share.id == sender {
            Ok(share)
        } else {
            Err(DecodeError::NotTheSenders { sender, named: share.id })
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let id = read_party(reader)?;
        let presignature = PresignatureId::read(reader)?;
        let points = reader.array()?;
        let key = reader.array()?;
        let digest = reader.array()?;
        let sigma = reader.bytes(SCALAR)?;
        let sigma = C::decode_scalar(sigma).ok_or(DecodeError::BadScalar)?;
        Ok(Self { id, presignature, points, key, digest, sigma })
    }
}

impl<C: EcdsaCurve> fmt::Debug for SignatureShare<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignatureShare")
            .field("id", &self.id)
            .field("presignature", &self.presignature)
            .finish_non_exhaustive()
    }
}
