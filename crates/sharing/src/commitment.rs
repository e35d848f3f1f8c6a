//! Feldman commitments.

use alloc::{vec, vec::Vec};
use core::fmt;

use quorate_curve::Curve;
use quorate_declassify::declassify;
use quorate_session::PartyId;

use crate::evaluation;

/// A Feldman commitment: the coefficients of a polynomial times the generator, points and their
/// encodings side by side, so that no point is ever encoded twice.
///
/// A commitment has at least one point, that of the constant.
#[derive(Clone)]
pub struct Commitment<C: Curve> {
    points: Vec<C::Point>,
    bytes: Vec<C::PointBytes>,
}

/// Why an encoded commitment is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CommitmentError {
    /// The number of bytes is not that of the points of the agreed threshold. A longer commitment
    /// would raise the threshold, a shorter one lower it.
    WrongLength {
        /// Bytes expected.
        expected: usize,
        /// Bytes given.
        got: usize,
    },
    /// The encoding at this place (0 is the constant) is not the canonical one of a point of the
    /// prime-order group, or is the identity.
    InvalidPoint {
        /// Which coefficient.
        index: usize,
    },
}

impl fmt::Display for CommitmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongLength { expected, got } => {
                write!(f, "a commitment of {got} bytes where {expected} are due")
            }
            Self::InvalidPoint { index } => {
                write!(f, "the commitment to coefficient {index} is no valid point")
            }
        }
    }
}

impl core::error::Error for CommitmentError {}

/// The rest of decoding a commitment whose constant is known to be zero.
fn after_constant<T>(all: &[T]) -> &[T] {
    all.get(1..).unwrap_or_default()
}

impl<C: Curve> Commitment<C> {
    /// Bytes of one encoded point.
    const POINT: usize = size_of::<C::PointBytes>();

    /// The commitment of these points, constant first; they are encoded in one batch. No points at
    /// all are the commitment to the polynomial zero (one identity).
    #[must_use]
    pub fn from_points(mut points: Vec<C::Point>) -> Self {
        if points.is_empty() {
            points.push(C::identity());
        }
        let bytes = C::encode_points(&points);
        Self { points, bytes }
    }

    /// The commitment of these points whose encodings are known: that they belong together is the caller's word.
    /// `None` without points, or for another number of encodings.
    #[must_use]
    pub fn from_decoded(points: Vec<C::Point>, bytes: Vec<C::PointBytes>) -> Option<Self> {
        let fit = !points.is_empty() && points.len() == bytes.len();
        fit.then_some(Self { points, bytes })
    }

    /// The commitment of these points, at least one, whose encodings are known.
    pub(crate) fn from_encoded(points: Vec<C::Point>, bytes: Vec<C::PointBytes>) -> Self {
        Self { points, bytes }
    }

    /// Decodes exactly `threshold` points, none of them the identity.
    ///
    /// # Errors
    /// [`CommitmentError::WrongLength`] before any point is decoded if the length is another one
    /// (also for a threshold of 0); [`CommitmentError::InvalidPoint`] for the first encoding that
    /// is not a strict one.
    pub fn decode(bytes: &[u8], threshold: usize) -> Result<Self, CommitmentError> {
        Self::decode_points(Vec::new(), Vec::new(), bytes, threshold)
    }

    /// Decodes the commitment to a polynomial whose constant is zero, as it is sent in a refresh:
    /// `threshold − 1` points, the identity in front of them being understood
    /// ([`Self::encode_after_constant_into`]).
    ///
    /// # Errors
    /// The errors of [`Self::decode`].
    pub fn decode_zero_constant(bytes: &[u8], threshold: usize) -> Result<Self, CommitmentError> {
        let identity = C::identity();
        Self::decode_points(vec![identity], vec![C::encode_point(&identity)], bytes, threshold)
    }

