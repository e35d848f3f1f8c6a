//! The prover's answer to the challenge.

use alloc::vec::Vec;

use quorate_bignum::{Integer, Natural, SecretInteger, SecretNatural, SecretProduct};
use quorate_curve::Curve;
use quorate_declassify::declassify;

use super::encoding::{Decoded, Responses};
use super::randomness::Masks;
use super::transcript::Challenge;
use super::{Proof, Prover, SecretValues};
use crate::Error;
use crate::numbers::{once, scalar_of};

/// A proof with its challenge: the responses of units are described and wait to be evaluated.
pub struct Responder<'a, C: Curve> {
    prover: Prover<'a, C>,
    challenge: Challenge,
    carried: Vec<Natural>,
    /// `|e|`, for each repetition.
    magnitudes: Vec<Integer>,
    /// For each unit its inverse, where the challenge is negative; else nothing.
    inverses: Vec<SecretNatural>,
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
    #[must_use]
    pub fn products(&self) -> Vec<SecretProduct<'_>> {
        let mut out = Vec::new();
        let (once, witness) = (once(), &self.prover.witness);
        for (repetition, e) in self.prover.repetitions.iter().zip(&self.magnitudes) {
            let units = witness.units.iter().zip(&repetition.masks.units).enumerate();
            for (index, (rho, r)) in units {
                let base = self.inverses.get(index).unwrap_or(rho.value());
                let product = match self.prover.own.key_of(rho.key()) {
                    Some(own) => SecretProduct::factored(own.factored()),
                    None => SecretProduct::new(rho.key().modulus()),
                };
                out.push(product.power(r.value(), once.clone()).power(base, e));
            }
        }
        out
    }

    /// Takes the values of [`Self::products`], in their order, off a list: the proof is done.
    ///
    /// # Errors
    /// [`Error::Values`] if the list is too short, [`Error::Number`] if the engine refused a product,
    /// [`Error::Range`] if a response is outside its interval, which happens with probability `2^-128` at the most.
    pub fn finish(self, values: &mut SecretValues<'_>) -> Result<Proof, Error> {
        let mut responses = Vec::with_capacity(self.challenge.exponents.len());
        for (repetition, e) in self.prover.repetitions.iter().zip(&self.challenge.exponents) {
            responses.push(self.response(&repetition.masks, e, values)?);
        }
        let decoded = Decoded { challenge: self.challenge, carried: self.carried, responses };
        Ok(self.prover.relation.encode(&decoded))
    }

    /// `mask + e·x`, each kind in its way.
    fn response(
        &self,
        masks: &Masks<C>,
        e: &Integer,
        values: &mut SecretValues<'_>,
    ) -> Result<Responses<C>, Error> {
        let Prover { relation, witness, checked, .. } = &self.prover;
        let mut row = Responses::<C>::default();
        let integers = witness.integers.iter().zip(&masks.integers);
        for ((x, mask), interval) in integers.zip(&relation.kinds.integers) {
            let z = x.mul_public(e).add(mask).declassify();
            if *checked && !z.in_half_range(interval.response_bits()) {
                return Err(Error::Range(interval.name));
            }
            row.integers.push(z);
        }
        for _ in &witness.units {
            row.units.push(values.next().ok_or(Error::Values)??.declassify());
        }
        for (x, mask) in witness.scalars.iter().zip(&masks.scalars) {
            // Sent: the mask hides the witness.
            row.scalars.push(declassify(*mask.expose() + scalar_of::<C>(e) * **x));
        }
        for (trapdoor, mask) in witness.exponents.iter().zip(&masks.exponents) {
            let order = trapdoor.order();
            let product = SecretInteger::from(trapdoor.lambda().mul_public(e.magnitude()));
            let product = if e.is_negative() { product.neg() } else { product };
            let sum = order.reduce(&product.reduce(order).add(mask));
            row.exponents.push(SecretInteger::from(sum).declassify());
        }
        Ok(row)
    }
}

/// The inverses of all units. Each is hidden behind a random unit while it is inverted in variable time.
fn inverses<C: Curve>(prover: &Prover<'_, C>) -> Result<Vec<SecretNatural>, Error> {
    let inverted = prover.witness.units.iter().zip(&prover.blinds).map(|(rho, blind)| {
        let key = rho.key();
        let residues = key.residues();
        let hidden = residues.mul(rho.value(), blind).declassify();
        let inverse = key.modulus().inverse(&hidden)?;
        Ok(residues.mul(&SecretNatural::classify(&inverse, key.modulus().bits())?, blind))
    });
    inverted.collect()
}
