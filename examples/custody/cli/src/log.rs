//! `custody log`: the log of a node's decisions, in files for `custody audit`.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use custody_audit::import;

use crate::args::LogArgs;
use crate::client::{client, runtime};

/// The longest part of a log that a gateway gives, in bytes.
const PART: u64 = 1 << 30;

/// Exports a log. A gateway gives a part of it at a time, each with heads that the node has signed.
pub(crate) fn run(args: &LogArgs) -> Result<String> {
    let client = client(&args.of.caller, args.of.cluster.as_str())?;
    let (runtime, mut files) = (runtime()?, String::new());
    fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let mut after = None;
    loop {
        let part = runtime.block_on(client.audit(args.node, after))?;
        if part.is_empty() {
            return Ok(files);
        }
        let log = import(part.as_bytes(), PART).context("the log that the gateway gives")?;
        let (first, last) = (log.entries.first(), log.entries.last());
        let first = first.map(|entry| entry.sequence).filter(|first| after < Some(*first));
        let first = first.context("the gateway gives the same part of the log again")?;
        // A node is named by its number: a gateway cannot choose the path.
        let path = args.out.join(format!("{}-{first:08}.jsonl", args.node));
        fs::write(&path, &part).with_context(|| path.display().to_string())?;
        files += &format!("{}\n", path.display());
        after = last.map(|entry| entry.sequence);
        ensure!(after >= Some(first), "the entries of the log are not in order");
    }
}
