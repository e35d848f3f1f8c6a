//! Figure 10 — signing from a presignature, without interaction.
//!
//! 1. The signers agree on a presignature that all of them hold and on a message.
//! 2. Each [claims](Presignature::claim) its part for the message, stores the claim's
//!    [record](Claim::record), and [releases](Claim::release) its share σ_i = k̃·m + r·χ̃.
//! 3. Anyone with all shares [puts them together](PresignatureInfo::combine).
//!
//! [`Sign`] does all of it in one session, presigning included, for messages that are known
//! beforehand.
//!
//! # What may be signed
//!
//! The nonce point of a presignature is known before the message. Who could then choose the number
//! that is signed, or the key by an additive shift, could turn one signature into another (Groth
//! and Shoup, eprint 2021/1330). So here the message is hashed by this crate, and the key is the
//! one that the presignature was made with: to sign for a derived key, presign with its share. A
//! digest from elsewhere takes [`Sign`], where it is fixed before the nonce exists.

mod combine;
mod interactive;

pub use interactive::{Sign, SignParams, State};

use alloc::vec::Vec;
use core::fmt;

use quorate_session::{PartyId, wire::Reader};
use sha2::{Digest, Sha256};

use crate::wire::{self, Kind, SCALAR, read_party, truncated};
use crate::{
    ClaimError, DecodeError, EcdsaCurve, KeyInfo, Presignature, PresignatureId, PresignatureInfo,
    RawDigest,
};

/// The digest of a message that was hashed on the way in, which is what a presignature signs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MessageDigest([u8; 32]);

impl MessageDigest {
    /// SHA-256, the hash of most ECDSA.
    #[must_use]
    pub fn sha256(message: &[u8]) -> Self {
        Self(Sha256::digest(message).into())
    }

    /// SHA-256 of SHA-256, as Bitcoin signs.
    #[must_use]
    pub fn sha256d(message: &[u8]) -> Self {
        Self::sha256(&Self::sha256(message).0)
    }

    /// A hash function of the caller's, such as Keccak-256. **It has to be a cryptographic hash
    /// function**: one that gives back what it is given gives the key's safety away with it.
    #[must_use]
    pub fn hashed_with(message: &[u8], hash: impl FnOnce(&[u8]) -> [u8; 32]) -> Self {
        Self(hash(message))
    }

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// [`MessageDigest::sha256`]
impl From<&[u8]> for MessageDigest {
    fn from(message: &[u8]) -> Self {
        Self::sha256(message)
    }
}

/// [`MessageDigest::sha256`]
impl<const N: usize> From<&[u8; N]> for MessageDigest {
    fn from(message: &[u8; N]) -> Self {
        Self::sha256(message)
    }
}

impl From<MessageDigest> for RawDigest {
    fn from(digest: MessageDigest) -> Self {
        Self::assume_hash_of_known_message(digest.0)
    }
}

/// What to store under a unique key, [`Self::id`], before a share of a signature is released.
///
/// Where another record with this id is stored already, the presignature was spent on another
/// message and must be dropped. Where **this very record** is stored, the same share was or could
/// have been released before, and releasing it again does no harm.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClaimRecord {
    /// The presignature.
    pub id: PresignatureId,
    /// The digest that it is spent on.
    pub digest: [u8; 32],
}

impl ClaimRecord {
    /// id ‖ digest.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 64] {
        let mut bytes = [0; 64];
        let parts = self.id.0.iter().chain(&self.digest);
        bytes.iter_mut().zip(parts).for_each(|(to, from)| *to = *from);
        bytes
    }
}

/// A presignature on its way to being spent on one message.
pub struct Claim<C: EcdsaCurve> {
    presignature: Presignature<C>,
    digest: MessageDigest,
}

impl<C: EcdsaCurve> Claim<C> {
    /// What to store before the share is released.
    #[must_use]
    pub const fn record(&self) -> ClaimRecord {
        ClaimRecord { id: self.presignature.id(), digest: self.digest.0 }
    }

    /// What is public of the presignature.
    #[must_use]
    pub const fn info(&self) -> &PresignatureInfo<C> {
        self.presignature.info()
    }

