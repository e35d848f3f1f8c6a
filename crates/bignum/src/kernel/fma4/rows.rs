//! Rows of a product, up to four at a time.

use super::super::float::rows::rows;
use super::super::fma::split::{Split, V, add};

rows!(
    #[target_feature(enable = "avx2,fma")]
    four, 1, 4, 5, [0 1 2 3 4], [c0 0 c1 1 c2 2 c3 3 c4 4], [b0 b1 b2 b3]
);
rows!(
    #[target_feature(enable = "avx2,fma")]
    three, 1, 3, 4, [0 1 2 3], [c0 0 c1 1 c2 2 c3 3], [b0 b1 b2]
);
rows!(
    #[target_feature(enable = "avx2,fma")]
    two, 1, 2, 3, [0 1 2], [c0 0 c1 1 c2 2], [b0 b1]
);
rows!(
    #[target_feature(enable = "avx2,fma")]
    one, 1, 1, 2, [0 1], [c0 0 c1 1], [b0]
);

/// Columns `t` += `a` `b`, where `b` has one to four limbs, and `t` one column more than both.
#[target_feature(enable = "avx2,fma")]
pub(super) fn add_rows(t: &mut [V], a: &[V], b: &[V]) {
    if let Ok(b) = b.try_into() {
        four(t, a, b);
    } else if let Ok(b) = b.try_into() {
        three(t, a, b);
    } else if let Ok(b) = b.try_into() {
        two(t, a, b);
    } else if let Ok(b) = b.try_into() {
        one(t, a, b);
    }
}
