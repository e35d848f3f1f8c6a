//! The trait between sockets and committees.

use core::pin::Pin;
use core::time::Duration;

use custody_core::{KeyId, KeySpec};
use quorate_purpose::Purpose;

use crate::failure::Failure;
use crate::key::Key;

/// An answer that comes later.
pub type Reply<'a, T> = Pin<Box<dyn Future<Output = Result<T, Failure>> + Send + 'a>>;

/// A committee, as a socket sees it.
pub trait Backend: Send + Sync + 'static {
    /// The keys of this socket, by ascending name.
    fn keys(&self) -> Reply<'_, Vec<Key>>;

    /// Makes a key. Its name is the label [`Key::NAME`].
    fn create<'a>(&'a self, spec: &'a KeySpec) -> Reply<'a, Key>;

    /// Has a purpose signed. The signature is verified.
    ///
    /// A question that is asked again gets the same signature, however often, and spends one presignature or nonce. Votes
    /// and proposals of a validator are the same question if chain, height, round and step are the same.
    fn sign<'a>(&'a self, key: KeyId, asked: &'a Asked) -> Reply<'a, Signature>;
}

/// A question for a signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// The content that is to be signed.
    pub purpose: Purpose,
    /// The user, access key or service account that the socket acts for, at most 256 bytes. Policies can read it.
    pub on_behalf: Option<String>,
    /// The context string of FIPS 204, for keys of ML-DSA alone: at most 255 bytes.
    pub context: Vec<u8>,
    /// The time for the signature.
    pub within: Duration,
}

impl Asked {
    /// The time that sockets give a signature, unless their configuration says otherwise.
    pub const WITHIN: Duration = Duration::from_secs(30);

    /// A question about a purpose, for nobody in particular.
    #[must_use]
    pub fn new(purpose: impl Into<Purpose>) -> Self {
        let purpose = purpose.into();
        Self { purpose, on_behalf: None, context: vec![], within: Self::WITHIN }
    }

    /// Names the user, access key or service account.
    #[must_use]
    pub fn on_behalf(self, of: impl Into<String>) -> Self {
        Self { on_behalf: Some(of.into()), ..self }
    }

    /// Sets the time for the signature.
    #[must_use]
    pub fn within(self, within: Duration) -> Self {
        Self { within, ..self }
    }
}

/// A signature that verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The signature: r ‖ s for ECDSA, with the lower of the two values of s; RFC 8032, BIP-340, FIPS 204.
    pub bytes: Vec<u8>,
    /// The recovery id of ECDSA, from 0 to 3.
    pub recovery_id: Option<u8>,
    /// The purpose under the signature. It is the one of the question, or for a vote or proposal the one that was signed before,
    /// with another time stamp: answer the consumer with that time stamp.
    pub signed: Purpose,
}
