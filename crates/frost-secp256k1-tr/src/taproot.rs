//! BIP-340's tagged hashes.

use quorate_curve::{Curve, Secp256k1};
use sha2::{Digest, Sha256};

type Scalar = <Secp256k1 as Curve>::Scalar;

/// A BIP-340 tagged hash.
pub(crate) fn tagged_bytes<'a>(tag: &str, parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let tag = Sha256::digest(tag);
    let mut hash = Sha256::new().chain_update(tag).chain_update(tag);
    parts.into_iter().for_each(|part| hash.update(part));
    hash.finalize().into()
}

/// A BIP-340 tagged hash, reduced modulo the order.
pub(crate) fn tagged_hash<'a>(tag: &str, parts: impl IntoIterator<Item = &'a [u8]>) -> Scalar {
    Secp256k1::scalar_from_wide(&tagged_bytes(tag, parts))
}
