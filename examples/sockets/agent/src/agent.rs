//! The answers of the agent.

use core::time::Duration;
use std::sync::Arc;

use custody_core::Scheme;
use quorate_purpose::{Kind, Malformed as MalformedPurpose, Purpose, SshSignature, SshUserAuth};
use sockets_backend::encoding::ssh;
use sockets_backend::{Asked, Backend, Failure, Key};

use crate::message::{Answer, Malformed, Request};

/// The purposes of SSH.
const KINDS: [Kind; 2] = [Kind::SshSignature, Kind::SshUserAuth];
/// The first bytes of what is signed for a file.
const FILE: &[u8] = b"SSHSIG";

/// An SSH agent over a backend.
pub struct Agent {
    backend: Arc<dyn Backend>,
    within: Duration,
}

/// The reason why the agent answers with a failure.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// The bytes are no request.
    #[error(transparent)]
    Message(#[from] Malformed),
    /// The agent does not serve requests of this type.
    #[error("requests of the type {0} are not served")]
    Unsupported(u8),
    /// The client wants one of the signatures of RSA.
    #[error("flags of signatures are for RSA, which is not served: {0}")]
    Flags(u32),
    /// The agent has no such key.
    #[error("the agent does not have the key that is asked for")]
    UnknownKey,
    /// The bytes are neither a login nor the signature of a file.
    #[error("neither a login nor the signature of a file, so nobody can say what it is: {0}")]
    Purpose(MalformedPurpose),
    /// The login is that of another key.
    #[error("the login is with another key than the one that is to sign")]
    OtherKey,
    /// The backend has no signature.
    #[error(transparent)]
    Backend(#[from] Failure),
}

impl Agent {
    /// An agent that shows the keys of a backend.
    #[must_use]
    pub fn new(backend: Arc<dyn Backend>) -> Self {
        Self { backend, within: Asked::WITHIN }
    }

    /// Sets the time that a signature may take. Where people approve logins, it is long.
    #[must_use]
    pub fn within(self, within: Duration) -> Self {
        Self { within, ..self }
    }

    /// Answers a message, without the length in front of it, for a user of this machine. The reason of a failure is logged.
    pub async fn answer(&self, message: &[u8], user: u32) -> Answer {
        match self.answered(message, user).await {
            Ok(answer) => answer,
            Err(why) => {
                // OpenSSH tries extensions, such as session-bind, and goes on without them.
                match why {
                    Refused::Unsupported(_) => tracing::debug!(user, %why, "refused"),
                    _ => tracing::warn!(user, %why, "refused"),
                }
                Answer::Failure
            }
        }
    }

    async fn answered(&self, message: &[u8], user: u32) -> Result<Answer, Refused> {
        match Request::from_bytes(message)? {
            Request::Identities => {
                let keys = self.keys().await?;
                Ok(Answer::Identities(
                    keys.into_iter().map(|(key, blob)| (blob, key.name)).collect(),
                ))
            }
            Request::Sign { key, data, flags: 0 } => self.sign(key, data, user).await,
            Request::Sign { flags, .. } => Err(Refused::Flags(flags)),
            Request::Other(kind) => Err(Refused::Unsupported(kind)),
        }
    }

    /// The keys that OpenSSH knows, with their blobs.
    async fn keys(&self) -> Result<Vec<(Key, Vec<u8>)>, Failure> {
        let mut keys = self.backend.keys().await?;
        keys.retain(|key| {
            matches!(key.scheme, Scheme::Ed25519 | Scheme::EcdsaP256)
                && KINDS.iter().any(|kind| key.allows(*kind))
        });
        let blob = |key: Key| ssh::public_key(key.scheme, &key.public_key).map(|blob| (key, blob));
        keys.into_iter().map(blob).collect()
    }

    async fn sign(&self, blob: &[u8], data: &[u8], user: u32) -> Result<Answer, Refused> {
        let keys = self.keys().await?;
        let found = keys.into_iter().find(|(_, known)| known.as_slice() == blob);
        let (key, _) = found.ok_or(Refused::UnknownKey)?;
        let purpose = purpose(data, blob)?;
        let what = describe(&purpose);
        let asked = Asked::new(purpose).on_behalf(format!("uid {user}")).within(self.within);
        let signature = self.backend.sign(key.id, &asked).await?;
        tracing::info!(user, key = key.name, what, "signed");
        Ok(Answer::Signature(ssh::signature(key.scheme, &signature.bytes)?))
    }
}

/// Reads what is to be signed. A login has to be with the key that signs.
fn purpose(data: &[u8], blob: &[u8]) -> Result<Purpose, Refused> {
    if data.starts_with(FILE) {
        return SshSignature::from_signed_bytes(data).map(Purpose::from).map_err(Refused::Purpose);
    }
    let login = SshUserAuth::from_signed_bytes(data).map_err(Refused::Purpose)?;
    if login.public_key() == blob { Ok(login.into()) } else { Err(Refused::OtherKey) }
}

/// The purpose in a few words, for the log.
fn describe(purpose: &Purpose) -> String {
    let facts = purpose.facts();
    match (facts.text("namespace"), facts.text("user")) {
        (Some(namespace), _) => format!("a signature in the namespace {namespace:?}"),
        (_, Some(user)) => format!("a login as {user:?}"),
        _ => purpose.kind().to_string(),
    }
}

impl core::fmt::Debug for Agent {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Agent").field("within", &self.within).finish_non_exhaustive()
    }
}
