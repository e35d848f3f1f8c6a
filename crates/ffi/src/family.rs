//! The properties that this crate needs of a family of keys, once for all suites of FROST and once for all curves of ECDSA.

use quorate::ecdsa::{
    DerivationPath, Ecdsa, EcdsaCurve, KeyShare as EcdsaShare, P256,
    PublicKeyPackage as EcdsaPublic, Secp256k1, Signature as EcdsaSignature,
};
use quorate::frost::ed448::Ed448Shake256;
use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::generic::{
    Ciphersuite, Frost, KeyShare as FrostShare, ParentSuite, PublicKeyPackage, Signature,
};
use quorate::frost::p256::P256Sha256;
use quorate::frost::ristretto255::Ristretto255Sha512;
use quorate::frost::secp256k1::Secp256k1Sha256;
use quorate::frost::secp256k1_tr::{Secp256k1Taproot, XOnly as _};
use quorate::keys::{KeyTypes, SecretShare, SharedKey};

use crate::Scheme;
use crate::error::{ErrorKind, QuorateError, Result};

/// A family of keys.
pub(crate) trait Family:
    KeyTypes<Public: Clone + Send + Sync + 'static, Share: Send + Sync + 'static>
{
    const SCHEME: Scheme;

    fn secret(share: &Self::Share) -> &SecretShare<Self>;
    fn shared(public: &Self::Public) -> &SharedKey<Self>;
    /// The key as its verifiers read it.
    fn verifying_key(public: &Self::Public) -> Vec<u8>;
    /// The key as `SubjectPublicKeyInfo` in PEM.
    fn pem(public: &Self::Public) -> Result<String>;
    fn verify(public: &Self::Public, message: &[u8], signature: &[u8]) -> Result<()>;
    fn child(public: &Self::Public, path: &DerivationPath) -> Result<Self::Public>;
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

    fn child(
        public: &PublicKeyPackage<Self>,
        path: &DerivationPath,
    ) -> Result<PublicKeyPackage<Self>>;

    fn child_share(
        share: &FrostShare<Self>,
        public: &PublicKeyPackage<Self>,
        path: &DerivationPath,
    ) -> Result<FrostShare<Self>>;
}

/// The descendant of a key whose children are keys of the same suite.
fn child<S: ParentSuite>(
    public: &PublicKeyPackage<S>,
    path: &DerivationPath,
) -> Result<PublicKeyPackage<S>> {
    let root = public.extended_key(public.public_chain_code());
    Ok(public.derive(&root, path)?)
}

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

            fn child(
                public: &PublicKeyPackage<Self>,
                path: &DerivationPath,
            ) -> Result<PublicKeyPackage<Self>> {
                child(public, path)
            }

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

parents! {
    Ed25519Sha512: FrostEd25519;
    Ed448Shake256: FrostEd448;
    Ristretto255Sha512: FrostRistretto255;
    P256Sha256: FrostP256;
    Secp256k1Sha256: FrostSecp256k1;
}

/// The keys are output keys, which have no children.
impl Suite for Secp256k1Taproot {
    const SCHEME: Scheme = Scheme::FrostTaproot;

    fn key_bytes(public: &PublicKeyPackage<Self>) -> Vec<u8> {
        public.x_only().to_vec()
    }

    fn child(_: &PublicKeyPackage<Self>, _: &DerivationPath) -> Result<PublicKeyPackage<Self>> {
        Err(<Self as Suite>::SCHEME.lacks("child keys"))
    }

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

    fn verify(public: &PublicKeyPackage<S>, message: &[u8], signature: &[u8]) -> Result<()> {
        let signature = Signature::<S>::from_bytes(signature)?;
        Ok(public.verifying_key().verify(message, &signature)?)
    }

    fn child(public: &PublicKeyPackage<S>, path: &DerivationPath) -> Result<PublicKeyPackage<S>> {
        S::child(public, path)
    }

    fn child_share(
        share: &FrostShare<S>,
        public: &PublicKeyPackage<S>,
        path: &DerivationPath,
    ) -> Result<FrostShare<S>> {
        S::child_share(share, public, path)
    }
}

/// A curve of threshold ECDSA.
pub(crate) trait Curve: EcdsaCurve {
    const SCHEME: Scheme;
}

impl Curve for Secp256k1 {
    const SCHEME: Scheme = Scheme::EcdsaSecp256k1;
}

impl Curve for P256 {
    const SCHEME: Scheme = Scheme::EcdsaP256;
}

impl<C: Curve> Family for Ecdsa<C> {
    const SCHEME: Scheme = <C as Curve>::SCHEME;

    fn secret(share: &EcdsaShare<C>) -> &SecretShare<Self> {
        share.secret_share()
    }

    fn shared(public: &EcdsaPublic<C>) -> &SharedKey<Self> {
        public.shared()
    }

    fn verifying_key(public: &EcdsaPublic<C>) -> Vec<u8> {
        public.verifying_key().as_bytes().to_vec()
    }

    fn pem(public: &EcdsaPublic<C>) -> Result<String> {
        Ok(public.verifying_key().to_spki_pem())
    }

    fn verify(public: &EcdsaPublic<C>, message: &[u8], signature: &[u8]) -> Result<()> {
        let signature = signature.try_into().map_err(|_| {
            QuorateError::new(ErrorKind::Encoding, "expected the 64 bytes of r and s")
        })?;
        let signature = EcdsaSignature::<C>::from_compact(signature)?;
        Ok(public.verifying_key().verify(message, &signature)?)
    }

    fn child(public: &EcdsaPublic<C>, path: &DerivationPath) -> Result<EcdsaPublic<C>> {
        Ok(public.derive(path)?)
    }

    fn child_share(
        share: &EcdsaShare<C>,
        _: &EcdsaPublic<C>,
        path: &DerivationPath,
    ) -> Result<EcdsaShare<C>> {
        Ok(share.derive(path)?)
    }
}
