//! One party's share of the secret key.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::Secret;
use quorate_keys::{Mismatch, SecretShare, ShareState, StoredByAll, checkpoint};
use quorate_session::{PartyId, Record};
use zeroize::Zeroizing;

use super::{Ecdsa, PublicKeyPackage};
use crate::hd::{DerivationPath, Derived};
use crate::{DecodeError, DeriveError, EcdsaCurve, VerifyingKey};

/// A party's secret share `x_i` of a key in one epoch, with its public side.
///
/// The share is zeroized when dropped, and it is neither `Clone` nor printable. It can be read by
/// [`KeyShare::to_bytes`], whose result has to be encrypted, and, weighted, by [`KeyShare::additive`].
pub struct KeyShare<C: EcdsaCurve> {
    share: SecretShare<Ecdsa<C>>,
    /// The package that the share names.
    public: PublicKeyPackage<C>,
}

impl<C: EcdsaCurve> KeyShare<C> {
    /// Takes `secret` for the share of `party`, after checking that it is.
    pub(crate) fn new(
        party: PartyId,
        public: PublicKeyPackage<C>,
        secret: Secret<C::Scalar>,
        state: ShareState,
    ) -> Result<Self, DecodeError> {
        let share = SecretShare::new(party, public.shared(), secret, state)?;
        Ok(Self { share, public })
    }

    /// The share and the key, for a checkpoint of a session.
    pub(crate) fn to_checkpoint(&self) -> Zeroizing<Vec<u8>> {
        checkpoint::to_checkpoint(self.public.shared(), Some(&self.share))
    }

    /// Undoes [`to_checkpoint`](Self::to_checkpoint).
    pub(crate) fn from_checkpoint(bytes: &[u8]) -> Option<Self> {
        let (key, share) = checkpoint::from_checkpoint::<Ecdsa<C>>(bytes)?;
        Some(Self { share: share?, public: key.into() })
    }

    /// A share of this very key.
    pub(super) const fn from_parts(
        share: SecretShare<Ecdsa<C>>,
        public: PublicKeyPackage<C>,
    ) -> Self {
        Self { share, public }
    }

    /// The share in the terms of [`quorate_keys`]: a dealer of a resharing and a helper of a repair start from it.
    #[must_use]
    pub const fn secret_share(&self) -> &SecretShare<Ecdsa<C>> {
        &self.share
    }

    /// The state of the share: whether it signs, and whether older shares may be deleted. It is part of the stored form.
    ///
    /// A share that is [`ShareState::Unconfirmed`] does not sign. [`Keygen`](crate::Keygen) and
    /// [`Reshare`](crate::Reshare) give one out ([`Progress::Unconfirmed`](quorate_session::Progress::Unconfirmed))
    /// where this party has verified everything, but a peer's confirmation is wrong or missing. Store it: another
    /// party may have got all confirmations, and use the key. A share that is [`ShareState::Pending`] signs, and
    /// the share of the epoch before stays beside it: see [`Acknowledge`](crate::Acknowledge).
    #[must_use]
    pub const fn state(&self) -> ShareState {
        self.share.state()
    }

    /// Takes an unconfirmed share for confirmed: the caller's own decision, and one to be stored.
    ///
    /// The share lies on the polynomials whose commitments all parties saw; it is not known which other parties
    /// have kept theirs. So ask all parties, over channels that you trust, for the
    /// [`package_id`](PublicKeyPackage::package_id) of theirs. Use the key only if **all** name this one: with fewer
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
    pub const fn id(&self) -> PartyId {
        self.share.id()
    }

    /// The public side of the key.
    #[must_use]
    pub const fn public(&self) -> &PublicKeyPackage<C> {
        &self.public
    }

    /// The group's public key.
    #[must_use]
    pub const fn verifying_key(&self) -> &VerifyingKey<C> {
        self.public.verifying_key()
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
        let by = self.public.shifted(shift, chain_code)?;
        // The share is one of this key, so its shift is one of the shifted key.
        let share = self.share.shift(&by).map_err(|_| DeriveError::OtherKey)?;
        Ok(Self::from_parts(share, by.into_key().into()))
    }

    /// This party's share of the descendant of the key at `path`. Do not store it: a refresh of this key leaves it as it
    /// is, and t stored shares of descendants reveal this key for ever. See
    /// [`StoredByAll::permits_deleting_child`](quorate_keys::StoredByAll::permits_deleting_child).
    ///
    /// # Errors
    /// [`DeriveError`] if there is none.
    pub fn derive(&self, path: &DerivationPath) -> Result<Self, DeriveError> {
        let Derived { tweak, chain_code, .. } = self.public.derivation(path)?;
        self.shift(&tweak, chain_code)
    }

    /// The share in its stored form, [`SecretShare::to_bytes`]. **Secret**: t of these give the key. Store the result of
    /// [`PublicKeyPackage::to_bytes`] with it.
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
    pub fn from_bytes(bytes: &[u8], public: &PublicKeyPackage<C>) -> Result<Self, DecodeError> {
        let share = SecretShare::from_bytes(bytes)?;
        share.check_belongs_to(public.shared())?;
        Ok(Self { share, public: public.clone() })
    }
}

/// The stored forms of the key's public side and of the share, as a pair. **Secret**.
impl<C: EcdsaCurve> Record for KeyShare<C> {
    fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        (Zeroizing::new(self.public.to_bytes()), self.to_bytes()).to_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (info, share) = <(Zeroizing<Vec<u8>>, Zeroizing<Vec<u8>>)>::from_bytes(bytes)?;
        Self::from_bytes(&share, &PublicKeyPackage::from_bytes(&info).ok()?).ok()
    }
}

impl<C: EcdsaCurve> fmt::Debug for KeyShare<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyShare").finish_non_exhaustive()
    }
}
