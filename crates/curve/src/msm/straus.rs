//! Straus' interleaving: one chain of doublings for all terms, and for each term a table of odd
//! multiples and the width-5 non-adjacent form of its integer.
//!
//! E. G. Straus, "Addition chains of vectors", American Mathematical Monthly 71 (1964).

use alloc::vec;
use alloc::vec::Vec;

use super::accumulator::Accumulator;
use super::affine;
use super::terms::{Term, most_bits, window};
use super::weierstrass::{Affine, Extended, Weierstrass};
use crate::Curve;

/// Width of the form: digits are odd, below 2^4 in size, and at least this far apart.
const WIDTH: u32 = 5;

/// From this many terms on, eight shared inversions are cheaper than none. Measured.
const AFFINE_TABLES_FROM: usize = 12;

/// Any curve with the backend's own arithmetic.
struct Plain<C: Curve>(C::Point);

impl<C: Curve> Accumulator for Plain<C> {
    type Entry = C::Point;

    fn zero() -> Self {
        Self(C::identity())
    }

    fn double(&mut self) {
        self.0 = C::double(&self.0);
    }

    fn add(&mut self, entry: &C::Point, negative: bool) {
        self.0 = if negative { self.0 - *entry } else { self.0 + *entry };
    }
}

/// The sum of all terms.
pub(crate) fn sum<C: Curve>(terms: &[Term<C::Point>]) -> C::Point {
    let tables: Vec<[C::Point; 8]> = terms
        .iter()
        .map(|term| odd_multiples(term.point, C::double(&term.point), |a, b| a + b))
        .collect();
    interleaved::<_, Plain<C>>(terms, &tables).0
}

/// The sum of all terms on a Weierstrass curve; `points` are the terms' points.
pub(crate) fn sum_weierstrass<C: Weierstrass>(
    terms: &[Term<C::Point>],
    points: Vec<Affine<C>>,
) -> Extended<C> {
    let tables =
        if points.len() < AFFINE_TABLES_FROM { few_tables(&points) } else { many_tables(points) };
    interleaved::<_, Extended<C>>(terms, &tables)
}

/// The first, and seven times the sum of the last and `twice`.
fn odd_multiples<P: Copy>(point: P, twice: P, plus: impl Fn(P, P) -> P) -> [P; 8] {
    let mut last = point;
    let mut table = [point; 8];
    for entry in table.iter_mut().skip(1) {
        last = plus(last, twice);
        *entry = last;
    }
    table
}

/// Odd multiples without inversions, then all normalised by one.
fn few_tables<C: Weierstrass>(points: &[Affine<C>]) -> Vec<[Affine<C>; 8]> {
    let multiples: Vec<Extended<C>> = points
        .iter()
        .flat_map(|point| {
            let point = Extended::from(*point);
            odd_multiples(point, point.doubled(), |a, b| a.plus(&b))
        })
        .collect();
    affine::normalise(&multiples).as_chunks().0.to_vec()
}

/// Odd multiples of all points at once, with one inversion for each of the eight steps.
fn many_tables<C: Weierstrass>(points: Vec<Affine<C>>) -> Vec<[Affine<C>; 8]> {
    let twice = affine::sums(&points, &points);
    let mut tables: Vec<[Affine<C>; 8]> = points.iter().map(|point| [*point; 8]).collect();
    let mut last = points;
    for step in 1..8 {
        last = affine::sums(&last, &twice);
        for (table, multiple) in tables.iter_mut().zip(&last) {
            if let Some(entry) = table.get_mut(step) {
                *entry = *multiple;
            }
        }
    }
    tables
}

/// A digit other than zero. Four bytes for each half: with less room, less is asked of the system.
struct Digit {
    position: u32,
    /// The place among the entries of all tables, twice, plus one for a negative digit.
    entry: u32,
}

