//! One process at a time: the lock on a wallet's folder.
//!
//! A process that makes a wallet, or changes or restores its shares, takes the lock alone. Presigning and signing share it:
//! they take presignatures from the wallet one after the other.
//!
//! The lock is the operating system's on the file `lock`. It ends with the process, however that ends; a file that is left
//! there does not mean that the lock is held. A link in its place is refused. A file that no lock has written is refused, too,
//! and is not emptied.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

use quorate_examples::{Failure, Result, failure};

/// The file's name.
pub const NAME: &str = "lock";
/// Bytes of its content, at most.
const LONGEST: u64 = 200;

/// A lock that is held until this is dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
    alone: bool,
}

impl Lock {
    /// Takes the lock alone. `doing` tells other processes what this one is doing.
    pub fn alone(dir: &Path, doing: &str) -> Result<Self> {
        let mut lock = Self::take(dir, File::try_lock)?;
        check_content(&mut lock.file, &dir.join(NAME))?;
        // Only for the message to others, which may fail to be written, for example on a full disk. In one write: a process
        // that is killed here leaves all of it or nothing.
        let text = format!("{doing}, process {}\n", std::process::id());
        let told = lock.file.set_len(0).and_then(|()| lock.file.rewind());
        told.and_then(|()| lock.file.write_all(text.as_bytes())).ok();
        lock.alone = true;
        Ok(lock)
    }

    /// Takes the lock together with others that share it.
    pub fn shared(dir: &Path) -> Result<Self> {
        Self::take(dir, File::try_lock_shared)
    }

    /// Waits for the lock, alone; for work that is too short for a message.
    pub(crate) fn wait(dir: &Path) -> Result<Self> {
        Self::take(dir, |file| file.lock().map_err(TryLockError::Error))
    }

    fn take(dir: &Path, lock: impl FnOnce(&File) -> Result<(), TryLockError>) -> Result<Self> {
        let path = dir.join(NAME);
        let file = open(&path)?;
        lock(&file).map_err(|error| refused(dir, &path, error))?;
        Ok(Self { file, alone: false })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.alone {
            self.file.set_len(0).ok();
        }
        // A process that is just being started has the file open, too, until it runs its own program.
        self.file.unlock().ok();
    }
}

fn open(path: &Path) -> Result<File> {
    let link =
        || Failure::at(path, "is a link, or no file: somebody else has put it there; delete it");
    if fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(link());
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path).map_err(Failure::file("open", path))?;
    // The file that was opened is the one at this path: no link was put in its place meanwhile.
    let opened = file.metadata().map_err(Failure::file("open", path))?;
    let there = fs::symlink_metadata(path).map_err(Failure::file("open", path))?;
    if is_same(&opened, &there) { Ok(file) } else { Err(link()) }
}

/// Returns whether a file was opened under its only name, and is still there.
#[cfg(unix)]
fn is_same(opened: &Metadata, there: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (opened.dev(), opened.ino()) == (there.dev(), there.ino()) && opened.nlink() == 1
}

#[cfg(not(unix))]
fn is_same(_: &Metadata, there: &Metadata) -> bool {
    there.is_file()
}

/// Refuses a file whose content no lock has written: it would be lost.
fn check_content(file: &mut File, path: &Path) -> Result {
    let mut text = Vec::new();
    file.take(LONGEST).read_to_end(&mut text).map_err(Failure::file("read", path))?;
    let text = String::from_utf8_lossy(&text);
    let process = text.trim_end().rsplit_once(", process ");
    let ours = text.is_empty() || process.is_some_and(|(_, id)| id.parse::<u32>().is_ok());
    let other = "is not the lock of a wallet; it is not overwritten";
    if ours { Ok(()) } else { Err(Failure::at(path, other)) }
}

fn refused(dir: &Path, path: &Path, error: TryLockError) -> Failure {
    let dir = dir.display();
    match error {
        TryLockError::WouldBlock => {
            let who = fs::read_to_string(path).unwrap_or_default();
            let who = if who.trim().is_empty() { "presign or sign" } else { who.trim() };
            failure!(
                "another process is at work on the wallet in {dir} ({who}); try again when it is done"
            )
        }
        TryLockError::Error(error) => Failure::file("lock", path)(error),
    }
}
