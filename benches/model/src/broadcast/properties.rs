//! The properties.

use stateright::Property;

use super::case::Case;
use super::frame::Bits;
use super::session::{End, EndKind};
use super::world::World;

fn ends(world: &World) -> impl Iterator<Item = (usize, &End)> {
    world.parties.iter().enumerate().filter_map(|(party, one)| Some((party, one.end.as_ref()?)))
}

/// Pairs of different honest parties whose runs have ended.
fn pairs(world: &World) -> impl Iterator<Item = [(usize, &End); 2]> {
    ends(world).flat_map(|one| {
        ends(world).filter(move |other| one.0 < other.0).map(move |other| [one, other])
    })
}

/// The parties that two pieces of evidence convict together (`blame.rs`, `equivocators`).
fn convicted(one: &End, other: &End) -> Bits {
    let differ = |party: usize| {
        [(one.seen, other.seen), (one.others, other.others)]
            .iter()
            .any(|(one, other)| matches!((one[party], other[party]), (Some(a), Some(b)) if a != b))
    };
    (0..one.seen.len()).filter(|party| differ(*party)).fold(0, |bits, party| bits | 1 << party)
}

/// No honest party is named, neither by a blame nor by the evidence of two others.
fn no_honest_party_is_named(case: &Case, world: &World) -> bool {
    let honest = case.honest_bits();
    let alone = ends(world).all(|(_, end)| end.named & honest == 0);
    let together = |[(_, one), (_, other)]: [(usize, &End); 2]| {
        !(one.mismatch && other.mismatch && one.round == other.round)
            || convicted(one, other) & honest == 0
    };
    alone && pairs(world).all(together)
}

/// If an honest party has accepted the broadcasts of a round, every other one that has completed the round had the same. So
/// two parties that had different broadcasts both stop.
fn broadcasts_are_equal(_: &Case, world: &World) -> bool {
    let sessions = || world.parties.iter().map(|one| &one.session);
    [0, 1].iter().all(|round: &usize| {
        sessions().filter_map(|one| one.accepted[*round]).all(|accepted| {
            sessions().filter_map(|other| other.views[*round]).all(|view| view == accepted)
        })
    })
}

/// If one honest party has a result that all have confirmed, every other result is the same.
fn results_are_equal(_: &Case, world: &World) -> bool {
    let results = || ends(world).filter_map(|(_, end)| Some((end.kind, end.result?)));
    let mut done = results().filter(|(kind, _)| *kind == EndKind::Done);
    done.all(|(_, result)| results().all(|(_, other)| other == result))
}

/// A party that has contradicted itself towards another is named by it.
fn culprits_are_named(_: &Case, world: &World) -> bool {
    ends(world).all(|(_, end)| end.contradicted == 0 || end.named == end.contradicted)
}

/// Two honest parties that ended by an echo, and have seen different broadcasts, convict somebody together.
fn evidence_convicts(_: &Case, world: &World) -> bool {
    pairs(world).filter(|[one, other]| one.1.round == other.1.round).all(|[one, other]| {
        let view = |party: usize| world.parties[party].session.views[usize::from(one.1.round) - 2];
        let both = one.1.mismatch && other.1.mismatch;
        !both || view(one.0) == view(other.0) || convicted(one.1, other.1) != 0
    })
}

pub(super) fn all() -> Vec<Property<Case>> {
    vec![
        Property::always("honest", no_honest_party_is_named),
        Property::always("equal", broadcasts_are_equal),
        Property::always("result", results_are_equal),
        Property::always("culprit", culprits_are_named),
        Property::always("convicts", evidence_convicts),
    ]
}
