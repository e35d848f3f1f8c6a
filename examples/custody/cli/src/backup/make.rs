//! `custody backup`.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, anyhow, ensure};
use custody_core::Refusal;
use custody_node::Backup as Rows;
use getrandom::SysRng;
use quorate::SealKey;
use quorate::session::rand_core::UnwrapErr;
use quorate_envelope::Name;
use quorate_store::file;

use super::content::Content;
use super::{RECORD, key, open_store, sealed};
use crate::args::Backup;
use crate::folder::Folder;
use crate::settings::{Role, Settings};

/// Writes one sealed file. The node may run meanwhile.
pub(crate) fn make(args: &Backup) -> Result<String> {
    let Backup { dir, to, out } = args;
    ensure!(!out.exists(), "{} exists already", out.display());
    let (folder, to) = (Folder::new(dir), key::read_public(to)?);
    let settings = Settings::read(&folder.path(Settings::FILE))?;
    ensure!(settings.role == Role::Node, "a gateway has no shares: there is nothing to back up");
    let identity = folder.identity(&Name::new(&settings.name).context("name")?)?;
    let seal = SealKey::generate(&mut UnwrapErr(SysRng))?;
    let mut store = open_store(&folder, &settings)?;
    let failed = |why: Refusal| anyhow!("{why}");
    let rows = Rows::take(&mut store, &folder.seal_key()?, &seal).map_err(failed)?;
    let epochs = rows.epochs(&seal, settings.moduli.level()).map_err(failed)?;
    let made = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let content = Content::new(&folder, (&identity, &settings), (rows, made), &seal)?;
    let content = postcard::to_stdvec(&content)?;
    file::replace(out, &sealed::write(&identity, &to, &seal, &content)?)?;
    // The metrics of the node show this record.
    let names: BTreeMap<String, u32> =
        epochs.iter().map(|(key, epoch)| (key.to_string(), *epoch)).collect();
    file::replace(folder.path(RECORD), &serde_json::to_vec(&names)?)?;
    let lines = epochs.iter().map(|(key, epoch)| format!("{key}\tepoch {epoch}\n"));
    Ok(lines.collect())
}
