//! Refusals of a node or a gateway.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::reason::Reason;

/// A refusal: the reason for programs, details for people, and the policy that decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The reason.
    pub reason: Reason,
    /// The expected and the actual value, at most [`Refusal::MAX_DETAIL`] bytes.
    pub detail: String,
    /// The id of the policy, if one decided.
    pub policy: Option<String>,
}

impl Refusal {
    /// The longest detail, in bytes.
    pub const MAX_DETAIL: usize = 1024;

    /// A refusal. A longer detail is cut.
    #[must_use]
    pub fn new(reason: Reason, detail: impl fmt::Display) -> Self {
        let mut detail = detail.to_string();
        let fits = (0..=detail.len().min(Self::MAX_DETAIL))
            .rev()
            .find(|end| detail.is_char_boundary(*end));
        detail.truncate(fits.unwrap_or_default());
        Self { reason, detail, policy: None }
    }

    pub(crate) fn malformed(detail: impl fmt::Display) -> Self {
        Self::new(Reason::Malformed, detail)
    }

    /// Names the policy that decided.
    #[must_use]
    pub fn by_policy(self, policy: impl Into<String>) -> Self {
        Self { policy: Some(policy.into()), ..self }
    }

    /// Returns whether the same request may succeed later without a change by anybody.
    #[must_use]
    pub const fn is_retryable(&self) -> bool {
        self.reason.is_retryable()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason, self.detail)?;
        self.policy.iter().try_for_each(|policy| write!(f, " (policy {policy})"))
    }
}

impl core::error::Error for Refusal {}
