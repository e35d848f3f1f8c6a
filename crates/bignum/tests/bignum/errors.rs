//! Bad input: every mistake has its error, on every engine, and none of them panics.

use core::fmt::Debug;

use quorate_bignum::{
    Comb, Engine, Error, Factored, Integer, MAX_BITS, Modulus, Natural, PublicProduct,
    SecretInteger, SecretModulus, SecretNatural, SecretProduct,
};

use crate::support::{Rng, natural};

fn secret(value: u64, bits: u32) -> SecretNatural {
    SecretNatural::classify(&Natural::from(value), bits).unwrap()
}

fn secret_integer(value: u64, negative: bool, bits: u32) -> SecretInteger {
    SecretInteger::classify(&int(value, negative), bits).unwrap()
}

fn int(value: u64, negative: bool) -> Integer {
    Integer::new(negative, Natural::from(value))
}

fn modulus(value: u64) -> Modulus {
    Modulus::new(&Natural::from(value)).unwrap()
}

/// The one value of a list of one public product.
fn public(engine: &Engine, product: PublicProduct<'_>) -> Result<Natural, Error> {
    engine.evaluate_vartime(&[product]).remove(0)
}

fn hidden(engine: &Engine, product: SecretProduct<'_>) -> Result<Natural, Error> {
    engine.evaluate(&[product]).remove(0).map(|value| value.declassify())
}

fn refused<T: Debug>(result: Result<T, Error>, error: Error) {
    assert_eq!(result.err(), Some(error));
}

#[test]
fn bad_moduli_are_refused() {
    refused(Modulus::new(&Natural::zero()), Error::EvenModulus);
    refused(Modulus::new(&Natural::one()), Error::SmallModulus);
    refused(Modulus::new(&Natural::from(2)), Error::EvenModulus);
    refused(Modulus::new(&Natural::from(1 << 40)), Error::EvenModulus);
    let largest = Natural::power_of_two(MAX_BITS).checked_sub(&Natural::one()).unwrap();
    assert_eq!(Modulus::new(&largest).unwrap().bits(), MAX_BITS);
    refused(
        Modulus::new(&Natural::power_of_two(MAX_BITS).add(&Natural::one())),
        Error::LargeModulus,
    );
    assert_eq!(modulus(3).bits(), 2);
}

#[test]
fn bad_secret_moduli_are_refused() {
    refused(SecretModulus::new(&secret(0, 64)), Error::EvenModulus);
    refused(SecretModulus::new(&secret(0, 0)), Error::EvenModulus);
    refused(SecretModulus::new(&secret(1, 64)), Error::SmallModulus);
    refused(SecretModulus::new(&secret(1, 1)), Error::SmallModulus);
    refused(SecretModulus::new(&secret(6, 64)), Error::EvenModulus);
    // The bound counts, since the length of the number itself is secret.
    refused(SecretModulus::new(&secret(5, MAX_BITS + 1)), Error::LargeModulus);
    assert_eq!(SecretModulus::new(&secret(5, MAX_BITS)).unwrap().bits(), MAX_BITS);
}

#[test]
fn numbers_beyond_their_bounds_are_refused() {
    refused(SecretNatural::classify(&Natural::from(8), 3), Error::ExponentTooLong);
    refused(SecretNatural::classify(&Natural::one(), 0), Error::ExponentTooLong);
    refused(SecretInteger::classify(&int(8, true), 3), Error::ExponentTooLong);
    assert_eq!(secret(7, 3).bits(), 3);
    assert_eq!(secret(0, 0).declassify(), Natural::zero());
}

#[test]
fn bases_must_be_reduced() {
    let n = modulus(35);
    for engine in Engine::available() {
        for base in [35u64, 36, 70, u64::MAX] {
            let base = Natural::from(base);
            let wrong = Error::BaseNotReduced;
            refused(public(&engine, PublicProduct::new(&n).power(&base, int(1, false))), wrong);
            refused(public(&engine, PublicProduct::new(&n).power(&base, int(1, true))), wrong);
            refused(public(&engine, PublicProduct::new(&n).power(&base, int(0, false))), wrong);
            refused(hidden(&engine, SecretProduct::new(&n).power(&base, int(1, false))), wrong);
            refused(
                hidden(&engine, SecretProduct::new(&n).power(&base, &secret_integer(1, false, 8))),
                wrong,
            );
            refused(hidden(&engine, SecretProduct::new(&n).power(&base, &secret(1, 8))), wrong);
            let known = Factored::new(&secret(5, 3), &secret(7, 3)).unwrap();
            refused(
                hidden(&engine, SecretProduct::factored(&known).power(&base, int(1, false))),
                wrong,
            );
            refused(Comb::new(&engine, &n, &[(base, 8)], 10_000), wrong);
        }
    }
}

