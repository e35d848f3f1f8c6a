//! A backup of a node, and its way back.

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
    for [file, copy] in files(dir, node) {
        for end in ["-wal", "-shm"] {
            std::fs::remove_file(format!("{}{end}", file.display())).ok();
        }
        std::fs::copy(copy, file).unwrap();
    }
}
