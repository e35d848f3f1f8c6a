//! Conversions and the naive formulas.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng as _, SeedableRng};
use num_bigint::{BigInt, BigUint, Sign};
use quorate_bignum::{Engine, Integer, Natural, SecretInteger, SecretNatural};
use quorate_paillier::{DecryptionKey, Level, fixtures};

pub(crate) fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

pub(crate) fn engine() -> Engine {
    Engine::detect()
}

pub(crate) fn key(level: Level, index: usize) -> DecryptionKey {
    fixtures::decryption_key(&engine(), level, index).unwrap()
}

pub(crate) fn big(value: &Natural) -> BigUint {
    BigUint::from_bytes_be(&value.to_be_bytes(1024).unwrap())
}

pub(crate) fn natural(value: &BigUint) -> Natural {
    Natural::from_be_bytes(&value.to_bytes_be())
}

pub(crate) fn secret_big(value: &SecretNatural) -> BigUint {
    BigUint::from_bytes_be(&value.to_be_bytes())
}

pub(crate) fn secret_natural(value: &BigUint) -> SecretNatural {
    SecretNatural::from_be_bytes(&value.to_bytes_be())
}

pub(crate) fn big_int(value: &Integer) -> BigInt {
    let sign = if value.is_negative() { Sign::Minus } else { Sign::Plus };
    BigInt::from_biguint(sign, big(value.magnitude()))
}

pub(crate) fn integer(value: &BigInt) -> Integer {
    Integer::new(value.sign() == Sign::Minus, natural(value.magnitude()))
}

pub(crate) fn secret(value: &BigInt) -> SecretInteger {
    let integer = integer(value);
    SecretInteger::classify(&integer, integer.magnitude().bits().max(1)).unwrap()
}

pub(crate) fn opened(value: &SecretInteger) -> BigInt {
    big_int(&value.declassify())
}

pub(crate) fn random_bits(rng: &mut ChaCha20Rng, bits: u32) -> BigUint {
    let mut bytes = vec![0; bits.div_ceil(8) as usize];
    rng.fill_bytes(&mut bytes);
    BigUint::from_bytes_be(&bytes) >> ((8 - bits % 8) % 8)
}

pub(crate) fn random_int(rng: &mut ChaCha20Rng, bits: u32) -> BigInt {
    let magnitude = BigInt::from(random_bits(rng, bits));
    if rng.next_u32() & 1 == 0 { magnitude } else { -magnitude }
}

/// The residue in `[0, n)`.
pub(crate) fn residue(value: &BigInt, n: &BigUint) -> BigUint {
    let n = BigInt::from(n.clone());
    (((value % &n) + &n) % &n).magnitude().clone()
}

/// `base^exponent mod n` for any sign.
pub(crate) fn power(base: &BigUint, exponent: &BigInt, n: &BigUint) -> BigUint {
    let base = if exponent.sign() == Sign::Minus { base.modinv(n).unwrap() } else { base.clone() };
    base.modpow(exponent.magnitude(), n)
}

/// `(1 + N)^m r^N mod N^2`, by two powers.
pub(crate) fn encrypt(n: &BigUint, m: &BigInt, r: &BigUint) -> BigUint {
    let square = n * n;
    power(&(n + 1u8), m, &square) * r.modpow(n, &square) % square
}

/// By Carmichael's function, as in the paper of 1999.
pub(crate) fn decrypt(n: &BigUint, phi: &BigUint, c: &BigUint) -> BigInt {
    let square = n * n;
    let l = (c.modpow(phi, &square) - 1u8) / n;
    let m = BigInt::from(l * phi.modinv(n).unwrap() % n);
    let n = BigInt::from(n.clone());
    if &m * 2 > n { m - n } else { m }
}
