//! GMP itself: the unit that times are given in, and its memory.

use core::alloc::Layout;
use core::ffi::c_void;
use std::alloc::{alloc, dealloc, realloc};

use gmp_mpfr_sys::gmp;
use quorate_benches::ecdsa::Level;
use quorate_benches::{Meter as _, Stopwatch};
use rug::Integer;
use rug::integer::Order;
use rug::rand::RandState;

/// One `mpz_powm` under the square of a modulus of the level, with an exponent as long as the modulus: what an
/// encryption costs who does not know the factors.
pub struct Powm {
    base: Integer,
    exponent: Integer,
    modulus: Integer,
}

impl Powm {
    /// Random numbers, the same in every run.
    #[must_use]
    pub fn new(level: Level) -> Self {
        let mut random = RandState::new();
        let bits = level.modulus_bits();
        let mut number = |bits: u32| {
            let mut number = Integer::from(Integer::random_bits(bits, &mut random));
            number.set_bit(bits - 1, true).set_bit(0, true);
            number
        };
        let modulus = number(bits).square();
        Self { base: number(2 * bits - 2), exponent: number(bits), modulus }
    }

    /// The milliseconds that it takes.
    #[must_use]
    pub fn sample(&self) -> f64 {
        let mut stopwatch = Stopwatch::default();
        let base = self.base.clone();
        stopwatch.start();
        let power = base.pow_mod(&self.exponent, &self.modulus);
        stopwatch.stop();
        core::hint::black_box(power.expect("a positive exponent").to_digits::<u8>(Order::Lsf));
        stopwatch.total().as_secs_f64() * 1e3
    }
}

/// As `malloc` aligns on the machines where this runs.
fn layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes, 16).expect("a size that fits")
}

#[allow(unsafe_code, reason = "a function of C's")]
extern "C" fn allocate(bytes: usize) -> *mut c_void {
    // SAFETY: GMP never asks for zero bytes.
    unsafe { alloc(layout(bytes)) }.cast()
}

#[allow(unsafe_code, reason = "a function of C's")]
extern "C" fn reallocate(block: *mut c_void, old: usize, bytes: usize) -> *mut c_void {
    // SAFETY: GMP says the size that `allocate` or this function was given, and never asks for zero bytes.
    unsafe { realloc(block.cast(), layout(old), bytes) }.cast()
}

#[allow(unsafe_code, reason = "a function of C's")]
extern "C" fn release(block: *mut c_void, bytes: usize) {
    // SAFETY: GMP says the size that `allocate` or `reallocate` was given.
    unsafe { dealloc(block.cast(), layout(bytes)) }
}

/// Has GMP take its memory from Rust's allocator, which can count it. To be called before any number is made.
pub fn count_gmp() {
    #[allow(unsafe_code, reason = "a global setting of a library of C's")]
    // SAFETY: no number of GMP's exists yet, and the three functions keep the contract of `malloc`,
    // `realloc` and `free` for the sizes that GMP passes.
    unsafe {
        gmp::set_memory_functions(Some(allocate), Some(reallocate), Some(release));
    }
}
