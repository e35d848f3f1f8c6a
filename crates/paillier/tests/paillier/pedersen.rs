//! Commitments, public and with the trapdoor.

use num_bigint::{BigInt, BigUint};
use quorate_bignum::{Engine, Natural, SecretInteger};
use quorate_paillier::{Error, Level, Pedersen, PedersenTrapdoor};
use quorate_testkit::fixtures;

use crate::support::{big, engine, integer, natural, power, random_int, rng, secret, secret_big};

fn setup(level: Level, index: usize) -> PedersenTrapdoor {
    fixtures::pedersen_trapdoor(&engine(), level, index, &mut rng(30)).unwrap()
}

/// Pairs `(x, μ)` at the ends and at random, within the tables' bounds.
fn pairs(level: Level) -> Vec<(BigInt, BigInt)> {
    let mut rng = rng(31);
    let (full_s, full_t) = (1792, level.modulus_bits() + 768);
    let top = |bits: u32| -> BigInt { BigInt::from(1) << bits };
    let mut out = vec![
        (BigInt::from(0), BigInt::from(0)),
        (BigInt::from(-1), BigInt::from(0)),
        (BigInt::from(0), BigInt::from(-1)),
        (top(full_s) - 1, 1 - top(full_t)),
        (-top(full_s), top(full_t)),
    ];
    out.extend((0..5).map(|_| (random_int(&mut rng, full_s), random_int(&mut rng, full_t))));
    // On both sides of where one table ends and the other begins.
    for bits in [256, 768, 769, 770] {
        out.extend([
            (top(bits) - 1, top(full_t)),
            (-top(bits), random_int(&mut rng, full_t - 512)),
        ]);
    }
    out
}

fn expected(setup: &Pedersen, (x, mu): &(BigInt, BigInt)) -> BigUint {
    let n = big(setup.modulus().value());
    power(&big(setup.s()), x, &n) * power(&big(setup.t()), mu, &n) % n
}

#[test]
fn commitments_equal_the_formula_in_every_way_of_making_them() {
    for level in Level::ALL {
        let own = setup(level, 0);
        let plain = own.pedersen().clone();
        let tables = plain.clone().with_tables(&engine(), 200_000).unwrap();
        assert!(tables.table_bytes() <= 200_000);
        assert_eq!((plain.table_bytes(), &plain), (0, &tables));
        let pairs = pairs(level);
        let secrets: Vec<(SecretInteger, SecretInteger)> =
            pairs.iter().map(|(x, mu)| (secret(x), secret(mu))).collect();
        let list: Vec<_> = secrets.iter().map(|(x, mu)| (x, mu)).collect();
        let expected: Vec<Natural> =
            pairs.iter().map(|pair| natural(&expected(&plain, pair))).collect();
        assert_eq!(plain.commit_many(&engine(), &list).unwrap(), expected);
        assert_eq!(tables.commit_many(&engine(), &list).unwrap(), expected);
        assert_eq!(own.commit_many(&engine(), &list).unwrap(), expected);
        for ((x, mu), expected) in pairs.iter().zip(&expected) {
            let (x, mu) = (integer(x), integer(mu));
            let values = engine()
                .evaluate_vartime(&[plain.opened_vartime(&x, &mu), tables.opened_vartime(&x, &mu)]);
            assert!(values.iter().all(|v| v.as_ref() == Ok(expected)));
            let exponent = own.exponent_of_public(&x, &mu).unwrap();
            let value = engine().evaluate(&[own.commitment(&exponent)]).remove(0).unwrap();
            assert_eq!(value.declassify(), *expected);
        }
    }
}

#[test]
fn all_engines_agree() {
    let level = Level::Bits112;
    let (own, pairs) = (setup(level, 1), pairs(level));
    let secrets: Vec<(SecretInteger, SecretInteger)> =
        pairs.iter().map(|(x, mu)| (secret(x), secret(mu))).collect();
    let list: Vec<_> = secrets.iter().map(|(x, mu)| (x, mu)).collect();
    let expected = own.pedersen().commit_many(&engine(), &list).unwrap();
    for engine in Engine::available() {
        let tables = own.pedersen().clone().with_tables(&engine, 100_000).unwrap();
        assert_eq!(tables.commit_many(&engine, &list).unwrap(), expected, "{engine}");
        assert_eq!(own.commit_many(&engine, &list).unwrap(), expected, "{engine}");
    }
}

