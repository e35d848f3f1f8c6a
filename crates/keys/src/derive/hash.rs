//! The hashes of BIP-32. Their input is public.

use quorate_session::wire::joined;
use ripemd::Ripemd160;
use sha2::{Digest, Sha256, Sha512};

/// HMAC (RFC 2104) with SHA-512, whose blocks have 128 bytes.
pub(super) fn hmac_sha512(key: &[u8; 32], data: &[&[u8]]) -> [u8; 64] {
    let pad = |with: u8| {
        let mut block = [with; 128];
        block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= *key);
        block
    };
    let mut inner = Sha512::new_with_prefix(pad(0x36));
    data.iter().for_each(|part| inner.update(part));
    let mut outer = Sha512::new_with_prefix(pad(0x5c));
    outer.update(inner.finalize());
    outer.finalize().into()
}

/// `RIPEMD160(SHA256(bytes))`, by which BIP-32 names a key.
pub(super) fn hash160(bytes: &[u8]) -> [u8; 20] {
    Ripemd160::digest(Sha256::digest(bytes)).into()
}

/// The first half and the second.
pub(super) fn halves(bytes: &[u8; 64]) -> ([u8; 32], [u8; 32]) {
    let (first, second) = bytes.split_at(32);
    (joined(&[first]), joined(&[second]))
}
