//! The settings of a node.

use std::sync::Arc;

use custody_core::{Callers, Reason, Refusal, Scheme};
use custody_policy::Policy;
use quorate::ecdsa::Level;
use quorate::envelope::{Identity, TrustedDirectory};
use quorate::{PartyId, SealKey};

/// The settings of a node, all but its databases.
#[derive(Clone)]
pub struct Settings {
    /// The party that the node is.
    pub me: PartyId,
    /// The key that seals everything secret in the databases. It comes from a key service, never from the same disk.
    pub seal_key: Arc<SealKey>,
    /// The identity with which the node signs certificates and statements.
    pub identity: Arc<Identity>,
    /// The members of the cluster.
    pub directory: TrustedDirectory,
    /// The callers at the start. [`Node::set_callers`](crate::Node::set_callers) replaces them.
    pub callers: Arc<Callers>,
    /// The policy.
    pub policy: Arc<dyn Policy>,
    /// A digest of the policy, by which operators compare nodes.
    pub policy_digest: [u8; 32],
    /// The size of the moduli of threshold ECDSA.
    pub level: Level,
    /// The experimental schemes that the operator has turned on.
    pub experimental: Vec<Scheme>,
    /// The limits.
    pub limits: Limits,
}

/// Limits of a node: whatever a gateway orders, the node makes no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most presignatures or pairs of nonces of a key.
    pub stock: u32,
    /// The most jobs that are not settled.
    pub jobs: usize,
    /// The time after which a run is given up, in milliseconds.
    pub run_time: u64,
    /// The most keys.
    pub keys: usize,
    /// The most shares that the node gives for one request, each of another presignature or pair of nonces. If about
    /// every second attempt of the scheme gives no signature, they are twice as many.
    pub attempts: usize,
    /// The time for which a request is kept after its deadline, in seconds.
    pub retention: u64,
    /// The time for which an entry of the log is kept, in seconds. Export the log before. `None` if nothing is deleted.
    pub log_retention: Option<u64>,
    /// The time for which a node that some peers vouch for waits for the others, in milliseconds.
    pub witness_time: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            stock: 4096,
            jobs: 64,
            run_time: 600_000,
            keys: 10_000,
            attempts: 16,
            retention: 30 * 24 * 60 * 60,
            log_retention: None,
            witness_time: 30_000,
        }
    }
}

impl Settings {
    /// Checks that the node makes keys of a scheme, and signs with them.
    pub(crate) fn check_scheme(&self, scheme: Scheme) -> Result<(), Refusal> {
        if !scheme.is_experimental() || self.experimental.contains(&scheme) {
            return Ok(());
        }
        let detail = format_args!(
            "{scheme} is experimental, and is off at this node: the operator of each member turns it on with `experimental`"
        );
        Err(Refusal::new(Reason::Unsupported, detail))
    }

    /// The name of the cluster, which every request has to name.
    pub(crate) fn cluster(&self) -> &str {
        self.directory.directory().deployment().as_str()
    }
}

impl core::fmt::Debug for Settings {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Settings")
            .field("me", &self.me)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
