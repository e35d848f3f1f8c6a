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
use quorate::mldsa::SignParams;
use quorate::{PartyId, SessionId};

use crate::held::Held;
use crate::jobs::JobRow;
use crate::life::{self, Life};
use crate::primes::Primes;
use crate::rows::KeyRow;
use crate::settings::Settings;
use crate::witness::Witnesses;

pub(crate) use self::load::{open_aux, open_share, package_name};
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
    /// The attempts to sign of this process that have not ended, by their runs. A run takes its parameters once.
    pub(crate) attempts: BTreeMap<SessionId, Option<SignParams>>,
    /// The node's life.
    life: Life,
    /// The peers, which say what their lives are.
    witnesses: Option<Witnesses>,
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
    pub(crate) fn new(settings: Settings, life: Life, witnesses: Option<Witnesses>) -> Self {
        let (keys, aux, attempts) = <_>::default();
        Self { settings, keys, primes: Primes::new(), aux, attempts, life, witnesses }
    }

    /// The present life of a node. Without witnesses every other node is in its first.
    pub(crate) fn life_of(&self, party: PartyId) -> Result<Life, Refusal> {
        match &self.witnesses {
            _ if party == self.settings.me => Ok(self.life),
            None => Ok(life::FIRST),
            Some(witnesses) => witnesses.life_of(party),
        }
    }

    /// Returns whether this node is in the life of a job. Otherwise it may have forgotten what it has sent in the session.
    pub(crate) fn is_in_life_of(&self, job: &JobRow) -> bool {
        job.life(self.settings.me) == Some(self.life)
    }

    /// Returns whether all parties of a job are still in its lives.
    pub(crate) fn is_current(&self, job: &JobRow) -> bool {
        let is_in = |number: &u16| {
            let party = PartyId::new(*number);
            party.is_some_and(|party| self.life_of(party).ok() == job.life(party))
        };
        job.parties.iter().all(is_in)
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
        held.state() != ShareState::Unconfirmed
            && (!self.spec().scheme.gets_new_shares() || self.agreement.may_sign(held.package_id()))
    }
}

impl core::fmt::Debug for Vault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Vault").field("keys", &self.keys.len()).finish_non_exhaustive()
    }
}
