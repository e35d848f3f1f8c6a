//! The curves of threshold ECDSA.

use quorate::ecdsa::{
    Ecdsa, EcdsaCurve, KeyShare, P256, PublicKeyPackage, Secp256k1, Signature, VerifyingKey,
};
#[cfg(feature = "life")]
use quorate::keys::derive::DerivationPath;
use quorate::keys::{SecretShare, SharedKey};

use super::Family;
use crate::Scheme;
use crate::error::{ErrorKind, QuorateError, Result};

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

/// Bytes of exactly this number.
fn sized<'b, const N: usize>(what: &str, bytes: &'b [u8]) -> Result<&'b [u8; N]> {
    let other = |_| QuorateError::new(ErrorKind::Encoding, format_args!("expected the {what}"));
    bytes.try_into().map_err(other)
}

impl<C: Curve> Family for Ecdsa<C> {
    const SCHEME: Scheme = <C as Curve>::SCHEME;
    type Key = VerifyingKey<C>;

    fn secret(share: &KeyShare<C>) -> &SecretShare<Self> {
        share.secret_share()
    }

    fn shared(public: &PublicKeyPackage<C>) -> &SharedKey<Self> {
        public.shared()
    }

    fn verifying_key(public: &PublicKeyPackage<C>) -> Vec<u8> {
        public.verifying_key().as_bytes().to_vec()
    }

    fn pem(public: &PublicKeyPackage<C>) -> Result<String> {
        Ok(public.verifying_key().to_spki_pem())
    }

    fn key(public: &PublicKeyPackage<C>) -> &VerifyingKey<C> {
        public.verifying_key()
    }

    fn read_key(bytes: &[u8]) -> Result<VerifyingKey<C>> {
        let bytes = sized("33 bytes of a compressed point", bytes)?;
        Ok(VerifyingKey::from_bytes(bytes)?)
    }

    fn verify(key: &VerifyingKey<C>, message: &[u8], signature: &[u8]) -> Result<()> {
        let signature = sized("64 bytes of r and s", signature)?;
        Ok(key.verify(message, &Signature::<C>::from_compact(signature)?)?)
    }

    #[cfg(feature = "life")]
    fn child(public: &PublicKeyPackage<C>, path: &DerivationPath) -> Result<PublicKeyPackage<C>> {
        Ok(public.derive(path)?)
    }

    #[cfg(feature = "life")]
    fn child_share(
        share: &KeyShare<C>,
        _: &PublicKeyPackage<C>,
        path: &DerivationPath,
    ) -> Result<KeyShare<C>> {
        Ok(share.derive(path)?)
    }
}
