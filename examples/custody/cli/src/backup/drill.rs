//! `custody drill`: a spare machine shows that a backup is good. It opens neither a database nor a connection, so it cannot sign.

use core::fmt::Write as _;
use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use custody_core::KeyId;
use quorate::SealKey;
use quorate_envelope::Name;

use super::content::Content;
use super::{key, sealed};
use crate::args::Drill;
use crate::client::time;

/// Opens a backup: the key of the file, and the content, whose node has signed it.
pub(super) fn open(file: &Path, key_file: &Path) -> Result<(SealKey, Content)> {
    let named = || file.display().to_string();
    let key = key::read(key_file)?;
    let bytes = std::fs::read(file).with_context(named)?;
    let (node, seal, content) = sealed::read(&bytes, &key).with_context(named)?;
    let content: Content = postcard::from_bytes(&content).with_context(named)?;
    let identity = content.identity(&seal)?;
    if *identity.public() != node || *identity.name() != Name::new(&content.name)? {
        bail!("{}: the backup is of another node than the one that has signed it", named());
    }
    Ok((seal, content))
}

/// Checks every share, and names what is older than the operator expects.
pub(crate) fn drill(args: &Drill) -> Result<String> {
    let (seal, content) = open(&args.file, &args.key)?;
    let level = content.settings(&seal)?.moduli.level();
    let checked = content.rows.check(&seal, level).map_err(|why| anyhow!("{why}"))?;
    let mut text = format!("{}, made at {}\n", content.name, time(content.made));
    let mut latest: BTreeMap<KeyId, u32> = BTreeMap::new();
    for share in checked {
        let (key, epoch) = (share.key, share.epoch);
        let state = if share.is_confirmed { "fits" } else { "fits, and is not confirmed" };
        writeln!(text, "{key}\t{}\tepoch {epoch}\t{state}", share.scheme.name())?;
        let latest = latest.entry(key).or_insert(epoch);
        *latest = epoch.max(*latest);
    }
    let old = args.expect_epoch.iter().filter_map(|(key, expected)| match latest.get(key) {
        None => Some(format!("the backup has no share of the key {key}")),
        Some(epoch) if epoch < expected => Some(format!(
            "the backup is old: it has epoch {epoch} of the key {key}, expected {expected}. Make a new one"
        )),
        Some(_) => None,
    });
    let old: Vec<_> = old.collect();
    if old.is_empty() { Ok(text) } else { bail!("{text}{}", old.join("\n")) }
}
