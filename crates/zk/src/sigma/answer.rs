//! The verifier's computation for one repetition.

use alloc::vec::Vec;

use quorate_bignum::{Integer, Natural, SecretProduct};
use quorate_curve::Curve;
use quorate_paillier::DecryptionKey;

use super::Map;
use super::layout::Response;
use crate::Fault;
use crate::numbers::{scalar_of, unsigned};

/// One repetition: its responses and its challenge.
pub(crate) struct Answer<'s, C: Curve> {
    pub(crate) responses: &'s [Response<C>],
    pub(crate) minus_e: &'s Integer,
}

impl<'s, C: Curve> Answer<'s, C> {
    pub(crate) fn integer(&self, index: usize) -> Result<&'s Integer, Fault> {
        match self.responses.get(index) {
            Some(Response::Integer(z)) => Ok(z),
            _ => Err(Fault::Statement),
        }
    }

    pub(crate) fn natural(&self, index: usize) -> Result<&'s Natural, Fault> {
        match self.responses.get(index) {
            Some(Response::Natural(z)) => Ok(z),
            _ => Err(Fault::Statement),
        }
    }

    pub(crate) fn scalar(&self, index: usize) -> Result<C::Scalar, Fault> {
        match self.responses.get(index) {
            Some(Response::Scalar(z)) => Ok(*z),
            Some(Response::Integer(z)) => Ok(scalar_of::<C>(z)),
            _ => Err(Fault::Statement),
        }
    }
}

/// `Σ z·P - e·X`.
pub(crate) fn point<C: Curve>(
    terms: &[(C::Point, usize)],
    image: C::Point,
    answer: &Answer<'_, C>,
) -> Result<C::Point, Fault> {
    let mut points: Vec<C::Point> = terms.iter().map(|(point, _)| *point).collect();
    let mut scalars =
        terms.iter().map(|(_, index)| answer.scalar(*index)).collect::<Result<Vec<_>, _>>()?;
    points.push(image);
    scalars.push(scalar_of::<C>(answer.minus_e));
    Ok(C::msm_vartime(&scalars, &points))
}

/// A Paillier map under one's own key.
pub(crate) fn own_paillier<'s, C: Curve>(
    key: &'s DecryptionKey,
    map: &Map<'s, C>,
    answer: &Answer<'s, C>,
) -> Result<SecretProduct<'s>, Fault> {
    let Map::Paillier { image, plain, randomizer, scaled } = map else {
        return Err(Fault::Statement);
    };
    let square = key.encryption_key().square();
    let unsigned =
        |base: &Natural, e: &Integer| unsigned(square, base, e).map_err(|_| Fault::Statement);
    let product = key.opened(answer.integer(*plain)?, answer.natural(*randomizer)?);
    let (base, power) = unsigned(image.value(), answer.minus_e)?;
    let product = product.power(base, power);
    let Some(scaled) = scaled else { return Ok(product) };
    if scaled.ciphertext.key() != key.encryption_key() {
        return Err(Fault::Statement);
    }
    let x = answer.integer(scaled.by)?;
    let (base, power) = if scaled.negated {
        unsigned(scaled.ciphertext.value(), &x.neg())?
    } else {
        unsigned(scaled.ciphertext.value(), x)?
    };
    Ok(product.power(base, power))
}
