//! Errors, as AWS shapes them.

use axum::http::StatusCode;
use sockets_backend::Failure;

/// The name of an error, of those that SDKs know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are those of AWS")]
#[non_exhaustive]
pub enum ErrorKind {
    AccessDenied,
    DependencyTimeout,
    IncompleteSignature,
    InvalidArn,
    InvalidKeyUsage,
    InvalidMarker,
    InvalidSignature,
    KeyUnavailable,
    KmsInternal,
    MissingAuthenticationToken,
    NotFound,
    RequestEntityTooLarge,
    RequestTimeout,
    Serialization,
    UnknownOperation,
    UnrecognizedClient,
    UnsupportedOperation,
    Validation,
}

impl ErrorKind {
    /// The name in the answer.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AccessDenied => "AccessDeniedException",
            Self::DependencyTimeout => "DependencyTimeoutException",
            Self::IncompleteSignature => "IncompleteSignatureException",
            Self::InvalidArn => "InvalidArnException",
            Self::InvalidKeyUsage => "InvalidKeyUsageException",
            Self::InvalidMarker => "InvalidMarkerException",
            Self::InvalidSignature => "InvalidSignatureException",
            Self::KeyUnavailable => "KeyUnavailableException",
            Self::KmsInternal => "KMSInternalException",
            Self::MissingAuthenticationToken => "MissingAuthenticationTokenException",
            Self::NotFound => "NotFoundException",
            Self::RequestEntityTooLarge => "RequestEntityTooLargeException",
            Self::RequestTimeout => "RequestTimeoutException",
            Self::Serialization => "SerializationException",
            Self::UnknownOperation => "UnknownOperationException",
            Self::UnrecognizedClient => "UnrecognizedClientException",
            Self::UnsupportedOperation => "UnsupportedOperationException",
            Self::Validation => "ValidationException",
        }
    }

    /// The status. SDKs repeat requests that get one of 500 and more.
    #[must_use]
    pub const fn status(self) -> StatusCode {
        match self {
            Self::DependencyTimeout => StatusCode::SERVICE_UNAVAILABLE,
            Self::KeyUnavailable | Self::KmsInternal => StatusCode::INTERNAL_SERVER_ERROR,
            Self::RequestEntityTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::RequestTimeout => StatusCode::REQUEST_TIMEOUT,
            _ => StatusCode::BAD_REQUEST,
        }
    }
}

/// An error of a request.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}: {message}", .kind.name())]
pub struct Error {
    /// The kind.
    pub kind: ErrorKind,
    /// The text for the user.
    pub message: String,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let kind = match &failure {
            Failure::Refused(_) | Failure::Conflict(_) => ErrorKind::AccessDenied,
            Failure::UnknownKey(_) => ErrorKind::NotFound,
            Failure::WrongPurpose(_) => ErrorKind::InvalidKeyUsage,
            Failure::Malformed(_) => ErrorKind::Validation,
            Failure::Expired(_) => ErrorKind::DependencyTimeout,
            Failure::Unavailable(_) => ErrorKind::KeyUnavailable,
            Failure::Unsupported(_) => ErrorKind::UnsupportedOperation,
            _ => ErrorKind::KmsInternal,
        };
        Self::new(kind, failure.to_string())
    }
}
