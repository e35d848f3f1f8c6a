//! Products and squares in columns without carries, by rows of ten limbs. The first ten quotient
//! digits of the reduction are made on the way, where they wait for nothing.

use super::super::ifma::{V, above, add, hi, lo, load, mask, store, tie, zero};
use super::row::{Low, Ten, clear, digit, digits, load_ten, slide, step, store_ten};

/// `columns` = `a` `b`, except for the lowest ten, which turn into the digits `q` and the carry.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn mul(columns: &mut [Ten], a: &[Ten], b: &[Ten], low: Low<'_>, q: &mut Ten) -> V {
    let mut carry = zero();
    let mut rows = a.iter().enumerate();
    if let (Some((_, row)), Some((b, above)), Some(columns)) =
        (rows.next(), b.split_first(), columns.get_mut(1..=b.len()))
        && let Some(first) = columns.first_mut()
    {
        carry = first_row(first, row, b, low, q);
        slide::<true>(row, above, columns);
    }
    for (at, row) in rows {
        let Some(columns) = columns.get_mut(at..=at + b.len()) else { return carry };
        if let Some(last) = columns.last_mut() {
            clear(last);
        }
        slide::<false>(row, b, columns);
    }
    carry
}

/// Ten limbs by ten: the upper columns, and the digits that the lower ones ask for.
#[target_feature(enable = "avx512f,avx512ifma")]
fn first_row(columns: &mut Ten, x: &Ten, y: &Ten, low: Low<'_>, q: &mut Ten) -> V {
    let x = load_ten(x);
    let mut w = [zero(); 10];
    let mut carry = zero();
    macro_rules! column {
        ($k:literal $y:ident) => {
            step!(w, x, $y, zero())
        };
    }
    digits!(q, low, carry, y, column);
    store_ten(columns, w);
    carry
}

/// `columns` = `a`^2, except for the lowest ten, which turn into the digits `q` and the carry.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn sqr(columns: &mut [Ten], a: &[Ten], low: Low<'_>, q: &mut Ten) -> V {
    let Some((first, above)) = a.split_first() else { return zero() };
    let Some((tile, _)) = columns.split_first_chunk_mut::<2>() else { return zero() };
    for columns in tile.iter_mut() {
        clear(columns);
    }
    triangle(first, tile);
    let Some((y, beyond)) = above.split_first() else {
        let [lowest, last] = tile;
        double_last(last, first);
        return plain_digits(lowest, low, q);
    };
    let Some((tile, _)) = columns.split_first_chunk_mut::<3>() else { return zero() };
    let carry = first_double_row(tile, first, y, low, q);
    slide::<true>(first, beyond, columns.get_mut(2..=a.len()).unwrap_or_default());

    let mut rest = above;
    let mut at = 1;
    while let Some((row, above)) = rest.split_first() {
        let Some(columns) = columns.get_mut(2 * at..=at + a.len()) else { return carry };
        if let Some(last) = columns.last_mut() {
            clear(last);
        }
        let Some((tile, _)) = columns.split_first_chunk_mut() else { return carry };
        triangle(row, tile);
        let columns = columns.get_mut(1..).unwrap_or_default();
        match (above.split_first(), columns.split_first_chunk_mut()) {
            (Some((y, above)), Some((pair, _))) => {
                double_row(pair, row, y);
                slide::<false>(row, above, columns.get_mut(1..).unwrap_or_default());
            }
            _ => {
                if let Some(columns) = columns.first_mut() {
                    double_last(columns, row);
                }
            }
        }
        rest = above;
        at += 1;
    }
    carry
}

/// `columns` = `a` `b`, all of them.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn whole(columns: &mut [Ten], a: &[Ten], b: &[Ten]) {
    if let Some(lowest) = columns.first_mut() {
        clear(lowest);
    }
    for (at, row) in a.iter().enumerate() {
        let Some(columns) = columns.get_mut(at..=at + b.len()) else { return };
        if at == 0 {
            slide::<true>(row, b, columns);
        } else {
            if let Some(last) = columns.last_mut() {
                clear(last);
            }
            slide::<false>(row, b, columns);
        }
    }
}

/// `columns` += `a` `b`.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn append(columns: &mut [Ten], a: &[Ten], b: &[Ten]) {
    for (at, row) in a.iter().enumerate() {
        slide::<false>(row, b, columns.get_mut(at..=at + b.len()).unwrap_or_default());
    }
}

/// Ten quotient digits where there is nothing else to do meanwhile.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn plain_digits(columns: &Ten, low: Low<'_>, q: &mut Ten) -> V {
    let mut carry = zero();
    macro_rules! column {
        ($k:literal $y:ident) => {
            $y
        };
    }
    digits!(q, low, carry, columns, column);
    carry
}

/// Twice a column that holds the products of different limbs once, plus half a square.
macro_rules! even {
    ($c:expr, $x:expr) => {{
        let c = $c;
        lo(add(c, c), $x, $x)
    }};
}
/// Twice such a column, plus the other half of a square.
macro_rules! odd {
    ($c:expr, $x:expr) => {{
        let c = $c;
        hi(add(c, c), $x, $x)
    }};
}

