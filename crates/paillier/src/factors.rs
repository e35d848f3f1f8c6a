//! Two secret primes, checked before anything is built on them.

use alloc::vec::Vec;

use quorate_bignum::{
    Engine, Factored, SecretInteger, SecretModulus, SecretNatural, is_blum_prime, is_safe_prime,
};
use quorate_declassify::declassify;
use zeroize::Zeroizing;

use crate::numbers::sized;
use crate::{Error, Level};

/// `|p - q|` must be longer than the primes' length minus this number of bits. FIPS 186-5 asks for 100; 96 is
/// slightly stricter, and a number of whole bytes.
const CLOSE_BITS: u32 = 96;

/// The condition on the primes of a modulus.
#[derive(Clone, Copy)]
pub(crate) enum Family {
    /// 3 modulo 4: for `N`.
    Blum,
    /// Safe: for `N̂`.
    Safe,
}

impl Family {
    /// Tests both factors: the longest of the checks by far.
    pub(crate) fn check(self, engine: &Engine, factored: &Factored) -> Result<(), Error> {
        for p in factored.parts() {
            let (passes, error) = match self {
                Self::Blum => (is_blum_prime(engine, &p.value())?, Error::NotPrime),
                Self::Safe => (is_safe_prime(engine, &p.value())?, Error::NotSafe),
            };
            if !passes {
                return Err(error);
            }
        }
        Ok(())
    }
}

/// The modulus `p q` of a level, from two numbers that passed the checks of form. Their primality is checked by
/// [`Family::check`].
pub(crate) fn factored(
    level: Level,
    p: &SecretNatural,
    q: &SecretNatural,
) -> Result<Factored, Error> {
    let (p, q) = (prime(level, p)?, prime(level, q)?);
    if !far_apart(level, &p, &q) {
        return Err(Error::ClosePrimes);
    }
    let factored = Factored::new(&p, &q)?;
    if factored.modulus().bits() != level.modulus_bits() {
        return Err(Error::Modulus);
    }
    Ok(factored)
}

/// A number of exactly the level's length that is 3 modulo 4, with that length as its bound.
fn prime(level: Level, p: &SecretNatural) -> Result<SecretNatural, Error> {
    let p = sized(p, level.prime_bytes()).ok_or(Error::PrimeSize)?;
    let bytes = p.to_be_bytes();
    // These three bits are the same in every prime that is accepted.
    if declassify(bytes.first().is_none_or(|top| top & 0x80 == 0)) {
        return Err(Error::PrimeSize);
    }
    if declassify(bytes.last().is_none_or(|low| low & 3 != 3)) {
        return Err(Error::NotBlum);
    }
    Ok(p)
}

fn far_apart(level: Level, p: &SecretNatural, q: &SecretNatural) -> bool {
    let integer = |x: &SecretNatural| sized(x, level.prime_bytes()).map(SecretInteger::from);
    let (Some(p), Some(q)) = (integer(p), integer(q)) else { return false };
    let difference = p.add(&q.neg());
    // Nothing is left if the difference fits into the length that is too short.
    sized(difference.magnitude(), (level.prime_bits().saturating_sub(CLOSE_BITS) >> 3) as usize)
        .is_none()
}

/// `p` and `q` at the end of a stored form.
pub(crate) fn write(level: Level, factored: &Factored, out: &mut Zeroizing<Vec<u8>>) {
    for part in factored.parts() {
        append(out, &part.value(), level.prime_bytes());
    }
}

/// A number of a fixed length at the end of a stored form; the room must be there already, so that nothing moves.
pub(crate) fn append(out: &mut Zeroizing<Vec<u8>>, value: &SecretNatural, bytes: usize) {
    if let Some(value) = sized(value, bytes) {
        out.extend_from_slice(&value.to_be_bytes());
    }
}

/// `(p - 1) / 2 (q - 1) / 2`, the odd part of the totient: the order of the squares.
pub(crate) fn order_of_squares(factored: &Factored) -> Result<SecretModulus, Error> {
    let [p, q] = factored.parts().map(|part| crate::numbers::half(&part.value()));
    Ok(SecretModulus::new(&p.mul(&q))?)
}
