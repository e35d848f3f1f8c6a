//! One party's share of the signing key.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::Secret;
use quorate_keys::{Mismatch, PackageId, SecretShare, ShareState, SharedKey};
use quorate_session::{Parties, PartyId};
use zeroize::Zeroizing;

use super::package::PublicKeyPackage;
use crate::error::DecodeError;
use crate::family::{Frost, StoredByAll};
use crate::signature::VerifyingKey;
use crate::suite::{KeySuite, PointBytes, Scalar};
use crate::wire::only_scalar;

/// A party's secret share of a group's key, with the public data of the group that it needs.
///
/// A share is a [`SecretShare`] of the suite's [family](Frost). It is stored as one, and used as one in resharing
/// and repair ([`KeyShare::secret_share`]). It is zeroized when dropped, and it is neither `Clone` nor printable.
/// Encrypt the result of [`KeyShare::to_bytes`].
pub struct KeyShare<S: KeySuite> {
    share: SecretShare<Frost<S>>,
    threshold: u16,
    parties: Parties,
    pub(crate) key: VerifyingKey<S>,
}

impl<S: KeySuite> KeyShare<S> {
    /// `share`, which is one of `shared`.
    pub(crate) fn from_shared(share: SecretShare<Frost<S>>, shared: &SharedKey<Frost<S>>) -> Self {
        let (key, _) = VerifyingKey::from_point(*shared.key());
        Self { share, threshold: shared.threshold(), parties: shared.parties().clone(), key }
    }

    /// The share of party `id` in `public`, if `secret` is the one that the package says it has to be.
    pub(crate) fn new(
        id: PartyId,
        public: &PublicKeyPackage<S>,
        secret: Secret<Scalar<S>>,
        state: ShareState,
    ) -> Result<Self, DecodeError> {
        let share = SecretShare::new(id, public.shared(), secret, state)?;
        Ok(Self::in_package(share, public))
    }

    /// `share`, which is one of `public`.
    fn in_package(share: SecretShare<Frost<S>>, public: &PublicKeyPackage<S>) -> Self {
        let (threshold, parties) = (public.threshold(), public.parties().clone());
        Self { share, threshold, parties, key: public.key }
    }

    /// The share as `quorate-keys` has it, for resharing and repair:
    /// [`ReshareParams::dealer`](crate::ReshareParams), [`RepairParams::helper`](crate::RepairParams).
    #[must_use]
    pub fn secret_share(&self) -> &SecretShare<Frost<S>> {
        &self.share
    }

    pub(crate) fn secret(&self) -> &Secret<Scalar<S>> {
        self.share.secret()
    }

    /// The party whose share this is.
    #[must_use]
    pub fn id(&self) -> PartyId {
        self.share.id()
    }

    /// The threshold: t signers of n can sign.
    #[must_use]
    pub fn threshold(&self) -> u16 {
        self.threshold
    }

    /// The epoch: how often the key had been reshared or refreshed when this share was made.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        self.share.epoch()
    }

    /// The name of the public key package that this share is part of.
    #[must_use]
    pub fn package_id(&self) -> PackageId {
        self.share.package_id()
    }

    /// The parties that hold a share.
    #[must_use]
    pub fn parties(&self) -> &Parties {
        &self.parties
    }

    /// The group's public key.
    #[must_use]
    pub fn verifying_key(&self) -> &VerifyingKey<S> {
        &self.key
    }

    /// The public counterpart of this share, in the suite's encoding.
    #[must_use]
    pub fn verifying_share(&self) -> &PointBytes<S> {
        self.share.verifying_share()
    }

    /// The share in its stored form, that of [`SecretShare::to_bytes`]. It is **secret**: `threshold` of these give
    /// the key. Store the [`PublicKeyPackage`] beside it, which is needed to open it.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        self.share.to_bytes()
    }

    /// Opens a stored share and validates it: every encoding canonical, and the share the one that
    /// `public`, its public key package, says this party has.
    ///
    /// # Errors
    /// A [`DecodeError`] with the reason; [`DecodeError::Mismatch`] for a share of another key or
    /// epoch.
    pub fn from_bytes(bytes: &[u8], public: &PublicKeyPackage<S>) -> Result<Self, DecodeError> {
        let share = SecretShare::from_bytes(bytes)?;
        share.check_belongs_to(public.shared()).map_err(DecodeError::Mismatch)?;
        Ok(Self::in_package(share, public))
    }

    /// Imports a share made elsewhere. `secret` is the canonical encoding of the signing share. `public` is the
    /// group's package, which determines the share.
    ///
    /// # Errors
    /// [`DecodeError::BadScalar`] for an encoding that is not canonical,
    /// [`DecodeError::Inconsistent`] if it is not this party's share of this key.
    pub fn import(
        id: PartyId,
        secret: &[u8],
        public: &PublicKeyPackage<S>,
    ) -> Result<Self, DecodeError> {
        let secret = Secret::new(only_scalar::<S>(secret)?);
        let state = ShareState::alone_in(public.epoch());
        let as_given = Self::new(id, public, Secret::new(*secret.expose()), state);
        if !S::EVEN_Y {
            return as_given;
        }
        // A package of a suite with even keys may have changed the sign of everything in it.
        as_given.or_else(|_| Self::new(id, public, Secret::new(-*secret.expose()), state))
    }

    /// The state of the share, which says how far it may be relied on.
    #[must_use]
    pub fn state(&self) -> ShareState {
        self.share.state()
    }

    /// Marks an unconfirmed share as confirmed, by the caller's decision. Store the share again.
    ///
    /// The share lies on the polynomials to which all parties saw the dealers commit, whatever went wrong in the
    /// last round. The open question is which other parties have kept theirs. So ask all parties, over channels
    /// that you trust, for the [`package_id`](KeyShare::package_id) of their shares, or run
    /// [`Acknowledge`](crate::Acknowledge), which asks the same. Use a new key only if **all** name this package.
    /// With fewer than all, the missing ones can make it unusable later. With fewer than t, it is unusable now.
    ///
    /// Afterwards a reshared share is [`ShareState::Pending`], any other [`ShareState::Ready`]. A
    /// reshared share needs no question to the others: it signs beside the old one, which stays
    /// until all have acknowledged.
    pub fn confirm(&mut self) {
        self.share.confirm();
    }

    /// Marks the share as ready, since all parties have stored theirs. Store it again after that,
    /// before anything is deleted.
    ///
    /// # Errors
    /// A [`Mismatch`] if they acknowledged another package; the share is as it was.
    pub fn settle(&mut self, by: &StoredByAll<S>) -> Result<(), Mismatch> {
        self.share.settle(by)
    }
}

impl<S: KeySuite> fmt::Debug for KeyShare<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyShare")
            .field("id", &self.id())
            .field("state", &self.state())
            .finish_non_exhaustive()
    }
}
