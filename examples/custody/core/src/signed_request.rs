//! Requests as callers sign them: HTTP Message Signatures (RFC 9421) over the digest of the body (RFC 9530).
//!
//! A signature covers exactly `@method`, `@path`, `@query` if the target has a query, and `content-digest`. Its parameters are
//! `created`, `expires`, `nonce`, `keyid` and `tag="quorate-custody:CLUSTER"`, and `alg` if the caller likes. A request has one
//! signature. Every value has one accepted spelling, so that what a gateway reads and what a node reads cannot differ.
//!
//! A request that changes something is done once, under its nonce. One that reads is valid for 300 seconds at most. In this
//! time whoever has seen it can repeat it.

mod base;
mod input;
mod unsigned;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::caller::Caller;
use crate::callers::Callers;
use crate::fields::base64;
use crate::id::{RequestDigest, RequestId};
use crate::operation::{Operation, Target};
use crate::reason::Reason;
use crate::refusal::Refusal;
use base::signature_base;
pub(crate) use input::tag;
use input::{SignatureInput, read_digest, read_signature};
pub use unsigned::{Parameters, UnsignedRequest};

/// The head of a request: what the caller's signature covers, and the signature.
///
/// Each field is the value of a header, byte for byte. [`verify`](Self::verify) needs no body, so that a server can refuse a
/// stranger before it reads one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SignedHead {
    /// The method, in upper case.
    pub method: String,
    /// The path, and the query with its `?` if there is one.
    pub target: String,
    /// `Content-Digest`: `sha-256=:…:`, also of a request without a body.
    pub content_digest: String,
    /// `Signature-Input`, with one signature.
    pub signature_input: String,
    /// `Signature`, with the same label.
    pub signature: String,
}

/// A request as its caller signed it: what a gateway receives, and what it shows to nodes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SignedRequest {
    /// The head.
    pub head: SignedHead,
    /// The body, byte for byte. In JSON it is base64.
    #[serde(with = "base64")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, content_encoding = "base64"))]
    pub body: Vec<u8>,
}

/// The head of a request whose signature verifies. The body is not known yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifiedHead<'a> {
    head: &'a SignedHead,
    target: Target,
    content_digest: [u8; 32],
    caller: Caller,
    id: RequestId,
    digest: RequestDigest,
    created: u64,
    expires: u64,
}

/// A request whose signature and body verify, and what it asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Verified {
    /// The caller, with its roles. It has one that the operation needs.
    pub caller: Caller,
    /// The id: the idempotency key.
    pub id: RequestId,
    /// The digest. Requests with the same id and the same digest are the same request.
    pub digest: RequestDigest,
    /// The operation that the caller asks for.
    pub operation: Operation,
    /// For how many seconds the caller wants to wait for the result.
    pub wait: u16,
    /// When it was signed, in seconds since 1970.
    pub created: u64,
    /// Until when it is valid: the deadline of the request, in seconds since 1970.
    pub expires: u64,
}

impl SignedHead {
    /// The longest target, in bytes.
    pub const MAX_TARGET: usize = 512;
    /// The longest value of a header, in bytes.
    pub const MAX_HEADER: usize = 1024;
    /// How far `created` may lie in the future, in seconds.
    pub const MAX_SKEW: u64 = 60;
    /// The longest time from `created` to `expires`, in seconds: seven days.
    pub const MAX_LIFETIME: u64 = 7 * 24 * 60 * 60;
    /// The longest time from `created` to `expires` of a request that only reads, in seconds.
    pub const MAX_READ_LIFETIME: u64 = 300;
    /// The shortest nonce, in bytes.
    pub const MIN_NONCE: usize = 16;
    /// The longest nonce, in bytes.
    pub const MAX_NONCE: usize = 128;

