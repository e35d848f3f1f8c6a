//! The prover's commitments, and the part of its first message that no weights are in.

use alloc::vec::Vec;

use quorate_bignum::{SecretInteger, SecretNatural, SecretProduct};
use quorate_paillier::{EncryptionKey, Pedersen, Plaintext};
use rand_core::CryptoRng;

use super::Statement;
use super::group::Group;
use super::handle::{ExponentVar, IntegerVar, UnitVar};
use super::randomness::{Masks, ProofRandomness, point_mask};
use super::relation::{Commitment, Map, Relation, Scaled};
use super::witness::{Witness, single};
use crate::{Error, Own, ProofContext};

/// A proof begun: masks are drawn, the first message is described and waits to be evaluated.
pub struct Prover<'a, C: Group> {
    pub(crate) relation: Relation<'a, C>,
    pub(crate) context: ProofContext<'a>,
    pub(crate) own: Own<'a>,
    pub(crate) witness: Witness<'a, C>,
    pub(crate) blinds: Vec<SecretNatural>,
    pub(crate) repetitions: Vec<Repetition<'a, C>>,
}

/// One copy of a proof: its masks, and the maps at them.
pub(crate) struct Repetition<'a, C: Group> {
    pub(crate) masks: Masks<C>,
    pub(crate) maps: Vec<Masked<'a, C>>,
}

/// One map at the masks.
pub(crate) enum Masked<'a, C: Group> {
    /// `(1 + N)^α r^N`, and a power of another ciphertext, by a mask or by `minus` one.
    Encryption {
        key: &'a EncryptionKey,
        alpha: Plaintext,
        r: UnitVar,
        scaled: Option<Scaled<'a>>,
        minus: Option<SecretInteger>,
    },
    /// A commitment, by its masks, or by the masks of the values that open it.
    Commitment(Commitment<'a>),
    /// `s^x t^y` for computed numbers.
    Opening {
        setup: &'a Pedersen,
        x: SecretInteger,
        y: SecretInteger,
    },
    /// A power of `t` under the prover's own setup.
    Root(ExponentVar),
    Point(C::Point),
}

impl<C: Group> core::fmt::Debug for Prover<'_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Prover")
    }
}

