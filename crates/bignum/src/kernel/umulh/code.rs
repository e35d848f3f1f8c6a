//! The straight-line code, eight rows of eight limbs at a time.
//!
//! A tile has eight limbs of the multiplicand in registers, and the running sum of its rows, eight words wide. There is one
//! carry flag, so a row has two chains, one after the other: the low halves of its eight products, and then the high halves,
//! one word higher. Between the two it adds the lowest word of the running sum to word i of the sum in memory, and the high
//! halves begin with the carry of that. The register of the lowest word becomes the new highest one. The sum of a row fits
//! nine words.
//!
//! | registers | what they hold |
//! |---|---|
//! | `x0` to `x3` | pointers to the sum, the multiplicand and the multipliers; the tiles that are left |
//! | `x4` to `x11` | the running sum |
//! | `x12` to `x17`, `x19`, `x20` | the limbs of the multiplicand |
//! | `x21`, `x22` | the multipliers of two rows |
//! | `x23` to `x25` | halves of products |
//! | `x26` | the carry of the low halves |
//! | `x27`, `x28` | words of the sum in memory, of two rows |
//!
//! `x18` belongs to some platforms, and is not touched.

use core::arch::naked_asm;

/// Half `$half` of a product to `$to`, and an earlier one, `$from`, to `$sum` with the carry. A core that runs in order has
/// other work until the product is there.
macro_rules! step {
    ($half:literal, $to:literal, $limb:literal, $m:literal, $sum:literal, $from:literal) => {
        concat!(
            $half, " ", $to, ", ", $limb, ", ", $m, "\n adcs ", $sum, ", ", $sum, ", ", $from, "\n"
        )
    };
}

/// The low halves from limb 1 up, the carry flag being that of limb 0, and their carry. Limb 1 times the multiplier is in
/// `x24`. The first two high halves are in `x25` and `x23` afterwards.
macro_rules! low_halves {
    ($m:literal, $b:literal, $c:literal, $d:literal, $e:literal, $f:literal, $g:literal, $h:literal) => {
        concat!(
            step!("mul", "x25", "x14", $m, $b, "x24"),
            step!("mul", "x23", "x15", $m, $c, "x25"),
            step!("mul", "x24", "x16", $m, $d, "x23"),
            step!("mul", "x25", "x17", $m, $e, "x24"),
            step!("mul", "x23", "x19", $m, $f, "x25"),
            step!("mul", "x24", "x20", $m, $g, "x23"),
            step!("umulh", "x25", "x12", $m, $h, "x24"),
            "adc x26, xzr, xzr\n umulh x23, x13, ",
            $m,
            "\n"
        )
    };
}

/// The high halves, the carry flag being that of the lowest word; `$a` is the new highest word.
macro_rules! high_halves {
    ($m:literal, $a:literal, $b:literal, $c:literal, $d:literal, $e:literal, $f:literal, $g:literal, $h:literal) => {
        concat!(
            step!("umulh", "x24", "x14", $m, $b, "x25"),
            step!("umulh", "x25", "x15", $m, $c, "x23"),
            step!("umulh", "x23", "x16", $m, $d, "x24"),
            step!("umulh", "x24", "x17", $m, $e, "x25"),
            step!("umulh", "x25", "x19", $m, $f, "x23"),
            step!("umulh", "x23", "x20", $m, $g, "x24"),
            "adcs ",
            $h,
            ", ",
            $h,
            ", x25\n adc ",
            $a,
            ", x26, x23\n"
        )
    };
}

/// A row with multiplier `$m`, whose word of the sum in memory is in `$x`.
macro_rules! row {
    ($m:literal, $x:literal, $a:literal, $($above:literal),*) => {
        concat!(
            "mul x23, x12, ", $m, "\n mul x24, x13, ", $m, "\n adds ", $a, ", ", $a, ", x23\n",
            low_halves!($m, $($above),*),
            "adds ", $x, ", ", $x, ", ", $a, "\n",
            high_halves!($m, $a, $($above),*)
        )
    };
}

