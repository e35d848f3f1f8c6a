//! The curve of Ed25519 and ristretto255, -x^2 + y^2 = 1 + d*x^2*y^2 over the integers modulo
//! 2^255 - 19: points in extended coordinates, on the field arithmetic of crrl.
//!
//! H. Hisil, K. K.-H. Wong, G. Carter, E. Dawson, "Twisted Edwards Curves Revisited", ASIACRYPT
//! 2008; the formulas are "add-2008-hwcd-3" and "dbl-2008-hwcd" of the Explicit-Formulas Database.
//! They are complete on this curve: no pair of points is an exception, and none branches.

mod base;
mod field;
mod schnorr;
mod subgroup;
mod table;

use crrl::field::GF25519;
use zeroize::Zeroizing;

pub(crate) use base::{GENERATOR, mul_base};
#[cfg(target_arch = "x86_64")]
pub(crate) use field::INVERSE_D;
pub(crate) use field::{
    D, D2, FIELD, INVSQRT_A_MINUS_D, ROOT, SQRT_M1, abs, is_negative, sqrt_ratio,
};
pub(crate) use schnorr::schnorr_vartime;
pub(crate) use subgroup::{all_in_subgroup_vartime, is_member};

use crate::mask;

/// A point: x = X/Z, y = Y/Z, and T = XY/Z.
#[derive(Clone, Copy)]
pub(crate) struct Edwards {
    pub(crate) x: GF25519,
    pub(crate) y: GF25519,
    pub(crate) z: GF25519,
    pub(crate) t: GF25519,
}

/// A point to be added: Y + X, Y - X, 2Z and 2dT.
#[derive(Clone, Copy)]
pub(crate) struct Cached {
    ypx: GF25519,
    ymx: GF25519,
    z2: GF25519,
    t2d: GF25519,
}

/// A point to be added whose Z is 1: y + x, y - x and 2dxy.
#[derive(Clone, Copy)]
pub(crate) struct Niels {
    ypx: GF25519,
    ymx: GF25519,
    t2d: GF25519,
}

/// A point that can be added to an [`Edwards`], and looked up in constant time.
pub(crate) trait Addend: Copy {
    const ZERO: Self;
    fn added_to(&self, point: &Edwards) -> Edwards;
    /// The sum, or the difference, without the price of a negation.
    fn added_vartime(&self, point: &Edwards, negative: bool) -> Edwards;
    fn negated(&self) -> Self;
    /// Takes `other` instead if `mask` is all ones, and nothing if it is zero.
    fn replace_if(&mut self, other: &Self, mask: u32);
}

impl Addend for Cached {
    const ZERO: Self = Self {
        ypx: GF25519::ONE,
        ymx: GF25519::ONE,
        z2: GF25519::w64le(2, 0, 0, 0),
        t2d: GF25519::ZERO,
    };

    #[inline(always)]
    fn added_to(&self, point: &Edwards) -> Edwards {
        let a = point.y.sub_noreduce(&point.x) * self.ymx;
        let b = point.y.add_noreduce(&point.x) * self.ypx;
        joined(&a, &b, &(point.t * self.t2d), &(point.z * self.z2))
    }

    #[inline(always)]
    fn added_vartime(&self, point: &Edwards, negative: bool) -> Edwards {
        let (ymx, ypx) = if negative { (&self.ypx, &self.ymx) } else { (&self.ymx, &self.ypx) };
        let a = point.y.sub_noreduce(&point.x) * ymx;
        let b = point.y.add_noreduce(&point.x) * ypx;
        let mut c = point.t * self.t2d;
        c.set_cond(&-c, u32::from(negative).wrapping_neg());
        joined(&a, &b, &c, &(point.z * self.z2))
    }

    fn negated(&self) -> Self {
        Self { ypx: self.ymx, ymx: self.ypx, z2: self.z2, t2d: -self.t2d }
    }

    #[inline]
    fn replace_if(&mut self, other: &Self, mask: u32) {
        self.ypx.set_cond(&other.ypx, mask);
        self.ymx.set_cond(&other.ymx, mask);
        self.z2.set_cond(&other.z2, mask);
        self.t2d.set_cond(&other.t2d, mask);
    }
}

impl Addend for Niels {
    const ZERO: Self = Self { ypx: GF25519::ONE, ymx: GF25519::ONE, t2d: GF25519::ZERO };

    #[inline(always)]
    fn added_to(&self, point: &Edwards) -> Edwards {
        let a = point.y.sub_noreduce(&point.x) * self.ymx;
        let b = point.y.add_noreduce(&point.x) * self.ypx;
        joined(&a, &b, &(point.t * self.t2d), &point.z.mul2())
    }

    #[inline(always)]
    fn added_vartime(&self, point: &Edwards, negative: bool) -> Edwards {
        let (ymx, ypx) = if negative { (&self.ypx, &self.ymx) } else { (&self.ymx, &self.ypx) };
        let a = point.y.sub_noreduce(&point.x) * ymx;
        let b = point.y.add_noreduce(&point.x) * ypx;
        let mut c = point.t * self.t2d;
        c.set_cond(&-c, u32::from(negative).wrapping_neg());
        joined(&a, &b, &c, &point.z.mul2())
    }

