//! Rows of a product, four, two or one at a time.

use core::arch::wasm32::{i64x2_add as add, v128 as V};

use super::super::float::rows::rows;
use super::split::Split;

rows!(
    /// Columns `t` += `a` `b`, one lane a number, one limb a vector. Column `k` of the product goes to `t[k]`.
    four, 1, 4, 5, [0 1 2 3 4], [c0 0 c1 1 c2 2 c3 3 c4 4], [b0 b1 b2 b3]
);
rows!(
    /// As [`four`], with two rows.
    two, 1, 2, 3, [0 1 2], [c0 0 c1 1 c2 2], [b0 b1]
);
rows!(
    /// As [`four`], with one row.
    one, 1, 1, 2, [0 1], [c0 0 c1 1], [b0]
);
rows!(
    /// Columns `t` += `a` `b`, two limbs of one number a vector. Columns `k` and `k + 1` of the product go to the lanes of
    /// `t[k]`. The limbs of `b` are in both lanes.
    four_across, 2, 4, 5, [0 1 2 3 4], [c0 0 c1 1 c2 2 c3 3 c4 4], [b0 b1 b2 b3]
);
rows!(
    /// As [`four_across`], with two rows.
    two_across, 2, 2, 3, [0 1 2], [c0 0 c1 1 c2 2], [b0 b1]
);
