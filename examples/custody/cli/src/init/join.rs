//! `custody init join` and `custody init trust`: a machine takes the shared folder, a caller the directory in it.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use quorate_envelope::{Directory, DirectoryId, Name, TrustRecord, TrustedDirectory};

use crate::args::Join;
use crate::folder::{Folder, make_private};
use crate::public_file::PublicFile;
use crate::settings::{Role, Settings};

/// Checks the shared folder against the id that the operators have compared, and copies what this machine needs. What an
/// operator has changed since stays as it is.
pub(crate) fn join(join: &Join) -> Result<String> {
    let folder = Folder::new(&join.dir);
    let public = own_file(&join.dir)?;
    let name = public.name()?;
    let identity = folder.identity(&name)?;
    let shared = Folder::new(&join.cluster);
    let trusted = confirm(&folder, join)?;
    identity.check_belongs_to(&trusted)?;
    for (from, to) in [("authority.pem", "authority.pem"), (&format!("{name}.pem"), "nats.pem")] {
        folder.put(&folder.path(to), &read(&shared.path(from))?)?;
    }
    first_settings(&folder, &name, &shared, &public)?;
    Ok(format!("{name} is a member of {}\n", trusted.id()))
}

/// Takes the directory alone, into a folder without secrets.
pub(crate) fn trust(trust: &Join) -> Result<String> {
    make_private(&trust.dir).with_context(|| trust.dir.display().to_string())?;
    let trusted = confirm(&Folder::new(&trust.dir), trust)?;
    Ok(format!("{} trusts {}\n", trust.dir.display(), trusted.id()))
}

/// Checks the directory against the id that the operators have compared, and records it.
fn confirm(folder: &Folder, join: &Join) -> Result<TrustedDirectory> {
    let directory = Directory::from_bytes(&read(&join.cluster.join("directory"))?)?;
    let (found, expected) = (directory.id(), join.id.trim());
    ensure!(
        expected == found.to_string(),
        "the folder has the directory {found}, expected {expected}: compare the id with the other operators"
    );
    record(folder, directory, found)
}

/// The public file that `custody init node` or `gateway` made.
fn own_file(dir: &Path) -> Result<PublicFile> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).with_context(|| dir.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "pub") {
            found.push(path);
        }
    }
    match found.as_slice() {
        [path] => PublicFile::read(path),
        _ => bail!("{}: expected one public file, got {}", dir.display(), found.len()),
    }
}

/// Records the directory. A machine that trusts one takes a later version of it and nothing else. A step that was interrupted is
/// done again.
fn record(folder: &Folder, directory: Directory, id: DirectoryId) -> Result<TrustedDirectory> {
    if folder.path("directory.id").exists() {
        let before = DirectoryId::from_bytes(&folder.private(&folder.path("directory.id"))?)?;
        let is_later = before == id || before.version() < id.version();
        ensure!(is_later, "this machine trusts the directory {before} already");
        let known = Directory::from_bytes(&folder.private(&folder.path("directory"))?)?;
        let (known, got) = (known.deployment(), directory.deployment());
        ensure!(known == got, "this machine is of the cluster {known}, and the folder of {got}");
    }
    TrustedDirectory::confirm(directory, id)?.record(|record: &TrustRecord| {
        folder.put(&folder.path("directory"), &record.directory)?;
        folder.put(&folder.path("directory.id"), &record.id.to_bytes())
    })
}

/// Writes the settings and makes the folders that they name, if there are none.
fn first_settings(folder: &Folder, name: &Name, shared: &Folder, own: &PublicFile) -> Result<()> {
    let path = folder.path(Settings::FILE);
    if path.exists() {
        return Ok(());
    }
    let servers = String::from_utf8(read(&shared.path("nats.servers"))?)?;
    let servers: Vec<_> = servers.lines().map(str::to_owned).collect();
    let role = if own.party.is_some() { Role::Node } else { Role::Gateway };
    for made in ["policies", "spent"] {
        make_private(&folder.path(made))?;
    }
    fs::write(&path, Settings::first(role, name.as_str(), &servers))?;
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| path.display().to_string())
}
