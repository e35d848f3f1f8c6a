//! The single parts of the test: a number that deceives one of them must be caught by another.

use alloc::vec;
use alloc::vec::Vec;

use num_bigint::BigUint;

use super::candidate::Candidate;
use super::family::Family;
use super::primality::two;
use super::sieve::Sieve;
use super::small;
use crate::number::limbs::words_for;
use crate::{Engine, Natural, SecretNatural};

mod primality;

fn candidate(n: u64) -> Candidate {
    let n = Natural::from(n);
    Candidate::new(&SecretNatural::classify(&n, n.bits()).unwrap()).unwrap()
}

fn is_strong(n: u64, base: u64, twos: Option<u32>) -> bool {
    let mut candidate = candidate(n);
    let twos = twos.unwrap_or(candidate.twos_vartime());
    candidate.is_strong(&Engine::portable(), &[SecretNatural::from_words(&[base], 64)], twos)
}

/// The definition, on small numbers.
fn strong(n: u64, base: u64) -> bool {
    let power = |mut e: u64| {
        let (mut out, mut b) = (1u128, u128::from(base));
        while e > 0 {
            if e & 1 == 1 {
                out = out * b % u128::from(n);
            }
            b = b * b % u128::from(n);
            e >>= 1;
        }
        out
    };
    let twos = (n - 1).trailing_zeros();
    power((n - 1) >> twos) == 1
        || (0..twos).any(|r| power(((n - 1) >> twos) << r) == u128::from(n - 1))
}

#[test]
fn the_strong_test_is_as_defined() {
    for n in (5..1200u64).step_by(2) {
        for base in [2, 3, 7, 11, 61] {
            if base < n {
                assert_eq!(is_strong(n, base, None), strong(n, base), "{n} to base {base}");
                let bound = (n - 1).trailing_zeros() + 2;
                if n >> bound > 1 {
                    assert_eq!(
                        is_strong(n, base, Some(bound)),
                        strong(n, base),
                        "{n} to base {base}"
                    );
                }
            }
        }
    }
    for n in
        [2047u64, 3277, 4033, 4681, 8321, 15841, 29341, 3_215_031_751, 3_825_123_056_546_413_051]
    {
        assert!(
            is_strong(n, 2, None) && is_strong(n, 2, Some(30.min(62 - n.leading_zeros()))),
            "{n}"
        );
    }
    // More twos than the bound: a prime may be refused, never a composite accepted.
    assert!(
        is_strong(65537, 2, None) && !is_strong(65537, 2, Some(8)) && is_strong(65537, 3, Some(8))
    );
}

#[test]
fn what_is_strong_to_base_2_fails_lucas() {
    for n in [
        2047u64, 3277, 4033, 4681, 8321, 15841, 29341, 42799, 49141, 52633, 65281, 74665, 80581,
        85489, 88357, 90751,
    ] {
        assert!(is_strong(n, 2, None) && !candidate(n).is_strong_lucas(), "{n}");
    }
    assert!(!candidate(3_825_123_056_546_413_051).is_strong_lucas());
}

#[test]
fn lucas_is_strong_lucas() {
    // The first strong Lucas pseudoprimes pass; Lucas pseudoprimes that are not strong don't; primes do.
    for n in [5459u64, 5777, 10877, 16109, 18971, 22499, 24569, 25199, 40309, 58519, 75077, 97439] {
        assert!(candidate(n).is_strong_lucas() && !is_strong(n, 2, None), "{n}");
    }
    for n in
        [323u64, 377, 1159, 1829, 3827, 9071, 9179, 11419, 11663, 13919, 14839, 16211, 18407, 19043]
    {
        assert!(!candidate(n).is_strong_lucas(), "{n}");
    }
    let strong: Vec<u64> = [5459, 5777, 10877].into();
    for n in (1025..14_000u64).step_by(2) {
        let prime = (3..120).step_by(2).all(|d| n % d != 0);
        assert_eq!(candidate(n).is_strong_lucas(), prime || strong.contains(&n), "{n}");
    }
}

#[test]
fn primes_and_residues() {
    for limit in [2u32, 3, 4, 8, 100, 1 << 16, (1 << 16) + 2, (1 << 17) + 9] {
        let expected: Vec<u32> = (3..limit)
            .step_by(2)
            .filter(|n| (3..).step_by(2).take_while(|d| d * d <= *n).all(|d| n % d != 0))
            .collect();
        assert_eq!(small::odd_primes(limit), expected, "{limit}");
    }
    for number in [start(3), vec![u64::MAX; 4], vec![0, 0, 1], vec![u64::MAX - 1, 1 << 63]] {
        for modulus in (1..140).chain([997, 65_537, 1 << 31, u32::MAX - 1, u32::MAX]) {
            let expected = u64::try_from(big(&number) % modulus).unwrap();
            assert_eq!(small::residue(&number, modulus), expected, "{modulus}");
        }
    }
    for n in (3..140).step_by(2) {
        for a in 0..u64::from(n) {
            assert_eq!(small::secret_jacobi(a, n), small::jacobi(a, n.into()), "{a} {n}");
        }
    }
}

/// A start of `words` words, from a simple recurrence.
fn start(words: usize) -> Vec<u64> {
    (1..=words as u64)
        .map(|k| k.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) ^ 0x1234)
        .collect()
}

fn big(words: &[u64]) -> BigUint {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    BigUint::from_bytes_le(&bytes)
}

