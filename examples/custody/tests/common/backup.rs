//! A backup of a node, and its way back.
#![allow(dead_code, reason = "not every test uses all of it")]

use std::path::{Path, PathBuf};

/// The files, each with its copy.
fn files(dir: &Path, node: u16) -> [[PathBuf; 2]; 2] {
    ["node", "ledger"]
        .map(|name| ["", "copy-"].map(|of| dir.join(format!("{of}{name}-{node}.sqlite"))))
}

/// Makes a backup of a node's database and ledger.
pub(crate) fn copy(dir: &Path, node: u16) {
    for [file, copy] in files(dir, node) {
        let from = rusqlite::Connection::open(file).unwrap();
        from.execute("VACUUM INTO ?", [copy.display().to_string()]).unwrap();
    }
}

/// Puts it back; the node is stopped.
pub(crate) fn put_back(dir: &Path, node: u16) {
    files(dir, node).iter().for_each(replace);
}

/// Puts the database back, and leaves the ledger as it is; the node is stopped.
pub(crate) fn put_back_alone(dir: &Path, node: u16) {
    replace(&files(dir, node)[0]);
}

/// Puts the ledger back, and leaves the database as it is; the node is stopped.
pub(crate) fn put_back_ledger(dir: &Path, node: u16) {
    replace(&files(dir, node)[1]);
}

fn replace([file, copy]: &[PathBuf; 2]) {
    for end in ["-wal", "-shm"] {
        std::fs::remove_file(format!("{}{end}", file.display())).ok();
    }
    std::fs::copy(copy, file).unwrap();
}
