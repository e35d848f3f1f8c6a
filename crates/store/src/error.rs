//! Errors: what happened, and what to do about it.

use core::fmt;

use crate::rolled_back::RolledBack;

pub(crate) type Result<T> = core::result::Result<T, Error>;

/// The error of a store.
///
/// A method that fails has changed nothing, with the exceptions that its variant names. A store in two databases has one
/// more: the step or the claim is stored in the first of them if the second cannot be told of it. Nothing was let out then,
/// and the next call finds what is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// Another process held the database for longer than the time-out.
    Busy(String),
    /// The server resolved a conflict of transactions against this one, again and again.
    Conflict(String),
    /// There is no room on the disk.
    Full(String),
    /// The disk failed, or a limit on the size of files was met.
    Disk(String),
    /// The database cannot be written.
    ReadOnly(String),
    /// The connection is lost, or cannot be made. A commit that was under way may have happened or not.
    Disconnected(String),
    /// Data that this crate has not written so.
    Damaged(String),
    /// A later release of this crate has migrated the database.
    Newer {
        /// The version of its schema.
        found: i64,
        /// The version that this release knows.
        known: i64,
    },
    /// The version of the schema is one that no release has written.
    NoSuchVersion(i64),
    /// Rows of a protocol with this code, for which no [`Kind`](quorate_runner::Kind) was named.
    UnknownCode(i64),
    /// The database has the other role: that of the runs, or that of what was spent.
    OtherRole {
        /// `true` if it holds what was spent.
        is_spent: bool,
    },
    /// A database that was opened alone, though what was spent is in another one.
    SpentIsApart,
    /// One of the two databases was restored to an older copy. A step that was under way may be stored in that copy.
    RolledBack(RolledBack),
    /// A time that a database cannot hold: 2^63 or later.
    Time(u64),
    /// The name of a schema that is not of small letters, digits and underscores.
    SchemaName(String),
    /// The caller's function refused the transaction, for this reason. Nothing was stored.
    Refused(String),
    /// Anything else that the database says.
    Database(String),
}

impl Error {
    /// Returns whether another record may be stored, though this one is not.
    pub(crate) const fn is_of_one_record(&self) -> bool {
        matches!(self, Self::Damaged(_) | Self::Time(_) | Self::Database(_))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy(what) => write!(
                f,
                "the database was busy for longer than the time-out ({what}): try again, and look for a process that holds it"
            ),
            Self::Conflict(what) => {
                write!(f, "too many conflicts with other transactions ({what}): try again")
            }
            Self::Full(what) => {
                write!(f, "no room for the database ({what}): free some, and try again")
            }
            Self::Disk(what) => write!(
                f,
                "the disk failed ({what}): look for errors of the disk, quotas and limits of the process, and try again"
            ),
            Self::ReadOnly(what) => write!(
                f,
                "the database cannot be written ({what}): give this account the right to write the file and its folder"
            ),
            Self::Disconnected(what) => write!(
                f,
                "no connection to the database ({what}): the last step may have happened or not; continue from the store"
            ),
            Self::Damaged(what) => write!(
                f,
                "the database is damaged ({what}): stop, and check the disk. A backup is an older copy: its stock must be dropped"
            ),
            Self::Newer { found, known } => write!(
                f,
                "the database has schema version {found}, and this release knows {known}: use the release that migrated it"
            ),
            Self::NoSuchVersion(found) => write!(
                f,
                "the database has schema version {found}, which no release wrote: look for who changed it, and check the disk"
            ),
            Self::UnknownCode(code) => write!(
                f,
                "there are runs of a protocol with code {code}, whose kind is not named: name it with `kind({code}, Kind::of::<P>())`"
            ),
            Self::OtherRole { is_spent: true } => f.write_str(
                "this database holds what was spent: give it as `spent`, and open the database of the runs",
            ),
            Self::OtherRole { is_spent: false } => f.write_str(
                "this database holds runs: `spent` needs a database of its own",
            ),
            Self::SpentIsApart => f.write_str(
                "what was spent is in a database of its own: open both, with `spent`. Without it, a nonce could be used twice",
            ),
            Self::RolledBack(which) => which.fmt(f),
            Self::Time(time) => {
                write!(f, "the time {time} is beyond 2^63 - 1, which a database cannot hold")
            }
            Self::SchemaName(name) => write!(
                f,
                "{name:?} is not the name of a schema: use at most 63 small letters, digits and underscores, a letter first"
            ),
            Self::Refused(why) => write!(f, "the transaction was refused: {why}"),
            Self::Database(what) => write!(f, "the database failed: {what}"),
        }
    }
}

impl core::error::Error for Error {}
