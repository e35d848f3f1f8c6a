//! Logs as lines of JSON.

use std::fmt;
use std::io::{self, BufRead, Read as _, Write};

use serde::{Deserialize, Serialize};

use crate::chain::SignedLogHead;
use crate::entry::Entry;

/// The longest line, in bytes.
const LINE: u64 = 1 << 18;
const VERSION: u8 = 1;

/// A log as somebody exported it. Nothing of it is verified: that is what [`compare`](crate::compare) does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// The name of the node.
    pub node: String,
    /// The head of the entries that were deleted before the first one.
    pub start: Option<SignedLogHead>,
    /// The entries.
    pub entries: Vec<Entry>,
    /// The head at the time of the export.
    pub end: Option<SignedLogHead>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Line {
    Log { version: u8, node: String, start: Option<SignedLogHead> },
    Entry(Entry),
    End(SignedLogHead),
}

/// Writes the lines of a log: its name, the entries, and the head.
///
/// `start` is the head of the last entry that was deleted, if the first entry is not number 0.
///
/// # Errors
/// If an entry cannot be read or the writer fails.
pub fn export(
    to: &mut impl Write,
    node: &str,
    start: Option<SignedLogHead>,
    entries: impl IntoIterator<Item = io::Result<Entry>>,
    end: SignedLogHead,
) -> io::Result<()> {
    write(to, &Line::Log { version: VERSION, node: node.into(), start })?;
    entries.into_iter().try_for_each(|entry| write(to, &Line::Entry(entry?)))?;
    write(to, &Line::End(end))
}

fn write(to: &mut impl Write, line: &Line) -> io::Result<()> {
    serde_json::to_writer(&mut *to, line)?;
    to.write_all(b"\n")
}

/// Lines that are no log.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {detail}")]
pub struct ImportError {
    /// The number of the line, from 1.
    pub line: u64,
    /// The expected form, and the mistake.
    pub detail: String,
}

/// Reads the lines of a log, of at most `most` bytes in all. A log that ends without a head is read too.
///
/// # Errors
/// If a line is not one of a log, stands in another place, or is longer than 256 KiB, or if there is more to read.
pub fn import(from: impl BufRead, most: u64) -> Result<Log, ImportError> {
    let (mut from, mut number) = (from.take(most.saturating_add(1)), 0_u64);
    let mut log: Option<Log> = None;
    loop {
        number = number.saturating_add(1);
        let wrong =
            |detail: &dyn fmt::Display| ImportError { line: number, detail: detail.to_string() };
        let Some(line) = read(&mut from, most).map_err(|error| wrong(&error))? else { break };
        let line = serde_json::from_slice(&line).map_err(|error| wrong(&error))?;
        match (line, &mut log) {
            (Line::Log { version: VERSION, node, start }, None) => {
                log = Some(Log { node, start, entries: Vec::new(), end: None });
            }
            (Line::Log { version, .. }, None) => {
                return Err(wrong(&format_args!("expected version {VERSION}, got {version}")));
            }
            (Line::Entry(entry), Some(log)) if log.end.is_none() => log.entries.push(entry),
            (Line::End(end), Some(log)) if log.end.is_none() => log.end = Some(end),
            _ => return Err(wrong(&"expected one line `log`, then entries, then one line `end`")),
        }
    }
    log.ok_or_else(|| ImportError { line: 1, detail: "expected a line `log`, got nothing".into() })
}

/// Reads a line, or nothing at the end.
fn read(from: &mut io::Take<impl BufRead>, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    from.by_ref().take(LINE).read_until(b'\n', &mut line)?;
    if from.limit() == 0 {
        return Err(io::Error::other(format!("the log has more than {most} bytes")));
    }
    match line.last() {
        None => Ok(None),
        Some(b'\n') => Ok(Some(line)),
        Some(_) => {
            Err(io::Error::other(format!("a line is cut off, or has more than {LINE} bytes")))
        }
    }
}
