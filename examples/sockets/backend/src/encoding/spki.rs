//! `SubjectPublicKeyInfo` (RFC 5280): the form in which X.509, TLS and key services take a public key.

use custody_core::Scheme;

use super::der::{OBJECT_IDENTIFIER, bit_string, sequence, value};
use super::ec;
use crate::failure::Failure;

const EC_PUBLIC_KEY: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1];
const SECP256K1: &[u8] = &[0x2b, 0x81, 4, 0, 0x0a];
const P256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7];
const ED25519: &[u8] = &[0x2b, 0x65, 0x70];
const ED448: &[u8] = &[0x2b, 0x65, 0x71];
const ML_DSA_65: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 18];

/// The DER of a public key. Points of ECDSA are uncompressed in it, which every reader takes.
///
/// # Errors
/// [`Failure::Unsupported`] for Taproot, which has no such form. [`Failure::Broken`] if the key is none of its scheme.
pub fn public_key(scheme: Scheme, public_key: &[u8]) -> Result<Vec<u8>, Failure> {
    let plain = |oid| (vec![name(oid)], public_key.to_vec());
    let point = |curve| {
        Ok::<_, Failure>((
            vec![name(EC_PUBLIC_KEY), name(curve)],
            ec::uncompressed(scheme, public_key)?,
        ))
    };
    let (algorithm, key) = match scheme {
        Scheme::EcdsaSecp256k1 => point(SECP256K1)?,
        Scheme::EcdsaP256 => point(P256)?,
        Scheme::Ed25519 => plain(ED25519),
        Scheme::Ed448 => plain(ED448),
        Scheme::MlDsa65 => plain(ML_DSA_65),
        Scheme::Taproot => {
            return Err(Failure::Unsupported(
                "keys of Taproot have no SubjectPublicKeyInfo".to_owned(),
            ));
        }
    };
    Ok(sequence(&[sequence(&algorithm), bit_string(&key)]))
}

fn name(oid: &[u8]) -> Vec<u8> {
    value(OBJECT_IDENTIFIER, oid)
}
