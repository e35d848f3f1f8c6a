//! The proof that two lists of elements have one logarithm, that of the key (RFC 9497 section 2.2).

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::Curve;
use quorate_frost::{DecodeError, PointBytes, Scalar, VerifyingKey};
use quorate_session::wire::bounded;

use super::{BlindedElement, EvaluatedElement, MOST_ELEMENTS};
use crate::hash::SuiteDigest;
use crate::kinds::{Mode, Voprf};
use crate::suite::{PrfSuite, context, hash_to_scalar};
use crate::wire::{put_scalar, read_scalar, scalar_len, whole};

/// A proof of RFC 9497 (c, s).
pub struct Proof<M: Mode> {
    pub(crate) c: Scalar<M>,
    pub(crate) s: Scalar<M>,
}

impl<M: Mode> Clone for Proof<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Mode> Copy for Proof<M> {}

impl<M: Mode> PartialEq for Proof<M> {
    fn eq(&self, other: &Self) -> bool {
        self.c == other.c && self.s == other.s
    }
}

impl<M: Mode> Eq for Proof<M> {}

impl<M: Mode> Proof<M> {
    /// Reads the RFC's encoding, c ‖ s.
    ///
    /// # Errors
    /// [`DecodeError::BadScalar`] if a scalar is not canonical, [`DecodeError::Truncated`] or
    /// [`DecodeError::TrailingBytes`] if it has another length.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        whole(bytes, |reader| {
            Ok(Self { c: read_scalar::<M>(reader)?, s: read_scalar::<M>(reader)? })
        })
    }

    /// The RFC's encoding, c ‖ s.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(scalar_len::<M>().saturating_mul(2));
        put_scalar::<M>(&mut bytes, &self.c);
        put_scalar::<M>(&mut bytes, &self.s);
        bytes
    }

    /// Verifies that `log_G key` takes each element of the first list to that of the second (`VerifyProof`). Variable time.
    ///
    /// # Errors
    /// [`InvalidProof`], also for lists that are empty, longer than [`MOST_ELEMENTS`] or of different lengths.
    pub(super) fn verify_lists(
        &self,
        key: &[u8],
        point: &<M::Curve as Curve>::Point,
        first: (&[<M::Curve as Curve>::Point], &[PointBytes<M>]),
        second: (&[<M::Curve as Curve>::Point], &[PointBytes<M>]),
    ) -> Result<(), InvalidProof> {
        let lengths = (first.0.len(), second.0.len());
        if lengths.0 != lengths.1 || lengths.0 == 0 || lengths.0 > MOST_ELEMENTS {
            return Err(InvalidProof);
        }
        let weights = weights::<M>(key, first.1, second.1);
        let m = M::Curve::msm_vartime(&weights, first.0);
        let z = M::Curve::msm_vartime(&weights, second.0);
        // t2 = s·G + c·key, t3 = s·M + c·Z
        let t2 = M::Curve::msm_vartime(&[self.s, self.c], &[M::Curve::generator(), *point]);
        let t3 = M::Curve::msm_vartime(&[self.s, self.c], &[m, z]);
        let expected = challenge::<M>(key, &M::Curve::encode_points(&[m, z, t2, t3]));
        if expected == self.c { Ok(()) } else { Err(InvalidProof) }
    }
}

impl<S: PrfSuite> Proof<Voprf<S>> {
    /// Verifies that the key made the evaluated elements of the blinded ones. Variable time: everything here is public.
    ///
    /// # Errors
    /// [`InvalidProof`], also for lists that are empty, longer than [`MOST_ELEMENTS`] or of different lengths.
    pub fn verify(
        &self,
        key: &VerifyingKey<Voprf<S>>,
        blinded: &[BlindedElement<Voprf<S>>],
        evaluated: &[EvaluatedElement<Voprf<S>>],
    ) -> Result<(), InvalidProof> {
        let (points, bytes): (Vec<_>, Vec<_>) =
            blinded.iter().map(|one| (one.0.point, one.0.bytes)).unzip();
        let (results, result_bytes): (Vec<_>, Vec<_>) =
            evaluated.iter().map(|one| (one.0.point, one.0.bytes)).unzip();
        self.verify_lists(
            key.as_bytes().as_ref(),
            key.point(),
            (&points, &bytes),
            (&results, &result_bytes),
        )
    }
}

impl<M: Mode> fmt::Debug for Proof<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Proof(")?;
        self.to_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}

/// The weights of the elements in their sum: d_i of `ComputeComposites`.
pub(crate) fn weights<M: Mode>(
    key: &[u8],
    first: &[PointBytes<M>],
    second: &[PointBytes<M>],
) -> Vec<Scalar<M>> {
    let context = context::<M::Suite>(M::MODE);
    let tag = [b"Seed-", context.as_slice()].concat();
    let seed = <M::Suite as PrfSuite>::Digest::of(&[&prefix(key), key, &prefix(&tag), &tag]);
    let seed = seed.as_ref();
    let pairs = first.iter().zip(second);
    let weight = |(at, (one, other)): (u16, (&PointBytes<M>, &PointBytes<M>))| {
        let (one, other) = (one.as_ref(), other.as_ref());
        let transcript: [&[u8]; 8] = [
            &prefix(seed),
            seed,
            &at.to_be_bytes(),
            &prefix(one),
            one,
            &prefix(other),
            other,
            b"Composite",
        ];
        hash_to_scalar::<M::Suite>(&transcript, &[b"HashToScalar-", &context])
    };
    (0..=u16::MAX).zip(pairs).map(weight).collect()
}

/// The challenge, of the key and the points M, Z, t2 and t3.
pub(crate) fn challenge<M: Mode>(key: &[u8], points: &[PointBytes<M>]) -> Scalar<M> {
    let mut transcript = [prefix(key).as_slice(), key].concat();
    for point in points {
        transcript.extend_from_slice(&prefix(point.as_ref()));
        transcript.extend_from_slice(point.as_ref());
    }
    let context = context::<M::Suite>(M::MODE);
    hash_to_scalar::<M::Suite>(&[&transcript, b"Challenge"], &[b"HashToScalar-", &context])
}

/// `I2OSP(len(bytes), 2)` for an element, a digest or a tag, which have far fewer bytes than that can say.
fn prefix(bytes: &[u8]) -> [u8; 2] {
    bounded::<u16>(bytes.len()).to_be_bytes()
}

/// A proof that does not verify, or lists of elements that it cannot be about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidProof;

impl fmt::Display for InvalidProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the proof does not verify for these elements under this key")
    }
}

impl core::error::Error for InvalidProof {}
