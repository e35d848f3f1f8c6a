//! `custody init join`: a machine takes the shared folder.

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
    let directory = Directory::from_bytes(&read(&shared.path("directory"))?)?;
    let found = directory.id();
    ensure!(
        join.id.trim() == found.to_string(),
        "the folder has the directory {found}, expected {}: compare the id with the other operators",
        join.id.trim()
    );
    let trusted = trust(&folder, directory, found)?;
    identity.check_belongs_to(&trusted)?;
    for (from, to) in [("authority.pem", "authority.pem"), (&format!("{name}.pem"), "nats.pem")] {
        folder.put(&folder.path(to), &read(&shared.path(from))?)?;
    }
    first_settings(&folder, &name, &shared, &public)?;
    Ok(format!("{name} is a member of {found}\n"))
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

/// Records the directory, unless this machine trusts one already.
fn trust(folder: &Folder, directory: Directory, id: DirectoryId) -> Result<TrustedDirectory> {
    if folder.path("directory.id").exists() {
        let trusted = folder.directory()?;
        let before = trusted.directory().id();
        ensure!(before == id, "this machine trusts the directory {before} already");
        return Ok(trusted);
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
