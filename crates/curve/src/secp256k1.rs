//! secp256k1, over crrl.

mod base;
mod endomorphism;
mod table;
mod types;

use alloc::vec::Vec;

use crrl::field::GFsecp256k1;
use crrl::secp256k1 as backend;
use quorate_declassify::declassify;
use zeroize::Zeroizing;

pub use types::{Point, Scalar};

use crate::bytes::{is_below, limbs_from_le, reversed, reversed_slice};

point_debug!(Secp256k1);

/// The curve secp256k1 (SEC 2), with the compressed encoding of SEC 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Secp256k1;

/// The field's order, 2^256 - 2^32 - 977, little-endian.
const FIELD: [u64; 4] = [0xffff_fffe_ffff_fc2f, u64::MAX, u64::MAX, u64::MAX];

sec1_curve!(
    Secp256k1,
    "secp256k1",
    [0xbfd2_5e8c_d036_4141, 0xbaae_dce6_af48_a03b, 0xffff_ffff_ffff_fffe, u64::MAX],
    backend::Scalar::w64le(0x402d_a173_2fc9_bebf, 0x4551_2319_50b7_5fc4, 1, 0),
    GFsecp256k1,
    false,
    endomorphism::mul::<Secp256k1>,
    endomorphism::msm::<Secp256k1>
);
