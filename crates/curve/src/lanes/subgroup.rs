//! The check that points are in the subgroup of prime order, for each point by itself.
//!
//! `edwards/subgroup.rs` explains the method and its letters, and has it for one point.

use super::field::{Mask, Sixteen};
use super::roots::Constants;
use crate::edwards::ROOT;

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
