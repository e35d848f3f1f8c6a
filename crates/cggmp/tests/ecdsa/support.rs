//! Parties with keys, runs among them, and another implementation that verifies.

use quorate_cggmp::{EcdsaCurve, PartialSignature, Signature};

pub use quorate_testkit::ecdsa::*;
pub use quorate_testkit::lockstep::*;
pub use quorate_testkit::rng as seeded;

/// σ_i
pub fn sigma<C: EcdsaCurve>(share: &PartialSignature<C>) -> C::Scalar {
    let bytes = share.to_bytes();
    C::decode_scalar(&bytes[bytes.len() - 64..bytes.len() - 32]).unwrap()
}

/// Another implementation's opinion of a signature of a message.
pub trait Verifier: EcdsaCurve {
    fn verify(key: &[u8], message: &[u8], signature: &Signature<Self>);
}

macro_rules! verifier {
    ($curve:ty, $name:ident) => {
        impl Verifier for $curve {
            fn verify(key: &[u8], message: &[u8], signature: &Signature<Self>) {
                use ::$name::ecdsa::signature::Verifier as _;
                let key = ::$name::ecdsa::VerifyingKey::from_sec1_bytes(key).unwrap();
                let bytes = signature.to_compact();
                let theirs = ::$name::ecdsa::Signature::from_slice(&bytes).unwrap();
                key.verify(message, &theirs).unwrap();
                let recovery = signature.recovery_id().unwrap().get();
                let recovery = ::$name::ecdsa::RecoveryId::from_byte(recovery).unwrap();
                let recovered =
                    ::$name::ecdsa::VerifyingKey::recover_from_msg(message, &theirs, recovery);
                assert_eq!(recovered.unwrap(), key);
            }
        }
    };
}

verifier!(quorate_cggmp::Secp256k1, k256);
verifier!(quorate_cggmp::P256, p256);
