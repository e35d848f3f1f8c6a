//! The subgroup of prime order: the check of one point, and that of many together.
//!
//! # One point
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

use alloc::vec::Vec;

use crrl::field::GF25519;
use rand_core::Rng;

use super::field::pow_p58;
use super::{Addend, D, Edwards, Niels, ROOT, SQRT_M1, sqrt_ratio};
use crate::msm::edwards_multiple;
use crate::torsion::subset_sums;

/// All ones if the point (x, y) of the curve is in the subgroup and not neutral, otherwise zero.
pub(crate) fn is_member(x: &GF25519, y: &GF25519) -> u32 {
    let one = GF25519::ONE;
    // With x = 0, the points of order one and two, there is no 1/x.
    let fine = !x.iszero();
    let a = (D - one).mul2();
    // w'^2 = 4 (a - d) (1 + y)/(1 - y)
    let above = -((one + y) * (one + D)).mul4();
    let (mut first, is_double) = sqrt_ratio(above, one - y);
    // u' = (x (4 u + 2 A) - 4 w')/(2 x), or its fellow 16 a d/u': then the root is of i u', and that of the fellow
    // is ROOT over it.
    let above = x * (first.square() + a.mul2()) - first.mul4();
    let (second, is_square) = sqrt_ratio(above, x.mul2());
    // w'' = n/m
    let (mut n, mut m) = (ROOT, second);
    n.set_cond(&second, is_square);
    m.set_cond(&one, is_square);
    first.set_cond(&-first, !is_square);
    // 2 m^2 u_Q = n^2 - A m^2 - w' n m, and the value is a fourth power times 8 (2 m^2 u_Q) (n - 2 i m)^2.
    let u = n.square() - a * m.square() - first * n * m;
    let value = (u * (n - SQRT_M1.mul2() * m).square()).mul8();
    // (p - 1)/4 = 2 (p - 5)/8 + 1
    let power = pow_p58(value).square() * value;
    fine & is_double & power.equals(one)
}

/// Returns whether all these points, whose Z is 1, are in the subgroup of this prime order, in
/// variable time. It accepts points that are not with a chance of 2^-128.
pub(crate) fn all_in_subgroup_vartime(
    points: &[Edwards],
    order: &[u64],
    rng: &mut impl Rng,
) -> bool {
    let entries: Vec<Niels> = points.iter().map(|point| point.niels(&GF25519::ONE)).collect();
    let add = |sum: &Edwards, point: &Niels| point.added_to(sum);
    let sums = subset_sums(&entries, rng, Edwards::IDENTITY, add, Edwards::plus);
    // The sums as they are, since addition is complete on the whole curve.
    sums.iter().all(|sum| edwards_multiple(order, sum).is_identity())
}
