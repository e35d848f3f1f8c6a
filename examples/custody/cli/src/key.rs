//! `custody key`: keys are made, listed, derived from and changed.

use core::time::Duration;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use custody_client::Change;
use custody_core::{KeyDescription, KeySpec, Reshare};

use crate::args::{CallerOptions, ClusterOptions, KeyCommand, PinnedOptions};
use crate::client::{self, client, hex, read_pinned, runtime, write_pinned};
use crate::folder::Folder;

/// The time for making or changing a key. Approvals have to come within it.
const CHANGE: Duration = Duration::from_secs(600);

/// Makes, lists, derives from and changes keys.
pub(crate) fn run(command: &KeyCommand) -> Result<String> {
    match command {
        KeyCommand::Create { caller, spec, dir, pin } => create(caller, spec, dir, pin),
        KeyCommand::List(of) => list(of),
        KeyCommand::Child { pin, child } => {
            let (key, child) = (read_pinned(pin)?, client::child(child));
            let internal = key.internal_key(&child)?.map(|key| format!("\t{}", hex(&key)));
            Ok(format!("{}{}\n", hex(&key.public_key(&child)?), internal.unwrap_or_default()))
        }
        KeyCommand::Refresh(of) => change(of, &Change::Refresh),
        KeyCommand::Reshare { of, threshold, members } => {
            let mut members = members.clone();
            members.sort_unstable();
            change(of, &Change::Reshare(Reshare { threshold: *threshold, members }))
        }
        KeyCommand::Disable(of) => change(of, &Change::Disable),
        KeyCommand::Enable(of) => change(of, &Change::Enable),
    }
}

fn create(caller: &CallerOptions, spec: &Path, dir: &Path, pin: &Path) -> Result<String> {
    let json = fs::read(spec).with_context(|| spec.display().to_string())?;
    let spec: KeySpec =
        serde_json::from_slice(&json).with_context(|| spec.display().to_string())?;
    let directory = Folder::new(dir).directory()?;
    let client = client(caller, directory.directory().deployment().as_str())?;
    let key = runtime()?.block_on(client.create_key(&spec, directory.directory(), CHANGE))?;
    write_pinned(pin, &key)?;
    Ok(format!("{}\t{}\n", key.id(), hex(&key.public_key(&Default::default())?)))
}

fn change(of: &PinnedOptions, change: &Change) -> Result<String> {
    let key = read_pinned(&of.pin)?;
    let client = client(&of.caller, key.cluster())?;
    let done = runtime()?.block_on(client.change(key.id(), change, CHANGE))?;
    Ok(format!("{:?}\n", done.state))
}

fn list(of: &ClusterOptions) -> Result<String> {
    let client = client(&of.caller, of.cluster.as_str())?;
    let (runtime, mut text) = (runtime()?, String::new());
    let mut after = None;
    loop {
        let part = runtime.block_on(client.keys(after))?;
        part.keys.iter().for_each(|key| text += &line(key));
        after = part.keys.last().map(|key| key.key);
        if !part.more || after.is_none() {
            return Ok(text);
        }
    }
}

/// The id first, so that it can be cut out.
fn line(key: &KeyDescription) -> String {
    let KeyDescription { key: id, spec, state, epoch, stock, .. } = key;
    let members: Vec<_> = spec.members.iter().map(ToString::to_string).collect();
    let (scheme, threshold, members) = (spec.scheme, spec.threshold, members.join(","));
    format!("{id}\t{scheme}\t{state:?}\tepoch {epoch}\tstock {stock}\t{threshold} of {members}\n")
}
