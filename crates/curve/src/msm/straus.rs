//! Straus' interleaving: one chain of doublings for all terms, and for each term a table of odd
//! multiples and the width-5 non-adjacent form of its integer.
//!
//! E. G. Straus, "Addition chains of vectors", American Mathematical Monthly 71 (1964).

use alloc::vec;
use alloc::vec::Vec;

use super::terms::{Term, most_bits, window};
use crate::Curve;

/// Width of the form: digits are odd, below 2^4 in size, and at least this far apart.
const WIDTH: u32 = 5;

/// The point times 1, 3, 5, ..., 15.
struct OddMultiples<C: Curve>([C::Point; 8]);

impl<C: Curve> OddMultiples<C> {
    fn new(point: C::Point) -> Self {
        let twice = C::double(&point);
        let mut last = point;
        let mut table = [point; 8];
        for entry in table.iter_mut().skip(1) {
            last = last + twice;
            *entry = last;
        }
        Self(table)
    }

    /// `sum` plus `digit` times the point; `digit` is odd.
    fn add_to(&self, sum: C::Point, digit: i8) -> C::Point {
        let index = usize::from(digit.unsigned_abs() >> 1);
        match self.0.get(index) {
            Some(multiple) if digit > 0 => sum + *multiple,
            Some(multiple) => sum - *multiple,
            None => sum,
        }
    }
}

/// The sum of all terms.
pub(crate) fn sum<C: Curve>(terms: &[Term<C>]) -> C::Point {
    // A carry may lengthen the form by one digit.
    let length = most_bits(terms) + 1;
    let mut digits = vec![0i8; terms.len() * usize::try_from(length).unwrap_or(0)];
    for (index, term) in terms.iter().enumerate() {
        non_adjacent(&term.limbs, |position, digit| {
            let column = usize::try_from(position).unwrap_or(0) * terms.len();
            if let Some(cell) = digits.get_mut(column + index) {
                *cell = digit;
            }
        });
    }
    let tables: Vec<OddMultiples<C>> =
        terms.iter().map(|term| OddMultiples::new(term.point)).collect();
    digits.chunks(terms.len().max(1)).rev().fold(C::identity(), |sum, column| {
        column
            .iter()
            .zip(&tables)
            .filter(|(digit, _)| **digit != 0)
            .fold(C::double(&sum), |sum, (digit, table)| table.add_to(sum, *digit))
    })
}

/// Gives every non-zero digit of the width-5 non-adjacent form to `put`, with its position.
fn non_adjacent(limbs: &[u64; 8], mut put: impl FnMut(u32, i8)) {
    let mut position = 0;
    let mut carry = 0;
    while position < 512 {
        let value = window(limbs, position, WIDTH) + carry;
        if value & 1 == 0 {
            // A zero digit; with a carry, the bit was set and the carry moves on.
            position += 1;
            continue;
        }
        let half = 1 << (WIDTH - 1);
        carry = u32::from(value > half);
        let digit = i64::from(value) - (i64::from(carry) << WIDTH);
        put(position, i8::try_from(digit).unwrap_or(0));
        position += WIDTH;
    }
}
