//! The messages that a CometBFT validator signs: votes, proposals and vote extensions, as of its protocol in 0.38 and 1.
//!
//! The body of each is its sign bytes: the canonical protobuf message behind its length. They are read, written again and
//! compared, so that each has one encoding.

use alloc::vec::Vec;

use crate::message::{Hash, KeyKind, Message};

mod block;
mod extension;
mod place;
mod proposal;
mod proto;
mod vote;

pub use block::BlockId;
pub use extension::VoteExtension;
pub use place::Place;
pub use proposal::Proposal;
pub use vote::{Vote, VoteStep};

/// Validators have keys of Ed25519; some chains have secp256k1's, over SHA-256.
fn signed(bytes: Vec<u8>, key: KeyKind) -> Option<Message> {
    match key {
        KeyKind::Ed25519 => Some(Message::Raw(bytes)),
        KeyKind::EcdsaSecp256k1 => Some(Message::Hashed { hash: Hash::Sha256, bytes }),
        _ => None,
    }
}
