//! Specifications of keys.

use std::collections::BTreeMap;

use quorate::PartyId;
use quorate_purpose::Kind;
use serde::{Deserialize, Serialize};

use crate::fields::{kinds, labels, parties};
use crate::scheme::Scheme;

/// The specification of a key: its scheme, its committee, and its purposes.
///
/// A change of the committee alters `threshold` and `members`. The rest stays for the life of the key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct KeySpec {
    /// The scheme.
    pub scheme: Scheme,
    /// The number of members that sign together, at least 2.
    pub threshold: u16,
    /// The members, ascending.
    #[serde(with = "parties")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u16>))]
    pub members: Vec<PartyId>,
    /// The kinds of purposes that the key signs, ascending. Empty for every kind that is not
    /// [opaque](quorate_purpose::Kind::is_opaque).
    #[serde(with = "kinds", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>, example = json!(["evm-transaction"])))]
    pub purposes: Vec<Kind>,
    /// The part of the policy that decides about the key.
    #[serde(default)]
    pub scope: String,
    /// Notes of the operator; policies may read them.
    #[serde(deserialize_with = "labels::deserialize", default)]
    pub labels: BTreeMap<String, String>,
}

/// The first reason why a [`KeySpec`] is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// The members are not 2 to [`KeySpec::MAX_MEMBERS`], ascending.
    #[error("expected 2 to {} members, ascending, each once", KeySpec::MAX_MEMBERS)]
    Members,
    /// The threshold is below 2, or above the number of members.
    #[error("expected a threshold from 2 to the number of members")]
    Threshold,
    /// The scheme has at most this many members.
    #[error("expected at most {0} members for this scheme")]
    TooManyForScheme(usize),
    /// The kinds of purposes are not ascending.
    #[error("expected the purposes in the order of their codes, each once")]
    Purposes,
    /// Signatures of this kind must not contradict each other. Then any two sets of signers must have a member in common.
    #[error(
        "a key for {0} needs a threshold above half of its members, so that any two sets of signers meet"
    )]
    Quorums(Kind),
    /// The scope is longer than 64 characters, or has others than `a` to `z`, `0` to `9`, `.`, `-` and `_`.
    #[error("expected a scope of at most 64 characters of a to z, 0 to 9, '.', '-' and '_'")]
    Scope,
    /// There are more than 32 labels, or one is too long: 64 bytes for a name, 256 for a value.
    #[error("expected at most 32 labels, with names of 64 bytes and values of 256")]
    Labels,
}

impl KeySpec {
    /// The most members of a key.
    pub const MAX_MEMBERS: usize = 64;
    /// The most labels of a key.
    pub const MAX_LABELS: usize = 32;

    /// Checks the numbers and the lengths.
    ///
    /// # Errors
    /// The first [`SpecError`].
    pub fn check(&self) -> Result<(), SpecError> {
        Self::check_committee(self.threshold, &self.members)?;
        let most = if self.scheme == Scheme::MlDsa65 { 6 } else { Self::MAX_MEMBERS };
        if self.members.len() > most {
            return Err(SpecError::TooManyForScheme(most));
        }
        self.check_purposes()?;
        self.check_texts()
    }

    /// Checks the members and the threshold.
    pub(crate) fn check_committee(threshold: u16, members: &[PartyId]) -> Result<(), SpecError> {
        if !(2..=Self::MAX_MEMBERS).contains(&members.len()) || !members.is_sorted_by(|a, b| a < b)
        {
            return Err(SpecError::Members);
        }
        if !(2..=members.len()).contains(&usize::from(threshold)) {
            return Err(SpecError::Threshold);
        }
        Ok(())
    }

    /// Returns whether the key is bound to this kind of purpose.
    ///
    /// A key without a list signs every kind that is not opaque. Votes and proposals of validators, and lists of revoked
    /// certificates, are signed only if any two sets of signers have a member in common.
    #[must_use]
    pub fn allows(&self, kind: Kind) -> bool {
        let listed = if self.purposes.is_empty() {
            !kind.is_opaque()
        } else {
            self.purposes.contains(&kind)
        };
        listed && (!has_watermark(kind) || self.quorums_meet())
    }

    /// Returns whether any two sets of signers have a member in common.
    #[must_use]
    pub fn quorums_meet(&self) -> bool {
        usize::from(self.threshold) * 2 > self.members.len()
    }

    fn check_purposes(&self) -> Result<(), SpecError> {
        if !self.purposes.is_sorted_by(|a, b| a < b) {
            return Err(SpecError::Purposes);
        }
        let mut kinds = self.purposes.iter().copied();
        match kinds.find(|kind| has_watermark(*kind) && !self.quorums_meet()) {
            Some(kind) => Err(SpecError::Quorums(kind)),
            None => Ok(()),
        }
    }

    fn check_texts(&self) -> Result<(), SpecError> {
        let is_plain = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_');
        if self.scope.len() > 64 || !self.scope.bytes().all(is_plain) {
            return Err(SpecError::Scope);
        }
        let is_short = |(name, value): (&String, &String)| name.len() <= 64 && value.len() <= 256;
        if self.labels.len() > Self::MAX_LABELS || !self.labels.iter().all(is_short) {
            return Err(SpecError::Labels);
        }
        Ok(())
    }
}

/// Returns whether purposes of this kind have a watermark.
const fn has_watermark(kind: Kind) -> bool {
    matches!(kind, Kind::CometVote | Kind::CometProposal | Kind::X509Crl)
}
