//! The straight-line code, eight rows of eight limbs at a time.
//!
//! The running sum of eight rows, eight words wide, never leaves `r8` to `r15`. Row i adds word i of the sum in
//! memory to the lowest register, and the eight products of multiplier limb i to all. Then it stores the lowest
//! register as word i, and takes it as the new highest one. Low halves go through the carry flag (`adcx`), high
//! halves through the overflow flag (`adox`). The sum of a row fits nine words, so both chains end in the new
//! register.

use core::arch::naked_asm;

/// Multiplicand limb `$j` times `rdx`: the low half to `$lo`, the high half to `$hi`.
macro_rules! product {
    ($j:literal, $lo:literal, $hi:literal) => {
        concat!("mulx rbx, rax, [rsi + 8*", $j, "]\n adcx ", $lo, ", rax\n adox ", $hi, ", rbx\n")
    };
}

/// The last product of a row: its high half starts the new highest register, where both carry chains end.
macro_rules! last_product {
    ($lo:literal, $new:literal) => {
        concat!(
            "mulx ",
            $new,
            ", rax, [rsi + 56]\n adcx ",
            $lo,
            ", rax\n mov eax, 0\n adcx ",
            $new,
            ", rax\n adox ",
            $new,
            ", rax\n"
        )
    };
}

/// Row `$i` of a full tile.
macro_rules! row {
    ($i:literal, $a:literal, $b:literal, $c:literal, $d:literal, $e:literal, $f:literal, $g:literal, $h:literal) => {
        concat!(
            "mov rdx, [rdi + 8*",
            $i,
            "]\n xor eax, eax\n adox ",
            $a,
            ", [rcx + 8*",
            $i,
            "]\n",
            product!(0, $a, $b),
            "mov [rcx + 8*",
            $i,
            "], ",
            $a,
            "\n",
            product!(1, $b, $c),
            product!(2, $c, $d),
            product!(3, $d, $e),
            product!(4, $e, $f),
            product!(5, $f, $g),
            product!(6, $g, $h),
            last_product!($h, $a)
        )
    };
}

/// Row `$i` of the first tile of a reduction: finds the quotient limb that clears the lowest register, keeps it at
/// `rdi` and adds its products. -1/n modulo 2^64 is the ninth word at `rdi`.
macro_rules! quotient_row {
    ($i:literal, $a:literal, $b:literal, $c:literal, $d:literal, $e:literal, $f:literal, $g:literal, $h:literal) => {
        concat!(
            "mov rdx, ",
            $a,
            "\n imul rdx, [rdi + 64]\n mov [rdi + 8*",
            $i,
            "], rdx\n xor eax, eax\n",
            product!(0, $a, $b),
            product!(1, $b, $c),
            product!(2, $c, $d),
            product!(3, $d, $e),
            product!(4, $e, $f),
            product!(5, $f, $g),
            product!(6, $g, $h),
            last_product!($h, $a)
        )
    };
}

/// Eight rows; the registers move up by one from row to row.
macro_rules! rows {
    ($row:ident) => {
        concat!(
            $row!(0, "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"),
            $row!(1, "r9", "r10", "r11", "r12", "r13", "r14", "r15", "r8"),
            $row!(2, "r10", "r11", "r12", "r13", "r14", "r15", "r8", "r9"),
            $row!(3, "r11", "r12", "r13", "r14", "r15", "r8", "r9", "r10"),
            $row!(4, "r12", "r13", "r14", "r15", "r8", "r9", "r10", "r11"),
            $row!(5, "r13", "r14", "r15", "r8", "r9", "r10", "r11", "r12"),
            $row!(6, "r14", "r15", "r8", "r9", "r10", "r11", "r12", "r13"),
            $row!(7, "r15", "r8", "r9", "r10", "r11", "r12", "r13", "r14")
        )
    };
}

/// Row `$i` of the triangle of a square: limb i times the limbs above it.
macro_rules! triangle_row {
    ($i:literal, $low:literal, $new:literal, $last:literal, $($products:expr),*) => {
        concat!(
            "mov rdx, [rsi + 8*", $i, "]\n mov [rcx + 8*", $i, "], ", $low, "\n xor eax, eax\n",
            $($products,)*
            last_product!($last, $new)
        )
    };
}

/// Pushes the registers that a function must give back.
macro_rules! enter {
    () => {
        "push rbx\n push rbp\n push r12\n push r13\n push r14\n push r15\n"
    };
}

