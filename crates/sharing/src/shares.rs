//! Values of secret polynomials at small public places, in constant time in the coefficients.

use alloc::vec::Vec;

use quorate_curve::Curve;
use quorate_session::PartyId;
use zeroize::{Zeroize, Zeroizing};

use crate::small::{Modulus, Number, first, in_one_word, two_to_64};

/// The value at `x`, by Horner's rule on whole scalars.
pub(crate) fn horner<C: Curve>(coefficients: &[C::Scalar], x: u16) -> C::Scalar {
    let x = C::Scalar::from(u64::from(x));
    coefficients
        .iter()
        .rev()
        .fold(C::Scalar::default(), |value, coefficient| value * x + *coefficient)
}

/// The values at all `ids`, in their order.
pub(crate) fn evaluate_many<C: Curve>(
    coefficients: &[C::Scalar],
    ids: &[PartyId],
) -> Vec<C::Scalar> {
    several::<C>(coefficients, ids)
        .unwrap_or_else(|| ids.iter().map(|id| horner::<C>(coefficients, id.get())).collect())
}

/// The values at two ids or more, for orders of the lengths that are known. The coefficients are scaled first, at the
/// price of one Horner evaluation.
fn several<C: Curve>(coefficients: &[C::Scalar], ids: &[PartyId]) -> Option<Vec<C::Scalar>> {
    match (C::ORDER.len(), ids) {
        (_, [] | [_]) => None,
        (4, _) => in_blocks::<C, 4>(coefficients, ids),
        (7, _) => in_blocks::<C, 7>(coefficients, ids),
        _ => None,
    }
}

/// Horner's rule on blocks of k coefficients: y = xᵏ is still one word, and the reductions are one
/// for each block.
///
/// The step for block i (counted from the constant) is followed by i more, so each of its terms
/// loses the factor 2^(64(i+1)), with which its coefficients are multiplied beforehand: once for
/// all places.
fn in_blocks<C: Curve, const L: usize>(
    coefficients: &[C::Scalar],
    ids: &[PartyId],
) -> Option<Vec<C::Scalar>> {
    let modulus = Modulus::<L>::new(C::ORDER)?;
    let block = in_one_word(ids.iter().max()?.get());
    let scaled = scale_blocks::<C, L>(coefficients, block);
    let mut values = Vec::with_capacity(ids.len());
    let mut powers = Vec::with_capacity(block);
    for id in ids {
        let x = u64::from(id.get());
        powers.clear();
        let mut y = 1u64;
        for _ in 0..block {
            powers.push(y);
            y = y.wrapping_mul(x); // never above 2^63, by the choice of the block
        }
        let mut value = Number::ZERO;
        for numbers in scaled.chunks(block).rev() {
            value = modulus.step(&value, y, numbers, &powers);
        }
        let mut limbs = modulus.canonical(&value);
        values.push(C::scalar_from_limbs(&limbs));
        value.zeroize();
        limbs.zeroize();
    }
    Some(values)
}

/// The limbs of the coefficients, those of block i multiplied by 2^(64(i+1)).
fn scale_blocks<C: Curve, const L: usize>(
    coefficients: &[C::Scalar],
    block: usize,
) -> Zeroizing<Vec<[u64; L]>> {
    let word = two_to_64::<C>();
    let mut factor = C::Scalar::from(1);
    let mut scaled = Zeroizing::new(Vec::with_capacity(coefficients.len()));
    for numbers in coefficients.chunks(block) {
        factor = factor * word;
        for number in numbers {
            let mut product = factor * *number;
            let mut limbs = C::scalar_limbs(&product);
            scaled.push(first(&limbs));
            product.zeroize();
            limbs.zeroize();
        }
    }
    scaled
}

#[cfg(test)]
mod tests {
    use quorate_curve::{Ed448, Ed25519, P256, Secp256k1};

    use super::*;

    /// Every curve has the fast way, for more than one id; it agrees with Horner's rule.
    #[test]
    fn several_ids_go_in_blocks() {
        fn check<C: Curve>() {
            let coefficients: Vec<C::Scalar> = (3..40u64).map(C::Scalar::from).collect();
            let ids = [1, 2, u16::MAX].map(|number| PartyId::new(number).unwrap());
            let expected: Vec<_> =
                ids.iter().map(|id| horner::<C>(&coefficients, id.get())).collect();
            assert!(several::<C>(&coefficients, &ids) == Some(expected));
            assert!(several::<C>(&coefficients, &ids[..1]).is_none());
            assert!(several::<C>(&coefficients, &[]).is_none());
        }
        check::<Ed25519>();
        check::<Ed448>();
        check::<P256>();
        check::<Secp256k1>();
    }
}
