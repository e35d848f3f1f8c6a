//! Keys and signatures as SSH writes them (RFC 4253, 5656, 8709).

use custody_core::Scheme;

use super::{der, ec};
use crate::failure::Failure;

/// The name of the algorithm of a scheme, if SSH has one.
#[must_use]
pub const fn algorithm(scheme: Scheme) -> Option<&'static str> {
    match scheme {
        Scheme::Ed25519 => Some("ssh-ed25519"),
        Scheme::Ed448 => Some("ssh-ed448"),
        Scheme::EcdsaP256 => Some("ecdsa-sha2-nistp256"),
        _ => None,
    }
}

/// The blob of a public key: what `known_hosts` and `authorized_keys` have in base64.
///
/// # Errors
/// [`Failure::Unsupported`] if SSH has no such keys. [`Failure::Broken`] if the key is none of its scheme.
pub fn public_key(scheme: Scheme, public_key: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut blob = string(name(scheme)?);
    if scheme == Scheme::EcdsaP256 {
        blob.extend(string(b"nistp256"));
        blob.extend(string(&ec::uncompressed(scheme, public_key)?));
    } else {
        blob.extend(string(public_key));
    }
    Ok(blob)
}

/// The blob of a signature.
///
/// # Errors
/// [`Failure::Unsupported`] if SSH has no such signatures. [`Failure::Broken`] if its length is wrong.
pub fn signature(scheme: Scheme, signature: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut blob = string(name(scheme)?);
    if scheme == Scheme::EcdsaP256 {
        let (r, s) = ec::halves(signature)?;
        blob.extend(string(&[string(&der::positive(r)), string(&der::positive(s))].concat()));
    } else {
        blob.extend(string(signature));
    }
    Ok(blob)
}

/// A string: its length in four bytes, and its bytes. No string here is longer than 2³² − 1 bytes.
#[must_use]
pub fn string(bytes: &[u8]) -> Vec<u8> {
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    [&length.to_be_bytes(), bytes].concat()
}

fn name(scheme: Scheme) -> Result<&'static [u8], Failure> {
    let none = || Failure::Unsupported(format!("SSH has no keys of {scheme}"));
    algorithm(scheme).map(str::as_bytes).ok_or_else(none)
}
