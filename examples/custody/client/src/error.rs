//! Errors of the client.

use core::fmt;

use custody_core::{CertificateError, Problem, Refusal, RequestState};

/// The reason why the client has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ClientError {
    /// The secret key of the caller is none.
    Secret(&'static str),
    /// The address of the service, or the roots of its certificate, are none.
    Endpoint(String),
    /// The request cannot be made: a value is malformed or outside its limits.
    Request(Refusal),
    /// The service refuses the request.
    Problem(Box<Problem>),
    /// The service did not answer until the deadline. The request may still be done: repeat it under the same nonce.
    Unreachable(String),
    /// The request ended without a result: it was cancelled, or approvals did not come in time.
    Ended(RequestState),
    /// The answer is none of the interface.
    Answer(String),
    /// The certificate of the key does not verify.
    Certificate(CertificateError),
    /// The certificate verifies, and is of another key, scheme or committee than the one that was asked for.
    OtherKey(&'static str),
    /// The key has no such child, or does not sign such a purpose.
    Key(String),
    /// The signature is not one of the message under the key.
    Signature(&'static str),
}

impl From<Refusal> for ClientError {
    fn from(refusal: Refusal) -> Self {
        Self::Request(refusal)
    }
}

impl From<CertificateError> for ClientError {
    fn from(why: CertificateError) -> Self {
        Self::Certificate(why)
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Secret(why) => write!(f, "the key of the caller: {why}"),
            Self::Endpoint(why) => write!(f, "the address of the service: {why}"),
            Self::Request(refusal) => write!(f, "the request cannot be made: {refusal}"),
            Self::Problem(problem) => {
                write!(f, "{} ({}): {}", problem.title, problem.status, problem.detail)?;
                problem.policy.iter().try_for_each(|policy| write!(f, " (policy {policy})"))
            }
            Self::Unreachable(why) => write!(f, "no answer of the service in time: {why}"),
            Self::Ended(state) => write!(f, "the request ended without a result: {state:?}"),
            Self::Answer(why) => write!(f, "the answer is none of this interface: {why}"),
            Self::Certificate(why) => write!(f, "the certificate of the key: {why}"),
            Self::OtherKey(what) => {
                write!(f, "the certificate is of another {what} than the one that was asked for")
            }
            Self::Key(why) => write!(f, "the key: {why}"),
            Self::Signature(why) => write!(f, "the service gave a wrong signature: {why}"),
        }
    }
}

impl core::error::Error for ClientError {}
