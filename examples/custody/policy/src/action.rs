//! The actions that a policy decides about.

use quorate_purpose::Kind;
use serde::Deserialize;

/// An action that a caller asks for. In JSON a change has its name: `"refresh"`, `{"replenish": {"count": 9}}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Action {
    /// A signature of a purpose of this kind.
    #[serde(skip)]
    Sign(Kind),
    /// A new key of `members` nodes, `threshold` of which sign.
    CreateKey {
        /// The nodes that a signature takes.
        threshold: u16,
        /// The nodes that hold shares.
        members: u16,
    },
    /// New shares for the same nodes.
    Refresh,
    /// New shares for other nodes, or with another threshold.
    Reshare {
        /// The nodes that a signature takes from then on.
        threshold: u16,
        /// The nodes that hold shares from then on.
        members: u16,
    },
    /// The end of all signing until the key is enabled.
    Disable,
    /// The end of a disabled state.
    Enable,
    /// The date at which the nodes erase their shares.
    ScheduleDeletion,
    /// The end of a scheduled deletion.
    CancelDeletion,
    /// Presignatures or nonces for the stock of a key.
    Replenish {
        /// The number of them.
        count: u32,
    },
    /// The end of a request that is not answered yet.
    Cancel,
}

impl Action {
    /// An example of each action that is not a signature, in the order of the schema.
    pub(crate) const CHANGES: [Self; 9] = [
        Self::CreateKey { threshold: 0, members: 0 },
        Self::Refresh,
        Self::Reshare { threshold: 0, members: 0 },
        Self::Disable,
        Self::Enable,
        Self::ScheduleDeletion,
        Self::CancelDeletion,
        Self::Replenish { count: 0 },
        Self::Cancel,
    ];

    /// The name in policies: for a signature that of the kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sign(kind) => kind.name(),
            Self::CreateKey { .. } => "create-key",
            Self::Refresh => "refresh",
            Self::Reshare { .. } => "reshare",
            Self::Disable => "disable",
            Self::Enable => "enable",
            Self::ScheduleDeletion => "schedule-deletion",
            Self::CancelDeletion => "cancel-deletion",
            Self::Replenish { .. } => "replenish",
            Self::Cancel => "cancel",
        }
    }

    /// The group in policies.
    pub(crate) const fn group(self) -> &'static str {
        if matches!(self, Self::Sign(_)) { "sign" } else { "administer" }
    }

    /// Returns whether only a policy that names this action in its head can allow it.
    ///
    /// These are the opaque kinds, which can be a signed form of anything, the delegations of an account (EIP-7702), which hand
    /// the account over, and messages of EIP-191: a Safe takes one as the approval of a transaction that it names by its hash.
    #[must_use]
    pub const fn must_be_named(self) -> bool {
        match self {
            Self::Sign(kind) => {
                kind.is_opaque()
                    || matches!(kind, Kind::EvmAuthorization | Kind::EvmSetCode | Kind::EvmMessage)
            }
            _ => false,
        }
    }

    /// The numbers of a change, as facts.
    pub(crate) fn parameters(self) -> Vec<(&'static str, i64)> {
        match self {
            Self::CreateKey { threshold, members } | Self::Reshare { threshold, members } => {
                vec![("threshold", threshold.into()), ("members", members.into())]
            }
            Self::Replenish { count } => vec![("count", count.into())],
            _ => Vec::new(),
        }
    }
}
