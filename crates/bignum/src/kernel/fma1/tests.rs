//! Products of one number against another library, at every number of vectors.
#![allow(
    clippy::unwrap_used,
    clippy::integer_division_remainder_used,
    reason = "a test stops at the first surprise"
)]

use alloc::vec;
use alloc::vec::Vec;

use num_bigint::BigUint;

use super::super::batch::Batch;
use super::super::block::{Block, Blocks, words, zeros};
use super::super::float::{MASK, RADIX};
use super::super::operations::{Kernel, Pairs, UnderRoot};
use super::Fma1;
use crate::number::word::inverse_word;

mod times;

/// Numbers of vectors: up to those of the longest modulus.
const SIZES: core::ops::RangeInclusive<usize> = 2..=34;

fn one() -> BigUint {
    BigUint::from(1_u8)
}

/// Words from a generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: &BigUint) -> BigUint {
        let words = bound.to_u64_digits().len() + 1;
        let number = (0..words).fold(BigUint::ZERO, |sum, _| {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (sum << 64_u32) + self.0
        });
        number % bound
    }
}

/// A modulus with its constants.
struct Under {
    kernel: Fma1,
    limbs: usize,
    n: BigUint,
    r: BigUint,
    batch: Batch,
}

impl Under {
    fn new(kernel: Fma1, size: usize, n: &BigUint) -> Self {
        let (layout, limbs) = (kernel.layout(), 4 * size);
        let mut batch = Batch::blank(layout, limbs);
        let digits = n.to_u64_digits();
        batch.set(layout, 0, &digits, inverse_word(digits[0]).wrapping_neg());
        batch.extra = kernel.prepare(&batch.n, &batch.k0, limbs);
        Self { kernel, limbs, n: n.clone(), r: one() << (u64::from(RADIX) * limbs as u64), batch }
    }

    fn pack(&self, number: &BigUint) -> Blocks {
        assert!(*number < self.r);
        self.kernel.layout().packed([number.to_u64_digits().as_slice()], self.limbs)
    }

    /// The number whose limbs must be proper.
    fn unpack(&self, number: &[Block]) -> BigUint {
        words(number)[..self.limbs].iter().rev().fold(BigUint::ZERO, |sum, &limb| {
            assert!(limb <= MASK, "proper limbs");
            (sum << RADIX) + limb
        })
    }

    /// The product, or the square of `a`, which must be right and below 2 N.
    fn product(&self, a: &BigUint, b: Option<&BigUint>) -> BigUint {
        let junk = Block([!0; 8]);
        let mut scratch = vec![junk; self.kernel.scratch(self.limbs)];
        let mut out = vec![junk; self.kernel.blocks(self.limbs)];
        match b {
            Some(b) => {
                self.kernel.mul(&mut out, &self.pack(a), &self.pack(b), &self.batch, &mut scratch);
            }
            None => self.kernel.sqr(&mut out, &self.pack(a), &self.batch, &mut scratch),
        }
        let made = self.unpack(&out);
        let size = self.limbs >> 2;
        assert!(made < &self.n << 1_u32, "{size} vectors: bound");
        let difference = &made * &self.r + &self.n * &self.n * 256_u32 - a * b.unwrap_or(a);
        assert_eq!(difference % &self.n, BigUint::ZERO, "{size} vectors, {a} {b:?}");
        made
    }

    /// The product of pairs, or the square of `x`, which must be right, with halves below 2 N + 2.
    fn pair_product(&self, x: [&BigUint; 2], y: Option<[&BigUint; 2]>) {
        let blocks = self.kernel.blocks(self.limbs);
        let complement = (&self.n + 1_u8) + &self.n - &self.r % &self.n;
        let complement = self.pack(&complement);
        let under = UnderRoot {
            n: &self.batch.n,
            k0: &self.batch.k0,
            prepared: &self.batch.extra,
            limbs: self.limbs,
            complement: &complement,
        };
        let pack = |[a, b]: [&BigUint; 2]| [self.pack(a).as_slice(), &self.pack(b)].concat();
        let junk = Block([!0; 8]);
        let mut scratch = vec![junk; self.kernel.pair_scratch(self.limbs)];
        let mut out = vec![junk; 2 * blocks];
        match y {
            Some(y) => {
                self.kernel.mul_pairs(&mut out, &pack(x), &pack(y), under, &mut scratch);
            }
            None => self.kernel.sqr_pairs(&mut out, &pack(x), under, &mut scratch),
        }
        let (low, high) = out.split_at(blocks);
        let (low, high) = (self.unpack(low), self.unpack(high));
        let bound = (&self.n << 1_u32) + 2_u8;
        assert!(low < bound && high < bound, "{} limbs: bound", self.limbs);
        let value = |[a, b]: [&BigUint; 2]| a + b * &self.n;
        let square = &self.n * &self.n;
        let made = value([&low, &high]) * &self.r % &square;
        let expected = value(x) * value(y.unwrap_or(x)) % &square;
        assert_eq!(made, expected, "{} limbs, {x:?} {y:?}", self.limbs);
    }
}

