//! What a node has stored, sealed anew under its current key, so that the key before can be destroyed.
//!
//! It works beside the node's workers, in small transactions, each of which takes rows that are under another key and puts
//! them back under the current one, unless somebody has changed them meanwhile. Nothing else is remembered: killed at any
//! moment, it goes on with the rows that are left. It is over when no row is left and every worker that runs seals under
//! the current key.

use core::time::Duration;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use quorate::session::keyring::{KeyService, Keyring, KeyringError, SealKeyId};
use quorate_examples::failure::Failure;
use quorate_examples::out::Out;

use crate::deployment::Deployment;
use crate::deployment::unit::{Unit, units};
use crate::keyfile::KeyFiles;
use crate::node::Config;
use crate::store::{Piece, RUNNERS, Runs, Table};
use crate::vault::TABLES;
use crate::{process, sql, values};

/// The rows of a transaction.
const PIECE: usize = 64;
/// A piece that waits for workers for too long, some seconds, is begun so often.
const TRIES: u32 = 12;
/// Workers look for the current key about once a second; this often it is looked whether they have.
const LOOK: Duration = Duration::from_millis(300);
/// A worker that runs has found it after so many looks.
const LOOKS: usize = 100;

/// What one kind of rows has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moved {
    /// What the rows are.
    pub name: &'static str,
    /// Those that were sealed anew.
    pub moved: usize,
    /// Those that do not open under the key that they name: they stay as they are.
    pub damaged: usize,
    /// Those that are not under the current key now.
    pub left: u64,
}

/// Seals the rows of a node's database anew under the current key, in pieces of so many rows; `piece` is called after each
/// piece, which is committed then.
///
/// # Errors
/// A [`Failure`] of the database or of `piece`; one that names the key if a row is under one that is not there: all rows
/// are as they were then, but for those of the pieces before.
pub fn reseal(
    config: &Config,
    most: usize,
    mut piece: impl FnMut() -> Result<(), Failure>,
) -> Result<Vec<Moved>, Failure> {
    let (store, seals) = (config.store()?, Keyring::open(Arc::clone(&config.seal_key))?);
    let mut all = Vec::new();
    for table in tables() {
        let (mut moved, mut damaged) = (0_usize, 0_usize);
        loop {
            let Piece { found, damaged: bad, moved: done } =
                patiently(|| store.reseal(table, &seals, (most, damaged)))?;
            (moved, damaged) = (moved.saturating_add(done), damaged.saturating_add(bad));
            piece()?;
            if found < most {
                break;
            }
        }
        let left = store.left(table, &seals)?;
        all.push(Moved { name: table.name, moved, damaged, left });
    }
    Ok(all)
}

/// A piece waits for the transactions of all workers. One that has waited for too long begins again.
fn patiently<T>(mut act: impl FnMut() -> sql::Result<T>) -> sql::Result<T> {
    for _ in 1..TRIES {
        match act() {
            Err(why) if why.kind() == sql::Kind::Conflict => {}
            done => return done,
        }
    }
    act()
}

fn tables() -> impl Iterator<Item = &'static Table> {
    TABLES.iter().chain(&RUNNERS)
}

/// The rows of a node's database that are not under its current key.
///
/// # Errors
/// A [`Failure`] of the database.
pub fn left(config: &Config) -> Result<u64, Failure> {
    let (store, seals) = (config.store()?, Keyring::open(Arc::clone(&config.seal_key))?);
    tables().try_fold(0_u64, |sum, table| Ok(sum.saturating_add(store.left(table, &seals)?)))
}

/// The command: under a new key, if that is asked for, or the current one.
pub(crate) fn run(dir: &Path, node: u16, new: bool, out: &mut Out) -> Result<(), Failure> {
    let deployment = Deployment::open(dir)?;
    let is_of_node = |unit: &Unit| unit.name.starts_with(&format!("n{node}-"));
    let workers: Vec<Unit> = units(&deployment).into_iter().filter(is_of_node).collect();
    if workers.is_empty() {
        return Err(Failure::usage(format!("there is no node {node}")));
    }
    let config = process::node_config(&deployment.path(&format!("n{node}/1.json")))?;
    let files = KeyFiles::open(&deployment.path(&format!("keys/n{node}")))?;
    if new {
        let number = files.add()?;
        out.line(format!("A new key: {}", files.path(number).display()));
    }
    let number = files.current().map_err(KeyringError::Service)?;
    wait(&config.store()?, &workers, number)?;
    let mut damaged = 0_usize;
    for Moved { name, moved, damaged: bad, .. } in reseal(&config, PIECE, || Ok(()))? {
        damaged = damaged.saturating_add(bad);
        out.line(format!("{moved:>8} {name}"));
    }
    let left = left(&config)?;
    if left > 0 {
        return Err(Failure::new(format!(
            "{left} rows are left under other keys, {damaged} of them damaged: run it again, and destroy no key"
        )));
    }
    let older = files.ids()?.into_iter().filter(|older| *older != number);
    let older: Vec<String> = older.map(|older| files.path(older).display().to_string()).collect();
    out.line(format!("Everything of node {node} is under key {number}."));
    if !older.is_empty() {
        let older = older.join(", ");
        out.line(format!("No row is left under another: {older} can be destroyed, and with it what old backups hold."));
    }
    Ok(())
}

/// Waits until all workers that run seal under this key.
fn wait(store: &Runs, workers: &[Unit], id: SealKeyId) -> Result<(), Failure> {
    for _ in 0..LOOKS {
        let rows = store
            .read(|db| db.query("SELECT worker FROM sealing WHERE key = $1", &values![id.get()]))?;
        let there: Vec<u16> = rows.iter().map(|row| row.number(0)).collect::<Result<_, _>>()?;
        let behind = |(at, unit): (u16, &Unit)| unit.pid().is_some() && !there.contains(&at);
        if !(0..).zip(workers).any(behind) {
            return Ok(());
        }
        thread::sleep(LOOK);
    }
    Err(Failure::new(format!(
        "not every worker that runs seals under key {id}: stop it, or see its log"
    )))
}
