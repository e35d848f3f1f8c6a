//! Πenc-elg of many statements under the same key, base and setup, folded in one stage.
//!
//! The commitments `S_m = s^x_m t^μ_m` travel in the proof. A later proof may speak of them, so the prover draws their μ
//! first and can keep them.

use alloc::vec::Vec;

use quorate_bignum::{Natural, SecretInteger};
use quorate_curve::Curve;
use quorate_paillier::level::ELL;
use quorate_paillier::{Ciphertext, EncryptionKey, Level, Pedersen, Randomizer};

use super::pi_enc_elg::{self, Images, describe};
use crate::Hiding;
use crate::sigma::{self, Relation, SEED_BYTES, Stages};

/// `C_m = enc(x_m; ρ_m)` under the prover's key, `B_m = b_m G`, `X_m = b_m A + x_m G`, `x_m` in `±2^ℓ`, for all m.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a, C: Curve> {
    /// The verifier's setup.
    pub setup: &'a Pedersen,
    /// The prover's key.
    pub key: &'a EncryptionKey,
    /// The base of the commitments, `A`.
    pub a: C::Point,
    /// The statements: at most [`MAX_FOLD`](crate::sigma::MAX_FOLD), and one at least.
    pub items: &'a [Item<'a, C>],
}

/// One of the statements.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a, C: Curve> {
    /// The ciphertext, `C_m`.
    pub ciphertext: &'a Ciphertext,
    /// The first half of the commitment, `B_m`.
    pub b: C::Point,
    /// The second half, `X_m`.
    pub x: C::Point,
}

/// The witness of one of them.
#[derive(Clone, Copy)]
pub struct Witness<'a, C: Curve> {
    /// The plaintext: the scalar's [centred](crate::centred) representative, `x_m`.
    pub x: &'a SecretInteger,
    /// The ciphertext's randomizer, `ρ_m`.
    pub rho: &'a Randomizer,
    /// The commitment's randomness, `b_m`.
    pub b: &'a C::Scalar,
    /// `μ_m`, drawn for the verifier's setup, and only for this proof of this figure.
    pub mu: &'a Hiding,
}

/// Bytes of a proof whose key and setup are of this level, over a curve of 256 bits: seed, `S_m` of each statement, z₁,
/// z₂, w, z₃.
#[must_use]
pub const fn proof_bytes(level: Level, statements: usize) -> usize {
    let (value, hiding) = (level.modulus_bytes(), level.response_bytes(level.modulus_bits() + ELL));
    SEED_BYTES + statements * value + level.response_bytes(ELL) + value + 32 + hiding
}

impl<C: Curve> Statement<'_, C> {
    /// The commitments `S_m` in a proof of this statement, in the order of the statements; empty if the proof is
    /// too short. They are right only if the proof was verified.
    #[must_use]
    pub fn commitments(&self, proof: &[u8]) -> Option<Vec<Natural>> {
        let len = self.setup.level().modulus_bytes();
        let end = SEED_BYTES.checked_add(len.checked_mul(self.items.len())?)?;
        let values = proof.get(SEED_BYTES..end)?.chunks_exact(len);
        Some(values.map(Natural::from_be_bytes).collect())
    }
}

impl<'a, C: Curve> sigma::Statement<'a, C> for Statement<'a, C> {
    /// One for each statement.
    type Witness = &'a [Witness<'a, C>];

    fn relation(&self, witness: Option<&'a [Witness<'a, C>]>) -> Relation<'a, C> {
        let fold = (Stages::One, self.items.len());
        let mut b = Relation::fold("enc-elg, folded", self.key.level(), fold);
        let images =
            self.items.iter().map(|&Item { ciphertext, b, x }| Images { ciphertext, b, x });
        let witnesses = witness.unwrap_or_default().iter();
        let opened =
            witnesses.clone().map(|&Witness { x, rho, b, .. }| pi_enc_elg::Witness { x, rho, b });
        let z1 = describe(&mut b, (self.key, self.a), images, opened);
        b.commitment_with(self.setup, z1, "z3", witnesses.map(|w| w.mu));
        b.finish()
    }
}
