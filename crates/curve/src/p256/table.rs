//! Multiples of the generator of P-256, in affine coordinates.

use crrl::field::GFp256;

use super::P256;
use crate::msm::Affine;
use crate::window::table::powers;

/// 1 to 16 times 1024^i times the generator.
#[allow(clippy::indexing_slicing, reason = "at compile time")]
pub(super) static POWERS: [[Affine<P256>; 16]; 26] =
    powers!(P256, GFp256, include_bytes!("table.bin"));
