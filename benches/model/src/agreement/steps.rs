//! The steps that can follow in a state.

use std::sync::Arc;

use stateright::{Model, Property};

use super::case::{Case, Restore, Variant};
use super::party::{Bits, Op, Stores, has};
use super::properties::{self, is_newer_held};
use super::world::{Copy, World};

/// A step. Parties are places in the list of honest ones, attempts places in the case's. The last number says how many
/// stores are carried out before a crash; one more than there are is the whole step, with its message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// t holders deal.
    Deal(usize),
    /// A party stores a new share.
    Create(usize, usize),
    /// A party votes.
    Prepare(usize, usize, usize),
    /// A party hears a certificate of `Prepared`.
    Commit(usize, usize, usize),
    /// A party hears a certificate of `Committed`.
    Supersede(usize, usize, usize),
    /// A party deletes what is superseded.
    Delete(usize),
    /// A party gives a share up.
    Discard(usize, usize),
    /// A copy of a party's stores is made.
    Copy(usize),
    /// The copy is restored.
    Restore,
    /// A party starts, and stores what one of its stores lacks.
    Open(usize, usize),
    /// A party votes again, above this epoch.
    Rejoin(usize, u32, usize),
    /// A crash takes a share that was not durable.
    Lose(usize, usize),
}

/// The most stores in a step, and one for its message. A start after a restore may have more.
const PARTS: usize = 3;

impl Model for Case {
    type State = World;
    type Action = Act;

    fn init_states(&self) -> Vec<World> {
        vec![World::first(self)]
    }

    fn actions(&self, world: &World, acts: &mut Vec<Act>) {
        if self.dealing {
            let runs = 1..self.runs.len();
            acts.extend(runs.filter(|run| self.may_deal(world, *run)).map(Act::Deal));
        }
        for party in 0..world.parties.len() {
            self.acts_of(world, party, acts);
        }
        let may_restore = match &world.copy {
            Copy::Of(..) => true,
            // What one store had lost is stored again before the other one is restored.
            Copy::Half(owner, _) => !world.parties[*owner].is_opening,
            Copy::None | Copy::Restored => false,
        };
        if may_restore {
            acts.push(Act::Restore);
        }
    }

    fn next_state(&self, last: &World, act: Act) -> Option<World> {
        let mut world = last.clone();
        self.act(&mut world, act)?;
        Some(world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        properties::all()
    }
}

impl Case {
    /// Returns whether t holders of something that it can be dealt from are there; liars deal too.
    fn may_deal(&self, world: &World, run: usize) -> bool {
        let ready = |source: &usize| {
            let threshold = self.runs[*source].attempt.committee().threshold();
            world.holders(*source) + self.liars_in(*source) >= usize::from(threshold)
        };
        !has(world.dealt, run) && self.runs[run].from.iter().any(ready)
    }

    fn acts_of(&self, world: &World, party: usize, acts: &mut Vec<Act>) {
        let one = &world.parties[party];
        if world.copy == Copy::None && self.restore != Restore::Nothing {
            acts.push(Act::Copy(party));
        }
        if one.is_opening {
            acts.extend((1..=8).map(|parts| Act::Open(party, parts)));
            return;
        }
        for run in 1..self.runs.len() {
            self.acts_on(world, party, run, acts);
        }
        if one.deletable != 0 {
            acts.push(Act::Delete(party));
        }
        if !one.votes {
            let highest = self.highest_of_others(world, party);
            acts.extend((1..=PARTS).map(|parts| Act::Rejoin(party, highest, parts)));
        }
    }

    /// The answers to a party that rejoins: what others hold, and the resharings that they took part in.
    fn highest_of_others(&self, world: &World, party: usize) -> u32 {
        let others = world.parties.iter().enumerate().filter(|(other, _)| *other != party);
        let held = others.clone().filter_map(|(_, other)| other.highest).max();
        let part = |run: &usize| others.clone().any(|(other, _)| self.is_member(other, *run));
        let runs = (0..self.runs.len()).filter(|run| self.dealing && has(world.dealt, *run));
        let runs = runs.filter(part).map(|run| self.runs[run].attempt.epoch()).max();
        held.max(runs).unwrap_or_default()
    }

    fn acts_on(&self, world: &World, party: usize, run: usize, acts: &mut Vec<Act>) {
        let one = &world.parties[party];
        let mut parts = |act: fn(usize, usize, usize) -> Act| {
            acts.extend((1..=PARTS).map(|parts| act(party, run, parts)));
        };
        let said = |bits: &[Bits]| has(bits[run], party);
        let is_here = has(one.stores.shares, run);
        if is_here && !(has(one.prepared, run) && said(&world.prepared)) {
            parts(Act::Prepare);
        }
        let is_done = has(one.committed, run) && said(&world.committed);
        if is_here && !is_done && self.has_prepared(world, run) {
            parts(Act::Commit);
        }
        let is_newer = one.ended.is_none_or(|last| last < self.runs[run].attempt.epoch());
        if is_newer && self.has_committed(world, party, run) {
            parts(Act::Supersede);
        }
        let is_new = self.is_member(party, run) && !has(world.made[party], run);
        if is_new && (!self.dealing || has(world.dealt, run)) {
            acts.push(Act::Create(party, run));
        }
        if self.discards && has(one.created, run) {
            acts.push(Act::Discard(party, run));
        }
        if self.variant == Variant::NotDurable && has(one.stores.shares, run) {
            acts.push(Act::Lose(party, run));
        }
    }

