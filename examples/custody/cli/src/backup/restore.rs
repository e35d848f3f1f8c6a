//! `custody restore`: a new folder from a backup. The node rejoins with it.

use anyhow::{Context as _, Result, anyhow};
use getrandom::SysRng;
use quorate::SealKey;
use quorate::session::rand_core::UnwrapErr;

use super::drill::open;
use super::open_store;
use crate::args::Restore;
use crate::folder::{Folder, make_private};

/// Makes the folder, with a new seal key. An error in the middle leaves a folder that nothing uses.
pub(crate) fn restore(args: &Restore) -> Result<String> {
    let (seal, content) = open(&args.file, &args.key)?;
    let folder = Folder::new(&args.dir);
    folder.make()?;
    for made in ["policies", "spent"] {
        make_private(&folder.path(made))?;
    }
    let own = SealKey::generate(&mut UnwrapErr(SysRng))?;
    folder.seal_keys().add(&own).context("the seal key")?;
    folder.put_identity(&content.identity(&seal)?)?;
    content.unpack(&folder, &seal)?;
    let settings = content.settings(&seal)?;
    let (name, mut store) = (content.name, open_store(&folder, &settings)?);
    content.rows.restore(&mut store, &seal, &own).map_err(|why| anyhow!("{why}"))?;
    Ok(format!("{name} is restored: custody run --dir {} --rejoin\n", args.dir.display()))
}
