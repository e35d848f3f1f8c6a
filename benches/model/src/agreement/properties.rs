//! The properties.

use stateright::Property;

use super::case::Case;
use super::party::has;
use super::world::World;

fn threshold(case: &Case, run: usize) -> usize {
    case.runs[run].attempt.committee().threshold().into()
}

/// Returns whether t honest members hold shares of this attempt.
fn is_held(case: &Case, world: &World, run: usize) -> bool {
    world.holders(run) >= threshold(case, run)
}

/// At every moment t honest members of one committee hold shares of one attempt.
fn no_key_is_lost(case: &Case, world: &World) -> bool {
    (0..case.runs.len()).any(|run| is_held(case, world, run))
}

/// No two honest parties ever commit to different attempts of one epoch.
fn one_attempt_an_epoch(case: &Case, world: &World) -> bool {
    let ever = || (0..case.runs.len()).filter(|run| has(world.ever, *run));
    let epoch = |run: usize| case.runs[run].attempt.epoch();
    !ever().any(|one| ever().any(|other| one != other && epoch(one) == epoch(other)))
}

/// t honest members would sign with one attempt.
fn can_sign(case: &Case, world: &World) -> bool {
    let signers = |run| world.parties.iter().filter(|party| has(party.signs, run)).count();
    (0..case.runs.len()).any(|run| signers(run) >= threshold(case, run))
}

/// Returns whether t honest members hold something newer than this attempt.
pub(super) fn is_newer_held(case: &Case, world: &World, run: usize) -> bool {
    let epoch = |run: usize| case.runs[run].attempt.epoch();
    let mut newer = (0..case.runs.len()).filter(|one| epoch(*one) >= epoch(run) && *one != run);
    newer.any(|other| is_held(case, world, other))
}

pub(super) fn all() -> Vec<Property<Case>> {
    vec![
        Property::always("S1", no_key_is_lost),
        Property::always("S2", one_attempt_an_epoch),
        Property::always("S3", |_, world: &World| !world.lost),
        Property::always("M", can_sign),
        Property::always("crash", |_, world: &World| !world.forgot),
    ]
}
