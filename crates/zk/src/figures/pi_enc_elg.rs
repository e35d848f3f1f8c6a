//! Πenc-elg: `C = enc(x; ρ)`, `B = bG`, `X = bA + xG`, `x` in `±2^ℓ`.
//!
//! A Paillier ciphertext and an ElGamal commitment hide the same scalar, and it is short.

use quorate_bignum::SecretInteger;
use quorate_curve::Curve;
use quorate_paillier::level::ELL;
use quorate_paillier::{Ciphertext, Pedersen, Randomizer};

use crate::sigma::{self, ChallengeSet, Relation};

/// `C = enc(x; ρ)` under the prover's key, `B = bG`, `X = bA + xG`, `x` in `±2^ℓ`.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a, C: Curve> {
    /// The verifier's setup.
    pub setup: &'a Pedersen,
    /// The ciphertext, under the prover's key, `C`.
    pub ciphertext: &'a Ciphertext,
    /// The base of the commitment, `A`.
    pub a: C::Point,
    /// The first half of the commitment, `B`.
    pub b: C::Point,
    /// The second half, `X`.
    pub x: C::Point,
}

/// The witness.
#[derive(Clone, Copy)]
pub struct Witness<'a, C: Curve> {
    /// The plaintext: the scalar's [centred](crate::centred) representative, `x`.
    pub x: &'a SecretInteger,
    /// The ciphertext's randomizer, `ρ`.
    pub rho: &'a Randomizer,
    /// The commitment's randomness, `b`.
    pub b: &'a C::Scalar,
}

impl<'a, C: Curve> sigma::Statement<'a, C> for Statement<'a, C> {
    type Witness = Witness<'a, C>;

    fn relation(&self, witness: Option<Witness<'a, C>>) -> Relation<'a, C> {
        let (g, key) = (C::generator(), self.ciphertext.key());
        let mut b = Relation::build("enc-elg", key.level(), ChallengeSet::Scalars);
        let z1 = b.integer("z1", ELL, witness.map(|w| w.x));
        let z2 = b.unit("z2", key, witness.map(|w| w.rho));
        let w = b.scalar("w", witness.map(|w| w.b));
        b.paillier(self.ciphertext, z1, z2);
        b.point(self.x, [(self.a, w.into()), (g, z1.into())]);
        b.point(self.b, [(g, w.into())]);
        b.commitment(self.setup, z1, "z3");
        b.finish()
    }
}
