//! Requests and results as JSON: bytes are in hexadecimal.

use core::fmt::Write;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use quorate::PartyId;
use quorate_cggmp::DerivationPath;
use serde::{Deserialize, Serialize};

use crate::change::{Change, SignedChange};
use crate::gateway::ask::State;
use crate::request::{KeyId, Request, RequestKey, Scheme, SignedRequest};

/// A request with its requester's signature.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// The idempotency key, 16 bytes.
    pub key: String,
    /// The key that signs, or its ancestor, 16 bytes.
    pub key_id: String,
    /// `ecdsa` or `ed25519`.
    pub scheme: String,
    /// The path from that key to the one that signs: `m`, or `m/44/0`.
    #[serde(default = "root")]
    pub path: String,
    /// What is signed.
    pub message: String,
    /// The moment after which nobody signs it any more, in milliseconds since 1970.
    pub deadline: u64,
    /// The requester's Ed25519 key, 32 bytes.
    pub requester: String,
    /// The requester's signature, 64 bytes.
    pub signature: String,
}

fn root() -> String {
    "m".to_owned()
}

impl Form {
    /// The form of a request.
    #[must_use]
    pub fn new(signed: &SignedRequest) -> Self {
        let request = &signed.request;
        Self {
            key: hex(&request.key.0),
            key_id: hex(&request.key_id.0),
            scheme: request.scheme.name().to_owned(),
            path: request.path.to_string(),
            message: hex(&request.message),
            deadline: request.deadline,
            requester: hex(&signed.requester),
            signature: hex(&signed.signature),
        }
    }

    /// The request. Nothing is verified yet.
    ///
    /// # Errors
    /// A text that names the field.
    pub fn read(&self) -> Result<SignedRequest, &'static str> {
        let scheme = Scheme::ALL.into_iter().find(|scheme| scheme.name() == self.scheme);
        let path: DerivationPath = self
            .path
            .parse()
            .map_err(|_| "path: m and indices that are not hardened, as in m/44/0")?;
        let request = Request {
            key: RequestKey(array(&self.key, "key: 16 bytes in hexadecimal")?),
            key_id: KeyId(array(&self.key_id, "key_id: 16 bytes in hexadecimal")?),
            scheme: scheme.ok_or("scheme: ecdsa or ed25519")?,
            path,
            message: unhex(&self.message).ok_or("message: hexadecimal")?,
            deadline: self.deadline,
        };
        let requester = array(&self.requester, "requester: 32 bytes in hexadecimal")?;
        let signature = array(&self.signature, "signature: 64 bytes in hexadecimal")?;
        let signed = SignedRequest { request, requester, signature };
        // What is too long or too deep for the other encoding is so here too.
        let fits = SignedRequest::from_bytes(&signed.to_bytes()).is_some_and(|read| read == signed);
        fits.then_some(signed).ok_or("message or path: too long")
    }
}

/// A change of a key with its requester's signature.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct ChangeForm {
    /// The key, 16 bytes.
    pub key_id: String,
    /// The epoch of its shares.
    pub epoch: u32,
    /// The threshold of the new shares.
    pub threshold: u16,
    /// The nodes that get them.
    pub nodes: Vec<u16>,
    /// The moment after which nobody begins it, in milliseconds since 1970.
    pub deadline: u64,
    /// The requester's Ed25519 key, 32 bytes.
    pub requester: String,
    /// The requester's signature, 64 bytes.
    pub signature: String,
}

impl ChangeForm {
    /// The form of a change.
    #[must_use]
    pub fn new(signed: &SignedChange) -> Self {
        let change = &signed.change;
        Self {
            key_id: hex(&change.key.0),
            epoch: change.epoch,
            threshold: change.threshold,
            nodes: change.committee.iter().map(|node| node.get()).collect(),
            deadline: change.deadline,
            requester: hex(&signed.requester),
            signature: hex(&signed.signature),
        }
    }

    /// The change. Nothing is verified yet.
    ///
    /// # Errors
    /// A text that names the field.
    pub fn read(&self) -> Result<SignedChange, &'static str> {
        let committee = self.nodes.iter().map(|node| PartyId::new(*node)).collect::<Option<_>>();
        let change = Change {
            key: KeyId(array(&self.key_id, "key_id: 16 bytes in hexadecimal")?),
            epoch: self.epoch,
            threshold: self.threshold,
            committee: committee.ok_or("nodes: there is no node 0")?,
            deadline: self.deadline,
        };
        let requester = array(&self.requester, "requester: 32 bytes in hexadecimal")?;
        let signature = array(&self.signature, "signature: 64 bytes in hexadecimal")?;
        Ok(SignedChange { change, requester, signature })
    }
}

