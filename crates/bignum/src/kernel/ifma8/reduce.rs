//! Montgomery reduction of 2 L columns, ten quotient digits at a time.

use super::super::ifma::{Block, V, above, add, hi, lo, load, mask, store, tie, zero};
use super::row::{Low, Ten, digit, digits, finish, load_ten, slide, step, store_ten};

/// `out` = `columns` / R mod `n`, normalised. The first ten digits are there; all of them are left in `digits`, where
/// there is room for them.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn reduce(
    out: &mut [Ten],
    columns: &mut [Ten],
    n: &[Ten],
    k0: &Block,
    q: &mut Ten,
    carry: V,
    digits: &mut [Ten],
) {
    let Some((n0, above)) = n.split_first() else { return };
    let low = Low { n: n0, k0 };
    let mut carry = carry;
    let mut digits = digits.iter_mut();
    for at in 1..n.len() {
        let Some(columns) = columns.get_mut(at..at + n.len()) else { return };
        let Some((n1, above)) = above.split_first() else { return };
        let x = *q;
        if let Some(kept) = digits.next() {
            *kept = x;
        }
        let Some((pair, _)) = columns.split_first_chunk_mut() else { return };
        carry = row(pair, q, n1, low, carry);
        slide::<false>(&x, above, columns.get_mut(1..).unwrap_or_default());
    }
    if let Some(kept) = digits.next() {
        *kept = *q;
    }
    let Some(columns) = columns.get_mut(n.len()..) else { return };
    let Some(first) = columns.first_mut() else { return };
    upper_alone(q, n0, first);
    finish(out, q, above, columns, carry);
}

/// The high half of the tile of `q` and the lowest limbs `n`, added to the window `w`. The longest
/// chains of sums are halved.
macro_rules! upper {
    ($w:ident, $q:ident, $n:expr) => {{
        let mut h = [zero(); 6];
        macro_rules! row {
            ($j:literal: $first:literal $head:tt $tail:tt) => {
                let y = load(&$n[$j]);
                h[0] = hi(h[0], $q[$first], y);
                upper!(lows $w $q y $j $head);
                upper!(lows $w $q y $j $tail);
                upper!(heads h $q y $j $head);
                upper!(tails $w $q y $j $tail);
            };
        }
        row!(9: 0 [1 2 3 4 5] [6 7 8 9]);
        row!(8: 1 [2 3 4 5 6] [7 8 9]);
        row!(7: 2 [3 4 5 6 7] [8 9]);
        row!(6: 3 [4 5 6 7 8] [9]);
        row!(5: 4 [5 6 7 8 9] []);
        row!(4: 5 [6 7 8 9] []);
        row!(3: 6 [7 8 9] []);
        row!(2: 7 [8 9] []);
        row!(1: 8 [9] []);
        row!(0: 9 [] []);
        $w[0] = add($w[0], h[0]);
        $w[1] = add($w[1], h[1]);
        $w[2] = add($w[2], h[2]);
        $w[3] = add($w[3], h[3]);
        $w[4] = add($w[4], h[4]);
        $w[5] = add($w[5], h[5]);
    }};
    (lows $w:ident $q:ident $y:ident $j:literal [$($i:literal)*]) => {
        $($w[$i + $j - 10] = lo($w[$i + $j - 10], $q[$i], $y);)*
    };
    (heads $h:ident $q:ident $y:ident $j:literal [$($i:literal)*]) => {
        $($h[$i + $j - 9] = hi($h[$i + $j - 9], $q[$i], $y);)*
    };
    (tails $w:ident $q:ident $y:ident $j:literal [$($i:literal)*]) => {
        $($w[$i + $j - 9] = hi($w[$i + $j - 9], $q[$i], $y);)*
    };
}

/// [`upper`] on its own.
#[target_feature(enable = "avx512f,avx512ifma")]
fn upper_alone(q: &Ten, n: &Ten, columns: &mut Ten) {
    let q = load_ten(q);
    let mut w = load_ten(columns);
    upper!(w, q, n);
    store_ten(columns, w);
}

/// From ten digits to the next ten: the row `q` ends its first tile and makes ten steps along
/// `n1`; each column that leaves becomes a digit at once.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn row(columns: &mut [Ten; 2], q: &mut Ten, n1: &Ten, low: Low<'_>, carry: V) -> V {
    let x = load_ten(q);
    let [here, next] = columns;
    let mut w = load_ten(here);
    let mut carry = carry;
    upper!(w, x, low.n);
    macro_rules! column {
        ($k:literal $y:ident) => {
            step!(w, x, $y, load(&next[$k]))
        };
    }
    digits!(q, low, carry, n1, column);
    store_ten(next, w);
    carry
}
