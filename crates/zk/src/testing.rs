//! A prover that cheats, for tests.

use alloc::vec::Vec;

use quorate_bignum::Natural;
use quorate_paillier::EncryptionKey;

use crate::ProofContext;
use crate::figures::pi_mod;
use crate::sigma::Proof;
pub use crate::sigma::cheating::{Cheat, prove_cheating, weights_of};

/// The answer to one challenge of Πmod.
#[derive(Clone, Debug)]
pub struct ModulusAnswer {
    /// `true` if `x` is a root of `-y` or `-w y`: `a`.
    pub negated: bool,
    /// `true` if `x` is a root of `±w y`: `b`.
    pub with_w: bool,
    /// The fourth root, `x`.
    pub x: Natural,
    /// The `N`-th root, `z`.
    pub z: Natural,
}

/// The challenges of Πmod that belong to `w`.
#[must_use]
pub fn modulus_challenges(
    key: &EncryptionKey,
    w: &Natural,
    context: ProofContext<'_>,
) -> Vec<Natural> {
    pi_mod::challenges(key, w, &context)
}

/// A proof of Πmod with these answers, valid or not. Answers longer than `N` are left out.
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
