//! The x-coordinates of keys.

use quorate_frost::{KeyShare, PublicKeyPackage, VerifyingKey};

use crate::{Secp256k1Taproot, TaprootInternal};

/// The x-coordinate of a key, in the form of an output script or a BIP-340 public key.
pub trait XOnly {
    /// The x-coordinate of the group's key, big-endian.
    fn x_only(&self) -> [u8; 32];
}

macro_rules! x_only {
    ($($suite:ty),*) => {$(
        impl XOnly for VerifyingKey<$suite> {
            fn x_only(&self) -> [u8; 32] {
                let [_, x @ ..] = self.as_bytes();
                *x
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
