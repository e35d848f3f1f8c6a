//! Greatest common divisors, inverses and Jacobi symbols against an independent library and slow definitions.

use num_bigint::BigUint;
use quorate_bignum::{Error, Modulus, Natural};

use crate::support::{Rng, big, natural};

const SIZES: [u32; 22] = [
    1, 2, 3, 7, 31, 63, 64, 65, 127, 128, 129, 191, 192, 193, 256, 521, 1024, 1999, 2048, 3072,
    4095, 4096,
];

fn number(value: u64) -> BigUint {
    BigUint::from(value)
}

fn gcd(a: &BigUint, b: &BigUint) -> BigUint {
    let (mut a, mut b) = (a.clone(), b.clone());
    while b != BigUint::ZERO {
        (a, b) = (b.clone(), a % b);
    }
    a
}

/// By removing twos and reciprocity, as in the books.
fn jacobi(a: &BigUint, n: &BigUint) -> i8 {
    let (mut a, mut n, mut sign) = (a % n, n.clone(), 1);
    while a != BigUint::ZERO {
        let eighth = |n: &BigUint| u64::try_from(n % 8u8).unwrap();
        while eighth(&a) & 1 == 0 {
            a >>= 1u32;
            if matches!(eighth(&n), 3 | 5) {
                sign = -sign;
            }
        }
        if eighth(&a) & eighth(&n) & 2 != 0 {
            sign = -sign;
        }
        (a, n) = (&n % &a, a);
    }
    if n == number(1) { sign } else { 0 }
}

/// Numbers around `n` and at random, of all lengths up to that of `n`.
fn operands(rng: &mut Rng, n: &BigUint) -> Vec<BigUint> {
    let bits = u32::try_from(n.bits()).unwrap();
    let mut out = vec![
        number(0),
        number(1),
        number(2),
        n.clone(),
        n - 1u8,
        n + 1u8,
        n >> 1u32,
        n << 1u32,
        n * n,
    ];
    out.extend((1..=8).map(|k| rng.bits((bits * k).div_ceil(8))));
    out.extend((0..4).map(|_| rng.below(n)));
    // Runs of zeros and ones make quotients that are large or all 1.
    out.push(number(1) << (bits - 1));
    out.push((number(1) << bits) - 1u8);
    out.push((number(1) << bits) - (number(1) << bits.div_ceil(2)));
    out.push(n - (n >> bits.div_ceil(2)));
    out
}

fn check_gcd(a: &BigUint, b: &BigUint) {
    assert_eq!(big(&natural(a).gcd(&natural(b))), gcd(a, b), "gcd({a}, {b})");
}

fn check_under(n: &BigUint, a: &BigUint) {
    let modulus = Modulus::new(&natural(n)).unwrap();
    let unit = gcd(&(a % n), n) == number(1);
    match modulus.inverse(&natural(a)) {
        Ok(inverse) => {
            assert!(unit && inverse < natural(n));
            assert_eq!(big(&inverse) * a % n, number(1), "1 / {a} mod {n}");
        }
        Err(error) => assert!(!unit && error == Error::NotInvertible, "1 / {a} mod {n}: {error}"),
    }
    assert_eq!(modulus.jacobi(&natural(a)), jacobi(a, n), "({a} / {n})");
}

#[test]
fn every_size_against_num_bigint() {
    for bits in SIZES {
        let rng = &mut Rng::new(u64::from(bits) + 7);
        for _ in 0..3 {
            let n = rng.odd(bits);
            for a in operands(rng, &n) {
                check_gcd(&a, &n);
                check_gcd(&n, &a);
                if n > number(1) {
                    check_under(&n, &a);
                }
            }
        }
    }
}

#[test]
fn common_factors_are_found() {
    let rng = &mut Rng::new(3);
    for bits in [8, 64, 100, 512, 1536] {
        for common in [1, 2, 17, 64, 65, 300] {
            let factor = rng.odd(common);
            let (a, b) = (rng.bits(bits) * &factor, rng.odd(bits) * &factor);
            check_gcd(&a, &b);
            check_gcd(&(&a << 13u32), &(&b << 7u32));
            if b > number(1) {
                check_under(&b, &a);
            }
        }
    }
}

#[test]
fn small_pairs_exhaustively() {
    for a in 0..130u64 {
        for b in 0..130u64 {
            check_gcd(&number(a), &number(b));
            if b & 1 == 1 && b > 1 {
                check_under(&number(b), &number(a));
            }
        }
    }
}

#[test]
fn numbers_of_two_words_at_random() {
    let rng = &mut Rng::new(11);
    for round in 0..4000 {
        let (n, a) = (rng.odd(60 + round % 140), rng.bits(1 + round % 199));
        check_gcd(&a, &n);
        check_under(&n, &a);
    }
}

#[test]
fn neighbours_of_fibonacci_have_the_longest_run() {
    let (mut a, mut b) = (number(1), number(1));
    for _ in 0..3000 {
        (a, b) = (&a + &b, a);
    }
    check_gcd(&a, &b);
    let odd = if a.bit(0) { &a } else { &b };
    check_under(odd, &(&a + &b));
    assert_eq!(natural(&a).gcd(&natural(&b)), Natural::one());
}

#[test]
fn the_symbol_multiplies() {
    let rng = &mut Rng::new(5);
    for bits in [130, 1024, 2048] {
        let n = rng.odd(bits);
        let modulus = Modulus::new(&natural(&n)).unwrap();
        for _ in 0..20 {
            let (a, b) = (rng.below(&n), rng.below(&n));
            let product = modulus.jacobi(&natural(&(&a * &b)));
            assert_eq!(product, modulus.jacobi(&natural(&a)) * modulus.jacobi(&natural(&b)));
        }
    }
}

/// Many inverses, so that rare cases are met.
#[test]
fn inverses_by_the_thousand() {
    let rng = &mut Rng::new(77);
    for bits in [1024, 2048, 3072, 4096] {
        let n = rng.odd(bits);
        let modulus = Modulus::new(&natural(&n)).unwrap();
        for _ in 0..6000 {
            let a = modulus.reduce(&natural(&rng.bits(bits)));
            if let Ok(inverse) = modulus.inverse(&a) {
                assert_eq!(modulus.mul(&a, &inverse), Natural::from(1), "{a:?} modulo {n}");
            }
        }
    }
}
