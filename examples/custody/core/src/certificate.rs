//! Certificates of keys: all members say which key it is.

use quorate::PartyId;
use quorate_envelope::{Directory, DirectoryId, Identity};
use serde::{Deserialize, Serialize};

use crate::children::Root;
use crate::fields::{directory_id, party, signature};
use crate::id::KeyId;
use crate::spec::{KeySpec, SpecError};
use crate::wire::{self, OLDEST, WireError};

/// The domain of the signatures.
const DOMAIN: &str = "quorate custody certificate of a key v1";

/// The statement of the members about a key.
///
/// A client that has verified the signatures of all members once pins [`key`](Self::key), and derives child keys itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// The id of the key.
    pub key: KeyId,
    /// The specification, with the present committee.
    pub spec: KeySpec,
    /// The public key, in the encoding that verifiers of the scheme take.
    pub public_key: Vec<u8>,
    /// The public key package: the verifying shares of all members.
    pub package: Vec<u8>,
    /// The number of times that the shares have changed.
    pub epoch: u32,
    /// The root of the key's children, if it has some.
    pub root: Option<Root>,
    /// The directory whose members have certified it.
    #[serde(with = "directory_id")]
    pub directory: DirectoryId,
}

/// The signature of one member under a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endorsement {
    /// The member.
    #[serde(with = "party")]
    pub party: PartyId,
    /// The member's signature with its identity.
    #[serde(with = "signature")]
    pub signature: [u8; 64],
}

/// A certificate with the signatures of members.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedCertificate {
    /// The certificate.
    pub certificate: Certificate,
    /// The signatures, in any order.
    pub signatures: Vec<Endorsement>,
}

/// The reason why a certificate does not show the key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// The specification is outside its limits.
    #[error("{0}")]
    Spec(SpecError),
    /// The id is not that of the public key.
    #[error("the id in the certificate is not that of its public key")]
    OtherKey,
    /// The certificate is of another directory.
    #[error("expected a certificate of directory {expected}, got one of {got}: ask for a new one")]
    OtherDirectory {
        /// The directory of the verifier.
        expected: DirectoryId,
        /// The directory of the certificate.
        got: DirectoryId,
    },
    /// This member has not signed.
    #[error("member {0} has not signed the certificate")]
    Missing(PartyId),
    /// The directory has no member with this number.
    #[error("the directory has no party {0}")]
    NotInDirectory(PartyId),
    /// The signature of this member does not verify.
    #[error("the signature of member {0} does not verify")]
    BadSignature(PartyId),
}

impl Certificate {
    /// The longest encoding, in bytes.
    pub const MAX_BYTES: usize = 1 << 20;

    /// The encoding, which is what members sign.
    ///
    /// # Errors
    /// [`WireError::Length`] if it is longer than [`MAX_BYTES`](Self::MAX_BYTES).
    pub fn to_bytes(&self) -> Result<Vec<u8>, WireError> {
        wire::encode(self, Self::MAX_BYTES, (OLDEST, OLDEST))
    }

    /// Signs the certificate as this member.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes).
    pub fn endorse(&self, party: PartyId, identity: &Identity) -> Result<Endorsement, WireError> {
        let signature = identity.sign_statement(DOMAIN, &self.to_bytes()?);
        Ok(Endorsement { party, signature })
    }

    /// Verifies the signature of one member, by the keys that the directory has for it.
    ///
    /// # Errors
    /// [`CertificateError::NotInDirectory`], [`CertificateError::BadSignature`].
    pub fn verify_endorsement(
        &self,
        endorsement: &Endorsement,
        directory: &Directory,
    ) -> Result<(), CertificateError> {
        let Endorsement { party, signature } = endorsement;
        let member = directory.member_of(*party).ok_or(CertificateError::NotInDirectory(*party))?;
        let signs = |bytes: Vec<u8>| member.current.verify_statement(DOMAIN, &bytes, signature);
        if self.to_bytes().is_ok_and(signs) {
            Ok(())
        } else {
            Err(CertificateError::BadSignature(*party))
        }
    }

    /// Checks what needs no signature: the limits, the id and the directory.
    ///
    /// # Errors
    /// [`CertificateError::Spec`], [`CertificateError::OtherKey`], [`CertificateError::OtherDirectory`].
    pub fn check(&self, directory: &Directory) -> Result<(), CertificateError> {
        self.spec.check().map_err(CertificateError::Spec)?;
        if KeyId::of(self.spec.scheme, &self.public_key) != self.key {
            return Err(CertificateError::OtherKey);
        }
        let (expected, got) = (directory.id(), self.directory);
        if expected == got {
            Ok(())
        } else {
            Err(CertificateError::OtherDirectory { expected, got })
        }
    }
}

impl SignedCertificate {
    /// The longest encoding, in bytes.
    pub const MAX_BYTES: usize = Certificate::MAX_BYTES + (1 << 14);

    /// The first byte of [`to_statement`](Self::to_statement).
    pub const STATEMENT: u8 = 3;

    /// The stored form.
    ///
    /// # Errors
    /// [`WireError::Length`] if it is longer than [`MAX_BYTES`](Self::MAX_BYTES).
    pub fn to_bytes(&self) -> Result<Vec<u8>, WireError> {
        wire::encode(self, Self::MAX_BYTES, (OLDEST, OLDEST))
    }

    /// The certificate as a statement of [`Order::Agree`](crate::Order::Agree): a node whose share is not confirmed confirms it
    /// when all members have certified the same package.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes).
    pub fn to_statement(&self) -> Result<Vec<u8>, WireError> {
        let mut statement = vec![Self::STATEMENT];
        statement.extend(self.to_bytes()?);
        Ok(statement)
    }

    /// Reads the stored form, of which nothing is verified yet.
    ///
    /// # Errors
    /// [`WireError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WireError> {
        wire::decode(bytes, Self::MAX_BYTES, |_| OLDEST)
    }

    /// Verifies that **all** members of the key have signed, by a directory that the caller trusts.
    ///
    /// # Errors
    /// The first [`CertificateError`].
    pub fn verify(&self, directory: &Directory) -> Result<&Certificate, CertificateError> {
        let certificate = &self.certificate;
        certificate.check(directory)?;
        for member in &certificate.spec.members {
            let found = self.signatures.iter().find(|one| one.party == *member);
            let endorsement = found.ok_or(CertificateError::Missing(*member))?;
            certificate.verify_endorsement(endorsement, directory)?;
        }
        Ok(certificate)
    }
}
