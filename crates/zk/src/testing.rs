//! A prover that cheats, for tests.

use alloc::vec::Vec;

use quorate_bignum::{Engine, Integer, Natural};
use quorate_curve::Curve;
use quorate_paillier::EncryptionKey;
use rand_core::CryptoRng;

use crate::figures::pi_mod;
use crate::sigma::{Proof, Prover, Statement, prove_many};
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
pub fn prove_cheating<'a, C: Curve, S: Statement<'a, C>>(
    engine: &Engine,
    statement: &S,
    witness: S::Witness,
    (context, own): (Context<'a>, Own<'a>),
    cheat: &Cheat,
    rng: &mut impl CryptoRng,
) -> Result<Proof, Error> {
    let prover = Prover::cheating(statement.relation(Some(witness)), (context, own), cheat, rng)?;
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
    pi_mod::challenges(key, w, &context)
}

/// A proof of Πmod of these answers, whatever they are worth. What is longer than `N` is left out.
#[must_use]
pub fn modulus_proof(key: &EncryptionKey, w: &Natural, answers: &[ModulusAnswer]) -> Proof {
    let (mut flags, mut roots, mut nth_roots) = (pi_mod::no_flags(), Vec::new(), Vec::new());
    for (index, answer) in answers.iter().enumerate() {
        pi_mod::set_flags(&mut flags, index, answer.negated, answer.with_w);
        roots.extend(pi_mod::bytes(&answer.x, key));
        nth_roots.extend(pi_mod::bytes(&answer.z, key));
    }
    Proof([pi_mod::bytes(w, key), flags, roots, nth_roots].concat())
}
