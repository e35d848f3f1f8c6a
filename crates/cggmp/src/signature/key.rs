//! Public keys and their forms.

use core::fmt;

use super::{RawDigest, Signature};
use crate::{DecodeError, EcdsaCurve, InvalidSignature};

/// A public key: a point that is not the identity.
#[derive(Clone, Copy)]
pub struct VerifyingKey<C: EcdsaCurve> {
    point: C::Point,
    bytes: [u8; 33],
}

impl<C: EcdsaCurve> VerifyingKey<C> {
    /// The key that is this point; `None` for the identity.
    #[must_use]
    pub fn new(point: C::Point) -> Option<Self> {
        (!C::is_identity(&point)).then(|| Self { point, bytes: C::encode_point(&point) })
    }

    /// The key that is this point, which the caller knows not to be the identity.
    pub(crate) fn from_point(point: C::Point) -> Self {
        Self { point, bytes: C::encode_point(&point) }
    }

    /// Reads the compressed form of SEC 1 (section 2.3.4).
    ///
    /// # Errors
    /// [`DecodeError::BadPoint`] for anything else.
    pub fn from_bytes(bytes: &[u8; 33]) -> Result<Self, DecodeError> {
        C::decode_point(bytes).and_then(Self::new).ok_or(DecodeError::BadPoint)
    }

    /// The compressed form of SEC 1 (section 2.3.3).
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 33] {
        &self.bytes
    }

    /// Reads the uncompressed form of SEC 1 (section 2.3.4), 4 ‖ x ‖ y.
    ///
    /// # Errors
    /// [`DecodeError::BadPoint`] for anything else, the hybrid form included.
    pub fn from_uncompressed(bytes: &[u8; 65]) -> Result<Self, DecodeError> {
        C::point_from_uncompressed(bytes).and_then(Self::new).ok_or(DecodeError::BadPoint)
    }

    /// The uncompressed form of SEC 1 (section 2.3.3), 4 ‖ x ‖ y.
    #[must_use]
    pub fn to_uncompressed(&self) -> [u8; 65] {
        C::point_to_uncompressed(&self.point)
    }

    /// The point.
    #[must_use]
    pub const fn point(&self) -> &C::Point {
        &self.point
    }

    /// Verifies a signature of `message`, which is hashed with SHA-256.
    ///
    /// # Errors
    /// [`InvalidSignature`].
    pub fn verify(&self, message: &[u8], signature: &Signature<C>) -> Result<(), InvalidSignature> {
        self.verify_raw_digest(&RawDigest::of_message::<C>(message), signature)
    }

    /// Verifies a signature of a digest made elsewhere.
    ///
    /// # Errors
    /// [`InvalidSignature`].
    pub fn verify_raw_digest(
        &self,
        digest: &RawDigest,
        signature: &Signature<C>,
    ) -> Result<(), InvalidSignature> {
        let inverse = C::invert(&signature.s);
        let scalars = [inverse * digest.scalar::<C>(), inverse * signature.r];
        let nonce = C::msm_vartime(&scalars, &[C::generator(), self.point]);
        match C::r_vartime(&nonce) {
            Some((r, _)) if r == signature.r => Ok(()),
            _ => Err(InvalidSignature),
        }
    }
}

impl<C: EcdsaCurve> PartialEq for VerifyingKey<C> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<C: EcdsaCurve> Eq for VerifyingKey<C> {}

impl<C: EcdsaCurve> fmt::Debug for VerifyingKey<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VerifyingKey").field(&self.point).finish()
    }
}