/// What has become of a request.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// `waiting`, `asked`, `signed` or `refused`.
    pub state: String,
    /// The signature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// The key that has signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public_key: Option<String>,
    /// The reason of a refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Whether no signer can make a signature for this request any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certain: Option<bool>,
}

impl From<State> for Outcome {
    fn from(state: State) -> Self {
        let named = |name: &str| Self { state: name.to_owned(), ..Self::default() };
        match state {
            State::Waiting => named("waiting"),
            State::Asked => named("asked"),
            State::Signed { signature, public_key } => Self {
                signature: Some(hex(&signature)),
                public_key: Some(hex(&public_key)),
                ..named("signed")
            },
            State::Refused { why, certain } => {
                Self { why: Some(why), certain: Some(certain), ..named("refused") }
            }
        }
    }
}

/// An answer that is not the one that was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    status: StatusCode,
    code: &'static str,
    message: String,
}

/// A problem without more to say.
#[derive(Clone, Copy, Debug)]
pub struct Plain(StatusCode, &'static str, &'static str);

impl Problem {
    /// There is nothing under this path.
    pub const NO_SUCH_PLACE: Plain =
        Plain(StatusCode::NOT_FOUND, "no_such_place", "there is nothing here");
    /// Another method is needed.
    pub const METHOD: Plain =
        Plain(StatusCode::METHOD_NOT_ALLOWED, "method", "not with this method");

    /// One with a name for programs and a text for people.
    #[must_use]
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into() }
    }
}

impl Problem {
    /// Its name for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.code
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let error = serde_json::json!({ "error": { "code": self.code, "message": self.message } });
        (self.status, Json(error)).into_response()
    }
}

impl IntoResponse for Plain {
    fn into_response(self) -> Response {
        Problem::new(self.0, self.1, self.2).into_response()
    }
}

impl From<Problem> for Response {
    fn from(problem: Problem) -> Self {
        problem.into_response()
    }
}

/// Bytes in hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    // Writing to a string does not fail.
    bytes.iter().for_each(|byte| write!(text, "{byte:02x}").unwrap_or_default());
    text
}

/// Bytes from hexadecimal, of either case.
#[must_use]
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| -> Option<u8> { char::from(*byte).to_digit(16)?.try_into().ok() };
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    pairs.iter().map(|[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect()
}

fn array<const N: usize>(text: &str, what: &'static str) -> Result<[u8; N], &'static str> {
    unhex(text).and_then(|bytes| bytes.try_into().ok()).ok_or(what)
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::SigningKey;

    use super::*;

    fn signed() -> SignedRequest {
        let request = Request {
            key: RequestKey([1; 16]),
            key_id: KeyId([2; 16]),
            scheme: Scheme::Ecdsa,
            path: "m/44/7".parse().unwrap(),
            message: b"pay".to_vec(),
            deadline: 1_000_000,
        };
        SignedRequest::new(request, &SigningKey::from_bytes(&[3; 32]))
    }

    #[test]
    fn a_form_is_its_request() {
        let form = Form::new(&signed());
        let text = serde_json::to_string(&form).unwrap();
        let read = serde_json::from_str::<Form>(&text).unwrap().read().unwrap();
        assert_eq!(read, signed());
        assert!(read.verifies());
    }

    #[test]
    fn a_wrong_field_is_named() {
        let wrong = |change: fn(&mut Form)| {
            let mut form = Form::new(&signed());
            change(&mut form);
            form.read().unwrap_err().split(':').next().unwrap()
        };
        assert_eq!(wrong(|form| form.key.push('0')), "key");
        assert_eq!(wrong(|form| form.key_id.clear()), "key_id");
        assert_eq!(wrong(|form| form.scheme = "rsa".to_owned()), "scheme");
        assert_eq!(wrong(|form| form.path = "m/1'".to_owned()), "path");
        assert_eq!(wrong(|form| form.path = format!("m{}", "/1".repeat(200))), "message or path");
        assert_eq!(wrong(|form| form.message = "0g".to_owned()), "message");
        assert_eq!(wrong(|form| form.message = "00".repeat(70_000)), "message or path");
        assert_eq!(wrong(|form| form.requester = "é".to_owned()), "requester");
        assert_eq!(wrong(|form| form.signature.truncate(10)), "signature");
        let more = r#"{"key":"","key_id":"","scheme":"","message":"","deadline":1,"requester":"","signature":"","x":1}"#;
        assert!(
            serde_json::from_str::<Form>(more).unwrap_err().to_string().contains("unknown field")
        );
    }

    #[test]
    fn hexadecimal() {
        assert_eq!(unhex("00fFa1"), Some(vec![0, 255, 0xa1]));
        assert_eq!(unhex(&hex(&[7, 0, 254])), Some(vec![7, 0, 254]));
        assert_eq!((unhex("0"), unhex("+1"), unhex("0x")), (None, None, None));
    }
}
