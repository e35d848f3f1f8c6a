//! The numbers that are ciphertexts, and those that are units.

use num_bigint::BigUint;
use quorate_bignum::{Modulus, Natural};
use quorate_paillier::{Ciphertext, Error, Level, are_units_vartime, share_factors_vartime};

use crate::support::{big, key, natural, random_bits, rng, secret_big};

#[test]
fn what_is_no_unit_is_no_ciphertext() {
    for level in Level::ALL {
        let own = key(level, 0);
        let key = own.encryption_key();
        let n = big(key.modulus().value());
        let p = secret_big(&own.factored().parts()[0].value());
        let square = &n * &n;
        let cases: Vec<(BigUint, Option<Error>)> = vec![
            (BigUint::from(0u8), Some(Error::OutOfRange)),
            (BigUint::from(1u8), None),
            (n.clone(), Some(Error::NotUnit)),
            (&n * 2u8, Some(Error::NotUnit)),
            (&n * &p, Some(Error::NotUnit)),
            (p.clone(), Some(Error::NotUnit)),
            (&p * &p, Some(Error::NotUnit)),
            (&square - &n, Some(Error::NotUnit)),
            (&square - &p, Some(Error::NotUnit)),
            (&square - 1u8, None),
            (square.clone(), Some(Error::OutOfRange)),
            (&square + 1u8, Some(Error::OutOfRange)),
        ];
        for (value, error) in &cases {
            let alone = Ciphertext::new(key, natural(value));
            assert_eq!(alone.as_ref().err(), error.as_ref(), "{value}");
            if let Ok(c) = alone {
                assert_eq!(c.to_bytes().len(), level.ciphertext_bytes());
                assert_eq!(Ciphertext::from_bytes(key, &c.to_bytes()).unwrap(), c);
            }
        }
        // All together, each its own error.
        let together =
            Ciphertext::many(key, cases.iter().map(|(value, _)| natural(value)).collect());
        for ((_, error), out) in cases.iter().zip(together) {
            assert_eq!(out.err(), *error);
        }
    }
}

#[test]
fn a_list_of_units_passes_whole_and_one_bad_one_is_found() {
    let (mut rng, own) = (rng(11), key(Level::Bits112, 0));
    let key = own.encryption_key();
    let p = secret_big(&own.factored().parts()[0].value());
    let mut values: Vec<Natural> = (0..12).map(|_| natural(&random_bits(&mut rng, 4090))).collect();
    assert!(Ciphertext::many(key, values.clone()).iter().all(Result::is_ok));
    values[7] = natural(&(p * 12345u32));
    let out = Ciphertext::many(key, values);
    assert!(out.iter().enumerate().all(|(i, c)| c.is_ok() == (i != 7)));
    assert_eq!(out[7], Err(Error::NotUnit));
    assert!(Ciphertext::many(key, Vec::new()).is_empty());
}

#[test]
fn wrong_lengths_are_refused() {
    let own = key(Level::Bits112, 0);
    let key = own.encryption_key();
    let mut bytes = vec![0; 512];
    bytes[511] = 5;
    assert!(Ciphertext::from_bytes(key, &bytes).is_ok());
    assert_eq!(Ciphertext::from_bytes(key, &bytes[1..]), Err(Error::Length));
    assert_eq!(Ciphertext::from_bytes(key, &[&[0], bytes.as_slice()].concat()), Err(Error::Length));
    assert_eq!(Ciphertext::from_bytes(key, &[]), Err(Error::Length));
    let both = Ciphertext::many_from_bytes(key, &[&bytes, &bytes[1..], &bytes]);
    assert!(both[0].is_ok() && both[1] == Err(Error::Length) && both[2].is_ok());
}

#[test]
fn units_of_a_modulus() {
    let modulus = Modulus::new(&Natural::from(15)).unwrap();
    let values: Vec<Natural> = (0..=16).map(Natural::from).collect();
    let expected: Vec<bool> = (0..=16).map(|x| x < 15 && x % 3 != 0 && x % 5 != 0).collect();
    assert_eq!(are_units_vartime(&modulus, &values), expected);
    let units: Vec<Natural> = [1, 2, 4, 7].map(Natural::from).into();
    assert_eq!(are_units_vartime(&modulus, &units), [true; 4]);
}

#[test]
fn moduli_that_share_a_factor_are_found() {
    let moduli: Vec<Modulus> =
        [15u64, 49, 77, 13, 13].map(|n| Modulus::new(&Natural::from(n)).unwrap()).into();
    let list: Vec<&Modulus> = moduli.iter().collect();
    assert_eq!(share_factors_vartime(&list), [false, true, true, true, true]);
    let keys = [0, 1, 2].map(|i| key(Level::Bits128, i));
    let list: Vec<&Modulus> = keys.iter().map(|k| k.encryption_key().modulus()).collect();
    assert_eq!(share_factors_vartime(&list), [false; 3]);
    assert_eq!(share_factors_vartime(&list[..1]), [false]);
}
