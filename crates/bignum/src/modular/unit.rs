//! Random units.

use quorate_declassify::declassify_slice;
use rand_core::CryptoRng;

use super::modulus::Modulus;
use crate::error::Error;
use crate::number::natural::Natural;
use crate::number::random::{TRIES, below};
use crate::number::secret_natural::SecretNatural;

impl SecretNatural {
    /// A secret uniform among the units of `Z/N`: the numbers in `[1, N)` without a common factor with `N`.
    ///
    /// To check that `r` is a unit, its product with a second random number is checked, and that number is
    /// discarded. The product is a unit if and only if both are. Then it is uniform whatever `r` is, so the check
    /// may take variable time without revealing anything.
    ///
    /// # Errors
    /// [`Error::Randomness`] if the generator is broken (or if units are rare, because `N` has many small
    /// factors).
    pub fn random_unit(
        rng: &mut (impl CryptoRng + ?Sized),
        modulus: &Modulus,
    ) -> Result<Self, Error> {
        for _ in 0..TRIES {
            let (unit, mask) = (below(rng, modulus.value())?, below(rng, modulus.value())?);
            let mut product = modulus.parameters().mul(&unit, &mask);
            // Uniform among the units whatever the one kept is, if both are units.
            declassify_slice(&mut product);
            if modulus.is_unit(&Natural::from_words(&product)) {
                return Ok(Self::from_words(&unit, modulus.bits()));
            }
        }
        Err(Error::Randomness)
    }

    /// The unit that [`random_unit`](Self::random_unit) gave from the same stream, without asking again whether it is
    /// one. For a stream that has passed: a first try that was no unit shows a factor of `N`.
    ///
    /// # Errors
    /// [`Error::Randomness`] if the generator is broken.
    pub fn same_unit(
        rng: &mut (impl CryptoRng + ?Sized),
        modulus: &Modulus,
    ) -> Result<Self, Error> {
        let unit = below(rng, modulus.value())?;
        // The one that was thrown away.
        below(rng, modulus.value())?;
        Ok(Self::from_words(&unit, modulus.bits()))
    }
}
