//! The agreement about new shares holds in every order of steps, and each of its rules is needed.

use core::iter;

use quorate_keys::agreement::Guard;
use quorate_model::agreement::{Variant, cases, early_deletion, live, liveness, variants};
use quorate_model::explore;

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

/// The guard behind this one in the order of their declaration. A new guard does not compile without a line here.
const fn next(guard: Guard) -> Option<Guard> {
    Some(match guard {
        Guard::OneVote => Guard::NotOver,
        Guard::NotOver => Guard::Ledger,
        Guard::Ledger => Guard::Database,
        Guard::Database => Guard::KeepVotes,
        Guard::KeepVotes => Guard::Backups,
        Guard::Backups => Guard::Barred,
        Guard::Barred => Guard::Floor,
        Guard::Floor => Guard::Signs,
        Guard::Signs => Guard::Genuine,
        Guard::Genuine => Guard::KeepLater,
        Guard::KeepLater => Guard::KeepVoted,
        Guard::KeepVoted => Guard::KeepForgotten,
        Guard::KeepForgotten => return None,
    })
}

#[test]
fn every_guard_is_left_out_by_a_variant() {
    let variants = variants();
    let guards: Vec<_> = iter::successors(Some(Guard::OneVote), |guard| next(*guard)).collect();
    assert_eq!(guards.len(), 13);
    for guard in guards {
        let mut left_out = variants.iter().map(|(case, _)| case.variant);
        assert!(left_out.any(|variant| variant == Variant::Without(guard)), "{guard:?}");
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
