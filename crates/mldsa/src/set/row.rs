//! A row of a table of sets.

/// Threshold and parties, 2ν, r, r′, K, and ten times the binary logarithm of the attempts that all parties
/// together may make, rounded down.
pub(super) type Row = ((u8, u8), u8, u32, u32, u16, u32);
