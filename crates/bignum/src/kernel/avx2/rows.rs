//! The straight-line code behind checked slices, a few rows at a time, and the simple loops over columns.

use super::code::{EIGHT, FOUR, Rows, SIX, TWO};
use super::vector::{RADIX, V};
use core::arch::x86_64::{
    _mm_cvtsi64_si128, _mm256_add_epi64, _mm256_and_si256, _mm256_set1_epi64x,
    _mm256_setzero_si256, _mm256_srl_epi64, _mm256_sub_epi64,
};

/// The most rows that the code takes at once.
pub(super) const MAX_ROWS: usize = 8;

/// Some rows of a product: how many, and their code.
#[derive(Clone, Copy)]
pub(super) struct Chunk {
    pub(super) rows: usize,
    code: &'static Rows,
}

/// The next rows to take when `left`, an even number, are left: eights, then sixes, for twos are dear.
pub(super) fn next_rows(left: usize) -> Chunk {
    match left {
        0..=2 => Chunk { rows: 2, code: &TWO },
        3..=4 => Chunk { rows: 4, code: &FOUR },
        6 | 10 | 12 => Chunk { rows: 6, code: &SIX },
        _ => Chunk { rows: 8, code: &EIGHT },
    }
}

impl Chunk {
    /// Columns `t` += `a` `b`, where `b` has one limb for each row.
    #[target_feature(enable = "avx2")]
    pub(super) fn addmul(self, t: &mut [V], a: &[V], b: &[V]) {
        assert!(
            b.len() == self.rows && t.len() + 1 >= a.len() + b.len(),
            "columns for the product"
        );
        // SAFETY: this function has AVX2, and the code stays within the lengths just checked.
        unsafe { (self.code.addmul)(t.as_mut_ptr(), a.as_ptr(), b.as_ptr(), a.len()) }
    }

    /// Columns `t` += the square of the lowest limbs of `a` and twice their products with the other limbs.
    #[target_feature(enable = "avx2")]
    pub(super) fn addsqr(self, t: &mut [V], a: &[V]) {
        let (low, high) = a.split_at(self.rows);
        assert!(
            t.len() + 1 >= a.len() + self.rows && self.rows <= MAX_ROWS,
            "columns for the square"
        );
        let mut twice = [V(_mm256_setzero_si256()); MAX_ROWS];
        // SAFETY: this function has AVX2; `low` and `twice` have a limb for each row and `t` twice as many.
        unsafe { (self.code.addsqr)(t.as_mut_ptr(), low.as_ptr(), twice.as_mut_ptr()) };
        self.addmul(t.split_at_mut(self.rows).1, high, twice.split_at(self.rows).0);
    }

    /// Finds the quotient limbs that clear the lowest columns of `t`; `carry` goes into the lowest column and comes out
    /// of the highest of them.
    #[target_feature(enable = "avx2")]
    pub(super) fn quotients(self, q: &mut [V], t: &[V], n: &[V], k0: &V, carry: &mut V) {
        assert!(
            q.len() >= self.rows && t.len() >= self.rows && n.len() >= self.rows,
            "a limb for each row"
        );
        // SAFETY: this function has AVX2; `q`, `t` and `n` have a limb for each row.
        unsafe { (self.code.quotients)(t.as_ptr(), n.as_ptr(), k0, q.as_mut_ptr(), carry) }
    }

    /// Columns `t` += `n` `q` without the lowest columns, one for each row, which only `quotients` needs.
    #[target_feature(enable = "avx2")]
    pub(super) fn spread(self, t: &mut [V], n: &[V], q: &[V]) {
        assert!(
            q.len() == self.rows && n.len() >= q.len() && t.len() + 1 >= n.len() + q.len(),
            "columns for n q"
        );
        // SAFETY: this function has AVX2, and the code stays within the lengths just checked.
        unsafe { (self.code.spread)(t.as_mut_ptr(), n.as_ptr(), q.as_ptr(), n.len() - self.rows) }
    }
}

/// `t` = 0.
#[target_feature(enable = "avx2")]
pub(super) fn clear(t: &mut [V]) {
    t.fill(V(_mm256_setzero_si256()));
}

/// `sum` = `a` + `b` limb by limb, where `b` may be the shorter one.
#[target_feature(enable = "avx2")]
pub(super) fn add(sum: &mut [V], a: &[V], b: &[V]) {
    let (low, high) = a.split_at(b.len());
    let (sum_low, sum_high) = sum.split_at_mut(b.len());
    for ((s, x), y) in sum_low.iter_mut().zip(low).zip(b) {
        s.0 = _mm256_add_epi64(x.0, y.0);
    }
    sum_high.copy_from_slice(high);
}

/// `t` += `x` column by column.
#[target_feature(enable = "avx2")]
pub(super) fn add_assign(t: &mut [V], x: &[V]) {
    for (t, x) in t.iter_mut().zip(x) {
        t.0 = _mm256_add_epi64(t.0, x.0);
    }
}

/// `t` -= `x` column by column.
#[target_feature(enable = "avx2")]
pub(super) fn sub_assign(t: &mut [V], x: &[V]) {
    for (t, x) in t.iter_mut().zip(x) {
        t.0 = _mm256_sub_epi64(t.0, x.0);
    }
}

/// Moves the part of every column above a limb to the next column, once, so that columns stay below 2^28 + 2^36.
/// The number must fit its columns.
#[target_feature(enable = "avx2")]
pub(super) fn carry_once(t: &mut [V]) {
    let mask = _mm256_set1_epi64x((1 << RADIX) - 1);
    let shift = _mm_cvtsi64_si128(RADIX.into());
    let mut carry = _mm256_setzero_si256();
    for column in t {
        let sum = column.0;
        column.0 = _mm256_add_epi64(_mm256_and_si256(sum, mask), carry);
        carry = _mm256_srl_epi64(sum, shift);
    }
}

/// The limbs of the number in the columns `t` plus `carry`.
#[target_feature(enable = "avx2")]
pub(super) fn carry_all(out: &mut [V], t: &[V], carry: V) {
    let mask = _mm256_set1_epi64x((1 << RADIX) - 1);
    let shift = _mm_cvtsi64_si128(RADIX.into());
    let mut carry = carry.0;
    for (limb, column) in out.iter_mut().zip(t) {
        let sum = _mm256_add_epi64(column.0, carry);
        limb.0 = _mm256_and_si256(sum, mask);
        carry = _mm256_srl_epi64(sum, shift);
    }
}
