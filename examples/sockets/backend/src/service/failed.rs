//! The errors of the service, for users of a socket.

use custody_client::ClientError;
use custody_core::{KeyId, Problem, Reason, RequestState};

use crate::failure::Failure;

/// The failure that an error of the client is, for a request about a key.
pub(super) fn failed(why: ClientError, key: Option<KeyId>) -> Failure {
    let text = why.to_string();
    match why {
        ClientError::Problem(problem) => refused(&problem, text, key),
        ClientError::Unreachable(_) => Failure::Unavailable(text),
        ClientError::Ended(RequestState::Refused | RequestState::Cancelled) => {
            Failure::Refused(text)
        }
        ClientError::Ended(_) => Failure::Expired(text),
        ClientError::Request(_) => Failure::Malformed(text),
        ClientError::Key(_) => Failure::WrongPurpose(text),
        _ => Failure::Broken(text),
    }
}

fn refused(problem: &Problem, text: String, key: Option<KeyId>) -> Failure {
    match (problem.reason(), key) {
        (Some(Reason::UnknownKey), Some(key)) => Failure::UnknownKey(key),
        (
            Some(
                Reason::PolicyDenied
                | Reason::RoleMissing
                | Reason::KeyDisabled
                | Reason::Cancelled,
            ),
            _,
        ) => Failure::Refused(text),
        (Some(Reason::Watermark), _) => Failure::Conflict(text),
        (Some(Reason::WrongPurpose | Reason::WrongPath), _) => Failure::WrongPurpose(text),
        (Some(Reason::Malformed | Reason::Limit), _) => Failure::Malformed(text),
        (Some(Reason::Expired | Reason::ApprovalsMissing), _) => Failure::Expired(text),
        (Some(Reason::Unsupported), _) => Failure::Unsupported(text),
        // The clocks differ too much: an operator has to look.
        (Some(Reason::NotYet), _) => Failure::Broken(text),
        _ if problem.retryable => Failure::Unavailable(text),
        _ => Failure::Broken(text),
    }
}
