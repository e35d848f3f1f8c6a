//! Πaff-g*: `D = x·C ⊕ enc_j(y; ρ)`, `Y = enc_i(y; μ)`, `X = xG`, `x` in `±2^ℓ`, `y` in `±2^ℓ'`.
//!
//! The statement of Πaff-g, for everybody to verify: it has no setup, and a challenge of bits.

use quorate_curve::Curve;
use quorate_paillier::Ciphertext;

pub use super::pi_aff_g::Witness;
use super::pi_aff_g::describe;
use crate::sigma::{self, ChallengeSet, Relation};

/// `D = x·C ⊕ enc(y; ρ)` under one key, `Y = enc(y; μ)` under the prover's, `X = xG`, `x` in `±2^ℓ`, `y` in `±2^ℓ'`.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a, C: Curve> {
    /// The ciphertext multiplied, `C`.
    pub c: &'a Ciphertext,
    /// The product with its mask, `D`.
    pub d: &'a Ciphertext,
    /// The mask, under the prover's key, `Y`.
    pub y: &'a Ciphertext,
    /// The multiplier in the exponent, `X`.
    pub x: C::Point,
}

impl<'a, C: Curve> sigma::Statement<'a, C> for Statement<'a, C> {
    type Witness = Witness<'a>;

    fn relation(&self, witness: Option<Witness<'a>>) -> Relation<'a, C> {
        let mut b = Relation::build("aff-g*", self.d.key().level(), ChallengeSet::Bits);
        describe(&mut b, [self.c, self.d, self.y], self.x, witness);
        b.finish()
    }
}
