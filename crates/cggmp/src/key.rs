//! A key as its parties keep it: [`KeyInfo`], which is public, and [`KeyShare`], which is not.

mod family;
mod info;
mod migrate;
mod share;
mod types;

pub use family::{Ecdsa, KeyExtra};
pub use info::KeyInfo;
pub use share::KeyShare;

use quorate_session::Parties;

/// The most parties that a key may have. Presigning sends n² proofs of several kilobytes each.
pub const MAX_PARTIES: usize = 128;

/// Whether a key can have this threshold.
pub(crate) fn threshold_fits(threshold: u16, parties: &Parties) -> bool {
    threshold >= 2 && usize::from(threshold) <= parties.len()
}
