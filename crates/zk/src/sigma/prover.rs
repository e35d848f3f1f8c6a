//! The prover's first message.

use alloc::vec::Vec;

use quorate_bignum::{Natural, SecretInteger, SecretProduct};
use quorate_curve::Curve;
use quorate_declassify::declassify;
use quorate_paillier::{Pedersen, Plaintext};
use rand_core::CryptoRng;

use super::challenge::{Commitments, bytes, transcript};
use super::masks::{Masks, Row};
use super::secrets::{Held, Overrides, Slot, Slots, witness};
use super::{Map, Part, Relation, Responder, SecretValues, Statement};
use crate::{Context, Error, Own};

/// A proof begun: masks are drawn, the first message is described and waits to be evaluated.
pub struct Prover<'a, C: Curve> {
    pub(crate) relation: Relation<'a, C>,
    pub(crate) context: Context<'a>,
    pub(crate) own: Own<'a>,
    pub(crate) witness: Slots<'a, C>,
    /// Which of the witness's components were drawn.
    fresh: Vec<usize>,
    pub(crate) masks: Masks<C>,
    /// For each repetition, for each map.
    prepared: Vec<Vec<Prepared<C>>>,
    pub(crate) unchecked: bool,
}

impl<C: Curve> core::fmt::Debug for Prover<'_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Prover")
    }
}

/// The values that the product of a map refers to.
enum Prepared<C: Curve> {
    Plain(Plaintext, Option<SecretInteger>),
    /// Exponents of `s` and `t`.
    Exponents(SecretInteger, SecretInteger),
    Point(C::Point),
    Nothing,
}

