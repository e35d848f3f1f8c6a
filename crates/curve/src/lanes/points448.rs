//! Points of the curve of Ed448, x^2 + y^2 = 1 + d*x^2*y^2 with d = -39081, for sums in lanes.

use alloc::vec::Vec;

use crrl::ed448::Point;
use crrl::field::GF448;

/// The curve's d.
pub(super) const D: GF448 = GF448::w64le([
    0xffff_ffff_ffff_6756,
    0xffff_ffff_ffff_ffff,
    0xffff_ffff_ffff_ffff,
    0xffff_fffe_ffff_ffff,
    0xffff_ffff_ffff_ffff,
    0xffff_ffff_ffff_ffff,
    0xffff_ffff_ffff_ffff,
]);

/// 1/d.
pub(super) const INVERSE_D: GF448 = GF448::w64le([
    0xdbc3_3cd2_455e_a947,
    0x2f7f_668f_a704_9e3b,
    0x6333_637e_d9b3_0165,
    0x7f64_e25b_bed5_ed18,
    0x52b9_ea8d_bd5a_f0c8,
    0x0db0_c73d_6c8c_5d33,
    0x2874_b423_80f2_50e6,
]);

/// The encoding of the point (1, 0), whose order is four.
const ORDER_FOUR: [u8; 57] = {
    let mut bytes = [0; 57];
    bytes[56] = 0x80;
    bytes
};

/// A point: x = X/Z and y = Y/Z.
#[derive(Clone, Copy)]
pub(crate) struct Projective {
    pub(super) x: GF448,
    pub(super) y: GF448,
    pub(super) z: GF448,
}

impl Projective {
    pub(super) const IDENTITY: Self = Self { x: GF448::ZERO, y: GF448::ONE, z: GF448::ONE };

    /// The backend's points. It keeps their coordinates to itself, but encodes y; and adding (1, 0) to (x, y) makes
    /// (y, -x).
    pub(super) fn from_points(points: impl Iterator<Item = Point>) -> Option<Vec<Self>> {
        let turn = Point::decode(&ORDER_FOUR)?;
        let y = |point: Point| point.encode().get(..56).and_then(GF448::decode);
        let projective =
            |point: Point| Some(Self { x: -y(point + turn)?, y: y(point)?, z: GF448::ONE });
        points.map(projective).collect()
    }

    /// The backend's point.
    pub(super) fn point(&self) -> Option<Point> {
        let inverse = GF448::ONE / self.z;
        let [sign, ..] = (self.x * inverse).encode();
        let mut bytes = [0; 57];
        let [y @ .., last] = &mut bytes;
        *y = (self.y * inverse).encode();
        *last = sign << 7;
        Point::decode(&bytes)
    }

    /// Twice the point, `times` times over (RFC 8032 section 5.2.4).
    pub(super) fn doubled(&self, times: u32) -> Self {
        let mut point = *self;
        for _ in 0..times {
            let b = (point.x + point.y).square();
            let (c, d) = (point.x.square(), point.y.square());
            let e = c + d;
            let j = e - point.z.square().mul2();
            point = Self { x: (b - e) * j, y: e * (c - d), z: e * j };
        }
        point
    }

    /// The sum (RFC 8032 section 5.2.4), complete.
    pub(super) fn plus(&self, other: &Self) -> Self {
        let a = self.z * other.z;
        let b = a.square();
        let (c, d) = (self.x * other.x, self.y * other.y);
        // As d is negative, this is -E.
        let e = (c * d).mul_small(39081);
        let (f, g) = (b + e, b - e);
        let h = (self.x + self.y) * (other.x + other.y);
        Self { x: a * f * (h - c - d), y: a * g * (d - c), z: f * g }
    }
}
