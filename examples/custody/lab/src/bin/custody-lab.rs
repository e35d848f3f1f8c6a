//! The program `custody`, as the laboratory runs it: a node may lie, and a machine may be of an earlier release.
//!
//! `CUSTODY_LAB_LIE` names a lie, `CUSTODY_LAB_WIRE` the newest version of the wire format.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use custody_cli::Hooks;
use custody_core::Versions;
use custody_lab::Lie;

fn main() -> Result<ExitCode> {
    Ok(custody_cli::main(&hooks()?))
}

fn hooks() -> Result<Hooks> {
    let mut hooks = Hooks::default();
    if let Ok(lie) = std::env::var("CUSTODY_LAB_LIE") {
        let lie: Lie = lie.parse().map_err(anyhow::Error::msg)?;
        hooks.alter = Some(lie.alter());
    }
    if let Ok(newest) = std::env::var("CUSTODY_LAB_WIRE") {
        let newest = newest.parse().context("CUSTODY_LAB_WIRE: expected a number")?;
        hooks.versions = Versions { newest, ..Versions::OWN };
    }
    Ok(hooks)
}
