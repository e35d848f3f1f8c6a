//! Against a plain big-integer library: a result is right if it times R is the product modulo N.
#![allow(clippy::integer_division_remainder_used, reason = "tests compute with public numbers")]

use super::*;
use alloc::vec;
use alloc::vec::Vec;
use num_bigint::BigUint;

/// A small generator of numbers for tests (SplitMix64).
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn words(&mut self, limbs: usize) -> Vec<u64> {
        (0..limbs).map(|_| self.word()).collect()
    }
}

fn int(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |x, &word| (x << 64) + word)
}

fn minus_inverse(n: u64) -> u64 {
    // Each step doubles the low bits that are right: 3 at first.
    (0..5).fold(n, |x, _| x.wrapping_mul(2u64.wrapping_sub(n.wrapping_mul(x)))).wrapping_neg()
}

fn moduli(limbs: usize, random: &mut Random) -> Vec<Vec<u64>> {
    let mut any = random.words(limbs);
    any[0] |= 1;
    let mut small = vec![0; limbs];
    small[0] = 3;
    let mut sparse = vec![0; limbs];
    sparse[limbs - 1] = 1 << 63;
    sparse[0] |= 1;
    let mut below = vec![u64::MAX; limbs];
    below[0] -= 188;
    vec![any, small, sparse, below, vec![u64::MAX; limbs]]
}

fn values(n: &[u64], random: &mut Random) -> Vec<Vec<u64>> {
    let limbs = n.len();
    let mut one = vec![0; limbs];
    one[0] = 1;
    let mut top = vec![0; limbs];
    top[limbs - 1] = 1 << 63;
    let mut last = n.to_vec();
    last[0] -= 1;
    let mut out = vec![vec![0; limbs], one, top, last, n.to_vec(), vec![u64::MAX; limbs]];
    out.extend((0..3).map(|_| random.words(limbs)));
    out
}

fn check_product(out: &[u64], a: &[u64], b: &[u64], n: &[u64]) {
    let (product, modulus, result) = (int(a) * int(b), int(n), int(out));
    assert_eq!((&result << (64 * n.len())) % &modulus, &product % &modulus, "{} limbs", n.len());
    if product < (&modulus << (64 * n.len())) {
        assert!(result < &modulus * 2u32, "bound");
    }
}

#[test]
fn products_and_squares() {
    let Some(kernel) = Tiles::detect() else { return };
    let mut random = Random(1);
    for limbs in (8..=104).step_by(8) {
        for n in moduli(limbs, &mut random) {
            let k0 = minus_inverse(n[0]);
            let mut scratch = random.words(Tiles::scratch_len(limbs));
            let mut out = vec![0; limbs];
            let values = values(&n, &mut random);
            for a in &values {
                for b in &values {
                    kernel.mul(&mut out, a, b, &n, k0, &mut scratch);
                    check_product(&out, a, b, &n);
                }
                kernel.sqr(&mut out, a, &n, k0, &mut scratch);
                check_product(&out, a, a, &n);
            }
        }
    }
}

#[test]
fn chains() {
    let Some(kernel) = Tiles::detect() else { return };
    let mut random = Random(2);
    for limbs in [8, 16, 24, 32, 48, 64, 96] {
        for n in moduli(limbs, &mut random) {
            let k0 = minus_inverse(n[0]);
            let mut scratch = random.words(Tiles::scratch_len(limbs));
            let (mut x, y, mut out) = (random.words(limbs), random.words(limbs), vec![0; limbs]);
            for i in 0..100 {
                if i % 3 == 0 {
                    kernel.mul(&mut out, &x, &y, &n, k0, &mut scratch);
                    check_product(&out, &x, &y, &n);
                } else {
                    kernel.sqr(&mut out, &x, &n, k0, &mut scratch);
                    check_product(&out, &x, &x, &n);
                }
                x.copy_from_slice(&out);
            }
        }
    }
}
