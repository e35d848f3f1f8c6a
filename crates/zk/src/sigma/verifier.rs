//! The verifier's side: the form of a proof, then its equations.

use alloc::vec::Vec;

use quorate_bignum::{Integer, Modulus, Natural, PublicProduct, SecretNatural, SecretProduct};
use quorate_paillier::{DecryptionKey, PedersenTrapdoor};
use quorate_session::Transcript;

use super::encoding::{Decoded, Responses};
use super::group::Group;
use super::handle::{CommitmentVar, PointVar};
use super::images::{Images, Powers};
use super::relation::{Commitment, Component, Map, Relation, Scaled};
use super::transcript::{FirstMessage, bytes, opening, transcript, weights_before};
use super::{PublicValues, SecretValues, Statement};
use crate::numbers::unsigned;
use crate::{Own, ProofContext, ProofFault};

/// A received proof. Its form and all ranges are checked, but not yet that its numbers are units.
pub struct ReceivedProof<'a, C: Group> {
    pub(super) relation: Relation<'a, C>,
    context: ProofContext<'a>,
    own: Own<'a>,
    pub(super) proof: Decoded<C>,
}

impl<C: Group> core::fmt::Debug for ReceivedProof<'_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ReceivedProof")
            .field("figure", &self.relation.figure)
            .finish_non_exhaustive()
    }
}

impl<'a, C: Group> ReceivedProof<'a, C> {
    /// Reads a proof, without costly work. A proof of another length is rejected unread, and responses out of
    /// range are rejected before they become exponents.
    ///
    /// # Errors
    /// [`ProofFault::Length`], [`ProofFault::Encoding`], [`ProofFault::Range`], [`ProofFault::Unit`] for a number that is zero or not
    /// below its modulus, [`ProofFault::Identity`]; [`ProofFault::Statement`] if the statement's numbers do not belong together.
    pub fn new<S: Statement<'a, C>>(
        statement: &S,
        proof: &[u8],
        context: ProofContext<'a>,
        own: Own<'a>,
    ) -> Result<Self, ProofFault> {
        let relation = statement.relation(None);
        if !relation.consistent {
            return Err(ProofFault::Statement);
        }
        for map in &relation.maps {
            let Map::Point { terms, images } = map else { continue };
            if images.iter().any(C::is_identity)
                || terms.iter().any(|(point, _)| C::is_identity(point))
            {
                return Err(ProofFault::Identity);
            }
        }
        let proof = relation.decode(proof)?;
        Ok(Self { relation, context, own, proof })
    }

    /// The numbers that must be units, each with its modulus and its name.
    pub(super) fn units(&self) -> Vec<(&Modulus, &Natural, &'static str)> {
        let commitments = self.relation.commitments.iter().zip(&self.proof.carried);
        let commitments = commitments.flat_map(|(one, values)| {
            values.iter().map(|value| (one.setup.modulus(), value, "a commitment"))
        });
        let opened = self.relation.maps.iter().filter_map(|map| match map {
            Map::Opened { setup, image, .. } => Some((setup.modulus(), *image, "a commitment")),
            _ => None,
        });
        let mut out: Vec<_> = commitments.chain(opened).collect();
        for responses in &self.proof.responses {
            for component in &self.relation.order {
                if let Component::Unit(var) = *component {
                    let (name, key) = self.relation.kinds[var];
                    out.push((key.modulus(), &responses[var], name));
                }
            }
        }
        out
    }
}

/// The party that a map's modulus belongs to.
pub(super) enum Owner<'a> {
    Key(&'a DecryptionKey),
    Setup(&'a PedersenTrapdoor),
    Other,
}

/// One repetition: its responses and its challenge.
pub(super) struct Repetition<'s, C: Group> {
    pub(super) z: &'s Responses<C>,
    minus_e: &'s Integer,
}

impl<C: Group> Repetition<'_, C> {
    fn scalar(&self, var: PointVar) -> C::Scalar {
        match var {
            PointVar::Integer(var) => C::scalar_vartime(&self.z[var]),
            PointVar::Scalar(var) => self.z[var],
        }
    }
}

/// A proof of which only the equations are left to check: of a fold first the images of all statements are combined,
/// block by block.
pub struct Check<'a, C: Group> {
    pub(super) received: ReceivedProof<'a, C>,
    /// The images of a fold.
    pub(super) images: Option<Images<C>>,
    /// The hash of everything before the first message.
    opening: Transcript,
    /// For each repetition, for each map: the exponent of `t`, where the setup is one's own.
    exponents: Vec<Vec<Option<SecretNatural>>>,
    /// `-e`, for each repetition.
    minus: Vec<Integer>,
}

