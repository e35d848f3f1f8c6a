//! Πsch: knowledge of a discrete logarithm (Schnorr).

use alloc::vec::Vec;

use quorate_curve::Curve;

use crate::sigma::{self, ChallengeSet, Kind, Map, Part, Relation, component};
use quorate_paillier::Level;

/// `X = xG`.
#[derive(Clone, Copy, Debug)]
pub struct Statement<C: Curve> {
    /// The point, `X`.
    pub x: C::Point,
}

/// The logarithm.
pub struct Witness<'a, C: Curve> {
    /// `x`.
    pub x: &'a C::Scalar,
}

impl<'a, C: Curve> sigma::Statement<'a, C> for Statement<C> {
    type Witness = Witness<'a, C>;

    fn relation(&self) -> Relation<'a, C> {
        Relation {
            figure: "sch",
            // No number's length depends on it.
            level: Level::default(),
            challenge: ChallengeSet::Scalars,
            components: [component("z", Kind::Scalar)].into(),
            maps: [Map::Point { terms: [(C::generator(), 0)].into(), image: self.x }].into(),
        }
    }

    fn parts(&self, witness: Witness<'a, C>) -> Vec<Part<'a, C>> {
        [Part::Scalar(witness.x)].into()
    }
}
