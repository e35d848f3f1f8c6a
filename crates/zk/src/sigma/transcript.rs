//! The challenge: the hash of all that is public, and the number drawn from it.

use alloc::vec::Vec;

use quorate_bignum::{Integer, Natural};
use quorate_paillier::level::{ELL, REPETITIONS};
use quorate_paillier::{Ciphertext, EncryptionKey, Pedersen};
use quorate_session::Transcript;

use super::fold::{self, Fold, SEED_BYTES, Stages, Weights};
use super::group::Group;
use super::relation::{ChallengeSet, Component, Map, Relation};
use crate::numbers::once;
use crate::{ProofContext, ProofFault};

/// Bytes of an integer challenge.
const INTEGER_BYTES: usize = (ELL >> 3) as usize;
/// Bytes of a challenge of bits.
const BITS_BYTES: usize = REPETITIONS >> 3;

/// A challenge and its form on the wire.
pub(crate) struct Challenge {
    pub(crate) wire: Vec<u8>,
    /// `e`, for each repetition.
    pub(crate) exponents: Vec<Integer>,
}

impl Challenge {
    /// The first bytes of a digest that are as long as a seed.
    fn seed(digest: &[u8; 64]) -> Vec<u8> {
        digest.iter().copied().take(SEED_BYTES).collect()
    }
}

impl ChallengeSet {
    /// Bytes on the wire.
    pub(crate) fn bytes<C: Group>(self) -> usize {
        match self {
            Self::Scalars => C::scalar_bytes(),
            Self::Integers => INTEGER_BYTES,
            Self::Bits => BITS_BYTES,
            Self::Weights => SEED_BYTES,
        }
    }
}

impl<C: Group> Relation<'_, C> {
    /// The challenge that a transcript gives.
    pub(crate) fn draw_challenge(&self, transcript: Transcript) -> Result<Challenge, ProofFault> {
        let digest = transcript.finish();
        let wire = match self.challenge {
            ChallengeSet::Scalars => C::challenge(&digest).ok_or(ProofFault::Statement)?,
            ChallengeSet::Weights => Challenge::seed(&digest),
            ChallengeSet::Integers | ChallengeSet::Bits => {
                digest.iter().copied().take(self.challenge.bytes::<C>()).collect()
            }
        };
        self.read_challenge(&wire)
    }

    /// The challenge in a proof; there is one encoding for each.
    pub(crate) fn read_challenge(&self, wire: &[u8]) -> Result<Challenge, ProofFault> {
        let exponents = match self.challenge {
            ChallengeSet::Scalars => {
                [C::challenge_exponent(wire).ok_or(ProofFault::Encoding("e"))?].into()
            }
            ChallengeSet::Integers => {
                let half = Integer::from(Natural::power_of_two(ELL - 1));
                [Integer::from(Natural::from_be_bytes(wire)).sub(&half)].into()
            }
            ChallengeSet::Bits => wire
                .iter()
                .flat_map(|byte| {
                    (0..8).map(move |bit| Integer::from(Natural::from(u64::from(byte >> bit & 1))))
                })
                .collect(),
            ChallengeSet::Weights => match self.fold.ok_or(ProofFault::Statement)? {
                // The weights are the challenge.
                Fold { stages: Stages::One, .. } => [once()].into(),
                Fold { stages: Stages::Two, count } => [fold::challenge(wire, count)].into(),
            },
        };
        Ok(Challenge { wire: wire.to_vec(), exponents })
    }

    /// The weights: those of the challenge's seed, or those that were drawn before it.
    pub(crate) fn weights(
        &self,
        challenge: &Challenge,
        before: Option<Weights>,
    ) -> Option<Weights> {
        let fold = self.fold?;
        before.or_else(|| Some(Weights::new(&challenge.wire, fold.count)))
    }
}

/// The first message of a proof, in the order of repetitions and maps: `f(mask)`, or the value that the responses
/// imply for it.
pub(crate) struct FirstMessage<C: Group> {
    /// Numbers, each with the bytes of its modulus.
    pub(crate) numbers: Vec<Vec<u8>>,
    pub(crate) points: Vec<C::Point>,
}

impl<C: Group> Default for FirstMessage<C> {
    fn default() -> Self {
        Self { numbers: Vec::new(), points: Vec::new() }
    }
}

/// The hash of context, statement and commitments of the prover.
pub(crate) fn opening<C: Group>(
    relation: &Relation<'_, C>,
    context: &ProofContext<'_>,
    carried: &[Vec<Natural>],
) -> Transcript {
    let mut transcript = context.transcript(relation.figure);
    absorb(relation, &mut transcript);
    let carried = relation.commitments.iter().zip(carried).flat_map(|(one, values)| {
        values.iter().map(|value| bytes(value, one.setup.level().modulus_bytes()))
    });
    transcript.append_list("commitments of the prover", carried);
    transcript
}