    /// Returns whether this number of members have said it, liars included.
    fn is_said(&self, bits: &[Bits], run: usize, need: usize) -> bool {
        bits[run].count_ones() as usize + self.liars_in(run) >= need
    }

    fn has_prepared(&self, world: &World, run: usize) -> bool {
        let committee = self.runs[run].attempt.committee();
        let by = |need| self.is_said(&world.prepared, run, need);
        match self.variant {
            Variant::CommitOnOrder => true,
            Variant::PreparedByT => by(committee.threshold().into()),
            _ => by(committee.parties().len()),
        }
    }

    fn has_committed(&self, world: &World, party: usize, run: usize) -> bool {
        let committee = self.runs[run].attempt.committee();
        let by = |need| self.is_said(&world.committed, run, need);
        match self.variant {
            Variant::DeleteOnCommit => has(world.committed[run], party),
            Variant::CommittedByT => by(committee.threshold().into()),
            _ => by(committee.parties().len()),
        }
    }

    fn act(&self, world: &mut World, act: Act) -> Option<()> {
        match act {
            Act::Deal(run) => world.dealt |= 1 << run,
            Act::Create(party, run) => {
                self.take(world, party, Op::Create(run), 1)?;
                world.made[party] |= 1 << run;
            }
            Act::Prepare(party, run, parts) => {
                let whole = self.take(world, party, Op::Prepare(run), parts)?;
                if whole || self.variant == Variant::SendFirst {
                    world.prepared[run] |= 1 << party;
                }
            }
            Act::Commit(party, run, parts) => {
                // It signs as one that has committed from the first store on.
                world.ever |= 1 << run;
                if self.take(world, party, Op::Commit(run), parts)? {
                    world.committed[run] |= 1 << party;
                }
            }
            Act::Supersede(party, run, parts) => {
                self.take(world, party, Op::Supersede(run), parts)?;
            }
            Act::Rejoin(party, highest, parts) => {
                self.take(world, party, Op::Rejoin(highest), parts)?;
            }
            Act::Discard(party, run) => {
                self.take(world, party, Op::Discard(run), 1)?;
            }
            Act::Open(party, parts) => {
                self.take(world, party, Op::Open, parts)?;
            }
            Act::Delete(party) => self.delete(world, party),
            Act::Lose(party, run) => {
                self.alter(world, party, |stores| stores.shares &= !(1 << run))
            }
            Act::Copy(owner) => world.copy = Copy::Of(owner, Arc::clone(&world.parties[owner])),
            Act::Restore => self.restore(world)?,
        }
        Some(())
    }

    /// Carries out the first stores of a step; `true` if that is all, and its message goes out. `None` for more than it has.
    fn take(&self, world: &mut World, party: usize, op: Op, parts: usize) -> Option<bool> {
        let taken = world.parties[party].take(self, party, op)?;
        let whole = parts == taken.after.len();
        let stores = if self.variant == Variant::SendFirst && !whole {
            // The message went out, and nothing is stored yet.
            world.parties[party].stores.clone()
        } else {
            taken.after.get(parts - 1)?.clone()
        };
        if let Some((at, run)) = taken.backup.filter(|(at, _)| *at < parts) {
            debug_assert!(at < taken.after.len());
            self.back_up(world, party, run);
        }
        world.forgot |= whole && taken.forgets;
        world.parties[party] = self.memory.party(self, party, stores);
        Some(whole)
    }

    /// R3: the copy has the share from now on, if it is one of this party's database.
    fn back_up(&self, world: &mut World, party: usize, run: usize) {
        if let Copy::Of(owner, copy) | Copy::Half(owner, copy) = &mut world.copy
            && *owner == party
        {
            let mut stores = copy.stores.clone();
            stores.shares |= 1 << run;
            *copy = self.memory.party(self, party, stores);
        }
    }

    fn alter(&self, world: &mut World, party: usize, how: impl FnOnce(&mut Stores)) {
        let mut stores = world.parties[party].stores.clone();
        how(&mut stores);
        world.parties[party] = self.memory.party(self, party, stores);
    }

    fn delete(&self, world: &mut World, party: usize) {
        let gone = world.parties[party].deletable;
        let mut runs = (0..self.runs.len()).filter(|run| has(gone, *run));
        world.lost |= runs.any(|run| !is_newer_held(self, world, run));
        self.alter(world, party, |stores| stores.shares &= !gone);
    }

    fn restore(&self, world: &mut World) -> Option<()> {
        let (owner, copy, is_second) = match std::mem::replace(&mut world.copy, Copy::Restored) {
            Copy::Of(owner, copy) => (owner, copy, false),
            Copy::Half(owner, copy) => (owner, copy, true),
            Copy::None | Copy::Restored => return None,
        };
        let old = copy.stores.clone();
        if self.restore.is_twice() && !is_second {
            world.copy = Copy::Half(owner, copy);
        }
        let (database, ledger) = self.restore.stores(is_second);
        self.alter(world, owner, |stores| {
            if database {
                (stores.record, stores.shares) = (old.record, old.shares);
            }
            if ledger {
                stores.ledger = old.ledger;
            }
            stores.restored = database && ledger;
        });
        Some(())
    }
}
