//! n − t bad signers of each kind, in random schedules: the others finish.

use quorate_testkit::suite_tests;

use super::outside::Outside;
use super::world::{ALL, Bad, TEXT, World, fits};

/// Plays a run to its end, and checks signature, bound and blame.
fn finishes<S: Outside>(threshold: u16, parties: u16, bad: &[Bad], seed: u64) -> World<S> {
    let mut world = World::<S>::new(threshold, parties, bad, seed);
    let signature = world.play().unwrap_or_else(|| panic!("{bad:?}, {seed}: no signature"));
    let key = world.public.verifying_key();
    key.verify(TEXT, &signature).unwrap();
    assert!(S::holds(key.as_bytes().as_ref(), TEXT, signature.to_bytes().as_ref()));
    assert!(world.coordinator.sessions() <= usize::from(parties - threshold + 1));
    for (party, fault) in world.coordinator.marked() {
        let kind = world.players[&party].bad;
        assert!(kind.is_some_and(|kind| fits(kind, fault)), "party {party}, {kind:?}: {fault}");
    }
    assert!(world.coordinator.can_finish());
    world
}

fn each_kind<S: Outside>() {
    for (threshold, parties) in [(2, 3), (3, 5)] {
        for kind in ALL {
            let bad = vec![kind; usize::from(parties - threshold)];
            for seed in 0..3 {
                finishes::<S>(threshold, parties, &bad, seed);
            }
        }
        finishes::<S>(threshold, parties, &[], 9);
    }
}

suite_tests!(each_kind);

/// Mixed kinds, in many schedules.
#[test]
fn two_hundred_schedules_of_mixed_kinds_finish() {
    schedules_of_mixed_kinds_finish(0..200);
}

#[test]
#[ignore = "long: .ci/run long"]
fn a_thousand_schedules_of_mixed_kinds_finish() {
    schedules_of_mixed_kinds_finish(200..1200);
}

fn schedules_of_mixed_kinds_finish(seeds: core::ops::Range<u64>) {
    use quorate::frost::ed25519::Ed25519Sha512 as S;
    let (mut most, mut marked) = (0, std::collections::BTreeSet::new());
    for seed in seeds {
        let (threshold, parties) = [(2, 4), (3, 5), (2, 5), (5, 8), (4, 4)][seed as usize % 5];
        let number = usize::from(parties - threshold);
        let kind = |at: usize| ALL[(seed as usize * 5 + at * 7 + seed as usize / 12) % ALL.len()];
        let bad: Vec<_> = (0..number).map(kind).collect();
        let world = finishes::<S>(threshold, parties, &bad, seed);
        most = most.max(world.coordinator.sessions());
        let kinds = world.coordinator.marked().map(|(party, _)| world.players[&party].bad);
        marked.extend(kinds.map(|kind| format!("{kind:?}")));
    }
    // Every kind that can be told from a slow network was marked, and runs had several sessions.
    assert_eq!(marked.len(), ALL.iter().filter(|kind| !silent(**kind)).count(), "{marked:?}");
    assert!(most >= 3, "{most}");
}

fn silent(kind: Bad) -> bool {
    matches!(kind, Bad::Silent | Bad::StallsWhenAsked | Bad::StallsAfterOne | Bad::Replays)
}

/// With one bad signer more than a run tolerates there is no signature, and no honest signer is marked.
#[test]
fn without_t_honest_signers_nothing_is_made_up() {
    use quorate::frost::ed25519::Ed25519Sha512 as S;
    for kind in ALL {
        for seed in 0..10 {
            let mut world = World::<S>::new(3, 5, &[kind; 3], seed);
            assert!(world.play().is_none() || kind == Bad::StallsAfterOne, "{kind:?}");
            let bad = world.bad();
            assert!(world.coordinator.marked().all(|(party, _)| bad.contains(&party)));
            let marked = world.coordinator.marked().count();
            assert_eq!(world.coordinator.can_finish(), marked < 3);
        }
    }
}