#[test]
fn secret_bases_are_reduced() {
    let n = modulus(35);
    let base = secret(35 * 4 + 3, 64);
    for engine in Engine::available() {
        let value = hidden(&engine, SecretProduct::new(&n).power(&base, int(2, false)));
        assert_eq!(value, Ok(Natural::from(9)), "{engine}");
    }
}

#[test]
fn negative_powers_of_what_has_no_inverse() {
    let n = modulus(35);
    let prime_modulus = SecretModulus::new(&secret(7, 3)).unwrap();
    for engine in Engine::available() {
        for base in [0u64, 5, 7, 10] {
            let base = Natural::from(base);
            let hidden_base = SecretNatural::classify(&base, 6).unwrap();
            let minus = secret_integer(3, true, 8);
            let plus = secret_integer(3, false, 8);
            let wrong = Error::NotInvertible;
            refused(public(&engine, PublicProduct::new(&n).power(&base, int(1, true))), wrong);
            refused(hidden(&engine, SecretProduct::new(&n).power(&base, int(1, true))), wrong);
            refused(hidden(&engine, SecretProduct::new(&n).power(&base, &minus)), wrong);
            refused(hidden(&engine, SecretProduct::new(&n).power(&hidden_base, &minus)), wrong);
            // A secret sign must not decide whether there is an error.
            refused(hidden(&engine, SecretProduct::new(&n).power(&base, &plus)), wrong);
            refused(hidden(&engine, SecretProduct::new(&n).power(&hidden_base, &plus)), wrong);
            refused(Comb::new(&engine, &n, &[(base, 8)], 10_000), wrong);
        }
        let (zero, plus, natural) = (secret(14, 6), secret_integer(1, false, 8), secret(1, 8));
        let product = SecretProduct::under_secret(&prime_modulus).power(&zero, &plus);
        refused(hidden(&engine, product), Error::NotInvertible);
        let product = SecretProduct::under_secret(&prime_modulus).power(&zero, &natural);
        assert_eq!(hidden(&engine, product), Ok(Natural::zero()), "{engine}");
    }
    refused(n.inverse(&Natural::from(10)), Error::NotInvertible);
    refused(n.inverse(&Natural::zero()), Error::NotInvertible);
    refused(prime_modulus.inverse(&secret(0, 3)), Error::NotInvertible);
}

#[test]
fn combs_with_the_wrong_lists() {
    let rng = &mut Rng::new(20);
    let n = Modulus::new(&natural(&rng.odd(300))).unwrap();
    let other = Modulus::new(&natural(&rng.odd(300))).unwrap();
    let bases = [(Natural::from(2), 40), (Natural::from(4), 60)];
    for maker in Engine::available() {
        let comb = Comb::new(&maker, &n, &bases, 50_000).unwrap();
        for engine in Engine::available() {
            let exponents =
                |count: usize| (0..count).map(|_| int(9, false).into()).collect::<Vec<_>>();
            for count in [0, 1, 3] {
                let product = PublicProduct::new(&n).comb(&comb, exponents(count));
                refused(public(&engine, product), Error::LengthMismatch);
                let hiding = (0..count).map(|_| int(9, false).into()).collect();
                refused(
                    hidden(&engine, SecretProduct::new(&n).comb(&comb, hiding)),
                    Error::LengthMismatch,
                );
            }
            refused(
                public(&engine, PublicProduct::new(&other).comb(&comb, exponents(2))),
                Error::LengthMismatch,
            );
            let hiding = vec![int(9, false).into(), int(9, false).into()];
            refused(
                hidden(&engine, SecretProduct::new(&other).comb(&comb, hiding)),
                Error::LengthMismatch,
            );
            let known = Factored::new(&secret(5, 3), &secret(7, 3)).unwrap();
            let hiding = vec![int(9, false).into(), int(9, false).into()];
            refused(
                hidden(&engine, SecretProduct::factored(&known).comb(&comb, hiding)),
                Error::LengthMismatch,
            );
            // One bit more than announced; a secret by its bound, whatever its value.
            let long = vec![int(1 << 40, false).into(), int(1, false).into()];
            refused(
                public(&engine, PublicProduct::new(&n).comb(&comb, long)),
                Error::ExponentTooLong,
            );
            let (short, long) = (secret_integer(1, true, 40), secret_integer(1, true, 61));
            let product = SecretProduct::new(&n).comb(&comb, vec![(&short).into(), (&long).into()]);
            refused(hidden(&engine, product), Error::ExponentTooLong);
            let product = SecretProduct::new(&n)
                .comb(&comb, vec![int(1 << 40, true).into(), (&short).into()]);
            refused(hidden(&engine, product), Error::ExponentTooLong);
            let largest = vec![int((1 << 40) - 1, false).into(), int(0, false).into()];
            assert!(public(&engine, PublicProduct::new(&n).comb(&comb, largest)).is_ok());
        }
    }
}

