//! From every state that can be reached, an end can be reached by the honest parties alone.

use std::collections::HashMap;

use stateright::Model;

use super::case::Case;
use super::party::has;
use super::steps::Act;
use super::world::World;

/// The result: how many states there are, and from how many no end can be reached.
#[derive(Debug)]
pub struct Liveness {
    /// The number of distinct states.
    pub states: usize,
    /// The number of states without a way to an end.
    pub stuck: usize,
}

/// Explores a case, and goes back from its ends along the steps that need no liar and no fault.
#[must_use]
pub fn liveness(case: &Case) -> Liveness {
    let mut index: HashMap<u128, u32> = HashMap::new();
    let mut queue = vec![World::first(case)];
    index.insert(print(&queue[0]), 0);
    let mut back: Vec<(u32, u32)> = vec![];
    let mut alive = vec![];
    let mut next = vec![];
    let mut at = 0;
    let mut acts = vec![];
    while !queue.is_empty() {
        for world in queue.drain(..) {
            alive.push(is_end(case, &world));
            acts.clear();
            case.actions(&world, &mut acts);
            for act in &acts {
                let Some(after) = case.next_state(&world, *act) else { continue };
                let count = index.len() as u32;
                let place = *index.entry(print(&after)).or_insert_with(|| {
                    next.push(after.clone());
                    count
                });
                if is_honest(case, &world, *act) && place != at {
                    back.push((place, at));
                }
            }
            at += 1;
        }
        std::mem::swap(&mut queue, &mut next);
    }
    let states = alive.len();
    Liveness { states, stuck: states - reaching(alive, back) }
}

/// How many states reach one that is alive.
fn reaching(mut alive: Vec<bool>, mut back: Vec<(u32, u32)>) -> usize {
    back.sort_unstable();
    let mut work: Vec<u32> = (0..alive.len() as u32).filter(|at| alive[*at as usize]).collect();
    while let Some(at) = work.pop() {
        let from = back.partition_point(|edge| edge.0 < at);
        for (_, before) in back[from..].iter().take_while(|edge| edge.0 == at) {
            if !std::mem::replace(&mut alive[*before as usize], true) {
                work.push(*before);
            }
        }
    }
    alive.iter().filter(|alive| **alive).count()
}

/// Two hashes of 64 bits with different beginnings.
fn print(world: &World) -> u128 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, world).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}

/// A step that needs neither a liar nor a fault, and is carried out to its end.
fn is_honest(case: &Case, world: &World, act: Act) -> bool {
    let all = |run: usize| case.liars_in(run) == 0;
    match act {
        Act::Deal(run) => case.runs[run].from.iter().any(|source| {
            let threshold = case.runs[*source].attempt.committee().threshold();
            world.holders(*source) >= threshold.into()
        }),
        Act::Commit(_, run, _) | Act::Supersede(_, run, _) => all(run),
        Act::Create(..) | Act::Prepare(..) | Act::Delete(_) | Act::Open(..) | Act::Rejoin(..) => {
            true
        }
        Act::Discard(..) | Act::Copy(_) | Act::Restore | Act::Lose(..) => false,
    }
}

/// Returns whether the change has ended: all honest members of an attempt have committed it, and no honest party has
/// anything else of its epoch or before.
fn is_end(case: &Case, world: &World) -> bool {
    let epoch = |run: usize| case.runs[run].attempt.epoch();
    (1..case.runs.len()).any(|run| {
        let others =
            (0..case.runs.len()).filter(|other| epoch(*other) <= epoch(run) && *other != run);
        let older = others.fold(0, |bits, other| bits | 1 << other);
        world.parties.iter().enumerate().all(|(party, one)| {
            let done = !case.is_member(party, run) || has(one.committed, run);
            done && one.stores.shares & older == 0
        })
    })
}
