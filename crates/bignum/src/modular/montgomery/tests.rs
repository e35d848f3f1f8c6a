//! Against another library, at every remainder of a length by the rows that go together.
#![allow(clippy::integer_division_remainder_used, reason = "tests compute with public numbers")]

use alloc::vec;
use alloc::vec::Vec;

use num_bigint::BigUint;

use super::{multiply, reduce, square};
use crate::number::word::inverse_word;

/// Numbers whose words are chosen from the ends of their range, or at random.
pub(crate) fn patterns(len: usize, seed: u64) -> Vec<Vec<u64>> {
    let mut state = seed;
    let mut word = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let bit = |at: usize| {
        let mut number = vec![0; len];
        number[at] = 1 << (at & 63);
        number
    };
    let mut some = vec![vec![0; len], vec![u64::MAX; len], bit(0), bit(len - 1), bit(len >> 1)];
    some.push((0..len).map(|_| if word() & 1 == 0 { 0 } else { u64::MAX }).collect());
    some.extend([(); 2].map(|()| (0..len).map(|_| word()).collect()));
    some
}

/// The same as moduli: odd, and with a word in the highest place.
pub(crate) fn moduli(len: usize, seed: u64) -> Vec<Vec<u64>> {
    let mut moduli = patterns(len, seed);
    for n in &mut moduli {
        n[0] |= 1;
        n[len - 1] |= 1 << 63;
    }
    moduli
}

fn int(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |x, &word| (x << 64) + word)
}

#[test]
fn products_squares_and_residues() {
    for len in (1..=13).chain([16, 23, 32, 50]) {
        let values = patterns(len, 1);
        for n in moduli(len, 2) {
            let k0 = inverse_word(n[0]).wrapping_neg();
            for a in &values {
                // Words of an earlier product must not stay.
                let mut spare = vec![7; 2 * len];
                square(&mut spare, a);
                assert_eq!(int(&spare), int(a) * int(a), "{len} limbs, {a:x?}");
                for b in &values {
                    let (mut product, mut out) = (vec![7; 2 * len], vec![7; len]);
                    multiply(&mut product, a, b);
                    let wide = int(a) * int(b);
                    assert_eq!(int(&product), wide, "{len} limbs, {a:x?} {b:x?}");
                    reduce(&mut out, &mut product, &n, k0);
                    let (out, n) = (int(&out), int(&n));
                    assert!((&out << (64 * len)) % &n == &wide % &n, "{len} limbs, {a:x?} {b:x?}");
                    let bound = &n << (64 * len);
                    assert!(wide >= bound || out < n, "{len} limbs, {a:x?} {b:x?}");
                }
            }
        }
    }
}
