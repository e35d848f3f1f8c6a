//! The prover's answer to the challenge.

use alloc::vec::Vec;

use quorate_bignum::{Integer, Natural, SecretInteger, SecretNatural, SecretProduct};
use quorate_declassify::declassify;

use super::encoding::{Decoded, Responses};
use super::group::Group;
use super::prover::{Masked, Prover};
use super::randomness::Masks;
use super::relation::Relation;
use super::transcript::{Challenge, FirstMessage, bytes, transcript};
use super::{Proof, SecretValues};
use crate::Error;
use crate::numbers::once;

/// A proof with its challenge: the responses of units are described and wait to be evaluated.
pub struct Responder<'a, C: Group> {
    prover: Prover<'a, C>,
    challenge: Challenge,
    carried: Vec<Natural>,
    /// `|e|`, for each repetition.
    magnitudes: Vec<Integer>,
    /// For each unit its inverse, where the challenge is negative; else nothing.
    inverses: Vec<SecretNatural>,
}

impl<C: Group> core::fmt::Debug for Responder<'_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Responder")
    }
}

impl<'a, C: Group> Prover<'a, C> {
    /// Takes the values of [`Self::products`], in their order, off a list, and draws the challenge.
    ///
    /// # Errors
    /// [`Error::Values`] if the list is too short, [`Error::Number`] if the engine refused a product.
    pub fn respond(self, values: &mut SecretValues<'_>) -> Result<Responder<'a, C>, Error> {
        let mut next = || Ok::<Natural, Error>(values.next().ok_or(Error::Values)??.declassify());
        let carried = self.relation.commitments.iter().map(|_| next());
        let carried = carried.collect::<Result<Vec<_>, _>>()?;
        let mut first = FirstMessage::<C>::default();
        for repetition in &self.repetitions {
            for (map, masked) in self.relation.maps.iter().zip(&repetition.maps) {
                if let Masked::Point(point) = masked {
                    // The first message: whoever verifies computes it from the proof.
                    first.points.push(declassify(*point));
                } else {
                    first.numbers.push(bytes(&next()?, self.relation.image_bytes(map)));
                }
            }
        }
        let transcript = transcript(&self.relation, &self.context, &carried, &first);
        let challenge =
            self.relation.challenge.draw::<C>(transcript).map_err(|_| Error::Relation)?;
        Responder::new(self, challenge, carried)
    }
}

impl<'a, C: Group> Responder<'a, C> {
    fn new(
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
        let (relation, decoded) = self.answer(values)?;
        for row in &decoded.responses {
            for (z, interval) in row.integers.iter().zip(&relation.kinds.integers) {
                if !z.in_half_range(interval.response_bits()) {
                    return Err(Error::Range(interval.name));
                }
            }
        }
        Ok(relation.encode(&decoded))
    }

    /// The proof before its responses are held to their intervals.
    pub(super) fn answer(
        self,
        values: &mut SecretValues<'_>,
    ) -> Result<(Relation<'a, C>, Decoded<C>), Error> {
        let mut responses = Vec::with_capacity(self.challenge.exponents.len());
        for (repetition, e) in self.prover.repetitions.iter().zip(&self.challenge.exponents) {
            responses.push(self.response(&repetition.masks, e, values)?);
        }
        let decoded = Decoded { challenge: self.challenge, carried: self.carried, responses };
        Ok((self.prover.relation, decoded))
    }

    /// `mask + e·x`, each kind in its way.
    fn response(
        &self,
        masks: &Masks<C>,
        e: &Integer,
        values: &mut SecretValues<'_>,
    ) -> Result<Responses<C>, Error> {
        let witness = &self.prover.witness;
        let mut row = Responses::<C>::default();
        for (x, mask) in witness.integers.iter().zip(&masks.integers) {
            row.integers.push(x.mul_public(e).add(mask).declassify());
        }
        for _ in &witness.units {
            row.units.push(values.next().ok_or(Error::Values)??.declassify());
        }
        for (x, mask) in witness.scalars.iter().zip(&masks.scalars) {
            // Sent: the mask hides the witness.
            row.scalars.push(declassify(C::response(mask.expose(), e, x)));
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
fn inverses<C: Group>(prover: &Prover<'_, C>) -> Result<Vec<SecretNatural>, Error> {
    let inverted = prover.witness.units.iter().zip(&prover.blinds).map(|(rho, blind)| {
        let key = rho.key();
        let residues = key.residues();
        let hidden = residues.mul(rho.value(), blind).declassify();
        let inverse = key.modulus().inverse(&hidden)?;
        Ok(residues.mul(&SecretNatural::classify(&inverse, key.modulus().bits())?, blind))
    });
    inverted.collect()
}