/// The digits of all terms, and their number at each position.
fn digits<P>(terms: &[Term<P>]) -> (Vec<Digit>, Vec<usize>) {
    // A carry may lengthen the form by one digit.
    let positions = usize::try_from(most_bits(terms)).unwrap_or(0) + 1;
    let mut counts = vec![0usize; positions];
    let bits: usize = terms.iter().map(|term| usize::try_from(term.bits()).unwrap_or(0)).sum();
    // One digit in six bits on the average.
    let mut digits: Vec<Digit> = Vec::with_capacity(((bits * 11) >> 6) + 2 * terms.len());
    for (term, Term { limbs, .. }) in (0u32..).step_by(16).zip(terms) {
        non_adjacent(limbs, WIDTH, |position, digit| {
            if let Some(count) = usize::try_from(position).ok().and_then(|at| counts.get_mut(at)) {
                *count += 1;
                // Of the size, the lowest bit is always set.
                let entry = term + u32::from(digit.unsigned_abs() & !1) + u32::from(digit < 0);
                digits.push(Digit { position, entry });
            }
        });
    }
    (digits, counts)
}

/// The digits of all terms in the order of their positions.
pub(crate) struct Digits {
    /// The number of digits at each position, the lowest first.
    pub(crate) counts: Vec<usize>,
    /// For each digit the place of its multiple among the entries of all tables of eight odd multiples, twice, plus one
    /// for a negative digit.
    pub(crate) entries: Vec<u32>,
}

impl Digits {
    pub(crate) fn new<P>(terms: &[Term<P>]) -> Self {
        let (digits, counts) = digits(terms);
        // In the order of positions: a walk over all terms would mispredict where the zeros are.
        let mut starts = starts(&counts);
        let mut entries = vec![0u32; digits.len()];
        for Digit { position, entry } in digits {
            if let Some(start) = usize::try_from(position).ok().and_then(|at| starts.get_mut(at)) {
                if let Some(slot) = entries.get_mut(*start) {
                    *slot = entry;
                }
                *start += 1;
            }
        }
        Self { counts, entries }
    }
}

/// The sums of the counts before each.
fn starts(counts: &[usize]) -> Vec<usize> {
    counts.iter().scan(0, |end, count| Some(core::mem::replace(end, *end + *count))).collect()
}

/// The sum of all terms, with the odd multiples of their points.
pub(super) fn interleaved<P, A: Accumulator>(terms: &[Term<P>], tables: &[[A::Entry; 8]]) -> A {
    let Digits { counts, entries: digits } = Digits::new(terms);
    let entries = tables.as_flattened();
    let mut sum = A::zero();
    let mut rest = digits.as_slice();
    for count in counts.iter().rev() {
        sum.double();
        let (others, now) = rest.split_at(rest.len().saturating_sub(*count));
        rest = others;
        for entry in now {
            let place = usize::try_from(entry >> 1).ok();
            if let Some(multiple) = place.and_then(|place| entries.get(place)) {
                sum.add(multiple, entry & 1 == 1);
            }
        }
    }
    sum
}

/// Gives every non-zero digit of the non-adjacent form of this width, at most 8, to `put`, with its
/// position.
pub(crate) fn non_adjacent(limbs: &[u64; 8], width: u32, mut put: impl FnMut(u32, i8)) {
    let mut position = 0;
    let mut carry = 0;
    while position < 512 {
        // Zero digits: zeros, or with a carry ones, which the carry moves through.
        let ahead = window(limbs, position, 32);
        let zeros = if carry == 0 { ahead.trailing_zeros() } else { ahead.trailing_ones() };
        position += zeros;
        if zeros > 32 - width {
            continue;
        }
        let value = ((ahead >> zeros) & ((1 << width) - 1)) + carry;
        let half = 1 << (width - 1);
        carry = u32::from(value > half);
        let digit = i64::from(value) - (i64::from(carry) << width);
        put(position, i8::try_from(digit).unwrap_or(0));
        position += width;
    }
}
