//! Keys that the client believes in.

use custody_core::{DerivationPath, KeyId, KeySpec, Root, Scheme, SignedCertificate};
use quorate_envelope::Directory;
use serde::{Deserialize, Serialize};

use crate::error::ClientError;

/// A key that all its members have certified.
///
/// Store it, and take no other for the same name. The service may move the key to other members. The public key and its
/// children stay.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PinnedKey {
    key: KeyId,
    scheme: Scheme,
    public_key: Vec<u8>,
    root: Option<Root>,
    /// The cluster of the key's members.
    cluster: String,
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
            root: certificate.root.clone(),
            cluster: directory.deployment().to_string(),
        };
        Ok((pinned, certificate.spec.clone()))
    }

    /// The id.
    #[must_use]
    pub const fn id(&self) -> KeyId {
        self.key
    }

    /// The name of the cluster, for [`Client::new`](crate::Client::new).
    #[must_use]
    pub fn cluster(&self) -> &str {
        &self.cluster
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
        let none = || ClientError::Key(format!("the key of {} has no children", self.scheme));
        let root = self.root.as_ref().ok_or_else(none)?;
        root.public_key(self.scheme, path).map_err(|why| ClientError::Key(why.to_string()))
    }
}
