//! The reasons of refusals, by name.

use core::fmt;

use serde::{Deserialize, Serialize};

/// Defines the enum with its names. A new reason goes to the end: the wire has its place in the list.
macro_rules! reasons {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal,)*) => {
        /// A reason why a node or a gateway refuses something.
        ///
        /// Names never change. Programs decide by them; people read [`Refusal::detail`](crate::Refusal).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Reason {
            $($(#[doc = $doc])+ #[serde(rename = $text)] $name,)*
        }

        impl Reason {
            /// Every reason.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name, in lower case with hyphens.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

reasons! {
    /// The bytes are not a request, an order or a purpose.
    Malformed = "malformed",
    /// A value of the request is outside its limits.
    Limit = "limit",
    /// The signature of the caller does not verify, or lacks a part that it has to cover.
    BadSignature = "bad-signature",
    /// No caller has this key.
    UnknownCaller = "unknown-caller",
    /// The caller does not have the role that the operation needs.
    RoleMissing = "role-missing",
    /// The request's time has not begun.
    NotYet = "not-yet",
    /// The request's time is over.
    Expired = "expired",
    /// Another request came under this id.
    RequestConflict = "request-conflict",
    /// The request was cancelled.
    Cancelled = "cancelled",
    /// The policy denies it.
    PolicyDenied = "policy-denied",
    /// The policy wants approvals that are not there.
    ApprovalsMissing = "approvals-missing",
    /// A contradicting or later value was signed.
    Watermark = "watermark",
    /// The node has no such key.
    UnknownKey = "unknown-key",
    /// The node has its share of the key, and does not know yet that all members have theirs.
    KeyUnconfirmed = "key-unconfirmed",
    /// The key is disabled, or is going to be deleted.
    KeyDisabled = "key-disabled",
    /// The key does not sign purposes of this kind, or keys of its scheme cannot.
    WrongPurpose = "wrong-purpose",
    /// The path leads to no child of the key.
    WrongPath = "wrong-path",
    /// The node does not support the scheme or the operation.
    Unsupported = "unsupported",
    /// The sender has no right to give this order.
    WrongSender = "wrong-sender",
    /// There are not enough presignatures or nonces.
    NotEnoughStock = "not-enough-stock",
    /// The node does not have this presignature or these nonces: they were used, dropped, or never made.
    UnknownMaterial = "unknown-material",
    /// The presignature, the nonces or the signing package does not fit the request or the key.
    WrongMaterial = "wrong-material",
    /// The run of a protocol ended without a result.
    RunFailed = "run-failed",
    /// The node has restarted, and no peer has confirmed yet that its ledger is the latest.
    NotVouched = "not-vouched",
    /// The node's database or ledger is older than what peers have seen. An operator has to act.
    RolledBack = "rolled-back",
    /// The node is at the limit of what it does at once.
    Busy = "busy",
    /// The node or the gateway could not do it, for a reason that its log has.
    Internal = "internal",
    /// The gateway has no such request.
    UnknownRequest = "unknown-request",
}

impl Reason {
    /// Returns whether the same request may succeed later without a change by anybody.
    #[must_use]
    pub const fn is_retryable(self) -> bool {
        matches!(
            self,
            Self::NotYet
                | Self::KeyUnconfirmed
                | Self::NotEnoughStock
                | Self::UnknownMaterial
                | Self::RunFailed
                | Self::NotVouched
                | Self::Busy
                | Self::Internal
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
