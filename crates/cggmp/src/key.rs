//! A key as its parties keep it: [`PublicKeyPackage`], which is public, and [`KeyShare`], which is not.

mod family;
mod migrate;
mod package;
mod share;
mod types;

pub use family::{Ecdsa, KeyExtra};
pub use package::PublicKeyPackage;
pub use share::KeyShare;

use quorate_session::Parties;

/// The most parties that a key may have. Presigning sends n² proofs of several kilobytes each.
pub const MAX_PARTIES: usize = 128;

/// Returns whether a key can have this threshold.
pub(crate) fn threshold_fits(threshold: u16, parties: &Parties) -> bool {
    threshold >= 2 && usize::from(threshold) <= parties.len()
}
