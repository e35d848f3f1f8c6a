//! Encodings to points, sixteen at a time.

use alloc::vec::Vec;

use crrl::field::GF25519;

use super::field::{Mask, Sixteen};
use super::roots::Constants;
use super::subgroup;
use crate::bytes::is_below;
use crate::edwards::{Edwards, FIELD};

/// Which of sixteen encodings have this.
fn which(encodings: &[[u8; 32]; 16], has: impl Fn(&[u8; 32]) -> bool) -> Mask {
    let bits = (0u32..).zip(encodings).map(|(place, one)| Mask::from(has(one)) << place);
    bits.fold(0, |all, bit| all | bit)
}

/// Sixteen encodings at a time. The last sixteen are filled up with `filler`, which is a valid one.
#[inline]
fn in_sixteens(
    encodings: &[[u8; 32]],
    filler: [u8; 32],
    mut decode: impl FnMut(&[[u8; 32]; 16]) -> Option<[Edwards; 16]>,
) -> Option<Vec<Edwards>> {
    let mut points = Vec::with_capacity(encodings.len());
    for some in encodings.chunks(16) {
        let mut sixteen = [filler; 16];
        sixteen.split_at_mut(some.len()).0.copy_from_slice(some);
        points.extend(decode(&sixteen)?.iter().take(some.len()));
    }
    Some(points)
}

/// The points (x, y).
fn points(x: [GF25519; 16], y: [GF25519; 16]) -> [Edwards; 16] {
    let mut points = [Edwards::IDENTITY; 16];
    for (point, (x, y)) in points.iter_mut().zip(x.into_iter().zip(y)) {
        *point = Edwards::from_affine(x, y);
    }
    points
}

/// RFC 8032 section 5.1.3, and whether the points are in the subgroup.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn ed25519(encodings: &[[u8; 32]]) -> Option<Vec<Edwards>> {
    // The generator's: y = 4/5.
    let mut generator = [0x66; 32];
    generator[0] = 0x58;
    let constants = Constants::new();
    in_sixteens(encodings, generator, |sixteen| ed25519_sixteen(sixteen, &constants))
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn ed25519_sixteen(encodings: &[[u8; 32]; 16], constants: &Constants) -> Option<[Edwards; 16]> {
    let canonical = which(encodings, |one| {
        let mut y = *one;
        y[31] &= 0x7f;
        is_below(&y, &FIELD)
    });
    let signs = which(encodings, |one| one[31] >> 7 == 1);
    let y = Sixteen::new(encodings);
    let Constants { one, d, .. } = constants;
    let y2 = y.squared();
    let (root, is_square) = constants.root_of_ratio(&y2.minus(one), &d.times(&y2).plus(one));
    let x = root.negated(root.odd() ^ signs);
    // x = 0 is that of no member.
    let good = canonical & is_square & subgroup::members(&x, &y, constants);
    (good == Mask::MAX).then(|| points(x.numbers(), y.numbers()))
}

/// RFC 9496 section 4.3.1.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn ristretto255(encodings: &[[u8; 32]]) -> Option<Vec<Edwards>> {
    let constants = Constants::new();
    in_sixteens(encodings, GENERATOR, |sixteen| ristretto255_sixteen(sixteen, &constants))
}

/// The encoding of ristretto255's generator (RFC 9496 section 4.1).
const GENERATOR: [u8; 32] = [
    0xe2, 0xf2, 0xae, 0x0a, 0x6a, 0xbc, 0x4e, 0x71, 0xa8, 0x84, 0xa9, 0x61, 0xc5, 0x00, 0x51, 0x5f,
    0x58, 0xe3, 0x0b, 0x6a, 0xa5, 0x82, 0xdd, 0x8d, 0xb6, 0xa6, 0x59, 0x45, 0xe0, 0x8d, 0x2d, 0x76,
];

#[target_feature(enable = "avx512f,avx512ifma")]
fn ristretto255_sixteen(
    encodings: &[[u8; 32]; 16],
    constants: &Constants,
) -> Option<[Edwards; 16]> {
    let canonical = which(encodings, |one| one[0] & 1 == 0 && is_below(one, &FIELD));
    let Constants { one, d, .. } = constants;
    let s = Sixteen::new(encodings);
    let ss = s.squared();
    let (u1, u2) = (one.minus(&ss), one.plus(&ss));
    let u2_squared = u2.squared();
    let v = d.times(&u1.squared()).negated(Mask::MAX).minus(&u2_squared);
    let (root, is_square) = constants.root_of_ratio(one, &v.times(&u2_squared));
    let den_x = root.times(&u2);
    let den_y = root.times(&den_x).times(&v);
    let x = s.times(&den_x);
    let x = x.plus(&x);
    let x = x.negated(x.odd());
    let y = u1.times(&den_y);
    let refused = x.times(&y).odd() | x.zeros() | y.zeros();
    let good = canonical & is_square & !refused;
    (good == Mask::MAX).then(|| points(x.numbers(), y.numbers()))
}
