//! The version of the formats.

/// The version of every stored and sent form of this release.
pub(crate) const VERSION: u8 = 1;
