//! The straight-line code: H rows of a product at a time, H = 8, 6, 4 or 2.
//!
//! A window of H - 1 columns stays in registers. Each step takes one limb of the multiplicand (in `ymm8`),
//! multiplies it by the limbs of all rows, stores the lowest column, which is then finished, and takes the next
//! column into the window. The registers change their parts from step to step instead of being moved.

use super::vector::V;

/// `$r` += `ymm8` times limb `$o` at `rdx`, for one register and limb after the other until either list ends.
macro_rules! add_products {
    ([$r:literal $($more_r:literal)*] [$o:literal $($more_o:literal)*]) => {
        concat!(
            "vpmuludq ymm9, ymm8, [rdx + 32*", $o, "]\n vpaddq ", $r, ", ", $r, ", ymm9\n",
            add_products!([$($more_r)*] [$($more_o)*])
        )
    };
    ([$($r:literal)*] [$($o:literal)*]) => { "" };
}

/// Step `$s`: `$first` holds the lowest column of the window, `$new` takes the column `$last` above it.
macro_rules! step {
    ($s:literal, $last:literal, [$new:literal $first:literal $($r:literal)*], $o:tt) => {
        concat!(
            "vmovdqa ymm8, [rsi + 32*", $s, "]\n",
            add_products!([$first] [0]),
            "vmovdqa [rdi + 32*", $s, "], ", $first, "\n",
            add_products!([$($r)*] $o),
            "vpmuludq ", $new, ", ymm8, [rdx + 32*", $last, "]\n",
            "vpaddq ", $new, ", ", $new, ", [rdi + 32*", $s, " + 32*", $last, "]\n"
        )
    };
}

/// Steps one after the other.
macro_rules! steps {
    ([], $last:literal, $r:tt, $o:tt) => { "" };
    ([$s:literal $($more:literal)*], $last:literal, [$new:literal $($r:literal)*], $o:tt) => {
        concat!(
            step!($s, $last, [$new $($r)*], $o),
            steps!([$($more)*], $last, [$($r)* $new], $o)
        )
    };
}

/// Moves every column of the window to the register below.
macro_rules! shift {
    ($new:literal, [$a:literal]) => { concat!("vmovdqa ", $a, ", ", $new, "\n") };
    ($new:literal, [$a:literal $b:literal $($r:literal)*]) => {
        concat!("vmovdqa ", $a, ", ", $b, "\n", shift!($new, [$b $($r)*]))
    };
}

/// Loads the window, `$at` columns above `rdi`.
macro_rules! load {
    ($at:literal, [$($r:literal)*], [$($o:literal)*]) => {
        concat!($("vmovdqa ", $r, ", [rdi + 32*", $at, " + 32*", $o, "]\n",)*)
    };
}

/// Stores the window at `rdi`.
macro_rules! store {
    ([$($r:literal)*], [$($o:literal)*]) => {
        concat!($("vmovdqa [rdi + 32*", $o, "], ", $r, "\n",)*)
    };
}

/// `rcx` steps, the window being loaded, and the window stored.
macro_rules! run {
    ($h:literal, $last:literal, $s:tt, $new:literal, [$($r:literal)*], [$zero:literal $($o:literal)*]) => {
        concat!(
            "cmp rcx, ", $h, "\n jb 3f\n 2:\n",
            steps!($s, $last, [$new $($r)*], [$($o)*]),
            "add rdi, 32*", $h, "\n add rsi, 32*", $h, "\n sub rcx, ", $h, "\n cmp rcx, ", $h, "\n jae 2b\n",
            "3:\n test rcx, rcx\n jz 5f\n 4:\n",
            step!(0, $last, [$new $($r)*], [$($o)*]),
            shift!($new, [$($r)*]),
            "add rdi, 32\n add rsi, 32\n dec rcx\n jnz 4b\n 5:\n",
            store!([$($r)*], [$zero $($o)*]),
            "vzeroupper\n ret\n"
        )
    };
}

/// The part of the first H limbs at `rsi` that reaches beyond the lowest H columns, the highest limb first.
macro_rules! upper_triangle {
    ([$j:literal $($more_j:literal)*], $r:tt, [$o:literal $($more_o:literal)*]) => {
        concat!(
            "vmovdqa ymm8, [rsi + 32*", $j, "]\n",
            add_products!($r [$o $($more_o)*]),
            upper_triangle!([$($more_j)*], $r, [$($more_o)*])
        )
    };
    ([], $r:tt, []) => { "" };
}

