//! Suites of FROST: the keys that are held, and those that sign.

use quorate::frost::ed448::Ed448Shake256;
use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::generic::{Ciphersuite, KeyShare, KeySuite, PublicKeyPackage, TweakError};
use quorate::frost::secp256k1_tr::{Secp256k1Taproot, TaprootInternal};
use quorate::keys::derive::{Derivable, DerivationPath, DeriveError, ExtendedKey};

/// A suite of keys that the node holds.
pub(crate) trait Suite: KeySuite<Curve: Derivable> {
    /// The suite that signs with a key and its children.
    type Signs: Ciphersuite + KeySuite<Curve = Self::Curve>;
    /// The number of bytes in front of a point that verifiers do not take.
    const SKIP: usize = 0;

    /// The root of a key's children.
    fn root(public: &PublicKeyPackage<Self>) -> ExtendedKey<Self::Curve> {
        public.extended_key(public.public_chain_code())
    }

    /// The public side of what signs at a path.
    fn public_at(
        public: &PublicKeyPackage<Self>,
        path: &DerivationPath,
    ) -> Result<PublicKeyPackage<Self::Signs>, DeriveError>;

    /// The share that signs at a path.
    fn share_at(
        share: &KeyShare<Self>,
        public: &PublicKeyPackage<Self>,
        path: &DerivationPath,
    ) -> Result<KeyShare<Self::Signs>, TweakError>;
}

/// Implements the trait for a suite whose keys sign themselves.
macro_rules! parents {
    ($($suite:ident),*) => {$(
        impl Suite for $suite {
            type Signs = Self;

            fn public_at(
                public: &PublicKeyPackage<Self>,
                path: &DerivationPath,
            ) -> Result<PublicKeyPackage<Self>, DeriveError> {
                public.derive(&Self::root(public), path)
            }

            fn share_at(
                share: &KeyShare<Self>,
                public: &PublicKeyPackage<Self>,
                path: &DerivationPath,
            ) -> Result<KeyShare<Self>, TweakError> {
                share.derive(public, &Self::root(public), path)
            }
        }
    )*};
}

parents!(Ed25519Sha512, Ed448Shake256);

/// An account of BIP-86: every path, `m` too, leads to an output key without scripts.
impl Suite for TaprootInternal {
    type Signs = Secp256k1Taproot;

    // BIP-340 has the x-coordinate alone.
    const SKIP: usize = 1;

    fn public_at(
        public: &PublicKeyPackage<Self>,
        path: &DerivationPath,
    ) -> Result<PublicKeyPackage<Secp256k1Taproot>, DeriveError> {
        public.derive_output(&Self::root(public), path, None)
    }

    fn share_at(
        share: &KeyShare<Self>,
        public: &PublicKeyPackage<Self>,
        path: &DerivationPath,
    ) -> Result<KeyShare<Secp256k1Taproot>, TweakError> {
        share.derive_output(public, &Self::root(public), path, None)
    }
}
