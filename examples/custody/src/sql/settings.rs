//! Where a database is, and for how long it is waited for.

use core::convert::Infallible;
use core::fmt;
use core::str::FromStr;
use core::time::Duration;
use std::path::PathBuf;

/// The place of a database.
#[derive(Clone, PartialEq, Eq)]
pub enum Address {
    /// A file of SQLite.
    Sqlite(PathBuf),
    /// A PostgreSQL server: `postgres://USER@HOST:PORT/NAME`, or `host=/FOLDER user=USER dbname=NAME` for a socket in a folder.
    /// `sslrootcert=FILE` names the authority of the server's certificate: then there is no connection without TLS. A server
    /// on another machine needs it.
    Postgres(String),
}

impl FromStr for Address {
    type Err = Infallible;

    /// What does not look like a server is a file.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        let server = ["postgres://", "postgresql://"].iter().any(|start| text.starts_with(start));
        let pairs = text.split_whitespace().any(|pair| pair.starts_with("host="));
        if server || pairs {
            return Ok(Self::Postgres(text.to_owned()));
        }
        Ok(Self::Sqlite(PathBuf::from(text)))
    }
}

/// Without user and password.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => path.display().fmt(f),
            Self::Postgres(url) => {
                let (config, _) = super::postgres::tls::parse(url).unwrap_or_default();
                let name = config.get_dbname().unwrap_or("?");
                write!(f, "the database {name} of PostgreSQL")
            }
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The times of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The longest time for one attempt to connect.
    pub connect: Duration,
    /// The longest time for all attempts: then it is [lost](super::Kind::Lost).
    pub patience: Duration,
    /// The longest time for a statement.
    pub statement: Duration,
    /// The longest time for which a statement waits for others' locks.
    pub lock: Duration,
}

impl Default for Settings {
    /// 3 s for a connection, 15 s for all attempts, 10 s for a statement, 5 s for locks.
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(3),
            patience: Duration::from_secs(15),
            statement: Duration::from_secs(10),
            lock: Duration::from_secs(5),
        }
    }
}
