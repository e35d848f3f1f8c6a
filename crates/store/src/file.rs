//! Files beside the database, of which a reader finds the old content or the new one, and never a part.
//!
//! A service keeps a few things that are not rows: its stock of presignatures, its identity, the primes of its auxiliary
//! information. A stock has to be on the disk before a share made from it leaves. What is secret comes sealed, as with the
//! stores; on Unix these files are for their owner alone besides.
//!
//! ```
//! use quorate_store::file;
//!
//! # let folder = std::env::temp_dir().join(format!("quorate-store-file-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let path = folder.join("stock");
//! assert!(file::read(&path)?.is_none());
//! file::replace(&path, b"sealed")?;
//! assert_eq!(file::read(&path)?.unwrap().as_slice(), b"sealed");
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), std::io::Error>(())
//! ```

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use quorate_session::zeroize::Zeroizing;

/// Reads a file, if there is one. The bytes are zeroized when they are dropped.
///
/// # Errors
/// On Unix [`PermissionDenied`](io::ErrorKind::PermissionDenied) if anybody but the owner has a right to the file. The errors of
/// the file system. All name the file.
pub fn read(path: impl AsRef<Path>) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
    let path = path.as_ref();
    match read_open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some).map_err(|error| named(path, &error)),
    }
}

/// Reads a file that has to be there, as [`read`] does.
///
/// # Errors
/// [`NotFound`](io::ErrorKind::NotFound) if there is none; otherwise as for [`read`].
pub fn read_existing(path: impl AsRef<Path>) -> io::Result<Zeroizing<Vec<u8>>> {
    let path = path.as_ref();
    read_open(path).map_err(|error| named(path, &error))
}

/// Locks a file for this process, and makes the file if there is none. The lock lasts until the value is dropped or the
/// process ends, however it ends.
///
/// A node needs one: two processes on the same files would write over each other's stock.
///
/// # Errors
/// [`WouldBlock`](io::ErrorKind::WouldBlock) if another process has the lock. The errors of the file system.
pub fn lock(path: impl AsRef<Path>) -> io::Result<File> {
    let path = path.as_ref();
    let file = File::options().create(true).truncate(false).write(true).open(path);
    let file = file.map_err(|error| named(path, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::Error(error)) => Err(named(path, &error)),
        Err(TryLockError::WouldBlock) => {
            let text = "another process has locked it: stop that one first";
            Err(named(path, &io::Error::new(io::ErrorKind::WouldBlock, text)))
        }
    }
}

/// An error that names the file.
fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn read_open(path: &Path) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    check_private(&metadata)?;
    // Room for everything at once, and a byte to find the end: a buffer that grew would leave its content behind.
    let room = usize::try_from(metadata.len()).unwrap_or(0).saturating_add(1);
    let mut bytes = Zeroizing::new(Vec::with_capacity(room));
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Replaces the content of a file, or makes the file. When the function returns, the content is on the disk. After a crash
/// in the middle the file is as it was.
///
/// The new content is written to a file beside it, whose name ends in `.new`, and renamed. One process at a time may do this.
///
/// # Errors
/// The errors of the file system, which name the file. The file is as it was, or has the new content if its folder could not be
/// synchronised.
pub fn replace(path: impl AsRef<Path>, content: &[u8]) -> io::Result<()> {
    let path = path.as_ref();
    replace_at(path, content).map_err(|error| named(path, &error))
}

fn replace_at(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(OsStr::new(".new"));
    // A crash may have left it, with any rights.
    match fs::remove_file(&new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&new)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&new, path)?;
    sync_folder(path)
}

/// A rename is on the disk when its folder is.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// No folder can be opened here.
#[cfg(not(unix))]
const fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn check_private(metadata: &Metadata) -> io::Result<()> {
    let mode = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions());
    if mode & 0o077 == 0 {
        return Ok(());
    }
    let text = format!(
        "got the mode {:03o}, expected rights for its owner alone: chmod 600 it",
        mode & 0o777
    );
    Err(io::Error::new(io::ErrorKind::PermissionDenied, text))
}

#[cfg(not(unix))]
const fn check_private(_: &Metadata) -> io::Result<()> {
    Ok(())
}
