//! The verification of signatures, with the verifiers of others.

use custody_core::{Scheme, SignatureDescription};
use ed25519_dalek::VerifyingKey as Ed25519Key;
use ml_dsa::MlDsa65;
use quorate_purpose::Message;

use crate::error::ClientError;

/// A signature that verified.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Signature {
    /// The signature: r ‖ s for ECDSA, with the lower of the two values of s; RFC 8032, BIP-340, FIPS 204.
    pub bytes: Vec<u8>,
    /// The recovery id of ECDSA, from 0 to 3: the client computes it.
    pub recovery_id: Option<u8>,
    /// The public key under which it verifies.
    pub public_key: Vec<u8>,
}

/// Verifies the signature of a message, under a context, by a public key that the client knows.
pub(crate) fn verify(
    scheme: Scheme,
    public_key: Vec<u8>,
    (message, context): (&Message, &[u8]),
    given: SignatureDescription,
) -> Result<Signature, ClientError> {
    if given.public_key != public_key {
        return Err(ClientError::Signature("it is under another public key than the pinned one"));
    }
    let recovery_id = match scheme {
        Scheme::EcdsaSecp256k1 | Scheme::EcdsaP256 => {
            Some(ecdsa(scheme, &public_key, message, &given.signature)?)
        }
        _ => {
            let verifies = message
                .raw()
                .and_then(|message| raw(scheme, &public_key, (message, context), &given.signature));
            verifies.ok_or(ClientError::Signature("it does not verify"))?;
            None
        }
    };
    if given.recovery_id.is_some() && given.recovery_id != recovery_id {
        return Err(ClientError::Signature("the recovery id is another"));
    }
    Ok(Signature { bytes: given.signature, recovery_id, public_key })
}

/// Verifies ECDSA, and gives the recovery id.
fn ecdsa(
    scheme: Scheme,
    key: &[u8],
    message: &Message,
    signature: &[u8],
) -> Result<u8, ClientError> {
    let wrong = ClientError::Signature("it does not verify, or s is the higher of its two values");
    let digest = message.ecdsa_digest().ok_or_else(|| wrong.clone())?;
    let recovery_id = match scheme {
        Scheme::EcdsaSecp256k1 => secp256k1(key, &digest, signature),
        _ => p256(key, &digest, signature),
    };
    recovery_id.ok_or(wrong)
}

/// Defines the verification of ECDSA over one curve.
macro_rules! ecdsa {
    ($name:ident, $ecdsa:path) => {
        fn $name(key: &[u8], digest: &[u8; 32], signature: &[u8]) -> Option<u8> {
            use $ecdsa::{RecoveryId, Signature, VerifyingKey};
            let key = VerifyingKey::from_sec1_bytes(key).ok()?;
            let signature = Signature::from_slice(signature).ok()?;
            if signature.normalize_s() != signature {
                return None;
            }
            let id = RecoveryId::trial_recovery_from_prehash(&key, digest, &signature);
            id.ok().map(RecoveryId::to_byte)
        }
    };
}

ecdsa!(secp256k1, k256::ecdsa);
ecdsa!(p256, p256::ecdsa);

/// Verifies a signature of the bytes themselves.
fn raw(
    scheme: Scheme,
    key: &[u8],
    (message, context): (&[u8], &[u8]),
    signature: &[u8],
) -> Option<()> {
    match scheme {
        Scheme::Ed25519 => {
            let key = Ed25519Key::from_bytes(key.try_into().ok()?).ok()?;
            key.verify_strict(message, &signature.try_into().ok()?).ok()
        }
        Scheme::Ed448 => {
            let key = ed448_goldilocks::VerifyingKey::from_bytes(key.try_into().ok()?).ok()?;
            key.verify_raw(&signature.try_into().ok()?, message).ok()
        }
        Scheme::Taproot => {
            let key = k256::schnorr::VerifyingKey::from_slice(key).ok()?;
            key.verify_raw(message, &signature.try_into().ok()?).ok()
        }
        Scheme::MlDsa65 => {
            let key = ml_dsa::VerifyingKey::<MlDsa65>::decode(&key.try_into().ok()?);
            let signature = ml_dsa::Signature::<MlDsa65>::try_from(signature).ok()?;
            key.verify_with_context(message, context, &signature).then_some(())
        }
        Scheme::EcdsaSecp256k1 | Scheme::EcdsaP256 => None,
    }
}
