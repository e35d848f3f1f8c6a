//! The public value of a key in one epoch.

mod import;

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secret};
use quorate_declassify::declassify_slice;
use quorate_session::{Parties, PartyId, wire::ReadError};
use quorate_sharing::{Commitment, Polynomial};

use crate::error::{CommitteeError, DecodeError};
use crate::wire::{self, SHARED_KEY, point_len};
use crate::{Committee, Family, PackageId, Point, PointBytes, Scalar};

/// The public value of a key in one epoch: the committee, the group key X, every party's verifying share, and the
/// family's own public data.
///
/// The verifying shares come from one Feldman commitment of exactly t points, none of them the neutral element.
/// So they lie on one polynomial of degree t − 1 with X at zero, whatever was stored.
///
/// The value is public, but blame rests on it. Keep it authentic.
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

/// A dealt key, and every party's share of it.
type Dealt<F> = (SharedKey<F>, Secret<Vec<Scalar<F>>>);

impl<F: Family> SharedKey<F> {
    /// The key whose polynomial has this commitment.
    ///
    /// # Errors
    /// A [`DecodeError`] if the commitment does not have exactly t points, if one of them or a verifying share is
    /// the neutral element, or if the family has no such key or committee.
    pub fn new(
        committee: Committee,
        epoch: u32,
        commitment: Commitment<F::Curve>,
        extra: F::Extra,
    ) -> Result<Self, DecodeError> {
        check::<F>(&committee, &commitment)?;
        let shares = commitment.evaluate_all_vartime(committee.parties().as_slice());
        let bytes = F::Curve::encode_points(&shares);
        Self::assemble(committee, epoch, commitment, (shares, bytes), extra)
    }

    /// The key of a dealer's polynomial, and every party's share of it, in the order of the parties. The dealer
    /// knows the shares, so each verifying share is one multiplication of the generator.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new).
    pub fn dealt(
        committee: Committee,
        epoch: u32,
        polynomial: &Polynomial<F::Curve>,
        extra: F::Extra,
    ) -> Result<Dealt<F>, DecodeError> {
        let commitment = polynomial.commit();
        check::<F>(&committee, &commitment)?;
        let secrets = polynomial.evaluate_many(committee.parties().as_slice());
        let (mut points, mut bytes) = F::Curve::mul_base_many(secrets.expose());
        // Verifying shares are public.
        declassify_slice(&mut points);
        declassify_slice(&mut bytes);
        Ok((Self::assemble(committee, epoch, commitment, (points, bytes), extra)?, secrets))
    }

    /// The key of a commitment whose values at the parties' places are known to be `shares`.
    pub(crate) fn known(
        committee: Committee,
        epoch: u32,
        commitment: Commitment<F::Curve>,
        shares: (Vec<Point<F>>, Vec<PointBytes<F>>),
        extra: F::Extra,
    ) -> Result<Self, DecodeError> {
        check::<F>(&committee, &commitment)?;
        Self::assemble(committee, epoch, commitment, shares, extra)
    }

    /// The key of a [checked](check) commitment, whose values at the parties' places are `shares`.
    pub(crate) fn assemble(
        committee: Committee,
        epoch: u32,
        commitment: Commitment<F::Curve>,
        (shares, share_bytes): (Vec<Point<F>>, Vec<PointBytes<F>>),
        extra: F::Extra,
    ) -> Result<Self, DecodeError> {
        if shares.iter().any(F::Curve::is_identity) {
            return Err(DecodeError::Inconsistent("a verifying share is the neutral element"));
        }
        let key = commitment.bytes().first().ok_or(DecodeError::BadPoint)?;
        let id = PackageId::from_content::<F>(
            key,
            epoch,
            &content::<F>(&committee, epoch, &commitment, &extra),
        );
        Ok(Self { id, committee, commitment, shares, share_bytes, extra })
    }

    /// The name of this public value.
    #[must_use]
    pub const fn package_id(&self) -> PackageId {
        self.id
    }

    /// The number of times that the key has been reshared or refreshed; 0 for a new one.
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

    /// The threshold t, the number of parties that it takes to use the key.
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

    /// Every party's verifying share, in the order of the parties.
    pub(crate) fn share_points(&self) -> &[Point<F>] {
        &self.shares
    }

    /// The family's own public data.
    #[must_use]
    pub const fn extra(&self) -> &F::Extra {
        &self.extra
    }

    /// Every party's verifying share, encoded, in the order of the parties.
    pub(crate) fn encoded_shares(&self) -> &[PointBytes<F>] {
        &self.share_bytes
    }

    /// The body of the stored form.
    pub(crate) fn content(&self) -> Vec<u8> {
        content::<F>(&self.committee, self.epoch(), &self.commitment, &self.extra)
    }

    /// The stored form.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let content = self.content();
        let label = F::label(SHARED_KEY);
        let mut bytes = label.start(content.len());
        bytes.extend_from_slice(&content);
        label.end_public(bytes)
    }

    /// Opens a stored form, strictly.
    ///
    /// Evaluates the polynomial for every party, in t·n steps, which [`Committee::MOST_STEPS`] bounds.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        wire::open::<F, _>(bytes, SHARED_KEY, |reader| {
            let epoch = reader.u32()?;
            let committee = Committee::read(reader, F::MAX_PARTIES)?;
            let points = committee.points();
            let commitment = reader.bytes(points.saturating_mul(point_len::<F::Curve>()))?;
            let commitment =
                Commitment::decode(commitment, points).map_err(|_| DecodeError::BadPoint)?;
            let extra = F::read_extra(reader).ok_or(ReadError::Truncated)?;
            Self::new(committee, epoch, commitment, extra)
        })
    }
}

/// Checks that a key of the family can have this committee and this commitment: exactly t points, none of them
/// neutral.
pub(crate) fn check<F: Family>(
    committee: &Committee,
    commitment: &Commitment<F::Curve>,
) -> Result<(), DecodeError> {
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
    if commitment.bytes().first().is_some_and(F::accepts) {
        Ok(())
    } else {
        Err(DecodeError::Inconsistent("the family has no key with this encoding"))
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
