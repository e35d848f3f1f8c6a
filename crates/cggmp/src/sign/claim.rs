//! The spending of a presignature on one message, with one key.

use core::fmt;

use quorate_keys::ShareState;
use quorate_session::{ClaimRecord, SpendReceipt};
use sha2::{Digest, Sha256};

use super::messages::SignatureShare;
use super::rerandomized::Rerandomized;
use crate::{
    ClaimError, DerivationPath, EcdsaCurve, HardenedChild, KeyShare, Presignature,
    PresignatureInfo, RawDigest, VerifyingKey,
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

impl From<MessageDigest> for RawDigest {
    fn from(digest: MessageDigest) -> Self {
        Self::assume_hash_of_known_message(digest.0)
    }
}

/// A presignature on its way to being spent on one message, with one key.
pub struct Claim<C: EcdsaCurve> {
    presignature: Presignature<C>,
    rerandomized: Rerandomized<C>,
    record: ClaimRecord,
}

impl<C: EcdsaCurve> Claim<C> {
    pub(crate) fn new(presignature: Presignature<C>, rerandomized: Rerandomized<C>) -> Self {
        let info = presignature.info();
        let record = ClaimRecord { id: info.id().name(), digest: rerandomized.record(info) };
        Self { presignature, rerandomized, record }
    }

    /// The record to [store](ClaimRecord::store) in the table of spent presignatures: under the name
    /// of the presignature, a digest of the presignature, the tweak, the key that signs and the
    /// message.
    ///
    /// If another record of this name is stored already, the presignature was spent and must be
    /// dropped. If this very record is stored, the same share was or could have been released,
    /// and releasing it again does no harm.
    #[must_use]
    pub const fn record(&self) -> ClaimRecord {
        self.record
    }

    /// The key that signs: the one at the path of the claim.
    #[must_use]
    pub const fn verifying_key(&self) -> &VerifyingKey<C> {
        self.rerandomized.key()
    }

    /// The public side of the presignature.
    #[must_use]
    pub const fn info(&self) -> &PresignatureInfo<C> {
        self.presignature.info()
    }

    /// Figure 10: the share of the signature, for the receipt of the [record](Self::record).
    ///
    /// # Errors
    /// [`ClaimError::OtherReceipt`] if the receipt is for another record. The presignature is consumed all the same.
    pub fn release(self, receipt: SpendReceipt) -> Result<SignatureShare<C>, ClaimError> {
        if *receipt.record() != self.record {
            return Err(ClaimError::OtherReceipt);
        }
        Ok(SignatureShare::new(&self.presignature, &self.rerandomized))
    }
}

impl<C: EcdsaCurve> fmt::Debug for Claim<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Claim").field(&self.record()).finish()
    }
}

impl<C: EcdsaCurve> Presignature<C> {
    /// Spends the presignature on a message, for the holder of the share with which it was made. The call
    /// consumes the presignature, even if it fails.
    ///
    /// `key` is the signer's own share as it is **now**: after a refresh the old share is destroyed,
    /// and with it the presignatures. The public side of a key is not enough, since that of an old
    /// epoch may still be anywhere.
    ///
    /// `path` leads from there to the descendant that signs; the empty path is the key itself. A
    /// presignature that was made with the share of a descendant serves further descendants, by
    /// their paths from that one.
    ///
    /// `digest` is made from the message itself, by [`MessageDigest::sha256`] or another of its constructors. For a digest
    /// from elsewhere there is [`claim_raw_digest`](Self::claim_raw_digest).
    ///
    /// The cost is the derivation, and one multiplication of a point, the nonce.
    ///
    /// # Errors
    /// [`ClaimError`] if it was made for another key or party, or with shares of another epoch, if
    /// the share is unconfirmed, or `path` leads to no key.
    pub fn claim(
        self,
        key: &KeyShare<C>,
        path: &DerivationPath,
        digest: MessageDigest,
    ) -> Result<Claim<C>, ClaimError> {
        self.claim_raw_digest(key, path, digest.into())
    }

    /// Spends the presignature on a digest that was made elsewhere, as [`claim`](Self::claim) does on a message.
    ///
    /// The signer **does not see what it signs**: see [`RawDigest`]. Somebody who chooses the digest when
    /// the nonce point Γ is known should gain nothing by that, since the nonce of the signature depends on the digest. The argument is
    /// this project's own, and no theorem: `docs/spec/arguments-ecdsa.md`, *What the hash does to the lists*.
    ///
    /// # Errors
    /// The errors of [`claim`](Self::claim), and [`ClaimError::ZeroDigest`].
    pub fn claim_raw_digest(
        self,
        key: &KeyShare<C>,
        path: &DerivationPath,
        digest: RawDigest,
    ) -> Result<Claim<C>, ClaimError> {
        let rerandomized = self.rerandomize(key, path, digest)?;
        Ok(Claim::new(self, rerandomized))
    }

    /// Spends the presignature on a message, with a hardened child of the key or a descendant of one. `key` is the signer's own share of
    /// the **parent**. Otherwise as [`claim`](Self::claim).
    ///
    /// # Errors
    /// The errors of [`claim`](Self::claim), and [`ClaimError::Mismatch`] if the child is not one of this key in this epoch.
    pub fn claim_hardened(
        self,
        key: &KeyShare<C>,
        child: &HardenedChild<C>,
        digest: MessageDigest,
    ) -> Result<Claim<C>, ClaimError> {
        let rerandomized = self.rerandomize_hardened(key, child, digest.into())?;
        Ok(Claim::new(self, rerandomized))
    }

    /// Re-randomises it for a hardened child.
    pub(crate) fn rerandomize_hardened(
        &self,
        key: &KeyShare<C>,
        child: &HardenedChild<C>,
        digest: RawDigest,
    ) -> Result<Rerandomized<C>, ClaimError> {
        key.public().package_id().check_belongs_to(child.parent())?;
        self.fits(key, digest)?;
        Rerandomized::new(self.info(), child, digest).ok_or(ClaimError::NoNonce)
    }

    /// Re-randomises it for the holder of this share.
    pub(crate) fn rerandomize(
        &self,
        key: &KeyShare<C>,
        path: &DerivationPath,
        digest: RawDigest,
    ) -> Result<Rerandomized<C>, ClaimError> {
        self.fits(key, digest)?;
        let child = key.public().derivation(path).map_err(ClaimError::NoChild)?;
        Rerandomized::new(self.info(), &child, digest).ok_or(ClaimError::NoNonce)
    }

    /// Checks that the holder of this share may spend it on this digest.
    fn fits(&self, key: &KeyShare<C>, digest: RawDigest) -> Result<(), ClaimError> {
        if self.party_id() != key.id() {
            return Err(ClaimError::OtherParty);
        }
        // The share was confirmed when the presignature was made: an older file was restored since.
        if key.state() == ShareState::Unconfirmed {
            return Err(ClaimError::Unconfirmed);
        }
        self.info().check_belongs_to(key.public())?;
        // h/r' of the argument would not depend on the nonce.
        if digest.is_zero::<C>() { Err(ClaimError::ZeroDigest) } else { Ok(()) }
    }
}
