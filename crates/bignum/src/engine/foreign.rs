//! Engines of other libraries: one power at a time, as they offer it.

use alloc::vec;
#[cfg(feature = "openssl")]
use alloc::vec::Vec;

use crate::error::Error;
use crate::exponent::job::Job;
use crate::number::limbs::Words;

/// A library that raises to powers; all numbers are little-endian words.
pub(super) trait Library {
    /// `base^exponent mod n`. With `vartime` it is computed in the library's fastest way, otherwise in its
    /// constant-time way. `None` if the library failed.
    fn power(&self, vartime: bool, base: &[u64], exponent: &[u64], n: &[u64]) -> Option<Words>;

    /// Returns whether the time of a test shows the candidate.
    fn tests_in_vartime(&self) -> bool {
        false
    }

    /// The product of a job, power by power.
    ///
    /// # Errors
    /// [`Error::NoValue`] if the library failed, or gave a number longer than the modulus.
    fn run(&self, vartime: bool, job: &Job) -> Result<Words, Error> {
        let n = job.modulus.words();
        let mut product: Option<Words> = None;
        for power in &job.powers {
            let value =
                self.power(vartime, &power.base, &power.exponent, n).ok_or(Error::NoValue)?;
            // The capacity is exact: a vector that grew would leave a copy behind.
            let mut out = Words::new(vec![0; n.len()]);
            out.get_mut(..value.len()).ok_or(Error::NoValue)?.copy_from_slice(&value);
            product = Some(match product {
                None => out,
                Some(product) => job.modulus.mul(&product, &out),
            });
        }
        Ok(product.unwrap_or_else(|| job.modulus.one()))
    }

    /// Returns whether `2^(n - 1) = 1 mod n`, for an odd `n`.
    fn fermat(&self, n: &Words) -> bool {
        let mut exponent = n.clone();
        if let Some(low) = exponent.first_mut() {
            *low &= u64::MAX - 1;
        }
        let power = self.power(self.tests_in_vartime(), &[2], &exponent, n);
        power.is_some_and(|power| {
            let mut words = power.iter();
            words.next() == Some(&1) && words.fold(0, |all, word| all | word) == 0
        })
    }
}

/// GMP.
#[cfg(feature = "gmp")]
pub(super) struct Gmp;

#[cfg(feature = "gmp")]
impl Library for Gmp {
    fn power(&self, vartime: bool, base: &[u64], exponent: &[u64], n: &[u64]) -> Option<Words> {
        use rug::Integer;
        use rug::integer::Order;
        let number = |words: &[u64]| Integer::from_digits(words, Order::Lsf);
        let (mut base, exponent, n) = (number(base), number(exponent), number(n));
        // `mpz_powm_sec` takes no zero exponent. With this engine the time shows whether an exponent is zero.
        if vartime || exponent.is_zero() {
            base.pow_mod_mut(&exponent, &n).ok()?;
            return Some(Words::new(base.to_digits(Order::Lsf)));
        }
        Some(Words::new(base.secure_pow_mod(&exponent, &n).to_digits(Order::Lsf)))
    }

    // The engine is for comparison, so it uses its fastest way.
    fn tests_in_vartime(&self) -> bool {
        true
    }
}

/// OpenSSL.
#[cfg(feature = "openssl")]
pub(super) struct OpenSsl;

#[cfg(feature = "openssl")]
impl Library for OpenSsl {
    fn power(&self, vartime: bool, base: &[u64], exponent: &[u64], n: &[u64]) -> Option<Words> {
        openssl_power(vartime, base, exponent, n).ok().map(Words::new)
    }
}

#[cfg(feature = "openssl")]
fn openssl_power(
    vartime: bool,
    base: &[u64],
    exponent: &[u64],
    n: &[u64],
) -> Result<Vec<u64>, openssl::error::ErrorStack> {
    use openssl::bn::{BigNum, BigNumContext};
    let number = |words: &[u64]| {
        let bytes: Vec<u8> = words.iter().rev().flat_map(|w| w.to_be_bytes()).collect();
        BigNum::from_slice(&zeroize::Zeroizing::new(bytes))
    };
    let (base, mut exponent, n) = (number(base)?, number(exponent)?, number(n)?);
    if !vartime {
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
