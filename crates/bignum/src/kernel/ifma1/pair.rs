//! One number modulo a square, as a pair: the work of `kernel/ifma8/pair.rs` in each lane, with all quotient
//! digits of a reduction at once. Three products of half the length and two reductions modulo the root replace
//! one of each of the whole length. With `K`, which costs half a product more in each, this is three fifths of
//! the work, and nine sixteenths for squares.

use core::arch::x86_64::_mm512_sub_epi64;

use super::super::ifma::{Block, add, load, mask, store, zero};
use super::super::operations::UnderRoot;
use super::columns::Stream;
use super::normal::{normalise, upper_half};

/// `out` = `x` `y` / R mod N^2, or with `SQUARE` the square of `x`; `y` is `x` then.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn multiply<const SQUARE: bool>(
    out: &mut [Block],
    x: &[Block],
    y: &[Block],
    under: UnderRoot<'_>,
    scratch: &mut [Block],
) {
    let size = under.n.len();
    let (Some((r, s)), Some((a, b)), Some((c, d))) =
        (out.split_at_mut_checked(size), x.split_at_checked(size), y.split_at_checked(size))
    else {
        return;
    };
    let Some((columns, q)) = scratch.split_at_mut_checked(2 * size) else { return };
    let q = q.get_mut(..size).unwrap_or_default();
    let mut t = Stream::new();
    for (at, column) in columns.iter_mut().enumerate() {
        store(column, t.next::<SQUARE>(a, c, at));
    }
    reduce(r, columns, q, under);
    let (mut t, mut u) = (Stream::new(), Stream::new());
    for (at, column) in columns.iter_mut().enumerate() {
        let once = t.next::<false>(a, d, at);
        let more = if SQUARE { once } else { u.next::<false>(b, c, at) };
        store(column, add(once, more));
    }
    // Minus the quotient, as R - 1 less it, and the complement.
    for (column, (q, complement)) in columns.iter_mut().zip(q.iter().zip(under.complement)) {
        let sum = add(load(column), load(complement));
        store(column, add(sum, _mm512_sub_epi64(mask(), load(q))));
    }
    reduce(s, columns, q, under);
}

/// `out` = `columns` / R mod N; the quotient is left in `q`.
#[target_feature(enable = "avx512f,avx512ifma")]
fn reduce(out: &mut [Block], columns: &mut [Block], q: &mut [Block], under: UnderRoot<'_>) {
    let UnderRoot { n, prepared, .. } = under;
    let Some((low, high)) = columns.split_at_mut_checked(n.len()) else { return };
    let carry = normalise(low, zero());
    let mut t = Stream::new();
    for (at, column) in q.iter_mut().enumerate() {
        store(column, t.next::<false>(low, prepared, at));
    }
    let _ = normalise(q, zero());
    upper_half(out, low.last(), high, q, n, carry);
}
