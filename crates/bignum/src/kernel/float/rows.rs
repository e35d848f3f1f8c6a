//! Rows of a product, for kernels in floating point.
//!
//! A window of columns, one more than rows, stays in variables. Each step takes one vector of the multiplicand, multiplies it
//! by the limbs of all rows, stores the columns that are finished, and takes as many new ones into the window. The variables
//! change their parts from step to step instead of being moved.

/// The function that does `$rows` rows; the window has `$ahead` columns, and advances by `$by` a step. It takes the caller's
/// vectors `V`, their sum `add` and their `Split`.
macro_rules! rows {
    ($(#[$attribute:meta])* $name:ident, $by:tt, $rows:literal, $ahead:literal, $s:tt, [$($c:ident $at:literal)*], [$($b:ident)*]) => {
        $(#[$attribute])*
        pub(super) fn $name(t: &mut [V], a: &[V], b: &[V; $rows]) {
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
                    rows!(@steps $by, $ahead, split, t, a, $s, [$($c)*], [$($b)*]);
                    (t, a) = (t.add($by * $ahead), a.add($ahead));
                    left -= $ahead;
                }
                while left > 0 {
                    rows!(@step $by, $ahead, split, t, a, 0, [$($c)*], [$($b)*]);
                    rows!(@advance $by, [$($c)*]);
                    (t, a) = (t.add($by), a.add(1));
                    left -= 1;
                }
                $(*t.add($at) = $c;)*
            }
        }
    };

    // Adds the products of `$a` and each limb to the window.
    (@products $split:ident, $a:ident, [$low:ident $high:ident $($more:ident)*], [$b:ident $($more_b:ident)*]) => {
        let (low, high) = $split.product($a, $b);
        $low = add($low, low);
        $high = add($high, high);
        rows!(@products $split, $a, [$high $($more)*], [$($more_b)*]);
    };
    (@products $split:ident, $a:ident, [$top:ident], []) => {};

    // The step on vector `$s` of the multiplicand, for columns that advance by one or by two: `$ahead` columns are in the window.
    (@step 1, $ahead:literal, $split:ident, $t:ident, $a:ident, $s:expr, [$c:ident $($more:ident)*], $b:tt) => {
        let limb = *$a.add($s);
        rows!(@products $split, limb, [$c $($more)*], $b);
        *$t.add($s) = $c;
        $c = *$t.add($s + $ahead);
    };
    (@step 2, $ahead:literal, $split:ident, $t:ident, $a:ident, $s:expr, [$c:ident $d:ident $($more:ident)*], $b:tt) => {
        let limbs = *$a.add($s);
        rows!(@products $split, limbs, [$c $d $($more)*], $b);
        *$t.add(2 * $s) = $c;
        *$t.add(2 * $s + 1) = $d;
        $c = *$t.add(2 * $s + $ahead);
        $d = *$t.add(2 * $s + $ahead + 1);
    };

    // Steps, one after the other, until the variables have their parts again.
    (@steps $by:tt, $ahead:literal, $split:ident, $t:ident, $a:ident, [], $c:tt, $b:tt) => {};
    (@steps 1, $ahead:literal, $split:ident, $t:ident, $a:ident, [$s:literal $($more_s:literal)*], [$c:ident $($more:ident)*], $b:tt) => {
        rows!(@step 1, $ahead, $split, $t, $a, $s, [$c $($more)*], $b);
        rows!(@steps 1, $ahead, $split, $t, $a, [$($more_s)*], [$($more)* $c], $b);
    };
    (@steps 2, $ahead:literal, $split:ident, $t:ident, $a:ident, [$s:literal $($more_s:literal)*], [$c:ident $d:ident $($more:ident)*], $b:tt) => {
        rows!(@step 2, $ahead, $split, $t, $a, $s, [$c $d $($more)*], $b);
        rows!(@steps 2, $ahead, $split, $t, $a, [$($more_s)*], [$($more)* $c $d], $b);
    };

    // Moves the window on by one or two columns.
    (@advance 1, [$c:ident $($more:ident)*]) => { rows!(@move [$c $($more)*], [$($more)* $c]) };
    (@advance 2, [$c:ident $d:ident $($more:ident)*]) => { rows!(@move [$c $d $($more)*], [$($more)* $c $d]) };
    (@move [$($to:ident)*], [$($from:ident)*]) => { ($($to),*) = ($($from),*); };
}

pub(in super::super) use rows;
