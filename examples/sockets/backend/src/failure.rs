//! The reasons why there is no key, or no signature.

use custody_core::KeyId;

/// The reason why a backend has no answer. The text is for the user of the consumer, or for the log of the socket.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// A policy, or a signer, refuses the request.
    #[error("refused: {0}")]
    Refused(String),
    /// Another value was signed at this place, or a later one: a vote that contradicts an earlier vote.
    #[error("refused, since it contradicts what was signed before: {0}")]
    Conflict(String),
    /// The backend has no such key.
    #[error("there is no key {0}")]
    UnknownKey(KeyId),
    /// The key does not sign such a purpose: it is bound to others, or its scheme does not sign it.
    #[error("not a purpose of this key: {0}")]
    WrongPurpose(String),
    /// A value of the request is malformed or outside its limits.
    #[error("malformed: {0}")]
    Malformed(String),
    /// The time is over: approvals, presignatures or signers were missing.
    #[error("no signature in time: {0}")]
    Expired(String),
    /// The committee does not answer, or has too much to do. The same question may succeed later.
    #[error("the committee does not answer: {0}")]
    Unavailable(String),
    /// The backend does not offer this.
    #[error("not offered here: {0}")]
    Unsupported(String),
    /// The answer is wrong, or the configuration is. An operator has to look.
    #[error("broken: {0}")]
    Broken(String),
}

impl Failure {
    /// Returns whether the same question may succeed later without a change by anybody.
    #[must_use]
    pub const fn is_retryable(&self) -> bool {
        matches!(self, Self::Expired(_) | Self::Unavailable(_))
    }
}
