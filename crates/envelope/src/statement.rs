//! Statements of a member, which it signs for whoever reads them: a certificate of a key, the head of a log.

use quorate_session::Transcript;

use crate::identity::Identity;
use crate::keys::PublicIdentity;

impl Identity {
    /// Signs a statement with the Ed25519 key of this identity.
    ///
    /// The domain names the application and the kind of statement, so that no statement passes for one of another kind. The
    /// deployment is not signed: a statement that is void in other deployments contains the [`DirectoryId`] of its directory.
    ///
    /// [`DirectoryId`]: crate::DirectoryId
    #[must_use]
    pub fn sign_statement(&self, domain: &str, statement: &[u8]) -> [u8; 64] {
        self.sign(signed(self.public(), domain, statement))
    }
}

impl PublicIdentity {
    /// Returns whether the holder of these keys has signed the statement under this domain.
    ///
    /// A statement is not fresh: whoever has seen it can show it again at any time.
    #[must_use]
    pub fn verify_statement(&self, domain: &str, statement: &[u8], signature: &[u8; 64]) -> bool {
        self.verifies(signed(self, domain, statement), signature)
    }
}

/// The signed bytes: the signer's keys, the domain and the statement.
fn signed(signer: &PublicIdentity, domain: &str, statement: &[u8]) -> Transcript {
    let mut transcript = Transcript::new("envelope statement");
    transcript.append("signer", signer.id().as_bytes());
    transcript.append("domain", domain.as_bytes());
    transcript.append("statement", statement);
    transcript
}
