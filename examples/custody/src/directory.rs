//! The directory: who takes part, and the public keys of each. It is made once, is the same at all, and is no secret.
//!
//! Its [digest](Directory::digest) is what nodes compare, and what operators read to each other.

use core::fmt;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use ed25519_dalek::VerifyingKey;
use quorate::session::Transcript;
use quorate_examples::failure::Failure;
use quorate_examples::files::hex;
use serde::{Deserialize, Serialize};

use crate::bus::Peer;
pub use identity::Identity;

pub(crate) mod hexadecimal;
mod identity;
pub(crate) mod kem;

/// The first words of a directory.
const FORMAT: &str = "custody directory 1";
/// The longest directory that is read, in bytes.
const LONGEST: u64 = 1 << 20;
/// The longest name of a requester.
const LONGEST_NAME: usize = 64;

/// The public keys of a peer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicIdentity {
    /// What verifies its signatures (Ed25519, RFC 8032).
    pub verifying: VerifyingKey,
    /// What messages for it are sealed to (X25519, RFC 7748).
    pub sealing: [u8; 32],
    /// Its name at the broker: an NKey.
    pub nkey: String,
}

/// All peers and requesters.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Directory {
    peers: BTreeMap<Peer, PublicIdentity>,
    requesters: BTreeMap<String, VerifyingKey>,
}

/// As it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    peers: Vec<PeerEntry>,
    requesters: Vec<RequesterEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PeerEntry {
    name: String,
    ed25519: String,
    x25519: String,
    nkey: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RequesterEntry {
    name: String,
    ed25519: String,
}

/// A reason why a directory is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DirectoryError {
    /// It is no JSON of this form.
    Form(String),
    /// Somebody stands there twice.
    Twice(String),
    /// Somebody's key is none, or is one that anybody can sign or open for.
    Key(String),
    /// Two have the same key.
    SharedKey(String),
    /// A name is empty, too long, or of other characters than letters, digits, `.`, `-` and `_`.
    Name(String),
}

impl fmt::Display for DirectoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(why) => write!(f, "not a directory: {why}"),
            Self::Twice(name) => write!(f, "{name} stands twice in the directory"),
            Self::Key(name) => write!(f, "{name} has a bad key in the directory"),
            Self::SharedKey(name) => write!(f, "{name} has somebody else's key in the directory"),
            Self::Name(name) => write!(f, "{:?} is no name", shown(name)),
        }
    }
}

impl core::error::Error for DirectoryError {}

fn shown(name: &str) -> String {
    name.chars().take(40).collect()
}

impl Directory {
    /// A directory of these.
    ///
    /// # Errors
    /// A [`DirectoryError`] if somebody stands there twice, two have one key, or a key or name is bad.
    pub fn new(
        peers: impl IntoIterator<Item = (Peer, PublicIdentity)>,
        requesters: impl IntoIterator<Item = (String, VerifyingKey)>,
    ) -> Result<Self, DirectoryError> {
        let mut directory = Self::default();
        let mut keys = BTreeSet::new();
        let mut fresh = |key: &[u8]| keys.insert(key.to_vec());
        for (peer, public) in peers {
            let name = peer.to_string();
            public.check().ok_or_else(|| DirectoryError::Key(name.clone()))?;
            let own =
                [public.verifying.as_bytes(), public.sealing.as_slice(), public.nkey.as_bytes()];
            if !own.into_iter().all(&mut fresh) {
                return Err(DirectoryError::SharedKey(name));
            }
            if directory.peers.insert(peer, public).is_some() {
                return Err(DirectoryError::Twice(name));
            }
        }
        for (name, key) in requesters {
            let fits = |c: char| c.is_ascii_alphanumeric() || ['.', '-', '_'].contains(&c);
            if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(fits) {
                return Err(DirectoryError::Name(name));
            }
            if key.is_weak() {
                return Err(DirectoryError::Key(name));
            }
            if !fresh(key.as_bytes()) {
                return Err(DirectoryError::SharedKey(name));
            }
            if directory.requesters.insert(name.clone(), key).is_some() {
                return Err(DirectoryError::Twice(name));
            }
        }
        Ok(directory)
    }

