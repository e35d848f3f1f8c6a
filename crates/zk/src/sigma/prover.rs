//! The prover's first message.

use alloc::vec::Vec;

use quorate_bignum::{Natural, SecretInteger, SecretNatural, SecretProduct};
use quorate_curve::Curve;
use quorate_paillier::{Pedersen, Plaintext, Randomizers};
use rand_core::CryptoRng;

use super::challenge::{Commitments, bytes, transcript};
use super::secrets::{Overrides, Slots, masks, witness};
use super::{ChallengeSet, Kind, Map, Part, Relation, Responder, SecretValues, Statement};
use crate::{Context, Error, Own};

/// A proof begun: masks are drawn, the first message is described and waits to be evaluated.
pub struct Prover<'a, C: Curve> {
    pub(crate) relation: Relation<'a, C>,
    pub(crate) context: Context<'a>,
    pub(crate) own: Own<'a>,
    pub(crate) witness: Slots<'a, C>,
    /// For each repetition.
    pub(crate) masks: Vec<Slots<'a, C>>,
    /// For each repetition, for each map.
    prepared: Vec<Vec<Prepared<C>>>,
    /// For each component that is a unit, what hides it while it is inverted.
    pub(crate) blinds: Vec<Option<SecretNatural>>,
    pub(crate) unchecked: bool,
}

impl<C: Curve> core::fmt::Debug for Prover<'_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Prover")
    }
}

/// What the product of a map refers to.
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
        Self::with_randomizers(statement, witness, context, own, &mut [], rng)
    }

    /// The same with stores of randomizers that were filled while idle, for any number of keys.
    ///
    /// # Errors
    /// Those of [`Self::new`].
    pub fn with_randomizers<S: Statement<'a, C>>(
        statement: &S,
        witness: S::Witness,
        context: Context<'a>,
        own: Own<'a>,
        pools: &mut [Randomizers],
        rng: &mut impl CryptoRng,
    ) -> Result<Self, Error> {
        let (relation, parts) = (statement.relation(), statement.parts(witness));
        Self::begin(relation, parts, (context, own), &Overrides::default(), pools, rng)
    }

    pub(crate) fn begin(
        relation: Relation<'a, C>,
        parts: Vec<Part<'a, C>>,
        (context, own): (Context<'a>, Own<'a>),
        overrides: &Overrides,
        pools: &mut [Randomizers],
        rng: &mut impl CryptoRng,
    ) -> Result<Self, Error> {
        let witness = witness(&relation, parts, overrides, rng)?;
        let blinds = relation.components.iter().map(|component| {
            match (component.kind, relation.challenge) {
                // A challenge of bits is never negative.
                (Kind::Unit(_), ChallengeSet::Bits) => Ok(None),
                (Kind::Unit(key), _) => Ok(Some(SecretNatural::random_unit(rng, key.modulus())?)),
                _ => Ok(None),
            }
        });
        let blinds = blinds.collect::<Result<_, Error>>()?;
        let (mut all_masks, mut prepared) = (Vec::new(), Vec::new());
        for _ in 0..relation.challenge.repetitions() {
            let masks = masks(&relation, &witness, overrides, pools, rng)?;
            prepared.push(prepare(&relation, &witness, &masks)?);
            all_masks.push(masks);
        }
        let unchecked = overrides.unchecked;
        Ok(Self { relation, context, own, witness, masks: all_masks, prepared, blinds, unchecked })
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

    /// The first message's products, to be evaluated.
    ///
    /// # Errors
    /// [`Error::Relation`] if the statement's description is inconsistent.
    pub fn products(&self) -> Result<Vec<SecretProduct<'_>>, Error> {
        let mut out = Vec::new();
        for map in &self.relation.maps {
            if let Map::Commitment { setup, x, mu } = map {
                out.push(setup.commitment(self.witness.integer(*x)?, self.witness.integer(*mu)?));
            }
        }
        for (masks, prepared) in self.masks.iter().zip(&self.prepared) {
            for (map, prepared) in self.relation.maps.iter().zip(prepared) {
                out.extend(self.product(map, masks, prepared)?);
            }
        }
        Ok(out)
    }

    /// The product of one map at the masks; points have none.
    fn product<'s>(
        &'s self,
        map: &'s Map<'a, C>,
        masks: &'s Slots<'a, C>,
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
            (Map::Commitment { setup, x, mu }, _) => {
                setup.commitment(masks.integer(*x)?, masks.integer(*mu)?)
            }
            (Map::Product { setup, .. }, Prepared::Exponents(s, t)) => setup.commitment(s, t),
            (Map::Root { x, .. }, _) => {
                let (mask, trapdoor) = masks.exponent(*x)?;
                SecretProduct::factored(trapdoor.factored()).power(trapdoor.pedersen().t(), mask)
            }
            (Map::Point { .. }, _) => return Ok(None),
            _ => return Err(Error::Relation),
        }))
    }

    /// Takes the values of [`Self::products`], in their order, off a list, and draws the challenge.
    ///
    /// # Errors
    /// [`Error::Values`] if the list is too short, [`Error::Number`] if the engine refused a product.
    pub fn respond(self, values: &mut SecretValues<'_>) -> Result<Responder<'a, C>, Error> {
        let mut next = || Ok::<Natural, Error>(values.next().ok_or(Error::Values)??.declassify());
        let carried = self.relation.carried().map(|_| next()).collect::<Result<Vec<_>, _>>()?;
        let mut commitments = Commitments::<C>::default();
        for prepared in &self.prepared {
            for (map, prepared) in self.relation.maps.iter().zip(prepared) {
                match prepared {
                    Prepared::Point(point) => commitments.points.push(*point),
                    _ => commitments.numbers.push(bytes(&next()?, map.image_bytes())),
                }
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
    masks: &Slots<'a, C>,
) -> Result<Vec<Prepared<C>>, Error> {
    relation.maps.iter().map(|map| prepare_map(relation, map, witness, masks)).collect()
}

fn prepare_map<'a, C: Curve>(
    relation: &Relation<'a, C>,
    map: &Map<'a, C>,
    witness: &Slots<'a, C>,
    masks: &Slots<'a, C>,
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

/// What the prover committed to with one of its commitments.
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
