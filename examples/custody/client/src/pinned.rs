//! Keys that the client believes in.

use custody_core::{DerivationPath, KeyId, KeySpec, Scheme, SignedCertificate};
use quorate_curve::{P256, Secp256k1};
use quorate_envelope::Directory;
use quorate_keys::derive::{Derivable, Derived};
use serde::{Deserialize, Serialize};

use crate::error::ClientError;

/// A key that all its members have certified.
///
/// Store it, and take no other for the same name. The service may move the key to other members. The public key and the
/// chain code stay.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PinnedKey {
    key: KeyId,
    scheme: Scheme,
    public_key: Vec<u8>,
    chain_code: Option<[u8; 32]>,
}

impl PinnedKey {
    /// Pins the key of a certificate that all members have signed, by a directory that the caller trusts.
    ///
    /// # Errors
    /// [`ClientError::Answer`] if the bytes are no certificate, [`ClientError::Certificate`] if it does not verify.
    pub fn from_certificate(
        bytes: &[u8],
        directory: &Directory,
    ) -> Result<(Self, KeySpec), ClientError> {
        let signed = SignedCertificate::from_bytes(bytes)
            .map_err(|why| ClientError::Answer(why.to_string()))?;
        let certificate = signed.verify(directory)?;
        let pinned = Self {
            key: certificate.key,
            scheme: certificate.spec.scheme,
            public_key: certificate.public_key.clone(),
            chain_code: certificate.chain_code,
        };
        Ok((pinned, certificate.spec.clone()))
    }

    /// The id.
    #[must_use]
    pub const fn id(&self) -> KeyId {
        self.key
    }

    /// The scheme.
    #[must_use]
    pub const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The public key at a path, in the encoding that verifiers of the scheme take. The path `m` is the key itself.
    ///
    /// # Errors
    /// [`ClientError::Key`] if the key has no such child.
    pub fn public_key(&self, path: &DerivationPath) -> Result<Vec<u8>, ClientError> {
        if path.indices().is_empty() {
            return Ok(self.public_key.clone());
        }
        let none = || ClientError::Key(format!("keys of {} have no children", self.scheme));
        let chain_code = self.chain_code.ok_or_else(none)?;
        match self.scheme {
            Scheme::EcdsaSecp256k1 => child::<Secp256k1>(&self.public_key, &chain_code, path),
            Scheme::EcdsaP256 => child::<P256>(&self.public_key, &chain_code, path),
            _ => Err(none()),
        }
    }
}

/// Derives a child by BIP-32 or SLIP-10.
fn child<C: Derivable>(
    key: &[u8],
    chain_code: &[u8; 32],
    path: &DerivationPath,
) -> Result<Vec<u8>, ClientError> {
    let key = C::decode_point(key)
        .ok_or_else(|| ClientError::Key("the public key is no point".to_owned()))?;
    let derived = Derived::<C>::at(&key, chain_code, path)
        .map_err(|why| ClientError::Key(why.to_string()))?;
    Ok(C::encode_point(&derived.key).as_ref().to_vec())
}
