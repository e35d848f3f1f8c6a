//! The content of bytes that a consumer wants signed.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use quorate_purpose::x509::{X509Certificate, X509Crl};
use quorate_purpose::{
    Hash, JwtClaims, OpaqueMessage, Purpose, SshSignature, SshUserAuth, Tls13CertificateVerify, evm,
};
use serde::Deserialize;

use crate::failure::Failure;
use crate::key::Key;

/// Reads bytes as one of the kinds that the key signs, so that policies see what they are. ECDSA signs the hash of the bytes;
/// keys of other schemes have none.
///
/// The forms that are known are certificates and lists of revoked ones (X.509), handshakes of TLS 1.3, SSH logins and
/// signatures, tokens (JWT), and transactions, delegations and messages of Ethereum. All other bytes are opaque: only a key that is bound to opaque messages signs them.
///
/// # Errors
/// [`Failure::WrongPurpose`] if keys of the scheme do not sign bytes with this hash. [`Failure::Malformed`] if the bytes are
/// too long.
pub fn read(key: &Key, hash: Option<Hash>, bytes: &[u8]) -> Result<Purpose, Failure> {
    let opaque = match hash {
        Some(hash) => OpaqueMessage::hashed(hash, bytes),
        None => OpaqueMessage::raw(bytes),
    };
    let opaque = Purpose::from(opaque.map_err(|why| Failure::Malformed(why.to_string()))?);
    let kind = key.scheme.key_kind();
    let message = opaque.message(kind).map_err(|why| Failure::WrongPurpose(why.to_string()))?;
    // What was read has to be signed as these bytes, with this hash.
    let is_same = |read: &Purpose| {
        key.allows(read.kind()) && read.message(kind).is_ok_and(|own| own == message)
    };
    let known = READERS.iter().filter_map(|reader| reader(bytes)).find(is_same);
    Ok(known.unwrap_or(opaque))
}

/// Reads bytes as content of one kind.
type Reader = fn(&[u8]) -> Option<Purpose>;

const READERS: [Reader; 11] = [
    |bytes| X509Certificate::from_tbs_bytes(bytes).ok().map(Purpose::from),
    |bytes| X509Crl::from_tbs_bytes(bytes).ok().map(Purpose::from),
    |bytes| Tls13CertificateVerify::from_signed_bytes(bytes).ok().map(Purpose::from),
    |bytes| SshSignature::from_signed_bytes(bytes).ok().map(Purpose::from),
    |bytes| SshUserAuth::from_signed_bytes(bytes).ok().map(Purpose::from),
    |bytes| token(bytes).map(Purpose::from),
    |bytes| evm::Transaction::from_unsigned_bytes(bytes).ok().map(Purpose::from),
    |bytes| evm::BlobTransaction::from_unsigned_bytes(bytes).ok().map(Purpose::from),
    |bytes| evm::SetCodeTransaction::from_unsigned_bytes(bytes).ok().map(Purpose::from),
    |bytes| evm::Authorization::from_unsigned_bytes(bytes).ok().map(Purpose::from),
    |bytes| evm::PersonalMessage::from_unsigned_bytes(bytes).ok().map(Purpose::from),
];

/// The parts of a token's header that are not fixed by the key.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Header {
    kid: String,
    typ: String,
}

/// Reads the signing input of a token (RFC 7515).
fn token(bytes: &[u8]) -> Option<JwtClaims> {
    let (header, claims) = core::str::from_utf8(bytes).ok()?.split_once('.')?;
    let header = BASE64_URL_SAFE_NO_PAD.decode(header).ok()?;
    let claims = String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(claims).ok()?).ok()?;
    let Header { kid, typ } = serde_json::from_slice(&header).ok()?;
    JwtClaims::new(claims, kid, typ).ok()
}
