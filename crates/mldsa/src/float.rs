//! Real numbers for the sampler: logarithm, sine, cosine and square root, computed by the additions,
//! multiplications and divisions of IEEE 754 alone.
//!
//! No library function and no fused operation takes part. So every host with IEEE arithmetic in double precision
//! gives the same bits, and a session that is opened elsewhere draws the same numbers. No branch depends on a
//! number, so the compiler can turn a loop over many of them into vectors of any width. Do not sign on a target
//! where the time of a division depends on its operands, or whose registers are wider than a double (x87).

use core::f64::consts::FRAC_PI_2;

/// The bits of 1, which are the exponent of the numbers from 1 to 2.
const ONE: u64 = 1023 << 52;
/// The bits of 2^52.
const TWO_TO_52: u64 = 1075 << 52;
/// The bits of 2^-74.
const TWO_TO_MINUS_74: u64 = 949 << 52;
/// The bit of the sign.
const SIGN: u64 = 1 << 63;
/// The bits of √½.
const ROOT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
/// ln 2 in two parts, the first with 32 bits.
const LN_2: [f64; 2] =
    [f64::from_bits(0x3fe6_2e42_fee0_0000), f64::from_bits(0x3dea_39ef_3579_3c76)];
/// 3/2·2^52. A sum with it has the nearest integer in its low bits.
const TO_INTEGER: f64 = 6_755_399_441_055_744.0;

/// 1024 + 2^52. Subtracting it from a number in 2^52 to 2^53 leaves an integer above −1024, held in the low bits.
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

/// A number in (0, 1] from 64 random bits. If it is small, it also uses the lowest 10 bits of other random bits,
/// which [`circle`] does not use. It is a multiple of 2^-52, and up to 2^-21 one of 2^-74. It is never 0, which has
/// no logarithm.
///
/// The least number decides the longest normal numbers. With a least number of 2^-52, one point in 2^42 of real
/// normal numbers has a longer one. With 2^-74 no point has one in the life of a key.
#[inline(always)]
pub(crate) const fn unit(bits: u64, more: u64) -> f64 {
    let high = 2.0 - f64::from_bits(ONE | (bits >> 12));
    // All ones if the upper 21 bits are: then `high` is at most 2^-21.
    let small = 0_u64.wrapping_sub((bits >> 43).wrapping_add(1) >> 21);
    let low = (((bits & 0xfff) << 10) | (more & 0x3ff)) & small;
    let low = f64::from_bits(TWO_TO_52 | low) - f64::from_bits(TWO_TO_52);
    // Exact: 53 bits from 2^-22 to 2^-74.
    high - low * f64::from_bits(TWO_TO_MINUS_74)
}

/// The natural logarithm of a normal number above 0, with a relative error below 2^-51.
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

/// A mask of all ones if the angle of [`circle`] has its cosine and its sine swapped, else 0.
#[inline(always)]
pub(crate) const fn swap(bits: u64) -> u64 {
    0_u64.wrapping_sub(bits >> 62 & 1)
}

/// The cosine and the sine of an angle uniform over the circle, from 64 random bits and [`swap`] of them. The
/// caller hides that mask from the compiler, which then cannot turn it into a branch. Errors are below 2^-52.
#[inline(always)]
pub(crate) fn circle(bits: u64, swap: u64) -> (f64, f64) {
    // Two bits choose a quarter of the circle, and 52 others an angle from −π/4 to π/4 in it.
    let angle = (f64::from_bits(ONE | ((bits >> 10) & ((1 << 52) - 1))) - 1.5) * FRAC_PI_2;
    let z = angle * angle;
    let sine = (horner(&SINE, z) * angle).to_bits();
    let cosine = horner(&COSINE, z).to_bits();
    let swapped = (sine ^ cosine) & swap;
    // The upper bit of the quarter is the sign of the sine. The sum of both bits is the sign of the cosine.
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

/// The square root of 0 or of a positive normal number, with a relative error below 2^-52.
#[inline(always)]
pub(crate) fn sqrt(x: f64) -> f64 {
    // Newton's iteration for 1/√x. The error goes from 3.5 % to 1.8e-3, 4.8e-6, 3.4e-11, and then to that of the
    // rounding.
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

    /// 64 bits of every size.
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
            let x = unit(bits(i) >> (i % 40), 0);
            let expected = x.ln();
            assert!((ln(x) - expected).abs() <= expected.abs() * 2f64.powi(-51), "{x:e}");
        }
        assert_eq!(ln(1.0).to_bits(), 0);
        // The least and the greatest number that are drawn.
        let least = 2f64.powi(-74);
        assert_eq!([unit(u64::MAX, u64::MAX), unit(0, 0)], [least, 1.0]);
        for i in 0..1000 {
            let x = f64::from(1 << (i % 22) | i) * least;
            assert!((ln(x) - x.ln()).abs() <= x.ln().abs() * 2f64.powi(-51), "{x:e}");
        }
    }

    /// The smallest numbers, and no others, have bits below 2^-52.
    #[test]
    fn small_numbers_have_more_bits() {
        let [low, more] = [0xabc, 0x155];
        for ones in [20, 21, 30, 52] {
            let bits = !(u64::MAX.checked_shr(ones).unwrap_or(0)) | low;
            let rest = if ones == 20 { 0.0 } else { f64::from((0xabc << 10) | 0x155) };
            let high = 2f64.powi(-52) * (4_503_599_627_370_496 - (bits >> 12)) as f64;
            assert_eq!(unit(bits, more), high - rest * 2f64.powi(-74), "{ones}");
            // The other bits of the angle do not affect it.
            assert_eq!(unit(bits, more | !0x3ff), unit(bits, more));
        }
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
            let x = unit(bits(i), 0) * 2f64.powi(i32::try_from(i % 80).unwrap() - 40);
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

    /// A host with other bits would draw other numbers when it opens a session.
    #[test]
    fn bits_are_the_same_everywhere() {
        let mut sums = [0_u64; 4];
        for i in 0..10_000 {
            let (cosine, sine) = circle(bits(i));
            let x = unit(bits(i), 0);
            for (sum, value) in sums.iter_mut().zip([ln(x), cosine, sine, sqrt(x)]) {
                *sum = sum.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ value.to_bits();
            }
        }
        assert_eq!(sums, FROZEN);
    }

    /// Numbers that a second program, in another language, gave too.
    const FROZEN: [u64; 4] = [
        4_623_306_720_001_743_533,
        12_105_586_185_263_453_891,
        4_480_938_200_204_402_891,
        13_189_263_237_341_386_451,
    ];
}
