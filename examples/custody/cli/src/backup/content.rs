//! The content of a backup: the rows of the node, and what its folder needs.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use custody_node::Backup;
use quorate::SealKey;
use quorate_envelope::{Identity, Name};
use quorate_store::file;
use serde::{Deserialize, Serialize};

use crate::folder::Folder;
use crate::settings::Settings;

/// The purpose of a sealed file.
const FILE: &str = "custody backup of a file";
/// The files of a folder beside its identity. The last of them a machine may lack.
const FILES: [&str; 8] = [
    Settings::FILE,
    "directory",
    "directory.id",
    "authority.pem",
    "nats.pem",
    "nats.key",
    "nats.seed",
    "callers.json",
];

/// The content. Secrets in it are sealed once more, under the same key, so that no copy of them is left in memory.
#[derive(Serialize, Deserialize)]
pub(super) struct Content {
    pub(super) name: String,
    /// Seconds since 1970.
    pub(super) made: u64,
    pub(super) rows: Backup,
    identity: Vec<u8>,
    files: Vec<(String, Vec<u8>)>,
}

impl Content {
    /// The content with the files of a folder.
    pub(super) fn new(
        folder: &Folder,
        (identity, settings): (&Identity, &Settings),
        (rows, made): (Backup, u64),
        seal: &SealKey,
    ) -> Result<Self> {
        let mut names: Vec<String> = FILES.iter().map(ToString::to_string).collect();
        names.push(public_file(identity.name()));
        if let Some(policies) = &settings.policies {
            names.extend(policies_in(folder, policies)?);
        }
        let mut files = Vec::new();
        for name in names {
            match fs::read(folder.path(&name)) {
                Err(why) if why.kind() == std::io::ErrorKind::NotFound => {}
                read => {
                    let bytes = zeroize::Zeroizing::new(read.with_context(|| name.clone())?);
                    files.push((name, seal.seal_bytes(FILE, &bytes)));
                }
            }
        }
        let (name, identity) = (identity.name().to_string(), identity.seal(seal));
        Ok(Self { name, made, rows, identity, files })
    }

    pub(super) fn identity(&self, seal: &SealKey) -> Result<Identity> {
        Ok(Identity::open(&Name::new(&self.name)?, &self.identity, seal)?)
    }

    /// The settings of the node.
    pub(super) fn settings(&self, seal: &SealKey) -> Result<Settings> {
        let found = self.files.iter().find(|(name, _)| name == Settings::FILE);
        let (_, sealed) = found.context("the backup has no settings")?;
        let text = open(sealed, seal)?;
        Settings::parse(core::str::from_utf8(&text)?)
    }

    /// Writes the files into a new folder, all of them for their owner alone.
    pub(super) fn unpack(&self, folder: &Folder, seal: &SealKey) -> Result<()> {
        for (name, sealed) in &self.files {
            let is_known = FILES.contains(&name.as_str())
                || *name == public_file(&Name::new(&self.name)?)
                || is_policy(name);
            if !is_known {
                bail!("the backup has a file {name:?}, which no node has");
            }
            file::replace(folder.path(name), &open(sealed, seal)?)?;
        }
        Ok(())
    }
}

fn open(sealed: &[u8], seal: &SealKey) -> Result<impl core::ops::Deref<Target = Vec<u8>> + use<>> {
    seal.open_bytes(FILE, sealed).map_err(|why| anyhow!("{why}"))
}

fn public_file(name: &Name) -> String {
    format!("{name}.pub")
}

/// The policies that lie in the folder `policies` of the machine. Those elsewhere are the operator's.
fn policies_in(folder: &Folder, policies: &Path) -> Result<Vec<String>> {
    if policies != Path::new("policies") {
        return Ok(Vec::new());
    }
    let path = folder.path("policies");
    let mut names = Vec::new();
    for entry in fs::read_dir(&path).with_context(|| path.display().to_string())? {
        let name = entry?.file_name();
        names.extend(
            name.to_str().map(|name| format!("policies/{name}")).filter(|it| is_policy(it)),
        );
    }
    Ok(names)
}

fn is_policy(name: &str) -> bool {
    let stem = name.strip_prefix("policies/").and_then(|name| name.strip_suffix(".cedar"));
    stem.is_some_and(|stem| !stem.is_empty() && !stem.contains(['/', '\\']))
}
