//! Lagrange coefficients (RFC 9591 §4.2): λᵢ(x) = Π (x − xⱼ)/(xᵢ − xⱼ) over all j ≠ i, so that f(x)
//! = Σ λᵢ(x)·f(xᵢ) for every polynomial f with no more coefficients than there are ids.
//!
//! Ids are public, so all this runs in variable time in them; [`interpolate_at_zero`] is constant
//! time in the shares.

use alloc::vec::Vec;

use quorate_curve::{Curve, Secret};
use quorate_session::PartyId;

mod products;

/// The coefficients at zero of all these ids, in their order; `None` if an id occurs twice.
#[must_use]
pub fn all_at_zero<C: Curve>(ids: &[PartyId]) -> Option<Vec<C::Scalar>> {
    distinct(ids).then_some(())?;
    products::all::<C>(ids, 0)
}

/// The coefficients at the place of party `x` of all these ids, in their order; `None` if an id
/// occurs twice. They rebuild the share of `x` (repair); if `x` is among the ids, its own
/// coefficient is 1 and the others are 0.
#[must_use]
pub fn all_at<C: Curve>(ids: &[PartyId], x: PartyId) -> Option<Vec<C::Scalar>> {
    distinct(ids).then_some(())?;
    if ids.contains(&x) {
        return Some(ids.iter().map(|id| C::Scalar::from(u64::from(*id == x))).collect());
    }
    products::all::<C>(ids, x.get())
}

/// The coefficient at zero of `me` among these ids; `None` if an id occurs twice or `me` is not one
/// of them.
///
/// Work grows with the number of ids, not with its square.
#[must_use]
pub fn one_at_zero<C: Curve>(ids: &[PartyId], me: PartyId) -> Option<C::Scalar> {
    (ids.contains(&me) && distinct(ids)).then_some(())?;
    products::one::<C>(ids, me)
}

/// The secret at zero from shares, in the order of their ids; `None` if an id occurs twice or the
/// numbers of shares and ids differ.
///
/// Takes constant time in the shares. Shares that do not belong together give a meaningless number.
/// A caller that has a [commitment](crate::Commitment) compares the result with it.
#[must_use]
pub fn interpolate_at_zero<C: Curve>(
    ids: &[PartyId],
    shares: &[C::Scalar],
) -> Option<Secret<C::Scalar>> {
    if ids.len() != shares.len() {
        return None;
    }
    let coefficients = all_at_zero::<C>(ids)?;
    let terms = coefficients.iter().zip(shares).map(|(coefficient, share)| *coefficient * *share);
    Some(Secret::new(terms.fold(C::Scalar::default(), |sum, term| sum + term)))
}

/// Returns whether no id occurs twice.
fn distinct(ids: &[PartyId]) -> bool {
    // Sorted ids are the usual case and need no copy.
    if ids.is_sorted_by(|a, b| a < b) {
        return true;
    }
    let mut sorted = ids.to_vec();
    sorted.sort_unstable();
    sorted.is_sorted_by(|a, b| a < b)
}
