//! New keys for a node or a requester of a deployment, in its files: what is written here holds for processes that begin.
//!
//! Each command may be killed at any line and run again. The key of before is removed in a step of its own, once everybody
//! has the new one.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ed25519_dalek::{SigningKey, VerifyingKey};
use getrandom::SysRng;
use quorate::PartyId;
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::session::zeroize::Zeroizing;
use quorate_examples::failure::Failure;
use quorate_examples::out::Out;
use serde_json::Value;

use crate::bus::Peer;
use crate::deployment::Deployment;
use crate::directory::{Directory, Identity, PublicIdentity};
use crate::http::form::hex;
use crate::keyfile;

/// The requester's next key, until it takes the place of the one before.
const NEXT: &str = "requester.key.next";

/// A new identity of a node: its keys, and their public parts in the directory.
pub(crate) fn identity(dir: &Path, node: u16, out: &mut Out) -> Result<(), Failure> {
    let deployment = Deployment::open(dir)?;
    let peer =
        PartyId::new(node).map(Peer::Node).ok_or_else(|| Failure::usage("--node: from 1"))?;
    let directory = Directory::read(&deployment.path("directory.json"))?;
    if directory.peer(peer).is_none() {
        return Err(Failure::usage(format!("there is no node {node}")));
    }
    let folder = deployment.path(&peer.to_string());
    let (identity, next) = (folder.join("identity"), folder.join("identity.next"));
    // One that an attempt before has left may be in the directory already.
    let new = match next.exists() {
        true => Identity::read(peer, &next, None)?,
        false => Identity::make(peer, &next, None)?,
    };
    let mut peers: BTreeMap<Peer, PublicIdentity> =
        directory.peers().map(|(peer, public)| (peer, public.clone())).collect();
    peers.insert(peer, new.public()?);
    write(&deployment, peers, requesters(&directory))?;
    fs::rename(&next, &identity).map_err(Failure::file("rename", &next))?;
    out.line(format!("Node {node} has new keys, and the directory their public parts."));
    out.line("Restart the broker first, then the node's workers, then the others: up starts each with the new directory.");
    Ok(())
}

/// Adds a new key of the requester to the directory, and to every rule of the nodes that names the one that is used now.
pub(crate) fn requester(dir: &Path, out: &mut Out) -> Result<(), Failure> {
    let deployment = Deployment::open(dir)?;
    let path = deployment.path(NEXT);
    if !path.exists() {
        let mut key = Zeroizing::new([0; 32]);
        UnwrapErr(SysRng).fill_bytes(key.as_mut_slice());
        keyfile::write_private(&path, key.as_slice())?;
    }
    let (old, new) = (deployment.requester()?.verifying_key(), read(&path)?.verifying_key());
    let directory = Directory::read(&deployment.path("directory.json"))?;
    let mut all = requesters(&directory);
    if !all.values().any(|key| *key == new) {
        all.insert(free_name(&all), new);
        write(&deployment, peers(&directory), all)?;
    }
    let (old, new) = (hex(old.as_bytes()), hex(new.as_bytes()));
    policies(&deployment, |rules| {
        if rules.iter().any(|rule| names(rule, &new)) {
            return;
        }
        let more: Vec<Value> = rules.iter().filter(|rule| names(rule, &old)).cloned().collect();
        rules.extend(more.into_iter().map(|mut rule| {
            if let Some(requester) = rule.get_mut("requester") {
                *requester = Value::String(new.clone());
            }
            rule
        }));
    })?;
    out.line(format!(
        "{}: the next key of the requester; the directory and the nodes' rules have both.",
        path.display()
    ));
    out.line("Restart the nodes' workers and the gateway, one after another; then run this again with --finish.");
    Ok(())
}

/// The new key takes the place of the one before, which goes from the nodes' rules and then from the directory.
pub(crate) fn finish_requester(dir: &Path, out: &mut Out) -> Result<(), Failure> {
    let deployment = Deployment::open(dir)?;
    let (path, used) = (deployment.path(NEXT), deployment.path("requester.key"));
    if !path.exists() {
        return Err(Failure::new(
            "there is no next key of the requester: run this without --finish first",
        ));
    }
    let (old, new) = (deployment.requester()?.verifying_key(), read(&path)?.verifying_key());
    let directory = Directory::read(&deployment.path("directory.json"))?;
    let mut all = requesters(&directory);
    if !all.values().any(|key| *key == new) {
        return Err(Failure::new(
            "the directory does not have the next key: run this without --finish first",
        ));
    }
    let gone = hex(old.as_bytes());
    policies(&deployment, |rules| rules.retain(|rule| !names(rule, &gone)))?;
    all.retain(|_, key| *key != old);
    write(&deployment, peers(&directory), all)?;
    fs::rename(&path, &used).map_err(Failure::file("rename", &path))?;
    out.line("The requester has its new key alone; restart the nodes' workers and the gateway once more.");
    Ok(())
}

fn read(path: &Path) -> Result<SigningKey, Failure> {
    let bytes = Zeroizing::new(fs::read(path).map_err(Failure::file("read", path))?);
    keyfile::check_owner(path)?;
    let key = bytes.as_slice().try_into();
    let key = key.map_err(|_| Failure::new(format!("{}: not a key", path.display())))?;
    Ok(SigningKey::from_bytes(key))
}

fn peers(directory: &Directory) -> BTreeMap<Peer, PublicIdentity> {
    directory.peers().map(|(peer, public)| (peer, public.clone())).collect()
}

fn requesters(directory: &Directory) -> BTreeMap<String, VerifyingKey> {
    directory.requesters().map(|(name, key)| (name.to_owned(), *key)).collect()
}

fn free_name(all: &BTreeMap<String, VerifyingKey>) -> String {
    let name = |number: u32| format!("operator-{number}");
    (2..).map(name).find(|name| !all.contains_key(name)).unwrap_or_default()
}

fn write(
    deployment: &Deployment,
    peers: BTreeMap<Peer, PublicIdentity>,
    requesters: BTreeMap<String, VerifyingKey>,
) -> Result<(), Failure> {
    deployment.write("directory.json", &Directory::new(peers, requesters)?.to_json())
}

fn names(rule: &Value, requester: &str) -> bool {
    let named = rule.get("requester").and_then(Value::as_str);
    named.is_some_and(|named| named.eq_ignore_ascii_case(requester))
}

/// Changes the rules for signing of every node.
fn policies(deployment: &Deployment, change: impl Fn(&mut Vec<Value>)) -> Result<(), Failure> {
    for node in 1..=deployment.choice().nodes {
        let name = format!("n{node}/policy.json");
        let path = deployment.path(&name);
        let text = fs::read_to_string(&path).map_err(Failure::file("read", &path))?;
        let mut policy: Value = serde_json::from_str(&text)?;
        if let Some(rules) = policy.get_mut("sign").and_then(Value::as_array_mut) {
            change(rules);
            deployment.write(&name, &serde_json::to_string_pretty(&policy)?)?;
        }
    }
    Ok(())
}
