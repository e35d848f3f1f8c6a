//! Πelog of many statements under the same bases, folded in one stage.

use quorate_curve::Curve;
use quorate_paillier::Level;

pub use super::pi_elog::Witness;
use super::pi_elog::describe;
use crate::sigma::{self, Relation, Stages};

/// `L_m = λ_m G`, `M_m = y_m G + λ_m X`, `Y_m = y_m H`, for all m.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a, C: Curve> {
    /// The base of the commitments, `X`.
    pub x: C::Point,
    /// The base of the points, `H`.
    pub h: C::Point,
    /// The statements: at most [`MAX_FOLD`](crate::sigma::MAX_FOLD), and one at least.
    pub items: &'a [Item<C>],
}

/// One of the statements.
#[derive(Clone, Copy, Debug)]
pub struct Item<C: Curve> {
    /// The first half of the commitment, `L_m`.
    pub l: C::Point,
    /// The second half, `M_m`.
    pub m: C::Point,
    /// The point, `Y_m`.
    pub y: C::Point,
}

/// Bytes of a proof: seed, z, u. They do not depend on the number of statements.
pub const PROOF_BYTES: usize = 96;

impl<'a, C: Curve> sigma::Statement<'a, C> for Statement<'a, C> {
    /// One for each statement.
    type Witness = &'a [Witness<'a, C>];

    fn relation(&self, witness: Option<&'a [Witness<'a, C>]>) -> Relation<'a, C> {
        // No number's length depends on the level.
        let fold = (Stages::One, self.items.len());
        let mut b = Relation::fold("elog, folded", Level::default(), fold);
        let images = self.items.iter().map(|item| [item.l, item.m, item.y]);
        let witnesses = witness.unwrap_or_default().iter().copied();
        describe(&mut b, [self.x, self.h], images, witnesses);
        b.finish()
    }
}
