//! A key from its verifying shares, as other implementations keep it.

use alloc::vec::Vec;

use quorate_curve::{Curve, batch_invert};
use quorate_session::PartyId;
use quorate_sharing::Commitment;

use super::SharedKey;
use crate::error::DecodeError;
use crate::{Committee, Family, Point, Scalar};

impl<F: Family> SharedKey<F> {
    /// The key with these verifying shares, in the order of the parties.
    ///
    /// The polynomial is interpolated from the first t of them; the others, and the key, have to lie
    /// on it. t multi-scalar multiplications of t terms each.
    ///
    /// # Errors
    /// [`DecodeError::Inconsistent`] if they are not the shares of this key with this threshold;
    /// otherwise as [`SharedKey::new`].
    pub fn from_shares(
        committee: Committee,
        epoch: u32,
        key: &Point<F>,
        shares: &[Point<F>],
        extra: F::Extra,
    ) -> Result<Self, DecodeError> {
        const OTHERS: DecodeError = DecodeError::Inconsistent(
            "the verifying shares are not those of this key and threshold",
        );
        let t = committee.points();
        let ids = committee.parties().as_slice().get(..t).ok_or(OTHERS)?;
        let first = shares.get(..t).ok_or(OTHERS)?;
        let basis = basis::<F::Curve>(ids).ok_or(OTHERS)?;
        let points = (0..t).map(|power| {
            let column: Vec<Scalar<F>> =
                basis.iter().filter_map(|one| one.get(power)).copied().collect();
            F::Curve::msm_vartime(&column, first)
        });
        let commitment = Commitment::from_points(points.collect());
        let fits = commitment.constant() == key;
        let found = Self::new(committee, epoch, commitment, extra)?;
        if fits && found.shares == shares { Ok(found) } else { Err(OTHERS) }
    }
}

/// The coefficients of each Lagrange polynomial `L_i(x) = Π_{j≠i} (x − x_j)/(x_i − x_j)`, constant
/// first. Variable time: places are public.
fn basis<C: Curve>(ids: &[PartyId]) -> Option<Vec<Vec<C::Scalar>>> {
    let place = |id: &PartyId| C::Scalar::from(u64::from(id.get()));
    let zero = C::Scalar::default;
    // M(x) = Π (x − x_j)
    let mut product = Vec::from([C::Scalar::from(1)]);
    for id in ids {
        let low = product.iter().map(|one| -(place(id) * *one)).chain([zero()]);
        product = core::iter::once(zero())
            .chain(product.iter().copied())
            .zip(low)
            .map(|(h, l)| h + l)
            .collect();
    }
    // M(x)/(x − x_i), from the highest coefficient down: q_(k−1) = m_k + x_i·q_k.
    let without = |id: &PartyId| {
        let mut last = zero();
        let mut quotient: Vec<_> = product
            .iter()
            .skip(1)
            .rev()
            .map(|one| {
                last = *one + place(id) * last;
                last
            })
            .collect();
        quotient.reverse();
        quotient
    };
    let numerators: Vec<Vec<C::Scalar>> = ids.iter().map(without).collect();
    let at = |polynomial: &[C::Scalar], x: C::Scalar| {
        polynomial.iter().rev().fold(zero(), |value, one| value * x + *one)
    };
    let mut scales: Vec<_> =
        ids.iter().zip(&numerators).map(|(id, one)| at(one, place(id))).collect();
    batch_invert::<C>(&mut scales)?;
    let scaled = numerators.into_iter().zip(scales);
    Some(scaled.map(|(one, scale)| one.into_iter().map(|c| c * scale).collect()).collect())
}