#[test]
fn exponents_beyond_the_tables_are_done_without_them() {
    let level = Level::Bits112;
    let own = setup(level, 2);
    let tables = own.pedersen().clone().with_tables(&engine(), 100_000).unwrap();
    let mut rng = rng(32);
    // As in the proof that N has no small factor.
    let pair = (random_int(&mut rng, 2305), random_int(&mut rng, 2048 + 2048 + 768));
    let (x, mu) = (secret(&pair.0), secret(&pair.1));
    let value = tables.commit_many(&engine(), &[(&x, &mu)]).unwrap().remove(0);
    assert_eq!(big(&value), expected(&tables, &pair));
    assert_eq!(own.commit_many(&engine(), &[(&x, &mu)]).unwrap().remove(0), value);
}

#[test]
fn a_generated_setup_is_as_promised() {
    for level in Level::ALL {
        let own = setup(level, 0);
        let public = own.pedersen();
        let n = big(public.modulus().value());
        assert_eq!(n.bits(), u64::from(level.modulus_bits()));
        let order = secret_big(&own.order().value());
        assert_eq!(&order * 4u8, secret_big(&own.factored().totient()));
        assert_eq!(big(public.t()).modpow(&order, &n), BigUint::from(1u8));
        let lambda = secret_big(own.lambda());
        assert!(lambda < order && lambda > BigUint::from(0u8));
        assert_eq!(big(public.t()).modpow(&lambda, &n), big(public.s()));
        let bytes = public.to_bytes();
        assert_eq!(bytes.len(), 3 * level.modulus_bytes());
        assert_eq!(Pedersen::from_bytes(level, &bytes).unwrap(), *public);
    }
    let (one, two) = (setup(Level::Bits112, 0), setup(Level::Bits112, 0));
    assert_eq!(one.pedersen(), two.pedersen(), "the same seed");
    let [p, q] = fixtures::pedersen_primes(Level::Bits112, 0);
    let other =
        PedersenTrapdoor::generate(&engine(), Level::Bits112, &p, &q, &mut rng(99)).unwrap();
    assert_ne!(one.pedersen(), other.pedersen());
}

#[test]
fn bad_setups_are_refused() {
    let level = Level::Bits112;
    let own = setup(level, 0);
    let (n, s, t) = {
        let p = own.pedersen();
        (big(p.modulus().value()), big(p.s()), big(p.t()))
    };
    let p = secret_big(&own.factored().parts()[0].value());
    let of = |n: &BigUint, s: &BigUint, t: &BigUint| {
        Pedersen::new(level, &natural(n), natural(s), natural(t)).map(|_| ())
    };
    let (zero, one) = (BigUint::from(0u8), BigUint::from(1u8));
    assert_eq!(of(&n, &s, &t), Ok(()));
    for bad in [&zero, &n, &(&n + &s)] {
        assert_eq!(of(&n, bad, &t), Err(Error::OutOfRange));
        assert_eq!(of(&n, &s, bad), Err(Error::OutOfRange));
    }
    for bad in [&p, &(&n - &p)] {
        assert_eq!(of(&n, bad, &t), Err(Error::NotUnit));
        assert_eq!(of(&n, &s, bad), Err(Error::NotUnit));
    }
    for bad in [&one, &(&n - 1u8)] {
        assert_eq!(of(&n, bad, &t), Err(Error::TrivialBase));
        assert_eq!(of(&n, &s, bad), Err(Error::TrivialBase));
    }
    assert_eq!(of(&n, &s, &s), Err(Error::TrivialBase));
    for bad in [&n - 1u8, &n >> 1u32, (&n << 1u32) + 1u8, one, zero] {
        assert_eq!(of(&bad, &s, &t), Err(Error::Modulus));
    }
    let bytes = own.pedersen().to_bytes();
    assert_eq!(Pedersen::from_bytes(level, &bytes[1..]), Err(Error::Length));
    assert_eq!(Pedersen::from_bytes(Level::Bits128, &bytes), Err(Error::Length));
    assert_eq!(Pedersen::from_bytes(level, &[]), Err(Error::Length));
}