#[test]
fn combs_that_cannot_be_made() {
    let n = modulus(0xffff_ffff_ffff_ffc5);
    for engine in Engine::available() {
        let two = Natural::from(2);
        refused(Comb::new(&engine, &n, &[], 10_000), Error::Unsupported);
        refused(Comb::new(&engine, &n, &[(two.clone(), 0)], 10_000), Error::Unsupported);
        refused(
            Comb::new(&engine, &n, &[(two.clone(), (1 << 15) + 1)], 10_000),
            Error::Unsupported,
        );
        refused(Comb::new(&engine, &n, &[(two.clone(), u32::MAX)], 10_000), Error::Unsupported);
        // Engines without tables of their own need no room.
        if Comb::new(&engine, &n, &[(two.clone(), 64)], 10_000).unwrap().bytes() > 0 {
            refused(Comb::new(&engine, &n, &[(two.clone(), 64)], 0), Error::Unsupported);
        }
        for room in 0..=2000 {
            if let Ok(comb) = Comb::new(&engine, &n, &[(two.clone(), 64)], room) {
                assert!(comb.bytes() <= room, "{engine}");
            }
        }
    }
}

#[test]
fn bad_factors_are_refused() {
    let new = |p: u64, q: u64| Factored::new(&secret(p, 16), &secret(q, 16));
    refused(new(7, 7), Error::BadFactors);
    refused(Factored::new(&secret(7, 3), &secret(7, 60)), Error::BadFactors);
    refused(new(9, 15), Error::BadFactors);
    refused(new(0, 7), Error::EvenModulus);
    refused(new(7, 0), Error::EvenModulus);
    refused(new(4, 7), Error::EvenModulus);
    refused(new(7, 10), Error::EvenModulus);
    refused(new(1, 7), Error::SmallModulus);
    refused(new(7, 1), Error::SmallModulus);
    assert_eq!(new(3, 5).unwrap().modulus().value(), &Natural::from(15));
    // The product of the two bounds has to be small enough, and so has its square.
    let long = |bits, low: u64| {
        SecretNatural::classify(&Natural::power_of_two(bits - 1).add(&Natural::from(low)), bits)
            .unwrap()
    };
    refused(Factored::new(&long(3457, 1), &long(3457, 3)), Error::LargeModulus);
    let known = Factored::new(&long(1730, 1), &long(1729, 1)).unwrap();
    refused(known.square(), Error::LargeModulus);
    refused(new(3, 5).unwrap().inverse_mod_totient(&Natural::from(6)), Error::NotInvertible);
    refused(new(3, 5).unwrap().inverse_mod_totient(&Natural::zero()), Error::NotInvertible);
}

#[test]
fn an_nth_power_wants_a_square() {
    let known = Factored::new(&secret(5, 3), &secret(7, 3)).unwrap();
    let square = known.square().unwrap();
    let (n, prime) = (modulus(35), SecretModulus::new(&secret(7, 3)).unwrap());
    let comb = |engine: &Engine| Comb::new(engine, &n, &[(Natural::from(2), 8)], 10_000).unwrap();
    for engine in Engine::available() {
        let (base, other) = (secret(3, 8), secret(4, 8));
        refused(hidden(&engine, SecretProduct::new(&n).nth_power(&base)), Error::Unsupported);
        refused(
            hidden(&engine, SecretProduct::under_secret(&prime).nth_power(&base)),
            Error::Unsupported,
        );
        refused(
            hidden(&engine, SecretProduct::factored(&known).nth_power(&base)),
            Error::Unsupported,
        );
        let comb = comb(&engine);
        let product = SecretProduct::under_secret(&prime).comb(&comb, vec![int(1, false).into()]);
        refused(hidden(&engine, product), Error::Unsupported);
        // Refused ones take nothing from the N-th powers beside them.
        let values = engine.evaluate(&[
            SecretProduct::factored(&known).nth_power(&base),
            SecretProduct::factored(&square).nth_power(&base),
            SecretProduct::factored(&square)
                .power(Natural::from(1225), int(1, false))
                .nth_power(&other),
            SecretProduct::factored(&square).nth_power(Natural::from(2)),
            SecretProduct::new(&n).nth_power(&base),
            SecretProduct::factored(&square).nth_power(&base).nth_power(Natural::from(2)),
        ]);
        let values: Vec<_> = values.into_iter().map(|v| v.map(|v| v.declassify())).collect();
        let power = |base: u64| {
            let product =
                PublicProduct::new(square.modulus()).power(Natural::from(base), int(35, false));
            public(&Engine::portable(), product)
        };
        let both = square.modulus().mul(&power(2).unwrap(), &power(3).unwrap());
        let expected = [
            Err(Error::Unsupported),
            power(3),
            Err(Error::BaseNotReduced),
            power(2),
            Err(Error::Unsupported),
            Ok(both),
        ];
        assert_eq!(values, expected, "{engine}");
    }
}

