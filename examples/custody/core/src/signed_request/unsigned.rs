//! Requests that a caller is about to sign.

use sha2::{Digest as _, Sha256};

use super::base::signature_base;
use super::input::{SignatureInput, tag, write_bytes};
use super::{SignedHead, SignedRequest};
use crate::operation::Target;
use crate::refusal::Refusal;

/// The label of signatures that are made here. It has no meaning.
const LABEL: &str = "sig";

/// The parameters of a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameters<'a> {
    /// The [id](crate::CallerKey::id) of the caller's key.
    pub key_id: &'a str,
    /// The idempotency key: 16 to 128 letters, digits or characters of `-._~+/=`.
    pub nonce: &'a str,
    /// The name of the cluster, as its directory has it. Only a list of callers that is of no cluster accepts requests without.
    pub cluster: Option<&'a str>,
    /// The time, in seconds since 1970.
    pub created: u64,
    /// The deadline, in seconds since 1970.
    pub expires: u64,
}

/// A request before its caller has signed it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnsignedRequest {
    request: SignedRequest,
    base: String,
}

impl UnsignedRequest {
    /// A request with this method, path and query.
    ///
    /// # Errors
    /// A [`Refusal`] if the target or a parameter is malformed.
    pub fn new(
        method: &str,
        target: &str,
        body: Vec<u8>,
        parameters: &Parameters<'_>,
    ) -> Result<Self, Refusal> {
        let parsed = Target::parse(target)?;
        let query = if parsed.query().is_some() { " \"@query\"" } else { "" };
        let Parameters { key_id, nonce, cluster, created, expires } = parameters;
        let tag = tag(*cluster);
        let signature_input = format!(
            "{LABEL}=(\"@method\" \"@path\"{query} \"content-digest\");\
             created={created};expires={expires};nonce=\"{nonce}\";keyid=\"{key_id}\";tag=\"{tag}\""
        );
        let head = SignedHead {
            method: method.to_owned(),
            target: target.to_owned(),
            content_digest: write_bytes("sha-256", &Sha256::digest(&body)),
            signature_input,
            signature: String::new(),
        };
        let input = SignatureInput::parse(&head.signature_input)?;
        input.check(parsed.query().is_some())?;
        let base = signature_base(&head, &parsed, &input);
        Ok(Self { request: SignedRequest { head, body }, base })
    }

    /// The bytes to sign.
    #[must_use]
    pub fn signature_base(&self) -> &[u8] {
        self.base.as_bytes()
    }

    /// The request with its signature: 64 bytes of Ed25519, or r ‖ s of ECDSA over P-256.
    #[must_use]
    pub fn with_signature(mut self, signature: &[u8; 64]) -> SignedRequest {
        self.request.head.signature = write_bytes(LABEL, signature);
        self.request
    }
}
