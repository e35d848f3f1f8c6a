//! The way back for a node whose databases were restored: to votes about new shares, and to purposes with watermarks.

use custody_core::{KeyId, Refusal};
use quorate_store::AnyStore;

use crate::agree::make_durable;
use crate::node::Node;
use crate::rows::{internal, ledger};
use crate::vault::Vault;
use crate::watermark;

impl Node {
    /// The highest epoch of any change of a key that the node took part in, ended or not.
    ///
    /// # Errors
    /// A [`Refusal`] if the node has no such key, or its databases fail.
    pub async fn highest_epoch(&self, key: KeyId) -> Result<u32, Refusal> {
        self.call(move |runner, _| {
            let (store, vault) = runner.store_and_app();
            highest_epoch(store, vault, &key)
        })
        .await
    }

    /// Lets a restored node sign purposes with watermarks again, by the marks that it has.
    ///
    /// An operator calls it when the chain of the key is past everything that the node may have signed before it was restored.
    /// Called too early, the node may sign a second vote at a height.
    ///
    /// # Errors
    /// A [`Refusal`] if the node has no such key, or its databases fail.
    pub async fn accept_watermarks(&self, key: KeyId) -> Result<(), Refusal> {
        self.call(move |runner, _| {
            let (store, vault) = runner.store_and_app();
            vault.key(&key)?;
            watermark::accept(store, &key)
        })
        .await
    }

    /// Lets a restored node vote about new shares of a key again, above the epoch `highest` + 1.
    ///
    /// `highest` is the greatest [`highest_epoch`](Self::highest_epoch) of **all** other members of the key: an operator asks
    /// each. The first change after that is as a rule not agreed upon, and the second is.
    ///
    /// # Errors
    /// A [`Refusal`] if the node has no such key, or its databases fail.
    pub async fn rejoin(&self, key: KeyId, highest: u32) -> Result<(), Refusal> {
        self.call(move |runner, _| {
            let (store, vault) = runner.store_and_app();
            rejoin(store, vault, &key, highest)
        })
        .await
    }
}

fn highest_epoch(store: &mut AnyStore, vault: &Vault, id: &KeyId) -> Result<u32, Refusal> {
    let stored = vault.key(id)?.agreement.highest_epoch().unwrap_or_default();
    let begun =
        store.read_ledger(|rows| rows.all(ledger::COMMITTEES, id.as_bytes())).map_err(internal)?;
    let last = begun.last().and_then(|row| row.name.last_chunk().copied());
    Ok(last.map_or(stored, |epoch| stored.max(u32::from_be_bytes(epoch))))
}

fn rejoin(
    store: &mut AnyStore,
    vault: &mut Vault,
    id: &KeyId,
    highest: u32,
) -> Result<(), Refusal> {
    vault.key(id)?;
    let settings = vault.settings.clone();
    let key = vault.keys.get_mut(id).ok_or_else(|| internal("the key is gone"))?;
    let step = key.agreement.rejoin(highest).map_err(internal)?;
    make_durable(store, &settings, (id, &key.row), step.stores(), &key.shares)?;
    step.stored();
    Ok(())
}