/// Pops the registers that `enter` pushed, and returns.
macro_rules! leave {
    () => {
        "pop r15\n pop r14\n pop r13\n pop r12\n pop rbp\n pop rbx\n ret\n"
    };
}

/// The tiles that are left, `rbp` of them, with the running sum in `r8` to `r15`; at least one.
macro_rules! tiles {
    () => {
        concat!("2:\n", rows!(row), "add rsi, 64\n add rcx, 64\n dec rbp\n jnz 2b\n")
    };
}

/// Stores the running sum above the last tile.
macro_rules! store_sum {
    () => {
        "mov [rcx], r8\n mov [rcx + 8], r9\n mov [rcx + 16], r10\n mov [rcx + 24], r11\n mov [rcx + 32], r12\n \
         mov [rcx + 40], r13\n mov [rcx + 48], r14\n mov [rcx + 56], r15\n"
    };
}

/// Loads the running sum from where the first tile begins.
macro_rules! load_sum {
    () => {
        "mov r8, [rcx]\n mov r9, [rcx + 8]\n mov r10, [rcx + 16]\n mov r11, [rcx + 24]\n mov r12, [rcx + 32]\n \
         mov r13, [rcx + 40]\n mov r14, [rcx + 48]\n mov r15, [rcx + 56]\n"
    };
}

/// `t` += `a` `b`, where `a` has 8 `tiles` limbs and `b` eight: the lowest 8 `tiles` words of `t` are added to, the
/// next eight are overwritten.
///
/// # Safety
/// The processor has BMI2 and ADX; `t` is valid for 8 `tiles` + 8 words, `a` for 8 `tiles` and `b` for eight, `t`
/// overlaps neither, and `tiles` is not zero.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn addmul(
    t: *mut u64,
    a: *const u64,
    b: *const u64,
    tiles: usize,
) {
    naked_asm!(
        enter!(),
        "mov rbp, rcx",
        "mov rcx, rdi",
        "mov rdi, rdx",
        "xor r8d, r8d\n xor r9d, r9d\n xor r10d, r10d\n xor r11d, r11d",
        "xor r12d, r12d\n xor r13d, r13d\n xor r14d, r14d\n xor r15d, r15d",
        tiles!(),
        store_sum!(),
        leave!(),
    )
}

/// `t` += the products of each of the eight lowest limbs of `a` with all limbs above it; `a` has 8 `tiles` limbs.
/// The lowest 8 `tiles` words of `t` are added to, the next eight are overwritten.
///
/// # Safety
/// The processor has BMI2 and ADX; `t` is valid for 8 `tiles` + 8 words, `a` for 8 `tiles`, they don't overlap, and
/// `tiles` is not zero.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn addsqr(t: *mut u64, a: *const u64, tiles: usize) {
    naked_asm!(
        enter!(),
        "mov rbp, rdx",
        "mov rcx, rdi",
        "mov rdi, rsi",
        load_sum!(),
        triangle_row!(
            0,
            "r8",
            "r8",
            "r15",
            product!(1, "r9", "r10"),
            product!(2, "r10", "r11"),
            product!(3, "r11", "r12"),
            product!(4, "r12", "r13"),
            product!(5, "r13", "r14"),
            product!(6, "r14", "r15")
        ),
        triangle_row!(
            1,
            "r9",
            "r9",
            "r8",
            product!(2, "r11", "r12"),
            product!(3, "r12", "r13"),
            product!(4, "r13", "r14"),
            product!(5, "r14", "r15"),
            product!(6, "r15", "r8")
        ),
        triangle_row!(
            2,
            "r10",
            "r10",
            "r9",
            product!(3, "r13", "r14"),
            product!(4, "r14", "r15"),
            product!(5, "r15", "r8"),
            product!(6, "r8", "r9")
        ),
        triangle_row!(
            3,
            "r11",
            "r11",
            "r10",
            product!(4, "r15", "r8"),
            product!(5, "r8", "r9"),
            product!(6, "r9", "r10")
        ),
        triangle_row!(4, "r12", "r12", "r11", product!(5, "r9", "r10"), product!(6, "r10", "r11")),
        triangle_row!(5, "r13", "r13", "r12", product!(6, "r11", "r12")),
        triangle_row!(6, "r14", "r14", "r13",),
        "mov [rcx + 56], r15",
        "xor r15d, r15d",
        "add rsi, 64\n add rcx, 64\n dec rbp\n jz 3f",
        tiles!(),
        "3:",
        store_sum!(),
        leave!(),
    )
}

