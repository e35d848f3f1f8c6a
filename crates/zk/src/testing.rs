//! A prover that cheats, for tests.

use alloc::vec::Vec;

use quorate_bignum::{Engine, Integer, Natural};
use quorate_curve::Curve;
use quorate_paillier::EncryptionKey;
use rand_core::CryptoRng;

use crate::sigma::secrets::Overrides;
use crate::sigma::{Proof, Prover, Statement, prove_many};
use crate::{Context, Error, Own, blum};

/// The deviations of a cheating prover from the figure. It never looks at its own numbers.
#[derive(Clone, Debug, Default)]
pub struct Cheat {
    /// Integers that take the place of components of the witness, by their index.
    pub witness: Vec<(usize, Integer)>,
    /// Integers that take the place of their masks, by their index.
    pub masks: Vec<(usize, Integer)>,
}

/// Proves like [`prove`](crate::prove), cheating.
///
/// # Errors
/// [`Error`] if the cheat cannot be carried out.
pub fn prove_cheating<'a, C: Curve, S: Statement<'a, C>>(
    engine: &Engine,
    statement: &S,
    witness: S::Witness,
    (context, own): (Context<'a>, Own<'a>),
    cheat: &Cheat,
    rng: &mut impl CryptoRng,
) -> Result<Proof, Error> {
    let overrides =
        Overrides { witness: cheat.witness.clone(), masks: cheat.masks.clone(), unchecked: true };
    let (relation, parts) = (statement.relation(), statement.parts(witness));
    let prover = Prover::begin(relation, parts, (context, own), &overrides, rng)?;
    prove_many(engine, [prover].into())?.pop().ok_or(Error::Values)
}

/// The answer to one challenge of Πmod.
#[derive(Clone, Debug)]
pub struct ModulusAnswer {
    /// Whether `x` is a root of `-y` or `-w y`: `a`.
    pub negated: bool,
    /// Whether `x` is a root of `±w y`: `b`.
    pub with_w: bool,
    /// The fourth root, `x`.
    pub x: Natural,
    /// The `N`-th root, `z`.
    pub z: Natural,
}

/// The challenges of Πmod that belong to `w`.
#[must_use]
pub fn modulus_challenges(key: &EncryptionKey, w: &Natural, context: Context<'_>) -> Vec<Natural> {
    blum::challenges(key, w, &context)
}

/// A proof of Πmod of these answers, whatever they are worth. What is longer than `N` is left out.
#[must_use]
pub fn modulus_proof(key: &EncryptionKey, w: &Natural, answers: &[ModulusAnswer]) -> Proof {
    let (mut flags, mut roots, mut nth_roots) = (blum::no_flags(), Vec::new(), Vec::new());
    for (index, answer) in answers.iter().enumerate() {
        blum::set_flags(&mut flags, index, answer.negated, answer.with_w);
        roots.extend(blum::bytes(&answer.x, key));
        nth_roots.extend(blum::bytes(&answer.z, key));
    }
    Proof([blum::bytes(w, key), flags, roots, nth_roots].concat())
}
