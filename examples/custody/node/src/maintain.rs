//! Periodic work: heads for witnesses, the end of retention, and the deletion of keys.

use custody_core::{KeyId, KeyState, Refusal};
use quorate::runner::{RunTable as _, Runner};
use quorate_store::{AnyStore, Records};

use crate::agree::remove_key;
use crate::generate::seconds;
use crate::node::Node;
use crate::request::RequestRow;
use crate::rows::{Stored, internal, ledger, space};
use crate::vault::Vault;
use crate::witness::Witnesses;
use crate::{audit, decide, state};

/// The requests that are looked at in one transaction.
const PAGE: usize = 256;

impl Node {
    /// Tells the witnesses how far the node has come: before each round of heartbeats.
    ///
    /// # Errors
    /// A [`Refusal`] if the databases fail or the node has stopped.
    pub async fn update(&self, witnesses: &Witnesses) -> Result<(), Refusal> {
        let head = self.call(|runner, _| runner.store().head().map_err(internal)).await?;
        witnesses.set_head(head);
        Ok(())
    }

    /// Forgets requests whose retention is over, and deletes keys whose time has come. Call it each minute.
    ///
    /// # Errors
    /// A [`Refusal`] if the databases fail or the node has stopped.
    pub async fn maintain(&self) -> Result<(), Refusal> {
        let mut after = None;
        loop {
            after = self.call(move |runner, now| forget(runner, after, seconds(now))).await?;
            if after.is_none() {
                break;
            }
        }
        // Each page is a call of its own: orders go in between.
        while self.call(|runner, now| prune_log(runner, seconds(now))).await? {}
        self.call(|runner, now| {
            delete_keys(runner, seconds(now))?;
            settle(runner.store())
        })
        .await
    }
}

/// Makes the two databases a pair again, of which one was restored, if what was open in it has ended. What it had made ahead is
/// dropped when it is opened.
pub(crate) fn settle(store: &mut AnyStore) -> Result<(), Refusal> {
    if store.rolled_back().is_some() && store.open_runs().map_err(internal)? == 0 {
        store.accept_rolled_back().map_err(internal)?;
    }
    Ok(())
}

/// Forgets requests after this name; gives the name to continue after.
fn forget(
    runner: &mut Runner<AnyStore, Vault>,
    after: Option<Vec<u8>>,
    now: u64,
) -> Result<Option<Vec<u8>>, Refusal> {
    let (store, vault) = runner.store_and_app();
    let retention = vault.settings.limits.retention;
    let list = |rows: &mut Records<'_>| rows.list(ledger::REQUESTS, &[], after.as_deref(), PAGE);
    let rows = store.read_ledger(list).map_err(internal)?;
    let (mut over, mut last) = (Vec::new(), 0);
    for row in &rows {
        let (RequestRow { expires, .. }, created) = RequestRow::read(&row.content)?;
        if expires.saturating_add(retention) < now {
            over.push(row.name.clone());
            last = last.max(created);
        }
    }
    if !over.is_empty() {
        store.spend(|rows| decide::forget(rows, &over, last)).map_err(internal)?;
        // The deadline refuses such a request from now on.
        let results = |rows: &mut Records<'_>| -> Stored<()> {
            over.iter().try_for_each(|name| rows.remove(space::RESULTS, name).map(drop))
        };
        store.records(results).map_err(internal)?;
    }
    let full = rows.len() >= PAGE;
    Ok(rows.into_iter().next_back().map(|row| row.name).filter(|_| full))
}

/// Deletes a page of old entries of the log. Returns `true` if there may be more of them.
fn prune_log(runner: &mut Runner<AnyStore, Vault>, now: u64) -> Result<bool, Refusal> {
    let (store, vault) = runner.store_and_app();
    let Some(retention) = vault.settings.limits.log_retention else { return Ok(false) };
    let times = (now.saturating_sub(retention), now);
    store.spend(|rows| audit::prune(rows, &vault.settings, times, PAGE)).map_err(internal)
}

/// Deletes keys whose deletion is due: shares, copies, and what was made with them. The state stays, and so do the claims.
fn delete_keys(runner: &mut Runner<AnyStore, Vault>, now: u64) -> Result<(), Refusal> {
    let (store, vault) = runner.store_and_app();
    let keys: Vec<KeyId> = vault.keys.keys().copied().collect();
    for id in keys {
        let state = store.read_ledger(|rows| state::get(rows, &id)).map_err(internal)??;
        let due = matches!(state, KeyState::DeletionScheduled { at } if at <= now);
        if !due {
            continue;
        }
        remove_key(store, &id)?;
        vault.keys.remove(&id);
    }
    Ok(())
}
