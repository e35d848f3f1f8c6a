//! The inputs of a file beside its shape: the session ids, and 32 bytes for each party and purpose. They are
//! derived from names when a file is written, and read from the file when it is replayed.

use chacha20::ChaCha20Rng;
use core::convert::Infallible;
use quorate::{PartyId, SessionId};
use quorate_testkit::unhex;
use rand_core::{SeedableRng, TryCryptoRng, TryRng};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The member of a player that has the 32 bytes with which its session starts.
pub(crate) const FRESH: &str = "fresh";
/// The member of a player that has the seed of a call outside of a session.
pub(crate) const SEED: &str = "call_seed";

/// Where seeds come from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seeds<'f> {
    /// SHA-256 of the file's name and of what the seed is for.
    Derived(&'f str),
    /// A file that was written before.
    Stored(&'f Value),
}

impl Seeds<'_> {
    /// The session id of a ceremony.
    pub(crate) fn session_id(&self, ceremony: &str) -> SessionId {
        SessionId::new(match self {
            Self::Derived(file) => derived(&[file, ceremony, "session id"]),
            Self::Stored(file) => bytes(&self::ceremony(file, ceremony)["session_id"]),
        })
    }

    /// 32 bytes of a party of a ceremony.
    pub(crate) fn of(&self, ceremony: &str, party: PartyId, what: &str) -> [u8; 32] {
        match self {
            Self::Derived(file) => derived(&[file, ceremony, what, &party.to_string()]),
            Self::Stored(file) => {
                let players = self::ceremony(file, ceremony)["players"].as_array();
                let mut players = players.expect("a list of players").iter();
                let player = players.find(|one| one["party"] == party.get()).expect("this party");
                bytes(&player[what])
            }
        }
    }
}

/// SHA-256 of names, each behind its length.
fn derived(names: &[&str]) -> [u8; 32] {
    let mut hash = Sha256::new_with_prefix("quorate test vectors");
    for name in names {
        hash.update((name.len() as u64).to_be_bytes());
        hash.update(name);
    }
    hash.finalize().into()
}

/// The ceremony of this name in a file.
pub(crate) fn ceremony<'f>(file: &'f Value, name: &str) -> &'f Value {
    let mut all = file["ceremonies"].as_array().expect("a list of ceremonies").iter();
    all.find(|one| one["ceremony"] == name)
        .unwrap_or_else(|| panic!("no ceremony is called {name}"))
}

/// Hexadecimal digits as an array.
fn bytes<const N: usize>(digits: &Value) -> [u8; N] {
    unhex(digits.as_str().expect("hexadecimal digits")).try_into().expect("as many bytes")
}

/// The generator of a call outside of a session.
pub(crate) fn generator(seed: [u8; 32]) -> ChaCha20Rng {
    ChaCha20Rng::from_seed(seed)
}

/// A generator that gives these 32 bytes at once, and nothing more.
pub(crate) struct Fresh(pub(crate) Option<[u8; 32]>);

impl TryRng for Fresh {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        panic!("a session draws 32 bytes at once");
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        panic!("a session draws 32 bytes at once");
    }

    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Infallible> {
        to.copy_from_slice(&self.0.take().expect("a session draws once"));
        Ok(())
    }
}

impl TryCryptoRng for Fresh {}