    /// Decodes the points that `points` lacks to make `threshold` points. The encodings are kept as
    /// they were received.
    fn decode_points(
        mut points: Vec<C::Point>,
        mut kept: Vec<C::PointBytes>,
        bytes: &[u8],
        threshold: usize,
    ) -> Result<Self, CommitmentError> {
        let missing = threshold.saturating_sub(points.len());
        let expected = missing.saturating_mul(Self::POINT);
        if bytes.len() != expected || threshold == 0 {
            return Err(CommitmentError::WrongLength { expected, got: bytes.len() });
        }
        points.reserve_exact(missing);
        kept.reserve_exact(missing);
        for encoding in bytes.chunks_exact(Self::POINT) {
            let invalid = CommitmentError::InvalidPoint { index: points.len() };
            points.push(C::decode_point(encoding).ok_or(invalid)?);
            kept.push(C::PointBytes::try_from(encoding).map_err(|_| invalid)?);
        }
        Ok(Self { points, bytes: kept })
    }

    /// Appends the encodings of all points, constant first.
    pub fn encode_into(&self, out: &mut Vec<u8>) {
        out.reserve(self.bytes.len() * Self::POINT);
        self.bytes.iter().for_each(|bytes| out.extend_from_slice(bytes.as_ref()));
    }

    /// Appends the encodings of all points but the constant's, which both sides know to be the
    /// identity.
    pub fn encode_after_constant_into(&self, out: &mut Vec<u8>) {
        after_constant(&self.bytes).iter().for_each(|bytes| out.extend_from_slice(bytes.as_ref()));
    }

    /// The number of points, which is the threshold.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a commitment always has a constant")]
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// The points, constant first.
    #[must_use]
    pub fn points(&self) -> &[C::Point] {
        &self.points
    }

    /// The encodings of the points, constant first.
    #[must_use]
    pub fn bytes(&self) -> &[C::PointBytes] {
        &self.bytes
    }

    /// The commitment to the constant: the public key of the shared secret.
    #[must_use]
    #[allow(clippy::indexing_slicing, reason = "every constructor stores at least one point")]
    pub fn constant(&self) -> &C::Point {
        &self.points[0]
    }

    /// The public share of one party: its share times the generator.
    #[must_use]
    pub fn evaluate_vartime(&self, id: PartyId) -> C::Point {
        evaluation::horner_vartime::<C>(&self.points, id.get())
    }

    /// The public shares of many parties, in the order of `ids`. For the usual ids 1..=n this is
    /// several times less work than one after the other. They are not encoded yet: see
    /// [`Curve::encode_points`].
    #[must_use]
    pub fn evaluate_all_vartime(&self, ids: &[PartyId]) -> Vec<C::Point> {
        evaluation::evaluate_all_vartime::<C>(&self.points, ids)
    }

    /// The commitment to the sum of the polynomials behind these; `None` if the list is empty or
    /// their lengths differ.
    ///
    /// The sum is encoded once, in one batch.
    #[must_use]
    pub fn sum<'a>(commitments: impl IntoIterator<Item = &'a Self>) -> Option<Self> {
        let mut commitments = commitments.into_iter();
        let mut sum = commitments.next()?.points.clone();
        for commitment in commitments {
            if commitment.points.len() != sum.len() {
                return None;
            }
            for (total, point) in sum.iter_mut().zip(&commitment.points) {
                *total = *total + *point;
            }
        }
        Some(Self::from_points(sum))
    }

    /// Returns whether `share` is that of party `id` under this commitment. Takes variable time in
    /// the public values. The share goes only through one constant-time multiplication of the
    /// generator.
    #[must_use]
    pub fn verify_share_vartime(&self, id: PartyId, share: &C::Scalar) -> bool {
        // The verdict on the dealer is told to all.
        declassify(C::mul_base(share) == self.evaluate_vartime(id))
    }
}

/// Equal commitments are equal encodings, which are canonical.
impl<C: Curve> PartialEq for Commitment<C> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<C: Curve> Eq for Commitment<C> {}

impl<C: Curve> fmt::Debug for Commitment<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Commitment").field(&self.bytes).finish()
    }
}