impl<C: Group> core::fmt::Debug for Check<'_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Check")
            .field("figure", &self.received.relation.figure)
            .finish_non_exhaustive()
    }
}

impl<'a, C: Group> Check<'a, C> {
    /// A proof whose numbers are known to be units.
    pub(crate) fn of_units(received: ReceivedProof<'a, C>) -> Result<Self, ProofFault> {
        let ReceivedProof { relation, context, proof, .. } = &received;
        let minus = proof.challenge.exponents.iter().map(Integer::neg).collect();
        let opening = opening(relation, context, &proof.carried);
        let before = weights_before(relation.fold, &opening);
        let weights = relation.weights(&proof.challenge, before);
        let images = weights.map(|weights| Images::new(relation, weights));
        let mut check = Self { received, images, opening, exponents: Vec::new(), minus };
        if let Some(all) = check.images.as_ref().and_then(Images::short) {
            check.add_points(&all);
        }
        let mut all = Vec::new();
        for answer in check.answers() {
            let maps = check.maps().iter().map(|map| check.exponent(map, &answer));
            all.push(maps.collect::<Result<Vec<_>, _>>()?);
        }
        check.exponents = all;
        Ok(check)
    }

    pub(super) fn maps(&self) -> &[Map<'a, C>] {
        &self.received.relation.maps
    }

