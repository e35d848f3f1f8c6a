//! The input of a policy, and its answer.

use std::collections::BTreeMap;

use quorate_purpose::Facts;

use crate::action::Action;
use crate::window::{Count, Windows};

/// A policy of a node.
pub trait Policy: Send + Sync {
    /// Decides about a request. A policy that cannot decide refuses.
    fn decide(&self, context: &Context<'_>) -> Decision;
}

/// A caller of the service whose signature has been verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller<'a> {
    /// The name in the configuration of the cluster.
    pub name: &'a str,
    /// The public key, in any encoding that is the same each time. Two callers with one key are one approver.
    pub key: &'a [u8],
    /// The roles in the configuration: `request`, `approve`, `administer`.
    pub roles: &'a [&'a str],
}

/// A key of the cluster.
#[derive(Clone, Copy, Debug)]
pub struct KeyFacts<'a> {
    /// The identifier in hex, or the name under which a new key is asked for.
    pub id: &'a str,
    /// The name of the scheme, such as `ecdsa-secp256k1`.
    pub scheme: &'a str,
    /// The scope that the key was made for.
    pub scope: &'a str,
    /// The labels that the key was made with.
    pub labels: &'a BTreeMap<String, String>,
    /// The names of the kinds that the key is bound to. The node enforces them; a policy may look at them.
    pub purposes: &'a [&'a str],
}

/// The input of a decision.
///
/// The node makes it from the caller's request, which it has verified, and from its own records. Times are in seconds since the
/// beginning of 1970.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The caller that signed the request.
    pub caller: Caller<'a>,
    /// The callers that approved the request: what [`approvers`](crate::approvers) gives.
    pub approvers: &'a [Caller<'a>],
    /// The action.
    pub action: Action,
    /// The key.
    pub key: KeyFacts<'a>,
    /// The facts of the purpose, decoded by this node; [`Facts::default`] for other actions than signing.
    pub facts: &'a Facts,
    /// The path of the child key that is to sign, such as `m/0/5`; nothing if it is the key itself. An output with scripts has one, at
    /// `m` too.
    pub child: Option<&'a str>,
    /// The Merkle root of the scripts that the output of a Taproot key commits to; nothing if it has no scripts.
    pub merkle_root: Option<[u8; 32]>,
    /// The person or account that the caller says it acts for. Nobody has verified it.
    pub on_behalf: Option<&'a str>,
    /// The context string of FIPS 204 under which a key of ML-DSA is to sign. Empty if there is none.
    pub signature_context: &'a [u8],
    /// The time of this node's clock.
    pub now: i64,
    /// The time until which the request is valid.
    pub deadline: i64,
    /// The counters of this key.
    pub windows: &'a dyn Windows,
}

/// The answer of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The outcome.
    pub outcome: Outcome,
    /// The identifiers of the policies that decided, sorted. No policy decided a request that nothing allows.
    pub policies: Vec<String>,
    /// The reason, in English: for a log or an error, not for a program.
    pub why: String,
    /// The increments of counters, which the node records in the transaction that records the decision. Empty unless the
    /// request is allowed.
    pub counts: Vec<Count>,
}

impl Decision {
    /// Returns whether the request is allowed.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.outcome == Outcome::Allowed
    }

    pub(crate) fn refused(outcome: Outcome, policies: Vec<String>, why: String) -> Self {
        Self { outcome, policies, why, counts: Vec::new() }
    }
}

/// The outcome of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// A policy allows it, and none forbids it.
    Allowed,
    /// A policy forbids it.
    Forbidden,
    /// No policy allows it.
    NotAllowed,
    /// A policy would allow it with more approvals.
    ApprovalsMissing,
    /// The decision failed: a fact is out of range, a counter cannot be read, or a policy ended in an error.
    Failed,
}
