//! Square roots in the field, sixteen at a time.

use crrl::field::GF25519;

use super::field::{Mask, Sixteen};
use crate::edwards::{D, SQRT_M1};

/// Constants of the curve, in every lane.
pub(super) struct Constants {
    pub(super) one: Sixteen,
    pub(super) d: Sixteen,
    /// The square root of -1.
    pub(super) i: Sixteen,
}

impl Constants {
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn new() -> Self {
        let constant = |value| Sixteen::constant(value);
        Self { one: constant(&GF25519::ONE), d: constant(&D), i: constant(&SQRT_M1) }
    }

    /// Square roots of u/v, or of i u/v where u/v is no square; and where it is one. As `sqrt_ratio` of
    /// [`crate::edwards`].
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn root_of_ratio(&self, u: &Sixteen, v: &Sixteen) -> (Sixteen, Mask) {
        let v3 = v.squared().times(v);
        let v7 = v3.squared().times(v);
        let root = u.times(&v3).times(&u.times(&v7).power());
        let check = v.times(&root.squared());
        let is_root = check.minus(u).zeros();
        let is_flipped = check.plus(u).zeros();
        let is_flipped_i = check.plus(&u.times(&self.i)).zeros();
        let root = root.or(&root.times(&self.i), is_flipped | is_flipped_i);
        (root, is_root | is_flipped)
    }
}

impl Sixteen {
    /// The power (p - 5)/8 = 2^252 - 3.
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn power(&self) -> Self {
        // From the powers 2^m - 1 and 2^n - 1 to 2^(m + n) - 1.
        let join = |ones: &Self, shift: u32, more: &Self| ones.squarings(shift).times(more);
        let n2 = join(self, 1, self);
        let n4 = join(&n2, 2, &n2);
        let n5 = join(&n4, 1, self);
        let n10 = join(&n5, 5, &n5);
        let n20 = join(&n10, 10, &n10);
        let n40 = join(&n20, 20, &n20);
        let n50 = join(&n40, 10, &n10);
        let n100 = join(&n50, 50, &n50);
        let n200 = join(&n100, 100, &n100);
        let n250 = join(&n200, 50, &n50);
        join(&n250, 2, self)
    }
}
