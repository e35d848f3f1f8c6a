//! Real numbers for the sampler: logarithm, sine, cosine and square root from the additions, multiplications and
//! divisions of IEEE 754 alone.
//!
//! No library function and no fused operation takes part, so every host with IEEE arithmetic in double precision gives the
//! same bits, and a session that is opened elsewhere draws the same numbers. There is no branch on a number, so that a
//! loop over many of them is compiled for vectors of any width. A target
//! whose division takes a time that depends on its operands, or whose registers are wider than a double (x87), is not
//! one to sign on.

use core::f64::consts::FRAC_PI_2;

/// The bits of 1, which are the exponent of the numbers from 1 to 2.
const ONE: u64 = 1023 << 52;
/// The bits of 2^52.
const TWO_TO_52: u64 = 1075 << 52;
/// The bit of the sign.
const SIGN: u64 = 1 << 63;
/// The bits of √½.
const ROOT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
/// ln 2 in two parts, the first with 32 bits.
const LN_2: [f64; 2] =
    [f64::from_bits(0x3fe6_2e42_fee0_0000), f64::from_bits(0x3dea_39ef_3579_3c76)];
/// 3/2·2^52: a sum with it has the nearest integer in its low bits.
const TO_INTEGER: f64 = 6_755_399_441_055_744.0;

/// 1024 + 2^52: what is below it in the low bits of a number from 2^52 to 2^53 is an integer above −1024.
const FROM_INTEGER: f64 = 4_503_599_627_371_520.0;

/// The value of a polynomial, the constant term first.
#[inline(always)]
fn horner<const L: usize>(coefficients: &[f64; L], x: f64) -> f64 {
    let [rest @ .., last] = coefficients.as_slice() else { return 0.0 };
    let mut sum = *last;
    for coefficient in rest.iter().rev() {
        sum = sum * x + coefficient;
    }
    sum
}

/// A number in (0, 1] from 64 random bits, a multiple of 2^-52. It is never 0, which has no logarithm.
#[inline(always)]
pub(crate) const fn unit(bits: u64) -> f64 {
    2.0 - f64::from_bits(ONE | (bits >> 12))
}

/// The natural logarithm of a normal number above 0, with an error below 2^-51 of it.
#[inline(always)]
pub(crate) fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    // x = m·2^e with m in [√½, √2).
    let above = bits.wrapping_sub(ROOT_HALF).wrapping_add(1024 << 52) >> 52;
    let m = f64::from_bits(bits.wrapping_sub(above.wrapping_sub(1024) << 52));
    let e = f64::from_bits(TWO_TO_52 | above) - FROM_INTEGER;
    // ln m = 2·artanh((m − 1)/(m + 1)) = 2s·(1 + s²/3 + s⁴/5 + …), |s| < 0.172.
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let series = horner(&ARTANH, z);
    let [high, low] = LN_2;
    e * high + (2.0 * s + (2.0 * s * (z * series) + e * low))
}

/// 1/(2i + 3)
const ARTANH: [f64; 10] = [
    1.0 / 3.0,
    1.0 / 5.0,
    1.0 / 7.0,
    1.0 / 9.0,
    1.0 / 11.0,
    1.0 / 13.0,
    1.0 / 15.0,
    1.0 / 17.0,
    1.0 / 19.0,
    1.0 / 21.0,
];

/// Whether the angle of [`circle`] has its cosine and its sine swapped: all ones if it has, else 0.
#[inline(always)]
pub(crate) const fn swap(bits: u64) -> u64 {
    0_u64.wrapping_sub(bits >> 62 & 1)
}

/// The cosine and the sine of an angle uniform over the circle, from 64 random bits and [`swap`] of them, which the caller
/// keeps the compiler from understanding: it makes no branch of what it doesn't see through. Errors are below 2^-52.
#[inline(always)]
pub(crate) fn circle(bits: u64, swap: u64) -> (f64, f64) {
    // A quarter of the circle by two bits, and an angle from −π/4 to π/4 in it by 52 others.
    let angle = (f64::from_bits(ONE | ((bits >> 10) & ((1 << 52) - 1))) - 1.5) * FRAC_PI_2;
    let z = angle * angle;
    let sine = (horner(&SINE, z) * angle).to_bits();
    let cosine = horner(&COSINE, z).to_bits();
    let swapped = (sine ^ cosine) & swap;
    // The upper bit of the quarter is the sign of the sine, and the sum of both that of the cosine.
    let of_sine = bits & SIGN;
    let of_cosine = (bits ^ (bits << 1)) & SIGN;
    (f64::from_bits(cosine ^ swapped ^ of_cosine), f64::from_bits(sine ^ swapped ^ of_sine))
}

