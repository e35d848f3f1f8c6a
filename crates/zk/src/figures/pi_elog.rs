//! Πelog: `L = λG`, `M = yG + λX`, `Y = yH`.
//!
//! An ElGamal commitment and a point hide the same scalar.

use quorate_curve::Curve;
use quorate_paillier::Level;

use crate::sigma::{self, ChallengeSet, Relation};

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
#[derive(Clone, Copy)]
pub struct Witness<'a, C: Curve> {
    /// The scalar, `y`.
    pub y: &'a C::Scalar,
    /// The randomness of the commitment, `λ`.
    pub lambda: &'a C::Scalar,
}

impl<'a, C: Curve> sigma::Statement<'a, C> for Statement<C> {
    type Witness = Witness<'a, C>;

    fn relation(&self, witness: Option<Witness<'a, C>>) -> Relation<'a, C> {
        let g = C::generator();
        // No number's length depends on the level.
        let mut b = Relation::build("elog", Level::default(), ChallengeSet::Scalars);
        let z = b.scalar("z", witness.map(|w| w.lambda));
        let u = b.scalar("u", witness.map(|w| w.y));
        b.point(self.l, [(g, z.into())]);
        b.point(self.m, [(g, u.into()), (self.x, z.into())]);
        b.point(self.y, [(self.h, u.into())]);
        b.finish()
    }
}
