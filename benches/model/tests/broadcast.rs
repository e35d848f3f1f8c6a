//! The promise of a session holds in every order of steps, and each of its guards is needed.

use std::collections::HashSet;

use quorate_model::broadcast::{Case, End, EndKind, Guard, Party, World, cases, variants};
use quorate_model::{explore, reachable, way_to};

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
        Guard::Sender => Guard::Run,
        Guard::Run => Guard::Recipient,
        Guard::Recipient => Guard::Repeated,
        Guard::Repeated => Guard::First,
        Guard::First => Guard::Contradiction,
        Guard::Contradiction => Guard::Everybody,
        Guard::Everybody => Guard::Echo,
        Guard::Echo => Guard::EveryEcho,
        Guard::EveryEcho => Guard::WholeEcho,
        Guard::WholeEcho => Guard::TwoEchoes,
        Guard::TwoEchoes => Guard::Nobody,
        Guard::Nobody => Guard::Seen,
        Guard::Seen => Guard::EchoFirst,
        Guard::EchoFirst => Guard::JudgedFirst,
        Guard::JudgedFirst => Guard::StoredFirst,
        Guard::StoredFirst => Guard::OneStart,
        Guard::OneStart => Guard::Latest,
        Guard::Latest => Guard::Tombstone,
        Guard::Tombstone => Guard::Discontinued,
        Guard::Discontinued => return None,
    })
}

#[test]
fn every_guard_is_left_out_by_a_variant() {
    let variants = variants();
    let guards: Vec<_> = std::iter::successors(Some(Guard::Sender), |guard| next(*guard)).collect();
    assert_eq!(guards.len(), 20);
    for guard in guards {
        assert!(variants.iter().any(|(case, _)| case.without == Some(guard)), "{guard:?}");
    }
}

fn named(name: &str) -> Case {
    cases().into_iter().find(|case| case.name == name).expect("a case of this name")
}

/// The parties as others can know them.
fn outcomes(case: &Case) -> HashSet<Vec<Party>> {
    let outcome = |party: &Party| Party { session: party.session.buried(), ..party.clone() };
    let all = reachable(case);
    all.iter().map(|world| world.parties.iter().map(outcome).collect()).collect()
}

#[test]
fn frames_that_come_together_or_one_by_one_have_the_same_outcomes() {
    let one_by_one = outcomes(&named("3 parties, 1 corrupt"));
    let together = outcomes(&named("3 parties, 1 corrupt; together"));
    assert!(one_by_one == together, "{} and {}", one_by_one.len(), together.len());
}

fn ends(world: &World) -> [Option<&End>; 2] {
    [0, 1].map(|party| world.parties[party].end.as_ref())
}

fn is_reached(holds: impl Fn(&End, &End) -> bool) -> bool {
    let both = |world: &World| matches!(ends(world), [Some(one), Some(other)] if holds(one, other));
    way_to(&named("3 parties, 1 corrupt"), both).is_some()
}

#[test]
fn runs_end_in_every_way_that_the_properties_speak_of() {
    let done = |end: &End| end.kind == EndKind::Done;
    assert!(is_reached(|one, other| done(one) && done(other)));
    assert!(is_reached(|one, other| done(one) && other.kind == EndKind::Unconfirmed));
    assert!(is_reached(|one, other| one.mismatch && other.mismatch && one.round == 2));
    assert!(is_reached(|one, other| one.mismatch && other.mismatch && one.round == 3));
    assert!(is_reached(|one, other| one.named != 0 && other.named != 0));
}

/// Results that all have not confirmed are no promise: two honest parties may hold different ones.
#[test]
fn two_unconfirmed_results_may_differ() {
    let differ = |one: &End, other: &End| matches!((one.result, other.result), (Some(one), Some(other)) if one != other);
    assert!(is_reached(differ));
}
