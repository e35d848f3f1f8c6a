//! The searches for primes, and the tests of those that come from elsewhere.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use quorate_bignum::{
    BlumPrimeSearch, Engine, Error, SafePrimeSearch, SecretNatural, is_blum_prime, is_safe_prime,
};

use crate::support::{Rng, big, natural, primes_512};

/// Fermat's test to a dozen bases. It is independent of the code under test, and enough for numbers that no
/// attacker chose.
fn looks_prime(n: &BigUint) -> bool {
    [2u8, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]
        .iter()
        .all(|&a| BigUint::from(a).modpow(&(n - 1u8), n) == BigUint::from(1u8))
}

fn secret(n: &BigUint) -> SecretNatural {
    SecretNatural::classify(&natural(n), u32::try_from(n.bits()).unwrap().max(64)).unwrap()
}

fn blum(n: &BigUint) -> bool {
    is_blum_prime(&Engine::detect(), &secret(n)).unwrap()
}

fn safe(n: &BigUint) -> bool {
    is_safe_prime(&Engine::detect(), &secret(n)).unwrap()
}

/// Safe primes, primes that are not safe, and their neighbours, on every engine and with bounds longer than they are.
#[test]
fn tests_tell_safe_primes_from_others() {
    let one = BigUint::from(1u8);
    // The least safe prime after 2^65, and the greatest below 2^128.
    let safe_primes = [(&one << 65) + 987u32, (&one << 128) - 15_449u32];
    for p in &safe_primes {
        assert!(looks_prime(p) && looks_prime(&(p >> 1u32)), "{p}");
        for engine in Engine::available() {
            let wide = SecretNatural::classify(&natural(p), 200).unwrap();
            for p in [secret(p), wide] {
                assert!(is_safe_prime(&engine, &p).unwrap(), "{engine}");
                assert!(is_blum_prime(&engine, &p).unwrap(), "{engine}");
            }
        }
        for near in [p + 1u8, p + 2u8, p - 4u8, p + 12u8, p - 12u8, p >> 1u32] {
            assert!(!safe(&near), "{near}");
        }
    }
    let (p, q) = primes_512();
    assert!(!safe(&p) && !safe(&q));
    assert_eq!(blum(&p), &p % 4u8 == BigUint::from(3u8));
    assert!(!blum(&(&p * &q)) && !blum(&(&p * &p)) && !blum(&(&p + 1u8)));
}

/// `q = m (3 m - 2)`, which deceives Fermat's test to base 2, where `p = 2 q + 1` is prime: only the test of `q` tells.
#[test]
fn a_prime_over_a_pseudoprime_is_not_safe() {
    let one = BigUint::from(1u8);
    let found = (1u64 << 32..).step_by(2).map(|m| m + 1).find_map(|m| {
        let sieved = |n: u64| [3, 5, 7, 11, 13, 17, 19].iter().all(|r| !n.is_multiple_of(*r));
        if !sieved(m) || !sieved(3 * m - 2) {
            return None;
        }
        let q = BigUint::from(m) * (3 * m - 2);
        let p: BigUint = &q * 2u8 + 1u8;
        let pseudo = BigUint::from(2u8).modpow(&(&q - 1u8), &q) == one;
        (pseudo && &p % 12u8 == BigUint::from(11u8) && looks_prime(&p)).then_some(p)
    });
    let p = found.unwrap();
    assert!(blum(&p));
    assert!(!safe(&p), "{p}");
}

/// A composite `m (4 m - 3)` of a length in use. It is 3 modulo 4, and strong to base 2.
const PSEUDOPRIME_1024: &str = concat!(
    "a35e0e5cc597e021a2092163621ae298697d819d0386d3da370fc80250f9e396e316a6cea654faad3c13e6c8d4",
    "e228ffedf151b1f0243135bca4aa042b31b84b8e117edb7938ef85020487893087c723577d17b6aa1667728155",
    "c6bd24f34a0cf6751d1a94a0f617f39634fd0b3ccf7d36ef44055fa0831c41e3b76038ad3fdf",
);

