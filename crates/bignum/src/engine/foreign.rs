//! Engines of other libraries: one power at a time, as they offer it.

use alloc::vec;
#[cfg(feature = "openssl")]
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::Error;
use crate::job::{Job, Words, mul_mod, one};

/// A library that raises to powers; all numbers are little-endian words.
pub(super) trait Library {
    /// `base^exponent mod n`; with `VARTIME` in the library's fastest way, otherwise in its constant-time way. Nothing if
    /// the library failed.
    fn pow<const VARTIME: bool>(base: &[u64], exponent: &[u64], n: &[u64]) -> Option<Words>;
}

/// The product of a job, power by power.
///
/// # Errors
/// [`Error::NoValue`] if the library failed, or gave a number longer than the modulus.
pub(super) fn run<L: Library, const VARTIME: bool>(job: &Job) -> Result<Words, Error> {
    let n = job.modulus.words();
    let mut product: Option<Words> = None;
    for power in &job.powers {
        let value = L::pow::<VARTIME>(&power.base, &power.exponent, n).ok_or(Error::NoValue)?;
        // Made with room for all of it: a vector that grew would leave a copy behind.
        let mut out = Zeroizing::new(vec![0; n.len()]);
        out.get_mut(..value.len()).ok_or(Error::NoValue)?.copy_from_slice(&value);
        product = Some(match product {
            None => out,
            Some(product) => mul_mod(&job.modulus, &product, &out),
        });
    }
    Ok(product.unwrap_or_else(|| one(&job.modulus)))
}

/// GMP.
#[cfg(feature = "gmp")]
pub(super) struct Gmp;

#[cfg(feature = "gmp")]
impl Library for Gmp {
    fn pow<const VARTIME: bool>(base: &[u64], exponent: &[u64], n: &[u64]) -> Option<Words> {
        use rug::Integer;
        use rug::integer::Order;
        let number = |words: &[u64]| Integer::from_digits(words, Order::Lsf);
        let (mut base, exponent, n) = (number(base), number(exponent), number(n));
        // `mpz_powm_sec` takes no zero exponent; that an exponent is zero is visible with this engine.
        if VARTIME || exponent.is_zero() {
            base.pow_mod_mut(&exponent, &n).ok()?;
            return Some(Words::new(base.to_digits(Order::Lsf)));
        }
        Some(Words::new(base.secure_pow_mod(&exponent, &n).to_digits(Order::Lsf)))
    }
}

/// OpenSSL.
#[cfg(feature = "openssl")]
pub(super) struct OpenSsl;

#[cfg(feature = "openssl")]
impl Library for OpenSsl {
    fn pow<const VARTIME: bool>(base: &[u64], exponent: &[u64], n: &[u64]) -> Option<Words> {
        openssl_pow::<VARTIME>(base, exponent, n).ok().map(Words::new)
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
