//! Straus' interleaving: one chain of doublings for all terms, and for each term a table of odd
//! multiples and the width-5 non-adjacent form of its integer.
//!
//! E. G. Straus, "Addition chains of vectors", American Mathematical Monthly 71 (1964).

use alloc::vec;
use alloc::vec::Vec;

use super::affine;
use super::terms::{Term, most_bits, window};
use super::weierstrass::{Affine, Extended, Weierstrass};
use crate::Curve;

/// Width of the form: digits are odd, below 2^4 in size, and at least this far apart.
const WIDTH: u32 = 5;

/// From this many terms on, eight shared inversions are cheaper than none. Measured.
const AFFINE_TABLES_FROM: usize = 12;

/// A sum in the making.
pub(crate) trait Accumulator: Sized {
    /// What is added to it.
    type Entry;
    fn zero() -> Self;
    fn double(&mut self);
    fn add(&mut self, entry: &Self::Entry);
    fn subtract(&mut self, entry: &Self::Entry);
}

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

    fn add(&mut self, entry: &C::Point) {
        self.0 = self.0 + *entry;
    }

    fn subtract(&mut self, entry: &C::Point) {
        self.0 = self.0 - *entry;
    }
}

/// The sum of all terms.
pub(crate) fn sum<C: Curve>(terms: &[Term<C>]) -> C::Point {
    let tables: Vec<[C::Point; 8]> = terms
        .iter()
        .map(|term| odd_multiples(term.point, C::double(&term.point), |a, b| a + b))
        .collect();
    interleaved::<C, Plain<C>>(terms, &tables).0
}

/// The sum of all terms on a Weierstrass curve; `points` are the terms' points.
pub(crate) fn sum_weierstrass<C: Weierstrass>(
    terms: &[Term<C>],
    points: Vec<Affine<C>>,
) -> Extended<C> {
    let tables =
        if points.len() < AFFINE_TABLES_FROM { few_tables(&points) } else { many_tables(points) };
    interleaved::<C, Extended<C>>(terms, &tables)
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

/// The sum of all terms, with the odd multiples of their points.
pub(super) fn interleaved<C: Curve, A: Accumulator>(
    terms: &[Term<C>],
    tables: &[[A::Entry; 8]],
) -> A {
    // A carry may lengthen the form by one digit.
    let length = most_bits(terms) + 1;
    let mut digits = vec![0i8; terms.len() * usize::try_from(length).unwrap_or(0)];
    for (index, term) in terms.iter().enumerate() {
        non_adjacent(&term.limbs, WIDTH, |position, digit| {
            let column = usize::try_from(position).unwrap_or(0) * terms.len();
            if let Some(cell) = digits.get_mut(column + index) {
                *cell = digit;
            }
        });
    }
    let mut sum = A::zero();
    for column in digits.chunks(terms.len().max(1)).rev() {
        sum.double();
        for (digit, table) in column.iter().zip(tables).filter(|(digit, _)| **digit != 0) {
            match table.get(usize::from(digit.unsigned_abs() >> 1)) {
                Some(multiple) if *digit > 0 => sum.add(multiple),
                Some(multiple) => sum.subtract(multiple),
                None => {}
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
        let value = window(limbs, position, width) + carry;
        if value & 1 == 0 {
            // A zero digit; with a carry, the bit was set and the carry moves on.
            position += 1;
            continue;
        }
        let half = 1 << (width - 1);
        carry = u32::from(value > half);
        let digit = i64::from(value) - (i64::from(carry) << width);
        put(position, i8::try_from(digit).unwrap_or(0));
        position += width;
    }
}
