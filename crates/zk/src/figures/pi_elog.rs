//! Πelog: `L = λG`, `M = yG + λX`, `Y = yH`.
//!
//! An ElGamal commitment and a point hide the same scalar.

use quorate_curve::Curve;
use quorate_paillier::Level;

use crate::sigma::{self, Builder, ChallengeSet, Relation};

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

/// The components and equations that a statement and a fold of several have in common, for the images `L`, `M`, `Y`.
pub(super) fn describe<'a, C: Curve>(
    b: &mut Builder<'a, C>,
    [x, h]: [C::Point; 2],
    images: impl Iterator<Item = [C::Point; 3]> + Clone,
    witnesses: impl Iterator<Item = Witness<'a, C>> + Clone,
) {
    let g = C::generator();
    let z = b.scalar("z", witnesses.clone().map(|w| w.lambda));
    let u = b.scalar("u", witnesses.map(|w| w.y));
    b.point(images.clone().map(|[l, ..]| l), [(g, z.into())]);
    b.point(images.clone().map(|[_, m, _]| m), [(g, u.into()), (x, z.into())]);
    b.point(images.map(|[.., y]| y), [(h, u.into())]);
}

impl<'a, C: Curve> sigma::Statement<'a, C> for Statement<C> {
    type Witness = Witness<'a, C>;

    fn relation(&self, witness: Option<Witness<'a, C>>) -> Relation<'a, C> {
        // No number's length depends on the level.
        let mut b = Relation::build("elog", Level::default(), ChallengeSet::Scalars);
        let images = core::iter::once([self.l, self.m, self.y]);
        describe(&mut b, [self.x, self.h], images, witness.into_iter());
        b.finish()
    }
}
