//! BIP-340's tagged hashes and BIP-341's tweak.

use quorate_curve::{Curve, Secp256k1};
use quorate_frost::{Ciphersuite, Scalar, TweakError};
use sha2::{Digest, Sha256};

use crate::{KeyShare, PublicKeyPackage, Secp256k1Taproot, VerifyingKey};

/// What Taproot does with keys (BIP-341).
pub trait Taproot: Sized {
    /// The output key `Q = P + H_TapTweak(P ‖ merkle_root)·G` of the internal key P, with an even
    /// y-coordinate. Without a root, an output key that no script can spend.
    ///
    /// Every party tweaks its share and the coordinator its package, all by the same root.
    ///
    /// # Errors
    /// [`TweakError`] if the tweak is not below the group's order or the output key is the
    /// identity. For a hash that never happens.
    fn tweak(self, merkle_root: Option<[u8; 32]>) -> Result<Self, TweakError>;

    /// The x-coordinate of the group's key, as it stands in an output script.
    fn x_only(&self) -> [u8; 32];
}

impl Taproot for KeyShare {
    fn tweak(self, merkle_root: Option<[u8; 32]>) -> Result<Self, TweakError> {
        let tweak = tweak(&self.x_only(), merkle_root).ok_or(TweakError)?;
        self.shifted(&tweak)
    }

    fn x_only(&self) -> [u8; 32] {
        x_of(self.verifying_key())
    }
}

impl Taproot for PublicKeyPackage {
    fn tweak(self, merkle_root: Option<[u8; 32]>) -> Result<Self, TweakError> {
        let tweak = tweak(&self.x_only(), merkle_root).ok_or(TweakError)?;
        self.shifted(&tweak)
    }

    fn x_only(&self) -> [u8; 32] {
        x_of(self.verifying_key())
    }
}

fn x_of(key: &VerifyingKey) -> [u8; 32] {
    let mut x = [0; 32];
    x.iter_mut().zip(key.as_bytes().iter().skip(1)).for_each(|(to, from)| *to = *from);
    x
}

/// H_TapTweak(x ‖ root) as a scalar, if it is below the order.
pub(crate) fn tweak(x: &[u8], merkle_root: Option<[u8; 32]>) -> Option<Scalar<Secp256k1Taproot>> {
    let root = merkle_root.as_ref().map_or(&[][..], |root| root.as_slice());
    Secp256k1::decode_scalar(&tagged("TapTweak", [x, root]))
}

/// A BIP-340 tagged hash, reduced modulo the order.
pub(crate) fn tagged_hash<'a>(
    tag: &str,
    parts: impl IntoIterator<Item = &'a [u8]>,
) -> Scalar<Secp256k1Taproot> {
    <Secp256k1Taproot as Ciphersuite>::Curve::scalar_from_wide(&tagged(tag, parts))
}

fn tagged<'a>(tag: &str, parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let tag = Sha256::digest(tag);
    let mut hash = Sha256::new().chain_update(tag).chain_update(tag);
    parts.into_iter().for_each(|part| hash.update(part));
    hash.finalize().into()
}
