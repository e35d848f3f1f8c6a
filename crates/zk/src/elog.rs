//! Πelog: an ElGamal commitment and a point hide the same scalar.

use alloc::vec::Vec;

use quorate_curve::Curve;
use quorate_paillier::Level;

use crate::sigma::{self, ChallengeSet, Kind, Map, Part, Relation, component};

/// `L = λG`, `M = yG + λX`, `Y = yH`.
#[derive(Clone, Copy, Debug)]
pub struct Statement<C: Curve> {
    /// The first half of the commitment, `L`.
    pub l: C::Point,
    /// The second half, `M`.
    pub m: C::Point,
    /// The base of the commitment, `X`.
    pub x: C::Point,
    /// The point, `Y`.
    pub y: C::Point,
    /// The base of the point, `H`.
    pub h: C::Point,
}

/// The witness.
pub struct Witness<'a, C: Curve> {
    /// The scalar, `y`.
    pub y: &'a C::Scalar,
    /// The randomness of the commitment, `λ`.
    pub lambda: &'a C::Scalar,
}

impl<'a, C: Curve> sigma::Statement<'a, C> for Statement<C> {
    type Witness = Witness<'a, C>;

    fn relation(&self) -> Relation<'a, C> {
        let g = C::generator();
        Relation {
            figure: "elog",
            // No number's length depends on it.
            level: Level::default(),
            challenge: ChallengeSet::Scalars,
            components: [component("z", Kind::Scalar), component("u", Kind::Scalar)].into(),
            maps: [
                Map::Point { terms: [(g, 0)].into(), image: self.l },
                Map::Point { terms: [(g, 1), (self.x, 0)].into(), image: self.m },
                Map::Point { terms: [(self.h, 1)].into(), image: self.y },
            ]
            .into(),
        }
    }

    fn parts(&self, witness: Witness<'a, C>) -> Vec<Part<'a, C>> {
        [Part::Scalar(witness.lambda), Part::Scalar(witness.y)].into()
    }
}
