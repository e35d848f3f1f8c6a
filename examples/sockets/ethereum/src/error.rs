//! Errors, in the numbers of JSON-RPC and the statuses of HTTP.

/// The kind of an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The body is not JSON.
    Parse,
    /// The body is no request of JSON-RPC.
    Request,
    /// The method is unknown.
    Method,
    /// A parameter is malformed or outside its limits.
    Params,
    /// There is no such account.
    Account,
    /// A policy refuses it, or the key signs no such content.
    Refused,
    /// The committee does not answer in time. The same request may succeed later.
    Unavailable,
    /// A list has too many requests.
    Limit,
    /// The answer of the committee is wrong. An operator has to look.
    Internal,
}

impl ErrorKind {
    /// The number in an answer of JSON-RPC: those of JSON-RPC 2.0, EIP-1474 and, for refusals, EIP-1193.
    #[must_use]
    pub const fn code(self) -> i32 {
        match self {
            Self::Parse => -32700,
            Self::Request => -32600,
            Self::Method => -32601,
            Self::Params => -32602,
            Self::Internal => -32603,
            Self::Account => -32001,
            Self::Unavailable => -32002,
            Self::Limit => -32005,
            Self::Refused => 4001,
        }
    }

    /// The status of an answer of REST.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::Account | Self::Method => 404,
            Self::Refused => 403,
            Self::Unavailable => 503,
            Self::Internal => 500,
            Self::Parse | Self::Request | Self::Params | Self::Limit => 400,
        }
    }
}

/// An error of a request.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// The kind.
    pub kind: ErrorKind,
    /// The text for the user.
    pub message: String,
}

impl Error {
    /// The most characters of a text, which can have a name in it that a consumer has chosen.
    const LONGEST: usize = 400;

    /// An error whose text is cut if it is long, and has no character that begins a line of a log.
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        let shown = |letter: char| if letter.is_control() { '\u{fffd}' } else { letter };
        Self { kind, message: message.into().chars().take(Self::LONGEST).map(shown).collect() }
    }

    pub(crate) fn params(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Params, message)
    }
}

#[cfg(feature = "serve")]
impl From<sockets_backend::Failure> for Error {
    fn from(failure: sockets_backend::Failure) -> Self {
        use sockets_backend::Failure;

        let kind = match &failure {
            Failure::Refused(_)
            | Failure::Conflict(_)
            | Failure::WrongPurpose(_)
            | Failure::Unsupported(_) => ErrorKind::Refused,
            Failure::UnknownKey(_) => ErrorKind::Account,
            Failure::Malformed(_) => ErrorKind::Params,
            Failure::Expired(_) | Failure::Unavailable(_) => ErrorKind::Unavailable,
            _ => ErrorKind::Internal,
        };
        Self::new(kind, failure.to_string())
    }
}
