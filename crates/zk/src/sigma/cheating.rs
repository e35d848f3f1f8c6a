//! A prover that deviates from a figure, and never looks at its own numbers.

use alloc::vec::Vec;

use quorate_bignum::{Engine, Integer, Natural, SecretInteger};
use rand_core::CryptoRng;

use super::group::Group;
use super::prover::Prover;
use super::randomness::ProofRandomness;
use super::relation::{IntegerPart, Relation};
use super::{Proof, Statement};
use crate::{Error, Own, ProofContext, ProofFault, ReceivedProof};

/// The deviations of a cheating prover from the figure. It never looks at its own numbers.
#[derive(Clone, Debug, Default)]
pub struct Cheat {
    /// Integers that take the place of components of the witness, by the names of their responses.
    pub witness: Vec<(&'static str, Integer)>,
    /// Integers that take the place of their masks, by the names of their responses.
    pub masks: Vec<(&'static str, Integer)>,
    /// Folded components that count as more than the witness by `1/d` for a statement: name, statement and d, which must
    /// divide the statement's weight.
    pub fractions: Vec<(&'static str, usize, u64)>,
    /// The factors by which commitments are multiplied when the weights are drawn: which, for which statement.
    pub late: Vec<([usize; 2], Natural)>,
    /// Components that count as more than the witness in the responses, by this much.
    pub shifts: Vec<(&'static str, Integer)>,
}

/// Proves like [`prove`](crate::prove), cheating.
///
/// # Errors
/// [`Error`] if the cheat cannot be carried out.
pub fn prove_cheating<'a, C: Group, S: Statement<'a, C>>(
    engine: &Engine,
    statement: &S,
    witness: S::Witness,
    names: (ProofContext<'a>, Own<'a>),
    cheat: &Cheat,
    rng: &mut impl CryptoRng,
) -> Result<Proof, Error> {
    let prover = cheating(statement.relation(Some(witness)), names, cheat, rng)?;
    let values = engine.evaluate(&prover.products()?);
    let mut weighed = prover.weigh(&mut values.into_iter())?;
    for ([commitment, statement], factor) in &cheat.late {
        weighed.multiply(*commitment, *statement, factor).ok_or(Error::Values)?;
    }
    let values = engine.evaluate(&weighed.products());
    let responder = weighed.respond(&mut values.into_iter())?;
    let values = engine.evaluate(&responder.products());
    let mut more = cheat.shifts.clone();
    for (name, statement, d) in &cheat.fractions {
        let weights = responder.weights().ok_or(Error::Witness(name))?;
        let weight = weights.from(*statement).first().ok_or(Error::Witness(name))?;
        let divided = weight.magnitude().div_rem(&Natural::from(*d));
        let quotient = divided.filter(|(_, rest)| rest.is_zero()).ok_or(Error::Witness(name))?.0;
        more.push((*name, Integer::from(quotient)));
    }
    let (relation, mut decoded) = responder.answer(&mut values.into_iter())?;
    for (row, e) in decoded.responses.iter_mut().zip(&decoded.challenge.exponents) {
        for (z, interval) in row.integers.iter_mut().zip(&relation.kinds.integers) {
            for (_, more) in more.iter().filter(|(name, _)| *name == interval.name) {
                *z = z.add(&more.mul(e));
            }
        }
    }
    Ok(relation.encode(&decoded))
}

/// The weights that a proof of a fold has with its statement, in this context.
///
/// # Errors
/// The [`ProofFault`] that was found before the equations; [`ProofFault::Statement`] if it is no fold.
pub fn weights_of<'a, C: Group, S: Statement<'a, C>>(
    statement: &S,
    proof: &[u8],
    context: ProofContext<'a>,
) -> Result<Vec<Integer>, ProofFault> {
    let check = ReceivedProof::new(statement, proof, context, Own::default())?.check()?;
    Ok(check.images.as_ref().ok_or(ProofFault::Statement)?.weights.from(0).to_vec())
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
    names: (ProofContext<'a>, Own<'a>),
    cheat: &Cheat,
    rng: &mut impl CryptoRng,
) -> Result<Prover<'a, C>, Error> {
    for (interval, part) in relation.kinds.integers.iter().zip(&mut relation.parts.integers) {
        if let Some(value) = named(&cheat.witness, interval.name)? {
            *part = IntegerPart::Made(Some(value));
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
    Prover::with_witness(relation, witness, randomness, names)
}
