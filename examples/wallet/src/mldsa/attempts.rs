//! The records of attempts to sign.
//!
//! What is proven of a key holds for a number of attempts, which each party counts. An attempt gets its number when its record
//! is in a file, and only then its session begins: a process that is killed at any moment has used the number up. Two rules:
//!
//! - **A record is never deleted and never written twice.** What decides between two processes is that one of them makes the
//!   file; the other takes the next number.
//! - **The number is above all others in the folder**, of whichever party. So the records of one party may have come back
//!   from a backup, older than they were: the others' keep the count.
//!
//! When the whole folder comes back from a backup nothing here can notice it. Numbers are used twice then, and what is lost is
//! the count, not the key: the session of an attempt is in no file, and each draws masks of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quorate::mldsa::{KeyShare, MessageRepresentative, SignParams};
use quorate::session::{RecordError, Recorded, SpentTable};
use quorate::{Parties, PartyId, SessionId};
use quorate_examples::failure::Failure;

use crate::disk::{Privacy, write_first};
use crate::home::Home;

/// The folder of records.
#[must_use]
pub fn folder(dir: &Path) -> PathBuf {
    dir.join("attempts")
}

/// An attempt that all its signers have recorded.
pub(crate) struct Attempt {
    pub(crate) number: u64,
    /// Each signer's part, in ascending order of the signers.
    pub(crate) params: Vec<SignParams>,
}

/// Records an attempt at all its signers, under a number that none has used.
pub(crate) fn record(
    home: &Home,
    shares: &[Arc<KeyShare>],
    (sid, signers): (SessionId, &Parties),
    mu: MessageRepresentative,
) -> Result<Attempt, Failure> {
    let mut number = next(home.dir())?;
    loop {
        let receipts = shares.iter().map(|share| {
            let record = share.attempt(number, sid, signers, &mu)?;
            match record.store(&mut Table::of(home, share.id(), number)) {
                Ok(receipt) => Ok(Some(receipt)),
                Err(RecordError::Table(error)) => Err(error),
                Err(_) => Ok(None),
            }
        });
        let receipts = receipts.collect::<Result<Option<Vec<Recorded>>, Failure>>()?;
        if let Some(receipts) = receipts {
            let params = |(share, receipt)| SignParams::new(Arc::clone(share), mu, number, receipt);
            let params = shares.iter().zip(receipts).map(params).collect();
            return Ok(Attempt { number, params });
        }
        // Another process was quicker.
        number = number.saturating_add(1);
    }
}

/// The number after the greatest that any party has used.
fn next(dir: &Path) -> Result<u64, Failure> {
    let folder = folder(dir);
    let entries = fs::read_dir(&folder).map_err(|error| {
        let folder = folder.display();
        Failure::new(format!("cannot read {folder}, which counts the attempts to sign: {error}"))
    })?;
    let mut next = 0;
    for entry in entries {
        let name = entry?.file_name();
        let number = name.to_str().and_then(|name| name.split_once(".party-")?.0.parse().ok());
        next = next.max(number.map_or(0, |number: u64| number.saturating_add(1)));
    }
    Ok(next)
}

/// The file of one signer's record of one attempt: the name under which it is spent (32) ‖ what for (32).
struct Table(PathBuf);

impl Table {
    fn of(home: &Home, party: PartyId, number: u64) -> Self {
        Self(folder(home.dir()).join(format!("{number}.party-{}", party.get())))
    }
}

impl SpentTable for Table {
    type Error = Failure;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<[u8; 32], Failure> {
        let Self(path) = self;
        let record = [*id, *digest].concat();
        if write_first(path, &record, Privacy::OwnerOnly).map_err(Failure::file("write", path))? {
            return Ok(*digest);
        }
        let stored = fs::read(&*path).map_err(Failure::file("read", path))?;
        let spent = stored.strip_prefix(id).and_then(|digest| digest.try_into().ok());
        spent.ok_or_else(|| {
            let path = path.display();
            Failure::new(format!("{path} is damaged, or a record of another key"))
        })
    }
}
