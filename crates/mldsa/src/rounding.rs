//! High and low bits of numbers modulo q, and hints (FIPS 204, §7.4), without divisions.

use crate::field::{Q, centered};
use crate::level::Level;

/// The number d of bits that are dropped from t.
pub(crate) const D: u32 = 13;

/// Power2Round (FIPS 204, Algorithm 35) of a number from 0 to q − 1: t1 and t0 with t = t1·2^13 + t0.
pub(crate) const fn power2_round(t: i32) -> (i32, i32) {
    let high = (t + (1 << (D - 1)) - 1) >> D;
    (high, t - (high << D))
}

/// Decompose (FIPS 204, Algorithm 36) of a number from 0 to q − 1: the high bits, and the low bits between −γ2 and γ2.
#[inline(always)]
pub(crate) const fn decompose(level: Level, a: i32) -> (i32, i32) {
    // a1 = ⌈a/128⌉, then a quotient by 2γ2/128, 1488 or 4092, through a multiplication. The last interval is the
    // first one again.
    let a1 = (a + 127) >> 7;
    let high = match level {
        Level::MlDsa44 => {
            let high = (a1 * 11_275 + (1 << 23)) >> 24;
            high ^ (((43 - high) >> 31) & high)
        }
        Level::MlDsa65 | Level::MlDsa87 => ((a1 * 1025 + (1 << 21)) >> 22) & 15,
    };
    let low = a - high * 2 * level.gamma2();
    (high, low - ((((Q - 1) >> 1) - low) >> 31 & Q))
}

/// HighBits (FIPS 204, Algorithm 37) of a number from 0 to q − 1.
#[inline(always)]
pub(crate) const fn high_bits(level: Level, a: i32) -> i32 {
    decompose(level, a).0
}

/// UseHint (FIPS 204, Algorithm 40) for a number from 0 to q − 1, which is public.
pub(crate) const fn use_hint_vartime(level: Level, hint: bool, a: i32) -> i32 {
    let (high, low) = decompose(level, a);
    let last = level.high_values() - 1;
    match (hint, low > 0) {
        (false, _) => high,
        (true, true) if high == last => 0,
        (true, true) => high + 1,
        (true, false) if high == 0 => last,
        (true, false) => high - 1,
    }
}

/// Returns whether the distance of a number from zero modulo q is at least `bound`, for public numbers.
pub(crate) const fn reaches_vartime(a: i32, bound: i32) -> bool {
    centered(a).abs() >= bound
}

#[cfg(test)]
#[allow(clippy::integer_division_remainder_used, reason = "the definitions, by division")]
mod tests {
    use super::*;

    fn centered_modulo(a: i32, modulus: i32) -> i32 {
        let a = a.rem_euclid(modulus);
        if a > modulus / 2 { a - modulus } else { a }
    }

    #[test]
    fn power2_round_of_every_number_is_the_definition() {
        for t in 0..Q {
            let low = centered_modulo(t, 1 << D);
            assert_eq!(power2_round(t), ((t - low) >> D, low));
        }
    }

    #[test]
    fn decompose_of_every_number_is_the_definition() {
        for level in [Level::MlDsa44, Level::MlDsa87] {
            let alpha = 2 * level.gamma2();
            for a in 0..Q {
                let low = centered_modulo(a, alpha);
                let expected =
                    if a - low == Q - 1 { (0, low - 1) } else { ((a - low) / alpha, low) };
                assert_eq!(decompose(level, a), expected, "{a}");
            }
        }
    }

    #[test]
    fn hints_turn_the_high_bits_by_one() {
        for level in Level::ALL {
            let m = level.high_values();
            assert_eq!(m, (Q - 1) / (2 * level.gamma2()));
            for a in (0..Q).step_by(997).chain([0, 1, Q - 1, Q - 2]) {
                let (high, low) = decompose(level, a);
                let turned = if low > 0 { high + 1 } else { high - 1 };
                assert_eq!(use_hint_vartime(level, true, a), turned.rem_euclid(m));
                assert_eq!(use_hint_vartime(level, false, a), high);
            }
        }
    }
}
