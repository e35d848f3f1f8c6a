//! One honest party: its two stores, and the steps that the state machine takes from them.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex};

use quorate_keys::agreement::{
    Agreement, Entry, Held, Opening, PendingStep, Record, Status, Store, Stored,
};
use quorate_keys::session::Continuity;

use super::case::{Case, KEY, Variant, id, package};

/// A set of attempts or parties, one bit each.
pub type Bits = u8;

pub fn has(bits: Bits, index: usize) -> bool {
    bits >> index & 1 == 1
}

/// The numbers below `count` for which it holds.
pub fn bits(count: usize, holds: impl Fn(usize) -> bool) -> Bits {
    (0..count).filter(|index| holds(*index)).fold(0, |bits, index| bits | 1 << index)
}

/// The two stores of one party.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Stores {
    /// The record in the database.
    pub record: Option<Record>,
    /// The shares in the database.
    pub shares: Bits,
    /// The ledger.
    pub ledger: BTreeSet<Entry>,
    /// Both were restored, and the state machine has not been opened since.
    pub restored: bool,
}

impl Stores {
    pub fn first(case: &Case, party: usize) -> Self {
        let shares = Bits::from(case.is_member(party, 0));
        Self { record: None, shares, ledger: BTreeSet::new(), restored: false }
    }

    fn open(&self, case: &Case, party: usize) -> Opening {
        let held = (0..case.runs.len()).filter(|run| has(self.shares, *run));
        let stored = Stored {
            record: self.record.clone(),
            held: held.map(|run| share(case, party, run)).collect(),
            ledger: self.ledger.iter().cloned().collect(),
        };
        // Nobody vouches for what both stores have after a restore.
        let continuity = if self.restored { Continuity::Unknown } else { Continuity::StayedUp };
        Agreement::open_with(id(case.honest[party]), KEY, stored, continuity, case.guards())
            .expect("stores of one key and party, with one vote for each epoch")
    }

    /// Carries out one store. What has to be in every copy is the world's to do.
    fn carry_out(&mut self, case: &Case, store: &Store) {
        match store {
            Store::Record(record) => {
                self.record = Some(record.clone());
            }
            Store::Ledger(entry) => {
                self.ledger.insert(entry.clone());
            }
            Store::Backups(_) => {}
        }
        if case.variant == Variant::VotesExpire {
            self.ledger.clear();
            self.record = None;
        }
    }
}

/// A share of the party, as it is read back from the database.
fn share(case: &Case, party: usize, run: usize) -> Held {
    Held::invented(id(case.honest[party]), case.runs[run].attempt.clone(), run == 0)
}

/// One thing that a party may do by itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    Open,
    Create(usize),
    Prepare(usize),
    Commit(usize),
    Supersede(usize),
    Discard(usize),
    Rejoin(u32),
}

/// The stores of a step, carried out one after the other.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The party's stores after each.
    pub after: Vec<Stores>,
    /// The place in that list from which on every copy has the share of this attempt.
    pub backup: Option<(usize, usize)>,
    /// The party's memory after the whole step is not what a start would give.
    pub forgets: bool,
}

/// A party with these stores, and what the state machine says of it.
pub struct Party {
    place: u32,
    pub stores: Stores,
    /// Stores are left to do at the start.
    pub is_opening: bool,
    /// The shares that the machine counts, by the least status that they have.
    pub created: Bits,
    pub prepared: Bits,
    pub committed: Bits,
    /// The shares that may sign.
    pub signs: Bits,
    /// The shares that may be deleted.
    pub deletable: Bits,
    /// The epoch of the last change that ended.
    pub ended: Option<u32>,
    pub votes: bool,
    pub highest: Option<u32>,
    taken: Mutex<HashMap<Op, Option<Arc<Taken>>>>,
}

