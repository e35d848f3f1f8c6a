//! The keys of a node, in memory and in its databases.

mod load;
mod store;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use custody_core::{KeyId, KeySpec, Reason, Refusal, RequestId};
use quorate::ecdsa::AuxInfo;
use quorate::keys::ShareState;
use quorate::keys::agreement::Agreement;

use crate::held::Held;
use crate::primes::Primes;
use crate::rows::KeyRow;
use crate::settings::Settings;

pub(crate) use self::load::{open_aux, package_name};
pub(crate) use self::store::public_key;

/// The application of the node's runner: the keys, and what runs need.
///
/// The vault lives on the thread of the runner, beside the store.
pub struct Vault {
    pub(crate) settings: Settings,
    pub(crate) keys: BTreeMap<KeyId, Key>,
    pub(crate) primes: Primes,
    /// Auxiliary information that was opened, by the request that made it.
    pub(crate) aux: BTreeMap<RequestId, Arc<AuxInfo>>,
}

/// A key.
pub(crate) struct Key {
    pub(crate) row: KeyRow,
    /// The node's shares, by ascending epoch.
    pub(crate) shares: Vec<Rc<dyn Held>>,
    /// The agreement about new shares.
    pub(crate) agreement: Agreement,
}

impl Vault {
    pub(crate) const fn new(settings: Settings) -> Self {
        Self { settings, keys: BTreeMap::new(), primes: Primes::new(), aux: BTreeMap::new() }
    }

    pub(crate) fn key(&self, key: &KeyId) -> Result<&Key, Refusal> {
        self.keys.get(key).ok_or_else(|| {
            Refusal::new(
                Reason::UnknownKey,
                format_args!("this node has no share of the key {key}"),
            )
        })
    }

    /// The share of a package.
    pub(crate) fn share_of(&self, key: &KeyId, package: &[u8; 32]) -> Option<Rc<dyn Held>> {
        let shares = &self.keys.get(key)?.shares;
        shares.iter().find(|held| held.package_id().digest() == *package).cloned()
    }

    /// The auxiliary information of a key, if it was opened.
    pub(crate) fn aux_of(&self, key: &KeyId) -> Option<Arc<AuxInfo>> {
        self.aux.get(&self.keys.get(key)?.row.aux).cloned()
    }
}

impl Key {
    pub(crate) const fn spec(&self) -> &KeySpec {
        &self.row.spec
    }

    /// The latest share that may sign.
    pub(crate) fn signing(&self) -> Result<&Rc<dyn Held>, Refusal> {
        let may_sign = |held: &&Rc<dyn Held>| self.may_sign(held);
        self.shares.iter().rfind(may_sign).ok_or_else(|| {
            Refusal::new(
                Reason::KeyUnconfirmed,
                "not all members have confirmed that they have their shares",
            )
        })
    }

    /// Returns whether a share may sign: the agreement counts on it.
    pub(crate) fn may_sign(&self, held: &Rc<dyn Held>) -> bool {
        held.state() != ShareState::Unconfirmed && self.agreement.may_sign(held.package_id())
    }
}

impl core::fmt::Debug for Vault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Vault").field("keys", &self.keys.len()).finish_non_exhaustive()
    }
}
