//! Additions to multiples of the generator of secp256k1.
//!
//! J. Renes, C. Costello, L. Batina, "Complete addition formulas for prime order elliptic curves",
//! EUROCRYPT 2016: algorithm 8, a complete addition of an affine point other than the identity.

use super::table::POWERS;
use super::{GFsecp256k1, Secp256k1};
use crate::msm::Affine;
use crate::window::Fixed;

impl Fixed for Secp256k1 {
    fn powers() -> &'static [[Affine<Self>; 16]; 26] {
        &POWERS
    }

    fn plus_affine([x1, y1, z1]: &[GFsecp256k1; 3], other: &Affine<Self>) -> [GFsecp256k1; 3] {
        let xx = x1 * other.x;
        let yy = y1 * other.y;
        let xy = (other.x + other.y) * (x1 + y1) - xx - yy;
        let yz = other.y * z1 + y1;
        // 3b = 21.
        let xz = (other.x * z1 + x1).mul21();
        let zzz = z1.mul21();
        let xxx = xx.mul3();
        let (minus, plus) = (yy - zzz, yy + zzz);
        [xy * minus - yz * xz, xz * xxx + minus * plus, plus * yz + xy * xxx]
    }
}
