//! The constants of a modulus, made once for each.

use super::super::block::{Block, words, words_mut};
use super::super::float::{HIGH, LOW, MASK, POSITIVE, RADIX};
use super::super::fma::split::{V, float};
use super::super::fma::vectors_mut;

/// More than the columns below the one under the cut can be worth in units of it.
const REST: u64 = 1 << 10;

/// The vectors of the constants of a modulus of `size` vectors.
pub(super) const fn constants_len(size: usize) -> usize {
    8 * size + 1
}

/// The constants of a modulus.
#[derive(Clone, Copy)]
pub(super) struct Under<'a> {
    /// The modulus as `f64`.
    pub(super) n: &'a [V],
    /// -1 / N modulo R as `f64`.
    pub(super) k: &'a [V],
    /// What the columns of a product start at: those of its lower half, and those of its upper half with a reduction's.
    pub(super) product: [&'a [V]; 2],
    /// The same for a square.
    pub(super) square: [&'a [V]; 2],
    /// The same for the sum of two products.
    pub(super) both: [&'a [V]; 2],
    /// The same for the column of a reduction that is under the cut, in the highest lane.
    pub(super) edge: V,
}

impl<'a> Under<'a> {
    /// What [`constants`] wrote for a modulus of `size` vectors.
    #[inline]
    pub(super) fn new(constants: &'a [V], size: usize) -> Option<Self> {
        let (parts, edge) = constants.split_at_checked(8 * size)?;
        let mut parts = parts.chunks_exact(size);
        let mut next = || parts.next();
        let (n, k) = (next()?, next()?);
        let (product, square) = ([next()?, next()?], [next()?, next()?]);
        Some(Self { n, k, product, square, both: [next()?, next()?], edge: *edge.first()? })
    }
}

/// Writes the constants of the modulus whose limbs are the words of `n`, from -1 / N modulo 2^51.
#[target_feature(enable = "avx2,fma")]
pub(super) fn constants(out: &mut [Block], n: &[u64], k0: u64) {
    let (limbs, size) = (n.len(), n.len() >> 2);
    let (modulus, rest) = words_mut(out).split_at_mut(limbs);
    let (k, columns) = rest.split_at_mut(limbs);
    modulus.copy_from_slice(n);
    inverse(k, n, k0);
    // Products of a vector by a vector in each vector of columns: of a square those of different ones are made once.
    let product = |at: usize| (at + 1).min(2 * size - 1 - at);
    let square = |at: usize| if at < size { (at >> 1) + 1 } else { size - ((at + 1) >> 1) };
    let (lower, upper) = (0..limbs, limbs..2 * limbs);
    let words = starts(lower.clone(), product)
        .chain(starts(upper.clone(), |at| 2 * product(at)))
        .chain(starts(lower.clone(), square))
        .chain(starts(upper.clone(), |at| square(at) + product(at)))
        .chain(starts(lower, |at| 2 * product(at)))
        .chain(starts(upper, |at| 3 * product(at)))
        .chain(
            (limbs - 4..limbs)
                .map(|column| (POSITIVE + REST).wrapping_sub(patterns(column, product))),
        );
    for (column, word) in columns.iter_mut().zip(words) {
        *column = word;
    }
    for number in vectors_mut(out).iter_mut().take(2 * size) {
        *number = float(*number);
    }
}

/// The words at which these columns start: all are positive. The first after a cut gets what is too much in the one
/// below, and in the one under the cut.
fn starts(
    columns: core::ops::Range<usize>,
    pairs: impl Fn(usize) -> usize,
) -> impl Iterator<Item = u64> {
    let first = columns.start;
    columns.map(move |column| {
        let below = if column > first {
            1
        } else if first > 0 {
            2
        } else {
            0
        };
        let handed = below * (POSITIVE >> RADIX);
        (POSITIVE - handed).wrapping_sub(patterns(column, &pairs))
    })
}

/// The sum of the patterns of zeros in a column: of the low parts of the products that lie there, and of the high parts of
/// those that lie in the one below.
fn patterns(column: usize, pairs: impl Fn(usize) -> usize) -> u64 {
    let low = products(column, &pairs).wrapping_mul(LOW);
    let high = column.checked_sub(1).map_or(0, |below| products(below, &pairs));
    low.wrapping_add(high.wrapping_mul(HIGH))
}

/// The number of products of limbs whose low parts lie in a column. Of the products of a vector by a vector, lane `l` has
/// `l + 1`, and lane `l` of the vector above has `3 - l`.
fn products(column: usize, pairs: impl Fn(usize) -> usize) -> u64 {
    let (at, lane) = (column >> 2, column & 3);
    let below = at.checked_sub(1).map_or(0, &pairs);
    (pairs(at) * (lane + 1) + below * (3 - lane)) as u64
}

/// `out` = -1 / N mod R, limb by limb from the lowest: each makes one more limb of 1 + K N vanish.
fn inverse(out: &mut [u64], n: &[u64], k0: u64) {
    out.fill(0);
    // The digits made so far are in place; the limbs of 1 + K N still to vanish are above them.
    if let Some(lowest) = out.first_mut() {
        *lowest = 1;
    }
    let Some((&n0, above)) = n.split_first() else { return };
    for at in 0..out.len() {
        let Some((here, limbs)) = out.get_mut(at..).and_then(<[u64]>::split_first_mut) else {
            return;
        };
        let digit = here.wrapping_mul(k0) & MASK;
        let mut carry = (u128::from(*here) + u128::from(digit) * u128::from(n0)) >> RADIX;
        *here = digit;
        for (limb, &n) in limbs.iter_mut().zip(above) {
            let sum = u128::from(*limb) + u128::from(digit) * u128::from(n) + carry;
            *limb = u64::try_from(sum & u128::from(MASK)).unwrap_or(0);
            carry = sum >> RADIX;
        }
    }
}

/// The words of a number of `limbs` limbs.
pub(super) fn limbs_of(number: &[Block], limbs: usize) -> &[u64] {
    words(number).get(..limbs).unwrap_or_default()
}