    fn negated(&self) -> Self {
        Self { ypx: self.ymx, ymx: self.ypx, t2d: -self.t2d }
    }

    #[inline]
    fn replace_if(&mut self, other: &Self, mask: u32) {
        self.ypx.set_cond(&other.ypx, mask);
        self.ymx.set_cond(&other.ymx, mask);
        self.t2d.set_cond(&other.t2d, mask);
    }
}

/// The last steps of every addition.
#[inline(always)]
fn joined(a: &GF25519, b: &GF25519, c: &GF25519, d: &GF25519) -> Edwards {
    let e = b.sub_noreduce(a);
    let f = d.sub_noreduce(c);
    let g = d.add_noreduce(c);
    let h = b.add_noreduce(a);
    Edwards { x: e * f, y: g * h, z: f * g, t: e * h }
}

impl Edwards {
    pub(crate) const IDENTITY: Self =
        Self { x: GF25519::ZERO, y: GF25519::ONE, z: GF25519::ONE, t: GF25519::ZERO };

    /// The point (x, y), which is on the curve.
    pub(crate) fn from_affine(x: GF25519, y: GF25519) -> Self {
        Self { x, y, z: GF25519::ONE, t: x * y }
    }

    pub(crate) fn cached(&self) -> Cached {
        Cached { ypx: self.y + self.x, ymx: self.y - self.x, z2: self.z.mul2(), t2d: self.t * D2 }
    }

    /// The point for additions; `inverse` is 1/Z.
    pub(crate) fn niels(&self, inverse: &GF25519) -> Niels {
        let (x, y) = (self.x * inverse, self.y * inverse);
        Niels { ypx: y + x, ymx: y - x, t2d: x * y * D2 }
    }

    /// Twice the point, `times` times over. T is only made at the end: doubling doesn't need it.
    pub(crate) fn doubled(&self, times: u32) -> Self {
        let mut point = *self;
        for left in (0..times).rev() {
            let a = point.x.square();
            let b = point.y.square();
            let (h, e) = a.add_addsub_noreduce(&b, &point.x.add_noreduce(&point.y).square());
            let (g, f) = a.sub_subadd2_noreduce(&b, &point.z.square());
            if left == 0 {
                point.t = e * h;
            }
            point.x = e * f;
            point.y = g * h;
            point.z = f * g;
        }
        point
    }

    pub(crate) fn negated(&self) -> Self {
        Self { x: -self.x, y: self.y, z: self.z, t: -self.t }
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        other.cached().added_to(self)
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        other.cached().negated().added_to(self)
    }

    pub(crate) fn equals(&self, other: &Self) -> bool {
        let x = (self.x * other.z).equals(other.x * self.z);
        let y = (self.y * other.z).equals(other.y * self.z);
        x & y != 0
    }

    pub(crate) fn is_identity(&self) -> bool {
        self.x.iszero() & self.y.equals(self.z) != 0
    }

    /// The point times a scalar, in constant time; `bytes` is the scalar's encoding.
    pub(crate) fn times(&self, bytes: &[u8; 32]) -> Self {
        let multiples = multiples(self);
        let digits = digits(bytes);
        let mut sum = Self::IDENTITY;
        for digit in digits.iter().rev() {
            sum = select(&multiples, *digit).added_to(&sum.doubled(4));
        }
        sum
    }
}

/// 1, 3, ... 15 times a point.
pub(crate) fn odd_multiples(point: &Edwards) -> [Cached; 8] {
    let twice = point.doubled(1).cached();
    let mut last = *point;
    let mut table = [point.cached(); 8];
    for entry in table.iter_mut().skip(1) {
        last = twice.added_to(&last);
        *entry = last.cached();
    }
    table
}

/// 1 to 8 times a point.
fn multiples(point: &Edwards) -> [Cached; 8] {
    let step = point.cached();
    let mut last = *point;
    let mut table = [step; 8];
    for entry in table.iter_mut().skip(1) {
        last = step.added_to(&last);
        *entry = last.cached();
    }
    table
}

/// The digits of a number below 2^255 to base 16, from -8 to 8, the lowest first; in constant
/// time.
pub(crate) fn digits(bytes: &[u8; 32]) -> Zeroizing<[i8; 64]> {
    let mut digits = Zeroizing::new([0; 64]);
    let mut carry = 0;
    let nibbles = bytes.iter().flat_map(|byte| [byte & 15, byte >> 4]);
    for (digit, nibble) in digits.iter_mut().zip(nibbles) {
        let value = nibble.cast_signed() + carry;
        carry = (value + 8) >> 4;
        *digit = value - (carry << 4);
    }
    digits
}

/// The entry of `table` that belongs to a digit from -8 to 8, in constant time.
#[inline]
fn select<A: Addend>(table: &[A; 8], digit: i8) -> A {
    let size = u32::from(digit.unsigned_abs());
    let mut entry = A::ZERO;
    for (number, multiple) in (1..).zip(table) {
        entry.replace_if(multiple, mask::if_equal(size, number));
    }
    entry.replace_if(&entry.negated(), mask::if_negative(digit));
    entry
}
