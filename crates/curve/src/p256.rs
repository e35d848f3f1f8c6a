//! P-256 (secp256r1), over crrl.

mod base;
mod table;

use alloc::vec::Vec;

use crrl::field::GFp256;
use crrl::p256 as backend;
use quorate_declassify::declassify;
use zeroize::Zeroizing;

use crate::bytes::{is_below, limbs_from_le, reversed, reversed_slice};
use crate::window::{self, Digits};

scalar_over_crrl!("the order of P-256 (secp256r1)", backend::Scalar);

/// A point of P-256 (secp256r1).
#[derive(Clone, Copy)]
pub struct Point(pub(crate) backend::Point);

point_operators!();
point_equality_over_crrl!();
point_debug!(P256);

/// The curve P-256 (secp256r1) (FIPS 186 and SEC 2), with the compressed encoding of SEC 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct P256;

/// The field's order, 2^256 - 2^224 + 2^192 + 2^96 - 1, little-endian.
const FIELD: [u64; 4] = [u64::MAX, 0xffff_ffff, 0, 0xffff_ffff_0000_0001];

sec1_curve!(
    P256,
    "P-256",
    [0xf3b9_cac2_fc63_2551, 0xbce6_faad_a717_9e84, u64::MAX, 0xffff_ffff_0000_0000],
    backend::Scalar::w64le(0x0c46_353d_039c_daaf, 0x4319_0552_58e8_617b, 0, 0xffff_ffff),
    GFp256,
    true,
    mul,
    crate::msm::msm_weierstrass::<P256>
);

/// A point times a scalar.
fn mul(point: &Point, scalar: &Scalar) -> Point {
    window::sum::<P256, 52, 1>(&[(*point, Digits::from_scalar::<P256>(scalar))])
}
