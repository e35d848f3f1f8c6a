//! Requests and answers, in JSON.

use serde::{Deserialize, Serialize};

/// A request about a key.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct OfKey {
    pub(crate) key_id: String,
}

/// A request for a list.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct List {
    pub(crate) limit: Option<i64>,
    pub(crate) marker: Option<String>,
    /// The key whose aliases are listed.
    pub(crate) key_id: Option<String>,
}

/// A request for a signature.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Sign {
    pub(crate) key_id: String,
    /// The message or digest, in base64.
    pub(crate) message: String,
    pub(crate) message_type: Option<String>,
    pub(crate) signing_algorithm: String,
    pub(crate) dry_run: Option<bool>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct KeyEntry {
    pub(crate) key_id: String,
    pub(crate) key_arn: String,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Keys {
    pub(crate) keys: Vec<KeyEntry>,
    #[serde(flatten)]
    pub(crate) rest: Rest,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct AliasEntry {
    pub(crate) alias_name: String,
    pub(crate) alias_arn: String,
    pub(crate) target_key_id: String,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Aliases {
    pub(crate) aliases: Vec<AliasEntry>,
    #[serde(flatten)]
    pub(crate) rest: Rest,
}

/// The place where the rest of a list begins, if there is more.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Rest {
    pub(crate) truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_marker: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Described {
    pub(crate) key_metadata: Metadata,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Metadata {
    #[serde(rename = "AWSAccountId")]
    pub(crate) account: String,
    pub(crate) key_id: String,
    pub(crate) arn: String,
    pub(crate) description: String,
    pub(crate) enabled: bool,
    pub(crate) key_state: &'static str,
    pub(crate) key_manager: &'static str,
    pub(crate) origin: &'static str,
    pub(crate) multi_region: bool,
    #[serde(flatten)]
    pub(crate) usage: Usage,
}

/// The specification of a key, and its algorithms.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Usage {
    pub(crate) key_usage: &'static str,
    pub(crate) key_spec: &'static str,
    pub(crate) customer_master_key_spec: &'static str,
    pub(crate) signing_algorithms: [&'static str; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct PublicKey {
    /// The ARN of the key.
    pub(crate) key_id: String,
    /// `SubjectPublicKeyInfo`, in base64.
    pub(crate) public_key: String,
    #[serde(flatten)]
    pub(crate) usage: Usage,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Signed {
    /// The ARN of the key.
    pub(crate) key_id: String,
    /// The signature, in base64: DER for ECDSA.
    pub(crate) signature: String,
    pub(crate) signing_algorithm: &'static str,
}
