//! BIP-340's tagged hashes and BIP-341's tweak.

use quorate_curve::{Curve, Secp256k1};
use quorate_frost::{KeyShare, KeySuite, PublicKeyPackage, Scalar, VerifyingKey};
use sha2::{Digest, Sha256};

use crate::{Secp256k1Taproot, TaprootInternal};

/// The x-coordinate of a key, as it stands in an output script or a BIP-340 public key.
pub trait XOnly {
    /// The x-coordinate of the group's key, big-endian.
    fn x_only(&self) -> [u8; 32];
}

macro_rules! x_only {
    ($($suite:ty),*) => {$(
        impl XOnly for VerifyingKey<$suite> {
            fn x_only(&self) -> [u8; 32] {
                let mut x = [0; 32];
                x.iter_mut().zip(self.as_bytes().iter().skip(1)).for_each(|(to, from)| *to = *from);
                x
            }
        }

        impl XOnly for KeyShare<$suite> {
            fn x_only(&self) -> [u8; 32] {
                self.verifying_key().x_only()
            }
        }

        impl XOnly for PublicKeyPackage<$suite> {
            fn x_only(&self) -> [u8; 32] {
                self.verifying_key().x_only()
            }
        }
    )*};
}

x_only!(Secp256k1Taproot, TaprootInternal);

/// H_TapTweak(x ‖ root) as a scalar, if it is below the order.
pub(crate) fn tweak(x: &[u8], merkle_root: Option<&[u8; 32]>) -> Option<Scalar<Secp256k1Taproot>> {
    let root = merkle_root.map_or(&[][..], |root| root.as_slice());
    Secp256k1::decode_scalar(&tagged("TapTweak", [x, root]))
}

/// A BIP-340 tagged hash, reduced modulo the order.
pub(crate) fn tagged_hash<'a>(
    tag: &str,
    parts: impl IntoIterator<Item = &'a [u8]>,
) -> Scalar<Secp256k1Taproot> {
    <Secp256k1Taproot as KeySuite>::Curve::scalar_from_wide(&tagged(tag, parts))
}

fn tagged<'a>(tag: &str, parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let tag = Sha256::digest(tag);
    let mut hash = Sha256::new().chain_update(tag).chain_update(tag);
    parts.into_iter().for_each(|part| hash.update(part));
    hash.finalize().into()
}
