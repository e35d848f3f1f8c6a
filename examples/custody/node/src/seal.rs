//! Sealed rows. Each is bound to its purpose and its name: a row that is moved does not open.

use custody_core::Refusal;
use quorate::SealKey;
use quorate::session::wire::bounded;
use quorate::session::zeroize::Zeroizing;

use crate::rows::internal;

/// A share of a key, by the key.
pub(crate) const SHARE: &str = "custody share";
/// Auxiliary information, by the request that made it.
pub(crate) const AUX: &str = "custody auxiliary information";
/// What stays in the specification of a key, by the key.
pub(crate) const SPEC: &str = "custody specification";
/// The search for primes, by nothing.
pub(crate) const PRIMES: &str = "custody search for primes";

/// Seals bytes for this purpose and name.
pub(crate) fn seal(
    key: &SealKey,
    purpose: &'static str,
    name: impl ToString,
    secret: &[u8],
) -> Vec<u8> {
    let name = name.to_string();
    let mut plain = Zeroizing::new(Vec::with_capacity(secret.len() + name.len() + 1));
    // A name is an id of 64 digits, or empty.
    plain.push(bounded(name.len()));
    plain.extend_from_slice(name.as_bytes());
    plain.extend_from_slice(secret);
    key.seal_bytes(purpose, &plain)
}

/// Opens bytes of this purpose and name.
pub(crate) fn open(
    key: &SealKey,
    purpose: &'static str,
    name: impl ToString,
    sealed: &[u8],
) -> Result<Zeroizing<Vec<u8>>, Refusal> {
    let plain = key.open_bytes(purpose, sealed).map_err(internal)?;
    let (length, rest) = plain.split_first().ok_or_else(|| internal("a sealed row is empty"))?;
    let (found, secret) = rest.split_at_checked(usize::from(*length)).unwrap_or_default();
    if found == name.to_string().as_bytes() {
        Ok(Zeroizing::new(secret.to_vec()))
    } else {
        Err(internal("a sealed row stands under another name"))
    }
}
