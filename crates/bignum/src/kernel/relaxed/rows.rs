//! Rows of a product, four, two or one at a time.
//!
//! A window of columns, one more than rows, stays in variables. Each step takes one vector of the multiplicand, multiplies it
//! by the limbs of all rows, stores the columns that are finished, and takes as many new ones into the window. The variables
//! change their parts from step to step instead of being moved.

use core::arch::wasm32::{i64x2_add, v128};

use super::split::Split;

/// Adds the products of `$a` and each limb to the window.
macro_rules! products {
    ($split:ident, $a:ident, [$low:ident $high:ident $($more:ident)*], [$b:ident $($more_b:ident)*]) => {
        let (low, high) = $split.product($a, $b);
        $low = i64x2_add($low, low);
        $high = i64x2_add($high, high);
        products!($split, $a, [$high $($more)*], [$($more_b)*]);
    };
    ($split:ident, $a:ident, [$top:ident], []) => {};
}

/// The step on vector `$s` of the multiplicand, for columns that advance by one: `$ahead` columns are in the window.
macro_rules! step {
    (1, $ahead:literal, $split:ident, $t:ident, $a:ident, $s:expr, [$c:ident $($more:ident)*], $b:tt) => {
        let limb = *$a.add($s);
        products!($split, limb, [$c $($more)*], $b);
        *$t.add($s) = $c;
        $c = *$t.add($s + $ahead);
    };
    (2, $ahead:literal, $split:ident, $t:ident, $a:ident, $s:expr, [$c:ident $d:ident $($more:ident)*], $b:tt) => {
        let limbs = *$a.add($s);
        products!($split, limbs, [$c $d $($more)*], $b);
        *$t.add(2 * $s) = $c;
        *$t.add(2 * $s + 1) = $d;
        $c = *$t.add(2 * $s + $ahead);
        $d = *$t.add(2 * $s + $ahead + 1);
    };
}

/// Steps, one after the other, until the variables have their parts again.
macro_rules! steps {
    (1, $ahead:literal, $split:ident, $t:ident, $a:ident, [], $c:tt, $b:tt) => {};
    (2, $ahead:literal, $split:ident, $t:ident, $a:ident, [], $c:tt, $b:tt) => {};
    (1, $ahead:literal, $split:ident, $t:ident, $a:ident, [$s:literal $($more_s:literal)*], [$c:ident $($more:ident)*], $b:tt) => {
        step!(1, $ahead, $split, $t, $a, $s, [$c $($more)*], $b);
        steps!(1, $ahead, $split, $t, $a, [$($more_s)*], [$($more)* $c], $b);
    };
    (2, $ahead:literal, $split:ident, $t:ident, $a:ident, [$s:literal $($more_s:literal)*], [$c:ident $d:ident $($more:ident)*], $b:tt) => {
        step!(2, $ahead, $split, $t, $a, $s, [$c $d $($more)*], $b);
        steps!(2, $ahead, $split, $t, $a, [$($more_s)*], [$($more)* $c $d], $b);
    };
}

/// Moves the window on by one or two columns.
macro_rules! advance {
    (1, [$c:ident $($more:ident)*]) => { advance!(@ [$c $($more)*], [$($more)* $c]) };
    (2, [$c:ident $d:ident $($more:ident)*]) => { advance!(@ [$c $d $($more)*], [$($more)* $c $d]) };
    (@ [$($to:ident)*], [$($from:ident)*]) => { ($($to),*) = ($($from),*); };
}

/// The function that does `$rows` rows; the window has `$ahead` columns, and advances by `$by` a step.
macro_rules! rows {
    ($(#[$doc:meta])* $name:ident, $by:tt, $rows:literal, $ahead:literal, $s:tt, [$($c:ident $at:literal)*], [$($b:ident)*]) => {
        $(#[$doc])*
        pub(super) fn $name(t: &mut [v128], a: &[v128], b: &[v128; $rows]) {
            let split = Split::new();
            assert!(t.len() >= $by * a.len() + $ahead, "columns for the product");
            let &[$($b),*] = b;
            let mut left = a.len();
            let (mut t, mut a) = (t.as_mut_ptr(), a.as_ptr());
            // SAFETY: the step on vector s of `a` reads it, and reads and writes columns from `$by` s up to less than
            // `$by` (s + 1) + `$ahead`; the length of `t` was checked for the last s.
            unsafe {
                $(let mut $c = *t.add($at);)*
                while left >= $ahead {
                    steps!($by, $ahead, split, t, a, $s, [$($c)*], [$($b)*]);
                    (t, a) = (t.add($by * $ahead), a.add($ahead));
                    left -= $ahead;
                }
                while left > 0 {
                    step!($by, $ahead, split, t, a, 0, [$($c)*], [$($b)*]);
                    advance!($by, [$($c)*]);
                    (t, a) = (t.add($by), a.add(1));
                    left -= 1;
                }
                $(*t.add($at) = $c;)*
            }
        }
    };
}

rows!(
    /// Columns `t` += `a` `b`, one lane a number, one limb a vector. Column `k` of the product goes to `t[k]`.
    four, 1, 4, 5, [0 1 2 3 4], [c0 0 c1 1 c2 2 c3 3 c4 4], [b0 b1 b2 b3]
);
rows!(
    /// As [`four`], with two rows.
    two, 1, 2, 3, [0 1 2], [c0 0 c1 1 c2 2], [b0 b1]
);
rows!(
    /// As [`four`], with one row.
    one, 1, 1, 2, [0 1], [c0 0 c1 1], [b0]
);
rows!(
    /// Columns `t` += `a` `b`, two limbs of one number a vector. Columns `k` and `k + 1` of the product go to the lanes of
    /// `t[k]`. The limbs of `b` are in both lanes.
    four_across, 2, 4, 5, [0 1 2 3 4], [c0 0 c1 1 c2 2 c3 3 c4 4], [b0 b1 b2 b3]
);
rows!(
    /// As [`four_across`], with two rows.
    two_across, 2, 2, 3, [0 1 2], [c0 0 c1 1 c2 2], [b0 b1]
);
