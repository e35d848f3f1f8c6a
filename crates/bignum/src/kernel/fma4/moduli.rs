//! The moduli of a list with their constants, and what products and reductions share.

use super::super::float::starts;
use super::super::fma::split::{V, add, floats, splat};

/// The constants of a modulus: its limbs as `f64`, and the columns at which a product, a square and the sum of two products
/// start.
pub(super) const fn constants_len(limbs: usize) -> usize {
    7 * limbs
}

/// Writes the constants of the modulus `n`.
#[target_feature(enable = "avx2,fma")]
pub(super) fn constants(out: &mut [V], n: &[V]) {
    let limbs = n.len();
    let (floated, columns) = out.split_at_mut(limbs);
    floats(floated, n);
    let words = starts(limbs, 1, |column| column + 1)
        .chain(starts(limbs, 1, |column| (column >> 1) + 1))
        .chain(starts(limbs, 2, |column| column + 1));
    for (column, word) in columns.iter_mut().zip(words) {
        *column = splat(word);
    }
}

/// The constants of the moduli of a list.
#[derive(Clone, Copy)]
pub(super) struct Under<'a> {
    /// The moduli as `f64`.
    pub(super) n: &'a [V],
    /// The columns at which a product, a square and the sum of two products start.
    pub(super) starts: [&'a [V]; 3],
    /// -1/n modulo 2^51.
    pub(super) k0: V,
}

impl<'a> Under<'a> {
    /// What [`constants`] wrote for moduli of `limbs` limbs.
    pub(super) fn new(constants: &'a [V], limbs: usize, k0: V) -> Self {
        let (n, starts) = constants.split_at(limbs);
        let (product, starts) = starts.split_at(2 * limbs);
        let (square, starts) = starts.split_at(2 * limbs);
        Self { n, starts: [product, square, &starts[..2 * limbs]], k0 }
    }
}

/// Rows to take first, so that the others are taken in fours.
pub(super) const fn first_rows(limbs: usize) -> usize {
    ((limbs - 1) & 3) + 1
}

/// Adds the parts of a product at a column.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) fn add_at(t: &mut [V], column: usize, (low, high): (V, V)) {
    t[column] = add(t[column], low);
    t[column + 1] = add(t[column + 1], high);
}
