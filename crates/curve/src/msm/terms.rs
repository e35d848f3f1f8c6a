//! The terms of a sum, each with the shorter of its scalar and its negative.

use alloc::vec::Vec;

use crate::Curve;

/// One product: a positive integer, at most half the order where possible, and a point.
pub(crate) struct Term<P> {
    pub(crate) limbs: [u64; 8],
    pub(crate) point: P,
}

impl<P> Term<P> {
    /// Number of bits of the integer, without leading zeros.
    pub(crate) fn bits(&self) -> u32 {
        bits(&self.limbs)
    }

    /// The term with its point in other coordinates.
    pub(crate) fn map<Q>(self, into: impl Fn(P) -> Q) -> Term<Q> {
        Term { limbs: self.limbs, point: into(self.point) }
    }
}

/// The terms that are not zero. Variable time.
pub(crate) fn nonzero_terms<C: Curve>(
    scalars: &[C::Scalar],
    points: &[C::Point],
) -> Vec<Term<C::Point>> {
    // The terms are not collected, since that would grow in steps, and end with room for twice as
    // many.
    let mut terms = Vec::with_capacity(scalars.len().min(points.len()));
    for (scalar, point) in scalars.iter().zip(points) {
        let limbs = C::scalar_limbs(scalar);
        let negative = C::scalar_limbs(&-*scalar);
        if limbs == [0; 8] || C::is_identity(point) {
            continue;
        }
        if bits(&negative) < bits(&limbs) {
            terms.push(Term { limbs: negative, point: -*point });
        } else {
            terms.push(Term { limbs, point: *point });
        }
    }
    terms
}

/// Number of bits of the largest integer.
pub(crate) fn most_bits<P>(terms: &[Term<P>]) -> u32 {
    terms.iter().map(Term::bits).max().unwrap_or(0)
}

/// `width` bits of `limbs` from bit `position` on; zero beyond the end. `width` is at most 32.
pub(crate) fn window(limbs: &[u64; 8], position: u32, width: u32) -> u32 {
    let limb = |index: u32| {
        usize::try_from(index).ok().and_then(|index| limbs.get(index)).map_or(0, |limb| *limb)
    };
    let index = position >> 6;
    let both = (u128::from(limb(index + 1)) << 64) | u128::from(limb(index));
    let mask = (1u128 << width) - 1;
    u32::try_from((both >> (position & 63)) & mask).unwrap_or(0)
}

/// Number of bits of an integer, without leading zeros.
pub(crate) fn bits(limbs: &[u64; 8]) -> u32 {
    limbs
        .iter()
        .rev()
        .zip((0u32..8).rev())
        .find(|(limb, _)| **limb != 0)
        .map_or(0, |(limb, index)| 64 * index + 64 - limb.leading_zeros())
}
