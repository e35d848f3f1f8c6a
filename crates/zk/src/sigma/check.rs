//! The verifier's equations.

use alloc::vec::Vec;

use quorate_bignum::{Integer, Natural, PublicProduct, SecretNatural, SecretProduct};
use quorate_curve::Curve;
use quorate_paillier::{DecryptionKey, Error as Refused, Pedersen, PedersenTrapdoor};

use super::answer::{Answer, own_paillier, point};
use super::challenge::{Commitments, bytes, transcript};
use super::{Claim, Map, PublicValues, SecretValues};
use crate::Fault;
use crate::numbers::unsigned;

/// A proof of which only the equations are left to check.
pub struct Check<'a, C: Curve> {
    claim: Claim<'a, C>,
    /// For each repetition, for each map: the exponent of `t`, where the setup is one's own.
    exponents: Vec<Vec<Option<SecretNatural>>>,
    /// `-e`, for each repetition.
    minus: Vec<Integer>,
}

impl<C: Curve> core::fmt::Debug for Check<'_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Check").field("figure", &self.claim.relation.figure).finish_non_exhaustive()
    }
}

/// The party that a map's modulus belongs to.
enum Owner<'a> {
    Key(&'a DecryptionKey),
    Setup(&'a PedersenTrapdoor),
    Other,
}

fn statement(_: Refused) -> Fault {
    Fault::Statement
}

impl<'a, C: Curve> Check<'a, C> {
    /// A claim whose numbers are known to be units.
    pub(crate) fn of_units(claim: Claim<'a, C>) -> Result<Self, Fault> {
        let minus = claim.proof.challenge.exponents.iter().map(Integer::neg).collect();
        let mut check = Self { claim, exponents: Vec::new(), minus };
        let mut all = Vec::new();
        for answer in check.answers() {
            let maps = check.claim.relation.maps.iter();
            all.push(maps.map(|map| check.exponent(map, &answer)).collect::<Result<Vec<_>, _>>()?);
        }
        check.exponents = all;
        Ok(check)
    }

    fn answers(&self) -> impl Iterator<Item = Answer<'_, C>> {
        let responses = self.claim.proof.responses.iter();
        responses.zip(&self.minus).map(|(responses, minus_e)| Answer { responses, minus_e })
    }

    fn owner(&self, map: &Map<'a, C>) -> Owner<'a> {
        let own = &self.claim.own;
        let setup = |setup| own.trapdoor_of(setup).map_or(Owner::Other, Owner::Setup);
        match map {
            Map::Paillier { image, .. } => own.key_of(image.key()).map_or(Owner::Other, Owner::Key),
            Map::Commitment { setup: its, .. } | Map::Product { setup: its, .. } => setup(its),
            Map::Root { .. } | Map::Point { .. } => Owner::Other,
        }
    }

    /// The exponent of `t` that a map comes to under one's own setup.
    fn exponent(
        &self,
        map: &Map<'a, C>,
        answer: &Answer<'_, C>,
    ) -> Result<Option<SecretNatural>, Fault> {
        let Owner::Setup(trapdoor) = self.owner(map) else { return Ok(None) };
        let (x, mu) = match map {
            Map::Commitment { x, mu, .. } => (answer.integer(*x)?.clone(), answer.integer(*mu)?),
            Map::Product { mu, value, .. } => (value.mul(answer.minus_e), answer.integer(*mu)?),
            _ => return Ok(None),
        };
        trapdoor.exponent_of_public(&x, mu).map(Some).map_err(statement)
    }

    /// A commitment of the prover, by the index of its map.
    fn carried(&self, map: usize, setup: &Pedersen) -> Result<&Natural, Fault> {
        match self.claim.relation.maps.get(map) {
            Some(Map::Commitment { setup: its, .. }) if *its == setup => self
                .claim
                .proof
                .carried
                .get(self.claim.relation.carried_index(map))
                .ok_or(Fault::Statement),
            _ => Err(Fault::Statement),
        }
    }

    /// `f(z) · X^-e` under moduli of others: all of it public.
    ///
    /// # Errors
    /// [`Fault::Statement`] if the statement's numbers do not belong together.
    pub fn products(&self) -> Result<Vec<PublicProduct<'_>>, Fault> {
        let mut out = Vec::new();
        for answer in self.answers() {
            for (index, map) in self.claim.relation.maps.iter().enumerate() {
                if matches!(self.owner(map), Owner::Other) {
                    out.extend(self.public_product(index, map, &answer)?);
                }
            }
        }
        Ok(out)
    }

    fn public_product<'s>(
        &'s self,
        index: usize,
        map: &'s Map<'a, C>,
        answer: &Answer<'s, C>,
    ) -> Result<Option<PublicProduct<'s>>, Fault> {
        let minus_e = answer.minus_e;
        Ok(Some(match map {
            Map::Paillier { image, plain, randomizer, scaled } => {
                let key = image.key();
                let product =
                    key.opened_vartime(answer.integer(*plain)?, answer.natural(*randomizer)?);
                let product = product.power(image.value(), minus_e);
                match scaled {
                    None => product,
                    Some(scaled) if scaled.ciphertext.key() != key => return Err(Fault::Statement),
                    Some(scaled) => {
                        let x = answer.integer(scaled.by)?;
                        let x = if scaled.negated { x.neg() } else { x.clone() };
                        product.power(scaled.ciphertext.value(), x)
                    }
                }
            }
            Map::Commitment { setup, x, mu } => {
                let product = setup.opened_vartime(answer.integer(*x)?, answer.integer(*mu)?);
                product.power(self.carried(index, setup)?, minus_e)
            }
            Map::Product { setup, commitment, x, mu, value } => PublicProduct::new(setup.modulus())
                .power(self.carried(*commitment, setup)?, answer.integer(*x)?)
                .power(setup.t(), answer.integer(*mu)?)
                .power(setup.s(), value.mul(minus_e)),
            Map::Root { setup, x } => setup.opened_vartime(minus_e, answer.integer(*x)?),
            Map::Point { .. } => return Ok(None),
        }))
    }

    /// `f(z) · X^-e` under one's own moduli, through their factors.
    ///
    /// # Errors
    /// [`Fault::Statement`] if the statement's numbers do not belong together.
    pub fn own_products(&self) -> Result<Vec<SecretProduct<'_>>, Fault> {
        let mut out = Vec::new();
        for (answer, exponents) in self.answers().zip(&self.exponents) {
            for (index, (map, exponent)) in
                self.claim.relation.maps.iter().zip(exponents).enumerate()
            {
                match (self.owner(map), exponent) {
                    (Owner::Key(key), _) => out.push(own_paillier(key, map, &answer)?),
                    (Owner::Setup(trapdoor), Some(exponent)) => {
                        out.push(self.own_commitment(trapdoor, (index, map), exponent, &answer)?);
                    }
                    _ => {}
                }
            }
        }
        Ok(out)
    }

    fn own_commitment<'s>(
        &'s self,
        trapdoor: &'s PedersenTrapdoor,
        (index, map): (usize, &Map<'a, C>),
        exponent: &'s SecretNatural,
        answer: &Answer<'_, C>,
    ) -> Result<SecretProduct<'s>, Fault> {
        let setup = trapdoor.pedersen();
        let (base, power) = match map {
            Map::Product { commitment, x, .. } => {
                (self.carried(*commitment, setup)?, answer.integer(*x)?.clone())
            }
            _ => (self.carried(index, setup)?, answer.minus_e.clone()),
        };
        let (base, power) =
            unsigned(setup.modulus(), base, &power).map_err(|_| Fault::Statement)?;
        Ok(trapdoor.commitment(exponent).power(base, power))
    }

    /// Takes the values of [`Self::products`] and of [`Self::own_products`], in their order, off two lists, and says
    /// whether the proof holds.
    ///
    /// # Errors
    /// [`Fault::Equation`]; [`Fault::Values`] if a list is too short, or the engine refused one of the products.
    pub fn verdict(
        self,
        public: &mut PublicValues<'_>,
        own: &mut SecretValues<'_>,
    ) -> Result<(), Fault> {
        // All values are taken before any is looked at, so that the next check finds its own.
        let mut values: Vec<Option<Natural>> = Vec::new();
        for _ in 0..self.claim.relation.challenge.repetitions() {
            for map in &self.claim.relation.maps {
                values.push(match (map, self.owner(map)) {
                    (Map::Point { .. }, _) => continue,
                    (_, Owner::Other) => public.next().and_then(Result::ok),
                    _ => own.next().and_then(Result::ok).map(|value| value.declassify()),
                });
            }
        }
        let values = values.into_iter().collect::<Option<Vec<_>>>().ok_or(Fault::Values)?;
        let commitments = self.commitments(values)?;
        let Claim { relation, context, proof, .. } = &self.claim;
        let transcript = transcript(relation, context, &proof.carried, &commitments);
        let challenge = relation.challenge.draw::<C>(transcript)?;
        if challenge.wire == proof.challenge.wire { Ok(()) } else { Err(Fault::Equation) }
    }

    /// The first message that the responses imply.
    fn commitments(&self, values: Vec<Natural>) -> Result<Commitments<C>, Fault> {
        let mut commitments = Commitments::<C>::default();
        let mut values = values.into_iter();
        for answer in self.answers() {
            for map in &self.claim.relation.maps {
                if let Map::Point { terms, image } = map {
                    commitments.points.push(point(terms, *image, &answer)?);
                } else {
                    let value = values.next().ok_or(Fault::Values)?;
                    commitments.numbers.push(bytes(&value, map.image_bytes()));
                }
            }
        }
        Ok(commitments)
    }
}
