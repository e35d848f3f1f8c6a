//! The list of callers, a file that each machine has. Nodes and gateways read it again when it changes.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use custody_core::{Caller, CallerKey, Callers};
use quorate_store::file;

use crate::args::CallerCommand;

pub(crate) fn run(command: CallerCommand) -> Result<String> {
    match command {
        CallerCommand::Add { callers, name, roles, key } => {
            let pem = fs::read_to_string(&key).with_context(|| key.display().to_string())?;
            let key = CallerKey::from_pem(pem.trim()).with_context(|| key.display().to_string())?;
            change(&callers, |list| match list.iter_mut().find(|caller| caller.name == name) {
                Some(caller) if caller.roles == roles => {
                    caller.keys.push(key);
                    Ok(())
                }
                Some(_) => bail!("{name} has other roles: give the same, or remove it first"),
                None => {
                    list.push(Caller { name, roles, keys: vec![key] });
                    Ok(())
                }
            })
        }
        CallerCommand::Remove { callers, name, key_id } => change(&callers, |list| {
            let caller = list.iter_mut().find(|caller| caller.name == name);
            let caller = caller.with_context(|| format!("there is no caller {name}"))?;
            let before = caller.keys.len();
            caller.keys.retain(|key| key.id() != key_id);
            if caller.keys.len() == before {
                bail!("{name} has no key {key_id}");
            }
            list.retain(|caller| !caller.keys.is_empty());
            Ok(())
        }),
        CallerCommand::List { callers } => Ok(table(&read(&callers)?)),
    }
}

/// Reads the list. There is none before the first caller is added.
pub(crate) fn read(path: &Path) -> Result<Callers> {
    match fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Callers::default()),
        read => {
            let json = read.with_context(|| path.display().to_string())?;
            Callers::from_json(&json).with_context(|| path.display().to_string())
        }
    }
}

/// Reads a list that has to be there.
pub(crate) fn read_copy(path: &Path) -> Result<Callers> {
    ensure!(
        path.exists(),
        "{} is not there: copy the list of callers of a machine",
        path.display()
    );
    read(path)
}

fn change(path: &Path, change: impl FnOnce(&mut Vec<Caller>) -> Result<()>) -> Result<String> {
    let mut list: Vec<Caller> = read(path)?.iter().cloned().collect();
    change(&mut list)?;
    let callers = Callers::new(list)?;
    file::replace(path, callers.to_json().as_bytes())
        .with_context(|| path.display().to_string())?;
    Ok(table(&callers))
}

fn table(callers: &Callers) -> String {
    let lines = callers.iter().flat_map(|caller| {
        let roles: Vec<_> = caller.roles.iter().map(ToString::to_string).collect();
        let roles = roles.join(",");
        caller.keys.iter().map(move |key| {
            format!("{}\t{roles}\t{}\t{}\n", caller.name, key.algorithm(), key.id())
        })
    });
    lines.collect()
}
