//! Secret polynomials.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, RandomnessError, Secret, random_nonzero_scalar, random_scalar};
use quorate_declassify::{declassify, declassify_slice};
use quorate_session::PartyId;
use rand_core::CryptoRng;

use crate::{Commitment, shares};

/// A secret polynomial a₀ + a₁x + … + a₍t₋₁₎x^(t−1) over the scalars of `C`: the constant is the
/// shared secret, t is the number of shares that give it back.
///
/// Wiped on drop; neither copied nor compared nor stored.
pub struct Polynomial<C: Curve> {
    /// a₀, a₁, …: at least one, so that there is always a constant.
    coefficients: Secret<Vec<C::Scalar>>,
}

impl<C: Curve> Polynomial<C> {
    /// A random polynomial of `threshold` coefficients with a random constant other than zero.
    ///
    /// A threshold of 0 is taken as 1. The dealt value is then the secret itself.
    ///
    /// # Errors
    /// [`RandomnessError`] if the generator gives zeros only.
    pub fn random(
        threshold: u16,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<Self, RandomnessError> {
        let constant = Secret::new(random_nonzero_scalar::<C>(rng)?);
        Self::with_constant(constant.expose(), threshold, rng)
    }

    /// A random polynomial of `threshold` coefficients with the given constant: to deal a secret
    /// that exists already.
    ///
    /// A threshold of 0 is taken as 1.
    ///
    /// # Errors
    /// [`RandomnessError`] if every coefficient drawn is zero: each share would be the constant
    /// itself.
    pub fn with_constant(
        constant: &C::Scalar,
        threshold: u16,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<Self, RandomnessError> {
        // The capacity is exact: a vector that grew would leave its coefficients behind, unwiped.
        let mut coefficients = Vec::with_capacity(usize::from(threshold.max(1)));
        coefficients.push(*constant);
        let mut all_zero = threshold > 1;
        for _ in 1..threshold {
            let coefficient = random_scalar::<C>(rng);
            all_zero &= coefficient == C::Scalar::default();
            coefficients.push(coefficient);
        }
        let coefficients = Secret::new(coefficients);
        // Public: it is so with a chance of less than 2^-250, and then there is no polynomial.
        if declassify(all_zero) { Err(RandomnessError) } else { Ok(Self { coefficients }) }
    }

    /// A random polynomial of `threshold` coefficients whose constant is zero: added to a sharing,
    /// it changes every share and leaves the secret (refresh).
    ///
    /// # Errors
    /// [`RandomnessError`] if every coefficient drawn is zero: no share would change.
    pub fn zero_constant(
        threshold: u16,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<Self, RandomnessError> {
        Self::with_constant(&C::Scalar::default(), threshold, rng)
    }

    /// The polynomial of these coefficients, constant first: for test vectors and imports. No
    /// coefficients at all are the polynomial zero, of threshold 1.
    #[must_use]
    pub fn from_coefficients(mut coefficients: Vec<C::Scalar>) -> Self {
        if coefficients.is_empty() {
            coefficients.push(C::Scalar::default());
        }
        Self { coefficients: Secret::new(coefficients) }
    }

    /// The number of coefficients, t. That number of shares recovers the secret.
    #[must_use]
    pub fn threshold(&self) -> usize {
        self.coefficients.expose().len()
    }

    /// The constant a₀, the secret that is shared.
    #[must_use]
    #[allow(clippy::indexing_slicing, reason = "every constructor stores at least one coefficient")]
    pub fn constant(&self) -> &C::Scalar {
        &self.coefficients.expose()[0]
    }

    /// The Feldman commitment: every coefficient times the generator. Constant time.
    #[must_use]
    pub fn commit(&self) -> Commitment<C> {
        let (mut points, mut bytes) = C::mul_base_many(self.coefficients.expose());
        // A commitment is made to be published.
        declassify_slice(&mut points);
        declassify_slice(&mut bytes);
        Commitment::from_encoded(points, bytes)
    }

    /// The share of one party. Constant time in the coefficients.
    #[must_use]
    pub fn evaluate(&self, id: PartyId) -> C::Scalar {
        shares::horner::<C>(self.coefficients.expose(), id.get())
    }

    /// The shares of many parties, in the order of `ids`: much less work than one after the other.
    /// Constant time in the coefficients; the ids are public.
    #[must_use]
    pub fn evaluate_many(&self, ids: &[PartyId]) -> Secret<Vec<C::Scalar>> {
        Secret::new(shares::evaluate_many::<C>(self.coefficients.expose(), ids))
    }
}

impl<C: Curve> fmt::Debug for Polynomial<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Polynomial")
    }
}
