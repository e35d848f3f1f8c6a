//! Multiples of the generator of secp256k1, in affine coordinates.

use super::{GFsecp256k1, Secp256k1};
use crate::msm::Affine;
use crate::window::table::powers;

/// 1 to 16 times 1024^i times the generator.
#[allow(clippy::indexing_slicing, reason = "at compile time")]
pub(super) static POWERS: [[Affine<Secp256k1>; 16]; 26] =
    powers!(Secp256k1, GFsecp256k1, include_bytes!("table.bin"));
