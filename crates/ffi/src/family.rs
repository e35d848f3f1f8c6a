//! The properties that this crate needs of a family of keys, once for all suites of FROST and once for all curves of ECDSA.

#[cfg(feature = "ecdsa")]
mod ecdsa;

use quorate::frost::ed25519::Ed25519Sha512;
#[cfg(feature = "life")]
use quorate::frost::generic::ParentSuite;
use quorate::frost::generic::{
    Ciphersuite, Frost, KeyShare as FrostShare, PublicKeyPackage, Signature, VerifyingKey,
};
#[cfg(feature = "frost")]
use quorate::frost::{
    ed448::Ed448Shake256,
    p256::P256Sha256,
    ristretto255::Ristretto255Sha512,
    secp256k1::Secp256k1Sha256,
    secp256k1_tr::{Secp256k1Taproot, XOnly as _},
};
#[cfg(feature = "life")]
use quorate::keys::derive::DerivationPath;
use quorate::keys::{KeyTypes, SecretShare, SharedKey};

#[cfg(feature = "ecdsa")]
pub(crate) use self::ecdsa::Curve;
use crate::Scheme;
use crate::error::Result;

/// A family of keys.
pub(crate) trait Family:
    KeyTypes<Public: Clone + Send + Sync + 'static, Share: Send + Sync + 'static>
{
    const SCHEME: Scheme;
    /// A key, decoded.
    type Key;

    fn secret(share: &Self::Share) -> &SecretShare<Self>;
    fn shared(public: &Self::Public) -> &SharedKey<Self>;
    /// The key as its verifiers read it.
    fn verifying_key(public: &Self::Public) -> Vec<u8>;
    /// The key as `SubjectPublicKeyInfo` in PEM.
    fn pem(public: &Self::Public) -> Result<String>;
    fn key(public: &Self::Public) -> &Self::Key;
    /// Undoes `verifying_key`.
    fn read_key(bytes: &[u8]) -> Result<Self::Key>;
    fn verify(key: &Self::Key, message: &[u8], signature: &[u8]) -> Result<()>;
    #[cfg(feature = "life")]
    fn child(public: &Self::Public, path: &DerivationPath) -> Result<Self::Public>;
    #[cfg(feature = "life")]
    fn child_share(
        share: &Self::Share,
        public: &Self::Public,
        path: &DerivationPath,
    ) -> Result<Self::Share>;
}

/// A suite of FROST.
pub(crate) trait Suite: Ciphersuite {
    const SCHEME: Scheme;

    /// The key as its verifiers read it.
    fn key_bytes(public: &PublicKeyPackage<Self>) -> Vec<u8> {
        public.verifying_key().as_bytes().as_ref().to_vec()
    }

    /// Undoes `key_bytes`.
    fn read_key(bytes: &[u8]) -> Result<VerifyingKey<Self>> {
        Ok(VerifyingKey::from_bytes(bytes)?)
    }

    #[cfg(feature = "life")]
    fn child(
        public: &PublicKeyPackage<Self>,
        path: &DerivationPath,
    ) -> Result<PublicKeyPackage<Self>>;

    #[cfg(feature = "life")]
    fn child_share(
        share: &FrostShare<Self>,
        public: &PublicKeyPackage<Self>,
        path: &DerivationPath,
    ) -> Result<FrostShare<Self>>;
}

#[cfg(feature = "life")]
/// The descendant of a key whose children are keys of the same suite.
fn child<S: ParentSuite>(
    public: &PublicKeyPackage<S>,
    path: &DerivationPath,
) -> Result<PublicKeyPackage<S>> {
    let root = public.extended_key(public.public_chain_code());
    Ok(public.derive(&root, path)?)
}

#[cfg(feature = "life")]
fn child_share<S: ParentSuite>(
    share: &FrostShare<S>,
    public: &PublicKeyPackage<S>,
    path: &DerivationPath,
) -> Result<FrostShare<S>> {
    let root = public.extended_key(public.public_chain_code());
    Ok(share.derive(public, &root, path)?)
}

macro_rules! parents {
    ($($suite:ty: $scheme:ident;)*) => {$(
        impl Suite for $suite {
            const SCHEME: Scheme = Scheme::$scheme;

            #[cfg(feature = "life")]
    fn child(
                public: &PublicKeyPackage<Self>,
                path: &DerivationPath,
            ) -> Result<PublicKeyPackage<Self>> {
                child(public, path)
            }

            #[cfg(feature = "life")]
    fn child_share(
                share: &FrostShare<Self>,
                public: &PublicKeyPackage<Self>,
                path: &DerivationPath,
            ) -> Result<FrostShare<Self>> {
                child_share(share, public, path)
            }
        }
    )*};
}

parents! { Ed25519Sha512: FrostEd25519; }

#[cfg(feature = "frost")]
parents! {
    Ed448Shake256: FrostEd448;
    Ristretto255Sha512: FrostRistretto255;
    P256Sha256: FrostP256;
    Secp256k1Sha256: FrostSecp256k1;
}

/// The keys are output keys, which have no children.
#[cfg(feature = "frost")]
impl Suite for Secp256k1Taproot {
    const SCHEME: Scheme = Scheme::FrostTaproot;

    fn key_bytes(public: &PublicKeyPackage<Self>) -> Vec<u8> {
        public.x_only().to_vec()
    }

    fn read_key(x: &[u8]) -> Result<VerifyingKey<Self>> {
        // The point with this x and an even y.
        Ok(VerifyingKey::from_bytes(&[&[2], x].concat())?)
    }

    #[cfg(feature = "life")]
    fn child(_: &PublicKeyPackage<Self>, _: &DerivationPath) -> Result<PublicKeyPackage<Self>> {
        Err(<Self as Suite>::SCHEME.lacks("child keys"))
    }

    #[cfg(feature = "life")]
    fn child_share(
        _: &FrostShare<Self>,
        _: &PublicKeyPackage<Self>,
        _: &DerivationPath,
    ) -> Result<FrostShare<Self>> {
        Err(<Self as Suite>::SCHEME.lacks("child keys"))
    }
}

impl<S: Suite> Family for Frost<S> {
    const SCHEME: Scheme = S::SCHEME;
    type Key = VerifyingKey<S>;

    fn secret(share: &FrostShare<S>) -> &SecretShare<Self> {
        share.secret_share()
    }

    fn shared(public: &PublicKeyPackage<S>) -> &SharedKey<Self> {
        public.shared()
    }

    fn verifying_key(public: &PublicKeyPackage<S>) -> Vec<u8> {
        S::key_bytes(public)
    }

    fn pem(_: &PublicKeyPackage<S>) -> Result<String> {
        Err(S::SCHEME.lacks("keys in PEM"))
    }

    fn key(public: &PublicKeyPackage<S>) -> &VerifyingKey<S> {
        public.verifying_key()
    }

    fn read_key(bytes: &[u8]) -> Result<VerifyingKey<S>> {
        S::read_key(bytes)
    }

    fn verify(key: &VerifyingKey<S>, message: &[u8], signature: &[u8]) -> Result<()> {
        Ok(key.verify(message, &Signature::<S>::from_bytes(signature)?)?)
    }

    #[cfg(feature = "life")]
    fn child(public: &PublicKeyPackage<S>, path: &DerivationPath) -> Result<PublicKeyPackage<S>> {
        S::child(public, path)
    }

    #[cfg(feature = "life")]
    fn child_share(
        share: &FrostShare<S>,
        public: &PublicKeyPackage<S>,
        path: &DerivationPath,
    ) -> Result<FrostShare<S>> {
        S::child_share(share, public, path)
    }
}
