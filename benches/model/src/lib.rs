//! Four models that are explored in every order of steps.
//!
//! - [`agreement`]: the agreement about new shares (`docs/spec/agreement.md`). It runs the published state machine.
//! - [`broadcast`]: the promise of a session about broadcasts and blame (`docs/spec/models.md`). A test runs real sessions
//!   beside it.
//! - [`spent`]: what is spent is spent once (`docs/spec/models.md`).
//! - [`votes`]: one vote of a validator has one signature (`docs/spec/models.md`).
//!
//! `cargo run --release` prints the tables; `cargo run --release -- large` that of the largest cases of the agreement;
//! `cargo run --release -- trace NAME` the shortest failure of a variant.

pub mod agreement;
pub mod broadcast;
pub mod spent;
pub mod votes;

use std::collections::{HashSet, VecDeque};
use std::hash::Hash;

use stateright::{Checker, HasDiscoveries, Model};

/// The result of an exploration.
#[derive(Debug)]
pub struct Found<A> {
    /// The number of distinct states.
    pub states: usize,
    /// The properties that fail, with the steps that lead there.
    pub failures: Vec<(&'static str, Vec<A>)>,
}

/// Explores a model from its first state. With one thread the traces of failures are as short as can be. `until` names a
/// property whose failure is enough.
#[must_use]
pub fn explore<M>(model: &M, threads: usize, until: Option<&'static str>) -> Found<M::Action>
where
    M: Model + Clone + Send + Sync + 'static,
    M::Action: Clone + PartialEq + std::fmt::Debug,
    M::State: Clone + PartialEq + Hash + std::fmt::Debug + Send + Sync + 'static,
{
    let until = until.map_or(HasDiscoveries::All, |one| HasDiscoveries::AnyOf([one].into()));
    let checker = model.clone().checker().threads(threads).finish_when(until);
    let checker = checker.spawn_bfs().join();
    let failures = checker.discoveries().into_iter();
    let failures = failures.map(|(name, path)| (name, path.into_actions()));
    Found { states: checker.unique_state_count(), failures: failures.collect() }
}

/// The shortest way to a state in which a property fails.
#[must_use]
pub fn shortest<M>(model: &M, property: &str) -> Option<Vec<M::Action>>
where
    M: Model,
    M::Action: Clone,
    M::State: Clone + Eq + Hash,
{
    let condition = model.properties().into_iter().find(|one| one.name == property)?.condition;
    way_to(model, |state| !condition(model, state))
}

/// Every state that can be reached.
#[must_use]
pub fn reachable<M>(model: &M) -> HashSet<M::State>
where
    M: Model,
    M::State: Clone + Eq + Hash,
{
    let mut seen: HashSet<M::State> = model.init_states().into_iter().collect();
    let mut left: Vec<M::State> = seen.iter().cloned().collect();
    while let Some(state) = left.pop() {
        let mut acts = vec![];
        model.actions(&state, &mut acts);
        for after in acts.into_iter().filter_map(|act| model.next_state(&state, act)) {
            if seen.insert(after.clone()) {
                left.push(after);
            }
        }
    }
    seen
}

/// The shortest way to a state for which this holds.
#[must_use]
pub fn way_to<M>(model: &M, holds: impl Fn(&M::State) -> bool) -> Option<Vec<M::Action>>
where
    M: Model,
    M::Action: Clone,
    M::State: Clone + Eq + Hash,
{
    let first = model.init_states();
    let mut seen: HashSet<M::State> = first.iter().cloned().collect();
    let mut queue: VecDeque<_> = first.into_iter().map(|state| (state, vec![])).collect();
    while let Some((state, path)) = queue.pop_front() {
        if holds(&state) {
            return Some(path);
        }
        let mut acts = vec![];
        model.actions(&state, &mut acts);
        for act in acts {
            let Some(after) = model.next_state(&state, act.clone()) else { continue };
            if seen.insert(after.clone()) {
                let mut path = path.clone();
                path.push(act);
                queue.push_back((after, path));
            }
        }
    }
    None
}