/// Two rows, from offset `$at` in the multipliers and in the sum in memory.
macro_rules! two_rows {
    ($at:literal, $a:literal, $b:literal, $($above:literal),*) => {
        concat!(
            "ldp x21, x22, [x2, ", $at, "]\n ldp x27, x28, [x0, ", $at, "]\n",
            row!("x21", "x27", $a, $b, $($above),*),
            row!("x22", "x28", $b, $($above),*, $a),
            "stp x27, x28, [x0, ", $at, "]\n"
        )
    };
}

/// A row of the first tile of a reduction: finds the quotient that clears the lowest word, and leaves it in place of that
/// word, at offset `$at`. -1/n modulo 2^64 is in `x27`. The sum that becomes zero carries unless both of its parts are zero,
/// so the lowest product is not needed.
macro_rules! quotient_row {
    ($at:literal, $a:literal, $($above:literal),*) => {
        concat!(
            "mul x21, ", $a, ", x27\n str x21, [x0, ", $at, "]\n mul x24, x13, x21\n cmp ", $a, ", #1\n",
            low_halves!("x21", $($above),*),
            "cmn xzr, xzr\n",
            high_halves!("x21", $a, $($above),*)
        )
    };
}

/// A row of the triangle of a square: a limb, `$m`, times each limb above it. After each of these stand the words that its low
/// half and its high half belong to. `$own` holds the word at offset `$at`, which is final, and then the new highest word.
macro_rules! triangle_row {
    (
        $at:literal, $m:literal, $own:literal,
        $limb:literal $low:literal $high:literal, $($limbs:literal $lows:literal $highs:literal,)*
        last $last:literal $top:literal
    ) => {
        concat!(
            "str ", $own, ", [x0, ", $at, "]\n",
            "mul x23, ", $limb, ", ", $m, "\n adds ", $low, ", ", $low, ", x23\n",
            $("mul x23, ", $limbs, ", ", $m, "\n adcs ", $lows, ", ", $lows, ", x23\n",)*
            "mul x23, ", $last, ", ", $m, "\n adcs ", $top, ", ", $top, ", x23\n adc x26, xzr, xzr\n",
            "umulh x23, ", $limb, ", ", $m, "\n adds ", $high, ", ", $high, ", x23\n",
            $("umulh x23, ", $limbs, ", ", $m, "\n adcs ", $highs, ", ", $highs, ", x23\n",)*
            "umulh x23, ", $last, ", ", $m, "\n adc ", $own, ", x26, x23\n"
        )
    };
}

/// Keeps the registers that a function must give back.
macro_rules! enter {
    () => {
        "stp x19, x20, [sp, -80]!\n stp x21, x22, [sp, 16]\n stp x23, x24, [sp, 32]\n stp x25, x26, [sp, 48]\n \
         stp x27, x28, [sp, 64]\n"
    };
}

/// Gives back the registers that `enter` kept, and returns.
macro_rules! leave {
    () => {
        "ldp x27, x28, [sp, 64]\n ldp x25, x26, [sp, 48]\n ldp x23, x24, [sp, 32]\n ldp x21, x22, [sp, 16]\n \
         ldp x19, x20, [sp], 80\n ret\n"
    };
}

/// Loads eight words from `$from` to the registers of the multiplicand.
macro_rules! load_limbs {
    ($from:literal) => {
        concat!(
            "ldp x12, x13, [",
            $from,
            "]\n ldp x14, x15, [",
            $from,
            ", 16]\n ldp x16, x17, [",
            $from,
            ", 32]\n ldp x19, x20, [",
            $from,
            ", 48]\n"
        )
    };
}

/// Loads the running sum from where the first tile begins.
macro_rules! load_sum {
    () => {
        "ldp x4, x5, [x0]\n ldp x6, x7, [x0, 16]\n ldp x8, x9, [x0, 32]\n ldp x10, x11, [x0, 48]\n"
    };
}