impl<'a, C: Curve> Prover<'a, C> {
    /// Begins a proof: draws the masks and does the curve's part of the first message.
    ///
    /// # Errors
    /// [`Error::Witness`], [`Error::Range`] if the witness is not what the statement asks for. That it satisfies the
    /// statement is not looked at: if it does not, the proof will be refused.
    pub fn new<S: Statement<'a, C>>(
        statement: &S,
        witness: S::Witness,
        context: Context<'a>,
        own: Own<'a>,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, Error> {
        let (relation, parts) = (statement.relation(), statement.parts(witness));
        Self::begin(relation, parts, (context, own), &Overrides::default(), rng)
    }

    /// The same with masks drawn before. Where commitments were [kept](Self::keep), the witness has to be the one that
    /// they were made for: else the proof is refused, and shows whoever can guess the difference that the guess is right.
    ///
    /// # Errors
    /// Those of [`Self::new`], and [`Error::Relation`] if they were drawn for something else.
    pub fn with_masks<S: Statement<'a, C>>(
        masks: Masks<C>,
        statement: &S,
        witness: S::Witness,
        context: Context<'a>,
        own: Own<'a>,
    ) -> Result<Self, Error> {
        let (relation, parts) = (statement.relation(), statement.parts(witness));
        Self::assemble(relation, parts, masks, (context, own), &Overrides::default())
    }

    pub(crate) fn begin(
        relation: Relation<'a, C>,
        parts: Vec<Part<'a, C>>,
        names: (Context<'a>, Own<'a>),
        overrides: &Overrides,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, Error> {
        let masks = Masks::draw(&relation, &parts, overrides, rng)?;
        Self::assemble(relation, parts, masks, names, overrides)
    }

    fn assemble(
        relation: Relation<'a, C>,
        parts: Vec<Part<'a, C>>,
        mut masks: Masks<C>,
        (context, own): (Context<'a>, Own<'a>),
        overrides: &Overrides,
    ) -> Result<Self, Error> {
        if !masks.fit(&relation) {
            return Err(Error::Relation);
        }
        let fresh = masks.fresh.iter().map(|(index, _)| *index).collect();
        let witness = witness(&relation, parts, &mut masks.fresh, overrides)?;
        let rows = masks.rows.iter().map(|row| prepare(&relation, &witness, row));
        let prepared = rows.collect::<Result<_, _>>()?;
        let unchecked = overrides.unchecked;
        Ok(Self { relation, context, own, witness, fresh, masks, prepared, unchecked })
    }

    /// The same proof about the images of another statement: for images that are evaluated in one list with the first
    /// message, which does not depend on them. It is begun with others under the same keys.
    ///
    /// # Errors
    /// [`Error::Relation`] if more than the images differs.
    pub fn about<S: Statement<'a, C>>(self, statement: &S) -> Result<Self, Error> {
        let relation = statement.relation();
        if !relation.is_alike_but_for_images(&self.relation) {
            return Err(Error::Relation);
        }
        Ok(Self { relation, ..self })
    }

    /// The prover's commitments, to its witness and to the masks: that part of [`Self::products`] that depends on no
    /// ciphertext, to be evaluated ahead and [kept](Self::keep).
    ///
    /// # Errors
    /// [`Error::Relation`] if the statement's description is inconsistent.
    pub fn commitments(&self) -> Result<Vec<SecretProduct<'_>>, Error> {
        let mut out = Vec::new();
        for (setup, x, mu) in self.relation.commitments() {
            out.push(setup.commitment(self.witness.integer(x)?, self.witness.integer(mu)?));
        }
        for row in &self.masks.rows {
            for (setup, x, mu) in self.relation.commitments() {
                out.push(setup.commitment(row.integer(x)?, row.integer(mu)?));
            }
        }
        Ok(out)
    }

    /// Takes the values of [`Self::commitments`], in their order, off a list, and gives the masks back with them.
    ///
    /// # Errors
    /// [`Error::Values`] if the list is too short, [`Error::Number`] if the engine refused a product.
    pub fn keep(self, values: &mut SecretValues<'_>) -> Result<Masks<C>, Error> {
        let Self { relation, witness, fresh, mut masks, .. } = self;
        masks.commitments.clear();
        for _ in 0..relation.challenge.repetitions().saturating_add(1) {
            for setup in relation.carried() {
                let value = values.next().ok_or(Error::Values)??;
                masks.commitments.push((setup.clone(), value));
            }
        }
        for (index, slot) in witness.0.into_iter().enumerate() {
            if let (true, Slot::Integer(Held::Owned(value))) = (fresh.contains(&index), slot) {
                masks.fresh.push((index, value));
            }
        }
        Ok(masks)
    }

    /// The first message's products, to be evaluated; commitments that were kept are left out.
    ///
    /// # Errors
    /// [`Error::Relation`] if the statement's description is inconsistent.
    pub fn products(&self) -> Result<Vec<SecretProduct<'_>>, Error> {
        let mut out =
            if self.masks.commitments.is_empty() { self.commitments()? } else { Vec::new() };
        for (row, prepared) in self.masks.rows.iter().zip(&self.prepared) {
            for (map, prepared) in self.relation.maps.iter().zip(prepared) {
                out.extend(self.product(map, row, prepared)?);
            }
        }
        Ok(out)
    }

    /// The product of one map at the masks; points have none, and commitments come before all others.
    fn product<'s>(
        &'s self,
        map: &'s Map<'a, C>,
        masks: &'s Row<C>,
        prepared: &'s Prepared<C>,
    ) -> Result<Option<SecretProduct<'s>>, Error> {
        Ok(Some(match (map, prepared) {
            (Map::Paillier { image, randomizer, scaled, .. }, Prepared::Plain(plain, negative)) => {
                let (key, r) = (image.key(), masks.unit(*randomizer)?);
                let product = match self.own.key_of(key) {
                    Some(own) => own.encryption(plain, r)?,
                    None => key.encryption(plain, r)?,
                };
                match (scaled, negative) {
                    (None, _) => product,
                    (Some(scaled), Some(by)) => product.power(scaled.ciphertext.value(), by),
                    (Some(scaled), None) => {
                        product.power(scaled.ciphertext.value(), masks.integer(scaled.by)?)
                    }
                }
            }
            (Map::Product { setup, .. }, Prepared::Exponents(s, t)) => setup.commitment(s, t),
            (Map::Root { x, .. }, _) => {
                let (mask, trapdoor) = (masks.exponent(*x)?, self.witness.trapdoor(*x)?);
                SecretProduct::factored(trapdoor.factored()).power(trapdoor.pedersen().t(), mask)
            }
            (Map::Point { .. } | Map::Commitment { .. }, _) => return Ok(None),
            _ => return Err(Error::Relation),
        }))
    }

    /// Takes the values of [`Self::products`], in their order, off a list, and draws the challenge.
    ///
    /// # Errors
    /// [`Error::Values`] if the list is too short, [`Error::Number`] if the engine refused a product.
    pub fn respond(self, values: &mut SecretValues<'_>) -> Result<Responder<'a, C>, Error> {
        let mut next = || Ok::<Natural, Error>(values.next().ok_or(Error::Values)??.declassify());
        let setups = self.relation.carried().count();
        let kept = self.masks.commitments.iter().map(|(_, value)| Ok(value.declassify()));
        let mut own = if self.masks.commitments.is_empty() {
            let all = setups.saturating_mul(self.masks.rows.len().saturating_add(1));
            (0..all).map(|_| next()).collect::<Result<Vec<_>, _>>()
        } else {
            kept.collect()
        }?
        .into_iter();
        let carried: Vec<Natural> = own.by_ref().take(setups).collect();
        let mut commitments = Commitments::<C>::default();
        for prepared in &self.prepared {
            for (map, prepared) in self.relation.maps.iter().zip(prepared) {
                let value = match (map, prepared) {
                    (_, Prepared::Point(point)) => {
                        // The first message: whoever verifies computes it from the proof.
                        commitments.points.push(declassify(*point));
                        continue;
                    }
                    (Map::Commitment { .. }, _) => own.next().ok_or(Error::Values)?,
                    _ => next()?,
                };
                commitments.numbers.push(bytes(&value, map.image_bytes()));
            }
        }
        let transcript = transcript(&self.relation, &self.context, &carried, &commitments);
        let challenge =
            self.relation.challenge.draw::<C>(transcript).map_err(|_| Error::Relation)?;
        Responder::new(self, challenge, carried)
    }
}