    /// The keys of a peer.
    #[must_use]
    pub fn peer(&self, peer: Peer) -> Option<&PublicIdentity> {
        self.peers.get(&peer)
    }

    /// All peers.
    pub fn peers(&self) -> impl Iterator<Item = (Peer, &PublicIdentity)> {
        self.peers.iter().map(|(peer, public)| (*peer, public))
    }

    /// The key of a requester.
    #[must_use]
    pub fn requester(&self, name: &str) -> Option<&VerifyingKey> {
        self.requesters.get(name)
    }

    /// All requesters.
    pub fn requesters(&self) -> impl Iterator<Item = (&str, &VerifyingKey)> {
        self.requesters.iter().map(|(name, key)| (name.as_str(), key))
    }

    /// What all nodes compare: a hash of the names and keys.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        let mut transcript = Transcript::new("custody directory");
        for (peer, public) in &self.peers {
            transcript.append("peer", peer.to_string().as_bytes());
            transcript.append("ed25519", public.verifying.as_bytes());
            transcript.append("x25519", &public.sealing);
            transcript.append("nkey", public.nkey.as_bytes());
        }
        for (name, key) in &self.requesters {
            transcript.append("requester", name.as_bytes());
            transcript.append("ed25519", key.as_bytes());
        }
        transcript.finish32()
    }

    /// The directory as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let peers = self.peers.iter().map(|(peer, public)| PeerEntry {
            name: peer.to_string(),
            ed25519: hex(public.verifying.as_bytes()),
            x25519: hex(&public.sealing),
            nkey: public.nkey.clone(),
        });
        let requesters = self
            .requesters
            .iter()
            .map(|(name, key)| RequesterEntry { name: name.clone(), ed25519: hex(key.as_bytes()) });
        let (peers, requesters) = (peers.collect(), requesters.collect());
        let file = File { format: FORMAT.to_owned(), peers, requesters };
        // Text and lists of text are always written.
        serde_json::to_string_pretty(&file).unwrap_or_default()
    }

    /// Reads a directory.
    ///
    /// # Errors
    /// A [`DirectoryError`].
    pub fn from_json(text: &str) -> Result<Self, DirectoryError> {
        let form = |why: &dyn fmt::Display| DirectoryError::Form(why.to_string());
        let file: File = serde_json::from_str(text).map_err(|error| form(&error))?;
        if file.format != FORMAT {
            return Err(form(&format!("expected the format {FORMAT:?}")));
        }
        let key = |name: &str, text: &str| {
            let bytes = hexadecimal::array(text);
            let key = bytes.and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok());
            key.ok_or_else(|| DirectoryError::Key(shown(name)))
        };
        let mut peers = Vec::new();
        for entry in file.peers {
            let name = &entry.name;
            let peer = name.parse().map_err(|_| DirectoryError::Name(name.clone()))?;
            let verifying = key(name, &entry.ed25519)?;
            let sealing = hexadecimal::array(&entry.x25519);
            let sealing = sealing.ok_or_else(|| DirectoryError::Key(shown(name)))?;
            peers.push((peer, PublicIdentity { verifying, sealing, nkey: entry.nkey }));
        }
        let mut requesters = Vec::new();
        for entry in file.requesters {
            let key = key(&entry.name, &entry.ed25519)?;
            requesters.push((entry.name, key));
        }
        Self::new(peers, requesters)
    }

    /// Reads the directory of a file.
    ///
    /// # Errors
    /// A [`Failure`] if the file cannot be read, is too long, or is no directory.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let length = fs::metadata(path).map_err(Failure::file("read", path))?.len();
        if length > LONGEST {
            return Err(Failure::new(format!("{}: too long for a directory", path.display())));
        }
        let text = fs::read_to_string(path).map_err(Failure::file("read", path))?;
        Self::from_json(&text).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
    }
}

impl PublicIdentity {
    fn check(&self) -> Option<()> {
        let sealable = kem::sealable(&self.sealing);
        let named = nkeys::KeyPair::from_public_key(&self.nkey).ok()?;
        let user = named.key_pair_type() == nkeys::KeyPairType::User;
        (!self.verifying.is_weak() && sealable && user).then_some(())
    }
}
