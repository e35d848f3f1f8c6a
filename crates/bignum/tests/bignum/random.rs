//! Random numbers: in their sets, evenly, and an end with a broken generator.

use num_bigint::BigUint;
use quorate_bignum::{Error, Modulus, Natural, SecretInteger, SecretNatural};

use quorate_testkit::Stuck;

use crate::support::{Rng, big, natural};

/// Each of `counts` within six standard deviations of the mean.
fn assert_even(counts: &[u32]) {
    let mean = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    for &count in counts {
        assert!((f64::from(count) - mean).abs() < 6.0 * mean.sqrt(), "{counts:?}");
    }
}

#[test]
fn below_is_even_and_below() {
    let rng = &mut Rng::new(1).0;
    for bound in [1u64, 2, 3, 5, 8, 13, 64, 65] {
        let mut counts = vec![0u32; usize::try_from(bound).unwrap()];
        for _ in 0..200 * bound {
            let public = Natural::random_below(rng, &Natural::from(bound)).unwrap();
            let secret = SecretNatural::random_below(rng, &Natural::from(bound)).unwrap();
            assert_eq!(secret.bits(), Natural::from(bound).bits());
            for value in [public, secret.declassify()] {
                counts[usize::try_from(u64::try_from(&big(&value)).unwrap()).unwrap()] += 1;
            }
        }
        assert_even(&counts);
    }
}

#[test]
fn below_long_bounds() {
    let rng = &mut Rng::new(2);
    for bits in [63, 64, 65, 127, 128, 129, 1024, 3073] {
        for bound in
            [rng.odd(bits), BigUint::from(1u8) << (bits - 1), (BigUint::from(1u8) << bits) - 1u8]
        {
            let mut top = 0;
            for _ in 0..40 {
                let value = big(&SecretNatural::random_below(&mut rng.0, &natural(&bound))
                    .unwrap()
                    .declassify());
                assert!(value < bound);
                top += u32::from(value >= &bound >> 1u32);
            }
            assert!((5..=35).contains(&top), "{top}");
        }
    }
}

#[test]
fn half_ranges_are_even_and_end_where_they_say() {
    let rng = &mut Rng::new(3).0;
    for a in [0u32, 1, 2, 3, 5] {
        let mut counts = vec![0u32; 1 << a];
        for _ in 0..300 << a {
            let value = SecretInteger::random_half_range(rng, a);
            assert_eq!(value.bits(), a);
            let value = value.declassify();
            let magnitude =
                usize::try_from(u64::try_from(&big(value.magnitude())).unwrap()).unwrap();
            let half = (1usize << a) >> 1;
            assert!(value.in_half_range(a) || a == 0);
            counts[if value.is_negative() { half - magnitude } else { half + magnitude }] += 1;
        }
        assert_even(&counts);
    }
    for a in [64, 65, 256, 768] {
        assert!(
            (0..50).all(|_| SecretInteger::random_half_range(rng, a).declassify().in_half_range(a))
        );
    }
}

#[test]
fn units_are_units_and_evenly_spread() {
    let rng = &mut Rng::new(4);
    let modulus = Modulus::new(&Natural::from(45)).unwrap();
    let mut counts = [0u32; 45];
    for _ in 0..12_000 {
        let unit = SecretNatural::random_unit(&mut rng.0, &modulus).unwrap().declassify();
        counts[usize::try_from(u64::try_from(&big(&unit)).unwrap()).unwrap()] += 1;
    }
    let coprime = |k: &usize| !k.is_multiple_of(3) && !k.is_multiple_of(5);
    assert!((0..45).filter(|k| !coprime(k)).all(|k| counts[k] == 0));
    assert_even(&(0..45).filter(coprime).map(|k| counts[k]).collect::<Vec<_>>());
    let long = Modulus::new(&natural(&(rng.odd(1024) * 15u8))).unwrap();
    assert!((0..20).all(|_| {
        long.is_unit(&SecretNatural::random_unit(&mut rng.0, &long).unwrap().declassify())
    }));
}

#[test]
fn a_stuck_generator_is_an_error_not_a_loop() {
    let bound = natural(&Rng::new(5).odd(200));
    assert_eq!(Natural::random_below(&mut Stuck::at(0xff), &bound), Err(Error::Randomness));
    assert_eq!(
        SecretNatural::random_below(&mut Stuck::at(0xff), &bound).unwrap_err(),
        Error::Randomness
    );
    let modulus = Modulus::new(&bound).unwrap();
    assert_eq!(
        SecretNatural::random_unit(&mut Stuck::at(0), &modulus).unwrap_err(),
        Error::Randomness
    );
    assert_eq!(Natural::random_below(&mut Stuck::at(0), &Natural::zero()), Err(Error::Unsupported));
}
