//! Points of short Weierstrass curves in the coordinates that variable time makes fastest.
//!
//! Unlike the complete formulas of the backend, these have exceptional cases and branch on them.
//! Formulas: "madd-2008-s", "add-2008-s" and "dbl-2008-s-1" of the Explicit-Formulas Database.

use core::ops::{Add, Mul, Neg, Sub};

use super::accumulator::Accumulator;
use crate::Curve;

/// The field below a curve.
pub(crate) trait Field:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    fn zero() -> Self;
    fn one() -> Self;
    fn square(self) -> Self;
    fn is_zero(self) -> bool;
    /// The inverse of a value other than zero.
    fn invert(self) -> Self;
    /// Takes the other value instead if the mask is all ones, and nothing if it is zero; in constant time.
    fn replace_if(&mut self, other: &Self, mask: u32);
}

/// A curve y^2 = x^3 + ax + b without points of order 2, where a is 0 or -3.
pub(crate) trait Weierstrass: Curve {
    /// The field of the coordinates.
    type Field: Field;
    /// `true` if a is -3 (otherwise it is 0).
    const A_IS_MINUS_3: bool;
    /// X, Y and Z with x = X/Z, y = Y/Z; Z is zero for the identity.
    fn to_projective(point: &Self::Point) -> [Self::Field; 3];
    /// The point with x = X/Z, y = Y/Z.
    fn from_projective(coordinates: [Self::Field; 3]) -> Self::Point;
}

/// Three times `value`.
pub(crate) fn thrice<F: Field>(value: F) -> F {
    value + value + value
}

/// A point other than the identity.
pub(crate) struct Affine<C: Weierstrass> {
    pub(crate) x: C::Field,
    pub(crate) y: C::Field,
}

impl<C: Weierstrass> Clone for Affine<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Weierstrass> Copy for Affine<C> {}

impl<C: Weierstrass> Affine<C> {
    /// The opposite point, if so wanted.
    pub(crate) fn negated_if(self, negative: bool) -> Self {
        if negative { Self { x: self.x, y: -self.y } } else { self }
    }
}

/// A point with x = X/ZZ and y = Y/ZZZ, where ZZ^3 = ZZZ^2; ZZ is zero for the identity.
pub(crate) struct Extended<C: Weierstrass> {
    x: C::Field,
    y: C::Field,
    zz: C::Field,
    zzz: C::Field,
}

impl<C: Weierstrass> Clone for Extended<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Weierstrass> Copy for Extended<C> {}

impl<C: Weierstrass> From<Affine<C>> for Extended<C> {
    fn from(point: Affine<C>) -> Self {
        let one = C::Field::one();
        Self { x: point.x, y: point.y, zz: one, zzz: one }
    }
}

impl<C: Weierstrass> Extended<C> {
    /// A point in these coordinates, from projective ones.
    pub(crate) fn from_projective([x, y, z]: [C::Field; 3]) -> Self {
        let zz = z.square();
        Self { x: x * z, y: y * zz, zz, zzz: zz * z }
    }

    /// This point in the backend's form.
    pub(crate) fn into_point(self) -> C::Point {
        if self.is_identity() {
            return C::identity();
        }
        C::from_projective([self.x * self.zzz, self.y * self.zz, self.zz * self.zzz])
    }

    fn is_identity(&self) -> bool {
        self.zz.is_zero()
    }

    /// ZZZ, whose inverse [`Self::to_affine`] needs.
    pub(crate) const fn denominator(&self) -> C::Field {
        self.zzz
    }

    /// This point, which is not the identity, in affine coordinates; `inverse` is 1/ZZZ.
    pub(crate) fn to_affine(self, inverse: C::Field) -> Affine<C> {
        // ZZ^2 / ZZZ^2 = 1/ZZ.
        let inverse_zz = (self.zz * inverse).square();
        Affine { x: self.x * inverse_zz, y: self.y * inverse }
    }

    /// The sum of two points.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        if self.is_identity() {
            return *other;
        }
        if other.is_identity() {
            return *self;
        }
        let x1 = self.x * other.zz;
        let y1 = self.y * other.zzz;
        let p = other.x * self.zz - x1;
        let r = other.y * self.zzz - y1;
        if p.is_zero() {
            return if r.is_zero() { self.doubled() } else { Self::zero() };
        }
        Self::finish(p, r, x1, y1, self.zz * other.zz, self.zzz * other.zzz)
    }

    fn plus_affine(&self, other: &Affine<C>) -> Self {
        if self.is_identity() {
            return (*other).into();
        }
        let p = other.x * self.zz - self.x;
        let r = other.y * self.zzz - self.y;
        if p.is_zero() {
            return if r.is_zero() { self.doubled() } else { Self::zero() };
        }
        Self::finish(p, r, self.x, self.y, self.zz, self.zzz)
    }

    /// The last steps of both additions.
    fn finish(
        p: C::Field,
        r: C::Field,
        x1: C::Field,
        y1: C::Field,
        zz: C::Field,
        zzz: C::Field,
    ) -> Self {
        let pp = p.square();
        let ppp = p * pp;
        let q = x1 * pp;
        let x = r.square() - ppp - q - q;
        Self { x, y: r * (q - x) - y1 * ppp, zz: zz * pp, zzz: zzz * ppp }
    }

    /// Twice the point.
    pub(crate) fn doubled(&self) -> Self {
        let u = self.y + self.y;
        let v = u.square();
        let w = u * v;
        let s = self.x * v;
        let m = if C::A_IS_MINUS_3 {
            thrice((self.x - self.zz) * (self.x + self.zz))
        } else {
            thrice(self.x.square())
        };
        let x = m.square() - s - s;
        Self { x, y: m * (s - x) - w * self.y, zz: v * self.zz, zzz: w * self.zzz }
    }
}

impl<C: Weierstrass> Accumulator for Extended<C> {
    type Entry = Affine<C>;

    fn zero() -> Self {
        let (zero, one) = (C::Field::zero(), C::Field::one());
        Self { x: one, y: one, zz: zero, zzz: zero }
    }

    fn double(&mut self) {
        if !self.is_identity() {
            *self = self.doubled();
        }
    }

    fn add(&mut self, entry: &Affine<C>, negative: bool) {
        *self = self.plus_affine(&entry.negated_if(negative));
    }
}
