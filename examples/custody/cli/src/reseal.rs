//! `custody reseal`: another seal key for a machine.

use std::fs;

use anyhow::{Context as _, Result, anyhow, ensure};
use getrandom::SysRng;
use quorate::SealKey;
use quorate::session::keyring::{KeyService as _, SealKeyId};
use quorate::session::rand_core::UnwrapErr;
use quorate_envelope::{Identity, Name};
use quorate_store::file;

use crate::args::Reseal;
use crate::backup::open_store;
use crate::folder::Folder;
use crate::settings::{Role, Settings};

/// Makes a seal key, and seals the identity and the databases under it. Whatever interrupts it, the same command goes on.
///
/// From the first step to the last, the file [`Folder::RESEALING`] has the ids of both keys, and no process opens the folder.
pub(crate) fn run(args: &Reseal) -> Result<String> {
    let folder = Folder::new(&args.dir);
    let settings = Settings::read(&folder.path(Settings::FILE))?;
    let name = Name::new(&settings.name).context("name")?;
    let _lock = file::lock(folder.path("lock"))?;
    let (from, to) = begin(&folder)?;
    let keys = folder.seal_keys();
    let key_of = |id| {
        let key = keys.key(id).map_err(|why| anyhow!("{why}"))?;
        key.with_context(|| format!("seal key {id} is missing"))
    };
    let old = key_of(from)?;
    if keys.key(to).map_err(|why| anyhow!("{why}"))?.is_none() {
        let id = keys.add(&SealKey::generate(&mut UnwrapErr(SysRng))?).context("the seal key")?;
        ensure!(id == to, "expected the new seal key to be {to}, got {id}: somebody added another");
    }
    let new = key_of(to)?;
    let identity = folder.path(&format!("identity.{from}"));
    // It is gone if the last step was interrupted.
    let moved = folder.path(&format!("identity.{to}"));
    ensure!(
        identity.exists() || moved.exists(),
        "{}: the identity is missing, under both seal keys",
        identity.display()
    );
    if identity.exists() {
        let opened = Identity::open(&name, &folder.private(&identity)?, &old);
        let opened = opened.with_context(|| identity.display().to_string())?;
        folder.put(&moved, &opened.seal(&new))?;
    }
    let rows = match settings.role {
        Role::Node => custody_node::reseal(&mut open_store(&folder, &settings)?, &old, &new)
            .map_err(|why| anyhow!("{why}"))?,
        // Nothing in the database of a gateway is sealed.
        Role::Gateway => 0,
    };
    if identity.exists() {
        fs::remove_file(&identity).with_context(|| identity.display().to_string())?;
    }
    let marker = folder.path(Folder::RESEALING);
    fs::remove_file(&marker).with_context(|| marker.display().to_string())?;
    Ok(format!(
        "{name} has the seal key {to}; {rows} rows were moved. Nothing needs seal key {from} any more: destroy {}\n",
        keys.path(from).display()
    ))
}

/// The ids of both keys: those of a change that was interrupted, or of a new one.
fn begin(folder: &Folder) -> Result<(SealKeyId, SealKeyId)> {
    let marker = folder.path(Folder::RESEALING);
    if let Some(text) = file::read(&marker).with_context(|| marker.display().to_string())? {
        let text = core::str::from_utf8(&text).ok();
        let ids = text.and_then(|text| text.trim().split_once(' '));
        let ids = ids.and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
        return ids.with_context(|| format!("{}: expected two ids of keys", marker.display()));
    }
    let from = folder.seal_keys().current().map_err(|why| anyhow!("{why}"))?;
    let to = from.next().context("there is no id left for a key")?;
    // A key that somebody has put beside an identity of another one is not the key of this machine.
    let identity = folder.path(&format!("identity.{from}"));
    ensure!(
        identity.exists(),
        "{}: expected the identity under the last seal key, {from}: is a key in {} that does not belong there?",
        identity.display(),
        folder.path("seal").display()
    );
    folder.put(&marker, format!("{from} {to}\n").as_bytes())?;
    Ok((from, to))
}
