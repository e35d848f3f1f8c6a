//! The file of a socket.

use std::fs::{self, File};
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::os::unix::net::UnixStream;
use std::path::Path;

/// Waits until no other process makes a socket in the folder of this path, and keeps others waiting until the value is dropped.
///
/// A process has the file before it listens. Another one would take the socket for one that was left behind.
pub(super) fn lock_folder(path: &Path) -> Result<File> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = File::open(folder.unwrap_or(Path::new(".")))?;
    folder.lock()?;
    Ok(folder)
}

/// A file, whatever its name is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Identity {
    device: u64,
    number: u64,
}

impl Identity {
    pub(super) fn of(path: &Path) -> Result<Self> {
        let file = fs::symlink_metadata(path)?;
        Ok(Self { device: file.dev(), number: file.ino() })
    }
}

/// Removes a socket on which no process listens.
pub(super) fn clear(path: &Path) -> Result<()> {
    let in_use = |why: &str| Err(Error::new(ErrorKind::AddrInUse, why));
    let file = match fs::symlink_metadata(path) {
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(()),
        file => file?,
    };
    if !file.file_type().is_socket() {
        return in_use("the file is there, and is no socket");
    }
    match UnixStream::connect(path) {
        Ok(_) => in_use("another process listens on this socket"),
        // The one answer of the kernel that says that nobody does.
        Err(why) if why.kind() == ErrorKind::ConnectionRefused => fs::remove_file(path),
        Err(why) => in_use(&format!("a process may listen on this socket: {why}")),
    }
}
