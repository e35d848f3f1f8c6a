//! The loops over products of vectors, in assembly: the accumulators of two vectors of columns and what a product needs fill
//! the registers to the last but one, and the compiler keeps some in memory.

use core::arch::asm;

use super::super::float::{HIGH, HIGH_AND_LOW};
use super::super::fma::split::{V, splat};

/// Accumulators of one vector of columns; the last belongs to the next one as a whole.
pub(super) type Single = [V; 5];

/// Accumulators of two vectors of columns, one above the other.
pub(super) type Double = [V; 9];

/// Adds the parts of the products of the limb in `x` with a vector ([`Split`](super::super::fma::split::Split)).
macro_rules! product {
    ($y:literal, $low:literal, $high:literal) => {
        concat!(
            "vmovapd {part}, {h}\n vfmadd231pd {part}, {x}, {",
            $y,
            "}\n vpaddq {",
            $high,
            "}, {",
            $high,
            "}, {part}\n ",
            "vsubpd {part}, {hl}, {part}\n vfmadd231pd {part}, {x}, {",
            $y,
            "}\n vpaddq {",
            $low,
            "}, {",
            $low,
            "}, {part}\n"
        )
    };
}

/// Takes limb `$at` of the vector of `x` into all lanes.
macro_rules! limb {
    ($at:literal) => {
        concat!("vbroadcastsd {x}, qword ptr [{xs} + 8*", $at, "]\n")
    };
}

/// Adds the products of `count` vectors from `x` on with those from `y` on backwards.
///
/// # Safety
/// The vectors are there, aligned, and the processor has the features.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn single(sums: Single, x: *const V, y: *const V, count: usize) -> Single {
    let [mut s0, mut s1, mut s2, mut s3, mut s4] = sums;
    if count == 0 {
        return sums;
    }
    // SAFETY: the loop reads vectors from `x` upwards and from `y` downwards, `count` of them each, which is not zero.
    unsafe {
        asm!(
            "2:",
            "vmovapd {y}, [{ys}]",
            limb!(0), product!("y", "s0", "s1"),
            limb!(1), product!("y", "s1", "s2"),
            limb!(2), product!("y", "s2", "s3"),
            limb!(3), product!("y", "s3", "s4"),
            "add {xs}, 32",
            "sub {ys}, 32",
            "dec {count}",
            "jnz 2b",
            s0 = inout(ymm_reg) s0, s1 = inout(ymm_reg) s1, s2 = inout(ymm_reg) s2, s3 = inout(ymm_reg) s3,
            s4 = inout(ymm_reg) s4,
            h = in(ymm_reg) splat(HIGH), hl = in(ymm_reg) splat(HIGH_AND_LOW),
            x = out(ymm_reg) _, y = out(ymm_reg) _, part = out(ymm_reg) _,
            xs = inout(reg) x => _, ys = inout(reg) y => _, count = inout(reg) count => _,
            options(pure, readonly, nostack)
        );
    }
    [s0, s1, s2, s3, s4]
}

/// Adds the products of `count` vectors from `x` on with those from `y` on backwards to the lower columns, and with those from
/// the one above `y` on to the upper ones.
///
/// # Safety
/// The vectors are there, aligned, and the processor has the features.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn double(sums: Double, x: *const V, y: *const V, count: usize) -> Double {
    let [mut s0, mut s1, mut s2, mut s3, mut s4, mut s5, mut s6, mut s7, mut s8] = sums;
    if count == 0 {
        return sums;
    }
    // SAFETY: the loop reads vectors from `x` upwards and from `y` downwards, `count` of them each, which is not zero, and
    // before it the one above `y`.
    unsafe {
        asm!(
            "vmovapd {z}, [{ys} + 32]",
            "2:",
            "vmovapd {y}, [{ys}]",
            limb!(0), product!("y", "s0", "s1"), product!("z", "s4", "s5"),
            limb!(1), product!("y", "s1", "s2"), product!("z", "s5", "s6"),
            limb!(2), product!("y", "s2", "s3"), product!("z", "s6", "s7"),
            limb!(3), product!("y", "s3", "s4"), product!("z", "s7", "s8"),
            "vmovapd {z}, {y}",
            "add {xs}, 32",
            "sub {ys}, 32",
            "dec {count}",
            "jnz 2b",
            s0 = inout(ymm_reg) s0, s1 = inout(ymm_reg) s1, s2 = inout(ymm_reg) s2, s3 = inout(ymm_reg) s3,
            s4 = inout(ymm_reg) s4, s5 = inout(ymm_reg) s5, s6 = inout(ymm_reg) s6, s7 = inout(ymm_reg) s7,
            s8 = inout(ymm_reg) s8,
            h = in(ymm_reg) splat(HIGH), hl = in(ymm_reg) splat(HIGH_AND_LOW),
            x = out(ymm_reg) _, y = out(ymm_reg) _, z = out(ymm_reg) _, part = out(ymm_reg) _,
            xs = inout(reg) x => _, ys = inout(reg) y => _, count = inout(reg) count => _,
            options(pure, readonly, nostack)
        );
    }
    [s0, s1, s2, s3, s4, s5, s6, s7, s8]
}

