//! The list of callers, read again when its file changes.

use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context as _, Result};
use custody_core::Callers;

/// The pause between two looks at the file.
const EVERY: Duration = Duration::from_secs(2);

/// Reads the list. A file that is missing is an empty list: nobody may ask for anything.
pub(super) fn read(path: &Path) -> Result<Callers> {
    match fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            tracing::warn!(path = %path.display(), "there is no list of callers: nobody may ask");
            Ok(Callers::default())
        }
        read => {
            let json = read.with_context(|| path.display().to_string())?;
            Callers::from_json(&json).with_context(|| path.display().to_string())
        }
    }
}

/// Gives the list to `set` each time that the file has changed. A file that cannot be read changes nothing.
pub(super) async fn watch(path: PathBuf, set: impl Fn(Callers)) {
    let mut last = changed(&path);
    loop {
        tokio::time::sleep(EVERY).await;
        let now = changed(&path);
        if now == last {
            continue;
        }
        last = now;
        match read(&path) {
            Ok(callers) => {
                tracing::info!(count = callers.iter().count(), "the list of callers has changed");
                set(callers);
            }
            Err(error) => {
                tracing::error!(error = format!("{error:#}"), "the list of callers stays")
            }
        }
    }
}

fn changed(path: &Path) -> Option<(SystemTime, u64)> {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
