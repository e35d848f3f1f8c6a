//! Keys that a socket believes in.

use core::fmt::Display;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use custody_client::PinnedKey;
use custody_core::{KeySpec, Scheme};
use quorate_purpose::Kind;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::key::Key;

/// A pinned key, with its name and its purposes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pinned {
    /// The name.
    pub name: String,
    /// The kinds of purposes that this socket asks for: those of the specification, or fewer.
    pub purposes: Vec<Kind>,
    /// The key.
    pub key: PinnedKey,
}

impl Pinned {
    /// The key of a specification. Its name is the label [`Key::NAME`]; without one, the id.
    #[must_use]
    pub fn new(spec: &KeySpec, key: PinnedKey) -> Self {
        let name = spec.labels.get(Key::NAME).cloned().unwrap_or_else(|| key.id().to_string());
        Self { name, purposes: spec.purposes.clone(), key }
    }

    pub(super) fn describe(&self) -> Result<Key, Failure> {
        let public_key = self.key.public_key(&custody_core::Child::default());
        let public_key = public_key.map_err(|why| Failure::Broken(why.to_string()))?;
        let (id, name, purposes) = (self.key.id(), self.name.clone(), self.purposes.clone());
        let scheme: Scheme = self.key.scheme();
        Ok(Key { id, name, scheme, purposes, public_key })
    }
}

/// The file of a key.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    purposes: Vec<String>,
    pin: PinnedKey,
}

/// A folder with a file for each key. Write access to it is the choice of the keys that the socket shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder at a path, which is made when the first key is written.
    #[must_use]
    pub const fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// Reads every key.
    ///
    /// # Errors
    /// [`Failure::Broken`] with the path of the file.
    pub fn read(&self) -> Result<Vec<Pinned>, Failure> {
        let entries = match fs::read_dir(&self.0) {
            Err(why) if why.kind() == ErrorKind::NotFound => return Ok(vec![]),
            entries => entries.map_err(|why| broken(&self.0, why))?,
        };
        let paths = entries.map(|entry| entry.map(|entry| entry.path()));
        let paths = paths.collect::<Result<Vec<_>, _>>().map_err(|why| broken(&self.0, why))?;
        let is_key = |path: &&PathBuf| path.extension().is_some_and(|end| end == "json");
        paths.iter().filter(is_key).map(|path| read(path)).collect()
    }

    /// Writes a key, so that a crash leaves the whole file or none.
    ///
    /// # Errors
    /// [`Failure::Broken`] with the path of the file.
    pub fn write(&self, pinned: &Pinned) -> Result<(), Failure> {
        let path = self.0.join(format!("{}.json", pinned.key.id()));
        let purposes = pinned.purposes.iter().map(Kind::to_string).collect();
        let file = File { name: pinned.name.clone(), purposes, pin: pinned.key.clone() };
        let text = serde_json::to_vec_pretty(&file).map_err(|why| broken(&path, why))?;
        let new = path.with_extension("new");
        let written = fs::create_dir_all(&self.0).and_then(|()| fs::write(&new, text));
        let synced = written.and_then(|()| fs::File::open(&new)?.sync_all());
        let renamed = synced.and_then(|()| fs::rename(&new, &path));
        // The name is on the disk when the folder is.
        let kept = renamed.and_then(|()| fs::File::open(&self.0)?.sync_all());
        kept.map_err(|why| broken(&path, why))
    }
}

fn read(path: &Path) -> Result<Pinned, Failure> {
    let text = fs::read(path).map_err(|why| broken(path, why))?;
    let file: File = serde_json::from_slice(&text).map_err(|why| broken(path, why))?;
    let purposes = file.purposes.iter().map(|name| name.parse::<Kind>());
    let purposes = purposes.collect::<Result<_, _>>().map_err(|why| broken(path, why))?;
    Ok(Pinned { name: file.name, purposes, key: file.pin })
}

fn broken(path: &Path, why: impl Display) -> Failure {
    Failure::Broken(format!("{}: {why}", path.display()))
}