#[test]
fn one_bad_product_leaves_the_others() {
    let rng = &mut Rng::new(21);
    let n = Modulus::new(&natural(&rng.odd(512))).unwrap();
    let bases: Vec<Natural> = (0..20).map(|_| n.reduce(&natural(&rng.bits(512)))).collect();
    let exponents: Vec<Integer> = (0..20).map(|_| Integer::from(natural(&rng.bits(90)))).collect();
    for engine in Engine::available() {
        for bad in 0..20usize {
            let base = |i: usize| if i == bad { n.value() } else { &bases[i] };
            let products: Vec<_> = (0..20)
                .map(|i| {
                    PublicProduct::new(&n)
                        .power(&bases[i], &exponents[i])
                        .power(base(i), int(1, false))
                })
                .collect();
            let hiding: Vec<_> = (0..20)
                .map(|i| {
                    SecretProduct::new(&n)
                        .power(&bases[i], &exponents[i])
                        .power(base(i), int(1, false))
                })
                .collect();
            let values = engine.evaluate_vartime(&products);
            let hidden_values = engine.evaluate(&hiding);
            assert_eq!((values.len(), hidden_values.len()), (20, 20));
            for (i, (value, hidden)) in values.into_iter().zip(hidden_values).enumerate() {
                let hidden = hidden.map(|v| v.declassify());
                assert_eq!(value, hidden);
                if i == bad {
                    refused(value, Error::BaseNotReduced);
                } else {
                    let alone = PublicProduct::new(&n)
                        .power(&bases[i], &exponents[i])
                        .power(&bases[i], int(1, false));
                    assert_eq!(value, public(&Engine::portable(), alone), "{engine} {bad} {i}");
                }
            }
        }
    }
}

#[test]
fn empty_lists_give_one() {
    let n = modulus(35);
    let prime = SecretModulus::new(&secret(7, 3)).unwrap();
    let known = Factored::new(&secret(5, 3), &secret(7, 3)).unwrap();
    for engine in Engine::available() {
        assert!(engine.evaluate_vartime(&[]).is_empty());
        assert!(engine.evaluate(&[]).is_empty());
        let one = Ok(Natural::one());
        assert_eq!(public(&engine, PublicProduct::new(&n)), one);
        assert_eq!(hidden(&engine, SecretProduct::new(&n)), one);
        assert_eq!(hidden(&engine, SecretProduct::under_secret(&prime)), one);
        assert_eq!(hidden(&engine, SecretProduct::factored(&known)), one);
        let zero = secret(0, 0);
        assert_eq!(hidden(&engine, SecretProduct::new(&n).power(Natural::from(2), &zero)), one);
    }
}

#[cfg(feature = "rayon")]
#[test]
fn threads_change_nothing() {
    let rng = &mut Rng::new(22);
    let moduli: Vec<Modulus> =
        [300, 512, 300, 1024].map(|bits| Modulus::new(&natural(&rng.odd(bits))).unwrap()).into();
    let cases: Vec<(usize, Natural, Integer)> = (0..45usize)
        .map(|i| {
            (
                i % 4,
                moduli[i % 4].reduce(&natural(&rng.bits(1024))),
                Integer::from(natural(&rng.bits(70))),
            )
        })
        .collect();
    for engine in Engine::available() {
        let products: Vec<_> = cases
            .iter()
            .map(|(i, base, e)| PublicProduct::new(&moduli[*i]).power(base, e))
            .collect();
        let hiding: Vec<_> = cases
            .iter()
            .map(|(i, base, e)| SecretProduct::new(&moduli[*i]).power(base, e))
            .collect();
        let alone = engine.evaluate_vartime(&products);
        for threads in [1usize, 2, 3, 16] {
            let many = engine.with_threads(threads.try_into().unwrap());
            assert_eq!(many.evaluate_vartime(&products), alone, "{engine} {threads}");
            let hidden: Vec<_> =
                many.evaluate(&hiding).into_iter().map(|v| v.map(|v| v.declassify())).collect();
            assert_eq!(hidden, alone, "{engine} {threads}");
            assert!(many.evaluate(&[]).is_empty());
        }
    }
}
