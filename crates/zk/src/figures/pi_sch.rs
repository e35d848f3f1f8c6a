//! Πsch: `X = xG`.
//!
//! Knowledge of a discrete logarithm (Schnorr).

use quorate_curve::Curve;
use quorate_paillier::Level;

use crate::sigma::{self, ChallengeSet, Relation};

/// `X = xG`.
#[derive(Clone, Copy, Debug)]
pub struct Statement<C: Curve> {
    /// The point, `X`.
    pub x: C::Point,
}

/// The logarithm.
#[derive(Clone, Copy)]
pub struct Witness<'a, C: Curve> {
    /// `x`.
    pub x: &'a C::Scalar,
}

impl<'a, C: Curve> sigma::Statement<'a, C> for Statement<C> {
    type Witness = Witness<'a, C>;

    fn relation(&self, witness: Option<Witness<'a, C>>) -> Relation<'a, C> {
        // No number's length depends on the level.
        let mut b = Relation::build("sch", Level::default(), ChallengeSet::Scalars);
        let z = b.scalar("z", witness.map(|w| w.x));
        b.point([self.x], [(C::generator(), z.into())]);
        b.finish()
    }
}
