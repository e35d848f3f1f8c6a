//! Lists of points and scalars in bytes.

use alloc::vec::Vec;

use quorate_curve::{Curve, Secp256k1};

use super::error::Malformed;
use super::{Point, Scalar};

/// The length of a compressed point.
pub(super) const POINT: usize = 33;
/// The length of a scalar.
pub(super) const SCALAR: usize = 32;
/// The length of a signature.
pub(super) const SIGNATURE: usize = 64;

/// The bytes of a message, from the front to the back.
pub(super) struct Parts<'b>(&'b [u8]);

impl<'b> Parts<'b> {
    /// A message of this length.
    pub(super) const fn of(bytes: &'b [u8], expected: usize) -> Result<Self, Malformed> {
        let got = bytes.len();
        if got == expected { Ok(Self(bytes)) } else { Err(Malformed::Length { got, expected }) }
    }

    /// Reads `count` arrays of one length.
    pub(super) fn arrays<const N: usize>(
        &mut self,
        count: usize,
    ) -> Result<Vec<[u8; N]>, Malformed> {
        let (got, expected) = (self.0.len(), count.saturating_mul(N));
        let short = Malformed::Length { got, expected };
        let (arrays, rest) = self.0.split_at_checked(expected).ok_or(short)?;
        self.0 = rest;
        arrays.chunks_exact(N).map(|one| one.try_into().map_err(|_| short)).collect()
    }

    /// One array.
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let short = Malformed::Length { got: self.0.len(), expected: N };
        let (array, rest) = self.0.split_first_chunk::<N>().ok_or(short)?;
        self.0 = rest;
        Ok(*array)
    }

    /// Reads `count` points, each of which may be infinity.
    pub(super) fn points(&mut self, count: usize) -> Result<Vec<Point>, Malformed> {
        let decode = |bytes: &[u8; POINT]| {
            let zeros = bytes.iter().all(|byte| *byte == 0);
            let infinity = || zeros.then(Secp256k1::identity);
            Secp256k1::decode_point(bytes).or_else(infinity).ok_or(Malformed::Point)
        };
        self.arrays(count)?.iter().map(decode).collect()
    }

    /// Reads `count` scalars, none of which is secret.
    pub(super) fn scalars(&mut self, count: usize) -> Result<Vec<Scalar>, Malformed> {
        let decode =
            |bytes: &[u8; SCALAR]| Secp256k1::decode_scalar(bytes).ok_or(Malformed::Scalar);
        self.arrays(count)?.iter().map(decode).collect()
    }
}

/// Appends points; infinity is zeros.
pub(super) fn put_points(to: &mut Vec<u8>, points: &[Point]) {
    Secp256k1::encode_points(points).iter().for_each(|point| to.extend_from_slice(point));
}

/// Appends scalars, none of which is secret.
pub(super) fn put_scalars(to: &mut Vec<u8>, scalars: &[Scalar]) {
    scalars.iter().for_each(|one| to.extend_from_slice(&Secp256k1::encode_scalar(one)));
}

/// The sum of points.
pub(super) fn sum_of<'p>(points: impl IntoIterator<Item = &'p Point>) -> Point {
    points.into_iter().fold(Secp256k1::identity(), |sum, point| sum + *point)
}

/// Adds the scalars of a list to those of another, each to its own.
pub(super) fn add_to(sums: &mut [Scalar], scalars: &[Scalar]) {
    sums.iter_mut().zip(scalars).for_each(|(sum, one)| *sum = *sum + *one);
}
