//! The prover's answer to the challenge.

use alloc::vec::Vec;

use quorate_bignum::{Integer, Natural, SecretInteger, SecretNatural, SecretProduct};
use quorate_curve::Secret;
use quorate_declassify::declassify;
use quorate_paillier::Randomizer;

use super::encoding::{Decoded, Responses};
use super::fold::{Weights, terms_of_job};
use super::group::Group;
use super::prover::Prover;
use super::randomness::Masks;
use super::relation::{Component, Relation};
use super::transcript::Challenge;
use super::witness::combined;
use super::{Proof, SecretValues};
use crate::Error;
use crate::numbers::once;

/// A proof with its challenge: the responses of units are described and wait to be evaluated.
pub struct Responder<'a, C: Group> {
    prover: Prover<'a, C>,
    challenge: Challenge,
    carried: Vec<Vec<Natural>>,
    /// For each repetition the exponents of units: `|e|`, or `e e_1 … e e_M` in a fold.
    exponents: Vec<Vec<Integer>>,
    weights: Option<Weights>,
    /// For each unit its inverse, where the challenge is negative; else nothing.
    inverses: Vec<SecretNatural>,
}

impl<C: Group> core::fmt::Debug for Responder<'_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Responder")
    }
}

impl<'a, C: Group> Responder<'a, C> {
    pub(super) fn new(
        prover: Prover<'a, C>,
        (challenge, weights): (Challenge, Option<Weights>),
        carried: Vec<Vec<Natural>>,
    ) -> Result<Self, Error> {
        let negative = challenge.exponents.iter().any(Integer::is_negative);
        let inverses = if negative { inverses(&prover)? } else { Vec::new() };
        let exponents = challenge.exponents.iter().map(|e| match &weights {
            None => [Integer::from(e.magnitude().clone())].into(),
            Some(weights) => weights.from(0).iter().map(|weight| weight.mul(e)).collect(),
        });
        let exponents = exponents.collect();
        Ok(Self { prover, challenge, carried, exponents, weights, inverses })
    }

    /// The weights, for tests.
    #[cfg(feature = "testing")]
    pub(super) fn weights(&self) -> Option<&Weights> {
        self.weights.as_ref()
    }

    /// The products `r ρ^e mod N`, or parts of `r Πρ_m^(e e_m)` in a fold, to be evaluated.
    #[must_use]
    pub fn products(&self) -> Vec<SecretProduct<'_>> {
        let mut out = Vec::new();
        for (repetition, exponents) in self.prover.repetitions.iter().zip(&self.exponents) {
            let units = self.prover.witness.units.iter().zip(&repetition.masks.units).enumerate();
            for (index, (rho, r)) in units {
                for (part, jobs) in jobs(rho).enumerate() {
                    let (rho, from) = jobs;
                    let mut product = self.under(r);
                    if part == 0 {
                        product = product.power(r.value(), once());
                    }
                    let exponents = exponents.get(from..).unwrap_or_default();
                    for (rho, e) in rho.iter().zip(exponents) {
                        product = product.power(self.inverses.get(index).unwrap_or(rho.value()), e);
                    }
                    out.push(product);
                }
            }
        }
        out
    }

    /// The empty product under the modulus of a unit.
    fn under<'s>(&'s self, unit: &'s Randomizer) -> SecretProduct<'s> {
        match self.prover.own.key_of(unit.key()) {
            Some(own) => SecretProduct::factored(own.factored()),
            None => SecretProduct::new(unit.key().modulus()),
        }
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
        let Prover { witness, relation, .. } = &self.prover;
        let mut row = Responses::<C>::default();
        for component in &relation.order {
            let weights = self.weights.as_ref().filter(|_| relation.is_folded(*component));
            match *component {
                Component::Integer(var) => {
                    let x = combined(&witness[var], weights);
                    row.integers.push(x.mul_public(e).add(&masks[var]).declassify());
                }
                Component::Unit(var) => row.units.push(unit(&witness[var], values)?),
                Component::Scalar(var) => {
                    let z = scalar::<C>(&masks[var], e, (&witness[var], weights));
                    // Sent: the mask hides the witness.
                    row.scalars.push(declassify(*z.expose()));
                }
                Component::Exponent(_) => {}
            }
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

/// The randomizers of one job after the other, each with the place of its first.
fn jobs<'w, 'a>(rho: &'w [&'a Randomizer]) -> impl Iterator<Item = (&'w [&'a Randomizer], usize)> {
    let terms = terms_of_job(rho.len());
    rho.chunks(terms).enumerate().map(move |(part, job)| (job, part.saturating_mul(terms)))
}

/// The product of a unit's jobs.
fn unit(rho: &[&Randomizer], values: &mut SecretValues<'_>) -> Result<Natural, Error> {
    let mut next = || Ok::<SecretNatural, Error>(values.next().ok_or(Error::Values)??);
    let mut value = next()?;
    for (job, _) in jobs(rho).skip(1) {
        let residues = job.first().map(|rho| rho.key().residues()).ok_or(Error::Values)?;
        value = residues.mul(&value, &next()?);
    }
    Ok(value.declassify())
}

/// `mask + e Σ e_m x_m`.
fn scalar<C: Group>(
    mask: &Secret<C::Scalar>,
    e: &Integer,
    (values, weights): (&[&C::Scalar], Option<&Weights>),
) -> Secret<C::Scalar> {
    let once = [once()];
    let weights = weights.map_or(&once[..], |weights| weights.from(0));
    let terms = values.iter().zip(weights);
    terms.fold(Secret::new(*mask.expose()), |z, (x, weight)| {
        Secret::new(C::response(z.expose(), &weight.mul(e), x))
    })
}

/// The inverses of all units. Each is hidden behind a random unit while it is inverted in variable time.
fn inverses<C: Group>(prover: &Prover<'_, C>) -> Result<Vec<SecretNatural>, Error> {
    let units = prover.witness.units.iter().flatten();
    let inverted = units.zip(&prover.blinds).map(|(rho, blind)| {
        let key = rho.key();
        let residues = key.residues();
        let hidden = residues.mul(rho.value(), blind).declassify();
        let inverse = key.modulus().inverse(&hidden)?;
        Ok(residues.mul(&SecretNatural::classify(&inverse, key.modulus().bits())?, blind))
    });
    inverted.collect()
}