/// Adds the products of different limbs of `x` to twenty columns; the lower ten are then complete,
/// and get doubled and the squares added.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn triangle(x: &Ten, columns: &mut [Ten; 2]) {
    let x = load_ten(x);
    let [low, high] = columns;
    macro_rules! column {
        ($from:expr; $($i:literal $j:literal),*; $($k:literal $l:literal),*) => {{
            let c = $from;
            $(let c = lo(c, x[$i], x[$j]);)*
            $(let c = hi(c, x[$k], x[$l]);)*
            c
        }};
    }
    macro_rules! low {
        ($k:literal $half:ident $s:literal: $($pairs:tt)*) => {
            let sum = column!(load(&low[$k]); $($pairs)*);
            store(&mut low[$k], $half!(sum, x[$s]));
        };
    }
    macro_rules! high {
        ($k:literal: $($pairs:tt)*) => {
            let sum = column!(load(&high[$k]); $($pairs)*);
            store(&mut high[$k], sum);
        };
    }
    low!(0 even 0: ;);
    low!(1 odd 0: 0 1;);
    low!(2 even 1: 0 2; 0 1);
    low!(3 odd 1: 0 3, 1 2; 0 2);
    low!(4 even 2: 0 4, 1 3; 0 3, 1 2);
    low!(5 odd 2: 0 5, 1 4, 2 3; 0 4, 1 3);
    low!(6 even 3: 0 6, 1 5, 2 4; 0 5, 1 4, 2 3);
    low!(7 odd 3: 0 7, 1 6, 2 5, 3 4; 0 6, 1 5, 2 4);
    low!(8 even 4: 0 8, 1 7, 2 6, 3 5; 0 7, 1 6, 2 5, 3 4);
    low!(9 odd 4: 0 9, 1 8, 2 7, 3 6, 4 5; 0 8, 1 7, 2 6, 3 5);
    high!(0: 1 9, 2 8, 3 7, 4 6; 0 9, 1 8, 2 7, 3 6, 4 5);
    high!(1: 2 9, 3 8, 4 7, 5 6; 1 9, 2 8, 3 7, 4 6);
    high!(2: 3 9, 4 8, 5 7; 2 9, 3 8, 4 7, 5 6);
    high!(3: 4 9, 5 8, 6 7; 3 9, 4 8, 5 7);
    high!(4: 5 9, 6 8; 4 9, 5 8, 6 7);
    high!(5: 6 9, 7 8; 5 9, 6 8);
    high!(6: 7 9; 6 9, 7 8);
    high!(7: 8 9; 7 9);
    high!(8: ; 8 9);
}

/// Ten steps of the row `x` along `y`, right above the triangle: the columns that leave are
/// complete, and get doubled and the squares added.
#[target_feature(enable = "avx512f,avx512ifma")]
fn double_row(columns: &mut [Ten; 2], x: &Ten, y: &Ten) {
    let x = load_ten(x);
    let [here, next] = columns;
    let mut w = load_ten(here);
    macro_rules! one {
        ($k:literal $half:ident $s:literal) => {
            let left = step!(w, x, load(&y[$k]), load(&next[$k]));
            store(&mut here[$k], $half!(left, x[$s]));
        };
    }
    one!(0 even 5);
    one!(1 odd 5);
    one!(2 even 6);
    one!(3 odd 6);
    one!(4 even 7);
    one!(5 odd 7);
    one!(6 even 8);
    one!(7 odd 8);
    one!(8 even 9);
    one!(9 odd 9);
    store_ten(next, w);
}

/// [`double_row`] for the lowest row, whose third ten of columns is still empty; meanwhile the
/// lowest columns, which are complete, turn into quotient digits.
#[target_feature(enable = "avx512f,avx512ifma")]
fn first_double_row(columns: &mut [Ten; 3], x: &Ten, y: &Ten, low: Low<'_>, q: &mut Ten) -> V {
    let x = load_ten(x);
    let [lowest, here, next] = columns;
    let mut w = load_ten(here);
    let mut carry = zero();
    macro_rules! column {
        (0 $y:ident) => { column!(0 $y even 5) };
        (1 $y:ident) => { column!(1 $y odd 5) };
        (2 $y:ident) => { column!(2 $y even 6) };
        (3 $y:ident) => { column!(3 $y odd 6) };
        (4 $y:ident) => { column!(4 $y even 7) };
        (5 $y:ident) => { column!(5 $y odd 7) };
        (6 $y:ident) => { column!(6 $y even 8) };
        (7 $y:ident) => { column!(7 $y odd 8) };
        (8 $y:ident) => { column!(8 $y even 9) };
        (9 $y:ident) => { column!(9 $y odd 9) };
        ($k:literal $y:ident $half:ident $s:literal) => {{
            let left = step!(w, x, $y, zero());
            store(&mut here[$k], $half!(left, x[$s]));
            load(&lowest[$k])
        }};
    }
    digits!(q, low, carry, y, column);
    store_ten(next, w);
    carry
}

/// The end of the chain of [`double_row`]s, where the number ends.
#[target_feature(enable = "avx512f,avx512ifma")]
fn double_last(columns: &mut Ten, x: &Ten) {
    let [_, _, _, _, _, squares @ ..] = x;
    let (pairs, _) = columns.as_chunks_mut::<2>();
    for ([e, o], limb) in pairs.iter_mut().zip(squares) {
        let x = load(limb);
        store(e, even!(load(e), x));
        store(o, odd!(load(o), x));
    }
}
