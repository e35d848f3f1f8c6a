//! Answers of the HTTP interface, in JSON.

use serde::{Deserialize, Serialize};

use crate::children::{MerkleRoot, Root};
use crate::fields::{base64, base64_or_none, path};
use crate::id::{KeyId, RequestDigest, RequestId};
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::signed_request::SignedRequest;
use crate::spec::KeySpec;
use quorate_keys::derive::DerivationPath;

/// A key.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct KeyDescription {
    /// The id.
    pub key: KeyId,
    /// The request that made it.
    pub request: RequestId,
    /// The specification, with the present committee.
    pub spec: KeySpec,
    /// The state.
    pub state: KeyCondition,
    /// When the key is deleted, in seconds since 1970, if that is scheduled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletion_at: Option<u64>,
    /// The number of times that the shares have changed.
    pub epoch: u32,
    /// The number of signatures for which presignatures or nonces are ready.
    pub stock: u32,
    /// The public key, in the encoding that verifiers of the scheme take, in base64.
    #[serde(with = "base64")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, content_encoding = "base64"))]
    pub public_key: Vec<u8>,
    /// The PEM of the public key as a `SubjectPublicKeyInfo`, for schemes that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spki: Option<String>,
    /// The root of the key's children, if it has some. A careful client takes it from the certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<Root>,
    /// The encoding of the certificate with the signatures of all members, in base64. Absent until all have signed.
    #[serde(with = "base64_or_none", default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, content_encoding = "base64"))]
    pub certificate: Option<Vec<u8>>,
    /// The child key of the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child: Option<ChildDescription>,
}

/// The state of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum KeyCondition {
    /// The key signs.
    Enabled,
    /// The key does not sign until an administrator enables it.
    Disabled,
    /// The key does not sign, and nodes will delete their shares.
    DeletionScheduled,
}

/// A child of a key. A careful client derives it itself from the certificate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChildDescription {
    /// The path from the key.
    #[serde(with = "path")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "m/0/5"))]
    pub path: DerivationPath,
    /// The Merkle root of the scripts that the output commits to, in base64: 32 bytes, for keys of Taproot alone. Absent if the output
    /// has no scripts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, content_encoding = "base64"))]
    pub merkle_root: Option<MerkleRoot>,
    /// The public key, in base64.
    #[serde(with = "base64")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, content_encoding = "base64"))]
    pub public_key: Vec<u8>,
    /// The PEM of the public key as a `SubjectPublicKeyInfo`, for schemes that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spki: Option<String>,
}

/// A part of the list of keys, ascending by their ids.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct KeyList {
    /// The keys.
    pub keys: Vec<KeyDescription>,
    /// `true` if there are more, after the last.
    pub more: bool,
}

/// A request, and what has become of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RequestDescription {
    /// The id.
    pub request: RequestId,
    /// The digest, which approvers approve.
    pub digest: RequestDigest,
    /// The state.
    pub state: RequestState,
    /// The name of the operation.
    #[cfg_attr(feature = "openapi", schema(example = "sign"))]
    pub operation: String,
    /// The name of the caller.
    pub caller: String,
    /// The key that it is about, or that it made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<KeyId>,
    /// The deadline, in seconds since 1970.
    pub expires: u64,
    /// The names of the callers that have approved it.
    pub approvals: Vec<String>,
    /// The signature, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<SignatureDescription>,
    /// Why it is refused, or why there is no result yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
    /// The request as its caller signed it, so that an approver can verify what it approves.
    pub signed: SignedRequest,
}

/// The state of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RequestState {
    /// There is no result yet.
    Pending,
    /// Approvals are missing.
    ApprovalsMissing,
    /// The operation is done.
    Done,
    /// The policy, or a node, has refused it.
    Refused,
    /// A caller has cancelled it.
    Cancelled,
    /// The deadline passed before there was a result.
    Expired,
}

/// A signature.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SignatureDescription {
    /// The signature in base64: r ‖ s for ECDSA, with the lower of the two values of s; RFC 8032, BIP-340, FIPS 204.
    #[serde(with = "base64")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, content_encoding = "base64"))]
    pub signature: Vec<u8>,
    /// The recovery id of ECDSA, from 0 to 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery_id: Option<u8>,
    /// The public key under which it verifies, in base64: the key's, or that of its child.
    #[serde(with = "base64")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, content_encoding = "base64"))]
    pub public_key: Vec<u8>,
}

/// A part of the list of requests without a result, the oldest first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RequestList {
    /// The requests.
    pub requests: Vec<RequestDescription>,
    /// `true` if there are more, after the last.
    pub more: bool,
}

/// A problem (RFC 9457).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// `urn:quorate:custody:` and the name of the reason. Programs decide by it.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "openapi", schema(example = "urn:quorate:custody:policy-denied"))]
    pub kind: String,
    /// The reason in words.
    pub title: String,
    /// The status of the response.
    pub status: u16,
    /// Details for people: what was expected and what came.
    pub detail: String,
    /// `true` if the same request may succeed later without a change by anybody.
    pub retryable: bool,
    /// `urn:quorate:custody:request:` and the id of the request, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// The policy that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
}

impl Problem {
    /// The beginning of every `type`.
    pub const TYPE: &'static str = "urn:quorate:custody:";
    /// The media type.
    pub const MEDIA_TYPE: &'static str = "application/problem+json";

    /// The problem of a refusal.
    #[must_use]
    pub fn new(refusal: Refusal, request: Option<RequestId>) -> Self {
        let Refusal { reason, detail, policy } = refusal;
        Self {
            kind: format!("{}{reason}", Self::TYPE),
            title: reason.name().replace('-', " "),
            status: status(reason),
            detail,
            retryable: reason.is_retryable(),
            instance: request.map(|request| format!("{}request:{request}", Self::TYPE)),
            policy,
        }
    }

    /// The reason, if this release knows it.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
        let name = self.kind.strip_prefix(Self::TYPE)?;
        Reason::ALL.iter().copied().find(|reason| reason.name() == name)
    }
}

/// The status of the response to a request that is refused for this reason.
const fn status(reason: Reason) -> u16 {
    match reason {
        Reason::BadSignature | Reason::UnknownCaller | Reason::NotYet | Reason::Expired => 401,
        Reason::RoleMissing
        | Reason::PolicyDenied
        | Reason::ApprovalsMissing
        | Reason::WrongSender => 403,
        Reason::UnknownKey | Reason::UnknownRequest => 404,
        Reason::RequestConflict | Reason::Cancelled | Reason::Watermark | Reason::KeyDisabled => {
            409
        }
        Reason::Limit | Reason::WrongPurpose | Reason::WrongPath | Reason::Unsupported => 422,
        Reason::Malformed => 400,
        Reason::Internal => 500,
        _ => 503,
    }
}
