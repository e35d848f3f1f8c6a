//! What is stored, under another key: what a runner is given, and how rows are moved.

use quorate::SealKey;
use quorate::runner::Stored;
use quorate::session::keyring::Keyring;
use quorate_examples::failure::Failure;

use super::{Runs, locks};
use crate::sql::{Error, Result, Row, Sql, Type, Value};
use crate::values;

/// Seals a row's bytes again: what names the row, the bytes without their stamp, the key that they are under, and the other
/// one.
type Again = fn(&[Name], &[u8], &SealKey, &SealKey) -> core::result::Result<Vec<u8>, Failure>;

/// A column of sealed bytes.
pub(crate) struct Table {
    /// What its rows are, in the plural.
    pub(crate) name: &'static str,
    /// The number of rows whose stamp is not $1.
    pub(crate) count: &'static str,
    /// At most $2 of these rows, in a fixed order, after the first $3: the bytes, and the columns that name the row.
    pub(crate) find: &'static str,
    /// Puts $1 in the place of $2 in the row that the columns from $3 on name.
    pub(crate) put: &'static str,
    /// The types of those columns.
    pub(crate) named: &'static [Type],
    pub(crate) again: Again,
    /// Whether the bytes are part of the totals of the outbox.
    pub(crate) posted: bool,
}

/// What has become of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Piece {
    /// The rows that were looked at: none if no more are left.
    pub(crate) found: usize,
    /// Those that do not open: they stay as they are.
    pub(crate) damaged: usize,
    /// Those that are under the current key now. Others were changed meanwhile by somebody else.
    pub(crate) moved: usize,
}

/// The columns that runners have sealed.
pub(crate) static RUNNERS: [Table; 6] = [
    Table {
        name: "sessions",
        count: "SELECT count(*) FROM runs
            WHERE ended = 0 AND length(sealed) > 0 AND substr(sealed, 1, 16) <> $1",
        find: "SELECT sealed, context FROM runs WHERE ended = 0 AND length(sealed) > 0
            AND substr(sealed, 1, 16) <> $1 ORDER BY context LIMIT $2 OFFSET $3",
        put: "UPDATE runs SET sealed = $1 WHERE ended = 0 AND sealed = $2 AND context = $3",
        named: &[Type::Bytes],
        again: |_, sealed, from, to| Ok(Stored::Session.reseal(sealed, from, to)?),
        posted: false,
    },
    Table {
        name: "jobs of open sessions",
        count: "SELECT count(*) FROM runs
            WHERE ended = 0 AND length(job) > 0 AND substr(job, 1, 16) <> $1",
        find: "SELECT job, context FROM runs WHERE ended = 0 AND length(job) > 0
            AND substr(job, 1, 16) <> $1 ORDER BY context LIMIT $2 OFFSET $3",
        put: "UPDATE runs SET job = $1 WHERE ended = 0 AND job = $2 AND context = $3",
        named: &[Type::Bytes],
        again: |_, sealed, from, to| Ok(Stored::Job.reseal(sealed, from, to)?),
        posted: false,
    },
    Table {
        name: "results of sessions",
        count: "SELECT count(*) FROM jobs
            WHERE length(outcome) > 0 AND substr(outcome, 1, 16) <> $1",
        find: "SELECT outcome, sid FROM jobs WHERE length(outcome) > 0
            AND substr(outcome, 1, 16) <> $1 ORDER BY sid LIMIT $2 OFFSET $3",
        put: "UPDATE jobs SET outcome = $1 WHERE outcome = $2 AND sid = $3",
        named: &[Type::Bytes],
        again: |_, sealed, from, to| Ok(Stored::Outcome.reseal(sealed, from, to)?),
        posted: false,
    },
    Table {
        name: "frames",
        count: "SELECT count(*) FROM inbox
            WHERE kind < 2 AND length(sealed) > 0 AND substr(sealed, 1, 16) <> $1",
        find: "SELECT sealed, place FROM inbox WHERE kind < 2 AND length(sealed) > 0
            AND substr(sealed, 1, 16) <> $1 ORDER BY place LIMIT $2 OFFSET $3",
        put: "UPDATE inbox SET sealed = $1 WHERE sealed = $2 AND place = $3",
        named: &[Type::Int],
        again: |_, sealed, from, to| Ok(Stored::Frame.reseal(sealed, from, to)?),
        posted: false,
    },
    Table {
        name: "messages",
        count: "SELECT count(*) FROM packets WHERE substr(sealed, 1, 16) <> $1",
        find: "SELECT sealed, id FROM packets WHERE substr(sealed, 1, 16) <> $1
            ORDER BY id LIMIT $2 OFFSET $3",
        put: "UPDATE packets SET sealed = $1 WHERE sealed = $2 AND id = $3",
        named: &[Type::Bytes],
        again: |_, sealed, from, to| Ok(Stored::OutgoingMessage.reseal(sealed, from, to)?),
        posted: true,
    },
    Table {
        name: "canaries",
        count: "SELECT count(*) FROM canary WHERE substr(sealed, 1, 16) <> $1",
        find: "SELECT sealed, one FROM canary WHERE substr(sealed, 1, 16) <> $1
            ORDER BY one LIMIT $2 OFFSET $3",
        put: "UPDATE canary SET sealed = $1 WHERE sealed = $2 AND one = $3",
        named: &[Type::Int],
        again: |_, sealed, from, to| Ok(Stored::Canary.reseal(sealed, from, to)?),
        posted: false,
    },
];

