//! Files that appear whole or not at all, and stay when the power fails.

use core::sync::atomic::{AtomicU32, Ordering};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use quorate_examples::failure::Failure;
use quorate_examples::files::fresh_name;

/// The beginning of the names of files that are being written.
pub const UNFINISHED: &str = ".new.";

/// For tests: how often the disk may still change before the process is aborted.
static CHANGES: AtomicU32 = AtomicU32::new(u32::MAX);

/// For tests: aborts this process when it has changed the disk so many times, as if it were killed there.
pub fn abort_after(changes: u32) {
    CHANGES.store(changes, Ordering::Relaxed);
}

/// The disk is about to change.
fn change() {
    let left = CHANGES.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| match left {
        u32::MAX => None,
        left => left.checked_sub(1),
    });
    if left == Err(0) {
        std::process::abort();
    }
}

/// The access rights of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Privacy {
    /// Anybody.
    Everyone,
    /// The user that runs the wallet.
    OwnerOnly,
}

/// Writes a file, in the place of another if there is one: under another name first, then renamed.
///
/// # Errors
/// A [`Failure`]; what was there is still there.
pub fn write_whole(path: &Path, bytes: &[u8], privacy: Privacy) -> Result<(), Failure> {
    let new = path.with_file_name(fresh_name(UNFINISHED));
    let write = || {
        let mut file = open_new(&new, privacy)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        change();
        fs::rename(&new, path)?;
        sync_folder_of(path)
    };
    let written = write().map_err(Failure::file("write", path));
    if written.is_err() {
        fs::remove_file(&new).ok();
    }
    written
}

/// Writes a file that must not be there yet, and says whether it was not.
///
/// # Errors
/// From the file system.
pub fn write_first(path: &Path, bytes: &[u8], privacy: Privacy) -> io::Result<bool> {
    // A link to a file that is written already appears whole, and never in the place of another.
    let new = path.with_file_name(fresh_name(UNFINISHED));
    let write = || {
        let mut file = open_new(&new, privacy)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        change();
        match fs::hard_link(&new, path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            linked => linked.map(|()| true),
        }
    };
    let written = write();
    fs::remove_file(&new).ok();
    sync_folder_of(path)?;
    written
}

/// Deletes a file; it is no error if it is gone.
///
/// # Errors
/// A [`Failure`] from the file system.
pub fn delete(path: &Path) -> Result<(), Failure> {
    if path.exists() {
        change();
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Failure::file("delete", path)(error))
        }
        _ => Ok(()),
    }
}

/// Deletes what killed processes have left in a folder. Nobody must be writing there.
///
/// # Errors
/// A [`Failure`] from the file system.
pub fn delete_unfinished(dir: &Path) -> Result<(), Failure> {
    for entry in fs::read_dir(dir).map_err(Failure::file("read", dir))? {
        let name = entry?.file_name();
        if name.as_encoded_bytes().starts_with(UNFINISHED.as_bytes()) {
            delete(&dir.join(name))?;
        }
    }
    Ok(())
}

/// Reads a file, if it is there.
///
/// # Errors
/// A [`Failure`] from the file system.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::file("read", path)(error)),
    }
}

fn open_new(path: &Path, privacy: Privacy) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if privacy == Privacy::OwnerOnly {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    // Elsewhere the folder's access rights decide.
    #[cfg(not(unix))]
    let _ = privacy;
    options.open(path)
}

/// Makes a folder for its owner only; it is no error if it is there.
///
/// # Errors
/// A [`Failure`] from the file system.
pub fn private_dir(dir: &Path) -> Result<(), Failure> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(dir) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && dir.is_dir() => Ok(()),
        made => made.and_then(|()| sync_folder_of(dir)).map_err(Failure::file("create", dir)),
    }
}

/// A new name is on the disk only when the folder is.
fn sync_folder_of(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        File::open(folder)?.sync_all()?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}
