//! `custody audit`: the logs of several nodes are verified against each other and against what gateways have on record.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use custody_audit::{Log, Records, compare, import};

use crate::args::Audit;
use crate::callers;
use crate::folder::Folder;
use crate::signers;

/// The longest log, in bytes.
const MAX: u64 = 1 << 32;

/// Compares exported logs, and fails if there is a finding.
pub(crate) fn run(audit: &Audit) -> Result<String> {
    let directory = Folder::new(&audit.dir).directory()?;
    let members = directory.directory().members();
    let nodes: BTreeMap<_, _> =
        members.map(|member| (member.name.as_str().to_owned(), member.current.clone())).collect();
    let cluster = directory.directory().deployment().as_str();
    let callers = callers::read_copy(&audit.callers)?.of_cluster(cluster);
    let logs = audit.logs.iter().map(|path| read(path)).collect::<Result<Vec<_>>>()?;
    let signatures = audit.signers.iter().map(|path| signers::read(path));
    let signatures = signatures.collect::<Result<Vec<_>>>()?.concat();
    let made = signatures.len();
    let records = Records { nodes, callers: &callers, claims: BTreeMap::new(), signatures };
    let findings = compare(&logs, &records);
    if findings.is_empty() {
        let entries: usize = logs.iter().map(|log| log.entries.len()).sum();
        let with = if audit.signers.is_empty() {
            String::new()
        } else {
            format!(", and with {made} signatures")
        };
        return Ok(format!("{} logs with {entries} entries agree{with}\n", logs.len()));
    }
    let lines: Vec<_> = findings.iter().map(ToString::to_string).collect();
    bail!("{}", lines.join("\n"))
}

fn read(path: &Path) -> Result<Log> {
    let named = || path.display().to_string();
    let file = File::open(path).with_context(named)?;
    import(BufReader::new(file), MAX).with_context(named)
}
