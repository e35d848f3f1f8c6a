//! Group keys and signatures (RFC 9591 §5.3, Appendix B).

use core::fmt;

use quorate_curve::Curve;

use crate::error::{DecodeError, InvalidSignature};
use crate::suite::{Ciphersuite, KeySuite, Point, PointBytes, Scalar, is_odd, point_len};
use crate::wire::{only_point, only_scalar};

/// A group's public key, with which a signature is verified.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct VerifyingKey<S: KeySuite> {
    pub(crate) point: Point<S>,
    pub(crate) bytes: PointBytes<S>,
}

impl<S: KeySuite> VerifyingKey<S> {
    /// Reads a key in the suite's encoding of an element.
    ///
    /// # Errors
    /// [`DecodeError::BadPoint`] if it is not the canonical encoding of an element of the prime-order group other
    /// than the identity. [`DecodeError::WrongLength`] if it has another length. A suite with even keys (Taproot)
    /// treats the key with the other sign as the same key.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let (expected, got) = (point_len::<S>(), bytes.len());
        if got != expected {
            return Err(DecodeError::WrongLength { expected, got });
        }
        let (point, _) = only_point::<S>(bytes)?;
        Ok(Self::from_point(point).0)
    }

    /// The suite's encoding of the key.
    #[must_use]
    pub fn as_bytes(&self) -> &PointBytes<S> {
        &self.bytes
    }

    /// The suite's encoding of the key.
    #[must_use]
    pub fn to_bytes(&self) -> PointBytes<S> {
        self.bytes
    }

    /// The key as a point.
    #[must_use]
    pub fn point(&self) -> &Point<S> {
        &self.point
    }

    /// The key of a point, normalised to even y where the suite wants it, and whether that took a
    /// change of sign.
    pub(crate) fn from_point(point: Point<S>) -> (Self, bool) {
        let (point, bytes, negated) = normalise::<S>(point);
        (Self { point, bytes }, negated)
    }
}

impl<S: Ciphersuite> VerifyingKey<S> {
    /// Verifies a signature of `message`. Variable time: everything here is public.
    ///
    /// # Errors
    /// [`InvalidSignature`] if it does not verify.
    pub fn verify(&self, message: &[u8], signature: &Signature<S>) -> Result<(), InvalidSignature> {
        let c = S::challenge(&signature.bytes, &self.bytes, message);
        // z·G = R + c·Y
        if S::Curve::verify_vartime(&self.point, &signature.r, &signature.z, &c) {
            Ok(())
        } else {
            Err(InvalidSignature)
        }
    }
}

impl<S: KeySuite> fmt::Debug for VerifyingKey<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VerifyingKey(")?;
        hex(f, self.bytes.as_ref())?;
        f.write_str(")")
    }
}

/// A signature (R, z).
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Signature<S: KeySuite> {
    pub(crate) r: Point<S>,
    pub(crate) bytes: PointBytes<S>,
    pub(crate) z: Scalar<S>,
}

impl<S: Ciphersuite> Signature<S> {
    /// Reads a signature in the form of the suite's verifiers: R ‖ z, or for Taproot the 64 bytes of BIP-340.
    ///
    /// # Errors
    /// A [`DecodeError`] for a form that is not canonical.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let (r, rest) = S::decode_signature_r(bytes).ok_or(DecodeError::BadPoint)?;
        let z = only_scalar::<S>(rest)?;
        Ok(Self { r, bytes: S::Curve::encode_point(&r), z })
    }

    /// The signature as the suite's verifiers read it.
    #[must_use]
    pub fn to_bytes(&self) -> S::SignatureBytes {
        S::encode_signature(&self.bytes, &S::Curve::encode_scalar(&self.z))
    }
}

impl<S: Ciphersuite> fmt::Debug for Signature<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signature(")?;
        hex(f, self.to_bytes().as_ref())?;
        f.write_str(")")
    }
}

/// A point, its encoding, and whether its sign was changed to make its y-coordinate even.
pub(crate) fn normalise<S: KeySuite>(point: Point<S>) -> (Point<S>, PointBytes<S>, bool) {
    let bytes = S::Curve::encode_point(&point);
    if is_odd::<S>(&bytes) {
        let negated = -point;
        (negated, S::Curve::encode_point(&negated), true)
    } else {
        (point, bytes, false)
    }
}

pub(crate) fn hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}
