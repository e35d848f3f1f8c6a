//! Multiples of the generator, as sums and products of affine coordinates.

use crrl::field::GF25519;

use super::Niels;
use crate::window::table::words;

/// Entries of y + x, y − x and 2 d x y, each of 32 bytes with the lowest first: those of [`POWERS`], of [`ODD`] and of
/// [`ODD_HIGH`]. `tests/tables.rs` computes them anew, and writes the file.
const TABLE: &[u8; 320 * 96] = include_bytes!("table.bin");

/// 1 to 8 times 256^i times the generator.
#[allow(clippy::indexing_slicing, reason = "at compile time")]
pub(super) static POWERS: [[Niels; 8]; 32] = {
    let mut powers = [[niels(0); 8]; 32];
    let mut at = 0;
    while at < 256 {
        powers[at >> 3][at & 7] = niels(at);
        at += 1;
    }
    powers
};

/// 1, 3, 5, ... 63 times the generator.
pub(super) static ODD: [Niels; 32] = thirty_two(256);

/// 1, 3, 5, ... 63 times 2^128 times the generator.
pub(super) static ODD_HIGH: [Niels; 32] = thirty_two(288);

#[allow(clippy::indexing_slicing, reason = "at compile time")]
const fn thirty_two(from: usize) -> [Niels; 32] {
    let mut out = [niels(from); 32];
    let mut at = 0;
    while at < 32 {
        out[at] = niels(from + at);
        at += 1;
    }
    out
}

const fn niels(at: usize) -> Niels {
    let [a, b, c, d] = words(TABLE, 3 * at);
    let [e, f, g, h] = words(TABLE, 3 * at + 1);
    let [i, j, k, l] = words(TABLE, 3 * at + 2);
    Niels {
        ypx: GF25519::w64le(a, b, c, d),
        ymx: GF25519::w64le(e, f, g, h),
        t2d: GF25519::w64le(i, j, k, l),
    }
}
