//! The folder of a machine, and the names of its files.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use quorate::SealKey;
use quorate::session::keyring::KeyService as _;
use quorate_envelope::{DirectoryId, Identity, Name, TrustedDirectory};
use quorate_store::file;

use crate::seal_keys::SealKeyFolder;

/// The folder of a machine. What is secret in it is for its owner alone.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The file that is there while another seal key is introduced.
    pub(crate) const RESEALING: &str = "resealing";

    /// The folder at this path.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// The path of a file in it.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The path of a setting: one that is relative begins in the folder.
    #[must_use]
    pub fn path_of(&self, path: &Path) -> PathBuf {
        self.0.join(path)
    }

    /// The seal keys of this machine. No backup of the folder may contain them.
    #[must_use]
    pub fn seal_keys(&self) -> SealKeyFolder {
        SealKeyFolder::new(self.path("seal"))
    }

    /// The file of the identity, whose name has the id of the seal key that it is sealed under.
    pub(crate) fn identity_path(&self) -> Result<(PathBuf, SealKey)> {
        let is_whole = !self.path(Self::RESEALING).exists();
        let dir = self.0.display();
        ensure!(is_whole, "the change of the seal key was interrupted: custody reseal --dir {dir}");
        let service = self.seal_keys();
        let id = service.current().map_err(|e| anyhow::anyhow!("{e}"))?;
        let key = service.key(id).map_err(|e| anyhow::anyhow!("{e}"))?;
        let key = key.with_context(|| format!("seal key {id} is missing"))?;
        Ok((self.path(&format!("identity.{id}")), key))
    }

    /// The identity of this machine.
    ///
    /// # Errors
    /// A missing file, or one that another seal key has sealed.
    pub fn identity(&self, name: &Name) -> Result<Identity> {
        let (path, key) = self.identity_path()?;
        let sealed = self.private(&path)?;
        Identity::open(name, &sealed, &key).with_context(|| path.display().to_string())
    }

    /// The current seal key.
    ///
    /// # Errors
    /// A missing key, or one that others may read.
    pub fn seal_key(&self) -> Result<SealKey> {
        Ok(self.identity_path()?.1)
    }

    /// The directory that this machine trusts, and nothing older.
    ///
    /// # Errors
    /// A missing or damaged file, or a directory that is older than the recorded id.
    pub fn directory(&self) -> Result<TrustedDirectory> {
        let id = DirectoryId::from_bytes(&self.private(&self.path("directory.id"))?)?;
        let directory = self.private(&self.path("directory"))?;
        Ok(TrustedDirectory::reopen(&directory, id)?)
    }

    /// Stores the identity under the current seal key.
    pub(crate) fn put_identity(&self, identity: &Identity) -> Result<()> {
        let (path, key) = self.identity_path()?;
        self.put(&path, &identity.seal(&key))
    }

    /// Reads a file that is for its owner alone.
    pub(crate) fn private(
        &self,
        path: &Path,
    ) -> Result<impl core::ops::Deref<Target = Vec<u8>> + use<>> {
        let bytes = file::read(path).with_context(|| path.display().to_string())?;
        bytes.with_context(|| format!("{} is missing", path.display()))
    }

    /// Writes a file that is for its owner alone.
    pub(crate) fn put(&self, path: &Path, content: &[u8]) -> Result<()> {
        file::replace(path, content).with_context(|| path.display().to_string())
    }

    /// Makes the folder, for its owner alone.
    pub(crate) fn make(&self) -> Result<()> {
        let path = self.0.display();
        ensure!(
            !self.0.exists(),
            "{path} exists already: take another folder. If it has the secrets of a machine, do not remove it"
        );
        make_private(&self.0).with_context(|| path.to_string())?;
        make_private(&self.path("seal")).with_context(|| path.to_string())
    }
}

/// Makes a folder for its owner alone.
pub(crate) fn make_private(path: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}
