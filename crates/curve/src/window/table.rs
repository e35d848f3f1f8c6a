//! The tables of a generator's multiples, read at compile time. `tests/tables.rs` computes them anew, and writes them.

/// The 32 bytes at place `at` as four words, the lowest first.
#[allow(clippy::indexing_slicing, reason = "at compile time")]
pub(crate) const fn words(bytes: &[u8], at: usize) -> [u64; 4] {
    let mut out = [0; 4];
    let mut k = 0;
    while k < 32 {
        out[k >> 3] |= (bytes[32 * at + k] as u64) << (8 * (k & 7));
        k += 1;
    }
    out
}

/// 1 to 16 times 1024^i times the generator of a curve: x, then y, each of 32 bytes with the lowest first.
macro_rules! powers {
    ($curve:ty, $field:ty, $bytes:expr) => {{
        type Affine = $crate::msm::Affine<$curve>;

        const fn affine(bytes: &[u8], at: usize) -> Affine {
            let [a, b, c, d] = $crate::window::table::words(bytes, 2 * at);
            let [e, f, g, h] = $crate::window::table::words(bytes, 2 * at + 1);
            Affine { x: <$field>::w64le(a, b, c, d), y: <$field>::w64le(e, f, g, h) }
        }

        let bytes: &[u8; 26 * 16 * 64] = $bytes;
        let mut powers = [[affine(bytes, 0); 16]; 26];
        let mut at = 0;
        while at < 26 * 16 {
            powers[at >> 4][at & 15] = affine(bytes, at);
            at += 1;
        }
        powers
    }};
}

pub(crate) use powers;
