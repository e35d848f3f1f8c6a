//! Numbers of `num-bigint`, which share nothing with those under test.

use num_bigint::{BigInt, BigUint, Sign};
use quorate_bignum::{Integer, Natural, SecretInteger, SecretNatural};
use rand_core::Rng;

/// Converts our number to theirs.
#[must_use]
pub fn big(value: &Natural) -> BigUint {
    let length = value.bits().div_ceil(8) as usize;
    BigUint::from_bytes_be(&value.to_be_bytes(length).expect("its own length"))
}

/// Converts their number to ours.
#[must_use]
pub fn natural(value: &BigUint) -> Natural {
    Natural::from_be_bytes(&value.to_bytes_be())
}

/// Converts our secret number to theirs.
#[must_use]
pub fn secret_big(value: &SecretNatural) -> BigUint {
    BigUint::from_bytes_be(&value.to_be_bytes())
}

/// Converts their number to our secret one.
#[must_use]
pub fn secret_natural(value: &BigUint) -> SecretNatural {
    SecretNatural::from_be_bytes(&value.to_bytes_be())
}

/// Converts our number with a sign to theirs.
#[must_use]
pub fn big_int(value: &Integer) -> BigInt {
    let sign = if value.is_negative() { Sign::Minus } else { Sign::Plus };
    BigInt::from_biguint(sign, big(value.magnitude()))
}

/// Converts their number with a sign to ours.
#[must_use]
pub fn integer(value: &BigInt) -> Integer {
    Integer::new(value.sign() == Sign::Minus, natural(value.magnitude()))
}

/// Converts their number with a sign to our secret one.
#[must_use]
pub fn secret(value: &BigInt) -> SecretInteger {
    let integer = integer(value);
    SecretInteger::classify(&integer, integer.magnitude().bits().max(1)).expect("within its length")
}

/// Converts our secret number with a sign to theirs.
#[must_use]
pub fn opened(value: &SecretInteger) -> BigInt {
    big_int(&value.declassify())
}

/// A number below 2^bits.
pub fn random_bits(rng: &mut impl Rng, bits: u32) -> BigUint {
    let mut bytes = vec![0; bits.div_ceil(8) as usize];
    rng.fill_bytes(&mut bytes);
    BigUint::from_bytes_be(&bytes) >> ((8 - bits % 8) % 8)
}
