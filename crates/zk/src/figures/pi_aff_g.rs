//! Πaff-g: `D = x·C ⊕ enc_j(y; ρ)`, `Y = enc_i(y; ρ_y)`, `X = xG`, `x` in `±2^ℓ`, `y` in `±2^ℓ'`.
//!
//! The operation on the ciphertext of another party multiplies by the logarithm of a point, and adds a mask that
//! the prover knows. Both are short.

use quorate_bignum::SecretInteger;
use quorate_curve::Curve;
use quorate_paillier::level::ELL;
use quorate_paillier::{Ciphertext, Pedersen, Randomizer};

use crate::sigma::{self, Builder, ChallengeSet, IntegerVar, Relation};

/// `D = x·C ⊕ enc(y; ρ)` under the verifier's key, `Y = enc(y; ρ_y)` under the prover's, `X = xG`, `x` in `±2^ℓ`,
/// `y` in `±2^ℓ'`.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a, C: Curve> {
    /// The verifier's setup.
    pub setup: &'a Pedersen,
    /// The ciphertext multiplied, under the verifier's key, `C`.
    pub c: &'a Ciphertext,
    /// The product with its mask, under the verifier's key, `D`.
    pub d: &'a Ciphertext,
    /// The mask, under the prover's key, `Y`.
    pub y: &'a Ciphertext,
    /// The multiplier in the exponent, `X`.
    pub x: C::Point,
}

/// The witness.
#[derive(Clone, Copy)]
pub struct Witness<'a> {
    /// The multiplier: the scalar's [centred](crate::centred) representative, `x`.
    pub x: &'a SecretInteger,
    /// The mask, `y`: in the protocol `-β`.
    pub y: &'a SecretInteger,
    /// The randomizer of `D`, `ρ`.
    pub rho: &'a Randomizer,
    /// The randomizer of `Y`, `ρ_y`.
    pub rho_y: &'a Randomizer,
}

/// The components and equations that Πaff-g and Πaff-g* have in common; gives `z1` and `z2`.
pub(super) fn describe<'a, C: Curve>(
    b: &mut Builder<'a, C>,
    [c, d, y]: [&'a Ciphertext; 3],
    x: C::Point,
    witness: Option<Witness<'a>>,
) -> [IntegerVar; 2] {
    let z1 = b.integer("z1", ELL, witness.map(|w| w.x));
    let z2 = b.integer("z2", d.key().level().ell_prime(), witness.map(|w| w.y));
    let rho = b.unit("w", d.key(), witness.map(|w| w.rho));
    let rho_y = b.unit("w_y", y.key(), witness.map(|w| w.rho_y));
    b.paillier([d], z2, rho).scaled(c, z1);
    b.point([x], [(C::generator(), z1.into())]);
    b.paillier([y], z2, rho_y);
    [z1, z2]
}

impl<'a, C: Curve> sigma::Statement<'a, C> for Statement<'a, C> {
    type Witness = Witness<'a>;

    fn relation(&self, witness: Option<Witness<'a>>) -> Relation<'a, C> {
        let mut b = Relation::build("aff-g", self.d.key().level(), ChallengeSet::Scalars);
        let [z1, z2] = describe(&mut b, [self.c, self.d, self.y], self.x, witness);
        b.commitment(self.setup, z1, "z3");
        b.commitment(self.setup, z2, "z4");
        b.finish()
    }
}
