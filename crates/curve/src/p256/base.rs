//! Additions to multiples of the generator of P-256.
//!
//! J. Renes, C. Costello, L. Batina, "Complete addition formulas for prime order elliptic curves",
//! EUROCRYPT 2016: algorithm 5, a complete addition of an affine point other than the identity.

use crrl::field::GFp256;

use super::P256;
use super::table::POWERS;
use crate::msm::Affine;
use crate::window::Fixed;

/// The curve's b.
const B: GFp256 = GFp256::w64le(
    0x3bce_3c3e_27d2_604b,
    0x651d_06b0_cc53_b0f6,
    0xb3eb_bd55_7698_86bc,
    0x5ac6_35d8_aa3a_93e7,
);

impl Fixed for P256 {
    fn powers() -> &'static [[Affine<Self>; 16]; 26] {
        &POWERS
    }

    fn plus_affine([x1, y1, z1]: &[GFp256; 3], other: &Affine<Self>) -> [GFp256; 3] {
        let xx = x1 * other.x;
        let yy = y1 * other.y;
        let xy = (other.x + other.y) * (x1 + y1) - xx - yy;
        let yz = other.y * z1 + y1;
        let xz = other.x * z1 + x1;
        let zzz = z1.mul3();
        let u = (xz - B * z1).mul3();
        let v = (B * xz - zzz - xx).mul3();
        let w = xx.mul3() - zzz;
        let (minus, plus) = (yy - u, yy + u);
        [plus * xy - yz * v, plus * minus + w * v, yz * minus + xy * w]
    }
}
