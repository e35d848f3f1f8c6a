//! The list of callers, read again when its file changes.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use custody_core::Callers;

use super::watch;

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

/// Gives the list to `set` once, and each time that the file has changed. A file that cannot be read changes nothing.
pub(super) async fn watch(path: PathBuf, set: impl Fn(Callers)) {
    let changed = || match read(&path) {
        Ok(callers) => {
            tracing::info!(count = callers.iter().count(), "the list of callers was read");
            set(callers);
        }
        Err(error) => tracing::error!(error = format!("{error:#}"), "the list of callers stays"),
    };
    watch::files(core::slice::from_ref(&path), changed).await;
}
