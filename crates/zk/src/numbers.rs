//! Scalars as integers and integers as scalars.

use alloc::vec::Vec;

use quorate_bignum::{Integer, Modulus, Natural, SecretInteger, SecretNatural};
use quorate_curve::Curve;
use subtle::{Choice, ConditionallySelectable};
use zeroize::{Zeroize, Zeroizing};

/// The integer of `[-(q-1)/2, (q-1)/2]` with this residue, as which a scalar is encrypted. Constant time.
#[must_use]
pub fn centred<C: Curve>(scalar: &C::Scalar) -> SecretInteger {
    let limbs = |scalar: &C::Scalar| Zeroizing::new(C::scalar_limbs(scalar));
    // q is odd, so twice a residue comes out odd exactly if it passes q.
    let doubled = limbs(&(*scalar + *scalar));
    let above = Choice::from(u8::from(doubled.first().is_some_and(|low| low & 1 == 1)));
    let (positive, negative) = (limbs(scalar), limbs(&-*scalar));
    let mut bytes = Zeroizing::new(Vec::with_capacity(8 * C::ORDER.len()));
    for (p, n) in positive.iter().zip(negative.iter()).take(C::ORDER.len()).rev() {
        bytes.extend_from_slice(&u64::conditional_select(p, n, above).to_be_bytes());
    }
    SecretInteger::new(above, SecretNatural::from_be_bytes(&bytes))
}

/// The residue of an integer modulo the order of the curve. Constant time.
#[must_use]
pub fn scalar<C: Curve>(value: &SecretInteger) -> C::Scalar {
    let magnitude = from_bytes::<C>(&value.magnitude().to_be_bytes());
    // 1 or -1.
    let negative = C::Scalar::from(u64::from(value.is_negative().unwrap_u8()));
    magnitude * (C::Scalar::from(1) - negative - negative)
}

/// The residue of a public integer modulo the order of the curve. Variable time.
pub(crate) fn scalar_of_public<C: Curve>(value: &Integer) -> C::Scalar {
    let magnitude = value.magnitude();
    let len = magnitude.bits().div_ceil(8) as usize;
    let scalar = from_bytes::<C>(&magnitude.to_be_bytes(len).unwrap_or_default());
    if value.is_negative() { -scalar } else { scalar }
}

/// Big-endian bytes of any length modulo the order, 512 bits at a time.
fn from_bytes<C: Curve>(bytes: &[u8]) -> C::Scalar {
    let half = C::scalar_from_limbs(&[0, 0, 0, 0, 1, 0, 0, 0]);
    let radix = half * half;
    bytes.rchunks(64).rev().fold(C::Scalar::default(), |sum, chunk| {
        let mut limbs = [0u64; 8];
        for (limb, bytes) in limbs.iter_mut().zip(chunk.rchunks(8)) {
            *limb = bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
        }
        let out = sum * radix + C::scalar_from_limbs(&limbs);
        limbs.zeroize();
        out
    })
}

/// One, as an exponent.
pub(crate) fn once() -> Integer {
    Integer::from(Natural::one())
}

/// `base^exponent` as a power without a sign: under known factors a negative exponent would be as long as the order.
pub(crate) fn unsigned(
    modulus: &Modulus,
    base: &Natural,
    exponent: &Integer,
) -> Result<(Natural, Integer), quorate_bignum::Error> {
    let base = if exponent.is_negative() { modulus.inverse(base)? } else { base.clone() };
    Ok((base, Integer::from(exponent.magnitude().clone())))
}

#[cfg(test)]
mod tests {
    use quorate_curve::{P256, Secp256k1};

    use super::*;

    /// The ends of the interval: ±1, and ±1/2, which are ∓(q − 1)/2.
    #[test]
    fn integers_of_scalars_are_centred() {
        fn check<C: Curve>() {
            let one = C::Scalar::from(1);
            let half = C::invert(&C::Scalar::from(2));
            let of = |scalar: C::Scalar| centred::<C>(&scalar).declassify();
            assert_eq!(of(one), once());
            assert_eq!(of(-one), once().neg());
            assert_eq!(of(half), of(-half).neg());
            assert!(of(half).is_negative() && !of(-half).is_negative());
            assert_eq!(of(C::Scalar::default()), Integer::zero());
        }
        check::<Secp256k1>();
        check::<P256>();
    }
}
