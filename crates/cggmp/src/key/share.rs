//! One party's share of the secret key.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::Secret;
use quorate_keys::{Mismatch, SecretShare, ShareState, StoredByAll, note};
use quorate_session::PartyId;
use zeroize::Zeroizing;

use super::{Ecdsa, KeyInfo};
use crate::hd::{DerivationPath, Derived};
use crate::{DecodeError, DeriveError, EcdsaCurve, VerifyingKey};

/// A party's secret share `x_i` of a key in one epoch, with all that is public of it.
///
/// It is zeroized when dropped, and it is neither `Clone` nor printable. It gets out by
/// [`KeyShare::to_bytes`], which has to be encrypted, and weighted by [`KeyShare::additive`].
pub struct KeyShare<C: EcdsaCurve> {
    share: SecretShare<Ecdsa<C>>,
    /// The one that the share names.
    info: KeyInfo<C>,
}

impl<C: EcdsaCurve> KeyShare<C> {
    /// Takes `secret` for the share of `party`, after checking that it is.
    pub(crate) fn new(
        party: PartyId,
        info: KeyInfo<C>,
        secret: Secret<C::Scalar>,
        state: ShareState,
    ) -> Result<Self, DecodeError> {
        let share = SecretShare::new(party, info.shared(), secret, state)?;
        Ok(Self { share, info })
    }

    /// The share and the key, for the note of a session.
    pub(crate) fn to_note(&self) -> Zeroizing<Vec<u8>> {
        note::to_note(self.info.shared(), Some(&self.share))
    }

    /// Undoes [`to_note`](Self::to_note).
    pub(crate) fn from_note(bytes: &[u8]) -> Option<Self> {
        let (key, share) = note::from_note::<Ecdsa<C>>(bytes)?;
        Some(Self { share: share?, info: key.into() })
    }

    /// A share of this very key.
    pub(super) const fn from_parts(share: SecretShare<Ecdsa<C>>, info: KeyInfo<C>) -> Self {
        Self { share, info }
    }

    /// The share in the terms of [`quorate_keys`]: a dealer of a resharing and a helper of a repair start from it.
    #[must_use]
    pub const fn share(&self) -> &SecretShare<Ecdsa<C>> {
        &self.share
    }

    /// How far it may be relied on. It is part of the stored form.
    ///
    /// A share that is [`ShareState::Unconfirmed`] does not sign. [`Keygen`](crate::Keygen) and
    /// [`Reshare`](crate::Reshare) give one out ([`Stopped::unconfirmed`](quorate_session::Stopped::unconfirmed))
    /// where this party has verified everything, but a peer's confirmation is wrong or missing. Store it: another
    /// party may have got all confirmations, and take the key for good. One that is [`ShareState::Pending`] signs, and
    /// the share of the epoch before stays beside it: see [`Acknowledge`](crate::Acknowledge).
    #[must_use]
    pub const fn state(&self) -> ShareState {
        self.share.state()
    }

    /// Takes an unconfirmed share for confirmed: the caller's own decision, and one to be stored.
    ///
    /// The share lies on the polynomials that all parties saw committed to; it is not known who else
    /// has kept theirs. So ask all parties, over channels that you trust, for the
    /// [`package_id`](KeyInfo::package_id) of theirs. Use the key only if **all** name this one: with fewer
    /// than all, those that are missing can make it unusable later; with fewer than t, it is
    /// unusable now.
    pub fn confirm(&mut self) {
        self.share.confirm();
    }

    /// Marks the share as ready, since all parties have stored theirs. Store it before the shares of older epochs are
    /// deleted.
    ///
    /// # Errors
    /// The [`Mismatch`] if they acknowledged another package; the share is as it was.
    pub fn settle(&mut self, by: &StoredByAll<Ecdsa<C>>) -> Result<(), Mismatch> {
        self.share.settle(by)
    }

    /// The party whose share this is.
    #[must_use]
    pub const fn party(&self) -> PartyId {
        self.share.party()
    }

    /// The public side of the key.
    #[must_use]
    pub const fn info(&self) -> &KeyInfo<C> {
        &self.info
    }

    /// The group's public key.
    #[must_use]
    pub const fn verifying_key(&self) -> &VerifyingKey<C> {
        self.info.verifying_key()
    }

    pub(crate) const fn secret(&self) -> &Secret<C::Scalar> {
        self.share.secret()
    }

    /// This party's share of the key `X + shift·G`, with another chain code. Every party's share
    /// gets the same shift, since Lagrange coefficients add up to one.
    ///
    /// # Errors
    /// [`DeriveError::Identity`] if the new key, or a party's share of it, is the identity.
    pub fn shift(&self, shift: &C::Scalar, chain_code: [u8; 32]) -> Result<Self, DeriveError> {
        let by = self.info.shifted(shift, chain_code)?;
        // The share is one of this key, so its shift is one of the shifted key.
        let share = self.share.shift(&by).map_err(|_| DeriveError::OtherKey)?;
        Ok(Self::from_parts(share, by.into_key().into()))
    }

    /// This party's share of the descendant of the key at `path`.
    ///
    /// # Errors
    /// [`DeriveError`] if there is none.
    pub fn derive(&self, path: &DerivationPath) -> Result<Self, DeriveError> {
        let Derived { tweak, chain_code, .. } = self.info.derivation(path)?;
        self.shift(&tweak, chain_code)
    }

    /// The share in its stored form, [`SecretShare::to_bytes`]. **Secret**: t of these give the key. Store what
    /// [`KeyInfo::to_bytes`] gives with it.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        self.share.to_bytes()
    }

    /// Opens a stored share of this key and validates it: every encoding canonical, the secret that of the party's
    /// public share, and the package it names this one.
    ///
    /// # Errors
    /// [`DecodeError::Key`], which says what is wrong; [`DecodeError::Mismatch`] if it is a share of another key,
    /// epoch or package.
    pub fn from_bytes(bytes: &[u8], info: &KeyInfo<C>) -> Result<Self, DecodeError> {
        let share = SecretShare::from_bytes(bytes)?;
        share.expect(info.shared())?;
        Ok(Self { share, info: info.clone() })
    }
}

impl<C: EcdsaCurve> fmt::Debug for KeyShare<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyShare").finish_non_exhaustive()
    }
}
