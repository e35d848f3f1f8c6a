//! Requests: what somebody wants signed, under that somebody's own signature.
//!
//! Every signer looks at the requester's signature itself: nobody between has a say in what is signed.

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use quorate::runner::Time;
use quorate::session::Transcript;
use quorate::session::wire::Reader;
use quorate_cggmp::DerivationPath;

/// The longest message of a request, in bytes.
pub const LONGEST_MESSAGE: usize = 64 << 10;
/// The most levels of a derivation path.
const DEEPEST: usize = 16;
/// The version of the encoding.
const VERSION: u8 = 1;

/// The idempotency key of a request, which its requester chooses and never uses for another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RequestKey(pub [u8; 16]);

/// The name of a key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KeyId(pub [u8; 16]);

impl KeyId {
    /// The name of no key: that of one that is not made yet, too.
    pub const NONE: Self = Self([0; 16]);

    /// The name of the key of a scheme with this [identity](quorate::keys::PackageId::key_id), which follows from nothing else:
    /// no other key can be known by it.
    #[must_use]
    pub fn of(scheme: Scheme, key: &[u8; 32]) -> Self {
        let mut transcript = Transcript::new("custody key");
        transcript.append_u64("scheme", scheme.code().into());
        transcript.append("key", key);
        Self(transcript.finish32().first_chunk().copied().unwrap_or_default())
    }
}

/// The kinds of signatures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scheme {
    /// ECDSA over secp256k1, of the SHA-256 of the message.
    Ecdsa,
    /// Ed25519 (RFC 8032), by FROST.
    Ed25519,
}

impl Scheme {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Ecdsa, Self::Ed25519];

    /// Its number in encodings and tables.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Ecdsa => 1,
            Self::Ed25519 => 2,
        }
    }

    /// The scheme of a number.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.code() == code)
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ecdsa => "ecdsa",
            Self::Ed25519 => "ed25519",
        }
    }
}

/// Something to sign.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The idempotency key.
    pub key: RequestKey,
    /// The key that signs, or the ancestor of the one that does.
    pub key_id: KeyId,
    /// The kind of signature.
    pub scheme: Scheme,
    /// The path from that key to the one that signs.
    pub path: DerivationPath,
    /// What is signed, at most [`LONGEST_MESSAGE`] bytes.
    pub message: Vec<u8>,
    /// The moment after which nobody signs it any more, in milliseconds since 1970.
    pub deadline: Time,
}

impl Request {
    /// `key (16) ‖ key id (16) ‖ scheme (1) ‖ levels of the path (1) ‖ path (4 each) ‖ deadline (8) ‖ message`
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let indices = self.path.indices();
        let mut bytes = Vec::with_capacity(self.message.len().saturating_add(128));
        bytes.extend_from_slice(&self.key.0);
        bytes.extend_from_slice(&self.key_id.0);
        bytes.push(self.scheme.code());
        bytes.push(u8::try_from(indices.len()).unwrap_or(u8::MAX));
        indices.iter().for_each(|index| bytes.extend_from_slice(&index.to_be_bytes()));
        bytes.extend_from_slice(&self.deadline.to_be_bytes());
        bytes.extend_from_slice(&self.message);
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let (key, key_id) = (RequestKey(reader.array().ok()?), KeyId(reader.array().ok()?));
        let scheme = Scheme::from_code(reader.u8().ok()?)?;
        let levels = usize::from(reader.u8().ok()?);
        if levels > DEEPEST {
            return None;
        }
        let indices: Option<Vec<u32>> = (0..levels).map(|_| reader.u32().ok()).collect();
        let path = DerivationPath::new(indices?).ok()?;
        let deadline = reader.u64().ok()?;
        let message = reader.bytes(reader.remaining()).ok()?.to_vec();
        let fits = message.len() <= LONGEST_MESSAGE;
        fits.then_some(Self { key, key_id, scheme, path, message, deadline })
    }

    /// The digest of all of it: two requests are the same if their digests are.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        let mut transcript = Transcript::new("custody request");
        transcript.append("request", &self.to_bytes());
        transcript.finish32()
    }
}

/// A request under its requester's signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedRequest {
    /// The request.
    pub request: Request,
    /// The requester's Ed25519 key.
    pub requester: [u8; 32],
    /// The requester's signature over the digest of the request.
    pub signature: [u8; 64],
}

impl SignedRequest {
    /// Signs a request.
    #[must_use]
    pub fn new(request: Request, key: &SigningKey) -> Self {
        let requester = key.verifying_key().to_bytes();
        let signature = key.sign(&signed(&request.digest(), &requester)).to_bytes();
        Self { request, requester, signature }
    }

    /// Whether the requester has signed it.
    #[must_use]
    pub fn verifies(&self) -> bool {
        let key = VerifyingKey::from_bytes(&self.requester);
        let signature = Signature::from_bytes(&self.signature);
        let signed = signed(&self.request.digest(), &self.requester);
        key.is_ok_and(|key| key.verify_strict(&signed, &signature).is_ok())
    }

    /// `version (1) ‖ requester (32) ‖ signature (64) ‖ request`
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let request = self.request.to_bytes();
        [&[VERSION], self.requester.as_slice(), &self.signature, &request].concat()
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote. Nothing is verified yet.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        if reader.u8().ok()? != VERSION {
            return None;
        }
        let (requester, signature) = (reader.array().ok()?, reader.array().ok()?);
        let request = Request::from_bytes(reader.bytes(reader.remaining()).ok()?)?;
        Some(Self { request, requester, signature })
    }
}

/// What a requester signs: nothing else that it signs looks like it.
fn signed(digest: &[u8; 32], requester: &[u8; 32]) -> Vec<u8> {
    [b"quorate custody request 1".as_slice(), requester, digest].concat()
}
