//! Errors of the client.

use custody_core::{CertificateError, Problem, Refusal, RequestDescription, RequestState};

/// The reason why the client has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The secret key of the caller is none.
    #[error("the key of the caller: {0}")]
    Secret(&'static str),
    /// The address of the service is none, the roots are no certificates, or the certificate of the service is not trusted under them.
    #[error("the address of the service: {0}")]
    Endpoint(String),
    /// The request cannot be made: a value is malformed or outside its limits.
    #[error("the request cannot be made: {0}")]
    Request(Refusal),
    /// The service refuses the request.
    #[error("{} ({}): {}{}", .0.title, .0.status, .0.detail, policy(.0))]
    Problem(Box<Problem>),
    /// The service did not answer until the deadline. The request may still be done: repeat it under the same nonce.
    #[error("no answer of the service in time: {0}")]
    Unreachable(String),
    /// There is no result: the request was cancelled, or the time of the client was over.
    #[error("the request has no result: {}", state(*.0))]
    Ended(RequestState),
    /// The answer is none of the interface.
    #[error("the answer is none of this interface: {0}")]
    Answer(String),
    /// The certificate of the key does not verify.
    #[error("the certificate of the key: {0}")]
    Certificate(CertificateError),
    /// The certificate verifies, and is of another key, scheme or committee than the one that was asked for.
    #[error("the certificate is of another {0} than the one that was asked for")]
    OtherKey(&'static str),
    /// The key has no such child, or does not sign such a purpose.
    #[error("the key: {0}")]
    Key(String),
    /// The service has signed the same vote before, with another time stamp: the request, whose description has that signature and
    /// the request for it. Nothing in it is verified: see [`PinnedKey::verify`](crate::PinnedKey::verify).
    #[error("the same vote was signed before, with another time stamp")]
    SignedBefore(Box<RequestDescription>),
    /// The signature is not one of the message under the key.
    #[error("the service gave a wrong signature: {0}")]
    Signature(&'static str),
}

impl From<Refusal> for ClientError {
    fn from(why: Refusal) -> Self {
        Self::Request(why)
    }
}

impl From<CertificateError> for ClientError {
    fn from(why: CertificateError) -> Self {
        Self::Certificate(why)
    }
}

const fn state(state: RequestState) -> &'static str {
    match state {
        RequestState::Pending => "it is still under way",
        RequestState::ApprovalsMissing => "approvals are missing",
        RequestState::Done => "it is done",
        RequestState::Refused => "it was refused",
        RequestState::Cancelled => "it was cancelled",
        RequestState::Expired => "its deadline has passed",
    }
}

fn policy(problem: &Problem) -> String {
    problem.policy.as_ref().map(|policy| format!(" (policy {policy})")).unwrap_or_default()
}
