//! The steps that products and reduction are made of: a row of ten limbs slides along another
//! number, and ten quotient digits come out of ten columns.

use super::super::ifma::{Block, V, above, add, and, hi, lo, load, mask, store, zero};

/// Ten limbs of eight lanes.
pub(super) type Ten = [Block; 10];

/// Ten blocks in registers.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load_ten(from: &Ten) -> [V; 10] {
    let [a, b, c, d, e, f, g, h, i, j] = from;
    [load(a), load(b), load(c), load(d), load(e), load(f), load(g), load(h), load(i), load(j)]
}

/// Ten registers back to memory.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store_ten(to: &mut Ten, from: [V; 10]) {
    for (to, from) in to.iter_mut().zip(from) {
        store(to, from);
    }
}

/// Clears columns.
#[target_feature(enable = "avx512f")]
pub(super) fn clear(columns: &mut Ten) {
    store_ten(columns, [zero(); 10]);
}

/// One step of a row `x` along the other factor, whose limb is `y`: adds `x y` to the window of
/// columns `w`, slides it by one limb with `next` coming in, and yields the column that left.
macro_rules! step {
    ($w:ident, $x:ident, $y:expr, $next:expr) => {{
        let y = $y;
        let left = lo($w[0], $x[0], y);
        $w = [
            lo($w[1], $x[1], y),
            lo($w[2], $x[2], y),
            lo($w[3], $x[3], y),
            lo($w[4], $x[4], y),
            lo($w[5], $x[5], y),
            lo($w[6], $x[6], y),
            lo($w[7], $x[7], y),
            lo($w[8], $x[8], y),
            lo($w[9], $x[9], y),
            $next,
        ];
        $w = [
            hi($w[0], $x[0], y),
            hi($w[1], $x[1], y),
            hi($w[2], $x[2], y),
            hi($w[3], $x[3], y),
            hi($w[4], $x[4], y),
            hi($w[5], $x[5], y),
            hi($w[6], $x[6], y),
            hi($w[7], $x[7], y),
            hi($w[8], $x[8], y),
            hi($w[9], $x[9], y),
        ];
        left
    }};
}
pub(super) use step;

/// Runs a macro on 0 to 9.
macro_rules! ten {
    ($m:ident) => {
        $m!(0);
        $m!(1);
        $m!(2);
        $m!(3);
        $m!(4);
        $m!(5);
        $m!(6);
        $m!(7);
        $m!(8);
        $m!(9);
    };
}

/// The constants of quotient digits: the ten lowest limbs of the moduli, and -1 / N mod 2^52.
#[derive(Clone, Copy)]
pub(super) struct Low<'a> {
    pub(super) n: &'a Ten,
    pub(super) k0: &'a Block,
}

/// Quotient digit `k` from the column that all products but those of the digits have reached:
/// stores it in `q`, and makes `carry` the carry into the next column.
///
/// Only one pair of products and two sums wait for the digit `k - 1`. The digit makes the low 52 bits of the sum
/// zero. The carry is one more unless they already were.
macro_rules! digit {
    ($q:expr, $low:expr, $carry:ident, $column:expr; $k:literal: $($t:literal)*; $($last:literal)?) => {{
        let (low, high) = ($column, zero());
        $(
            let digit = load(&$q[$t]);
            let low = lo(low, digit, load(&$low.n[$k - $t]));
            let high = hi(high, digit, load(&$low.n[$k - $t - 1]));
        )*
        let (sum, _) = (add(low, $carry), high);
        $(
            let digit = load(&$q[$last]);
            let low = lo(sum, digit, load(&$low.n[1]));
            let high = hi(high, digit, load(&$low.n[0]));
            let sum = add(low, high);
        )?
        let made = lo(zero(), sum, load($low.k0));
        store(&mut $q[$k], made);
        $carry = above(add(sum, mask()));
        made
    }};
}

/// Makes ten quotient digits. The macro `column` turns the limbs of `y` in order into the columns;
/// the next limb is not touched before the last digit is on its way.
macro_rules! digits {
    ($q:expr, $low:expr, $carry:ident, $y:expr, $column:ident) => {
        let y = load(&$y[0]);
        let made = digit!($q, $low, $carry, $column!(0 y); 0:;);
        let (y, _) = tie(load(&$y[1]), made);
        let made = digit!($q, $low, $carry, $column!(1 y); 1:; 0);
        let (y, _) = tie(load(&$y[2]), made);
        let made = digit!($q, $low, $carry, $column!(2 y); 2: 0; 1);
        let (y, _) = tie(load(&$y[3]), made);
        let made = digit!($q, $low, $carry, $column!(3 y); 3: 0 1; 2);
        let (y, _) = tie(load(&$y[4]), made);
        let made = digit!($q, $low, $carry, $column!(4 y); 4: 0 1 2; 3);
        let (y, _) = tie(load(&$y[5]), made);
        let made = digit!($q, $low, $carry, $column!(5 y); 5: 0 1 2 3; 4);
        let (y, _) = tie(load(&$y[6]), made);
        let made = digit!($q, $low, $carry, $column!(6 y); 6: 0 1 2 3 4; 5);
        let (y, _) = tie(load(&$y[7]), made);
        let made = digit!($q, $low, $carry, $column!(7 y); 7: 0 1 2 3 4 5; 6);
        let (y, _) = tie(load(&$y[8]), made);
        let made = digit!($q, $low, $carry, $column!(8 y); 8: 0 1 2 3 4 5 6; 7);
        let (y, _) = tie(load(&$y[9]), made);
        let _ = digit!($q, $low, $carry, $column!(9 y); 9: 0 1 2 3 4 5 6 7; 8);
    };
}
pub(super) use {digit, digits};

/// Adds `x` `y` to the columns, of which there are ten more than limbs in `y`. With `FIRST` only
/// the first ten have been written; the rest counts as zero.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn slide<const FIRST: bool>(x: &Ten, y: &[Ten], columns: &mut [Ten]) {
    let x = load_ten(x);
    let mut rest = columns.iter_mut();
    let Some(mut here) = rest.next() else { return };
    let mut w = load_ten(here);
    for (y, next) in y.iter().zip(rest) {
        macro_rules! one {
            ($k:literal) => {
                let fresh = if FIRST { zero() } else { load(&next[$k]) };
                let left = step!(w, x, load(&y[$k]), fresh);
                store(&mut here[$k], left);
            };
        }
        ten!(one);
        here = next;
    }
    store_ten(here, w);
}

/// The last row of a reduction: [`slide`], and the columns become the limbs of `out`.
///
/// By the bound on the result nothing is left above the last one.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn finish(out: &mut [Ten], x: &Ten, y: &[Ten], columns: &[Ten], carry: V) {
    let x = load_ten(x);
    let mut carry = carry;
    let Some((first, rest)) = columns.split_first() else { return };
    let mut w = load_ten(first);
    let mut out = out.iter_mut();
    for ((y, next), out) in y.iter().zip(rest).zip(&mut out) {
        macro_rules! one {
            ($k:literal) => {
                let sum = add(step!(w, x, load(&y[$k]), load(&next[$k])), carry);
                store(&mut out[$k], and(sum, mask()));
                carry = above(sum);
            };
        }
        ten!(one);
    }
    for (out, column) in out.flatten().zip(w) {
        let sum = add(column, carry);
        store(out, and(sum, mask()));
        carry = above(sum);
    }
}
