//! Πenc: `C = enc(x; ρ)`, `x` in `±2^ℓ`.
//!
//! The plaintext of a ciphertext is short.

use quorate_bignum::SecretInteger;
use quorate_paillier::level::ELL;
use quorate_paillier::{Ciphertext, Pedersen, Randomizer};

use quorate_zk::sigma::{self, ChallengeSet, NoPoints, Relation};

/// `C = enc(x; ρ)` under the prover's key, `x` in `±2^ℓ`.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a> {
    /// The verifier's setup.
    pub setup: &'a Pedersen,
    /// The ciphertext, under the prover's key, `C`.
    pub ciphertext: &'a Ciphertext,
}

/// The witness.
#[derive(Clone, Copy)]
pub struct Witness<'a> {
    /// The plaintext, `x`.
    pub x: &'a SecretInteger,
    /// The ciphertext's randomizer, `ρ`.
    pub rho: &'a Randomizer,
}

impl<'a> sigma::Statement<'a, NoPoints> for Statement<'a> {
    type Witness = Witness<'a>;

    fn relation(&self, witness: Option<Witness<'a>>) -> Relation<'a, NoPoints> {
        let key = self.ciphertext.key();
        let mut b = Relation::build("enc", key.level(), ChallengeSet::Integers);
        let z1 = b.integer("z1", ELL, witness.map(|w| w.x));
        let z2 = b.unit("z2", key, witness.map(|w| w.rho));
        b.paillier([self.ciphertext], z1, z2);
        b.commitment(self.setup, z1, "z3");
        b.finish()
    }
}
