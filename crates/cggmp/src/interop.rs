//! Conversions to and from the types of `k256` and `p256`.
//!
//! They go through canonical bytes, so a value passes only if both sides accept it. A
//! signature from elsewhere with an s above half the order comes in as the one with −s, which is
//! valid for the same message and key.

use crate::{DecodeError, EcdsaCurve, RecoveryId, Signature};

fn normalise<C: EcdsaCurve>(
    r: &[u8],
    s: &[u8],
    recovery: Option<RecoveryId>,
) -> Result<Signature<C>, DecodeError> {
    let number = |bytes| C::decode_scalar(bytes).ok_or(DecodeError::BadScalar);
    Signature::normalised(number(r)?, number(s)?, recovery).ok_or(DecodeError::BadScalar)
}

macro_rules! interop {
    ($name:ident, $curve:ident) => {
        #[doc = concat!("Conversions to and from the types of `", stringify!($name), "`.")]
        pub mod $name {
            use ::$name::PublicKey;
            use ::$name::ecdsa;
            use ::$name::elliptic_curve::sec1::ToSec1Point;
            use quorate_curve::$curve;

            use crate::{DecodeError, RecoveryId, Signature, VerifyingKey};

            #[doc = concat!("A signature as one of `", stringify!($name), "`, with its recovery id if it is known.")]
            ///
            /// # Errors
            /// [`DecodeError::BadScalar`] if that crate refuses it, which it never does.
            pub fn signature_to(
                signature: &Signature<$curve>,
            ) -> Result<(ecdsa::Signature, Option<ecdsa::RecoveryId>), DecodeError> {
                let id = signature.recovery_id();
                let id = id.map(|id| ecdsa::RecoveryId::new(id.y_is_odd(), id.x_is_reduced()));
                let signature = ecdsa::Signature::from_slice(&signature.to_compact());
                signature.map(|signature| (signature, id)).map_err(|_| DecodeError::BadScalar)
            }

            #[doc = concat!("A signature of `", stringify!($name), "`, with its recovery id if it is known.")]
            ///
            /// # Errors
            /// [`DecodeError::BadScalar`] if it is refused here, which no signature of that crate
            /// is.
            pub fn signature_from(
                signature: &ecdsa::Signature,
                recovery: Option<ecdsa::RecoveryId>,
            ) -> Result<Signature<$curve>, DecodeError> {
                let (r, s) = signature.split_bytes();
                let id = recovery.map(|id| RecoveryId::new(id.is_y_odd(), id.is_x_reduced()));
                super::normalise(&r, &s, id)
            }

            #[doc = concat!("The group's key as a key of `", stringify!($name), "`.")]
            ///
            /// # Errors
            /// [`DecodeError::BadPoint`] if that crate refuses it, which it never does.
            pub fn verifying_key_to(key: &VerifyingKey<$curve>) -> Result<PublicKey, DecodeError> {
                PublicKey::from_sec1_bytes(key.as_bytes()).map_err(|_| DecodeError::BadPoint)
            }

            #[doc = concat!("A key of `", stringify!($name), "` as a group's key.")]
            ///
            /// # Errors
            /// [`DecodeError::BadPoint`] if it is refused here, which no key of that crate is.
            pub fn verifying_key_from(key: &PublicKey) -> Result<VerifyingKey<$curve>, DecodeError> {
                let point = key.to_sec1_point(true);
                let bytes = point.as_bytes().try_into().map_err(|_| DecodeError::BadPoint)?;
                VerifyingKey::from_bytes(bytes)
            }
        }
    };
}

#[cfg(feature = "k256")]
interop!(k256, Secp256k1);
#[cfg(feature = "p256")]
interop!(p256, P256);
