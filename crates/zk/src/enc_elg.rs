//! Πenc-elg: a Paillier ciphertext and an ElGamal commitment hide the same scalar, and it is short.

use alloc::vec::Vec;

use quorate_bignum::SecretInteger;
use quorate_curve::Curve;
use quorate_paillier::level::ELL;
use quorate_paillier::{Ciphertext, Pedersen, Randomizer};

use crate::sigma::{self, ChallengeSet, Kind, Map, Part, Relation, component};

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

    fn relation(&self) -> Relation<'a, C> {
        let (g, key) = (C::generator(), self.ciphertext.key());
        Relation {
            figure: "enc-elg",
            level: key.level(),
            challenge: ChallengeSet::Scalars,
            components: [
                component("z1", Kind::ranged(key.level(), ELL)),
                component("z2", Kind::Unit(key)),
                component("w", Kind::Scalar),
                component("z3", Kind::hiding(self.setup)),
            ]
            .into(),
            maps: [
                Map::Paillier { image: self.ciphertext, plain: 0, randomizer: 1, scaled: None },
                Map::Point { terms: [(self.a, 2), (g, 0)].into(), image: self.x },
                Map::Point { terms: [(g, 2)].into(), image: self.b },
                Map::Commitment { setup: self.setup, x: 0, mu: 3 },
            ]
            .into(),
        }
    }

    fn parts(&self, witness: Witness<'a, C>) -> Vec<Part<'a, C>> {
        [Part::Integer(witness.x), Part::Unit(witness.rho), Part::Scalar(witness.b), Part::Fresh]
            .into()
    }
}
