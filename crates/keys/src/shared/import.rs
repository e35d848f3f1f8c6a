//! A key from its verifying shares, as other implementations keep it.

use alloc::vec::Vec;

use quorate_curve::{Curve, batch_invert};
use quorate_session::PartyId;
use quorate_sharing::{Commitment, lies_on_polynomial_vartime};

use super::SharedKey;
use crate::error::DecodeError;
use crate::{Committee, Family, Point};

impl<F: Family> SharedKey<F> {
    /// The key with these verifying shares, in the order of the parties.
    ///
    /// The polynomial is interpolated from the first t of them. The others, and the key, have to lie on it, which
    /// is checked first and takes n·(n − t) multiplications of scalars. Then come t multi-scalar multiplications
    /// of t terms each. Both are bounded before they start ([`Committee::importable`]).
    ///
    /// # Errors
    /// [`DecodeError::Committee`] if there are too many shares for that. [`DecodeError::Inconsistent`] if they
    /// are not the shares of this key with this threshold. Otherwise the errors of [`SharedKey::new`].
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
        committee.importable()?;
        let t = committee.points();
        let ids = committee.parties().as_slice().get(..t).ok_or(OTHERS)?;
        let first = shares.get(..t).ok_or(OTHERS)?;
        // The check comes before the work: if a stranger's values are not shares, they cost one multi-scalar
        // multiplication.
        if !lies_on_polynomial_vartime::<F::Curve>(
            committee.parties().as_slice(),
            key,
            shares,
            committee.threshold(),
        ) {
            return Err(OTHERS);
        }
        let points = interpolate::<F::Curve>(ids, first).ok_or(OTHERS)?;
        let commitment = Commitment::from_points(points);
        let fits = commitment.constant() == key;
        let found = Self::new(committee, epoch, commitment, extra)?;
        if fits && found.shares == shares { Ok(found) } else { Err(OTHERS) }
    }
}

/// The coefficients of the polynomial with these values, constant first. It takes variable time, since all of its
/// input is public.
///
/// In barycentric form f(x) = Σ w_i·f(x_i)·M(x)/(x − x_i), with M(x) = Π (x − x_j) and w_i = 1/M'(x_i). The
/// coefficients q_ik of M(x)/(x − x_i) follow from those of M from the highest down, q_i(k−1) = m_k + x_i·q_ik.
/// So one number for each place is enough to store them.
fn interpolate<C: Curve>(ids: &[PartyId], values: &[C::Point]) -> Option<Vec<C::Point>> {
    let zero = C::Scalar::default;
    let places: Vec<C::Scalar> =
        ids.iter().map(|id| C::Scalar::from(u64::from(id.get()))).collect();
    let product = places.iter().fold(Vec::from([C::Scalar::from(1)]), |product, place| {
        let higher = core::iter::once(zero()).chain(product.iter().copied());
        higher.zip(product.iter().copied().chain([zero()])).map(|(h, l)| h - *place * l).collect()
    });
    let quotients = |each: &mut dyn FnMut(&[C::Scalar])| {
        let mut numbers = alloc::vec![zero(); places.len()];
        for coefficient in product.iter().skip(1).rev() {
            for (number, place) in numbers.iter_mut().zip(&places) {
                *number = *coefficient + *place * *number;
            }
            each(&numbers);
        }
    };
    // M'(x_i) = (M(x)/(x − x_i))(x_i), by Horner's rule.
    let mut weights = alloc::vec![zero(); places.len()];
    quotients(&mut |numbers| {
        for ((weight, number), place) in weights.iter_mut().zip(numbers).zip(&places) {
            *weight = *weight * *place + *number;
        }
    });
    batch_invert::<C>(&mut weights)?;
    let mut points = Vec::with_capacity(places.len());
    quotients(&mut |numbers| {
        let terms: Vec<_> = weights.iter().zip(numbers).map(|(w, q)| *w * *q).collect();
        points.push(C::msm_vartime(&terms, values));
    });
    points.reverse();
    Some(points)
}
