//! Conversions and the naive formulas.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::Rng as _;
use num_bigint::{BigInt, BigUint, Sign};
use quorate_bignum::Engine;
use quorate_paillier::{DecryptionKey, Level};
use quorate_testkit::fixtures;
pub(crate) use quorate_testkit::numbers::{
    big, big_int, integer, natural, opened, random_bits, secret, secret_big, secret_natural,
};
pub(crate) use quorate_testkit::rng_of as rng;

pub(crate) fn engine() -> Engine {
    Engine::detect()
}

pub(crate) fn key(level: Level, index: usize) -> DecryptionKey {
    fixtures::decryption_key(&engine(), level, index).unwrap()
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
