//! Random coefficients of batch equations.

use quorate_curve::Curve;
use rand_core::Rng;

use crate::suite::{Ciphersuite, Scalar};

/// A uniform 128-bit scalar: a wrong equation survives it with a chance of 2^-128.
pub(crate) fn coefficient<S: Ciphersuite>(rng: &mut impl Rng) -> Scalar<S> {
    let mut limbs = [0; 8];
    limbs.iter_mut().take(2).for_each(|limb| *limb = rng.next_u64());
    S::Curve::scalar_from_limbs(&limbs)
}
