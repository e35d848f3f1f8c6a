//! The public side of a group's key: the key and every party's verifying share.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::Curve;
use quorate_session::{Parties, PartyId};
use quorate_sharing::lies_on_polynomial_vartime;

use super::id::PackageId;
use super::parties::{ODD_KEY, bad_threshold, put_parties, read_parties, threshold_fits};
use crate::error::DecodeError;
use crate::signature::VerifyingKey;
use crate::suite::{KeySuite, Point, PointBytes, point_len};
use crate::wire::{Kind, open, start};

/// A group's public key package (RFC 9591 §5): the group key, the threshold, and the verifying
/// share of every party.
///
/// It is public, but a coordinator blames by it: keep it authentic.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKeyPackage<S: KeySuite> {
    pub(crate) id: PackageId,
    pub(crate) threshold: u16,
    pub(crate) key: VerifyingKey<S>,
    pub(crate) parties: Parties,
    /// In the order of the parties, as are the bytes.
    pub(crate) shares: Vec<Point<S>>,
    pub(crate) share_bytes: Vec<PointBytes<S>>,
}

impl<S: KeySuite> PublicKeyPackage<S> {
    /// Puts a package together from shares that are known to lie on the polynomial of the key.
    ///
    /// `None` if one is the neutral element. Dealers that know each other's shares can arrange
    /// that for a party, however few they are; such a share has no encoding.
    pub(crate) fn assemble(
        threshold: u16,
        epoch: u32,
        parties: Parties,
        key: VerifyingKey<S>,
        shares: Vec<Point<S>>,
    ) -> Option<Self> {
        if shares.iter().any(S::Curve::is_identity) {
            return None;
        }
        let bytes = S::Curve::encode_points(&shares);
        Some(Self::of_encoded(threshold, epoch, parties, key, (shares, bytes)))
    }

    /// As [`Self::assemble`], for shares other than the neutral element whose encodings are known.
    pub(crate) fn of_encoded(
        threshold: u16,
        epoch: u32,
        parties: Parties,
        key: VerifyingKey<S>,
        (shares, share_bytes): (Vec<Point<S>>, Vec<PointBytes<S>>),
    ) -> Self {
        let form = encode::<S>(threshold, epoch, &parties, &key, &share_bytes);
        let id = PackageId::of::<S>(&key.bytes, epoch, &form);
        Self { id, threshold, key, parties, shares, share_bytes }
    }

    /// Its name, by which parties find out whether they have the same package.
    #[must_use]
    pub fn package_id(&self) -> PackageId {
        self.id
    }

    /// The group's public key.
    #[must_use]
    pub fn verifying_key(&self) -> &VerifyingKey<S> {
        &self.key
    }

    /// The threshold: t signers of n can sign.
    #[must_use]
    pub fn threshold(&self) -> u16 {
        self.threshold
    }

    /// The epoch: the number of times that the shares of this key have been refreshed.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        self.id.epoch()
    }

    /// All parties that hold a share.
    #[must_use]
    pub fn parties(&self) -> &Parties {
        &self.parties
    }

    /// A party's verifying share, in the suite's encoding.
    #[must_use]
    pub fn verifying_share(&self, id: PartyId) -> Option<&PointBytes<S>> {
        self.share_bytes.get(self.parties.position(id)?)
    }

    /// A party's verifying share.
    pub(crate) fn share_point(&self, id: PartyId) -> Option<&Point<S>> {
        self.shares.get(self.parties.position(id)?)
    }

    /// A name for the group's key, the same at all its parties and over all epochs.
    #[must_use]
    pub fn key_id(&self) -> [u8; 32] {
        self.id.key_id()
    }

    /// The package in its stored form.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        encode::<S>(self.threshold, self.epoch(), &self.parties, &self.key, &self.share_bytes)
    }

    /// Opens a stored package and validates it: every encoding canonical, and all verifying
    /// shares on one polynomial of degree t − 1 whose value at zero is the group's key.
    ///
    /// # Errors
    /// A [`DecodeError`] with the reason.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = open::<S>(bytes, Kind::PublicKeyPackage)?;
        let threshold = reader.u16()?;
        let epoch = reader.u32()?;
        let parties = read_parties(&mut reader)?;
        let key = reader.bytes(point_len::<S>())?;
        reader.expect(parties.len(), point_len::<S>())?;
        let mut shares = Vec::with_capacity(parties.len());
        for _ in 0..parties.len() {
            shares.push(reader.bytes(point_len::<S>())?);
        }
        reader.finish()?;
        let package = Self::from_parts(threshold, epoch, parties, key, &shares)?;
        if package.key.bytes.as_ref() != key {
            return Err(DecodeError::Inconsistent(ODD_KEY));
        }
        Ok(package)
    }

    /// Imports a package made elsewhere from the encodings of the group's key and of every
    /// party's verifying share, in the order of the parties. Validated as by
    /// [`PublicKeyPackage::from_bytes`]. In a suite with even keys (Taproot) a key with odd y is
    /// taken with all signs changed.
    ///
    /// # Errors
    /// A [`DecodeError`] with the reason.
    pub fn from_parts(
        threshold: u16,
        epoch: u32,
        parties: Parties,
        key: &[u8],
        shares: &[impl AsRef<[u8]>],
    ) -> Result<Self, DecodeError> {
        if !threshold_fits(threshold, &parties) {
            return Err(bad_threshold(threshold, &parties));
        }
        let (expected, got) = (parties.len(), shares.len());
        if got != expected {
            return Err(DecodeError::WrongCount { expected, got });
        }
        let decode = |bytes: &[u8]| S::Curve::decode_point(bytes).ok_or(DecodeError::BadPoint);
        let point = decode(key)?;
        let points =
            shares.iter().map(|share| decode(share.as_ref())).collect::<Result<Vec<_>, _>>()?;
        if !lies_on_polynomial_vartime::<S::Curve>(parties.as_slice(), &point, &points, threshold) {
            return Err(DecodeError::Inconsistent(
                "the verifying shares do not lie on a polynomial of degree t − 1 through the key",
            ));
        }
        let (key, negated) = VerifyingKey::of_point(point);
        let points = negate_if::<S>(negated, points);
        Self::assemble(threshold, epoch, parties, key, points).ok_or(DecodeError::BadPoint)
    }
}

fn encode<S: KeySuite>(
    threshold: u16,
    epoch: u32,
    parties: &Parties,
    key: &VerifyingKey<S>,
    shares: &[PointBytes<S>],
) -> Vec<u8> {
    let each = point_len::<S>().saturating_add(2);
    let body = parties.len().saturating_mul(each).saturating_add(128);
    let mut bytes = start::<S>(Kind::PublicKeyPackage, body);
    bytes.extend_from_slice(&threshold.to_be_bytes());
    bytes.extend_from_slice(&epoch.to_be_bytes());
    put_parties(&mut bytes, parties);
    bytes.extend_from_slice(key.bytes.as_ref());
    shares.iter().for_each(|share| bytes.extend_from_slice(share.as_ref()));
    bytes
}

/// Changes the sign of all points, or of none.
pub(crate) fn negate_if<S: KeySuite>(negate: bool, mut points: Vec<Point<S>>) -> Vec<Point<S>> {
    if negate {
        points.iter_mut().for_each(|point| *point = -*point);
    }
    points
}

impl<S: KeySuite> fmt::Debug for PublicKeyPackage<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKeyPackage")
            .field("key", &self.key)
            .field("threshold", &self.threshold)
            .field("parties", &self.parties.len())
            .field("epoch", &self.epoch())
            .finish_non_exhaustive()
    }
}
