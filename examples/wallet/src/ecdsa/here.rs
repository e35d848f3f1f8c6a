//! The record `presignatures/here`, which binds the stock to this folder on this machine.
//!
//! Two copies of a folder would spend one presignature on two messages, which gives the key away. So the record names the
//! machine, and the data that the file system keeps about the record itself: its inode, and the time at which it was made. A
//! copy of it, or a file from a backup, is another file. The record is written anew whenever the stock changes, so a backup
//! that restores files of the stock restores the record, too.
//!
//! The record cannot show that a snapshot of the whole disk was started again, for example of a virtual machine.

use core::time::Duration;
use std::fs::{self, Metadata};
use std::io::Write;
use std::path::Path;
use std::time::UNIX_EPOCH;

use quorate::session::{Continuity, Transcript};
use quorate_examples::files::{fresh_name, hex};
use quorate_examples::{Failure, Result};

use crate::disk::{self, Privacy};

/// The record's name.
const HERE: &str = "here";

/// Says how the stock is known to be the latest. If it has been in this folder on this machine since it last changed, it
/// is known by the promise of the operator. Otherwise it is not known.
pub fn continuity(stock: &Path) -> Result<Continuity> {
    let path = stock.join(HERE);
    let Some(found) = disk::read(&path)? else { return Ok(Continuity::Unknown) };
    let there = fs::symlink_metadata(&path).map_err(Failure::file("read", &path))?;
    let found = String::from_utf8(found).unwrap_or_default();
    let is_here = found.lines().next() == Some(&*line(&there));
    Ok(if is_here { Continuity::Operator } else { Continuity::Unknown })
}

/// Writes the record anew, before the stock changes.
pub fn renew(stock: &Path) -> Result {
    disk::replace_with(&stock.join(HERE), Privacy::OwnerOnly, |file| {
        let line = line(&file.metadata()?);
        writeln!(file, "{line}\n{}", fresh_name("change "))
    })
}

/// The machine, and the file on it.
fn line(there: &Metadata) -> String {
    #[cfg(unix)]
    let inode = std::os::unix::fs::MetadataExt::ino(there);
    #[cfg(not(unix))]
    let inode = 0;
    let made = there.created().ok().and_then(|made| made.duration_since(UNIX_EPOCH).ok());
    let made = made.as_ref().map_or(0, Duration::as_nanos);
    format!("machine {}, inode {inode}, made {made}", machine())
}

/// A name of this machine, if it has one: a digest, as systemd asks for.
fn machine() -> String {
    let mut transcript = Transcript::new("wallet machine");
    transcript.append("id", &fs::read("/etc/machine-id").unwrap_or_default());
    hex(&transcript.finish32())
}
