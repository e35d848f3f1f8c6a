//! A temporary folder, and the command line in it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Parser as _;
use custody_cli::{Args, run};

/// A temporary folder. It is removed at the end, unless the test fails.
#[derive(Debug)]
pub struct Place(PathBuf);

impl Place {
    /// An empty folder.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new(name: &str) -> Result<Self> {
        let path = std::env::temp_dir().join(format!("custody-{name}-{}", std::process::id()));
        drop(fs::remove_dir_all(&path));
        fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
        Ok(Self(path))
    }

    /// Runs a command, in which `@` stands for the folder, and gives its output.
    ///
    /// # Errors
    /// The error of the command.
    pub fn run(&self, command: &str) -> Result<String> {
        let folder = format!("{}/", self.0.display());
        let words = command.split_whitespace().map(|word| word.replace('@', &folder));
        run(Args::try_parse_from(["custody".to_owned()].into_iter().chain(words))?)
    }

    /// The path of a file in the folder.
    #[must_use]
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        drop(fs::remove_dir_all(&self.0));
    }
}