/// Finds the quotient limbs one after the other: the carry is in `ymm12`, -1/n in `ymm11`, the mask of a limb in
/// `ymm10`; `rsi` is the modulus and `rdx`, for `add_products`, too.
macro_rules! quotients {
    ([$i:literal $($more_i:literal)*], [$first:literal $($r:literal)*]) => {
        concat!(
            "vpaddq ", $first, ", ", $first, ", ymm12\n vpmuludq ymm8, ", $first, ", ymm11\n",
            "vpand ymm8, ymm8, ymm10\n vmovdqa [rcx + 32*", $i, "], ymm8\n",
            add_products!([$first] [0]),
            "vpsrlq ymm12, ", $first, ", 28\n",
            add_products!([$($r)*] [1 2 3 4 5 6 7]),
            quotients!([$($more_i)*], [$($r)*])
        )
    };
    ([], []) => { "" };
}

/// Row `$j` of a square: limb j times twice the limbs below it, and its square. Column j, `$done`, is finished then;
/// columns 2j - 1 and 2j, `$odd` and `$even`, are new.
macro_rules! square_row {
    ($j:literal, $below:literal, $done:literal, $odd:literal, $even:literal, $r:tt, $o:tt) => {
        concat!(
            "vmovdqa ymm8, [rsi + 32*", $j, "]\n vpaddq ymm9, ymm8, ymm8\n vmovdqa [rdx + 32*", $j, "], ymm9\n",
            add_products!($r $o),
            "vpmuludq ", $odd, ", ymm8, [rdx + 32*", $below, "]\n",
            "vpaddq ", $odd, ", ", $odd, ", [rdi + 64*", $j, " - 32]\n",
            "vpmuludq ", $even, ", ymm8, ymm8\n vpaddq ", $even, ", ", $even, ", [rdi + 64*", $j, "]\n",
            "vmovdqa [rdi + 32*", $j, "], ", $done, "\n"
        )
    };
}

/// The first two rows of a square.
macro_rules! square_rows_2 {
    () => {
        concat!(
            "vmovdqa ymm8, [rsi]\n vpaddq ymm9, ymm8, ymm8\n vmovdqa [rdx], ymm9\n",
            "vpmuludq ymm0, ymm8, ymm8\n vpaddq ymm0, ymm0, [rdi]\n vmovdqa [rdi], ymm0\n",
            square_row!(1, 0, "ymm1", "ymm1", "ymm2", [], []),
        )
    };
}

/// The first four rows of a square.
macro_rules! square_rows_4 {
    () => {
        concat!(
            square_rows_2!(),
            square_row!(2, 1, "ymm2", "ymm3", "ymm4", ["ymm2"], [0]),
            square_row!(3, 2, "ymm3", "ymm5", "ymm6", ["ymm3" "ymm4"], [0 1]),
        )
    };
}

/// The first six rows of a square.
macro_rules! square_rows_6 {
    () => {
        concat!(
            square_rows_4!(),
            square_row!(4, 3, "ymm4", "ymm7", "ymm0", ["ymm4" "ymm5" "ymm6"], [0 1 2]),
            square_row!(5, 4, "ymm5", "ymm1", "ymm2", ["ymm5" "ymm6" "ymm7" "ymm0"], [0 1 2 3]),
        )
    };
}

/// The eight rows of a square.
macro_rules! square_rows_8 {
    () => {
        concat!(
            square_rows_6!(),
            square_row!(6, 5, "ymm6", "ymm3", "ymm4", ["ymm6" "ymm7" "ymm0" "ymm1" "ymm2"], [0 1 2 3 4]),
            square_row!(7, 6, "ymm7", "ymm5", "ymm6", ["ymm7" "ymm0" "ymm1" "ymm2" "ymm3" "ymm4"], [0 1 2 3 4 5]),
        )
    };
}

/// The code for H rows.
pub(super) struct Rows {
    /// `(t, a, b, len)`: columns `t` += the `len` limbs of `a` times the H limbs of `b`. The `len` + H - 1 columns are
    /// read and written.
    pub(super) addmul: unsafe extern "sysv64" fn(*mut V, *const V, *const V, usize),
    /// `(t, a, twice)`: columns `t` += the square of the H limbs of `a`, and `twice` = 2 `a`. The 2 H - 1 columns are
    /// read and written.
    pub(super) addsqr: unsafe extern "sysv64" fn(*mut V, *const V, *mut V),
    /// `(t, n, k0, q, carry)`: finds the quotient limbs `q` that clear the H columns of `t` with `carry` added, and
    /// replaces `carry` by the carry into the next column. The columns are only read.
    pub(super) quotients: unsafe extern "sysv64" fn(*const V, *const V, *const V, *mut V, *mut V),
    /// `(t, n, q, len)`: columns `t` += the first H + `len` limbs of `n` times the H limbs of `q`, leaving out the
    /// lowest H columns. The `len` + H - 1 columns above those are read and written.
    pub(super) spread: unsafe extern "sysv64" fn(*mut V, *const V, *const V, usize),
}

