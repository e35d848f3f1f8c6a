//! The primes of a node, for threshold ECDSA.

use std::sync::Arc;

use custody_core::Refusal;
use getrandom::SysRng;
use quorate::ecdsa::{AuxSearch, AuxSecrets, AuxStep, Level};
use quorate::session::rand_core::UnwrapErr;
use quorate_store::AnyStore;

use crate::rows::{internal, space};
use crate::seal;
use crate::vault::Vault;

/// The candidates that are tested before the search is stored again.
const STEP: u64 = 64;

/// The primes, once they are found.
pub(crate) struct Primes(Option<Arc<AuxSecrets>>);

impl Primes {
    pub(crate) const fn new() -> Self {
        Self(None)
    }

    pub(crate) fn found(&self) -> Option<Arc<AuxSecrets>> {
        self.0.clone()
    }

    pub(crate) fn set(&mut self, found: AuxSecrets) {
        self.0 = Some(Arc::new(found));
    }
}

/// The result of a part of the search.
pub(crate) enum Searched {
    /// The state to store and continue from.
    More(AuxSearch),
    /// The primes.
    Found(AuxSecrets),
}

/// Searches for a while. The result of a search is determined when it begins: one that is interrupted ends with the same primes.
pub(crate) fn search(search: AuxSearch) -> Result<Searched, Refusal> {
    match search.step(STEP).map_err(internal)? {
        AuxStep::Searching(search) => Ok(Searched::More(search)),
        AuxStep::Done(secrets) => Ok(Searched::Found(secrets)),
    }
}

/// The stored search, or a new one, which is stored first.
pub(crate) fn resume(
    store: &mut AnyStore,
    vault: &Vault,
    level: Level,
) -> Result<AuxSearch, Refusal> {
    let row = store.read_records(|rows| rows.get(space::PRIMES, &[])).map_err(internal)?;
    if let Some(sealed) = row {
        let saved = seal::open(&vault.settings.seal_key, seal::PRIMES, "", &sealed)?;
        return AuxSearch::resume(level, &saved).map_err(internal);
    }
    let search = AuxSecrets::generate(level, &mut UnwrapErr(SysRng)).map_err(internal)?;
    save(store, vault, &search)?;
    Ok(search)
}

/// Stores the search.
pub(crate) fn save(store: &mut AnyStore, vault: &Vault, search: &AuxSearch) -> Result<(), Refusal> {
    let sealed = seal::seal(&vault.settings.seal_key, seal::PRIMES, "", &search.save());
    store.records(|rows| rows.put(space::PRIMES, &[], &sealed)).map_err(internal)
}
