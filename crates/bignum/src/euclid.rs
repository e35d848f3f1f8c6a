//! Greatest common divisors, inverses and Jacobi symbols of public numbers.

use crypto_bigint::{Odd, Resize};

use crate::Natural;

/// The greatest common divisor.
pub(crate) fn gcd_vartime(a: &Natural, b: &Natural) -> Natural {
    let (mut x, mut y) = (a.clone(), b.clone());
    while let Some((_, rest)) = x.div_rem(&y) {
        (x, y) = (y, rest);
    }
    x
}

/// The inverse of `a` modulo an odd `n > 1`, if they have no common factor.
pub(crate) fn inverse_vartime(a: &Natural, n: &Natural) -> Option<Natural> {
    let bits = n.bits().max(a.bits());
    let odd = Odd::new(n.as_uint().clone().resize_unchecked(bits)).into_option()?;
    let a = a.as_uint().clone().resize_unchecked(bits);
    a.invert_odd_mod_vartime(&odd).into_option().map(Natural::new)
}

/// The Jacobi symbol `(a / n)` for an odd `n`.
pub(crate) fn jacobi_vartime(a: &Natural, n: &Natural) -> i8 {
    let (mut a, mut n, mut sign) = (a.clone(), n.clone(), 1i8);
    while !a.is_zero() {
        let twos = (0..a.bits()).find(|&k| a.bit(k)).unwrap_or(0);
        a = a.shr(twos);
        // (2 / n) = -1 where n = 3, 5 mod 8; reciprocity flips where both are 3 mod 4.
        if twos & 1 == 1 && n.bit(1) != n.bit(2) {
            sign = -sign;
        }
        if a.bit(1) && n.bit(1) {
            sign = -sign;
        }
        let Some((_, rest)) = n.div_rem(&a) else { return 0 };
        (n, a) = (a, rest);
    }
    if n == Natural::one() { sign } else { 0 }
}
