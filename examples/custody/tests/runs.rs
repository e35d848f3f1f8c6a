//! The store in SQLite keeps the contract of `quorate-runner`, closed and opened again between its operations, and
//! runs go on in it after a kill.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::{Path, PathBuf};

use quorate::runner::store::Counts;
use quorate::runner::{Store, testing::conformance};
use quorate::session::SpentTable;
use quorate_custody::runs::SqliteRuns;

/// A folder that is deleted at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("quorate-runs-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

fn open(folder: &Path, number: usize) -> SqliteRuns {
    let file = |name: &str| folder.join(format!("{name}-{number}.sqlite"));
    SqliteRuns::open(&file("runs"), &file("ledger")).unwrap()
}

#[test]
fn the_store_in_sqlite_keeps_the_contract() {
    let folder = Folder::new("contract");
    let made = core::cell::Cell::new(0);
    let make = || {
        made.set(made.get() + 1);
        open(&folder.0, made.get())
    };
    conformance(make, |store| {
        drop(store);
        open(&folder.0, made.get())
    })
    .unwrap();
}

/// The ledger is a file of its own: a database that is brought back has not forgotten what was spent.
#[test]
fn a_restored_database_has_not_forgotten_what_was_spent() {
    let folder = Folder::new("ledger");
    let mut store = open(&folder.0, 0);
    assert_eq!(store.record(&[1; 32], &[2; 32]).unwrap(), [2; 32]);
    drop(store);
    std::fs::remove_file(folder.0.join("runs-0.sqlite")).unwrap();
    let mut store = open(&folder.0, 0);
    assert_eq!(store.counts().unwrap(), Counts::default());
    assert_eq!(store.record(&[1; 32], &[3; 32]).unwrap(), [2; 32]);
}

/// Two workers, each with a connection of its own.
#[test]
fn two_connections_share_a_store() {
    let folder = Folder::new("shared");
    let (mut one, mut other) = (open(&folder.0, 0), open(&folder.0, 0));
    assert_eq!(one.record(&[1; 32], &[2; 32]).unwrap(), [2; 32]);
    assert_eq!(other.record(&[1; 32], &[3; 32]).unwrap(), [2; 32]);
}
