//! The products of differences, a word at a time.
//!
//! Differences of ids are at most 16 bits, so several of them are multiplied as plain words before
//! a number modulo the order is touched. Each step divides by 2⁶⁴: all products over one list of ids
//! take the same steps, so the quotient of two of them is free of these divisions.

use alloc::vec::Vec;

use quorate_curve::{Curve, batch_invert};
use quorate_session::PartyId;

use crate::small::{Modulus, Number, in_one_word};

/// The coefficients at `x` of all `ids`, which are distinct and other than `x`.
pub(super) fn all<C: Curve>(ids: &[PartyId], x: u16) -> Option<Vec<C::Scalar>> {
    let numbers: Vec<u16> = ids.iter().map(|id| id.get()).collect();
    let (numerator, mut coefficients) = match C::ORDER.len() {
        4 => in_words::<C, 4>(&numbers, x)?,
        7 => in_words::<C, 7>(&numbers, x)?,
        _ => in_scalars::<C>(&numbers, x),
    };
    batch_invert::<C>(&mut coefficients)?;
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    let below_x = sorted.partition_point(|id| *id < x);
    for (coefficient, id) in coefficients.iter_mut().zip(&numbers) {
        // (x − xⱼ)/(xᵢ − xⱼ) is negative if and only if xⱼ lies between x and xᵢ.
        let below = sorted.partition_point(|other| other < id);
        let between = if below < below_x { below_x - below - 1 } else { below - below_x };
        let value = numerator * *coefficient;
        *coefficient = if between & 1 == 1 { -value } else { value };
    }
    Some(coefficients)
}

/// The coefficient at zero of `me` among `ids`, which are distinct.
pub(super) fn one<C: Curve>(ids: &[PartyId], me: PartyId) -> Option<C::Scalar> {
    let numbers: Vec<u16> = ids.iter().map(|id| id.get()).collect();
    let me = me.get();
    let (numerator, denominator) = match C::ORDER.len() {
        4 => one_in_words::<C, 4>(&numbers, me)?,
        7 => one_in_words::<C, 7>(&numbers, me)?,
        _ => (
            scalar_product::<C>(&numbers, |id| except(id, me)),
            scalar_product::<C>(&numbers, difference(me, 1)),
        ),
    };
    let value = numerator * C::invert(&denominator);
    let below = numbers.iter().filter(|id| **id < me).count();
    Some(if below & 1 == 1 { -value } else { value })
}

/// The distance of an id from `me`; for `me` itself, `other` instead.
fn difference(me: u16, other: u16) -> impl Fn(u16) -> u64 {
    move |id| u64::from(if id == me { other } else { id.abs_diff(me) })
}

/// The id; for `me` itself 1 instead.
fn except(id: u16, me: u16) -> u64 {
    u64::from(if id == me { 1 } else { id })
}

/// Π |x − xⱼ| over all j, and for each i |x − xᵢ|·Π |xᵢ − xⱼ| over the others, all with the same factor, a power of
/// 2⁻⁶⁴: the one divided by the other is the coefficient of i but for its sign.
fn in_words<C: Curve, const L: usize>(ids: &[u16], x: u16) -> Option<(C::Scalar, Vec<C::Scalar>)> {
    let words = Words::<L>::new::<C>(ids, x)?;
    let numerator = words.product(ids, |id| u64::from(id.abs_diff(x)));
    let mut denominators = Vec::with_capacity(ids.len());
    let (pairs, last) = ids.as_chunks::<2>();
    for pair in pairs {
        let products = words.differences(ids, pair.map(|id| (id, id.abs_diff(x))));
        denominators.extend(products.map(|product| words.scalar::<C>(&product)));
    }
    for id in last {
        let [product] = words.differences(ids, [(*id, id.abs_diff(x))]);
        denominators.push(words.scalar::<C>(&product));
    }
    Some((words.scalar::<C>(&numerator), denominators))
}

/// [`in_words`] for orders of a length that has no kernel here.
fn in_scalars<C: Curve>(ids: &[u16], x: u16) -> (C::Scalar, Vec<C::Scalar>) {
    let denominators =
        ids.iter().map(|id| scalar_product::<C>(ids, difference(*id, id.abs_diff(x))));
    (scalar_product::<C>(ids, |id| u64::from(id.abs_diff(x))), denominators.collect())
}

