//! One party's share of the signing key.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secret};
use quorate_declassify::declassify;
use quorate_session::{Parties, PartyId};
use zeroize::Zeroizing;

use super::id::PackageId;
use super::package::PublicKeyPackage;
use super::parties::{ODD_KEY, bad_threshold, put_parties, read_parties, threshold_fits};
use super::state::ShareState;
use crate::error::DecodeError;
use crate::signature::VerifyingKey;
use crate::suite::{KeySuite, PointBytes, Scalar};
use crate::wire::{Kind, only_scalar, open, put_id, read_id, read_point, read_scalar, start};

const NOT_OF_KEY: &str = "the secret is not this party's share of this key";

/// A party's secret share of a group's key, with the public data of the group that it needs.
///
/// It is zeroized when dropped, and it is neither `Clone` nor printable. [`KeyShare::to_bytes`]
/// is the only way out; encrypt what it returns.
pub struct KeyShare<S: KeySuite> {
    pub(crate) id: PartyId,
    /// The public key package that the share is part of.
    pub(crate) package: PackageId,
    pub(crate) state: ShareState,
    pub(crate) threshold: u16,
    pub(crate) parties: Parties,
    pub(crate) key: VerifyingKey<S>,
    pub(crate) verifying_share: PointBytes<S>,
    pub(crate) secret: Secret<Scalar<S>>,
}

impl<S: KeySuite> KeyShare<S> {
    /// The share of party `id` in `public`: `secret` is already known to be the one that the
    /// package says it has to be.
    pub(crate) fn assemble(id: PartyId, public: &PublicKeyPackage<S>, secret: Scalar<S>) -> Self {
        // Published with the group's key.
        let verifying_share = declassify(S::Curve::encode_point(&S::Curve::mul_base(&secret)));
        Self {
            id,
            package: public.id,
            state: ShareState::Ready,
            threshold: public.threshold,
            parties: public.parties.clone(),
            key: public.key,
            verifying_share,
            secret: Secret::new(secret),
        }
    }

    /// As [`Self::assemble`], for a secret that is not known to be right. Nothing says that all
    /// parties have stored their shares of a refreshed package, so the share is pending.
    pub(crate) fn checked(
        id: PartyId,
        public: &PublicKeyPackage<S>,
        secret: Scalar<S>,
    ) -> Option<Self> {
        let share = Self::assemble(id, public, secret);
        let state = if share.epoch() > 0 { ShareState::Pending } else { ShareState::Ready };
        let share = Self { state, ..share };
        (public.verifying_share(id) == Some(share.verifying_share())).then_some(share)
    }

    /// The party whose share this is.
    #[must_use]
    pub fn id(&self) -> PartyId {
        self.id
    }

    /// The threshold: t signers of n can sign.
    #[must_use]
    pub fn threshold(&self) -> u16 {
        self.threshold
    }

    /// The epoch: the number of times that the shares of this key have been refreshed.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        self.package.epoch()
    }

    /// The name of the public key package that this share is part of.
    #[must_use]
    pub fn package_id(&self) -> PackageId {
        self.package
    }

    /// All parties that hold a share.
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
        &self.verifying_share
    }

    /// The share in its stored form. **Secret**: `threshold` of these give the key.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let parties = self.parties.len().saturating_mul(2);
        let mut bytes = start::<S>(Kind::KeyShare, parties.saturating_add(256));
        put_id(&mut bytes, self.id);
        bytes.extend_from_slice(&self.threshold.to_be_bytes());
        bytes.extend_from_slice(&self.epoch().to_be_bytes());
        put_parties(&mut bytes, &self.parties);
        bytes.extend_from_slice(self.key.bytes.as_ref());
        bytes.extend_from_slice(&self.package.digest());
        bytes.push(self.state.to_byte());
        bytes.extend_from_slice(self.verifying_share.as_ref());
        let secret = Zeroizing::new(S::Curve::encode_scalar(self.secret.expose()));
        bytes.extend_from_slice((*secret).as_ref());
        Zeroizing::new(bytes)
    }

    /// Opens a stored share and validates it: every encoding canonical, the party among the
    /// parties, the secret that of the verifying share.
    ///
    /// # Errors
    /// A [`DecodeError`] with the reason.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = open::<S>(bytes, Kind::KeyShare)?;
        let id = read_id(&mut reader)?;
        let threshold = reader.u16()?;
        let epoch = reader.u32()?;
        let parties = read_parties(&mut reader)?;
        let (key, key_bytes) = read_point::<S>(&mut reader)?;
        let digest = reader.array()?;
        let [state] = reader.array()?;
        let state = ShareState::of_byte(state)?;
        // Only a refresh makes a share that is pending, and every refresh raises the epoch.
        if state == ShareState::Pending && epoch == 0 {
            return Err(DecodeError::Inconsistent(
                "a pending share in epoch 0, expected epoch 1 or later",
            ));
        }
        let (_, verifying_share) = read_point::<S>(&mut reader)?;
        let secret = Secret::new(read_scalar::<S>(&mut reader)?);
        reader.finish()?;
        if !threshold_fits(threshold, &parties) {
            return Err(bad_threshold(threshold, &parties));
        }
        if !parties.contains(id) {
            return Err(DecodeError::BadIdentifier(id.get()));
        }
        let (key, _) = VerifyingKey::<S>::of_point(key);
        // Published with the group's key.
        let expected = declassify(S::Curve::encode_point(&S::Curve::mul_base(secret.expose())));
        if key.bytes != key_bytes {
            return Err(DecodeError::Inconsistent(ODD_KEY));
        }
        if expected != verifying_share {
            return Err(DecodeError::Inconsistent("the secret is not that of the verifying share"));
        }
        let package = PackageId::with_digest::<S>(&key.bytes, epoch, digest);
        Ok(Self { id, package, state, threshold, parties, key, verifying_share, secret })
    }

    /// Imports a share made elsewhere: `secret` is the canonical encoding of the signing share,
    /// `public` the group's package, which says what the share has to be.
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
        // A package of a suite with even keys may have changed the sign of everything in it.
        let negated = || S::EVEN_Y.then(|| Self::checked(id, public, -*secret.expose())).flatten();
        Self::checked(id, public, *secret.expose())
            .or_else(negated)
            .ok_or(DecodeError::Inconsistent(NOT_OF_KEY))
    }
}

impl<S: KeySuite> KeyShare<S> {
    /// The state of the share, which says how far it may be relied on.
    #[must_use]
    pub fn state(&self) -> ShareState {
        self.state
    }

    /// Marks an unconfirmed share as confirmed, by the caller's decision. Store the share again.
    ///
    /// The share lies on the polynomials that all parties saw committed to, whatever went wrong in
    /// the last round. The open question is which other parties have kept theirs. So ask all parties,
    /// over channels that you trust, for the [`package_id`](KeyShare::package_id) of theirs, or run
    /// [`Acknowledge`](crate::Acknowledge), which asks the same. Use a new key only if **all** name
    /// this package: with fewer than all, the missing ones can make it unusable later; with fewer
    /// than t, it is unusable now.
    ///
    /// Afterwards a refreshed share is [`ShareState::Pending`], any other [`ShareState::Ready`]. A
    /// refreshed share needs no question to the others: it signs beside the old one, which stays
    /// until all have acknowledged.
    pub fn confirm(&mut self) {
        if self.state == ShareState::Unconfirmed {
            let refreshed = self.epoch() > 0;
            self.state = if refreshed { ShareState::Pending } else { ShareState::Ready };
        }
    }
}

impl<S: KeySuite> fmt::Debug for KeyShare<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyShare")
            .field("id", &self.id)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}
