//! Batch inversion and random generation, alike for the scalars of every group.

use alloc::vec::Vec;
use core::fmt;

use quorate_declassify::declassify;
use rand_core::CryptoRng;
use zeroize::{Zeroize, Zeroizing};

use crate::Curve;

/// Replaces every scalar by its inverse, at the price of one inversion and three multiplications
/// each (Montgomery's trick).
///
/// The time depends on the number of scalars and on whether one of them is zero. If one is, the
/// answer is `None` and nothing has changed.
#[must_use = "nothing was inverted if this is None"]
pub fn batch_invert<C: Curve>(scalars: &mut [C::Scalar]) -> Option<()> {
    let mut product = C::Scalar::from(1);
    // before[i] is the product of all scalars in front of the i-th.
    let before: Zeroizing<Vec<C::Scalar>> = Zeroizing::new(
        scalars
            .iter()
            .map(|scalar| {
                let next = product * *scalar;
                core::mem::replace(&mut product, next)
            })
            .collect(),
    );
    // Whether one of them is zero is the result.
    if declassify(product == C::Scalar::default()) {
        return None;
    }
    let mut inverse = C::invert(&product);
    for (scalar, before) in scalars.iter_mut().zip(before.iter()).rev() {
        let next = inverse * *scalar;
        *scalar = inverse * *before;
        inverse = next;
    }
    product.zeroize();
    inverse.zeroize();
    Some(())
}

/// A uniform scalar, zero included, from at least 128 more random bits than the order has: no
/// value is likelier than another by more than a factor of 1 + 2^-128.
#[must_use]
pub fn random_scalar<C: Curve>(rng: &mut (impl CryptoRng + ?Sized)) -> C::Scalar {
    let mut wide = Zeroizing::new([0u8; 114]);
    let length = if C::ORDER.len() > 4 { 114 } else { 64 };
    wide.split_at_mut_checked(length).map_or_else(C::Scalar::default, |(bytes, _)| {
        rng.fill_bytes(bytes);
        C::scalar_from_wide(bytes)
    })
}

/// A uniform scalar other than zero.
///
/// # Errors
/// [`RandomnessError`] if the generator gives zero four times in a row, which a good one does with
/// probability below 2^-1000.
pub fn random_nonzero_scalar<C: Curve>(
    rng: &mut (impl CryptoRng + ?Sized),
) -> Result<C::Scalar, RandomnessError> {
    (0..TRIES)
        .map(|_| random_scalar::<C>(rng))
        // Zero is thrown away.
        .find(|scalar| declassify(*scalar != C::Scalar::default()))
        .ok_or(RandomnessError)
}

/// Draws before a generator counts as broken.
const TRIES: u32 = 4;

/// A generator of random numbers that gives zeros only: it is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomnessError;

impl fmt::Display for RandomnessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the generator of random numbers is broken: it gives zeros only")
    }
}

impl core::error::Error for RandomnessError {}
