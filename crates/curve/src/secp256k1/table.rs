//! Multiples of the generator of secp256k1, in affine coordinates.

use super::{GFsecp256k1, Secp256k1};
use crate::window::table::words;

type Affine = crate::msm::Affine<Secp256k1>;

/// 1 to 16 times 1024^i times the generator: x, then y, each of 32 bytes with the lowest first. `tests/tables.rs`
/// computes them anew, and writes the file.
#[allow(clippy::indexing_slicing, reason = "at compile time")]
pub(super) static POWERS: [[Affine; 16]; 26] = {
    let bytes: &[u8; 26 * 16 * 64] = include_bytes!("table.bin");
    let mut powers = [[affine(bytes, 0); 16]; 26];
    let mut at = 0;
    while at < 26 * 16 {
        powers[at >> 4][at & 15] = affine(bytes, at);
        at += 1;
    }
    powers
};

const fn affine(bytes: &[u8], at: usize) -> Affine {
    let [a, b, c, d] = words(bytes, 2 * at);
    let [e, f, g, h] = words(bytes, 2 * at + 1);
    Affine { x: GFsecp256k1::w64le(a, b, c, d), y: GFsecp256k1::w64le(e, f, g, h) }
}
