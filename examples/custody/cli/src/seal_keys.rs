//! Seal keys in files: `1.key`, `2.key` and so on, of 32 bytes each. The last one is current.

use std::fs;
use std::path::{Path, PathBuf};

use quorate::SealKey;
use quorate::session::keyring::{KeyService, SealKeyId, ServiceError};
use quorate_store::file;

/// A folder of seal keys, which only their owner can read. A service with a vault or a cloud's key management replaces it.
#[derive(Clone, Debug)]
pub struct SealKeyFolder(PathBuf);

impl SealKeyFolder {
    /// The keys in this folder.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// The file of a key.
    pub(crate) fn path(&self, id: SealKeyId) -> PathBuf {
        self.0.join(format!("{id}.key"))
    }

    fn ids(&self) -> std::io::Result<Vec<SealKeyId>> {
        let mut ids = Vec::new();
        for entry in fs::read_dir(&self.0)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| Path::new(name).to_str());
            let id = name.and_then(|name| name.strip_suffix(".key"));
            ids.extend(id.and_then(|id| id.parse::<SealKeyId>().ok()));
        }
        Ok(ids)
    }

    /// Adds a key, which is current from now on. Each process opens its ring anew to see it.
    ///
    /// # Errors
    /// The errors of the file system.
    pub fn add(&self, key: &SealKey) -> std::io::Result<SealKeyId> {
        let last = self.ids()?.into_iter().max();
        let next = last.map_or(Some(SealKeyId::FIRST), SealKeyId::next);
        let id = next.ok_or_else(|| std::io::Error::other("there is no id left for a key"))?;
        file::replace(self.path(id), key.to_secret_bytes().as_slice())?;
        Ok(id)
    }
}

impl KeyService for SealKeyFolder {
    fn current(&self) -> Result<SealKeyId, ServiceError> {
        let last = self.ids()?.into_iter().max();
        last.ok_or_else(|| format!("{}: expected a file 1.key, got none", self.0.display()).into())
    }

    fn key(&self, id: SealKeyId) -> Result<Option<SealKey>, ServiceError> {
        let Some(bytes) = file::read(self.path(id))? else { return Ok(None) };
        let bytes = bytes.as_slice().try_into();
        let bytes = bytes.map_err(|_| format!("{}: expected 32 bytes", self.path(id).display()))?;
        Ok(Some(SealKey::new(bytes)))
    }
}