/// Stores the running sum above the last tile.
macro_rules! store_sum {
    () => {
        "stp x4, x5, [x0]\n stp x6, x7, [x0, 16]\n stp x8, x9, [x0, 32]\n stp x10, x11, [x0, 48]\n"
    };
}

/// Goes to the next tile; the flags are left alone.
macro_rules! next_tile {
    () => {
        "add x1, x1, 64\n add x0, x0, 64\n sub x3, x3, 1\n"
    };
}

/// The tiles that are left; at least one.
macro_rules! tiles {
    () => {
        concat!(
            "2:\n",
            load_limbs!("x1"),
            two_rows!(0, "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11"),
            two_rows!(16, "x6", "x7", "x8", "x9", "x10", "x11", "x4", "x5"),
            two_rows!(32, "x8", "x9", "x10", "x11", "x4", "x5", "x6", "x7"),
            two_rows!(48, "x10", "x11", "x4", "x5", "x6", "x7", "x8", "x9"),
            next_tile!(),
            "cbnz x3, 2b\n"
        )
    };
}

/// `t` += `a` `b`, where `a` has 8 `tiles` limbs and `b` eight: the lowest 8 `tiles` words of `t` are added to, the
/// next eight are overwritten.
///
/// # Safety
/// `t` is valid for 8 `tiles` + 8 words, `a` for 8 `tiles` and `b` for eight, `t` overlaps neither, and `tiles` is not
/// zero.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn addmul(t: *mut u64, a: *const u64, b: *const u64, tiles: usize) {
    naked_asm!(
        enter!(),
        "mov x4, xzr\n mov x5, xzr\n mov x6, xzr\n mov x7, xzr",
        "mov x8, xzr\n mov x9, xzr\n mov x10, xzr\n mov x11, xzr",
        tiles!(),
        store_sum!(),
        leave!(),
    )
}

/// `t` += the products of each of the eight lowest limbs of `a` with all limbs above it; `a` has 8 `tiles` limbs.
/// The lowest 8 `tiles` words of `t` are added to, the next eight are overwritten.
///
/// # Safety
/// `t` is valid for 8 `tiles` + 8 words, `a` for 8 `tiles`, they don't overlap, and `tiles` is not zero.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn addsqr(t: *mut u64, a: *const u64, tiles: usize) {
    naked_asm!(
        enter!(),
        "mov x3, x2\n mov x2, x1",
        load_sum!(),
        load_limbs!("x1"),
        triangle_row!(
            0, "x12", "x4",
            "x13" "x5" "x6", "x14" "x6" "x7", "x15" "x7" "x8", "x16" "x8" "x9", "x17" "x9" "x10",
            "x19" "x10" "x11", last "x20" "x11"
        ),
        triangle_row!(
            8, "x13", "x5",
            "x14" "x7" "x8", "x15" "x8" "x9", "x16" "x9" "x10", "x17" "x10" "x11", "x19" "x11" "x4",
            last "x20" "x4"
        ),
        triangle_row!(
            16, "x14", "x6",
            "x15" "x9" "x10", "x16" "x10" "x11", "x17" "x11" "x4", "x19" "x4" "x5", last "x20" "x5"
        ),
        triangle_row!(
            24, "x15", "x7",
            "x16" "x11" "x4", "x17" "x4" "x5", "x19" "x5" "x6", last "x20" "x6"
        ),
        triangle_row!(
            32, "x16", "x8",
            "x17" "x5" "x6", "x19" "x6" "x7", last "x20" "x7"
        ),
        triangle_row!(
            40, "x17", "x9",
            "x19" "x7" "x8", last "x20" "x8"
        ),
        // The last product stands alone.
        "str x10, [x0, 48]\n mul x23, x20, x19\n adds x9, x9, x23",
        "umulh x24, x20, x19\n adc x10, x24, xzr",
        "str x11, [x0, 56]\n mov x11, xzr",
        next_tile!(),
        "cbz x3, 3f",
        tiles!(),
        "3:",
        store_sum!(),
        leave!(),
    )
}