#[test]
fn a_long_pseudoprime_is_no_prime() {
    let n = BigUint::parse_bytes(PSEUDOPRIME_1024.as_bytes(), 16).unwrap();
    let power = BigUint::from(2u8).modpow(&(&n >> 1u32), &n);
    assert!(n.bits() == 1024 && (power == BigUint::from(1u8) || power == &n - 1u8));
    assert!(!blum(&n) && !safe(&n));
}

#[test]
fn numbers_of_other_lengths_are_no_candidates() {
    for bits in [0, 1, 63, 3457] {
        let number = SecretNatural::classify(&natural(&BigUint::ZERO), bits).unwrap();
        assert_eq!(is_blum_prime(&Engine::portable(), &number), Err(Error::Unsupported));
        assert_eq!(is_safe_prime(&Engine::portable(), &number), Err(Error::Unsupported));
    }
    assert!(!blum(&BigUint::ZERO) && !safe(&BigUint::ZERO));
}

fn seed(value: u8) -> zeroize::Zeroizing<[u8; 32]> {
    zeroize::Zeroizing::new([value; 32])
}

fn finish(search: &mut SafePrimeSearch) -> BigUint {
    loop {
        if let Some(prime) = search.step(1000).unwrap() {
            return checked(&prime);
        }
    }
}

fn checked(prime: &SecretNatural) -> BigUint {
    let p = big(&prime.declassify());
    assert_eq!((p.bits(), &p >> (p.bits() - 2)), (u64::from(prime.bits()), BigUint::from(3u8)));
    assert!(looks_prime(&p) && is_blum_prime(&Engine::detect(), prime).unwrap());
    p
}

fn assert_safe(p: &BigUint) {
    assert!(looks_prime(&(p >> 1u32)) && safe(p));
    assert_eq!(p % 12u8, BigUint::from(11u8));
}

#[test]
fn safe_primes_are_the_same_on_every_engine() {
    for bits in [64, 65, 100, 127, 128, 129, 160, 191, 192, 200, 256] {
        let primes: BTreeSet<BigUint> = Engine::available()
            .iter()
            .map(|engine| finish(&mut SafePrimeSearch::from_seed(bits, engine, seed(7)).unwrap()))
            .collect();
        assert_eq!(primes.len(), 1, "{bits}");
        primes.iter().for_each(assert_safe);
    }
}

#[test]
fn blum_primes_are_the_same_on_every_engine() {
    for bits in [64, 65, 128, 250, 512, 521] {
        let primes: BTreeSet<BigUint> = Engine::available()
            .iter()
            .map(|engine| {
                let mut search = BlumPrimeSearch::from_seed(bits, engine, seed(8)).unwrap();
                checked(&(0..).find_map(|_| search.step(64).unwrap()).unwrap())
            })
            .collect();
        assert_eq!(primes.len(), 1, "{bits}");
        assert!(primes.iter().all(|p| p % 4u8 == BigUint::from(3u8)));
    }
}

#[test]
fn no_budget_changes_the_result() {
    let engine = Engine::detect();
    let expected = finish(&mut SafePrimeSearch::from_seed(192, &engine, seed(1)).unwrap());
    for budget in [1, 2, 3, 5, 7, 8, 9, 31, u64::MAX] {
        let mut search = SafePrimeSearch::from_seed(192, &engine, seed(1)).unwrap();
        let prime = loop {
            let before = search.progress().tests;
            match search.step(budget).unwrap() {
                Some(prime) => break prime,
                None => assert_eq!(search.progress().tests - before, budget),
            }
        };
        assert_eq!(big(&prime.declassify()), expected, "{budget}");
    }
    assert!(SafePrimeSearch::from_seed(192, &engine, seed(1)).unwrap().step(0).unwrap().is_none());
}

