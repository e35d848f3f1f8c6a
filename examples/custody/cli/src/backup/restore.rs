//! `custody restore`: a new folder from a backup. The node rejoins with it.

use anyhow::{Context as _, Result, anyhow};
use custody_node::Backup as Rows;
use getrandom::SysRng;
use quorate::SealKey;
use quorate::session::rand_core::UnwrapErr;
use quorate_store::{Engine, SqlStore};

use super::drill::open;
use super::{Work, with_store};
use crate::args::Restore;
use crate::folder::{Folder, make_private};

/// Puts the rows into empty databases.
struct Put<'a> {
    rows: Rows,
    from: &'a SealKey,
    to: &'a SealKey,
}

impl Work for Put<'_> {
    type Done = ();

    fn on<E: Engine>(self, store: &mut SqlStore<E>) -> Result<()> {
        self.rows.restore(store, self.from, self.to).map_err(|why| anyhow!("{why}"))
    }
}

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
    let name = content.name;
    with_store(&folder, &settings, Put { rows: content.rows, from: &seal, to: &own })?;
    Ok(format!("{name} is restored: custody run --dir {} --rejoin\n", args.dir.display()))
}
