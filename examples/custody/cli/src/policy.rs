//! `custody policy`: policies are tried before they are loaded.

use std::fs;

use anyhow::{Context as _, Result, anyhow};

use crate::args::PolicyCommand;

pub(crate) fn run(command: PolicyCommand) -> Result<String> {
    let PolicyCommand::Check { policies, request } = command;
    let read = |path: &std::path::Path| {
        fs::read_to_string(path).with_context(|| path.display().to_string())
    };
    let texts = policies.iter().map(|path| read(path)).collect::<Result<Vec<_>>>()?;
    let checked = custody_policy::check(&texts.join("\n"), &read(&request)?);
    let report = checked.map_err(|why| match why.source.as_deref() {
        Some("example") => anyhow!("{}: {}", request.display(), why.detail),
        _ => why.into(),
    })?;
    Ok(report.to_string())
}
