//! Files that appear whole or not at all, and stay when the power fails.

use core::sync::atomic::{AtomicU64, Ordering};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use quorate::session::{SpentTable, TableEntry};
use quorate_examples::files::fresh_name;
use quorate_examples::{Failure, Result, ensure};

/// The beginning of the names of files that are being written.
pub const UNFINISHED: &str = ".new.";

/// For tests: the changes of the disk that are left before the process is aborted.
static LEFT: AtomicU64 = AtomicU64::new(u64::MAX);

/// For tests: aborts this process when it has changed the disk `changes` times, as if it were killed there.
pub fn abort_after(changes: u32) {
    LEFT.store(changes.into(), Ordering::Relaxed);
}

/// Counts a change of the disk, and aborts the process if no more are left.
fn change() {
    if LEFT.fetch_sub(1, Ordering::Relaxed) == 0 {
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

/// Replaces a file, or makes it. If that fails, what was there is still there.
pub fn replace(path: &Path, bytes: &[u8], privacy: Privacy) -> Result {
    replace_with(path, privacy, |file| file.write_all(bytes))
}

/// As [`replace`], for a content that `write` writes.
pub fn replace_with(
    path: &Path,
    privacy: Privacy,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result {
    publish(path, privacy, write, |new| fs::rename(new, path)).map_err(Failure::file("write", path))
}

/// Makes a file. Returns `false`, and changes nothing, if it was there.
pub fn create(path: &Path, bytes: &[u8], privacy: Privacy) -> Result<bool> {
    // A hard link shows the whole file at once, and fails if the name is taken.
    let link = |new: &Path| match fs::hard_link(new, path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        linked => linked.map(|()| true),
    };
    publish(path, privacy, |file| file.write_all(bytes), link).map_err(Failure::file("write", path))
}

/// Makes a file that must not be there.
pub(crate) fn create_new(path: &Path, bytes: &[u8], privacy: Privacy) -> Result {
    match create(path, bytes, privacy)? {
        true => Ok(()),
        false => Err(Failure::at(path, "is there; it is not overwritten")),
    }
}

/// Writes a new file beside `path`, and has `publish` give it this name.
fn publish<T>(
    path: &Path,
    privacy: Privacy,
    write: impl FnOnce(&mut File) -> io::Result<()>,
    publish: impl FnOnce(&Path) -> io::Result<T>,
) -> io::Result<T> {
    let new = path.with_file_name(fresh_name(UNFINISHED));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    // Elsewhere the folder's access rights decide.
    #[cfg(unix)]
    if privacy == Privacy::OwnerOnly {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let all = || {
        let mut file = options.open(&new)?;
        write(&mut file)?;
        file.sync_all()?;
        change();
        publish(&new)
    };
    let published = all();
    fs::remove_file(&new).ok();
    let published = published?;
    sync_folder_of(path)?;
    Ok(published)
}

/// A file of its own for the record that something is spent. It is never deleted and never written twice: of two processes, only
/// one makes it.
pub struct SpentFile {
    /// The file.
    pub path: PathBuf,
    /// The content: the digest of the use (32), behind the name that is spent (32) if the file is not named after that.
    pub is_named: bool,
}

impl SpentTable for SpentFile {
    type Error = Failure;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<TableEntry> {
        let name = if self.is_named { &[][..] } else { id };
        if create(&self.path, &[name, digest].concat(), Privacy::OwnerOnly)? {
            return Ok(TableEntry::New);
        }
        let stored = read(&self.path)?.unwrap_or_default();
        let spent = stored.strip_prefix(name).and_then(|digest| digest.try_into().ok());
        let other = || Failure::at(&self.path, "is damaged, or a record of another key");
        spent.map(TableEntry::Before).ok_or_else(other)
    }
}

/// Deletes a file. A missing file is no error.
pub fn delete(path: &Path) -> Result {
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

/// Deletes the unfinished files of killed processes in a folder. No other process may be writing there.
pub fn delete_unfinished(dir: &Path) -> Result {
    let names = names(dir)?.into_iter().filter(|name| name.starts_with(UNFINISHED));
    names.into_iter().try_for_each(|name| delete(&dir.join(name)))
}

/// Reads a file, if it is there.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::file("read", path)(error)),
    }
}

/// The names of the entries of a folder, sorted.
pub fn names(dir: &Path) -> Result<Vec<String>> {
    let name = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into());
    let names = fs::read_dir(dir).and_then(|entries| entries.map(name).collect());
    let mut names: Vec<_> = names.map_err(Failure::file("read", dir))?;
    names.sort_unstable();
    Ok(names)
}

/// Makes a folder for its owner only. An existing folder is no error.
pub fn private_dir(dir: &Path) -> Result {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let (is_there, made) = (dir.is_dir(), builder.recursive(true).create(dir));
    let synced = made.and_then(|()| if is_there { Ok(()) } else { sync_folder_of(dir) });
    synced.map_err(Failure::file("create", dir))
}

/// Refuses a folder in which others than its owner can write: they can exchange its files.
pub fn check_folder(dir: &Path) -> Result {
    let mode = mode(dir)?;
    let dir = dir.display();
    ensure!(
        mode & 0o022 == 0,
        "others can write into {dir} (mode {mode:o}), and exchange what is in it. Make sure that its files are yours, \
         then: chmod go-rwx {dir}"
    );
    Ok(())
}

/// Takes all rights on a folder from others than its owner.
pub fn tighten(dir: &Path) -> Result {
    let mode = mode(dir)?;
    #[cfg(unix)]
    if mode & 0o077 != 0 {
        let private = std::os::unix::fs::PermissionsExt::from_mode(mode & 0o700);
        fs::set_permissions(dir, private).map_err(Failure::file("change", dir))?;
    }
    Ok(())
}

#[cfg(unix)]
fn mode(dir: &Path) -> Result<u32> {
    let there = fs::metadata(dir).map_err(Failure::file("read", dir))?;
    Ok(std::os::unix::fs::PermissionsExt::mode(&there.permissions()) & 0o777)
}

/// Elsewhere lists of access rights take the place of modes.
#[cfg(not(unix))]
const fn mode(_: &Path) -> Result<u32> {
    Ok(0o700)
}

/// A new name survives a power failure only if its folder was synchronised.
fn sync_folder_of(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}
