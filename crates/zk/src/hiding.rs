//! The exponents that hide committed numbers.

use core::fmt;

use quorate_bignum::{Engine, Natural, SecretInteger};
use quorate_paillier::level::ELL;
use quorate_paillier::{Level, Pedersen};
use rand_core::CryptoRng;

use crate::Error;

/// `μ` of a commitment `s^x t^μ`, uniform in `±2^ℓ N̂`, for proofs that speak of one commitment one after the other. Wiped
/// when dropped.
pub struct Hiding(SecretInteger);

impl fmt::Debug for Hiding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hiding")
    }
}

impl Hiding {
    /// A fresh one for a setup.
    #[must_use]
    pub fn draw(rng: &mut (impl CryptoRng + ?Sized), setup: &Pedersen) -> Self {
        Self(SecretInteger::random_half_range(rng, hiding_bits(setup.level())))
    }

    /// `s^x t^μ`, made public.
    ///
    /// # Errors
    /// [`Error::Number`] if the engine refuses.
    pub fn commit(
        &self,
        engine: &Engine,
        setup: &Pedersen,
        x: &SecretInteger,
    ) -> Result<Natural, Error> {
        let mut made = setup.commit_many(engine, &[(x, &self.0)])?;
        made.pop().ok_or(Error::Values)
    }

    /// `μ`.
    pub(crate) const fn exponent(&self) -> &SecretInteger {
        &self.0
    }
}

/// The number b of bits for which `±2^b` holds `μ`.
pub(crate) const fn hiding_bits(level: Level) -> u32 {
    level.modulus_bits() + ELL
}
