//! Handshakes of TLS 1.3.

use alloc::vec::Vec;

use crate::body::Body;
use crate::error::Malformed;
use crate::facts::Facts;
use crate::kind::Kind;
use crate::message::{Hash, KeyKind, Message};

const PADDING: [u8; 64] = [0x20; 64];
const SERVER: &[u8] = b"TLS 1.3, server CertificateVerify\0";
const CLIENT: &[u8] = b"TLS 1.3, client CertificateVerify\0";

/// The end of a connection whose certificate is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TlsRole {
    /// The server.
    Server,
    /// The client.
    Client,
}

/// The signature in a handshake of TLS 1.3 (RFC 8446, 4.4.3), by which an end proves that it has the certificate's key.
///
/// The body is the signed content: 64 spaces, the context, a zero and the hash of the transcript. Facts: `role` (`server` or
/// `client`), `transcript_hash`. What is in the transcript nobody can see, and no handshake of TLS 1.2 is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tls13CertificateVerify {
    role: TlsRole,
    transcript_hash: Vec<u8>,
}

impl Tls13CertificateVerify {
    /// The handshake with this transcript, by its hash of 32 bytes (SHA-256) or 48 (SHA-384).
    ///
    /// # Errors
    /// If the hash has another length.
    pub fn new(role: TlsRole, transcript_hash: impl Into<Vec<u8>>) -> Result<Self, Malformed> {
        let transcript_hash = transcript_hash.into();
        match transcript_hash.len() {
            32 | 48 => Ok(Self { role, transcript_hash }),
            _ => Err(Malformed("the hash of the transcript has neither 32 nor 48 bytes")),
        }
    }

    /// Reads the signed content, which a TLS library hands to its signer.
    ///
    /// # Errors
    /// If it is not the content of a handshake of TLS 1.3.
    pub fn from_signed_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        const OTHER: Malformed = Malformed("this is no handshake of TLS 1.3");
        let rest = bytes.strip_prefix(&PADDING).ok_or(OTHER)?;
        if let Some(hash) = rest.strip_prefix(SERVER) {
            Self::new(TlsRole::Server, hash)
        } else {
            Self::new(TlsRole::Client, rest.strip_prefix(CLIENT).ok_or(OTHER)?)
        }
    }

    /// The signed content.
    #[must_use]
    pub fn signed_bytes(&self) -> Vec<u8> {
        let context = match self.role {
            TlsRole::Server => SERVER,
            TlsRole::Client => CLIENT,
        };
        [&PADDING, context, &self.transcript_hash].concat()
    }
}

impl Body for Tls13CertificateVerify {
    const KIND: Kind = Kind::Tls13CertificateVerify;

    fn read(body: &[u8]) -> Result<Self, Malformed> {
        Self::from_signed_bytes(body)
    }

    fn write(&self, to: &mut Vec<u8>) {
        to.extend(self.signed_bytes());
    }

    /// `ecdsa_secp256r1_sha256`, `ed25519` and `ed448`.
    fn signed(&self, key: KeyKind) -> Option<Message> {
        match key {
            KeyKind::EcdsaP256 => {
                Some(Message::Hashed { hash: Hash::Sha256, bytes: self.signed_bytes() })
            }
            KeyKind::Ed25519 | KeyKind::Ed448 => Some(Message::Raw(self.signed_bytes())),
            _ => None,
        }
    }

    fn add_facts(&self, facts: &mut Facts) {
        facts.add("role", if self.role == TlsRole::Server { "server" } else { "client" });
        facts.add("transcript_hash", &self.transcript_hash[..]);
    }
}