/// Adds the products of the vector `x` with `y` to the lower columns, and with `z` to the upper ones.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) fn double_step(sums: Double, x: &V, y: &V, z: &V) -> Double {
    let [mut s0, mut s1, mut s2, mut s3, mut s4, mut s5, mut s6, mut s7, mut s8] = sums;
    // SAFETY: the features are there, and each vector is read as it is or by its four words.
    unsafe {
        asm!(
            "vmovapd {y}, [{ys}]",
            "vmovapd {z}, [{zs}]",
            limb!(0), product!("y", "s0", "s1"), product!("z", "s4", "s5"),
            limb!(1), product!("y", "s1", "s2"), product!("z", "s5", "s6"),
            limb!(2), product!("y", "s2", "s3"), product!("z", "s6", "s7"),
            limb!(3), product!("y", "s3", "s4"), product!("z", "s7", "s8"),
            s0 = inout(ymm_reg) s0, s1 = inout(ymm_reg) s1, s2 = inout(ymm_reg) s2, s3 = inout(ymm_reg) s3,
            s4 = inout(ymm_reg) s4, s5 = inout(ymm_reg) s5, s6 = inout(ymm_reg) s6, s7 = inout(ymm_reg) s7,
            s8 = inout(ymm_reg) s8,
            h = in(ymm_reg) splat(HIGH), hl = in(ymm_reg) splat(HIGH_AND_LOW),
            y = out(ymm_reg) _, z = out(ymm_reg) _, x = out(ymm_reg) _, part = out(ymm_reg) _,
            xs = in(reg) core::ptr::from_ref(x), ys = in(reg) core::ptr::from_ref(y), zs = in(reg) core::ptr::from_ref(z),
            options(pure, readonly, nostack)
        );
    }
    [s0, s1, s2, s3, s4, s5, s6, s7, s8]
}

/// Adds the products of the vector `x` with `y`.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) fn single_step(sums: Single, x: &V, y: &V) -> Single {
    let [mut s0, mut s1, mut s2, mut s3, mut s4] = sums;
    // SAFETY: as in `double_step`.
    unsafe {
        asm!(
            "vmovapd {y}, [{ys}]",
            limb!(0), product!("y", "s0", "s1"),
            limb!(1), product!("y", "s1", "s2"),
            limb!(2), product!("y", "s2", "s3"),
            limb!(3), product!("y", "s3", "s4"),
            s0 = inout(ymm_reg) s0, s1 = inout(ymm_reg) s1, s2 = inout(ymm_reg) s2, s3 = inout(ymm_reg) s3,
            s4 = inout(ymm_reg) s4,
            h = in(ymm_reg) splat(HIGH), hl = in(ymm_reg) splat(HIGH_AND_LOW),
            y = out(ymm_reg) _, x = out(ymm_reg) _, part = out(ymm_reg) _,
            xs = in(reg) core::ptr::from_ref(x), ys = in(reg) core::ptr::from_ref(y),
            options(pure, readonly, nostack)
        );
    }
    [s0, s1, s2, s3, s4]
}

/// Adds the high parts of the products of the highest limbs of `count` vectors from `x` on with those from `y` on backwards.
///
/// # Safety
/// The vectors are there, aligned, and the processor has the features.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn tops(mut sum: V, x: *const V, y: *const V, count: usize) -> V {
    if count == 0 {
        return sum;
    }
    // SAFETY: as in `single`.
    unsafe {
        asm!(
            "2:",
            limb!(3),
            "vmovapd {part}, {h}",
            "vfmadd231pd {part}, {x}, [{ys}]",
            "vpaddq {sum}, {sum}, {part}",
            "add {xs}, 32",
            "sub {ys}, 32",
            "dec {count}",
            "jnz 2b",
            sum = inout(ymm_reg) sum, h = in(ymm_reg) splat(HIGH),
            x = out(ymm_reg) _, part = out(ymm_reg) _,
            xs = inout(reg) x => _, ys = inout(reg) y => _, count = inout(reg) count => _,
            options(pure, readonly, nostack)
        );
    }
    sum
}
