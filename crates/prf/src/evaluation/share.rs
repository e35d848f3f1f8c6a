//! A party's share of an evaluation, as it is sent.

use alloc::vec::Vec;
use core::fmt;

use quorate_frost::{DecodeError, KeySuite, PointBytes, Scalar};
use quorate_keys::PackageId;
use quorate_session::PartyId;
use quorate_session::wire::{Reader, bounded};

use crate::kinds::KeyKind;
use crate::wire::{
    EVALUATION_SHARE, Encoded, from_sender, label, point_len, put_id, put_scalar, read_id,
    read_scalar, scalar_len,
};

/// A party's share of an evaluation: its multiple of each point, and the proof.
///
/// For a kind of keys whose results are [secret](KeyKind::SECRET), so are the shares: t of them give the result. Encrypt them
/// to the party that aggregates.
#[derive(Clone, PartialEq, Eq)]
pub struct EvaluationShare<K: KeyKind> {
    pub(crate) id: PartyId,
    pub(crate) of: PackageId,
    /// The digest of the query.
    pub(crate) query: [u8; 32],
    /// F_i for each point of the query.
    pub(crate) points: Vec<Encoded<K>>,
    pub(crate) proof: SameLogarithm<K>,
}

/// A proof of Chaum and Pedersen that log_G X_i = log_M Z_i (CRYPTO 1992). It contains the commitments, and no challenge, so
/// that many proofs are checked by one sum.
pub(crate) struct SameLogarithm<K: KeySuite> {
    /// k·G and k·M.
    pub(crate) commits: [Encoded<K>; 2],
    /// s = k + e·x_i
    pub(crate) s: Scalar<K>,
}

impl<K: KeySuite> Clone for SameLogarithm<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: KeySuite> Copy for SameLogarithm<K> {}

impl<K: KeySuite> PartialEq for SameLogarithm<K> {
    fn eq(&self, other: &Self) -> bool {
        self.commits == other.commits && self.s == other.s
    }
}

impl<K: KeySuite> Eq for SameLogarithm<K> {}

impl<K: KeyKind> EvaluationShare<K> {
    /// The party.
    #[must_use]
    pub const fn id(&self) -> PartyId {
        self.id
    }

    /// The name of the public key package whose share made it.
    #[must_use]
    pub const fn package_id(&self) -> PackageId {
        self.of
    }

    /// The digest of the query that it answers: [`Query::digest`](crate::Query::digest).
    #[must_use]
    pub const fn query_digest(&self) -> [u8; 32] {
        self.query
    }

    /// The party's multiple of each point, encoded.
    pub fn points(&self) -> impl ExactSizeIterator<Item = &PointBytes<K>> {
        self.points.iter().map(|point| &point.bytes)
    }

    /// The bytes of the sent form of an answer to a query of `elements` points.
    #[must_use]
    pub fn encoded_len(elements: usize) -> usize {
        crate::wire::container(Self::body_len(elements))
    }

    /// id ‖ package ‖ query ‖ number of points ‖ points ‖ k·G ‖ k·M ‖ s
    pub(crate) fn body_len(elements: usize) -> usize {
        let points = elements.saturating_add(2).saturating_mul(point_len::<K>());
        points.saturating_add(PackageId::LENGTH + 2 + 32 + 2 + scalar_len::<K>())
    }

    /// The share in its sent form.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let length = Self::body_len(self.points.len());
        label::<K>(EVALUATION_SHARE).encode_into(&mut bytes, length, |bytes| self.put(bytes));
        bytes
    }

    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        put_id(bytes, self.id);
        self.of.put(bytes);
        bytes.extend_from_slice(&self.query);
        // A query has at most 2^16 − 1 points.
        let count: u16 = bounded(self.points.len());
        bytes.extend_from_slice(&count.to_be_bytes());
        self.points.iter().chain(&self.proof.commits).for_each(|point| point.put(bytes));
        put_scalar::<K>(bytes, &self.proof.s);
    }

    /// Reads a share that `sender` sent, strictly. The **authenticated** transport names the sender.
    ///
    /// # Errors
    /// A [`DecodeError`] if the form is not canonical, or if the share is in another party's name. Either is the sender's
    /// fault, unless it is another kind of object, or one of another suite or release.
    pub fn from_bytes(sender: PartyId, bytes: &[u8]) -> Result<Self, DecodeError> {
        let share = label::<K>(EVALUATION_SHARE).read::<_, DecodeError>(bytes, Self::read)?;
        from_sender(sender, share.id, share)
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let id = read_id(reader)?;
        let of = PackageId::read(reader)?;
        let query = reader.array()?;
        let count = usize::from(reader.u16()?);
        let points = Encoded::read_many(reader, count)?;
        let commits = [Encoded::read(reader)?, Encoded::read(reader)?];
        let proof = SameLogarithm { commits, s: read_scalar::<K>(reader)? };
        Ok(Self { id, of, query, points, proof })
    }
}

/// Prints no points, which may be secret.
impl<K: KeyKind> fmt::Debug for EvaluationShare<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EvaluationShare")
            .field("id", &self.id)
            .field("points", &self.points.len())
            .finish_non_exhaustive()
    }
}
