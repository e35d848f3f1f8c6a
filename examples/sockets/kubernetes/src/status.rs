//! Failures, as gRPC names them.

use sockets_backend::Failure;
use tonic::{Code, Status};

/// The status of a failure.
pub(crate) fn of(failure: &Failure) -> Status {
    let code = match failure {
        Failure::Refused(_) | Failure::Conflict(_) => Code::PermissionDenied,
        Failure::UnknownKey(_) => Code::NotFound,
        Failure::WrongPurpose(_) => Code::FailedPrecondition,
        Failure::Malformed(_) => Code::InvalidArgument,
        Failure::Expired(_) => Code::DeadlineExceeded,
        Failure::Unavailable(_) => Code::Unavailable,
        Failure::Unsupported(_) => Code::Unimplemented,
        _ => Code::Internal,
    };
    Status::new(code, failure.to_string())
}