/// (−1)^i/(2i + 1)!
const SINE: [f64; 9] = [
    1.0,
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5_040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 1_307_674_368_000.0,
    1.0 / 355_687_428_096_000.0,
];

/// (−1)^i/(2i)!
const COSINE: [f64; 10] = [
    1.0,
    -1.0 / 2.0,
    1.0 / 24.0,
    -1.0 / 720.0,
    1.0 / 40_320.0,
    -1.0 / 3_628_800.0,
    1.0 / 479_001_600.0,
    -1.0 / 87_178_291_200.0,
    1.0 / 20_922_789_888_000.0,
    -1.0 / 6_402_373_705_728_000.0,
];

/// The square root of 0 or of a normal number above it, with an error below 2^-52 of it.
#[inline(always)]
pub(crate) fn sqrt(x: f64) -> f64 {
    // Newton's iteration for 1/√x, from an error of 3.5 %: 1.8e-3, 4.8e-6, 3.4e-11, and what the rounding leaves.
    let mut y = f64::from_bits(0x5fe6_eb50_c7b5_37a9_u64.wrapping_sub(x.to_bits() >> 1));
    for _ in 0..4 {
        y *= 1.5 - 0.5 * x * y * y;
    }
    let root = x * y;
    root + 0.5 * y * (x - root * root)
}

/// The nearest integer to a number below 2^31 in absolute value.
#[inline(always)]
pub(crate) fn nearest(x: f64) -> i32 {
    let [a, b, c, d, ..] = (x + TO_INTEGER).to_bits().to_le_bytes();
    i32::from_le_bytes([a, b, c, d])
}

#[cfg(test)]
#[allow(clippy::integer_division_remainder_used, reason = "numbers for tests")]
mod tests {
    use super::*;

    /// 64 bits that run through all sizes.
    fn bits(i: u64) -> u64 {
        let mixed = i
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(31)
            .wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 29)
    }

    /// The cosine and the sine.
    fn circle(bits: u64) -> (f64, f64) {
        super::circle(bits, swap(bits))
    }

    #[test]
    fn logarithms_are_those_of_the_host_to_a_few_units() {
        for i in 0..200_000 {
            let x = unit(bits(i) >> (i % 40));
            let expected = x.ln();
            assert!((ln(x) - expected).abs() <= expected.abs() * 2f64.powi(-51), "{x:e}");
        }
        assert_eq!(ln(1.0).to_bits(), 0);
        // The least and the greatest that are drawn.
        assert_eq!([unit(u64::MAX), unit(0)], [2f64.powi(-52), 1.0]);
        assert!((ln(2f64.powi(-52)) + 52.0 * core::f64::consts::LN_2).abs() < 1e-14);
    }

    #[test]
    fn angles_are_those_of_the_host() {
        for i in 0..200_000 {
            let (cosine, sine) = circle(bits(i));
            let fraction = ((bits(i) >> 10) & ((1 << 52) - 1)) as f64 / 2f64.powi(52) - 0.5;
            let angle = ((bits(i) >> 62) as f64 + fraction) * FRAC_PI_2;
            assert!((cosine - angle.cos()).abs() < 2e-15 && (sine - angle.sin()).abs() < 2e-15);
            assert!((cosine * cosine + sine * sine - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn roots_are_those_of_the_host_to_a_unit() {
        for i in 0..200_000 {
            let x = unit(bits(i)) * 2f64.powi(i32::try_from(i % 80).unwrap() - 40);
            assert!((sqrt(x) - x.sqrt()).abs() <= x.sqrt() * 2f64.powi(-52), "{x:e}");
        }
        assert_eq!(sqrt(0.0), 0.0);
    }

    #[test]
    fn integers_are_the_nearest() {
        for (x, expected) in
            [(0.0, 0), (0.49, 0), (0.51, 1), (-0.51, -1), (2.5, 2), (3.5, 4), (-7.2, -7)]
        {
            assert_eq!(nearest(x), expected);
        }
        assert_eq!([nearest(2_147_483_647.0), nearest(-2_147_483_648.0)], [i32::MAX, i32::MIN]);
    }

    /// A host with other bits draws other numbers when it opens a session.
    #[test]
    fn bits_are_the_same_everywhere() {
        let mut sums = [0_u64; 4];
        for i in 0..10_000 {
            let (cosine, sine) = circle(bits(i));
            let x = unit(bits(i));
            for (sum, value) in sums.iter_mut().zip([ln(x), cosine, sine, sqrt(x)]) {
                *sum = sum.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ value.to_bits();
            }
        }
        assert_eq!(sums, FROZEN);
    }

    /// The same numbers came from a second program, in another language.
    const FROZEN: [u64; 4] = [
        4_623_306_720_001_743_533,
        12_105_586_185_263_453_891,
        4_480_938_200_204_402_891,
        13_189_263_237_341_386_451,
    ];
}
