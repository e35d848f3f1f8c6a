//! One vote has one signature, in every order of steps, and each guard is needed.

use std::collections::BTreeSet;

use quorate_model::explore;
use quorate_model::votes::{Guard, cases, variants};

#[test]
fn every_property_holds_in_every_case() {
    for case in cases() {
        let found = explore(&case, 2, None);
        let failed = found.failures.first();
        assert!(failed.is_none(), "{}: {failed:?}", case.name);
    }
}

#[test]
fn a_guard_less_fails_its_property() {
    for (case, property) in variants() {
        let found = explore(&case, 2, Some(property));
        let fails = found.failures.iter().any(|(name, _)| *name == property);
        assert!(fails, "{:?} in {}: {property} holds", case.without, case.name);
    }
}

/// The guard behind this one in the order of their declaration. A new guard does not compile without a line here.
const fn next(guard: Guard) -> Option<Guard> {
    Some(match guard {
        Guard::Watermark => Guard::Bound,
        Guard::Bound => Guard::Durable,
        Guard::Durable => Guard::Restored,
        Guard::Restored => Guard::Quorums,
        Guard::Quorums => Guard::Joins,
        Guard::Joins => Guard::Orders,
        Guard::Orders => return None,
    })
}

#[test]
fn every_guard_is_left_out_by_a_variant() {
    let left_out: BTreeSet<Guard> =
        variants().iter().filter_map(|(case, _)| case.without).collect();
    let all = std::iter::successors(Some(Guard::Watermark), |guard| next(*guard));
    assert!(all.into_iter().eq(left_out));
}