impl Party {
    fn new(case: &Case, party: usize, stores: Stores, place: u32) -> Self {
        let opening = stores.open(case, party);
        let is_opening = stores.restored || !opening.stores().is_empty();
        let agreement = opening.stored();
        let count = case.runs.len();
        let status = |run: usize| {
            let mut all = agreement.statuses();
            all.find(|(name, _)| **name == case.runs[run].attempt).map(|(_, status)| status)
        };
        let ended = agreement.superseded();
        Self {
            place,
            is_opening,
            created: bits(count, |run| status(run).is_some()),
            prepared: bits(count, |run| status(run) >= Some(Status::Prepared)),
            committed: bits(count, |run| status(run) >= Some(Status::Committed)),
            signs: bits(count, |run| agreement.may_sign(package(case, run))),
            deletable: bits(count, |run| {
                has(stores.shares, run) && ended.is_some_and(|last| last.covers(package(case, run)))
            }),
            ended: ended.map(|last| last.by().epoch()),
            votes: agreement.votes(),
            highest: agreement.highest_epoch(),
            stores,
            taken: Mutex::default(),
        }
    }

    /// The step of the state machine; `None` if it refuses.
    pub fn take(&self, case: &Case, party: usize, op: Op) -> Option<Arc<Taken>> {
        let mut known = self.taken.lock().expect("no thread has panicked");
        known.entry(op).or_insert_with(|| self.decide(case, party, op).map(Arc::new)).clone()
    }

    fn decide(&self, case: &Case, party: usize, op: Op) -> Option<Taken> {
        let opening = self.stores.open(case, party);
        if op == Op::Open {
            let mut taken = carried_out(case, self.stores.clone(), opening.stores());
            taken.after.last_mut()?.restored = false;
            return Some(taken);
        }
        let mut agreement = opening.stored();
        let mut stores = self.stores.clone();
        let mut taken = match op {
            Op::Open => return None,
            Op::Create(run) => {
                agreement.create(&share(case, party, run)).ok()?;
                stores.shares |= 1 << run;
                carried_out(case, stores, &[])
            }
            Op::Prepare(run) => {
                run_step(case, stores, agreement.prepare(&share(case, party, run)).ok()?)
            }
            Op::Commit(run) => {
                run_step(case, stores, agreement.commit(&case.runs[run].prepared).ok()?)
            }
            Op::Supersede(run) => {
                run_step(case, stores, agreement.supersede(&case.runs[run].committed).ok()?)
            }
            Op::Rejoin(highest) => run_step(case, stores, agreement.rejoin(highest).ok()?),
            Op::Discard(run) => {
                let _permit = agreement.discard(package(case, run)).ok()?;
                stores.shares &= !(1 << run);
                carried_out(case, stores, &[])
            }
        };
        let again = taken.after.last()?.open(case, party);
        let same = again.stores().is_empty() && again.stored() == agreement;
        taken.forgets = !same && case.variant == Variant::None;
        Some(taken)
    }
}

/// The step with its message: one state after each store, and one after all, which is the last again.
fn run_step<T>(case: &Case, stores: Stores, step: PendingStep<'_, T>) -> Taken {
    let taken = carried_out(case, stores, step.stores());
    let _ = step.stored();
    taken
}

fn carried_out(case: &Case, mut stores: Stores, list: &[Store]) -> Taken {
    let mut after = vec![];
    let mut backup = None;
    for (at, store) in list.iter().enumerate() {
        stores.carry_out(case, store);
        if let Store::Backups(attempt) = store {
            let run = (0..case.runs.len()).find(|run| package(case, *run) == *attempt);
            backup = run.map(|run| (at, run));
        }
        after.push(stores.clone());
    }
    after.push(stores);
    Taken { after, backup, forgets: false }
}

/// Parties with equal stores are one, and what the state machine said of them is kept.
#[derive(Default)]
pub struct Memory(Mutex<HashMap<(usize, Stores), Arc<Party>>>);

impl Memory {
    pub fn party(&self, case: &Case, party: usize, stores: Stores) -> Arc<Party> {
        let mut known = self.0.lock().expect("no thread has panicked");
        let place = known.len() as u32;
        let key = (party, stores);
        if let Some(one) = known.get(&key) {
            return Arc::clone(one);
        }
        let one = Arc::new(Party::new(case, party, key.1.clone(), place));
        known.insert(key, Arc::clone(&one));
        one
    }
}

impl PartialEq for Party {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place
    }
}

impl Eq for Party {}

impl Hash for Party {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.place.hash(state);
    }
}

impl fmt::Debug for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.stores.fmt(f)
    }
}
