//! Against the portable arithmetic, limb by limb.

use alloc::vec;

use super::{multiply, reduce, square};
use crate::modular::montgomery;
use crate::modular::montgomery::tests::{moduli, patterns};
use crate::number::word::inverse_word;

/// Compares products, squares and residues of numbers of this many limbs.
fn compare(len: usize, seed: u64) {
    let values = patterns(len, seed);
    for n in moduli(len, seed + 1) {
        let k0 = inverse_word(n[0]).wrapping_neg();
        for a in values.iter().chain([&n]) {
            // Words of an earlier product must not stay.
            let [mut ours, mut portable] = [3, 5].map(|word| vec![word; 2 * len]);
            square(&mut ours, a);
            montgomery::square(&mut portable, a);
            assert_eq!(ours, portable, "{len} limbs, the square of {a:x?}");
            for b in &values {
                let [mut ours, mut portable] = [3, 5].map(|word| vec![word; 2 * len]);
                multiply(&mut ours, a, b);
                montgomery::multiply(&mut portable, a, b);
                assert_eq!(ours, portable, "{len} limbs, {a:x?} times {b:x?}");
                let [mut out, mut expected] = [7, 9].map(|word| vec![word; len]);
                reduce(&mut out, &mut ours, &n, k0);
                montgomery::reduce(&mut expected, &mut portable, &n, k0);
                assert_eq!(out, expected, "{len} limbs, {a:x?} times {b:x?} modulo {n:x?}");
            }
        }
        // Every double length, up to the greatest number.
        for high in &values {
            for low in &values {
                let [mut ours, mut portable] = [(); 2].map(|()| [&**low, high].concat());
                let [mut out, mut expected] = [7, 9].map(|word| vec![word; len]);
                reduce(&mut out, &mut ours, &n, k0);
                montgomery::reduce(&mut expected, &mut portable, &n, k0);
                assert_eq!(out, expected, "{len} limbs, {low:x?} {high:x?} modulo {n:x?}");
            }
        }
    }
}

#[test]
fn every_multiple_of_eight_limbs() {
    for len in (8..=104).step_by(8) {
        compare(len, 3);
    }
}

#[test]
fn other_lengths() {
    for len in [1, 2, 3, 7, 9, 12, 15, 17, 31, 33] {
        compare(len, 5);
    }
}

#[test]
fn random_numbers() {
    for seed in (100..).step_by(10).take(200) {
        compare(8, seed);
    }
    for seed in (5000..).step_by(10).take(20) {
        compare(24, seed);
    }
}
