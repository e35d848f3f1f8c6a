//! Primes from outside: a number that is not a product of the right primes is refused on import and when it is
//! opened.

use num_bigint::BigUint;
use quorate_bignum::{BlumPrimeSearch, SecretNatural};
use quorate_paillier::{DecryptionKey, Error, Level, PedersenTrapdoor};
use quorate_testkit::fixtures;
use zeroize::Zeroizing;

use crate::support::{engine, rng, secret_big, secret_natural};

const LEVEL: Level = Level::Bits112;

/// `m (4 m - 3)` for primes `m` and `4 m - 3`: 1024 bits, 3 modulo 4, strong to base 2.
const PSEUDOPRIME: &str = concat!(
    "a35e0e5cc597e021a2092163621ae298697d819d0386d3da370fc80250f9e396e316a6cea654faad3c13e6c8d4",
    "e228ffedf151b1f0243135bca4aa042b31b84b8e117edb7938ef85020487893087c723577d17b6aa1667728155",
    "c6bd24f34a0cf6751d1a94a0f617f39634fd0b3ccf7d36ef44055fa0831c41e3b76038ad3fdf",
);

fn pseudoprime() -> BigUint {
    BigUint::parse_bytes(PSEUDOPRIME.as_bytes(), 16).unwrap()
}

/// `2 q + 1` for a prime `q`, composite.
fn composite_over_a_prime() -> BigUint {
    let seed = Zeroizing::new([5; 32]);
    let mut search = BlumPrimeSearch::from_seed(1023, &engine(), seed).unwrap();
    let q = (0..).find_map(|_| search.step(64).unwrap()).unwrap();
    let p: BigUint = secret_big(&q) * 2u8 + 1u8;
    assert!(p.bits() == 1024 && BigUint::from(2u8).modpow(&(&p - 1u8), &p) != BigUint::from(1u8));
    p
}

fn key(p: &BigUint, q: &BigUint) -> Result<(), Error> {
    let [p, q] = [p, q].map(secret_natural);
    DecryptionKey::from_primes(&engine(), LEVEL, &p, &q).map(|_| ())
}

/// Version, level, `N`, `p`, `q`.
fn stored_key(p: &BigUint, q: &BigUint) -> Result<(), Error> {
    let [head, ..] = fixture_bytes();
    let parts = [(p * q).to_bytes_be(), p.to_bytes_be(), q.to_bytes_be()].concat();
    let bytes = [&head[..2], &parts].concat();
    DecryptionKey::from_secret_bytes(&engine(), LEVEL, &bytes).map(|_| ())
}

fn setup(p: &BigUint, q: &BigUint) -> Result<(), Error> {
    let [p, q] = [p, q].map(secret_natural);
    PedersenTrapdoor::generate(&engine(), LEVEL, &p, &q, &mut rng(1)).map(|_| ())
}

/// Version, level, `N̂`, `s`, `t`, `p`, `q`, `λ`, with `s = t^λ`.
fn stored_setup(p: &BigUint, q: &BigUint) -> Result<(), Error> {
    let [_, head] = fixture_bytes();
    let (n, t, lambda) = (p * q, BigUint::from(4u8), BigUint::from(77u8));
    let s = t.modpow(&lambda, &n);
    let fixed = |x: &BigUint| {
        let digits = x.to_bytes_be();
        [vec![0; LEVEL.modulus_bytes() - digits.len()], digits].concat()
    };
    let primes = [p.to_bytes_be(), q.to_bytes_be()].concat();
    let bytes = [&head[..2], &fixed(&n), &fixed(&s), &fixed(&t), &primes, &fixed(&lambda)].concat();
    PedersenTrapdoor::from_secret_bytes(&engine(), LEVEL, &bytes).map(|_| ())
}

fn fixture_bytes() -> [Zeroizing<Vec<u8>>; 2] {
    let key = fixtures::decryption_key(&engine(), LEVEL, 0).unwrap();
    let setup = fixtures::pedersen_trapdoor(&engine(), LEVEL, 0, &mut rng(1)).unwrap();
    [key.to_secret_bytes(), setup.to_secret_bytes()]
}

fn big([p, q]: [SecretNatural; 2]) -> [BigUint; 2] {
    [secret_big(&p), secret_big(&q)]
}

#[test]
fn setups_want_safe_primes() {
    let [p, q] = big(fixtures::pedersen_primes(LEVEL, 0));
    let [prime, other] = big(fixtures::paillier_primes(LEVEL, 0));
    for setup in [setup, stored_setup] {
        assert_eq!(setup(&p, &q), Ok(()));
        assert_eq!(setup(&q, &p), Ok(()));
        // Primes 3 modulo 4 of which half is composite; one of the two is enough.
        assert_eq!(setup(&prime, &other), Err(Error::NotSafe));
        assert_eq!(setup(&p, &prime), Err(Error::NotSafe));
        assert_eq!(setup(&prime, &q), Err(Error::NotSafe));
        assert_eq!(setup(&p, &p), Err(Error::ClosePrimes));
        assert_eq!(setup(&p, &pseudoprime()), Err(Error::NotSafe));
        let composite = composite_over_a_prime();
        assert_eq!(setup(&p, &composite), Err(Error::NotSafe));
        assert_eq!(setup(&composite, &q), Err(Error::NotSafe));
    }
}

#[test]
fn keys_want_primes() {
    let [p, q] = big(fixtures::paillier_primes(LEVEL, 0));
    for key in [key, stored_key] {
        assert_eq!(key(&p, &q), Ok(()));
        assert_eq!(key(&p, &p), Err(Error::ClosePrimes));
        assert_eq!(key(&p, &pseudoprime()), Err(Error::NotPrime));
        assert_eq!(key(&pseudoprime(), &q), Err(Error::NotPrime));
        assert_eq!(key(&p, &composite_over_a_prime()), Err(Error::NotPrime));
    }
}
