//! The agreement about new shares holds in every order of steps, and each of its rules is needed.

use quorate_model::{cases, early_deletion, explore, live, liveness, variants};

#[test]
fn every_property_holds_in_every_case() {
    for case in cases() {
        let found = explore(&case, 2, None);
        let failed = found.failures.first();
        assert!(failed.is_none(), "{}, {:?} restored: {failed:?}", case.name, case.restore);
    }
}

#[test]
fn a_rule_less_fails_its_property() {
    for (case, property) in variants() {
        let found = explore(&case, 2, Some(property));
        let fails = found.failures.iter().any(|(name, _)| *name == property);
        assert!(fails, "{:?} in {}: {property} holds", case.variant, case.name);
    }
}

#[test]
fn deletion_on_own_commit_is_safe_if_nobody_is_restored() {
    assert!(explore(&early_deletion(), 2, None).failures.is_empty());
}

#[test]
fn an_end_can_be_reached_from_every_state() {
    for case in live() {
        let found = liveness(&case);
        assert_eq!(found.stuck, 0, "{}: of {} states", case.name, found.states);
    }
}