#[test]
fn a_saved_search_goes_on_anywhere() {
    let engines = Engine::available();
    let expected: Vec<BigUint> = {
        let mut search = SafePrimeSearch::from_seed(160, &engines[0], seed(2)).unwrap();
        (0..3).map(|_| finish(&mut search)).collect()
    };
    let mut search = SafePrimeSearch::from_seed(160, &engines[0], seed(2)).unwrap();
    let mut found = Vec::new();
    for round in 0.. {
        if let Some(prime) = search.step(3).unwrap() {
            found.push(big(&prime.declassify()));
        }
        if found.len() == expected.len() {
            break;
        }
        search = SafePrimeSearch::resume(&engines[round % engines.len()], &search.save()).unwrap();
    }
    assert_eq!(found, expected);
    assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), 3, "each from a start of its own");
}

#[test]
fn what_is_no_saved_search_is_refused() {
    let engine = Engine::portable();
    let saved = SafePrimeSearch::from_seed(128, &engine, seed(3)).unwrap().save();
    assert!(SafePrimeSearch::resume(&engine, &saved).is_ok());
    assert_eq!(BlumPrimeSearch::resume(&engine, &saved).unwrap_err(), Error::Encoding);
    assert_eq!(SafePrimeSearch::resume(&engine, &saved[1..]).unwrap_err(), Error::Encoding);
    assert_eq!(
        SafePrimeSearch::resume(&engine, &[&saved[..], &[0]].concat()).unwrap_err(),
        Error::Encoding
    );
    let mut wrong = saved.to_vec();
    wrong[2] = 0xff;
    assert_eq!(SafePrimeSearch::resume(&engine, &wrong).unwrap_err(), Error::Unsupported);
}

#[test]
fn lengths_out_of_range_are_errors() {
    for bits in [0, 1, 63, 4097, u32::MAX] {
        let rng = &mut Rng::new(1).0;
        assert_eq!(
            SafePrimeSearch::new(bits, &Engine::portable(), rng).unwrap_err(),
            Error::Unsupported
        );
        assert_eq!(
            BlumPrimeSearch::new(bits, &Engine::portable(), rng).unwrap_err(),
            Error::Unsupported
        );
    }
}

#[test]
fn different_seeds_and_following_primes_differ() {
    let mut all = BTreeSet::new();
    for value in 0..5 {
        let mut search = SafePrimeSearch::from_seed(128, &Engine::detect(), seed(value)).unwrap();
        for _ in 0..5 {
            all.insert(finish(&mut search));
        }
    }
    assert_eq!(all.len(), 25);
    // Fresh starts: no two are near each other.
    let primes: Vec<&BigUint> = all.iter().collect();
    assert!(primes.windows(2).all(|pair| (pair[1] - pair[0]).bits() > 80));
}

/// The mean number of tests over many primes is within a fifth of theory, so the sieve leaves the right
/// candidates.
#[test]
fn the_number_of_tests_is_as_in_theory() {
    let mut safe = SafePrimeSearch::from_seed(192, &Engine::detect(), seed(4)).unwrap();
    let mut blum = BlumPrimeSearch::from_seed(256, &Engine::detect(), seed(4)).unwrap();
    let (mut tests, mut blum_tests) = (0, 0);
    for _ in 0..300 {
        while safe.step(1).unwrap().is_none() {
            tests += 1;
        }
        while blum.step(1).unwrap().is_none() {
            blum_tests += 1;
        }
    }
    let mean = |tests: u32| f64::from(tests + 300) / 300.0;
    for (mean, expected) in
        [(mean(tests), safe.progress().expected), (mean(blum_tests), blum.progress().expected)]
    {
        assert!((0.8..1.25).contains(&(mean / expected)), "{mean} tests, {expected} expected");
    }
}

#[test]
fn a_search_prints_nothing_but_its_type() {
    let search = SafePrimeSearch::from_seed(128, &Engine::portable(), seed(5)).unwrap();
    assert_eq!(format!("{search:?}"), "SafePrimeSearch");
}
