//! The check that points are in the subgroup of prime order, for each point by itself.
//!
//! The method is that of T. Pornin, "Point-Halving and Subgroup Membership in Twisted Edwards
//! Curves" (ePrint 2022/1164). Take v^2 = u (u^2 + A u + B) with A = 2 (a + d), B = (a - d)^2, u =
//! (a - d) (1 + y)/(1 - y), w = v/u = 2/x. There the curve's doubling is two isogenies of degree
//! two. Halving inverts them, by a square root each. The group is cyclic of order 8 L. So P is in
//! the subgroup iff it has a half Q among the multiples of four.
//!
//! - `w'^2 = 4 u` has a root iff P has a half.
//! - Let `u' = (4 u + 2 A ∓ 4 w'/x)/2`. The product of both values is 16 a d, which is not a
//!   square. So exactly one of them is a square; let w'' be a root of it.
//! - `u_Q = (u' - A ∓ w' w'')/2`, and w'' is w of Q.
//!
//! Q is a multiple of four iff its Tate pairing with a point T of order four is a fourth power. For T with
//! u = a - d, w = 2 i, the function of divisor 4 (T) - 4 (O) is the square of the tangent over u, that is
//! `u_Q (w'' - 2 i)^2`. The other half of P differs from Q by 2 T, a multiple of four.

use crrl::field::GF25519;

use super::field::{Mask, Sixteen};
use super::roots::Constants;

/// A square root of 16 i a d.
const ROOT: GF25519 = GF25519::w64le(
    0x45de_939b_6e7a_d1ac,
    0xa5cb_a43a_c2af_2d5f,
    0x17fe_557e_90d8_9336,
    0x0180_e1f7_c61a_c882,
);

/// Which of the points (x, y) of the curve are in the subgroup and not neutral.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn members(x: &Sixteen, y: &Sixteen, constants: &Constants) -> Mask {
    let Constants { one, d, i, .. } = constants;
    let twice = |a: &Sixteen| a.plus(a);
    // With x = 0, the points of order one and two, there is no 1/x.
    let fine = !x.zeros();
    let a = twice(&d.minus(one));
    // w'^2 = 4 (a - d) (1 + y)/(1 - y)
    let above = twice(&twice(&one.plus(y).times(&one.plus(d)).negated(Mask::MAX)));
    let (first, is_double) = constants.root_of_ratio(&above, &one.minus(y));
    // u' = (x (4 u + 2 A) - 4 w')/(2 x), or its fellow 16 a d/u': then the root is of i u', and that of the fellow
    // is ROOT over it.
    let above = x.times(&first.squared().plus(&twice(&a))).minus(&twice(&twice(&first)));
    let (second, is_square) = constants.root_of_ratio(&above, &twice(x));
    // w'' = n/m
    let n = Sixteen::constant(&ROOT).or(&second, is_square);
    let m = second.or(one, is_square);
    let first = first.negated(!is_square);
    // 2 m^2 u_Q = n^2 - A m^2 - w' n m, and the value is a fourth power times 8 (2 m^2 u_Q) (n - 2 i m)^2.
    let u = n.squared().minus(&a.times(&m.squared())).minus(&first.times(&n).times(&m));
    let value = u.times(&n.minus(&twice(i).times(&m)).squared());
    let value = twice(&twice(&twice(&value)));
    // (p - 1)/4 = 2 (p - 5)/8 + 1
    let power = value.power().squared().times(&value);
    fine & is_double & power.minus(one).zeros()
}