/// The stored bytes as a runner reads them: sealed under the current key, whatever key they are under. The runner finds out
/// about bytes that do not open. Empty bytes are under no key.
pub(super) fn given(seals: Option<&Keyring>, kind: Stored, stored: Vec<u8>) -> Result<Vec<u8>> {
    let Some(seals) = seals.filter(|_| !stored.is_empty()) else { return Ok(stored) };
    let (key, sealed) = seals.key_of(&stored).map_err(|why| Error::other(why.to_string()))?;
    if core::ptr::eq(&raw const *key, &raw const **seals.current()) {
        return Ok(sealed.to_vec());
    }
    Ok(kind.reseal(sealed, &key, seals.current()).unwrap_or_else(|_| sealed.to_vec()))
}

impl Runs {
    /// The rows of a table that are not under the current key.
    ///
    /// # Errors
    /// [`Error`].
    pub(crate) fn left(&self, table: &Table, seals: &Keyring) -> Result<u64> {
        self.read(|db| db.one(table.count, &values![&seals.stamp()])?.number(0))
    }

    /// Seals at most so many rows of a table anew under the current key, in one transaction: those that are under another
    /// one, but for the first few in their order. A row that somebody else changes meanwhile is left to the next piece.
    ///
    /// # Errors
    /// [`Error`], which names the key if a row is under one that is not there: then nothing was changed.
    pub(crate) fn reseal(
        &self,
        table: &Table,
        seals: &Keyring,
        (most, skipped): (usize, usize),
    ) -> Result<Piece> {
        self.work(|work| {
            locks::alone(work)?;
            let mut piece = Piece::default();
            let rows = work.query(table.find, &values![&seals.stamp(), most, skipped])?;
            for mut row in rows {
                piece.found = piece.found.saturating_add(1);
                let (old, named) = (row.bytes(0)?, names(&mut row, table.named)?);
                let (key, sealed) = seals
                    .key_of(&old)
                    .map_err(|why| Error::other(format!("one of the {}: {why}", table.name)))?;
                let Ok(new) = (table.again)(&named, sealed, &key, seals.current()) else {
                    piece.damaged = piece.damaged.saturating_add(1);
                    continue;
                };
                let new = seals.stamped(&new);
                let mut values = values![&new, &old].to_vec();
                values.extend(named.iter().map(Name::value));
                if work.execute(table.put, &values)? == 1 {
                    piece.moved = piece.moved.saturating_add(1);
                    if table.posted {
                        work.change.posted(0, new.len().saturating_sub(old.len()));
                    }
                }
            }
            Ok(piece)
        })
    }
}

/// A column that names a row.
pub(crate) enum Name {
    Int(i64),
    Bytes(Vec<u8>),
    Text(String),
}

impl Name {
    /// The text, if it is one.
    pub(crate) fn text(&self) -> &str {
        if let Self::Text(text) = self { text } else { "" }
    }

    fn value(&self) -> Value<'_> {
        match self {
            Self::Int(number) => Value::Int(*number),
            Self::Bytes(bytes) => bytes.into(),
            Self::Text(text) => text.as_str().into(),
        }
    }
}

/// The columns after the first one.
fn names(row: &mut Row, types: &[Type]) -> Result<Vec<Name>> {
    let read = |(at, of): (usize, &Type)| {
        Ok(match of {
            Type::Int => Name::Int(row.int(at)?),
            Type::Bytes => Name::Bytes(row.bytes(at)?),
            Type::Text => Name::Text(row.text(at)?),
        })
    };
    (1..).zip(types).map(read).collect()
}
