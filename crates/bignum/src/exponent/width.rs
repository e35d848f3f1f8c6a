//! The widths of windows, from the lengths of exponents and numbers alone.

/// The width of a fixed window for an exponent of `bits` bits: the one with the fewest multiplications for its table
/// of `2^w` entries and its digits.
pub(super) fn fixed_width(bits: u32) -> u32 {
    (1..=6).min_by_key(|&w| (1u32 << w) + bits.div_ceil(w)).unwrap_or(1)
}

/// The width of a fixed window whose table is read whole for each digit, for numbers of `limbs` limbs. A read of
/// an entry costs about `2 / (3 limbs)` of a multiplication.
pub(super) fn secret_width(bits: u32, limbs: u32) -> u32 {
    let cost =
        |w: u32| (3 * limbs) * ((1u32 << w) + bits.div_ceil(w)) + bits.div_ceil(w) * (2 << w);
    (1..=6).min_by_key(|&w| cost(w)).unwrap_or(1)
}

/// The width of a sliding window, whose table holds the `2^(w - 1)` odd powers and whose digits stand `w + 1` bits
/// apart on average.
pub(super) fn sliding_width(bits: u32) -> u32 {
    (1..=8).min_by_key(|&w| (1u32 << (w - 1)) + bits.div_ceil(w + 1)).unwrap_or(1)
}

/// The width of a sliding window that lanes share, at most 6. A wider window needs larger tables in all lanes, and
/// saves less than their memory costs.
pub(super) fn shared_width(bits: u32) -> u32 {
    sliding_width(bits).min(6)
}
