//! Nothing is spent twice in any order of steps, and each guard is needed.

use quorate_model::spent::{Case, Gap, Guard, World, apart, cases, unnoticed, variants};
use quorate_model::{explore, way_to};

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
        Guard::RecordedFirst => Guard::OneWriter,
        Guard::OneWriter => Guard::Stays,
        Guard::Stays => Guard::SameDigest,
        Guard::SameDigest => Guard::Apart,
        Guard::Apart => Guard::Told,
        Guard::Told => Guard::ToldAgain,
        Guard::ToldAgain => Guard::Compared,
        Guard::Compared => Guard::Seen,
        Guard::Seen => Guard::SeenAlways,
        Guard::SeenAlways => Guard::OwnMark,
        Guard::OwnMark => Guard::RandomMarks,
        Guard::RandomMarks => Guard::MarkOfRuns,
        Guard::MarkOfRuns => Guard::Witness,
        Guard::Witness => Guard::WitnessFirst,
        Guard::WitnessFirst => Guard::StockDropped,
        Guard::StockDropped => Guard::DroppedOnDisk,
        Guard::DroppedOnDisk => Guard::DroppedFirst,
        Guard::DroppedFirst => Guard::Alone,
        Guard::Alone => Guard::NewReceipt,
        Guard::NewReceipt => Guard::Swapped,
        Guard::Swapped => Guard::AnsweredFirst,
        Guard::AnsweredFirst => Guard::DueTold,
        Guard::DueTold => Guard::Discontinued,
        Guard::Discontinued => return None,
    })
}

#[test]
fn every_guard_is_left_out_by_a_variant() {
    let variants = variants();
    let first = Some(Guard::RecordedFirst);
    let guards: Vec<_> = std::iter::successors(first, |guard| next(*guard)).collect();
    assert_eq!(guards.len(), 24);
    for guard in guards {
        assert!(variants.iter().any(|(case, _)| case.without == Some(guard)), "{guard:?}");
    }
}

/// The limits of what the store can know: the table of what was spent is restored too, or under handles that are open.
#[test]
fn a_restore_that_nobody_notices_spends_twice() {
    for case in unnoticed() {
        let found = explore(&case, 1, Some("once"));
        let fails = found.failures.iter().any(|(name, _)| *name == "once");
        assert!(fails, "{}: it holds", case.name);
    }
}

/// Two databases that are copied at different times may fit together, whichever was copied first.
#[test]
fn a_step_between_two_copies_is_not_always_noticed() {
    for (gap, others) in [(Gap::Claim, 0), (Gap::Run, 1)] {
        let twice = |world: &World| world.is_spent_twice() && world.copy.gap == gap;
        assert!(way_to(&Case { others, ..apart() }, twice).is_some(), "{gap:?}");
    }
}

#[test]
fn both_names_can_be_spent() {
    let both = |world: &World| world.released.iter().all(|values| *values != 0);
    assert!(cases().iter().any(|case| case.names == 2 && way_to(case, both).is_some()));
}