/// Odd moduli with 9 bits to spare, at their extremes and at random.
fn moduli(size: usize, random: &mut Random) -> Vec<BigUint> {
    let bits = 4 * u64::from(RADIX) * size as u64 - 9;
    let top = one() << bits;
    let half = &top >> 1_u32;
    vec![
        &top - 1_u8,
        &half + 1_u8,
        BigUint::from(3_u8),
        (one() << (bits - 100)) - 1_u8,
        (&half + random.below(&half)) | one(),
        (&half + random.below(&half)) | one(),
    ]
}

/// Factors up to `times` N, at their extremes and at random.
fn factors(under: &Under, times: u32, random: &mut Random) -> Vec<BigUint> {
    let (n, most) = (&under.n, &under.n * times);
    vec![
        BigUint::ZERO,
        one(),
        n - 1_u8,
        n.clone(),
        (n << 1_u32) - 1_u8,
        &most - 1_u8,
        // All limbs of all ones.
        (one() << (most.bits() - 1)) - 1_u8,
        &under.r % n,
        random.below(&most),
    ]
}

#[test]
fn products_are_right_and_bounded() {
    let Some(kernel) = Fma1::detect() else { return };
    let random = &mut Random(0x9e37_79b9_7f4a_7c15);
    for size in SIZES {
        for n in moduli(size, random) {
            let under = Under::new(kernel, size, &n);
            let factors = factors(&under, 16, random);
            for a in &factors {
                under.product(a, None);
                for b in &factors {
                    under.product(a, Some(b));
                }
            }
            let (mut x, mut y) = (factors[8].clone(), factors[5].clone());
            for _ in 0..20 {
                x = under.product(&x, None);
                y = under.product(&x, Some(&y));
            }
        }
    }
}

#[test]
fn products_of_pairs_are_right_and_bounded() {
    let Some(kernel) = Fma1::detect() else { return };
    let random = &mut Random(0x2545_f491_4f6c_dd1d);
    for size in SIZES {
        for n in moduli(size, random) {
            let under = Under::new(kernel, size, &n);
            let factors = factors(&under, 8, random);
            for (at, a) in factors.iter().enumerate() {
                let [b, c, d] = [1, 3, 5].map(|step| &factors[(at * step + step) % factors.len()]);
                under.pair_product([a, b], None);
                under.pair_product([a, b], Some([c, d]));
                under.pair_product([b, a], Some([d, c]));
            }
            // What numbers enter by.
            let (all, most) = (&under.r - 1_u8, &n - 1_u8);
            under.pair_product([&all, &BigUint::ZERO], Some([&most, &most]));
        }
    }
}

/// A chain of carries through all limbs, and one that ends or begins anywhere.
#[test]
fn carries_run_through_all_limbs() {
    let Some(kernel) = Fma1::detect() else { return };
    for size in SIZES {
        let bits = 4 * u64::from(RADIX) * size as u64 - 9;
        let under = Under::new(kernel, size, &((one() << bits) - 1_u8));
        // The result is made anew from these: their products by R mod N are themselves.
        let unit = &under.r % &under.n;
        // At both ends of each limb, and between.
        for place in (0..bits).step_by(17) {
            let power = one() << place;
            let values = [&power - 1_u8, &under.n - &power, power];
            for value in &values {
                assert_eq!(under.product(value, Some(&unit)) % &under.n, value % &under.n);
            }
        }
    }
}

#[test]
fn missing_entries_are_zeros() {
    let Some(kernel) = Fma1::detect() else { return };
    let table: Vec<Block> = (0..32 * 5_u64).map(|i| Block([i; 8])).collect();
    for index in [0, 1, 31, 32, u64::MAX] {
        let mut out = zeros(5);
        kernel.select(&mut out, &table, &Block([index; 8]));
        for (block, at) in out.iter().zip(0_u64..) {
            let expected = if index < 32 { index * 5 + at } else { 0 };
            assert_eq!(block.0, [expected; 8]);
        }
    }
}
