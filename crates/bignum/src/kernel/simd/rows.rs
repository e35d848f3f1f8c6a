//! Four rows of a product of 28-bit limbs.

use core::arch::wasm32::{
    i64x2_add, u32x4_splat, u64x2_extmul_high_u32x4, u64x2_extmul_low_u32x4, v128,
};

/// Adds the products of four limbs `$a` and the limb `$b` to two vectors of columns.
macro_rules! products {
    ($a:ident, $b:ident, $low:ident, $high:ident) => {
        $low = i64x2_add($low, u64x2_extmul_low_u32x4($a, $b));
        $high = i64x2_add($high, u64x2_extmul_high_u32x4($a, $b));
    };
}

/// Columns `t` += `a` `b`, four limbs of `a` a vector. Columns `k` and `k + 1` of the product go to the lanes of `t[k]`.
pub(super) fn four(t: &mut [v128], a: &[v128], b: [u32; 4]) {
    assert!(t.len() >= 4 * a.len() + 2, "columns for the product");
    let [b0, b1, b2, b3] = b;
    let [b0, b1, b2, b3] = [u32x4_splat(b0), u32x4_splat(b1), u32x4_splat(b2), u32x4_splat(b3)];
    let (mut c0, mut c1) = (t[0], t[1]);
    for (s, &limbs) in a.iter().enumerate() {
        let Some(t) = t[4 * s..].first_chunk_mut::<6>() else { return };
        let [mut c2, mut c3, mut c4, mut c5] = [t[2], t[3], t[4], t[5]];
        products!(limbs, b0, c0, c2);
        products!(limbs, b1, c1, c3);
        products!(limbs, b2, c2, c4);
        products!(limbs, b3, c3, c5);
        [t[0], t[1], t[2], t[3]] = [c0, c1, c2, c3];
        (c0, c1) = (c4, c5);
    }
    (t[4 * a.len()], t[4 * a.len() + 1]) = (c0, c1);
}
