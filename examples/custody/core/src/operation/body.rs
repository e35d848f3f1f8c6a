//! The bodies of requests, in JSON.

use quorate::PartyId;
use quorate_keys::derive::DerivationPath;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::children::{Child, MerkleRoot};
use crate::fields::{base64, parties, path};
use crate::id::RequestDigest;
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::spec::KeySpec;

/// The body of `POST /v1/keys/{key}/sign`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Sign {
    /// The canonical bytes of a [`Purpose`](quorate_purpose::Purpose), not parsed yet. In JSON they are base64 with padding.
    #[serde(with = "base64")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, content_encoding = "base64"))]
    pub purpose: Vec<u8>,
    /// The path to the child key that signs: `m/0/5`. The key itself is `m`, or no path.
    #[serde(with = "path", default, skip_serializing_if = "is_root")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, example = "m/0/5"))]
    pub path: DerivationPath,
    /// The Merkle root of the tree of scripts that the output commits to (BIP-341), for keys of Taproot alone: 32 bytes, in JSON base64
    /// with padding. Without one the output has no scripts. Policies can read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, content_encoding = "base64"))]
    pub merkle_root: Option<MerkleRoot>,
    /// The person or service that the caller acts for: at most 256 bytes without control characters. Policies can read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_behalf: Option<String>,
    /// The context string of FIPS 204 under which a key of ML-DSA signs: at most 255 bytes. In JSON they are base64 with padding.
    /// Policies can read it. Keys of other schemes have none.
    #[serde(with = "base64", default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, content_encoding = "base64"))]
    pub context: Vec<u8>,
}

/// The body of `POST /v1/keys/{key}/reshare`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Reshare {
    /// The new threshold.
    pub threshold: u16,
    /// The new members, ascending.
    #[serde(with = "parties")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u16>))]
    pub members: Vec<PartyId>,
}

/// The body of `POST /v1/keys/{key}/schedule-deletion`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ScheduleDeletion {
    /// When the key is deleted, in seconds since 1970.
    pub at: u64,
}

/// The body of `POST /v1/keys/{key}/replenish`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Replenish {
    /// For how many signatures.
    pub count: u32,
}

/// The body of `POST /v1/requests/{request}/approve`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Approve {
    /// The digest of the request that the approver has seen.
    pub digest: RequestDigest,
}

impl Reshare {
    pub(super) fn check(self) -> Result<Self, Refusal> {
        let Self { threshold, members } = &self;
        KeySpec::check_committee(*threshold, members)
            .map_err(|why| Refusal::new(Reason::Limit, why))?;
        Ok(self)
    }
}

impl Sign {
    /// The longest text of `on_behalf`, in bytes.
    pub const MAX_ON_BEHALF: usize = 256;
    /// The longest context, in bytes.
    pub const MAX_CONTEXT: usize = 255;

    /// The key that signs.
    #[must_use]
    pub fn child(&self) -> Child {
        Child { path: self.path.clone(), merkle_root: self.merkle_root }
    }

    pub(super) fn check(self) -> Result<Self, Refusal> {
        if self.context.len() > Self::MAX_CONTEXT {
            let most = Self::MAX_CONTEXT;
            return Err(Refusal::new(
                Reason::Limit,
                format_args!("context: expected at most {most} bytes"),
            ));
        }
        let fits =
            |text: &String| text.len() <= Self::MAX_ON_BEHALF && !text.contains(char::is_control);
        if self.on_behalf.as_ref().is_none_or(fits) {
            return Ok(self);
        }
        let most = Self::MAX_ON_BEHALF;
        let detail =
            format_args!("on_behalf: expected at most {most} bytes, without control characters");
        Err(Refusal::new(Reason::Limit, detail))
    }
}

fn is_root(path: &DerivationPath) -> bool {
    path.indices().is_empty()
}

/// Reads a body of JSON.
pub(super) fn json<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|why| Refusal::malformed(format_args!("the body: {why}")))
}

/// Checks that there is no body.
pub(super) fn empty(body: &[u8]) -> Result<(), Refusal> {
    if body.is_empty() { Ok(()) } else { Err(Refusal::malformed("expected no body")) }
}
