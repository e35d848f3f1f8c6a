//! Rows of a product, up to four at a time.
//!
//! A window of columns, one more than rows, stays in registers. Each step takes one vector of the multiplicand, multiplies it
//! by the limbs of all rows, stores the lowest column, which is finished, and takes a new one into the window. The variables
//! change their parts from step to step instead of being moved.

use super::split::{Split, V, add};

/// Adds the products of `$a` and each limb to the window.
macro_rules! products {
    ($split:ident, $a:ident, [$low:ident $high:ident $($more:ident)*], [$b:ident $($more_b:ident)*]) => {
        let (low, high) = $split.product($a, $b);
        $low = add($low, low);
        $high = add($high, high);
        products!($split, $a, [$high $($more)*], [$($more_b)*]);
    };
    ($split:ident, $a:ident, [$top:ident], []) => {};
}

/// The step on vector `$s` of the multiplicand: `$ahead` columns are in the window.
macro_rules! step {
    ($ahead:literal, $split:ident, $t:ident, $a:ident, $s:expr, [$c:ident $($more:ident)*], $b:tt) => {
        let limb = *$a.add($s);
        products!($split, limb, [$c $($more)*], $b);
        *$t.add($s) = $c;
        $c = *$t.add($s + $ahead);
    };
}

/// Steps, one after the other, until the variables have their parts again.
macro_rules! steps {
    ($ahead:literal, $split:ident, $t:ident, $a:ident, [], $c:tt, $b:tt) => {};
    ($ahead:literal, $split:ident, $t:ident, $a:ident, [$s:literal $($more_s:literal)*], [$c:ident $($more:ident)*], $b:tt) => {
        step!($ahead, $split, $t, $a, $s, [$c $($more)*], $b);
        steps!($ahead, $split, $t, $a, [$($more_s)*], [$($more)* $c], $b);
    };
}

/// Moves the window on by one column.
macro_rules! advance {
    ([$c:ident $($more:ident)*]) => { advance!(@ [$c $($more)*], [$($more)* $c]) };
    (@ [$($to:ident)*], [$($from:ident)*]) => { ($($to),*) = ($($from),*); };
}

/// The function that does `$rows` rows; the window has `$ahead` columns.
macro_rules! rows {
    ($(#[$doc:meta])* $name:ident, $rows:literal, $ahead:literal, $s:tt, [$($c:ident $at:literal)*], [$($b:ident)*]) => {
        $(#[$doc])*
        #[target_feature(enable = "avx2,fma")]
        fn $name(t: &mut [V], a: &[V], b: &[V; $rows]) {
            let split = Split::new();
            assert!(t.len() >= a.len() + $ahead, "columns for the product");
            let &[$($b),*] = b;
            let mut left = a.len();
            let (mut t, mut a) = (t.as_mut_ptr(), a.as_ptr());
            // SAFETY: the step on vector s of `a` reads it, and reads and writes columns from s up to s + `$ahead`; the
            // length of `t` was checked for the last s.
            unsafe {
                $(let mut $c = *t.add($at);)*
                while left >= $ahead {
                    steps!($ahead, split, t, a, $s, [$($c)*], [$($b)*]);
                    (t, a) = (t.add($ahead), a.add($ahead));
                    left -= $ahead;
                }
                while left > 0 {
                    step!($ahead, split, t, a, 0, [$($c)*], [$($b)*]);
                    advance!([$($c)*]);
                    (t, a) = (t.add(1), a.add(1));
                    left -= 1;
                }
                $(*t.add($at) = $c;)*
            }
        }
    };
}

rows!(four, 4, 5, [0 1 2 3 4], [c0 0 c1 1 c2 2 c3 3 c4 4], [b0 b1 b2 b3]);
rows!(three, 3, 4, [0 1 2 3], [c0 0 c1 1 c2 2 c3 3], [b0 b1 b2]);
rows!(two, 2, 3, [0 1 2], [c0 0 c1 1 c2 2], [b0 b1]);
rows!(one, 1, 2, [0 1], [c0 0 c1 1], [b0]);

/// Columns `t` += `a` `b`, where `b` has one to four limbs, and `t` one column more than both.
#[target_feature(enable = "avx2,fma")]
pub(super) fn add_rows(t: &mut [V], a: &[V], b: &[V]) {
    if let Ok(b) = b.try_into() {
        four(t, a, b);
    } else if let Ok(b) = b.try_into() {
        three(t, a, b);
    } else if let Ok(b) = b.try_into() {
        two(t, a, b);
    } else if let Ok(b) = b.try_into() {
        one(t, a, b);
    }
}
