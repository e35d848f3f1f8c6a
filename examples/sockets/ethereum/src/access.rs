//! Access keys in requests, by HTTP Basic.

use axum::http::{HeaderMap, header};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest as _, Sha256};
use sockets_backend::AccessKeys;
use zeroize::Zeroizing;

/// The name of the access key of a request, if it has one and its secret.
///
/// A request of a web page has none, whatever else it has: browsers send the credentials that they know to whoever is asked.
pub(crate) fn access_key(headers: &HeaderMap, access: &AccessKeys) -> Option<String> {
    if headers.contains_key(header::ORIGIN) {
        return None;
    }
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let (scheme, encoded) = value.to_str().ok()?.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let decoded = Zeroizing::new(BASE64_STANDARD.decode(encoded.trim()).ok()?);
    let (name, secret) = core::str::from_utf8(&decoded).ok()?.split_once(':')?;
    // The time of a comparison of hashes says nothing about the secret.
    let hash = |secret: &str| Sha256::digest(secret.as_bytes());
    (hash(access.secret(name)?) == hash(secret)).then(|| name.to_owned())
}
