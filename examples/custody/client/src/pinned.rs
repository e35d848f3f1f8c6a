//! Keys that the client believes in.

use custody_core::{
    Child, KeyId, KeySpec, Refusal, Root, Scheme, SignatureDescription, SignedCertificate,
};
use quorate_envelope::Directory;
use quorate_purpose::Purpose;
use serde::{Deserialize, Serialize};

use crate::client::{Asked, signed_by};
use crate::error::ClientError;
use crate::verify::{Signature, verify};

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

    /// The public key of a child, in the encoding that verifiers of the scheme take. [`Child::default`] is the key itself.
    ///
    /// # Errors
    /// [`ClientError::Key`] if the key has no such child.
    pub fn public_key(&self, child: &Child) -> Result<Vec<u8>, ClientError> {
        if *child == Child::default() {
            return Ok(self.public_key.clone());
        }
        child.check_scheme(self.scheme).map_err(refused)?;
        self.root()?.public_key(self.scheme, child).map_err(refused)
    }

    /// The internal key of a child of a Taproot key: 32 bytes, of which the control blocks of its scripts are made. Other keys have
    /// none.
    ///
    /// # Errors
    /// [`ClientError::Key`] if the key has no such child.
    pub fn internal_key(&self, child: &Child) -> Result<Option<[u8; 32]>, ClientError> {
        if self.scheme != Scheme::Taproot {
            return Ok(None);
        }
        Ok(Some(*self.root()?.taproot(child).map_err(refused)?.internal()))
    }

    /// Verifies the signature of a purpose, for a child and under a context: of a request that was read again, for example.
    ///
    /// # Errors
    /// [`ClientError::Signature`] if it does not verify, [`ClientError::Key`] if the key does not sign such a purpose.
    pub fn verify(
        &self,
        purpose: &Purpose,
        asked: &Asked,
        given: SignatureDescription,
    ) -> Result<Signature, ClientError> {
        let (public_key, message) = signed_by(self, purpose, &asked.child())?;
        verify(self.scheme, public_key, (&message, &asked.context), given)
    }

    fn root(&self) -> Result<&Root, ClientError> {
        let none = || ClientError::Key(format!("the key of {} has no children", self.scheme));
        self.root.as_ref().ok_or_else(none)
    }
}

fn refused(why: Refusal) -> ClientError {
    ClientError::Key(why.to_string())
}
