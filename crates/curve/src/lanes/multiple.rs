//! One scalar times sixteen points, in constant time: as [`Edwards::times`], in lanes.

use super::field::{Mask, Sixteen};
use crate::edwards::{D2, Edwards, digits};
use crate::mask;

/// Sixteen points: x = X/Z, y = Y/Z, and T = XY/Z.
#[derive(Clone, Copy)]
struct Points {
    x: Sixteen,
    y: Sixteen,
    z: Sixteen,
    t: Sixteen,
}

/// Sixteen points to be added: Y + X, Y - X, 2Z and 2dT.
#[derive(Clone, Copy)]
struct Cached {
    ypx: Sixteen,
    ymx: Sixteen,
    z2: Sixteen,
    t2d: Sixteen,
}

/// The scalar, whose encoding is `bytes`, times each point.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn times(points: &[Edwards; 16], bytes: &[u8; 32]) -> [Edwards; 16] {
    let points = Points::new(points);
    let d2 = Sixteen::constant(&D2);
    // 1 to 8 times the points.
    let step = points.cached(&d2);
    let mut table = [step; 8];
    let mut last = points;
    for entry in table.iter_mut().skip(1) {
        last = last.plus(&step);
        *entry = last.cached(&d2);
    }
    let mut sum = Points::new(&[Edwards::IDENTITY; 16]);
    let zero = sum.cached(&d2);
    for digit in digits(bytes).iter().rev() {
        sum = sum.doubled().doubled().doubled().doubled();
        let size = u32::from(digit.unsigned_abs());
        let mut entry = zero;
        for (number, multiple) in (1..).zip(&table) {
            entry = entry.or(multiple, wide(mask::if_equal(size, number)));
        }
        sum = sum.plus(&entry.negated(wide(mask::if_negative(*digit))));
    }
    sum.points()
}

/// A mask of nothing or all, for sixteen.
fn wide(mask: u32) -> Mask {
    let [a, b, ..] = mask.to_le_bytes();
    Mask::from_le_bytes([a, b])
}

impl Points {
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn new(points: &[Edwards; 16]) -> Self {
        Self {
            x: Sixteen::new(&points.map(|point| point.x.encode())),
            y: Sixteen::new(&points.map(|point| point.y.encode())),
            z: Sixteen::new(&points.map(|point| point.z.encode())),
            t: Sixteen::new(&points.map(|point| point.t.encode())),
        }
    }

    #[target_feature(enable = "avx512f,avx512ifma")]
    fn points(&self) -> [Edwards; 16] {
        let (x, y, z, t) = (self.x.numbers(), self.y.numbers(), self.z.numbers(), self.t.numbers());
        let mut points = [Edwards::IDENTITY; 16];
        for ((((point, x), y), z), t) in points.iter_mut().zip(x).zip(y).zip(z).zip(t) {
            *point = Edwards { x, y, z, t };
        }
        points
    }

    #[target_feature(enable = "avx512f,avx512ifma")]
    fn cached(&self, d2: &Sixteen) -> Cached {
        let Self { x, y, z, t } = self;
        Cached { ypx: y.plus(x), ymx: y.minus(x), z2: z.plus(z), t2d: t.times(d2) }
    }

    /// "add-2008-hwcd-3", complete.
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn plus(&self, other: &Cached) -> Self {
        let a = self.y.minus(&self.x).times(&other.ymx);
        let b = self.y.plus(&self.x).times(&other.ypx);
        let c = self.t.times(&other.t2d);
        let d = self.z.times(&other.z2);
        let (e, f, g, h) = (b.minus(&a), d.minus(&c), d.plus(&c), b.plus(&a));
        Self { x: e.times(&f), y: g.times(&h), z: f.times(&g), t: e.times(&h) }
    }

    /// "dbl-2008-hwcd", complete.
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn doubled(&self) -> Self {
        let (a, b, zz) = (self.x.squared(), self.y.squared(), self.z.squared());
        let h = a.plus(&b);
        let e = h.minus(&self.x.plus(&self.y).squared());
        let g = a.minus(&b);
        let f = zz.plus(&zz).plus(&g);
        Self { x: e.times(&f), y: g.times(&h), z: f.times(&g), t: e.times(&h) }
    }
}

impl Cached {
    /// The others where the mask names them.
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn or(&self, others: &Self, which: Mask) -> Self {
        Self {
            ypx: self.ypx.or(&others.ypx, which),
            ymx: self.ymx.or(&others.ymx, which),
            z2: self.z2.or(&others.z2, which),
            t2d: self.t2d.or(&others.t2d, which),
        }
    }

    /// The opposite points of those that the mask names.
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn negated(&self, which: Mask) -> Self {
        Self {
            ypx: self.ypx.or(&self.ymx, which),
            ymx: self.ymx.or(&self.ypx, which),
            z2: self.z2,
            t2d: self.t2d.negated(which),
        }
    }
}
