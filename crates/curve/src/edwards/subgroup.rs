//! The subgroup of prime order.

use alloc::vec::Vec;

use crrl::field::GF25519;
use rand_core::Rng;

use super::{Addend, Edwards, Niels};
use crate::msm::edwards_multiple;
use crate::torsion::subset_sums;

/// Returns whether all these points, whose Z is 1, are in the subgroup of this prime order, in
/// variable time. It accepts points that are not with a chance of 2^-128.
pub(crate) fn all_in_subgroup_vartime(
    points: &[Edwards],
    order: &[u64],
    rng: &mut impl Rng,
) -> bool {
    let entries: Vec<Niels> = points.iter().map(|point| point.niels(&GF25519::ONE)).collect();
    let add = |sum: &Edwards, point: &Niels| point.added_to(sum);
    let sums = subset_sums(&entries, rng, Edwards::IDENTITY, add, Edwards::plus);
    // The sums as they are, since addition is complete on the whole curve.
    sums.iter().all(|sum| edwards_multiple(order, sum).is_identity())
}
