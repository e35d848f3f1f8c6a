//! Πaff-g: a multiplication on somebody's ciphertext was done with the logarithm of a point and with a mask that is
//! known to its owner, and both are short.

use alloc::vec::Vec;

use quorate_bignum::SecretInteger;
use quorate_curve::Curve;
use quorate_paillier::level::ELL;
use quorate_paillier::{Ciphertext, Pedersen, Randomizer};

use crate::sigma::{self, ChallengeSet, Component, Kind, Map, Part, Relation, Scaled, component};

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

/// The components and maps that the proof has in common with its form without a setup: `z1`, `z2`, `w`, `w_y`.
pub(crate) fn core<'a, C: Curve>(
    [c, d, y]: [&'a Ciphertext; 3],
    x: C::Point,
) -> ([Component<'a>; 4], [Map<'a, C>; 3]) {
    let level = d.key().level();
    let components = [
        component("z1", Kind::ranged(level, ELL)),
        component("z2", Kind::ranged(level, level.ell_prime())),
        component("w", Kind::Unit(d.key())),
        component("w_y", Kind::Unit(y.key())),
    ];
    let scaled = Some(Scaled { ciphertext: c, by: 0, negated: false });
    let maps = [
        Map::Paillier { image: d, plain: 1, randomizer: 2, scaled },
        Map::Point { terms: [(C::generator(), 0)].into(), image: x },
        Map::Paillier { image: y, plain: 1, randomizer: 3, scaled: None },
    ];
    (components, maps)
}

impl<'a, C: Curve> sigma::Statement<'a, C> for Statement<'a, C> {
    type Witness = Witness<'a>;

    fn relation(&self) -> Relation<'a, C> {
        let (components, maps) = core([self.c, self.d, self.y], self.x);
        let setup = self.setup;
        let hiding = ["z3", "z4"].map(|name| component(name, Kind::hiding(setup)));
        let commitments =
            [Map::Commitment { setup, x: 0, mu: 4 }, Map::Commitment { setup, x: 1, mu: 5 }];
        Relation {
            figure: "aff-g",
            level: self.d.key().level(),
            challenge: ChallengeSet::Scalars,
            components: components.into_iter().chain(hiding).collect(),
            maps: maps.into_iter().chain(commitments).collect(),
        }
    }

    fn parts(&self, witness: Witness<'a>) -> Vec<Part<'a, C>> {
        let Witness { x, y, rho, rho_y } = witness;
        let known = [Part::Integer(x), Part::Integer(y), Part::Unit(rho), Part::Unit(rho_y)];
        known.into_iter().chain([Part::Fresh, Part::Fresh]).collect()
    }
}
