//! Figure 10 — signing from a presignature, without interaction.
//!
//! 1. The signers agree on a presignature that all of them hold and on a message.
//! 2. Each [claims](Presignature::claim) its part for the message, stores the claim's
//!    [record](Claim::record), and for the receipt [releases](Claim::release) its share
//!    σ_i = k̃·m + r·χ̃.
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

use quorate_session::{ClaimRecord, PartyId, Recorded, Transcript, wire::Reader};
use sha2::{Digest, Sha256};

use crate::wire::{self, Kind, SCALAR, read_party, truncated};
use crate::{
    ClaimError, DecodeError, EcdsaCurve, KeyShare, Presignature, PresignatureId, PresignatureInfo,
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

/// A presignature on its way to being spent on one message.
pub struct Claim<C: EcdsaCurve> {
    presignature: Presignature<C>,
    digest: MessageDigest,
}

impl<C: EcdsaCurve> Claim<C> {
    /// What to [store](ClaimRecord::store) in the table of everything that was spent: under the name
    /// of the presignature, a digest of the presignature and the message.
    ///
    /// Where another record of this name is stored already, the presignature was spent and must be
    /// dropped. Where this very record is stored, the same share was or could have been released,
    /// and releasing it again does no harm.
    #[must_use]
    pub fn record(&self) -> ClaimRecord {
        let info = self.info();
        let mut transcript = Transcript::new("quorate-cggmp claim");
        transcript.append("presignature", info.digest());
        transcript.append("message", &self.digest.0);
        ClaimRecord { id: info.id().0, digest: transcript.finish32() }
    }

    /// What is public of the presignature.
    #[must_use]
    pub const fn info(&self) -> &PresignatureInfo<C> {
        self.presignature.info()
    }

    /// Figure 10: the share of the signature, σ_i = k̃·m + r·χ̃, for the receipt of the
    /// [record](Self::record).
    ///
    /// # Errors
    /// [`ClaimError::OtherReceipt`] if the receipt is for another record. The presignature is gone.
    pub fn release(self, receipt: Recorded) -> Result<PartialSignature<C>, ClaimError> {
        if *receipt.record() != self.record() {
            return Err(ClaimError::OtherReceipt);
        }
        Ok(PartialSignature::new(&self.presignature, &self.digest.into()))
    }
}

impl<C: EcdsaCurve> fmt::Debug for Claim<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Claim").field(&self.record()).finish()
    }
}

impl<C: EcdsaCurve> Presignature<C> {
    /// Spends the presignature on a message, for the holder of the share that it was made with. It
    /// is gone whatever comes of it.
    ///
    /// `key` is the signer's own share as it is **now**: after a refresh the old share is destroyed,
    /// and with it what was presigned. The public side of a key is not enough, since that of an old
    /// epoch may lie about anywhere.
    ///
    /// A message given as bytes is hashed with SHA-256; [`MessageDigest`] has other hashes.
    ///
    /// # Errors
    /// [`ClaimError`] if it was made for another key or party, or with shares of another epoch.
    pub fn claim(
        self,
        key: &KeyShare<C>,
        message: impl Into<MessageDigest>,
    ) -> Result<Claim<C>, ClaimError> {
        self.fits(key)?;
        Ok(Claim { presignature: self, digest: message.into() })
    }

    /// Whether it may be spent by the holder of this share.
    pub(crate) fn fits(&self, key: &KeyShare<C>) -> Result<(), ClaimError> {
        if self.party() != key.party() {
            return Err(ClaimError::OtherParty);
        }
        let (info, key) = (self.info(), key.info());
        if info.verifying_key() != key.verifying_key() {
            return Err(ClaimError::OtherKey);
        }
        if info.epoch() != key.epoch() {
            return Err(ClaimError::OtherEpoch { made: info.epoch(), now: key.epoch() });
        }
        if info.is_of(key) { Ok(()) } else { Err(ClaimError::OtherShares) }
    }
}

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
    pub(crate) fn new(presignature: &Presignature<C>, digest: &RawDigest) -> Self {
        let (m, r) = (digest.scalar::<C>(), presignature.info().r());
        let sigma = *presignature.k().expose() * m + *r * *presignature.chi().expose();
        Self::received(presignature.party(), presignature.info(), digest, sigma)
    }

    /// A share that came without its names, in a session that has them.
    pub(crate) const fn received(
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

    pub(crate) const fn sigma(&self) -> &C::Scalar {
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
