//! Πaff-g*: as Πaff-g, for everybody to verify: no setup, a challenge of bits.

use alloc::vec::Vec;

use quorate_curve::Curve;
use quorate_paillier::Ciphertext;

pub use crate::aff_g::Witness;
use crate::aff_g::core;
use crate::sigma::{self, ChallengeSet, Part, Relation};

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

    fn relation(&self) -> Relation<'a, C> {
        let (components, maps) = core([self.c, self.d, self.y], self.x);
        Relation {
            figure: "aff-g*",
            level: self.d.key().level(),
            challenge: ChallengeSet::Bits,
            components: components.into(),
            maps: maps.into(),
        }
    }

    fn parts(&self, witness: Witness<'a>) -> Vec<Part<'a, C>> {
        let Witness { x, y, rho, rho_y } = witness;
        [Part::Integer(x), Part::Integer(y), Part::Unit(rho), Part::Unit(rho_y)].into()
    }
}