impl<C: Curve> Map<'_, C> {
    /// Bytes of an image that is a number.
    pub(crate) fn image_bytes(&self) -> usize {
        match self {
            Self::Paillier { image, .. } => image.key().level().ciphertext_bytes(),
            Self::Commitment { setup, .. }
            | Self::Product { setup, .. }
            | Self::Root { setup, .. } => setup.level().modulus_bytes(),
            Self::Point { .. } => 0,
        }
    }
}

fn prepare<'a, C: Curve>(
    relation: &Relation<'a, C>,
    witness: &Slots<'a, C>,
    masks: &Row<C>,
) -> Result<Vec<Prepared<C>>, Error> {
    relation.maps.iter().map(|map| prepare_map(relation, map, witness, masks)).collect()
}

fn prepare_map<'a, C: Curve>(
    relation: &Relation<'a, C>,
    map: &Map<'a, C>,
    witness: &Slots<'a, C>,
    masks: &Row<C>,
) -> Result<Prepared<C>, Error> {
    Ok(match map {
        Map::Paillier { image, plain, scaled, .. } => {
            let negative = match scaled {
                Some(scaled) if scaled.ciphertext.key() != image.key() => {
                    return Err(Error::Relation);
                }
                Some(scaled) if scaled.negated => Some(masks.integer(scaled.by)?.neg()),
                _ => None,
            };
            Prepared::Plain(image.key().plaintext(masks.integer(*plain)?), negative)
        }
        Map::Product { setup, commitment, x, mu, .. } => {
            // Q = s^q t^ν is the prover's own, so Q^α t^r = s^(qα) t^(να + r).
            let (q, nu) = opening(relation, setup, *commitment, witness)?;
            let alpha = masks.integer(*x)?;
            Prepared::Exponents(q.mul(alpha), nu.mul(alpha).add(masks.integer(*mu)?))
        }
        Map::Point { terms, .. } => {
            let mut sum = C::identity();
            for (point, index) in terms {
                let scalar = masks.scalar(*index)?;
                let base = *point == C::generator();
                sum = sum
                    + if base {
                        C::mul_base(scalar.expose())
                    } else {
                        C::mul(point, scalar.expose())
                    };
            }
            Prepared::Point(sum)
        }
        Map::Commitment { .. } | Map::Root { .. } => Prepared::Nothing,
    })
}

/// The values behind one of the prover's commitments.
fn opening<'s, C: Curve>(
    relation: &Relation<'_, C>,
    setup: &Pedersen,
    commitment: usize,
    witness: &'s Slots<'_, C>,
) -> Result<(&'s SecretInteger, &'s SecretInteger), Error> {
    match relation.maps.get(commitment) {
        Some(Map::Commitment { setup: its, x, mu }) if *its == setup => {
            Ok((witness.integer(*x)?, witness.integer(*mu)?))
        }
        _ => Err(Error::Relation),
    }
}
