//! Engines of other libraries: one power at a time, as they offer it.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::job::{Job, Words, mul_mod, one};

/// A library that raises to powers; all numbers are little-endian words.
pub(super) trait Library {
    /// `base^exponent mod n`; with `VARTIME` in the library's fastest way, otherwise in its constant-time way.
    fn pow<const VARTIME: bool>(base: &[u64], exponent: &[u64], n: &[u64]) -> Vec<u64>;
}

/// The product of a job, power by power.
pub(super) fn run<L: Library, const VARTIME: bool>(job: &Job) -> Words {
    let n = job.modulus.words();
    let mut powers = job.powers.iter().map(|power| {
        let mut out = Zeroizing::new(L::pow::<VARTIME>(&power.base, &power.exponent, n));
        out.resize(n.len(), 0);
        out
    });
    let first = powers.next().unwrap_or_else(|| one(&job.modulus));
    powers.fold(first, |product, power| mul_mod(&job.modulus, &product, &power))
}

/// GMP.
#[cfg(feature = "gmp")]
pub(super) struct Gmp;

#[cfg(feature = "gmp")]
impl Library for Gmp {
    fn pow<const VARTIME: bool>(base: &[u64], exponent: &[u64], n: &[u64]) -> Vec<u64> {
        use rug::Integer;
        use rug::integer::Order;
        let number = |words: &[u64]| Integer::from_digits(words, Order::Lsf);
        let (mut base, exponent, n) = (number(base), number(exponent), number(n));
        // `mpz_powm_sec` takes no zero exponent; that an exponent is zero is visible with this engine.
        if VARTIME || exponent.is_zero() {
            if base.pow_mod_mut(&exponent, &n).is_err() {
                return Vec::new();
            }
            return base.to_digits(Order::Lsf);
        }
        base.secure_pow_mod(&exponent, &n).to_digits(Order::Lsf)
    }
}

/// OpenSSL.
#[cfg(feature = "openssl")]
pub(super) struct OpenSsl;

#[cfg(feature = "openssl")]
impl Library for OpenSsl {
    fn pow<const VARTIME: bool>(base: &[u64], exponent: &[u64], n: &[u64]) -> Vec<u64> {
        openssl_pow::<VARTIME>(base, exponent, n).unwrap_or_default()
    }
}

#[cfg(feature = "openssl")]
fn openssl_pow<const VARTIME: bool>(
    base: &[u64],
    exponent: &[u64],
    n: &[u64],
) -> Result<Vec<u64>, openssl::error::ErrorStack> {
    use openssl::bn::{BigNum, BigNumContext};
    let number = |words: &[u64]| {
        let bytes: Vec<u8> = words.iter().rev().flat_map(|w| w.to_be_bytes()).collect();
        BigNum::from_slice(&Zeroizing::new(bytes))
    };
    let (base, mut exponent, n) = (number(base)?, number(exponent)?, number(n)?);
    if !VARTIME {
        exponent.set_const_time();
    }
    let (mut out, mut context) = (BigNum::new()?, BigNumContext::new()?);
    out.mod_exp(&base, &exponent, &n, &mut context)?;
    let bytes = out.to_vec();
    Ok(bytes
        .rchunks(8)
        .map(|chunk| chunk.iter().fold(0, |word, &byte| (word << 8) | u64::from(byte)))
        .collect())
}
