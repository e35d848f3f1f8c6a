//! Arithmetic modulo q = 2^23 − 2^13 + 1 (FIPS 204, Table 1), without branches on the numbers.

/// The modulus q.
pub(crate) const Q: i32 = 8_380_417;
/// q^-1 modulo 2^32.
pub(crate) const Q_INVERSE: i32 = 58_728_449;

/// a·2^-32 modulo q, between −q and q, for |a| < 2^31·q (FIPS 204, Algorithm 49).
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "the low half is wanted; the rest fits")]
pub(crate) const fn montgomery(a: i64) -> i32 {
    let t = (a as i32).wrapping_mul(Q_INVERSE);
    ((a - t as i64 * Q as i64) >> 32) as i32
}

/// The product of two numbers, times 2^-32 modulo q.
#[inline(always)]
pub(crate) const fn product(a: i32, b: i32) -> i32 {
    montgomery(a as i64 * b as i64)
}

/// The [`product`] of a number and a second one, whose `quotient`, its product with q^-1 modulo 2^32, is also
/// known.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "the high halves of products")]
pub(crate) const fn product_by(a: i32, b: i32, quotient: i32) -> i32 {
    // The low halves of a·b and t·q are equal.
    let t = a.wrapping_mul(quotient);
    ((a as i64 * b as i64) >> 32) as i32 - ((t as i64 * Q as i64) >> 32) as i32
}

/// An equal number modulo q, less than 6 283 009 away from zero, for |a| < 2^31 − 2^22.
#[inline(always)]
pub(crate) const fn reduced(a: i32) -> i32 {
    let quotient = (a + (1 << 22)) >> 23;
    a - quotient * Q
}

/// The equal number from 0 to q − 1, for |a| < 2^31 − 2^22.
#[inline(always)]
pub(crate) const fn canonical(a: i32) -> i32 {
    let a = reduced(a);
    a + ((a >> 31) & Q)
}

/// The equal number from −(q − 1)/2 to (q − 1)/2 (mod±), for |a| < 2^31 − 2^22.
#[inline(always)]
pub(crate) const fn centered(a: i32) -> i32 {
    let a = canonical(a);
    a - ((((Q - 1) >> 1) - a) >> 31 & Q)
}

#[cfg(test)]
#[allow(clippy::integer_division_remainder_used, reason = "the definitions, by division")]
mod tests {
    use super::*;

    /// The definitions, by division.
    fn modulo(a: i64) -> i64 {
        a.rem_euclid(i64::from(Q))
    }

    #[test]
    fn every_form_is_equal_modulo_q_and_in_its_range() {
        let last = i32::MAX - (1 << 22);
        let edges = [0, 1, 2, Q / 2, Q / 2 + 1, Q - 1, Q, Q + 1, 2 * Q, 6_283_009, last];
        let edges = edges.into_iter().flat_map(|a| [a, -a]);
        let spread = (0..100_000).map(|i: i32| i.wrapping_mul(1_640_531_527) >> 1);
        for a in edges.chain(spread) {
            let expected = modulo(a.into());
            assert_eq!(i64::from(canonical(a)), expected);
            assert_eq!(modulo(reduced(a).into()), expected);
            assert!(reduced(a).abs() <= 6_283_009);
            assert_eq!(modulo(centered(a).into()), expected);
            assert!(centered(a).abs() <= (Q - 1) / 2);
        }
    }

    #[test]
    fn montgomery_divides_by_2_to_the_32() {
        let limit = i64::from(Q) << 31;
        let spread = (0..100_000).map(|i: i64| i.wrapping_mul(0x1e37_79b9_7f4a_7c15) % limit);
        for a in spread.chain([0, 1, -1, limit - 1, 1 - limit]) {
            let b = montgomery(a);
            assert!(b.abs() < Q);
            assert_eq!(modulo(modulo(b.into()) << 32), modulo(a));
        }
    }
}