#[test]
fn the_sieve_leaves_exactly_what_has_no_small_factor() {
    for family in [Family::Safe, Family::Blum] {
        for (words, bound, window) in
            [(1, 6, 64), (2, 10, 256), (16, 12, 2048), (17, 13, 1024), (33, 8, 4096), (64, 17, 512)]
        {
            let start = start(words);
            let bits = 64 * words as u32;
            let left = Sieve::new(family, bound, window, words as u32).survivors(&start);
            let mut start = start;
            *start.last_mut().unwrap() >>= 6;
            let left_short = Sieve::new(family, bound, window, words as u32).survivors(&start);
            assert_ne!(*left, *left_short);
            let primes: Vec<u32> = small::odd_primes(1 << bound)
                .into_iter()
                .filter(|&p| p >= family.least())
                .collect();
            let free = |place: u32, last: bool| {
                let n = big(&family.candidate(&start, place, last, bits).unwrap());
                primes.iter().all(|&p| &n % p != BigUint::ZERO)
            };
            let expected: Vec<u32> = (0..window)
                .filter(|&k| free(k, true) && (family == Family::Blum || free(k, false)))
                .collect();
            assert_eq!(*left_short, expected, "{family:?} {words} {bound}");
        }
    }
}

#[test]
fn candidates_are_what_they_are_said_to_be() {
    let start = start(3);
    let k = big(&start);
    for place in [0u32, 1, 77, u32::MAX] {
        let at = &k + place;
        let wide =
            |family: Family, last| family.candidate(&start, place, last, 300).map(|n| big(&n));
        let cut = |n: BigUint| n % (BigUint::from(1u8) << 192u32);
        assert_eq!(wide(Family::Safe, true), Some(cut(&at * 12u8 - 1u8)));
        assert_eq!(wide(Family::Safe, false), Some(cut(&at * 6u8 - 1u8)));
        assert_eq!(wide(Family::Blum, true), Some(cut(&at * 4u8 - 1u8)));
        let length = u32::try_from((&at * 12u8 - 1u8).bits()).unwrap();
        assert!(Family::Safe.candidate(&start, place, true, length - 1).is_none());
        assert!(Family::Safe.candidate(&start, place, true, length).is_some());
    }
    let mut value = start.clone();
    Family::Safe.divide(&mut value);
    assert_eq!(big(&value), big(&start) / 12u8);
}

/// Every engine's Fermat test on primes, composites, pseudoprimes to base 2, at all sorts of lengths.
#[test]
fn fermat_is_as_defined_on_every_engine() {
    let one = BigUint::from(1u8);
    for bits in
        [64u32, 65, 100, 128, 129, 191, 192, 256, 511, 512, 513, 1023, 1024, 1025, 1536, 2048]
    {
        let words = bits.div_ceil(64) as usize;
        let mut numbers: Vec<BigUint> = Vec::new();
        // 2^m - 1 with m dividing 2^m - 2 is a prime or a pseudoprime; others are random, one and two bits shorter.
        for k in 0..21u64 {
            let length = bits - (k & 1) as u32;
            let top = (&one << (length - 1)) + (&one << (length - 2));
            let body = big(&start(words)
                .iter()
                .map(|w| w.rotate_left((k * 3) as u32))
                .collect::<Vec<_>>());
            numbers.push(((top + body % (&one << (length - 2))) >> 1u32 << 1u32) + 1u8);
        }
        numbers.push((&one << bits) - 1u8);
        numbers.push((&one << (bits - 1)) - 1u8);
        numbers.push((&one << (bits - 1)) + 1u8);
        let prime = (0u32..).map(|k| (&one << (bits - 2)) * 3u8 + 1u8 + 2 * k);
        let fermat = |n: &BigUint| BigUint::from(2u8).modpow(&(n - 1u8), n) == one;
        if bits <= 512 {
            numbers.push(prime.into_iter().find(|n| fermat(n)).unwrap());
        }
        let expected: Vec<bool> = numbers.iter().map(fermat).collect();
        let words: Vec<crate::number::limbs::Words> = numbers
            .iter()
            .map(|n| {
                let mut digits = n.to_u64_digits();
                digits.resize(words, 0);
                digits.into()
            })
            .collect();
        for engine in Engine::available() {
            assert_eq!(engine.fermat(bits, &words), expected, "{engine} {bits}");
            assert_eq!(engine.fermat(bits, &words[20..21]), expected[20..21], "{engine} {bits}");
        }
    }
    assert!(candidate(2047).is_strong(&Engine::detect(), &[two()], 1));
}

/// Compared with a division by each prime, at the ends of what the product of four primes takes.
#[test]
fn small_factors_are_found() {
    let divided = |value: &Natural, limit: u32| {
        let words = value.to_words(words_for(value.bits()));
        !value.is_odd()
            || small::odd_primes(limit).into_iter().any(|p| small::residue(&words, p) == 0)
    };
    for value in (1..400u64).chain(4_293_001_400..4_293_001_500).map(Natural::from) {
        for limit in [0, 2, 3, 4, 5, 6, 100, 65_521, 65_522, 1 << 16] {
            assert_eq!(
                small::has_factor_below(&value, limit),
                divided(&value, limit),
                "{value:?} {limit}"
            );
        }
    }
    let all = |bits: u32| Natural::one().shl(bits).checked_sub(&Natural::one()).unwrap();
    // Primes of 61, 127, 521 and 2203 bits.
    for large in [61, 127, 521, 2203].map(all) {
        assert!(!small::has_factor_below(&large, 1 << 16));
        assert!(!small::has_factor_below(&large.mul(&Natural::from(65_537)), 1 << 16));
        for p in [3u32, 5, 251, 65_497, 65_519, 65_521] {
            let value = large.mul(&Natural::from(u64::from(p)));
            assert!(
                small::has_factor_below(&value, 1 << 16) && small::has_factor_below(&value, p + 1),
                "{p}"
            );
            assert!(!small::has_factor_below(&value, p), "{p}");
        }
    }
}
