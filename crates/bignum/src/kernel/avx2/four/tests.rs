//! Against a plain big-integer library: a result is right if it times R is the product modulo N.
#![allow(clippy::integer_division_remainder_used, reason = "tests compute with public numbers")]

use super::super::vector::RADIX;
use super::*;
use alloc::vec;
use alloc::vec::Vec;
use num_bigint::BigUint;

type Numbers = [BigUint; LANES];

/// A small generator of numbers for tests (SplitMix64).
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: &BigUint) -> BigUint {
        let words = bound.bits() / 64 + 2;
        (0..words).fold(BigUint::ZERO, |x, _| (x << 64) + self.word()) % bound
    }

    fn blocks(&mut self, count: usize) -> Vec<Block> {
        (0..count).map(|_| Block(core::array::from_fn(|_| self.word()))).collect()
    }
}

fn pack(xs: &Numbers, limbs: usize) -> Vec<Block> {
    let mut blocks = vec![Block([0; 8]); limbs / 2];
    for (lane, x) in xs.iter().enumerate() {
        for (j, limb) in x.to_radix_le(1 << 7).chunks(4).enumerate() {
            let limb = limb.iter().rev().fold(0, |sum, &digit| (sum << 7) + u64::from(digit));
            blocks[j / 2].0[4 * (j % 2) + lane] = limb;
        }
    }
    blocks
}

fn unpack(blocks: &[Block]) -> Numbers {
    core::array::from_fn(|lane| {
        blocks.iter().rev().flat_map(|b| [b.0[4 + lane], b.0[lane]]).fold(
            BigUint::ZERO,
            |x, limb| {
                assert!(limb < 1 << RADIX, "normalised");
                (x << RADIX) + limb
            },
        )
    })
}

fn minus_inverse(n: u64) -> u64 {
    let inverse = (0..5).fold(n, |x, _| x.wrapping_mul(2u64.wrapping_sub(n.wrapping_mul(x))));
    inverse.wrapping_neg() & ((1 << RADIX) - 1)
}

/// Numbers moduli of the kind `kind` and the following ones.
fn moduli(limbs: usize, kind: usize, random: &mut Random) -> Numbers {
    let top = BigUint::from(1u32) << (28 * limbs - 8);
    core::array::from_fn(|lane| match (kind + lane) % 6 {
        0 => &top - 1u32,
        1 => (&top >> 1) + 1u32,
        2 => BigUint::from(3u32),
        3 => &top - 189u32,
        _ => random.below(&(&top >> 1)) * 2u32 + 1u32,
    })
}

fn values(n: &Numbers, random: &mut Random) -> Vec<Numbers> {
    let twice = n.each_ref().map(|n| n * 2u32);
    vec![
        n.each_ref().map(|_| BigUint::ZERO),
        n.each_ref().map(|_| BigUint::from(1u32)),
        n.each_ref().map(|n| n - 1u32),
        twice.each_ref().map(|n| n - 1u32),
        // As many full limbs as fit.
        twice.each_ref().map(|n| (BigUint::from(1u32) << ((n.bits() - 1) / 28 * 28)) - 1u32),
        twice.each_ref().map(|n| random.below(n)),
        twice.each_ref().map(|n| random.below(n)),
    ]
}

fn check_product(out: &[Block], a: &Numbers, b: &Numbers, n: &Numbers) -> Numbers {
    let results = unpack(out);
    for (((result, a), b), n) in results.iter().zip(a).zip(b).zip(n) {
        assert!(*result < n * 2u32, "bound");
        assert_eq!((result << (56 * out.len())) % n, a * b % n, "{} limbs", 2 * out.len());
    }
    results
}

#[test]
fn products_and_squares() {
    let Some(kernel) = Four::detect() else { return };
    let mut random = Random(1);
    for limbs in (2..=MAX_LIMBS).step_by(2) {
        let n = moduli(limbs, limbs / 2, &mut random);
        let packed = pack(&n, limbs);
        let k0 = core::array::from_fn(|lane| minus_inverse(packed[0].0[lane]));
        let mut scratch = random.blocks(Four::scratch_len(limbs / 2));
        let mut out = random.blocks(limbs / 2);
        let values = values(&n, &mut random);
        for (i, a) in values.iter().enumerate() {
            for b in values.iter().skip(i) {
                kernel.mul(&mut out, &pack(a, limbs), &pack(b, limbs), &packed, &k0, &mut scratch);
                check_product(&out, a, b, &n);
            }
            kernel.sqr(&mut out, &pack(a, limbs), &packed, &k0, &mut scratch);
            check_product(&out, a, a, &n);
        }
    }
}

#[test]
fn chains() {
    let Some(kernel) = Four::detect() else { return };
    let mut random = Random(2);
    for (kind, limbs) in [38, 56, 74, 110, 122, 126, 148, 220, 248].into_iter().enumerate() {
        let n = moduli(limbs, kind, &mut random);
        let packed = pack(&n, limbs);
        let k0 = core::array::from_fn(|lane| minus_inverse(packed[0].0[lane]));
        let mut scratch = random.blocks(Four::scratch_len(limbs / 2));
        let mut x = n.each_ref().map(|n| n * 2u32 - 1u32);
        let y = n.each_ref().map(|n| random.below(n));
        let (mut x_blocks, y_blocks, mut out) = (pack(&x, limbs), pack(&y, limbs), packed.clone());
        for i in 0..100 {
            if i % 3 == 0 {
                kernel.mul(&mut out, &x_blocks, &y_blocks, &packed, &k0, &mut scratch);
                x = check_product(&out, &x, &y, &n);
            } else {
                kernel.sqr(&mut out, &x_blocks, &packed, &k0, &mut scratch);
                x = check_product(&out, &x, &x, &n);
            }
            x_blocks.copy_from_slice(&out);
        }
    }
}

#[test]
fn selections() {
    let Some(kernel) = Four::detect() else { return };
    let mut random = Random(3);
    let blocks = 19;
    let table = random.blocks(32 * blocks);
    let shared: Vec<u64> = random.blocks(16 * blocks).iter().flat_map(|b| b.0).collect();
    for index in [[0, 31, 7, 1], [5, 5, 5, 5], [64, 32, u64::MAX, 0]] {
        let expected: Vec<[u64; 8]> = (0..blocks)
            .map(|j| {
                core::array::from_fn(|word| match index[word % 4] {
                    entry @ 0..32 => table[usize::try_from(entry).unwrap() * blocks + j].0[word],
                    _ => 0,
                })
            })
            .collect();
        let expected_shared: Vec<[u64; 8]> = (0..blocks)
            .map(|j| {
                core::array::from_fn(|word| match index[word % 4] {
                    // 16 blocks of eight words make 64 entries of two words a block.
                    entry @ 0..64 => {
                        shared[usize::try_from(entry).unwrap() * 2 * blocks + 2 * j + word / 4]
                    }
                    _ => 0,
                })
            })
            .collect();
        let mut out = random.blocks(blocks);
        let words = |out: &[Block]| out.iter().map(|b| b.0).collect::<Vec<_>>();
        kernel.select(&mut out, &table, &index);
        assert_eq!(words(&out), expected);
        out = random.blocks(blocks);
        kernel.select_vartime(&mut out, &table, &index);
        assert_eq!(words(&out), expected);
        out = random.blocks(blocks);
        kernel.select_shared(&mut out, &shared, &index);
        assert_eq!(words(&out), expected_shared);
        out = random.blocks(blocks);
        kernel.select_shared_vartime(&mut out, &shared, &index);
        assert_eq!(words(&out), expected_shared);
    }
}