/// Π xⱼ and Π |me − xⱼ| over the others, both with the same factor as in [`in_words`].
fn one_in_words<C: Curve, const L: usize>(ids: &[u16], me: u16) -> Option<(C::Scalar, C::Scalar)> {
    let words = Words::<L>::new::<C>(ids, 0)?;
    let numerator = words.product(ids, |id| except(id, me));
    let [denominator] = words.differences(ids, [(me, 1)]);
    Some((words.scalar::<C>(&numerator), words.scalar::<C>(&denominator)))
}

fn scalar_product<C: Curve>(ids: &[u16], factor: impl Fn(u16) -> u64) -> C::Scalar {
    ids.iter().fold(C::Scalar::from(1), |product, id| product * C::Scalar::from(factor(*id)))
}

/// The values common to all products over one list of ids.
struct Words<const L: usize> {
    modulus: Modulus<L>,
    /// The number of factors that make a word.
    group: usize,
    one: Number<L>,
}

impl<const L: usize> Words<L> {
    /// For factors up to the largest of `ids` and `x`.
    fn new<C: Curve>(ids: &[u16], x: u16) -> Option<Self> {
        let modulus = Modulus::new(C::ORDER)?;
        let group = in_one_word(ids.iter().copied().max().unwrap_or(1).max(x));
        Some(Self { modulus, group, one: Number::new(&C::scalar_limbs(&C::Scalar::from(1))) })
    }

    /// Π factor(id) without the powers of 2⁶⁴ that its steps divide by, below three times the order.
    #[inline(always)]
    fn product(&self, ids: &[u16], factor: impl Fn(u16) -> u64) -> Number<L> {
        ids.chunks(self.group).fold(self.one, |product, chunk| {
            let word = chunk.iter().fold(1u64, |word, id| word.wrapping_mul(factor(*id)));
            self.modulus.scale(&product, word)
        })
    }

    /// For each (me, other): the product of [`difference`] over all ids.
    ///
    /// Several at once because one alone would wait for the carries of its own steps.
    #[inline(always)]
    fn differences<const W: usize>(&self, ids: &[u16], of: [(u16, u16); W]) -> [Number<L>; W] {
        let mut products = [self.one; W];
        for chunk in ids.chunks(self.group) {
            for (product, (me, other)) in products.iter_mut().zip(of) {
                // With signs, which are left out afterwards, and zero if `me` is in the chunk: that
                // spares a choice for each factor.
                let signed =
                    |word: i64, id: &u16| word.wrapping_mul(i64::from(*id) - i64::from(me));
                let mut word = chunk.iter().fold(1, signed).unsigned_abs();
                if word == 0 {
                    let factor = difference(me, other);
                    word = chunk.iter().fold(1, |word: u64, id| word.wrapping_mul(factor(*id)));
                }
                *product = self.modulus.scale(product, word);
            }
        }
        products
    }

    fn scalar<C: Curve>(&self, number: &Number<L>) -> C::Scalar {
        C::scalar_from_limbs(&self.modulus.canonical(number))
    }
}

#[cfg(test)]
mod tests {
    use quorate_curve::{Ed448, Ed25519, P256, Secp256k1};

    use super::*;

    /// The values by words and by scalars agree; each coefficient is a numerator by its denominator.
    #[test]
    fn words_agree_with_scalars() {
        fn check<C: Curve, const L: usize>() {
            let quotients = |(numerator, denominators): (C::Scalar, Vec<C::Scalar>)| {
                denominators.iter().map(|one| numerator * C::invert(one)).collect::<Vec<_>>()
            };
            let ids: Vec<u16> = [1, 2, 5, 9, 300, 301, 65535].into();
            for (count, x) in [(1, 0), (2, 0), (7, 0), (7, 4), (6, 65535)] {
                let ids = ids.get(..count).unwrap();
                let by_words = quotients(in_words::<C, L>(ids, x).unwrap());
                assert!(by_words == quotients(in_scalars::<C>(ids, x)));
            }
        }
        check::<Ed25519, 4>();
        check::<Secp256k1, 4>();
        check::<P256, 4>();
        check::<Ed448, 7>();
    }
}
