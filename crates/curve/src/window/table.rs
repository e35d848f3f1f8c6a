//! Reading the tables of multiples at compile time.

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