    pub(super) fn answers(&self) -> impl Iterator<Item = Repetition<'_, C>> {
        let responses = self.received.proof.responses.iter();
        responses.zip(&self.minus).map(|(z, minus_e)| Repetition { z, minus_e })
    }

    fn commitment(&self, var: CommitmentVar) -> Commitment<'a> {
        self.received.relation.commitment(var)
    }

    /// The commitments that the prover sent; the form of the proof says that there are some for each.
    pub(super) fn carried(&self, var: CommitmentVar) -> &[Natural] {
        self.received.proof.carried.get(var.at).map_or(&[], Vec::as_slice)
    }

    /// The image of a map that is not folded.
    fn image<'s>(&'s self, map: &'s Map<'a, C>) -> Option<&'s Natural> {
        match map {
            Map::Paillier { images, .. } => images.first().map(|image| image.value()),
            Map::Commitment(var) => self.carried(*var).first(),
            Map::Opened { image, .. } => Some(*image),
            Map::Product { .. } | Map::Root(_) | Map::Point { .. } => None,
        }
    }

    /// `X^-e` as powers: of the image, of the images of a short fold, or of the product that those of a longer one were
    /// combined to. With the factors that have weights in their exponents.
    fn images_to<'s>(
        &'s self,
        (place, map): (usize, &'s Map<'a, C>),
        minus_e: &Integer,
    ) -> Result<Powers<'s>, ProofFault> {
        let folded = self.received.relation.fold_of(map).is_some();
        let Some(images) = self.images.as_ref().filter(|_| folded) else {
            let image = self.image(map).ok_or(ProofFault::Values)?;
            return Ok([(image, minus_e.clone())].into());
        };
        let Some(all) = images.short() else {
            let image = images.number(place).ok_or(ProofFault::Values)?;
            return Ok([(image, minus_e.clone())]
                .into_iter()
                .chain(images.factors(place))
                .collect());
        };
        let [image, above, below] = self.powers(map, &all);
        let image = image.into_iter().map(|(value, weight)| (value, weight.mul(minus_e)));
        let below = below.into_iter().map(|(value, e)| (value, e.neg()));
        Ok(image.chain(above).chain(below).collect())
    }

    pub(super) fn owner(&self, map: &Map<'a, C>) -> Owner<'a> {
        let own = &self.received.own;
        match map {
            Map::Paillier { key, .. } => own.key_of(key).map_or(Owner::Other, Owner::Key),
            Map::Opened { setup, .. } => own.trapdoor_of(setup).map_or(Owner::Other, Owner::Setup),
            Map::Commitment(q) | Map::Product { q, .. } => {
                own.trapdoor_of(self.commitment(*q).setup).map_or(Owner::Other, Owner::Setup)
            }
            Map::Root(_) | Map::Point { .. } => Owner::Other,
        }
    }

    /// The exponent of `t` that a map comes to under one's own setup.
    fn exponent(
        &self,
        map: &Map<'a, C>,
        Repetition { z, minus_e }: &Repetition<'_, C>,
    ) -> Result<Option<SecretNatural>, ProofFault> {
        let Owner::Setup(trapdoor) = self.owner(map) else { return Ok(None) };
        let exponent = match map {
            Map::Commitment(var) => {
                let Commitment { x, mu, .. } = self.commitment(*var);
                trapdoor.exponent_of_public(&z[x], &z[mu])
            }
            Map::Opened { x, mu, .. } => trapdoor.exponent_of_public(&z[*x], &z[*mu]),
            Map::Product { mu, value, .. } => {
                trapdoor.exponent_of_public(&value.mul(minus_e), &z[*mu])
            }
            _ => return Ok(None),
        };
        exponent.map(Some).map_err(|_| ProofFault::Statement)
    }

    /// `f(z) · X^-e` under moduli of others: all of it public.
    ///
    /// # Errors
    /// [`ProofFault::Values`] for a defect.
    pub fn products(&self) -> Result<Vec<PublicProduct<'_>>, ProofFault> {
        let mut out = Vec::new();
        for answer in self.answers() {
            for (place, map) in self.maps().iter().enumerate() {
                if matches!(self.owner(map), Owner::Other) {
                    out.extend(self.public_product((place, map), &answer)?);
                }
            }
        }
        Ok(out)
    }

    fn public_product<'s>(
        &'s self,
        (place, map): (usize, &'s Map<'a, C>),
        Repetition { z, minus_e }: &Repetition<'s, C>,
    ) -> Result<Option<PublicProduct<'s>>, ProofFault> {
        let (z, minus_e) = (*z, *minus_e);
        Ok(Some(match map {
            // (1 + N)^z1 w^N C^±z2 image^-e
            Map::Paillier { key, y, rho, scaled, .. } => {
                let product = key.opened_vartime(&z[*y], &z[*rho]);
                let product = multiplied(product, self.images_to((place, map), minus_e)?);
                match scaled {
                    None => product,
                    Some(Scaled { ciphertext, by, negated: false }) => {
                        product.power(ciphertext.value(), &z[*by])
                    }
                    Some(Scaled { ciphertext, by, negated: true }) => {
                        product.power(ciphertext.value(), z[*by].neg())
                    }
                }
            }
            // s^z1 t^z2 S^-e
            Map::Commitment(var) => {
                let Commitment { setup, x, mu } = self.commitment(*var);
                let images = self.images_to((place, map), minus_e)?;
                multiplied(setup.opened_vartime(&z[x], &z[mu]), images)
            }
            Map::Opened { setup, image, x, mu } => {
                setup.opened_vartime(&z[*x], &z[*mu]).power(*image, minus_e)
            }
            // Q^z1 t^z2 s^(-e value)
            Map::Product { q, x, mu, value } => {
                let setup = self.commitment(*q).setup;
                let sent = self.carried(*q).first().ok_or(ProofFault::Values)?;
                PublicProduct::new(setup.modulus())
                    .power(sent, &z[*x])
                    .power(setup.t(), &z[*mu])
                    .power(setup.s(), value.mul(minus_e))
            }
            // t^z s^-e
            Map::Root(x) => {
                let (_, setup) = self.received.relation.kinds[*x];
                setup.opened_vartime(minus_e, &z[*x])
            }
            Map::Point { .. } => return Ok(None),
        }))
    }

    /// `f(z) · X^-e` under one's own moduli, through their factors.
    ///
    /// # Errors
    /// [`ProofFault::Statement`] for a value of the statement that is no unit, [`ProofFault::Values`] for a defect.
    pub fn own_products(&self) -> Result<Vec<SecretProduct<'_>>, ProofFault> {
        let mut out = Vec::new();
        for (answer, exponents) in self.answers().zip(&self.exponents) {
            for ((place, map), exponent) in self.maps().iter().enumerate().zip(exponents) {
                match (self.owner(map), exponent) {
                    (Owner::Key(key), _) => {
                        out.extend(self.own_paillier(key, (place, map), &answer)?);
                    }
                    (Owner::Setup(trapdoor), Some(exponent)) => {
                        let work = (trapdoor, exponent);
                        out.extend(self.own_commitment(work, (place, map), &answer)?);
                    }
                    _ => {}
                }
            }
        }
        Ok(out)
    }

    /// A map under one's own setup: a power of `t`, and one of a commitment of the prover's.
    fn own_commitment<'s>(
        &'s self,
        (trapdoor, exponent): (&'s PedersenTrapdoor, &'s SecretNatural),
        (place, map): (usize, &'s Map<'a, C>),
        Repetition { z, minus_e }: &Repetition<'s, C>,
    ) -> Result<Option<SecretProduct<'s>>, ProofFault> {
        let powers = match map {
            Map::Commitment(_) | Map::Opened { .. } => self.images_to((place, map), minus_e)?,
            Map::Product { q, x, .. } => {
                [(self.carried(*q).first().ok_or(ProofFault::Values)?, z[*x].clone())].into()
            }
            _ => return Ok(None),
        };
        let modulus = trapdoor.pedersen().modulus();
        times_unsigned(trapdoor.commitment(exponent), modulus, powers).map(Some)
    }

    /// A Paillier map under one's own key.
    fn own_paillier<'s>(
        &'s self,
        key: &'s DecryptionKey,
        (place, map): (usize, &'s Map<'a, C>),
        Repetition { z, minus_e }: &Repetition<'s, C>,
    ) -> Result<Option<SecretProduct<'s>>, ProofFault> {
        let Map::Paillier { y, rho, scaled, .. } = map else { return Ok(None) };
        let z = *z;
        let mut powers = self.images_to((place, map), minus_e)?;
        powers.extend(scaled.map(|Scaled { ciphertext, by, negated }| {
            (ciphertext.value(), if negated { z[by].neg() } else { z[by].clone() })
        }));
        let square = key.encryption_key().square();
        times_unsigned(key.opened(&z[*y], &z[*rho]), square, powers).map(Some)
    }

    /// Takes the values of [`Self::products`] and of [`Self::own_products`], in their order, off two lists, and says
    /// whether the proof holds.
    ///
    /// # Errors
    /// [`ProofFault::Equation`]; [`ProofFault::Values`] if a list is too short, or the engine refused one of the products.
    pub fn verdict(
        self,
        public: &mut PublicValues<'_>,
        own: &mut SecretValues<'_>,
    ) -> Result<(), ProofFault> {
        let mut first = FirstMessage::<C>::default();
        // All values are taken before any is checked, so that the next check finds its own.
        let mut complete = true;
        for answer in self.answers() {
            for (place, map) in self.maps().iter().enumerate() {
                if let Map::Point { terms, images } = map {
                    let combined = self.images.as_ref().and_then(|images| images.point(place));
                    let image = combined.or(images.first()).ok_or(ProofFault::Values)?;
                    first.points.push(point(terms, *image, &answer));
                    continue;
                }
                let value = match self.owner(map) {
                    Owner::Other => public.next().and_then(Result::ok),
                    _ => own.next().and_then(Result::ok).map(|value| value.declassify()),
                };
                complete &= value.is_some();
                let len = self.received.relation.image_bytes(map);
                first.numbers.push(value.map(|value| bytes(&value, len)).unwrap_or_default());
            }
        }
        // A fold of which not all images are combined.
        if !complete || self.images.as_ref().and_then(Images::block).is_some() {
            return Err(ProofFault::Values);
        }
        let ReceivedProof { relation, proof, .. } = &self.received;
        let challenge = relation.draw_challenge(transcript::<C>(self.opening, &first))?;
        if challenge.wire == proof.challenge.wire { Ok(()) } else { Err(ProofFault::Equation) }
    }
}