/// `t` = 2 `t` + the squares of the limbs of `a`, limb i at word 2 i; `a` has 8 `tiles` limbs.
///
/// # Safety
/// The processor has BMI2 and ADX; `t` is valid for 16 `tiles` words, `a` for 8 `tiles`, they don't overlap, and
/// `tiles` is not zero.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn double_add_squares(t: *mut u64, a: *const u64, tiles: usize) {
    macro_rules! square {
        ($i:literal) => {
            concat!(
                "mov rdx, [rsi + 8*",
                $i,
                "]\n mulx r9, r8, rdx\n",
                "mov rax, [rdi + 16*",
                $i,
                "]\n adcx rax, rax\n adox rax, r8\n mov [rdi + 16*",
                $i,
                "], rax\n",
                "mov r10, [rdi + 16*",
                $i,
                " + 8]\n adcx r10, r10\n adox r10, r9\n mov [rdi + 16*",
                $i,
                " + 8], r10\n"
            )
        };
    }
    naked_asm!(
        "lea rcx, [8*rdx]",
        "xor eax, eax",
        // Only instructions that leave the flags alone may turn this loop.
        "2:",
        square!(0),
        square!(1),
        square!(2),
        square!(3),
        square!(4),
        square!(5),
        square!(6),
        square!(7),
        "lea rdi, [rdi + 128]",
        "lea rsi, [rsi + 64]",
        "lea rcx, [rcx - 8]",
        "jrcxz 3f",
        "jmp 2b",
        "3:",
        "ret",
    )
}

/// Clears the eight lowest words of `t` by adding `q` `n`, where `q` is found on the way and `n` has 8 `tiles`
/// limbs. `carry`, 0 or 1, belongs to word 8 `tiles`, and the carry out of word 8 `tiles` + 7 is returned. The
/// lowest words are left unchanged, since they are not read again.
///
/// # Safety
/// The processor has BMI2 and ADX; `t` is valid for 8 `tiles` + 8 words, `n` for 8 `tiles` and `q` for nine words,
/// the ninth being -1/n modulo 2^64; none overlaps another, and `tiles` is not zero.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn reduce(
    t: *mut u64,
    n: *const u64,
    q: *mut u64,
    tiles: usize,
    carry: u64,
) -> u64 {
    naked_asm!(
        enter!(),
        "push r8",
        "mov rbp, rcx",
        "mov rcx, rdi",
        "mov rdi, rdx",
        load_sum!(),
        rows!(quotient_row),
        "add rsi, 64\n add rcx, 64\n dec rbp\n jz 3f",
        tiles!(),
        "3:",
        "pop rdx",
        "xor eax, eax",
        // Sets the carry flag if the incoming carry is one.
        "neg rdx",
        "adc r8, [rcx]\n adc r9, [rcx + 8]\n adc r10, [rcx + 16]\n adc r11, [rcx + 24]",
        "adc r12, [rcx + 32]\n adc r13, [rcx + 40]\n adc r14, [rcx + 48]\n adc r15, [rcx + 56]",
        "adc rax, rax",
        store_sum!(),
        leave!(),
    )
}

/// `out` = `t` - `carry` `n` modulo 2^(512 `tiles`), where `carry` is 0 or 1.
///
/// # Safety
/// The processor has BMI2; `out`, `t` and `n` are valid for 8 `tiles` words, `out` overlaps neither, and `tiles` is
/// not zero.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn sub_carried(
    out: *mut u64,
    t: *const u64,
    n: *const u64,
    tiles: usize,
    carry: u64,
) {
    // Multiplying by the carry masks `n` and, unlike `and`, leaves the borrow in its flag.
    macro_rules! word {
        ($i:literal) => {
            concat!(
                "mulx r10, r9, [rax + 8*",
                $i,
                "]\n mov r8, [rsi + 8*",
                $i,
                "]\n sbb r8, r9\n",
                "mov [rdi + 8*",
                $i,
                "], r8\n"
            )
        };
    }
    naked_asm!(
        "mov rax, rdx",
        "mov rdx, r8",
        "xor r9d, r9d",
        // Only instructions that leave the carry flag alone may turn this loop.
        "2:",
        word!(0),
        word!(1),
        word!(2),
        word!(3),
        word!(4),
        word!(5),
        word!(6),
        word!(7),
        "lea rdi, [rdi + 64]",
        "lea rsi, [rsi + 64]",
        "lea rax, [rax + 64]",
        "dec rcx",
        "jnz 2b",
        "ret",
    )
}
