//! *Signers Context*: who signs, and for which key.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secp256k1};
use quorate_frost::session::PartyId;
use quorate_frost::{KeySuite, PublicKeyPackage};

use super::error::Error;
use super::{Point, Scalar};

/// The signers of a session, in an order that all agree on, and the key: the BIP's *Signers Context*, validated.
#[derive(Clone)]
pub struct Signers {
    pub(super) ids: Vec<u32>,
    pub(super) shares: Vec<Point>,
    pub(super) key: Point,
}

impl Signers {
    /// The most participants that the draft allows. The *Misuse* of [`quorate_frost`] says why large groups are doubtful.
    pub const MOST_PARTIES: u32 = 128;

    /// These signers of a group: of one whose key signs as it is, or of one whose key is tweaked in the session.
    ///
    /// # Errors
    /// [`Error::UnknownParty`], and as [`Self::new`].
    pub fn of<S: KeySuite<Curve = Secp256k1>>(
        public: &PublicKeyPackage<S>,
        signers: impl IntoIterator<Item = PartyId>,
    ) -> Result<Self, Error> {
        let mut listed = Vec::new();
        for party in signers {
            let share = public.verifying_share(party).ok_or(Error::UnknownParty(party))?;
            let share = *share;
            listed.push((id_of(party), share));
        }
        let parties = public.parties().iter().map(|party| u32::from(party.get())).max();
        let threshold = u32::from(public.threshold());
        Self::new(threshold, parties.unwrap_or(0), &listed, public.verifying_key().as_bytes())
    }

    /// *ValidateSignersCtx*: each signer with its identifier, below the number of participants, and its public share.
    ///
    /// # Errors
    /// An [`Error`]: numbers, identifiers or public shares that cannot be, or [`Error::OtherKey`].
    pub fn new(
        threshold: u32,
        parties: u32,
        signers: &[(u32, [u8; 33])],
        key: &[u8; 33],
    ) -> Result<Self, Error> {
        if parties > Self::MOST_PARTIES {
            return Err(Error::TooManyParties { got: parties });
        }
        let got = signers.len();
        let number = Error::NumberOfSigners { got, threshold, parties };
        let count = u32::try_from(got).map_err(|_| number)?;
        if threshold == 0 || count < threshold || count > parties {
            return Err(number);
        }
        let (mut ids, mut shares) = (Vec::with_capacity(got), Vec::with_capacity(got));
        for (at, (id, share)) in signers.iter().enumerate() {
            if *id >= parties {
                return Err(Error::BadId { at });
            }
            ids.push(*id);
            shares.push(Secp256k1::decode_point(share).ok_or(Error::BadPublicShare { at })?);
        }
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        let mut pairs = sorted.iter().zip(sorted.iter().skip(1));
        if let Some((id, _)) = pairs.find(|(one, next)| one == next) {
            return Err(Error::DuplicateId { id: *id });
        }
        let key = Secp256k1::decode_point(key).ok_or(Error::BadKey)?;
        let signers = Self { ids, shares, key };
        if signers.interpolated() == key { Ok(signers) } else { Err(Error::OtherKey) }
    }

    /// The identifiers, in the order of the list.
    #[must_use]
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// *DeriveThreshPubkey*
    fn interpolated(&self) -> Point {
        let coefficients: Vec<_> = self.ids.iter().map(|id| self.coefficient(*id)).collect();
        Secp256k1::msm_vartime(&coefficients, &self.shares)
    }

    /// *DeriveInterpolatingValue*: λ = Π (id_j + 1) / (id_j − id), over the other signers.
    pub(super) fn coefficient(&self, id: u32) -> Scalar {
        let at = |id: u32| Scalar::from(u64::from(id));
        let (mut top, mut bottom) = (at(1), at(1));
        for other in self.ids.iter().filter(|other| **other != id) {
            top = top * (at(*other) + at(1));
            bottom = bottom * (at(*other) - at(id));
        }
        top * Secp256k1::invert(&bottom)
    }

    /// The place of a signer in the list.
    pub(super) fn position(&self, id: u32) -> Option<usize> {
        self.ids.iter().position(|one| *one == id)
    }

    /// The number of signers, four bytes.
    pub(super) fn encoded_count(&self) -> [u8; 4] {
        u32::try_from(self.ids.len()).unwrap_or(u32::MAX).to_be_bytes()
    }

    /// *SerializeIds*: ascending, so that the order of the list changes nothing.
    pub(super) fn encoded_ids(&self) -> Vec<u8> {
        let mut ids = self.ids.clone();
        ids.sort_unstable();
        ids.iter().flat_map(|id| id.to_be_bytes()).collect()
    }
}

impl fmt::Debug for Signers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signers").field("ids", &self.ids).finish_non_exhaustive()
    }
}

/// A party's identifier: its number less one.
pub(super) fn id_of(party: PartyId) -> u32 {
    u32::from(party.get()).saturating_sub(1)
}
