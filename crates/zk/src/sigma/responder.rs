//! The prover's answer to the challenge.

use alloc::vec::Vec;

use quorate_bignum::{Integer, Natural, SecretInteger, SecretNatural, SecretProduct};
use quorate_curve::Curve;
use quorate_declassify::declassify;

use super::challenge::Challenge;
use super::layout::{Decoded, Response};
use super::masks::Mask;
use super::secrets::Slot;
use super::{Component, Kind, Proof, Prover, SecretValues};
use crate::Error;
use crate::numbers::{once, scalar_of};

/// A proof with its challenge: the responses of units are described and wait to be evaluated.
pub struct Responder<'a, C: Curve> {
    prover: Prover<'a, C>,
    challenge: Challenge,
    carried: Vec<Natural>,
    /// `|e|`, for each repetition.
    magnitudes: Vec<Integer>,
    /// The inverses of units, where the challenge is negative.
    inverses: Vec<Option<SecretNatural>>,
}

impl<C: Curve> core::fmt::Debug for Responder<'_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Responder")
    }
}

impl<'a, C: Curve> Responder<'a, C> {
    pub(crate) fn new(
        prover: Prover<'a, C>,
        challenge: Challenge,
        carried: Vec<Natural>,
    ) -> Result<Self, Error> {
        let negative = challenge.exponents.iter().any(Integer::is_negative);
        let inverses = if negative { inverses(&prover)? } else { Vec::new() };
        let magnitudes =
            challenge.exponents.iter().map(|e| Integer::from(e.magnitude().clone())).collect();
        Ok(Self { prover, challenge, carried, magnitudes, inverses })
    }

    /// The products `r ρ^e mod N`, to be evaluated.
    ///
    /// # Errors
    /// [`Error::Relation`] if the statement's description is inconsistent.
    pub fn products(&self) -> Result<Vec<SecretProduct<'_>>, Error> {
        let mut out = Vec::new();
        let once = once();
        for (masks, e) in self.prover.masks.rows.iter().zip(&self.magnitudes) {
            for (index, component) in self.prover.relation.components.iter().enumerate() {
                let Kind::Unit(key) = component.kind else { continue };
                let base = match self.inverses.get(index) {
                    Some(Some(inverse)) => inverse,
                    _ => self.prover.witness.unit(index)?.value(),
                };
                let product = match self.prover.own.key_of(key) {
                    Some(own) => SecretProduct::factored(own.factored()),
                    None => SecretProduct::new(key.modulus()),
                };
                out.push(product.power(masks.unit(index)?.value(), once.clone()).power(base, e));
            }
        }
        Ok(out)
    }

    /// Takes the values of [`Self::products`], in their order, off a list: the proof is done.
    ///
    /// # Errors
    /// [`Error::Values`] if the list is too short, [`Error::Number`] if the engine refused a product,
    /// [`Error::Range`] if a response is outside its interval, which happens with probability `2^-128` at the most.
    pub fn finish(self, values: &mut SecretValues<'_>) -> Result<Proof, Error> {
        let mut responses = Vec::with_capacity(self.challenge.exponents.len());
        for (masks, e) in self.prover.masks.rows.iter().zip(&self.challenge.exponents) {
            let slots =
                self.prover.relation.components.iter().zip(&self.prover.witness.0).zip(&masks.0);
            let one = slots.map(|((component, x), mask)| {
                let out = response(x, mask, e, values)?;
                if self.prover.unchecked || fits(component, &out) {
                    Ok(out)
                } else {
                    Err(Error::Range(component.name))
                }
            });
            responses.push(one.collect::<Result<Vec<_>, Error>>()?);
        }
        let decoded = Decoded { challenge: self.challenge, carried: self.carried, responses };
        Ok(self.prover.relation.encode(&decoded))
    }
}

fn fits<C: Curve>(component: &Component<'_>, response: &Response<C>) -> bool {
    match (component.kind, response) {
        (Kind::Integer { bits, slack }, Response::Integer(z)) => {
            z.in_half_range(bits.saturating_add(slack))
        }
        _ => true,
    }
}

/// `mask + e·x`, each kind in its way.
fn response<C: Curve>(
    x: &Slot<'_, C>,
    mask: &Mask<C>,
    e: &Integer,
    values: &mut SecretValues<'_>,
) -> Result<Response<C>, Error> {
    Ok(match (x, mask) {
        (Slot::Integer(x), Mask::Integer(mask, _)) => {
            Response::Integer(x.mul_public(e).add(mask).declassify())
        }
        (Slot::Scalar(x), Mask::Scalar(mask)) => {
            // Sent: the mask hides the witness.
            Response::Scalar(declassify(*mask.expose() + scalar_of::<C>(e) * **x))
        }
        (Slot::Exponent(x, trapdoor), Mask::Exponent(mask, _)) => {
            let order = trapdoor.order();
            let product = SecretInteger::from(x.mul_public(e.magnitude()));
            let product = if e.is_negative() { product.neg() } else { product };
            let sum = order.reduce(&product.reduce(order).add(mask));
            Response::Integer(SecretInteger::from(sum).declassify())
        }
        (Slot::Unit(_), Mask::Unit(_)) => {
            Response::Natural(values.next().ok_or(Error::Values)??.declassify())
        }
        _ => return Err(Error::Relation),
    })
}

/// The inverses of all units. Each is hidden behind a random unit while it is inverted in variable time.
fn inverses<C: Curve>(prover: &Prover<'_, C>) -> Result<Vec<Option<SecretNatural>>, Error> {
    let components = prover.relation.components.iter().zip(&prover.masks.blinds).enumerate();
    let inverted = components.map(|(index, (component, blind))| {
        let (Kind::Unit(key), Some(blind)) = (component.kind, blind) else { return Ok(None) };
        let residues = key.residues();
        let hidden = residues.mul(prover.witness.unit(index)?.value(), blind).declassify();
        let inverse = key.modulus().inverse(&hidden)?;
        Ok(Some(residues.mul(&SecretNatural::classify(&inverse, key.modulus().bits())?, blind)))
    });
    inverted.collect()
}
