//! The key that seals a node's database, in a file of its own.
//!
//! It stands for a key service: whoever takes the database alone, or a backup of it, reads nothing. Whoever builds on this
//! gives the node a [`KeyService`] from wherever keys are kept; a node never asks where they came from.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use getrandom::SysRng;
use quorate::SealKey;
use quorate::session::keyring::{KeyService, SealKeyId, ServiceError};
use quorate::session::rand_core::UnwrapErr;
use quorate::session::zeroize::Zeroizing;
use quorate_examples::failure::Failure;

/// The keys of a node in files: the first one in `nN`, later ones in `nN.2`, `nN.3`, and so on. The last one is current.
#[derive(Clone, Debug)]
pub struct KeyFiles(PathBuf);

impl KeyFiles {
    /// The keys whose first one has this file; it is made if there is none at all.
    ///
    /// # Errors
    /// A [`Failure`] if the folder cannot be read, the last key is none or open to others, or the first not be made.
    pub fn open(first: &Path) -> Result<Self, Failure> {
        let files = Self(first.to_owned());
        match files.last()? {
            Some(id) => drop(open(&files.path(id))?),
            None => drop(make(first)?),
        }
        Ok(files)
    }

    /// Makes another key, which is the current one from now on; gives its number.
    ///
    /// # Errors
    /// A [`Failure`] if it cannot be written.
    pub fn add(&self) -> Result<SealKeyId, Failure> {
        let next = self.last()?.map_or(Some(SealKeyId::FIRST), SealKeyId::next);
        let id = next.ok_or_else(|| Failure::new("there are no more ids of keys"))?;
        make(&self.path(id))?;
        Ok(id)
    }

    /// The file of a key.
    #[must_use]
    pub fn path(&self, id: SealKeyId) -> PathBuf {
        let mut path = self.0.clone().into_os_string();
        if id != SealKeyId::FIRST {
            path.push(format!(".{id}"));
        }
        path.into()
    }

    /// The ids of the keys that are there, in ascending order.
    ///
    /// # Errors
    /// A [`Failure`] if the folder cannot be read.
    pub fn ids(&self) -> Result<Vec<SealKeyId>, Failure> {
        let folder = self.0.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let name = self.0.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let mut ids = Vec::new();
        for entry in fs::read_dir(folder).map_err(Failure::file("read", folder))? {
            let file = entry.map_err(Failure::file("read", folder))?.file_name();
            let rest = file.to_str().and_then(|file| file.strip_prefix(name));
            ids.extend(match rest {
                Some("") => Some(SealKeyId::FIRST),
                Some(rest) => rest.strip_prefix('.').and_then(|rest| rest.parse().ok()),
                None => None,
            });
        }
        ids.sort_unstable();
        Ok(ids)
    }

    fn last(&self) -> Result<Option<SealKeyId>, Failure> {
        Ok(self.ids()?.last().copied())
    }
}

impl KeyService for KeyFiles {
    fn current(&self) -> Result<SealKeyId, ServiceError> {
        let last = self.last().map_err(|why| why.to_string())?;
        last.ok_or_else(|| format!("{}: there is no key", self.0.display()).into())
    }

    fn key(&self, id: SealKeyId) -> Result<Option<SealKey>, ServiceError> {
        let path = self.path(id);
        let key = path.exists().then(|| open(&path)).transpose();
        Ok(key.map_err(|why| why.to_string())?)
    }
}

/// Reads the key, or makes it if there is none. Its file can be read by its owner alone.
///
/// # Errors
/// A [`Failure`] if the file is not of 32 bytes, others may read it, or it cannot be written.
pub fn open(path: &Path) -> Result<SealKey, Failure> {
    match fs::read(path) {
        Ok(bytes) => {
            let bytes = Zeroizing::new(bytes);
            check_owner(path)?;
            let key = <[u8; 32]>::try_from(bytes.as_slice());
            let key = key.map_err(|_| Failure::new(format!("{}: not a key", path.display())))?;
            Ok(SealKey::new(key))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => make(path),
        Err(error) => Err(Failure::file("read", path)(error)),
    }
}

/// Makes a key.
fn make(path: &Path) -> Result<SealKey, Failure> {
    let key = SealKey::generate(&mut UnwrapErr(SysRng))?;
    write_private(path, key.to_secret_bytes().as_slice())?;
    Ok(key)
}

/// Writes a file that its owner alone can read. It is whole on the disk before it has its name, so that no process that dies
/// leaves half of one. The file is new: one that is left, of a process that died or of somebody else, may be open to others.
///
/// # Errors
/// A [`Failure`] if it cannot be written.
pub fn write_private(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let new = path.with_extension("new");
    let write = || {
        match fs::remove_file(&new) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
    };
    write().map_err(Failure::file("write", path))
}

/// Refuses a file that others may read.
///
/// # Errors
/// A [`Failure`] that says how to help it.
#[cfg(unix)]
pub fn check_owner(path: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(path).map_err(Failure::file("read", path))?.permissions().mode();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    Err(Failure::new(format!("{}: others may read it; chmod 600 it", path.display())))
}

/// Nothing: there are no owners here.
///
/// # Errors
/// None.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "as on Unix")]
pub const fn check_owner(_: &Path) -> Result<(), Failure> {
    Ok(())
}