/// The weights of a fold in two stages: the hash of all that was fixed before them.
pub(crate) fn weights_before(fold: Option<Fold>, opening: &Transcript) -> Option<Weights> {
    let fold = fold.filter(|fold| fold.stages == Stages::Two)?;
    let mut transcript = opening.clone();
    transcript.append_u64("stage", 1);
    Some(Weights::new(&Challenge::seed(&transcript.finish()), fold.count))
}

/// The transcript from which the challenge is drawn: that hash, continued with the first message.
pub(crate) fn transcript<C: Group>(mut opening: Transcript, first: &FirstMessage<C>) -> Transcript {
    opening.append_list("first numbers", &first.numbers);
    opening.append_list("first points", C::encode_points(&first.points));
    opening
}

/// A number that is below its modulus, so that it fits.
pub(crate) fn bytes(value: &Natural, len: usize) -> Vec<u8> {
    value.to_be_bytes(len).unwrap_or_default()
}

fn absorb<C: Group>(relation: &Relation<'_, C>, transcript: &mut Transcript) {
    if let Some(name) = C::NAME {
        transcript.append("curve", name.as_bytes());
    }
    transcript.append_u64("level", relation.level.modulus_bits().into());
    transcript.append_u64("challenge", relation.challenge as u64);
    if let Some(Fold { stages, count }) = relation.fold {
        transcript.append_u64("stages", stages as u64);
        transcript.append_u64("statements", count as u64);
        let folded = relation.order.iter().map(|one| [u8::from(relation.is_folded(*one))]);
        transcript.append_list("folded", folded);
        transcript.append_list("bound points", C::encode_points(&relation.bound));
    }
    transcript.append_u64("components", relation.order.len() as u64);
    for component in &relation.order {
        match *component {
            Component::Integer(var) => {
                let interval = relation.kinds[var];
                transcript.append_u64("integer", interval.bits.into());
                transcript.append_u64("slack", interval.slack.into());
            }
            Component::Unit(var) => absorb_key(relation.kinds[var].1, transcript),
            Component::Scalar(_) => transcript.append_u64("scalar", 0),
            Component::Exponent(var) => absorb_setup(relation.kinds[var].1, transcript),
        }
    }
    transcript.append_u64("maps", relation.maps.len() as u64);
    for map in &relation.maps {
        absorb_map(relation, map, transcript);
    }
}

fn absorb_key(key: &EncryptionKey, transcript: &mut Transcript) {
    transcript.append("N", &key.to_bytes());
}

fn absorb_setup(setup: &Pedersen, transcript: &mut Transcript) {
    transcript.append("setup", &setup.to_bytes());
}

fn absorb_ciphertext(label: &'static str, ciphertext: &Ciphertext, transcript: &mut Transcript) {
    absorb_key(ciphertext.key(), transcript);
    transcript.append(label, &ciphertext.to_bytes());
}

/// The places of a map's components.
fn absorb_places(places: impl IntoIterator<Item = usize>, transcript: &mut Transcript) {
    transcript.append_list("of", places.into_iter().map(|place| (place as u64).to_be_bytes()));
}

fn absorb_map<C: Group>(relation: &Relation<'_, C>, map: &Map<'_, C>, transcript: &mut Transcript) {
    match map {
        Map::Paillier { images, y, rho, scaled, weighted, .. } => {
            let mut images = images.iter();
            if let Some(first) = images.next() {
                absorb_ciphertext("ciphertext", first, transcript);
            }
            // Those of a fold are under one key.
            for image in images {
                transcript.append("ciphertext", &image.to_bytes());
            }
            absorb_places([y.component, rho.component], transcript);
            for factor in weighted {
                absorb_ciphertext("weighted", factor.ciphertext, transcript);
                absorb_places(factor.by.iter().map(|by| by.component), transcript);
            }
            if let Some(scaled) = scaled {
                absorb_ciphertext("scaled", scaled.ciphertext, transcript);
                absorb_places([scaled.by.component, scaled.negated.into()], transcript);
            }
        }
        Map::Commitment(var) => {
            let one = relation.commitment(*var);
            absorb_setup(one.setup, transcript);
            absorb_places([one.x.component, one.mu.component], transcript);
        }
        Map::Opened { setup, image, x, mu } => {
            absorb_setup(setup, transcript);
            transcript.append("opened", &bytes(image, setup.level().modulus_bytes()));
            absorb_places([x.component, mu.component], transcript);
        }
        Map::Product { q, x, mu, value } => {
            absorb_setup(relation.commitment(*q).setup, transcript);
            let negative = value.is_negative().into();
            absorb_places([q.map, x.component, mu.component, negative], transcript);
            let len = value.magnitude().bits().div_ceil(8) as usize;
            transcript.append("value", &bytes(value.magnitude(), len));
        }
        Map::Root(x) => {
            absorb_setup(relation.kinds[*x].1, transcript);
            absorb_places([x.component], transcript);
        }
        Map::Point { terms, images } => {
            let mut points: Vec<C::Point> = terms.iter().map(|(point, _)| *point).collect();
            points.extend(images);
            transcript.append_list("points", C::encode_points(&points));
            absorb_places(terms.iter().map(|(_, var)| Component::from(*var).place()), transcript);
        }
    }
}
