//! The prover between its weights and its challenge.

use alloc::vec::Vec;

use quorate_bignum::{Natural, SecretInteger, SecretNatural, SecretProduct};
use quorate_declassify::declassify;
use quorate_paillier::EncryptionKey;
use quorate_session::Transcript;

use super::SecretValues;
use super::fold::{Weights, terms_of_job, weighted_sum};
use super::group::Group;
use super::prover::{Masked, Prover, Repetition};
use super::relation::{Map, Weighted};
use super::responder::Responder;
use super::transcript::{FirstMessage, bytes, opening, transcript, weights_before};
use crate::Error;

/// A proof whose weights are known, if it has any before its challenge. The products that they add to the first
/// message are described and wait to be evaluated.
pub struct Weighed<'a, C: Group> {
    prover: Prover<'a, C>,
    carried: Vec<Vec<Natural>>,
    weights: Option<Weights>,
    opening: Transcript,
    /// The first message in the order of the maps, without the points and the values that are still to come.
    values: Vec<SecretNatural>,
    late: Vec<Late<'a>>,
}

/// The factors of a map that have weights in their exponents.
struct Late<'a> {
    key: &'a EncryptionKey,
    /// Which of the values they belong to.
    value: usize,
    factors: Vec<(&'a Natural, SecretInteger)>,
}

impl Late<'_> {
    fn jobs(&self) -> impl Iterator<Item = &[(&Natural, SecretInteger)]> {
        self.factors.chunks(terms_of_job(self.factors.len()))
    }
}

impl<C: Group> core::fmt::Debug for Weighed<'_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Weighed")
    }
}

impl<'a, C: Group> Prover<'a, C> {
    /// Takes the values of [`Self::products`], in their order, off a list, and draws the weights of a fold in two stages.
    ///
    /// # Errors
    /// [`Error::Values`] if the list is too short, [`Error::Number`] if the engine refused a product.
    pub fn weigh(self, values: &mut SecretValues<'_>) -> Result<Weighed<'a, C>, Error> {
        let mut next = || Ok::<SecretNatural, Error>(values.next().ok_or(Error::Values)??);
        let mut carried = Vec::with_capacity(self.relation.commitments.len());
        for one in &self.relation.commitments {
            let values = (0..self.relation.count(one.x)).map(|_| Ok(next()?.declassify()));
            carried.push(values.collect::<Result<Vec<_>, Error>>()?);
        }
        let opening = opening(&self.relation, &self.context, &carried);
        let weights = weights_before(self.relation.fold, &opening);
        let (mut first, mut late) = (Vec::new(), Vec::new());
        for repetition in &self.repetitions {
            for (map, masked) in self.relation.maps.iter().zip(&repetition.maps) {
                if matches!(masked, Masked::Point(_)) {
                    continue;
                }
                if let (Map::Paillier { key, weighted, .. }, Some(weights)) = (map, &weights) {
                    let factor = |one| weighted_mask(repetition, one, weights);
                    let factors: Vec<_> = weighted.iter().map(factor).collect();
                    late.push(Late { key, value: first.len(), factors });
                }
                first.push(next()?);
            }
        }
        Ok(Weighed { prover: self, carried, weights, opening, values: first, late })
    }
}

/// A weighted factor at the masks.
fn weighted_mask<'a, C: Group>(
    repetition: &Repetition<'_, C>,
    factor: &Weighted<'a>,
    weights: &Weights,
) -> (&'a Natural, SecretInteger) {
    let masks = factor.by.iter().map(|by| &repetition.masks[*by]);
    let terms: Vec<_> = masks.zip(weights.from(factor.first)).collect();
    (factor.ciphertext.value(), weighted_sum(&terms))
}

impl<'a, C: Group> Weighed<'a, C> {
    /// The products of the first message that have weights in them, to be evaluated. There are none but in a fold in two
    /// stages.
    #[must_use]
    pub fn products(&self) -> Vec<SecretProduct<'_>> {
        let mut out = Vec::new();
        for late in &self.late {
            out.extend(late.jobs().map(|job| {
                job.iter().fold(SecretProduct::new(late.key.square()), |product, (base, e)| {
                    product.power(*base, e)
                })
            }));
        }
        out
    }

    /// Takes the values of [`Self::products`], in their order, off a list, and draws the challenge.
    ///
    /// # Errors
    /// [`Error::Values`] if the list is too short, [`Error::Number`] if the engine refused a product.
    pub fn respond(mut self, values: &mut SecretValues<'_>) -> Result<Responder<'a, C>, Error> {
        for late in &self.late {
            let square = late.key.square().for_secrets();
            let value = self.values.get_mut(late.value).ok_or(Error::Values)?;
            for _ in late.jobs() {
                *value = square.mul(value, &values.next().ok_or(Error::Values)??);
            }
        }
        let Self { prover, carried, weights, opening, values, .. } = self;
        let first = first_message(&prover, &values)?;
        let transcript = transcript::<C>(opening, &first);
        let challenge = prover.relation.draw_challenge(transcript).map_err(|_| Error::Relation)?;
        let weights = prover.relation.weights(&challenge, weights);
        Responder::new(prover, (challenge, weights), carried)
    }

    /// Multiplies a commitment when it is too late, for tests.
    #[cfg(feature = "testing")]
    pub(crate) fn multiply(
        &mut self,
        which: usize,
        statement: usize,
        factor: &Natural,
    ) -> Option<()> {
        let modulus = self.prover.relation.commitments.get(which)?.setup.modulus();
        let value = self.carried.get_mut(which)?.get_mut(statement)?;
        *value = modulus.mul(value, factor);
        Some(())
    }
}

/// The first message with these values, made public. A verifier computes it from the proof.
fn first_message<C: Group>(
    prover: &Prover<'_, C>,
    values: &[SecretNatural],
) -> Result<FirstMessage<C>, Error> {
    let mut first = FirstMessage::<C>::default();
    let mut values = values.iter();
    for repetition in &prover.repetitions {
        for (map, masked) in prover.relation.maps.iter().zip(&repetition.maps) {
            if let Masked::Point(point) = masked {
                first.points.push(declassify(*point));
            } else {
                let value = values.next().ok_or(Error::Values)?.declassify();
                first.numbers.push(bytes(&value, prover.relation.image_bytes(map)));
            }
        }
    }
    Ok(first)
}