/// Makes the code for `$h` rows. The registers of the window come in order, then the next one.
macro_rules! rows {
    (
        $name:ident, $mod:ident, $h:literal, $s:tt, $o:tt, $last:literal, [$($r:literal)*], $new:literal,
        $down:tt, $up:tt, $square:ident, $square_window:tt
    ) => {
        mod $mod {
            use core::arch::naked_asm;

            use crate::kernel::avx2::vector::V;

            /// # Safety
            /// The processor has AVX2; the pointers are valid for what [`super::Rows`] says, and aligned.
            #[unsafe(naked)]
            pub(super) unsafe extern "sysv64" fn addmul(t: *mut V, a: *const V, b: *const V, len: usize) {
                naked_asm!(load!(0, [$($r)*], $o), run!($h, $last, $s, $new, [$($r)*], $o))
            }

            /// # Safety
            /// As for `addmul`.
            #[unsafe(naked)]
            pub(super) unsafe extern "sysv64" fn addsqr(t: *mut V, a: *const V, twice: *mut V) {
                naked_asm!($square!(), concat!("add rdi, 32*", $h), store!($square_window, $o), "vzeroupper\n ret")
            }

            /// # Safety
            /// As for `addmul`.
            #[unsafe(naked)]
            pub(super) unsafe extern "sysv64" fn quotients(
                t: *const V, n: *const V, k0: *const V, q: *mut V, carry: *mut V,
            ) {
                naked_asm!(
                    "vmovdqa ymm12, [r8]\n vmovdqa ymm11, [rdx]",
                    "vpcmpeqd ymm10, ymm10, ymm10\n vpsrlq ymm10, ymm10, 36",
                    "mov rdx, rsi",
                    load!(0, [$($r)* $new], $s),
                    quotients!($s, [$($r)* $new]),
                    "vmovdqa [r8], ymm12\n vzeroupper\n ret"
                )
            }

            /// # Safety
            /// As for `addmul`.
            #[unsafe(naked)]
            pub(super) unsafe extern "sysv64" fn spread(t: *mut V, n: *const V, q: *const V, len: usize) {
                naked_asm!(
                    load!($h, [$($r)*], $o),
                    upper_triangle!($down, [$($r)*], $up),
                    concat!("add rdi, 32*", $h, "\n add rsi, 32*", $h),
                    run!($h, $last, $s, $new, [$($r)*], $o)
                )
            }
        }

        /// The code for the number of rows in its name.
        pub(super) const $name: Rows = Rows {
            addmul: $mod::addmul,
            addsqr: $mod::addsqr,
            quotients: $mod::quotients,
            spread: $mod::spread,
        };
    };
}

rows!(
    EIGHT, eight, 8, [0 1 2 3 4 5 6 7], [0 1 2 3 4 5 6], 7,
    ["ymm0" "ymm1" "ymm2" "ymm3" "ymm4" "ymm5" "ymm6"], "ymm7", [7 6 5 4 3 2 1], [1 2 3 4 5 6 7],
    square_rows_8, ["ymm0" "ymm1" "ymm2" "ymm3" "ymm4" "ymm5" "ymm6"]
);
rows!(
    SIX, six, 6, [0 1 2 3 4 5], [0 1 2 3 4], 5, ["ymm0" "ymm1" "ymm2" "ymm3" "ymm4"], "ymm5",
    [5 4 3 2 1], [1 2 3 4 5], square_rows_6, ["ymm6" "ymm7" "ymm0" "ymm1" "ymm2"]
);
rows!(
    FOUR, four, 4, [0 1 2 3], [0 1 2], 3, ["ymm0" "ymm1" "ymm2"], "ymm3",
    [3 2 1], [1 2 3], square_rows_4, ["ymm4" "ymm5" "ymm6"]
);
rows!(TWO, two, 2, [0 1], [0], 1, ["ymm0"], "ymm1", [1], [1], square_rows_2, ["ymm2"]);
