//! Lists and certificates of keys.

use std::rc::Rc;

use custody_core::{Answer, Certificate, KeyId, KeyInfo, NodeStatus, Refusal};
use quorate::runner::Runner;
use quorate_store::AnyStore;

use crate::held::Held;
use crate::rows::internal;
use crate::vault::{Key, Vault, package_name};
use crate::{audit, state, stock};

/// Lists keys by ascending id.
pub(crate) fn keys(
    store: &mut AnyStore,
    vault: &Vault,
    after: Option<KeyId>,
) -> Result<Answer, Refusal> {
    let later = vault.keys.iter().filter(|(id, _)| after.is_none_or(|after| **id > after));
    let infos = later.take(Answer::MAX_KEYS).map(|(id, key)| info(store, id, key));
    Ok(Answer::Keys(infos.collect::<Result<_, _>>()?))
}

fn info(store: &mut AnyStore, id: &KeyId, key: &Key) -> Result<KeyInfo, Refusal> {
    let held = latest(key)?;
    let state = store.read_ledger(|rows| state::get(rows, id)).map_err(internal)??;
    Ok(KeyInfo {
        key: *id,
        request: key.row.request,
        spec: key.row.spec.clone(),
        public_key: held.public_key(),
        package: held.package(),
        epoch: held.package_id().epoch(),
        state,
        stock: stock::count(store, &package_name(id, &held.package_id()))?,
    })
}

/// The share that signs, or the one that is not confirmed.
fn latest(key: &Key) -> Result<&Rc<dyn Held>, Refusal> {
    key.signing().or_else(|why| key.shares.last().ok_or(why))
}

/// The certificate of a key, in the epoch of the share that signs, with the node's signature.
pub(crate) fn certify(vault: &Vault, id: &KeyId) -> Result<Answer, Refusal> {
    let certificate = certificate(vault, id)?;
    let endorsement =
        certificate.endorse(vault.settings.me, &vault.settings.identity).map_err(internal)?;
    Ok(Answer::Certificate { certificate: Box::new(certificate), endorsement })
}

/// The certificate of a key.
pub(crate) fn certificate(vault: &Vault, id: &KeyId) -> Result<Certificate, Refusal> {
    let key = vault.key(id)?;
    let held = latest(key)?;
    let mut spec = key.row.spec.clone();
    spec.members = held.parties().iter().collect();
    spec.threshold = held.threshold();
    Ok(Certificate {
        key: *id,
        spec,
        public_key: held.public_key(),
        package: held.package(),
        epoch: held.package_id().epoch(),
        root: held.root(),
        directory: vault.settings.directory.id(),
    })
}

/// Describes the node.
pub(crate) fn status(runner: &mut Runner<AnyStore, Vault>) -> Result<Answer, Refusal> {
    let runs = quorate::runner::RunTable::open_runs(runner.store()).map_err(internal)?;
    let (store, vault) = runner.store_and_app();
    let audit = store.read_ledger(audit::count).map_err(internal)?;
    Ok(Answer::Status(NodeStatus {
        release: env!("CARGO_PKG_VERSION").to_owned(),
        policy: vault.settings.policy_digest,
        // A node that waits for its peers is not open, and answers no order.
        refuses: None,
        keys: u32::try_from(vault.keys.len()).unwrap_or(u32::MAX),
        runs: u32::try_from(runs).unwrap_or(u32::MAX),
        audit,
    }))
}
