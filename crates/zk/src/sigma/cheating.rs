//! A prover that deviates from a figure, and never looks at its own numbers.

use alloc::vec::Vec;

use quorate_bignum::{Engine, Integer, SecretInteger};
use rand_core::CryptoRng;

use super::group::Group;
use super::prover::Prover;
use super::randomness::ProofRandomness;
use super::relation::{IntegerPart, Relation};
use super::{Proof, Statement};
use crate::{Context, Error, Own};

/// The deviations of a cheating prover from the figure. It never looks at its own numbers.
#[derive(Clone, Debug, Default)]
pub struct Cheat {
    /// Integers that take the place of components of the witness, by the names of their responses.
    pub witness: Vec<(&'static str, Integer)>,
    /// Integers that take the place of their masks, by the names of their responses.
    pub masks: Vec<(&'static str, Integer)>,
}

/// Proves like [`prove`](crate::prove), cheating.
///
/// # Errors
/// [`Error`] if the cheat cannot be carried out.
pub fn prove_cheating<'a, C: Group, S: Statement<'a, C>>(
    engine: &Engine,
    statement: &S,
    witness: S::Witness,
    names: (Context<'a>, Own<'a>),
    cheat: &Cheat,
    rng: &mut impl CryptoRng,
) -> Result<Proof, Error> {
    let prover = cheating(statement.relation(Some(witness)), names, cheat, rng)?;
    let values = engine.evaluate(&prover.products()?);
    let responder = prover.respond(&mut values.into_iter())?;
    let values = engine.evaluate(&responder.products());
    let (relation, decoded) = responder.answer(&mut values.into_iter())?;
    Ok(relation.encode(&decoded))
}

fn replaced(value: &Integer) -> Result<SecretInteger, Error> {
    Ok(SecretInteger::classify(value, value.magnitude().bits().max(1))?)
}

/// The replacement of an integer, if it has one.
fn named(
    list: &[(&'static str, Integer)],
    name: &'static str,
) -> Result<Option<SecretInteger>, Error> {
    list.iter().find(|(one, _)| *one == name).map(|(_, value)| replaced(value)).transpose()
}

fn cheating<'a, C: Group>(
    mut relation: Relation<'a, C>,
    names: (Context<'a>, Own<'a>),
    cheat: &Cheat,
    rng: &mut impl CryptoRng,
) -> Result<Prover<'a, C>, Error> {
    for (interval, part) in relation.kinds.integers.iter().zip(&mut relation.parts.integers) {
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
    let witness = relation.take_witness(&mut randomness.fresh)?;
    Ok(Prover::with_witness(relation, witness, randomness, names))
}
