//! Errors, and what is to be done about each.

use core::error::Error as _;
use core::fmt;

use rusqlite::ErrorCode;
use tokio_postgres::error::SqlState;

/// The error of a database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    kind: Kind,
    text: String,
}

/// The kinds of errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// It did not happen, for somebody else was at the same rows, or held them for too long. It may be tried again.
    Conflict,
    /// The connection is lost, or cannot be made. What was under way may have happened or not.
    Lost,
    /// Anything else: a full disk, a wrong statement, a value of another type.
    Other,
}

impl Error {
    pub(crate) fn other(text: impl Into<String>) -> Self {
        Self { kind: Kind::Other, text: text.into() }
    }

    pub(crate) fn lost(text: impl Into<String>) -> Self {
        Self { kind: Kind::Lost, text: text.into() }
    }

    /// What is to be done about it.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Conflict => write!(f, "the database was busy: {}", self.text),
            Kind::Lost => write!(f, "no connection to the database: {}", self.text),
            Kind::Other => write!(f, "the database: {}", self.text),
        }
    }
}

impl core::error::Error for Error {}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        let kind = match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Kind::Conflict,
            _ => Kind::Other,
        };
        Self { kind, text: error.to_string() }
    }
}

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        let kind = match error.code() {
            Some(code) => of_code(code),
            // A certificate that is refused will be refused again.
            None if error.source().is_some_and(is_of_tls) => Kind::Other,
            // Without a code it did not come from the server.
            None if error.is_closed() => Kind::Lost,
            None if error.source().is_some_and(|source| source.is::<std::io::Error>()) => {
                Kind::Lost
            }
            None => Kind::Other,
        };
        let text = match error.source() {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        };
        Self { kind, text }
    }
}

fn is_of_tls(error: &(dyn core::error::Error + 'static)) -> bool {
    let error = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
    error.is_some_and(|error| error.is::<tokio_rustls::rustls::Error>())
}

/// What the server says, by its class.
fn of_code(code: &SqlState) -> Kind {
    match code.code() {
        // A serialisation failure, a deadlock, a lock or a statement that took too long.
        "40001" | "40P01" | "55P03" | "57014" => Kind::Conflict,
        // It shuts down, starts up, crashed, ended an idle transaction, has no room.
        "57P01" | "57P02" | "57P03" | "57P05" | "25P03" | "53300" => Kind::Lost,
        code if code.starts_with("08") => Kind::Lost,
        _ => Kind::Other,
    }
}