    /// Verifies the signature at the time `now`, in seconds since 1970.
    ///
    /// # Errors
    /// A [`Refusal`] with `limit`, `malformed`, `bad-signature`, `unknown-caller`, `not-yet` or `expired`.
    pub fn verify<'a>(&'a self, callers: &Callers, now: u64) -> Result<VerifiedHead<'a>, Refusal> {
        self.check_lengths()?;
        if !matches!(self.method.as_str(), "GET" | "POST") {
            return Err(Refusal::malformed("expected the method GET or POST"));
        }
        let target = Target::parse(&self.target)?;
        let content_digest = read_digest(&self.content_digest)?;
        let input = SignatureInput::parse(&self.signature_input)?;
        input.check(target.query().is_some())?;
        input.check_cluster(callers.cluster())?;
        let signature = read_signature(&self.signature, input.label)?;
        let (caller, key) = callers.key(input.key_id).ok_or_else(|| {
            Refusal::new(
                Reason::UnknownCaller,
                format_args!("no caller has the key {}", input.key_id),
            )
        })?;
        if input.algorithm.is_some_and(|algorithm| algorithm != key.algorithm()) {
            let detail =
                format_args!("alg: expected {} for the key {}", key.algorithm(), input.key_id);
            return Err(Refusal::new(Reason::BadSignature, detail));
        }
        let base = signature_base(self, &target, &input);
        if !key.verifies(base.as_bytes(), &signature) {
            let detail = format_args!(
                "the signature does not verify under the key {} of {}",
                input.key_id, caller.name
            );
            return Err(Refusal::new(Reason::BadSignature, detail));
        }
        input.check_time(now)?;
        Ok(VerifiedHead {
            head: self,
            target,
            content_digest,
            caller: caller.clone(),
            id: RequestId::of(input.key_id, input.nonce),
            digest: RequestDigest::new(Sha256::digest(&base).into()),
            created: input.created,
            expires: input.expires,
        })
    }

    fn check_lengths(&self) -> Result<(), Refusal> {
        let headers = [&self.method, &self.content_digest, &self.signature_input, &self.signature];
        let fits = |value: &&String| value.len() <= Self::MAX_HEADER;
        if self.target.len() > Self::MAX_TARGET || !headers.iter().all(fits) {
            let (target, header) = (Self::MAX_TARGET, Self::MAX_HEADER);
            let detail = format_args!(
                "expected at most {target} bytes of target, and {header} of each header"
            );
            return Err(Refusal::new(Reason::Limit, detail));
        }
        Ok(())
    }
}

impl VerifiedHead<'_> {
    /// The longest time that a caller may wait for a result, in seconds.
    pub const MAX_WAIT: u16 = 60;

    /// The id of the request.
    #[must_use]
    pub const fn id(&self) -> RequestId {
        self.id
    }

    /// The caller.
    #[must_use]
    pub const fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Compares the body with its digest, and reads what the caller asks for.
    ///
    /// # Errors
    /// A [`Refusal`] with `limit`, `bad-signature`, `malformed` or `role-missing`.
    pub fn with_body(self, body: &[u8]) -> Result<Verified, Refusal> {
        if body.len() > SignedRequest::MAX_BODY {
            let detail = format_args!(
                "the body: expected at most {} bytes, got {}",
                SignedRequest::MAX_BODY,
                body.len()
            );
            return Err(Refusal::new(Reason::Limit, detail));
        }
        if <[u8; 32]>::from(Sha256::digest(body)) != self.content_digest {
            return Err(Refusal::new(
                Reason::BadSignature,
                "the body does not have the digest of Content-Digest",
            ));
        }
        let operation = Operation::parse(&self.head.method, &self.target, body)?;
        let lifetime = self.expires.saturating_sub(self.created);
        if operation.is_read() && lifetime > SignedHead::MAX_READ_LIFETIME {
            let most = SignedHead::MAX_READ_LIFETIME;
            let detail = format_args!(
                "a request that reads is valid for at most {most} s, got {lifetime} s"
            );
            return Err(Refusal::new(Reason::Limit, detail));
        }
        operation.check_roles(&self.caller)?;
        let wait = self.target.number("wait", 0, 0..=Self::MAX_WAIT)?;
        let Self { caller, id, digest, created, expires, .. } = self;
        Ok(Verified { caller, id, digest, operation, wait, created, expires })
    }
}

impl SignedRequest {
    /// The longest body, in bytes: a purpose of the greatest length in base64, and the rest of a request.
    pub const MAX_BODY: usize = 3 << 19;

    /// Verifies the signature and the body at the time `now`, in seconds since 1970.
    ///
    /// The recipient still has to look for another request under the same id: [`Verified::check_same`].
    ///
    /// # Errors
    /// A [`Refusal`], as [`SignedHead::verify`] and [`VerifiedHead::with_body`] give them.
    pub fn verify(&self, callers: &Callers, now: u64) -> Result<Verified, Refusal> {
        self.head.verify(callers, now)?.with_body(&self.body)
    }
}

impl Verified {
    /// Compares this request with the digest on record for its id.
    ///
    /// # Errors
    /// A [`Refusal`] with `request-conflict` if the caller signed another request with the same nonce.
    pub fn check_same(&self, on_record: RequestDigest) -> Result<(), Refusal> {
        if self.digest == on_record {
            return Ok(());
        }
        let detail = format_args!(
            "the caller {} has signed another request with this nonce: take a new one",
            self.caller.name
        );
        Err(Refusal::new(Reason::RequestConflict, detail))
    }
}
