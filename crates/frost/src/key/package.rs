//! The public side of a group's key: the key and every party's verifying share.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::Curve;
use quorate_keys::{Committee, PackageId, SharedKey};
use quorate_session::{Parties, PartyId};
use quorate_sharing::Commitment;

use super::parties::committee;
use crate::error::DecodeError;
use crate::family::Frost;
use crate::signature::VerifyingKey;
use crate::suite::{KeySuite, Point, PointBytes};

/// A group's public key package (RFC 9591 §5): the group key, the threshold, and the verifying
/// share of every party.
///
/// A package is a [`SharedKey`] of the suite's [family](Frost). It is stored as one, and used as one in plans of
/// resharing and repair ([`PublicKeyPackage::shared`]). It is public, but a coordinator blames by it, so keep it
/// authentic.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKeyPackage<S: KeySuite> {
    shared: SharedKey<Frost<S>>,
    pub(crate) key: VerifyingKey<S>,
}

impl<S: KeySuite> PublicKeyPackage<S> {
    pub(crate) fn from_shared(shared: SharedKey<Frost<S>>) -> Self {
        // The family accepts keys with even y only, where the suite wants that.
        let (key, _) = VerifyingKey::from_point(*shared.key());
        Self { shared, key }
    }

    /// The package of the key whose polynomial has this commitment, and whether all signs were
    /// changed to make the key one of the suite.
    ///
    /// # Errors
    /// The errors of [`SharedKey::new`]. Dealers that know each other's shares, however few, can arrange that a
    /// party's share is zero. Such a share has no encoding.
    pub(crate) fn from_commitment(
        committee: Committee,
        epoch: u32,
        commitment: Commitment<S::Curve>,
    ) -> Result<(Self, bool), DecodeError> {
        let (_, negated) = VerifyingKey::<S>::from_point(*commitment.constant());
        let commitment = if negated {
            Commitment::from_points(commitment.points().iter().map(|point| -*point).collect())
        } else {
            commitment
        };
        let shared = SharedKey::new(committee, epoch, commitment, ())?;
        Ok((Self::from_shared(shared), negated))
    }

    /// The key as `quorate-keys` has it, for plans: [`ResharePlan::new`](crate::ResharePlan),
    /// [`RepairPlan::new`](crate::RepairPlan).
    #[must_use]
    pub fn shared(&self) -> &SharedKey<Frost<S>> {
        &self.shared
    }

    /// The name of the package, by which parties find out whether they have the same one.
    #[must_use]
    pub fn package_id(&self) -> PackageId {
        self.shared.package_id()
    }

    /// The group's public key.
    #[must_use]
    pub fn verifying_key(&self) -> &VerifyingKey<S> {
        &self.key
    }

    /// The threshold: t signers of n can sign.
    #[must_use]
    pub fn threshold(&self) -> u16 {
        self.shared.threshold()
    }

    /// The epoch: how often the key has been reshared or refreshed.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        self.shared.epoch()
    }

    /// The parties that hold a share.
    #[must_use]
    pub fn parties(&self) -> &Parties {
        self.shared.parties()
    }

    /// A party's verifying share, in the suite's encoding.
    #[must_use]
    pub fn verifying_share(&self, id: PartyId) -> Option<&PointBytes<S>> {
        self.shared.verifying_share(id)
    }

    /// A party's verifying share.
    pub(crate) fn share_point(&self, id: PartyId) -> Option<&Point<S>> {
        self.shared.share_point(id)
    }

    /// A name for the group's key, the same at all its parties and over all epochs.
    #[must_use]
    pub fn key_id(&self) -> [u8; 32] {
        self.package_id().key_id()
    }

    /// The package in its stored form, that of [`SharedKey::to_bytes`].
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.shared.to_bytes()
    }

    /// Opens a stored package and validates it: every encoding canonical. The verifying shares are
    /// computed from a commitment of t points, so they lie on one polynomial of degree t − 1 whose
    /// value at zero is the group's key.
    ///
    /// # Errors
    /// A [`DecodeError`] with the reason.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        Ok(Self::from_shared(SharedKey::from_bytes(bytes)?))
    }

    /// Imports a package made elsewhere from the encodings of the group's key and of every party's verifying share,
    /// in the order of the parties. All verifying shares have to lie on one polynomial of degree t − 1, whose value
    /// at zero is the group's key. In a suite with even keys (Taproot), a key with odd y is imported with all signs
    /// changed.
    ///
    /// # Errors
    /// A [`DecodeError`] with the reason; [`DecodeError::TooLarge`], before anything is decoded, if there are more
    /// parties than can be checked in a moment ([`Committee::importable`](quorate_keys::Committee::importable)).
    pub fn from_parts(
        threshold: u16,
        epoch: u32,
        parties: Parties,
        key: &[u8],
        shares: &[impl AsRef<[u8]>],
    ) -> Result<Self, DecodeError> {
        let committee = committee(threshold, &parties)?;
        committee.importable().map_err(quorate_keys::DecodeError::from)?;
        let (expected, got) = (parties.len(), shares.len());
        if got != expected {
            return Err(DecodeError::WrongCount { expected, got });
        }
        let decode = |bytes: &[u8]| S::Curve::decode_point(bytes).ok_or(DecodeError::BadPoint);
        let (key, negated) = VerifyingKey::<S>::from_point(decode(key)?);
        let share = |bytes| decode(bytes).map(|point| if negated { -point } else { point });
        let points =
            shares.iter().map(|bytes| share(bytes.as_ref())).collect::<Result<Vec<_>, _>>()?;
        let shared = SharedKey::from_shares(committee, epoch, &key.point, &points, ())?;
        Ok(Self { shared, key })
    }
}

impl<S: KeySuite> fmt::Debug for PublicKeyPackage<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKeyPackage")
            .field("key", &self.key)
            .field("threshold", &self.threshold())
            .field("parties", &self.parties().len())
            .field("epoch", &self.epoch())
            .finish_non_exhaustive()
    }
}
