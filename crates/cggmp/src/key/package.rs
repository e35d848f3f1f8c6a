//! The public side of a key.

use alloc::vec::Vec;
use core::fmt;

use quorate_keys::derive::{ExtendedKey, Shifted};
use quorate_keys::{PackageId, SharedKey};
use quorate_session::{Parties, PartyId};
use quorate_sharing::Commitment;

use super::{Ecdsa, KeyExtra};
use crate::hd::{DerivationPath, Derived};
use crate::{DecodeError, DeriveError, EcdsaCurve, VerifyingKey};

/// The public side of a key in one epoch, equal at all parties: the group key X, the parties that hold shares, the
/// threshold, each party's public share `X_j`, the chain code for derivation, and rid. The random string rid comes from all
/// parties, and later proofs are bound to it.
///
/// The package is a [`SharedKey`] of the family [`Ecdsa`] with X as ECDSA has it. A resharing or a repair starts from
/// [`shared`](Self::shared).
///
/// The chain code is not a secret, but anyone with it and X can link all derived keys to each other.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKeyPackage<C: EcdsaCurve> {
    shared: SharedKey<Ecdsa<C>>,
    key: VerifyingKey<C>,
}

/// The key as ECDSA has it. It is kept in both forms.
impl<C: EcdsaCurve> From<SharedKey<Ecdsa<C>>> for PublicKeyPackage<C> {
    fn from(shared: SharedKey<Ecdsa<C>>) -> Self {
        // A shared key is never the neutral element.
        let key = VerifyingKey::from_point(*shared.key());
        Self { shared, key }
    }
}

impl<C: EcdsaCurve> PublicKeyPackage<C> {
    /// The key in the terms of [`quorate_keys`].
    #[must_use]
    pub const fn shared(&self) -> &SharedKey<Ecdsa<C>> {
        &self.shared
    }

    /// The name of the key in this epoch: it is bound in every run and stands in every presignature and share.
    #[must_use]
    pub const fn package_id(&self) -> PackageId {
        self.shared.package_id()
    }

    /// A name for the key, equal at all its parties and over all epochs.
    #[must_use]
    pub const fn key_id(&self) -> [u8; 32] {
        self.package_id().key_id()
    }

    /// The group's public key.
    #[must_use]
    pub const fn verifying_key(&self) -> &VerifyingKey<C> {
        &self.key
    }

    /// The number of signers that it takes: t of t-of-n, at least 2.
    #[must_use]
    pub const fn threshold(&self) -> u16 {
        self.shared.threshold()
    }

    /// How often the key has been reshared or refreshed; 0 for a new key.
    #[must_use]
    pub const fn epoch(&self) -> u32 {
        self.shared.epoch()
    }

    /// The parties that hold a share.
    #[must_use]
    pub const fn parties(&self) -> &Parties {
        self.shared.parties()
    }

    /// A party's public share `X_j` in compressed form.
    #[must_use]
    pub fn verifying_share(&self, party: PartyId) -> Option<&C::PointBytes> {
        self.shared.verifying_share(party)
    }

    /// A party's public share `X_j`.
    #[must_use]
    pub fn share_point(&self, party: PartyId) -> Option<&C::Point> {
        self.shared.share_point(party)
    }

    /// The commitment to the polynomial of the key: t points, the group key first.
    #[must_use]
    pub const fn commitment(&self) -> &Commitment<C> {
        self.shared.commitment()
    }

    /// The chain code for derivation (BIP-32, SLIP-10), contributed to by all parties.
    #[must_use]
    pub const fn chain_code(&self) -> &[u8; 32] {
        &self.shared.extra().chain_code
    }

    /// rid: the random string that all parties contributed to when the key was made.
    #[must_use]
    pub const fn rid(&self) -> &[u8; 32] {
        &self.shared.extra().rid
    }

    /// The shares of these parties of the key `X + shift·G`, with another chain code.
    ///
    /// # Errors
    /// [`DeriveError::Identity`] if the new key, or a party's share of it, is the identity.
    pub fn shift(&self, shift: &C::Scalar, chain_code: [u8; 32]) -> Result<Self, DeriveError> {
        Ok(self.shifted(shift, chain_code)?.into_key().into())
    }

    pub(super) fn shifted(
        &self,
        shift: &C::Scalar,
        chain_code: [u8; 32],
    ) -> Result<Shifted<Ecdsa<C>>, DeriveError> {
        self.shared.shift(shift, KeyExtra { chain_code, rid: *self.rid() })
    }

    /// The key with its chain code as the root of a tree of descendants. Over secp256k1
    /// [`to_xpub`](ExtendedKey::to_xpub) gives the text for wallets that only watch.
    #[must_use]
    pub fn extended_key(&self) -> ExtendedKey<C> {
        self.shared.extended_key(*self.chain_code())
    }

    /// The descendant of this key at `path`.
    ///
    /// # Errors
    /// [`DeriveError`] if there is none.
    pub fn derive(&self, path: &DerivationPath) -> Result<Self, DeriveError> {
        let Derived { tweak, chain_code, .. } = self.derivation(path)?;
        self.shift(&tweak, chain_code)
    }

    /// The shift of the secret key to a descendant, with the descendant's public values.
    ///
    /// # Errors
    /// [`DeriveError`] if there is no such descendant.
    pub fn derivation(&self, path: &DerivationPath) -> Result<Derived<C>, DeriveError> {
        Derived::at(&self.key, self.chain_code(), path)
    }

    /// The stored form: [`SharedKey::to_bytes`].
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.shared.to_bytes()
    }

    /// Opens a stored form, strictly.
    ///
    /// # Errors
    /// [`DecodeError::Key`], which says what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        Ok(SharedKey::from_bytes(bytes)?.into())
    }
}

impl<C: EcdsaCurve> fmt::Debug for PublicKeyPackage<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKeyPackage")
            .field("curve", &C::NAME)
            .field("key", &self.key)
            .field("threshold", &self.threshold())
            .field("parties", &self.parties().len())
            .field("epoch", &self.epoch())
            .finish_non_exhaustive()
    }
}
