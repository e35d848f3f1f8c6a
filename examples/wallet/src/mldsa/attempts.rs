//! The records of attempts to sign.
//!
//! The security proof of a key holds for a number of attempts, which each party counts. An attempt gets its number when its
//! record is in a file, and only then its session begins: a process that is killed at any moment has used the number up. Two
//! rules:
//!
//! - **A record is never deleted and never written twice.** Of two processes, only one makes the file; the other takes the next
//!   number, even if its record is the same to the byte. A session starts only with a record that this very call has made.
//! - **The number is above all others in the folder**, of whichever party. So an older backup of one party's records may
//!   be restored: the records of the others keep the count.
//!
//! If the whole folder is restored from a backup, nothing here can notice it. Then numbers are used twice, and the count is
//! lost, but not the key: the session of an attempt is in memory only, and each draws masks of its own. That holds as long as
//! the system's generator does not repeat itself. On a machine that resumes from a snapshot it may repeat itself: never copy a
//! wallet that way.

use std::fs;
use std::sync::Arc;

use quorate::mldsa::{KeyShare, MessageRepresentative, SignParams};
use quorate::session::{RecordError, SpendReceipt};
use quorate::{Parties, SessionId};
use quorate_examples::{Result, failure};

use crate::disk::{self, SpentFile};
use crate::home::Home;

/// The folder of records.
pub(super) const FOLDER: &str = "attempts";

/// Records an attempt at all its signers, under a number that no party has used. Gives the number, and each signer's part, in
/// ascending order of the signers.
pub(crate) fn record(
    home: &Home,
    shares: &[Arc<KeyShare>],
    (sid, signers): (SessionId, &Parties),
    mu: MessageRepresentative,
) -> Result<(u64, Vec<SignParams>)> {
    let mut number = next(home)?;
    loop {
        let receipts = shares.iter().map(|share| {
            let record = share.attempt(number, sid, signers, &mu)?;
            let name = format!("{number}.party-{}", share.id().get());
            let path = home.path(FOLDER).join(name);
            match record.store(&mut SpentFile { path, is_named: false }) {
                // The file was there: only the process that made it signs under this number.
                Ok(receipt) => Ok(Some(receipt).filter(SpendReceipt::is_new)),
                Err(RecordError::Table(error)) => Err(error),
                Err(_) => Ok(None),
            }
        });
        let receipts = receipts.collect::<Result<Option<Vec<SpendReceipt>>>>()?;
        if let Some(receipts) = receipts {
            let params = |(share, receipt)| SignParams::new(Arc::clone(share), mu, number, receipt);
            return Ok((number, shares.iter().zip(receipts).map(params).collect()));
        }
        // Another process was quicker.
        number = number.saturating_add(1);
    }
}

/// The number after the greatest that any party has used.
fn next(home: &Home) -> Result<u64> {
    let folder = home.path(FOLDER);
    fs::read_dir(&folder).map_err(|error| {
        let folder = folder.display();
        failure!("cannot read {folder}, which counts the attempts to sign: {error}")
    })?;
    let names = disk::names(&folder)?;
    let number = |name: &String| name.split_once(".party-")?.0.parse::<u64>().ok();
    Ok(names.iter().filter_map(number).max().map_or(0, |last| last.saturating_add(1)))
}
