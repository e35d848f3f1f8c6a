//! Logins.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::body::Body;
use crate::error::Malformed;
use crate::facts::Facts;
use crate::kind::Kind;
use crate::message::{KeyKind, Message};
use crate::wire::{Reader, block, text};

/// `SSH_MSG_USERAUTH_REQUEST`.
const REQUEST: u8 = 50;
const PLAIN: &[u8] = b"publickey";
const BOUND: &[u8] = b"publickey-hostbound-v00@openssh.com";
/// Hashes of key exchanges: SHA-1 to SHA-512.
const SESSION: core::ops::RangeInclusive<usize> = 20..=64;
/// The longest name, and the longest key.
const LENGTH: usize = 1024;

/// A login with an SSH key (RFC 4252, 7).
///
/// The body is the signed data. Facts: `session_id`, `user`, `service`, `algorithm`, `public_key`, and `host_key` in the form
/// of OpenSSH that is bound to the server. Without that the server's name is nowhere in it: a policy sees the user alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SshUserAuth {
    session_id: Vec<u8>,
    user: String,
    service: String,
    public_key: Vec<u8>,
    host_key: Option<Vec<u8>>,
}

impl SshUserAuth {
    /// Reads the signed data, which an agent is given.
    ///
    /// # Errors
    /// If it is not that of a login by a public key, or the algorithm is not that of the key.
    pub fn from_signed_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes);
        let session_id = reader.block()?.to_vec();
        if reader.byte()? != REQUEST {
            return Err(Malformed("this is no login"));
        }
        let (user, service) = (name(reader.block()?)?, name(reader.block()?)?);
        let method = reader.block()?;
        if reader.byte()? != 1 {
            return Err(Malformed("this is no login with a signature"));
        }
        let (algorithm, public_key) = (reader.block()?, reader.block()?.to_vec());
        let host_key = match method {
            PLAIN => None,
            BOUND => Some(reader.block()?.to_vec()),
            _ => return Err(Malformed("this is no login by a public key")),
        };
        reader.end()?;
        let read = Self { session_id, user, service, public_key, host_key };
        read.check(algorithm)?;
        Ok(read)
    }

    fn check(&self, algorithm: &[u8]) -> Result<(), Malformed> {
        if !SESSION.contains(&self.session_id.len()) {
            return Err(Malformed("the id of the session is too short, or too long"));
        }
        if self.keys().any(|key| key.len() > LENGTH) {
            return Err(Malformed("a key is too long"));
        }
        if self.algorithm()? != text(algorithm)? {
            return Err(Malformed("the algorithm is not that of the key"));
        }
        Ok(())
    }

    fn keys(&self) -> impl Iterator<Item = &[u8]> {
        core::iter::once(&self.public_key[..]).chain(self.host_key.as_deref())
    }

    /// The key's own algorithm, with which its blob begins.
    fn algorithm(&self) -> Result<&str, Malformed> {
        text(Reader::new(&self.public_key).block()?)
    }

    /// The signed data.
    #[must_use]
    pub fn signed_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        block(&mut bytes, &self.session_id);
        bytes.push(REQUEST);
        block(&mut bytes, self.user.as_bytes());
        block(&mut bytes, self.service.as_bytes());
        block(&mut bytes, if self.host_key.is_some() { BOUND } else { PLAIN });
        bytes.push(1);
        block(&mut bytes, self.algorithm().unwrap_or_default().as_bytes());
        self.keys().for_each(|key| block(&mut bytes, key));
        bytes
    }

    /// The key that logs in, as SSH writes it: the signer's own, or the signature is of no use.
    #[must_use]
    pub fn public_key(&self) -> &[u8] {
        &self.public_key
    }
}

fn name(bytes: &[u8]) -> Result<String, Malformed> {
    if bytes.len() > LENGTH {
        Err(Malformed("a name is too long"))
    } else {
        text(bytes).map(str::to_owned)
    }
}

impl Body for SshUserAuth {
    const KIND: Kind = Kind::SshUserAuth;

    fn read(body: &[u8]) -> Result<Self, Malformed> {
        Self::from_signed_bytes(body)
    }

    fn write(&self, to: &mut Vec<u8>) {
        to.extend(self.signed_bytes());
    }

    fn signed(&self, key: KeyKind) -> Option<Message> {
        let own = super::algorithm(key)? == self.algorithm().ok()?.as_bytes();
        own.then(|| super::signed(self.signed_bytes(), key))
    }

    fn add_facts(&self, facts: &mut Facts) {
        facts.add("session_id", &self.session_id[..]);
        facts.add("user", self.user.to_owned());
        facts.add("service", self.service.to_owned());
        facts.add("algorithm", self.algorithm().unwrap_or_default());
        facts.add("public_key", &self.public_key[..]);
        if let Some(key) = &self.host_key {
            facts.add("host_key", &key[..]);
        }
    }
}
