//! One process at a time: the lock on a wallet's folder.
//!
//! Making a wallet takes the lock alone, and so does whatever changes or restores its shares. Presigning and signing share it: what they take from the
//! wallet, a presignature, they take one after the other.
//!
//! The lock is the operating system's on the file `lock`. It goes with the process, however that
//! ends; a file that is left there says nothing.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::Path;

use quorate_examples::failure::Failure;

/// The file's name.
pub const NAME: &str = "lock";

/// A lock that is held until this is dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
    alone: bool,
}

impl Lock {
    /// Takes the lock alone, for `doing` something that the others will be told of.
    ///
    /// # Errors
    /// A [`Failure`] that says who has it.
    pub fn alone(dir: &Path, doing: &str) -> Result<Self, Failure> {
        let path = dir.join(NAME);
        let mut file = open(&path)?;
        file.try_lock().map_err(|error| refused(dir, &path, error))?;
        // Only for the message to others: that it arrives is not needed.
        file.set_len(0)?;
        writeln!(file, "{doing}, process {}", std::process::id())?;
        Ok(Self { file, alone: true })
    }

    /// Takes the lock together with others that share it.
    ///
    /// # Errors
    /// A [`Failure`] that says who has it alone.
    pub fn shared(dir: &Path) -> Result<Self, Failure> {
        let path = dir.join(NAME);
        let file = open(&path)?;
        file.try_lock_shared().map_err(|error| refused(dir, &path, error))?;
        Ok(Self { file, alone: false })
    }

    /// Waits for the lock, alone; for work that takes no time worth a message.
    ///
    /// # Errors
    /// A [`Failure`] from the file system.
    pub fn wait(dir: &Path) -> Result<Self, Failure> {
        let path = dir.join(NAME);
        let file = open(&path)?;
        file.lock().map_err(Failure::file("lock", &path))?;
        Ok(Self { file, alone: false })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.alone {
            self.file.set_len(0).ok();
        }
        self.file.unlock().ok();
    }
}

fn open(path: &Path) -> Result<File, Failure> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    options.open(path).map_err(Failure::file("open", path))
}

fn refused(dir: &Path, path: &Path, error: TryLockError) -> Failure {
    let dir = dir.display();
    match error {
        TryLockError::WouldBlock => {
            let who = fs::read_to_string(path).unwrap_or_default();
            let who = if who.trim().is_empty() { "presign or sign" } else { who.trim() };
            Failure::new(format!(
                "another process is at work on the wallet in {dir} ({who}); try again when it is done"
            ))
        }
        TryLockError::Error(error) => Failure::file("lock", path)(error),
    }
}
