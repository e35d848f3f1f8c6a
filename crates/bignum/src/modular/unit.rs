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
    /// Whether `r` is a unit is asked of its product with a second random number that is thrown away. The product is a
    /// unit if and only if both are, and then it is uniform whatever `r` is; so nothing is lost by looking at it in
    /// variable time.
    ///
    /// # Errors
    /// [`Error::Randomness`] if the generator is broken (or `N` has so many small factors that units are rare).
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