/// A product with more powers.
fn multiplied<'s>(product: PublicProduct<'s>, powers: Powers<'s>) -> PublicProduct<'s> {
    powers.into_iter().fold(product, |product, (base, e)| product.power(base, e))
}

/// A product under one's own modulus with more powers, of inverses where exponents are negative.
fn times_unsigned<'s>(
    product: SecretProduct<'s>,
    modulus: &Modulus,
    powers: Powers<'_>,
) -> Result<SecretProduct<'s>, ProofFault> {
    powers.into_iter().try_fold(product, |product, (base, e)| {
        let (base, e) = unsigned(modulus, base, &e).map_err(|_| ProofFault::Statement)?;
        Ok(product.power(base, e))
    })
}

/// `Σ z·P - e·X`.
fn point<C: Group>(
    terms: &[(C::Point, PointVar)],
    image: C::Point,
    answer: &Repetition<'_, C>,
) -> C::Point {
    let mut points: Vec<C::Point> = terms.iter().map(|(point, _)| *point).collect();
    let mut scalars: Vec<C::Scalar> = terms.iter().map(|(_, var)| answer.scalar(*var)).collect();
    points.push(image);
    scalars.push(C::scalar_vartime(answer.minus_e));
    C::sum_vartime(&scalars, &points)
}
