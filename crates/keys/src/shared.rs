//! The public value of a key in one epoch.

mod import;

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::Curve;
use quorate_session::{Parties, PartyId};
use quorate_sharing::Commitment;

use crate::error::{CommitteeError, DecodeError};
use crate::wire::{self, SHARED_KEY, point_len, truncated};
use crate::{Committee, Family, PackageId, Point, PointBytes};

/// The public value of a key in one epoch: the committee, the group key X, every party's verifying
/// share, and what the family keeps beside.
///
/// The verifying shares come from one Feldman commitment of exactly t points, none of them the neutral
/// element. So they lie on one polynomial of degree t − 1 with X at zero, whatever was stored.
///
/// It is public, but blame rests on it: keep it authentic.
#[derive(Clone, PartialEq, Eq)]
pub struct SharedKey<F: Family> {
    id: PackageId,
    committee: Committee,
    commitment: Commitment<F::Curve>,
    /// In the order of the parties, as are the bytes.
    shares: Vec<Point<F>>,
    share_bytes: Vec<PointBytes<F>>,
    extra: F::Extra,
}

impl<F: Family> SharedKey<F> {
    /// The key whose polynomial has this commitment.
    ///
    /// # Errors
    /// A [`DecodeError`] if the commitment has not exactly t points, or one of them or a verifying share is
    /// the neutral element, or the family has no such key or committee.
    pub fn new(
        committee: Committee,
        epoch: u32,
        commitment: Commitment<F::Curve>,
        extra: F::Extra,
    ) -> Result<Self, DecodeError> {
        let (most, got) = (F::MAX_PARTIES, committee.parties().len());
        if got > most {
            return Err(CommitteeError::TooMany { most, got }.into());
        }
        if commitment.len() != committee.points() {
            return Err(DecodeError::Inconsistent(
                "the commitment has not as many points as the threshold",
            ));
        }
        if commitment.points().iter().any(F::Curve::is_identity) {
            return Err(DecodeError::BadPoint);
        }
        let key = commitment.bytes().first().ok_or(DecodeError::BadPoint)?;
        if !F::accepts(key) {
            return Err(DecodeError::Inconsistent("the family has no key with this encoding"));
        }
        let shares = commitment.evaluate_all_vartime(committee.parties().as_slice());
        if shares.iter().any(F::Curve::is_identity) {
            return Err(DecodeError::Inconsistent("a verifying share is the neutral element"));
        }
        let share_bytes = F::Curve::encode_points(&shares);
        let id =
            PackageId::of::<F>(key, epoch, &content::<F>(&committee, epoch, &commitment, &extra));
        Ok(Self { id, committee, commitment, shares, share_bytes, extra })
    }

    /// Its name.
    #[must_use]
    pub const fn package_id(&self) -> PackageId {
        self.id
    }

    /// How often the key has been reshared or refreshed; 0 for a new one.
    #[must_use]
    pub const fn epoch(&self) -> u32 {
        self.id.epoch()
    }

    /// The parties that hold shares, and the threshold.
    #[must_use]
    pub const fn committee(&self) -> &Committee {
        &self.committee
    }

    /// The parties that hold shares.
    #[must_use]
    pub const fn parties(&self) -> &Parties {
        self.committee.parties()
    }

    /// t: how many parties it takes to use the key.
    #[must_use]
    pub const fn threshold(&self) -> u16 {
        self.committee.threshold()
    }

    /// The group key X.
    #[must_use]
    pub fn key(&self) -> &Point<F> {
        self.commitment.constant()
    }

    /// The commitment to the key's polynomial: t points, X first.
    #[must_use]
    pub const fn commitment(&self) -> &Commitment<F::Curve> {
        &self.commitment
    }

    /// A party's verifying share, encoded.
    #[must_use]
    pub fn verifying_share(&self, party: PartyId) -> Option<&PointBytes<F>> {
        self.share_bytes.get(self.parties().position(party)?)
    }

    /// A party's verifying share.
    #[must_use]
    pub fn share_point(&self, party: PartyId) -> Option<&Point<F>> {
        self.shares.get(self.parties().position(party)?)
    }

    /// The family's own public data.
    #[must_use]
    pub const fn extra(&self) -> &F::Extra {
        &self.extra
    }

    /// The stored form.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let content = content::<F>(&self.committee, self.epoch(), &self.commitment, &self.extra);
        let label = wire::label::<F>(SHARED_KEY);
        let mut bytes = label.start(content.len());
        bytes.extend_from_slice(&content);
        label.end_public(bytes)
    }

    /// Opens a stored form, strictly.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        wire::open::<F, _>(bytes, SHARED_KEY, |reader| {
            let epoch = reader.u32().map_err(truncated)?;
            let committee = Committee::read(reader, F::MAX_PARTIES)?;
            let points = committee.points();
            let commitment =
                reader.bytes(points.saturating_mul(point_len::<F::Curve>())).map_err(truncated)?;
            let commitment =
                Commitment::decode(commitment, points).map_err(|_| DecodeError::BadPoint)?;
            let extra = F::read_extra(reader).ok_or_else(|| truncated(()))?;
            Self::new(committee, epoch, commitment, extra)
        })
    }
}

/// epoch (4) ‖ committee ‖ t points ‖ extra.
fn content<F: Family>(
    committee: &Committee,
    epoch: u32,
    commitment: &Commitment<F::Curve>,
    extra: &F::Extra,
) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend_from_slice(&epoch.to_be_bytes());
    committee.put(&mut bytes);
    commitment.encode_into(&mut bytes);
    F::put_extra(extra, &mut bytes);
    bytes
}

impl<F: Family> fmt::Debug for SharedKey<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedKey")
            .field("family", &F::NAME)
            .field("id", &self.id)
            .field("threshold", &self.threshold())
            .field("parties", &self.parties().len())
            .finish_non_exhaustive()
    }
}
