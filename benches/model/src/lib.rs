//! A model of the agreement about new shares (`docs/spec/agreement.md`), explored in every order of steps.
//!
//! The parties run [`quorate_keys::agreement::Agreement`] itself. The model surrounds them with stores, crashes, a
//! restore from an older copy, a network that loses, repeats and reorders, and a member that lies. Its coordinator orders
//! anything. `cargo run --release` prints the table; `cargo run --release -- large` that of the largest cases; `cargo run --release -- trace NAME` the shortest failure
//! of a variant.
//!
//! - **Network.** What an honest party ever sent can be heard by anybody, in any order, again, or never.
//! - **Lies.** A liar's statement is there whenever a certificate needs it. A party that does not hear it is one that does
//!   not take the step.
//! - **Crash.** A party's memory is a function of its stores, so a crash is a step whose list of stores is carried out in
//!   part. The property `crash` checks that function.
//! - **Restore.** One copy of one honest party's stores is made at any time, and restored once: one store, both, or one after
//!   the other.

mod case;
mod liveness;
mod party;
mod properties;
mod steps;
mod world;

pub use case::{Case, Restore, Variant, cases, early_deletion, large, live, variants};
pub use liveness::{Liveness, liveness};
pub use steps::Act;
pub use world::World;

use std::collections::{HashSet, VecDeque};

use stateright::{Checker, HasDiscoveries, Model};

/// The result of an exploration.
#[derive(Debug)]
pub struct Found {
    /// The number of distinct states.
    pub states: usize,
    /// The properties that fail, with the steps that lead there.
    pub failures: Vec<(&'static str, Vec<Act>)>,
}

/// Explores a case from its first state. With one thread the traces of failures are as short as can be. `until` names a
/// property whose failure is enough.
#[must_use]
pub fn explore(case: &Case, threads: usize, until: Option<&'static str>) -> Found {
    let until = until.map_or(HasDiscoveries::All, |one| HasDiscoveries::AnyOf([one].into()));
    let checker = case.clone().checker().threads(threads).finish_when(until);
    let checker = checker.spawn_bfs().join();
    let failures = checker.discoveries().into_iter();
    let failures = failures.map(|(name, path)| (name, path.into_actions()));
    Found { states: checker.unique_state_count(), failures: failures.collect() }
}

/// The shortest way to a state in which a property fails.
#[must_use]
#[allow(
    clippy::mutable_key_type,
    reason = "a party is equal by its place; its cache is no part of it"
)]
pub fn shortest(case: &Case, property: &str) -> Option<Vec<Act>> {
    let condition = case.properties().into_iter().find(|one| one.name == property)?.condition;
    let first = World::first(case);
    let mut seen: HashSet<World> = [first.clone()].into();
    let mut queue: VecDeque<(World, Vec<Act>)> = [(first, vec![])].into();
    while let Some((world, path)) = queue.pop_front() {
        if !condition(case, &world) {
            return Some(path);
        }
        let mut acts = vec![];
        case.actions(&world, &mut acts);
        for act in acts {
            let Some(after) = case.next_state(&world, act) else { continue };
            if seen.insert(after.clone()) {
                let mut path = path.clone();
                path.push(act);
                queue.push_back((after, path));
            }
        }
    }
    None
}
