//! BIP-340's tagged hashes, and its halves of points.

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

/// The x-coordinate of a compressed point.
pub(crate) const fn x_only(point: &[u8; 33]) -> &[u8; 32] {
    let [_, x @ ..] = point;
    x
}

/// Whether a point, by its compressed form, has an even y-coordinate.
#[cfg(any(feature = "bip445-draft", feature = "chilldkg-draft"))]
pub(crate) const fn is_even(point: &[u8; 33]) -> bool {
    let [tag, ..] = point;
    *tag == 2
}

/// A scalar, or its negative.
#[cfg(any(feature = "bip445-draft", feature = "chilldkg-draft"))]
pub(crate) fn signed(negated: bool, scalar: Scalar) -> Scalar {
    if negated { -scalar } else { scalar }
}
