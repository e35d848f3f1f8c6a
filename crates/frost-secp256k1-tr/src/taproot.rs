//! BIP-340's tagged hashes and BIP-341's tweak.

use quorate_curve::{Curve, Secp256k1};
use sha2::{Digest, Sha256};

type Scalar = <Secp256k1 as Curve>::Scalar;

/// H_TapTweak(x ‖ root) as a scalar, if it is below the order.
pub(crate) fn tweak(x: &[u8], merkle_root: Option<&[u8; 32]>) -> Option<Scalar> {
    let root = merkle_root.map_or(&[][..], |root| root.as_slice());
    Secp256k1::decode_scalar(&tagged("TapTweak", [x, root]))
}

/// A BIP-340 tagged hash, reduced modulo the order.
pub(crate) fn tagged_hash<'a>(tag: &str, parts: impl IntoIterator<Item = &'a [u8]>) -> Scalar {
    Secp256k1::scalar_from_wide(&tagged(tag, parts))
}

fn tagged<'a>(tag: &str, parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let tag = Sha256::digest(tag);
    let mut hash = Sha256::new().chain_update(tag).chain_update(tag);
    parts.into_iter().for_each(|part| hash.update(part));
    hash.finalize().into()
}