    /// Figure 10: the share of the signature, σ_i = k̃·m + r·χ̃. Call this only after the record has
    /// been stored.
    #[must_use]
    pub fn release(self) -> PartialSignature<C> {
        PartialSignature::new(&self.presignature, &self.digest.into())
    }
}

impl<C: EcdsaCurve> fmt::Debug for Claim<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Claim").field(&self.record()).finish()
    }
}

impl<C: EcdsaCurve> Presignature<C> {
    /// Spends the presignature on a message, under the key that it was made for. It is gone
    /// whatever comes of it.
    ///
    /// A message given as bytes is hashed with SHA-256; [`MessageDigest`] has other hashes.
    ///
    /// # Errors
    /// [`ClaimError`] if it was made for another key, or with shares of another epoch.
    pub fn claim(
        self,
        key: &KeyInfo<C>,
        message: impl Into<MessageDigest>,
    ) -> Result<Claim<C>, ClaimError> {
        self.info().fits(key)?;
        Ok(Claim { presignature: self, digest: message.into() })
    }
}

impl<C: EcdsaCurve> PresignatureInfo<C> {
    /// Whether it may be spent under this key.
    pub(crate) fn fits(&self, key: &KeyInfo<C>) -> Result<(), ClaimError> {
        if self.verifying_key() != key.verifying_key() {
            return Err(ClaimError::OtherKey);
        }
        if self.epoch() != key.epoch() {
            return Err(ClaimError::OtherEpoch { made: self.epoch(), now: key.epoch() });
        }
        if self.is_of(key) { Ok(()) } else { Err(ClaimError::OtherShares) }
    }
}

/// A signer's share of a signature, σ_i, with the names of the presignature and of the message that
/// it is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PartialSignature<C: EcdsaCurve> {
    party: PartyId,
    id: PresignatureId,
    digest: [u8; 32],
    sigma: C::Scalar,
}

impl<C: EcdsaCurve> PartialSignature<C> {
    /// Figure 10: σ_i = k̃·m + r·χ̃.
    pub(crate) fn new(presignature: &Presignature<C>, digest: &RawDigest) -> Self {
        let (m, r) = (digest.scalar::<C>(), presignature.info().r());
        let sigma = *presignature.k().expose() * m + *r * *presignature.chi().expose();
        let (party, id) = (presignature.party(), presignature.id());
        Self { party, id, digest: *digest.as_bytes(), sigma }
    }

    /// A share that came without its names, in a session that has them.
    pub(crate) const fn received(
        party: PartyId,
        id: PresignatureId,
        digest: &RawDigest,
        sigma: C::Scalar,
    ) -> Self {
        Self { party, id, digest: *digest.as_bytes(), sigma }
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

    /// The digest that was signed.
    #[must_use]
    pub const fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    pub(crate) const fn sigma(&self) -> &C::Scalar {
        &self.sigma
    }

    /// The sent form: party ‖ presignature ‖ digest ‖ σ.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = wire::start::<C>(Kind::PartialSignature, 2 + 32 + 32 + SCALAR);
        bytes.extend_from_slice(&self.party.get().to_be_bytes());
        bytes.extend_from_slice(&self.id.0);
        bytes.extend_from_slice(&self.digest);
        bytes.extend_from_slice(&C::encode_scalar(&self.sigma));
        wire::end(&mut bytes);
        core::mem::take(&mut *bytes)
    }

    /// Reads a share, strictly.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is not canonical.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader: Reader<'_> = wire::open::<C>(bytes, Kind::PartialSignature)?;
        let party = read_party(&mut reader)?;
        let id = PresignatureId(reader.array().map_err(truncated)?);
        let digest = reader.array().map_err(truncated)?;
        let sigma = reader.bytes(SCALAR).map_err(truncated)?;
        let sigma = C::decode_scalar(sigma).ok_or(DecodeError::BadScalar)?;
        reader.finish().map_err(|_| DecodeError::TrailingBytes)?;
        Ok(Self { party, id, digest, sigma })
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
