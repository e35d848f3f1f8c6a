//! The prover's first message.

use alloc::vec::Vec;

use quorate_bignum::{Natural, SecretInteger, SecretNatural, SecretProduct};
use quorate_curve::Curve;
use quorate_declassify::declassify;
use quorate_paillier::{EncryptionKey, Pedersen, Plaintext};
use rand_core::CryptoRng;

use super::randomness::{Masks, ProofRandomness, point_mask};
use super::relation::{Commitment, Map, Scaled};
use super::transcript::{FirstMessage, bytes, transcript};
use super::witness::Witness;
use super::{ExponentVar, Relation, Responder, SecretValues, Statement, UnitVar};
use crate::{Context, Error, Own};

/// A proof begun: masks are drawn, the first message is described and waits to be evaluated.
pub struct Prover<'a, C: Curve> {
    pub(crate) relation: Relation<'a, C>,
    pub(crate) context: Context<'a>,
    pub(crate) own: Own<'a>,
    pub(crate) witness: Witness<'a, C>,
    pub(crate) blinds: Vec<SecretNatural>,
    pub(crate) repetitions: Vec<Repetition<'a, C>>,
    /// Whether the prover holds its numbers to their intervals; one that cheats, in a test, does not.
    pub(crate) checked: bool,
}

/// One copy of a proof: its masks, and the maps at them.
pub(crate) struct Repetition<'a, C: Curve> {
    pub(crate) masks: Masks<C>,
    maps: Vec<Masked<'a, C>>,
}

/// One map at the masks.
enum Masked<'a, C: Curve> {
    /// `(1 + N)^α r^N`, and a power of another ciphertext, by a mask or by `minus` one.
    Encryption {
        key: &'a EncryptionKey,
        alpha: Plaintext,
        r: UnitVar,
        scaled: Option<Scaled<'a>>,
        minus: Option<SecretInteger>,
    },
    /// A commitment, by its masks.
    Commitment(Commitment<'a>),
    /// `s^x t^y` for numbers that were worked out.
    Opening {
        setup: &'a Pedersen,
        x: SecretInteger,
        y: SecretInteger,
    },
    /// A power of `t` under the prover's own setup.
    Root(ExponentVar),
    Point(C::Point),
}

impl<C: Curve> core::fmt::Debug for Prover<'_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Prover")
    }
}

impl<'a, C: Curve> Prover<'a, C> {
    /// Begins a proof: draws the masks and does the curve's part of the first message.
    ///
    /// # Errors
    /// [`Error::Witness`], [`Error::Range`] if the witness is not what the statement asks for, [`Error::Relation`] if
    /// the statement's numbers do not belong together. That the witness satisfies the statement is not looked at: if it
    /// does not, the proof will be refused.
    pub fn new<S: Statement<'a, C>>(
        statement: &S,
        witness: S::Witness,
        context: Context<'a>,
        own: Own<'a>,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, Error> {
        let relation = statement.relation(Some(witness));
        let randomness = ProofRandomness::draw(&relation, rng)?;
        Self::with_randomness(relation, randomness, (context, own), true)
    }

    /// A proof by a prover that replaces integers, and never looks at its own numbers.
    #[cfg(feature = "testing")]
    pub(crate) fn cheating(
        mut relation: Relation<'a, C>,
        names: (Context<'a>, Own<'a>),
        cheat: &crate::testing::Cheat,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, Error> {
        use super::relation::IntegerPart;
        use super::row::Row;
        let replaced = |value: &quorate_bignum::Integer| {
            SecretInteger::classify(value, value.magnitude().bits().max(1))
        };
        let named = |list: &[(&'static str, quorate_bignum::Integer)], name| {
            let found = list.iter().find(|(one, _)| *one == name);
            found.map(|(_, value)| replaced(value)).transpose()
        };
        let Row { integers: parts, .. } = &mut relation.parts;
        for (interval, part) in relation.kinds.integers.iter().zip(parts) {
            if let Some(value) = named(&cheat.witness, interval.name)? {
                *part = Some(IntegerPart::Made(value));
            }
        }
        let mut randomness = ProofRandomness::draw(&relation, rng)?;
        for row in &mut randomness.rows {
            for (interval, mask) in relation.kinds.integers.iter().zip(&mut row.integers) {
                if let Some(value) = named(&cheat.masks, interval.name)? {
                    *mask = value;
                }
            }
        }
        Self::with_randomness(relation, randomness, names, false)
    }

    fn with_randomness(
        mut relation: Relation<'a, C>,
        ProofRandomness { fresh, blinds, rows }: ProofRandomness<C>,
        (context, own): (Context<'a>, Own<'a>),
        checked: bool,
    ) -> Result<Self, Error> {
        if !relation.consistent {
            return Err(Error::Relation);
        }
        let witness = relation.take_witness(fresh, checked)?;
        let repetitions = rows.into_iter().map(|masks| {
            let maps = relation.maps.iter();
            let maps = maps.map(|map| masked(&relation, map, &witness, &masks)).collect();
            Repetition { masks, maps }
        });
        let repetitions = repetitions.collect();
        Ok(Self { relation, context, own, witness, blinds, repetitions, checked })
    }

    /// The same proof with the images of another statement: for images that are evaluated in one list with the first
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

    /// The first message's products, to be evaluated: the prover's commitments to its witness, then each map at the
    /// masks.
    ///
    /// # Errors
    /// [`Error::Number`] if a number was refused one floor below.
    pub fn products(&self) -> Result<Vec<SecretProduct<'_>>, Error> {
        let commitments = self.relation.commitments.iter();
        let mut out: Vec<_> = commitments
            .map(|one| one.setup.commitment(&self.witness[one.x], &self.witness[one.mu]))
            .collect();
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

fn masked<'a, C: Curve>(
    relation: &Relation<'a, C>,
    map: &Map<'a, C>,
    witness: &Witness<'a, C>,
    masks: &Masks<C>,
) -> Masked<'a, C> {
    match *map {
        Map::Paillier { image, y, rho, scaled } => {
            let negated = scaled.filter(|scaled| scaled.negated);
            Masked::Encryption {
                key: image.key(),
                alpha: image.key().plaintext(&masks[y]),
                r: rho,
                scaled,
                minus: negated.map(|scaled| masks[scaled.by].neg()),
            }
        }
        Map::Commitment(var) => Masked::Commitment(relation.commitment(var)),
        Map::Product { q, x, mu, .. } => {
            // Q = s^q t^ν is the prover's own, so Q^α t^r = s^(qα) t^(να + r).
            let Commitment { setup, x: q, mu: nu } = relation.commitment(q);
            let (q, nu, alpha) = (&witness[q], &witness[nu], &masks[x]);
            Masked::Opening { setup, x: q.mul(alpha), y: nu.mul(alpha).add(&masks[mu]) }
        }
        Map::Root(x) => Masked::Root(x),
        Map::Point { ref terms, .. } => {
            let mut sum = C::identity();
            for (point, var) in terms {
                let scalar = point_mask::<C>(masks, *var);
                sum = sum
                    + if *point == C::generator() {
                        C::mul_base(scalar.expose())
                    } else {
                        C::mul(point, scalar.expose())
                    };
            }
            Masked::Point(sum)
        }
    }
}
