//! The messages that an SSH key signs.

mod auth;
mod sig;

use alloc::vec::Vec;

pub use auth::SshUserAuth;
pub use sig::{SshHash, SshSignature};

use crate::message::{Hash, KeyKind, Message};

/// `ecdsa-sha2-nistp256`, `ssh-ed25519` and `ssh-ed448` (RFC 5656, RFC 8709).
fn algorithm(key: KeyKind) -> Option<&'static [u8]> {
    match key {
        KeyKind::EcdsaP256 => Some(b"ecdsa-sha2-nistp256"),
        KeyKind::Ed25519 => Some(b"ssh-ed25519"),
        KeyKind::Ed448 => Some(b"ssh-ed448"),
        _ => None,
    }
}

fn signed(bytes: Vec<u8>, key: KeyKind) -> Message {
    if key.is_ecdsa() { Message::Hashed { hash: Hash::Sha256, bytes } } else { Message::Raw(bytes) }
}
