//! Files that are read again when they change.

use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The pause between two looks at the files.
const EVERY: Duration = Duration::from_secs(2);

/// Calls `changed` once, since a file may have changed after it was read at the start, and each time that one of the files has
/// changed.
pub(super) async fn files(paths: &[PathBuf], changed: impl Fn()) {
    let look = || paths.iter().map(|path| stamp(path)).collect::<Vec<_>>();
    let mut last = Vec::new();
    loop {
        tokio::time::sleep(EVERY).await;
        let now = look();
        if now != last {
            last = now;
            changed();
        }
    }
}

fn stamp(path: &Path) -> Option<(SystemTime, u64)> {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