impl<'a, C: Group> Prover<'a, C> {
    /// Begins a proof: draws the masks and does the curve's part of the first message.
    ///
    /// # Errors
    /// [`Error::Witness`] or [`Error::Range`] if the witness does not have the form that the statement requires.
    /// [`Error::Relation`] if the statement's numbers do not belong together. It is not checked that the witness
    /// satisfies the statement. If it does not, the proof will be refused.
    pub fn new<S: Statement<'a, C>>(
        statement: &S,
        witness: S::Witness,
        context: ProofContext<'a>,
        own: Own<'a>,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, Error> {
        let mut relation = statement.relation(Some(witness));
        let mut randomness = ProofRandomness::draw(&relation, rng)?;
        let mut witness = relation.take_witness(&mut randomness.fresh)?;
        relation.check_witness(&mut witness)?;
        Self::with_witness(relation, witness, randomness, (context, own))
    }

    /// The prover of a witness taken out of its relation.
    pub(super) fn with_witness(
        relation: Relation<'a, C>,
        witness: Witness<'a, C>,
        ProofRandomness { blinds, rows, .. }: ProofRandomness<C>,
        (context, own): (ProofContext<'a>, Own<'a>),
    ) -> Result<Self, Error> {
        let repetitions = rows.into_iter().map(|masks| {
            let maps = relation.maps.iter().map(|map| masked(&relation, map, &witness, &masks));
            Ok(Repetition { maps: maps.collect::<Result<_, Error>>()?, masks })
        });
        let repetitions = repetitions.collect::<Result<_, Error>>()?;
        Ok(Self { relation, context, own, witness, blinds, repetitions })
    }

    /// This proof with the images of another statement: for images that are evaluated in one list with the first
    /// message, which does not depend on them. It is begun with others under the same keys.
    ///
    /// # Errors
    /// [`Error::Relation`] if more than the images differs.
    pub fn with_images<S: Statement<'a, C>>(self, statement: &S) -> Result<Self, Error> {
        let relation = statement.relation(None);
        if !relation.consistent || !relation.is_alike_but_for_images(&self.relation) {
            return Err(Error::Relation);
        }
        Ok(Self { relation, ..self })
    }

    /// The first message's products, to be evaluated: the prover's commitments to its witness, then each map at
    /// the masks. Products with weights follow when the weights are known
    /// ([`Weighed::products`](super::Weighed::products)).
    ///
    /// # Errors
    /// [`Error::Number`] if a number was refused one floor below.
    pub fn products(&self) -> Result<Vec<SecretProduct<'_>>, Error> {
        let mut out: Vec<SecretProduct<'_>> = Vec::new();
        for one in &self.relation.commitments {
            let values = self.witness[one.x].iter().zip(&self.witness[one.mu]);
            out.extend(values.map(|(x, mu)| one.setup.commitment(x, mu)));
        }
        for repetition in &self.repetitions {
            for map in &repetition.maps {
                out.extend(self.product(map, &repetition.masks)?);
            }
        }
        Ok(out)
    }

    /// The product of one map at the masks; points have none.
    fn product<'s>(
        &'s self,
        map: &'s Masked<'a, C>,
        masks: &'s Masks<C>,
    ) -> Result<Option<SecretProduct<'s>>, Error> {
        Ok(Some(match map {
            Masked::Encryption { key, alpha, r, scaled, minus } => {
                let product = match self.own.key_of(key) {
                    Some(own) => own.encryption(alpha, &masks[*r])?,
                    None => key.encryption(alpha, &masks[*r])?,
                };
                match scaled {
                    None => product,
                    Some(Scaled { ciphertext, by, .. }) => {
                        product.power(ciphertext.value(), minus.as_ref().unwrap_or(&masks[*by]))
                    }
                }
            }
            Masked::Commitment(Commitment { setup, x, mu }) => {
                setup.commitment(&masks[*x], &masks[*mu])
            }
            Masked::Opening { setup, x, y } => setup.commitment(x, y),
            Masked::Root(x) => {
                let trapdoor = self.witness[*x];
                let t = trapdoor.pedersen().t();
                SecretProduct::factored(trapdoor.factored()).power(t, &masks[*x])
            }
            Masked::Point(_) => return Ok(None),
        }))
    }
}

fn masked<'a, C: Group>(
    relation: &Relation<'a, C>,
    map: &Map<'a, C>,
    witness: &Witness<'a, C>,
    masks: &Masks<C>,
) -> Result<Masked<'a, C>, Error> {
    Ok(match *map {
        Map::Paillier { key, y, rho, scaled, .. } => {
            let negated = scaled.filter(|scaled| scaled.negated);
            Masked::Encryption {
                key,
                alpha: key.plaintext(&masks[y]),
                r: rho,
                scaled,
                minus: negated.map(|scaled| masks[scaled.by].neg()),
            }
        }
        Map::Commitment(var) => Masked::Commitment(relation.commitment(var)),
        Map::Opened { setup, x, mu, .. } => Masked::Commitment(Commitment { setup, x, mu }),
        Map::Product { q, x, mu, .. } => {
            // Q = s^q t^ν is the prover's own, so Q^α t^r = s^(qα) t^(να + r).
            let Commitment { setup, x: q, mu: nu } = relation.commitment(q);
            let one = |var: IntegerVar| single(&witness[var], relation.kinds[var].name);
            let (q, nu, alpha) = (one(q)?, one(nu)?, &masks[x]);
            Masked::Opening { setup, x: q.mul(alpha), y: nu.mul(alpha).add(&masks[mu]) }
        }
        Map::Root(x) => Masked::Root(x),
        Map::Point { ref terms, .. } => {
            let terms = terms.iter().map(|(point, var)| (*point, point_mask::<C>(masks, *var)));
            Masked::Point(C::sum(&terms.collect::<Vec<_>>()))
        }
    })
}
