//! Byte strings and limbs.

use alloc::vec::Vec;

use zeroize::Zeroizing;

/// Little-endian limbs of little-endian `bytes`, at most 64 of them. Missing bytes are zero.
pub(crate) fn limbs_from_le(bytes: &[u8]) -> [u64; 8] {
    let mut limbs = [0; 8];
    for (limb, chunk) in limbs.iter_mut().zip(bytes.chunks(8)) {
        *limb = chunk.iter().rev().fold(0, |value, byte| (value << 8) | u64::from(*byte));
    }
    limbs
}

/// Returns whether the integer `bytes` (little-endian) is below `bound` (little-endian limbs), in
/// constant time for given lengths. `bytes` is not longer than `bound`.
pub(crate) fn is_below(bytes: &[u8], bound: &[u64]) -> bool {
    let limbs = limbs_from_le(bytes);
    limbs.iter().zip(bound).fold(false, |borrow, (limb, bound)| {
        let (difference, first) = limb.overflowing_sub(*bound);
        let (_, second) = difference.overflowing_sub(u64::from(borrow));
        first | second
    })
}

/// A string of bytes, the other way round.
pub(crate) fn reversed<const N: usize>(mut bytes: [u8; N]) -> [u8; N] {
    bytes.reverse();
    bytes
}

/// A string of bytes of any length, the other way round; wiped on drop.
pub(crate) fn reversed_slice(bytes: &[u8]) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(bytes.iter().rev().copied().collect())
}

/// Prints bytes in hexadecimal, for the `Debug` of public points.
pub(crate) fn write_hex(f: &mut core::fmt::Formatter<'_>, bytes: &[u8]) -> core::fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}