/// `t` = 2 `t` + the squares of the limbs of `a`, limb i at word 2 i; `a` has 8 `tiles` limbs.
///
/// # Safety
/// `t` is valid for 16 `tiles` words, `a` for 8 `tiles`, they don't overlap, and `tiles` is not zero.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn double_add_squares(t: *mut u64, a: *const u64, tiles: usize) {
    // Two limbs; the word of `t` below the first is in `x7`.
    macro_rules! squares {
        ($limbs:literal, $first:literal, $second:literal) => {
            concat!(
                "ldp x8, x9, [x1, ", $limbs, "]\n ldp x4, x5, [x0, ", $first, "]\n",
                "mul x10, x8, x8\n umulh x11, x8, x8\n extr x12, x4, x7, 63\n extr x13, x5, x4, 63\n",
                "ldp x6, x7, [x0, ", $second, "]\n adcs x10, x10, x12\n adcs x11, x11, x13\n",
                "mul x12, x9, x9\n umulh x13, x9, x9\n extr x14, x6, x5, 63\n extr x15, x7, x6, 63\n",
                "stp x10, x11, [x0, ", $first, "]\n adcs x12, x12, x14\n adcs x13, x13, x15\n",
                "stp x12, x13, [x0, ", $second, "]\n"
            )
        };
    }
    naked_asm!(
        // No carry, and no word below.
        "mov x7, xzr\n cmn xzr, xzr",
        "2:",
        squares!(0, 0, 16),
        squares!(16, 32, 48),
        squares!(32, 64, 80),
        squares!(48, 96, 112),
        // Only instructions that leave the flags alone may turn this loop.
        "add x0, x0, 128\n add x1, x1, 64\n sub x2, x2, 1",
        "cbnz x2, 2b",
        "ret",
    )
}

/// Clears the eight lowest words of `t` by adding `q` `n`, where `q` is found on the way and `n` has 8 `tiles` limbs.
/// `k0` is -1/n modulo 2^64. `carry`, 0 or 1, belongs to word 8 `tiles`, and the carry out of word 8 `tiles` + 7 is
/// returned. The lowest words hold `q` afterwards.
///
/// # Safety
/// `t` is valid for 8 `tiles` + 8 words and `n` for 8 `tiles`, they don't overlap, and `tiles` is not zero.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn reduce(
    t: *mut u64,
    n: *const u64,
    k0: u64,
    tiles: usize,
    carry: u64,
) -> u64 {
    naked_asm!(
        enter!(),
        "str x4, [sp, -16]!",
        "mov x27, x2\n mov x2, x0",
        load_sum!(),
        load_limbs!("x1"),
        quotient_row!(0, "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11"),
        quotient_row!(8, "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x4"),
        quotient_row!(16, "x6", "x7", "x8", "x9", "x10", "x11", "x4", "x5"),
        quotient_row!(24, "x7", "x8", "x9", "x10", "x11", "x4", "x5", "x6"),
        quotient_row!(32, "x8", "x9", "x10", "x11", "x4", "x5", "x6", "x7"),
        quotient_row!(40, "x9", "x10", "x11", "x4", "x5", "x6", "x7", "x8"),
        quotient_row!(48, "x10", "x11", "x4", "x5", "x6", "x7", "x8", "x9"),
        quotient_row!(56, "x11", "x4", "x5", "x6", "x7", "x8", "x9", "x10"),
        next_tile!(),
        "cbz x3, 3f",
        tiles!(),
        "3:",
        // Sets the carry flag if the incoming carry is one.
        "ldr x12, [sp], 16\n cmp x12, 1",
        load_limbs!("x0"),
        "adcs x4, x4, x12\n adcs x5, x5, x13\n adcs x6, x6, x14\n adcs x7, x7, x15",
        "adcs x8, x8, x16\n adcs x9, x9, x17\n adcs x10, x10, x19\n adcs x11, x11, x20",
        "adc x1, xzr, xzr",
        store_sum!(),
        "mov x0, x1",
        leave!(),
    )
}
