//! Opening after a start, a crash, or a restore: rules R1, R2 and R4.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use quorate_session::{Continuity, PartyId};

use super::decide::{Store, standing_stores};
use super::error::OpenError;
use super::guards::{Guard, Guards};
use super::held::Held;
use super::ledger::{Content, Entry, Standing};
use super::record::Record;
use super::state::{Holding, State};
use crate::PackageId;

/// The content of both stores for one key at one party.
#[derive(Clone, Default, Debug)]
pub struct Stored {
    /// The record in the database, if there is one.
    pub record: Option<Record>,
    /// Every share of the key in the database, superseded ones too.
    pub held: Vec<Held>,
    /// Every entry of the key in the ledger, in any order.
    pub ledger: Vec<Entry>,
}

/// The state that follows from the stores, and the list of stores that come before any statement.
pub(super) fn open(
    me: PartyId,
    key: [u8; 32],
    stored: Stored,
    continuity: Continuity,
    guards: Guards,
) -> Result<(State, Vec<Store>), OpenError> {
    let Stored { record, held, ledger } = stored;
    let is_empty = record.is_none() && held.is_empty() && ledger.is_empty();
    if continuity == Continuity::NewStore && !is_empty {
        return Err(OpenError::NotEmpty);
    }
    let record = record.unwrap_or_else(|| Record::new(me, key));
    check_owner(me, key, &record, &held, &ledger)?;
    let restored = continuity == Continuity::Unknown;
    let lenient = Lenient {
        always: restored || guards != Guards::default(),
        standing: record.standing.max(standing(&ledger)),
    };
    let ledger = Ledger::read(&ledger, lenient)?;
    let mut state = State { guards, record: record.clone(), held: holdings(held) };
    let mut stores = if guards.on(Guard::Database) { ledger.lacks(&record) } else { vec![] };
    if guards.on(Guard::Ledger) {
        state.record.standing = record.standing.max(ledger.standing);
        adopt(&mut state.record, &ledger.votes, lenient)?;
    }
    if !guards.on(Guard::Database) {
        state.record.votes = ledger.votes;
    }
    state.prune();
    if restored && guards.on(Guard::Barred) && !state.record.standing.is_barred() {
        let restores = state.record.standing.restores.saturating_add(1);
        state.record.standing = Standing { restores, floor: None };
        stores.extend(standing_stores(&state.record));
    } else if state.record != record {
        stores.push(Store::Record(state.record.clone()));
    }
    Ok((state, stores))
}

/// Checks that everything belongs to this party and this key.
fn check_owner(
    me: PartyId,
    key: [u8; 32],
    record: &Record,
    held: &[Held],
    ledger: &[Entry],
) -> Result<(), OpenError> {
    let keys = held.iter().map(|held| held.attempt().key_id());
    let mut keys = keys.chain(ledger.iter().map(Entry::key_id)).chain([record.key]);
    if keys.any(|other| other != key) {
        return Err(OpenError::WrongKey);
    }
    let mut parties = held.iter().map(Held::id).chain([record.party]);
    match parties.find(|other| *other != me) {
        Some(got) => Err(OpenError::OtherParty { expected: me, got }),
        None => Ok(()),
    }
}

fn holdings(held: Vec<Held>) -> BTreeMap<PackageId, Holding> {
    let one = |held: Held| {
        let (attempt, settled) = (held.attempt().clone(), held.is_settled());
        (attempt.package_id(), Holding { attempt, settled })
    };
    held.into_iter().map(one).collect()
}

/// The sum of the ledger's entries.
struct Ledger {
    votes: BTreeMap<u32, PackageId>,
    standing: Standing,
}

/// The epochs in which two votes are not an error, since the party never votes there again.
#[derive(Clone, Copy)]
struct Lenient {
    always: bool,
    standing: Standing,
}

/// The last standing that the ledger has.
fn standing(entries: &[Entry]) -> Standing {
    let one = |entry: &Entry| match &entry.0 {
        Content::Vote(_) => None,
        Content::Standing(_, standing) => Some(*standing),
    };
    entries.iter().filter_map(one).max().unwrap_or_default()
}

impl Ledger {
    fn read(entries: &[Entry], lenient: Lenient) -> Result<Self, OpenError> {
        let mut ledger = Self { votes: BTreeMap::new(), standing: standing(entries) };
        for entry in entries {
            if let Content::Vote(vote) = &entry.0 {
                insert(&mut ledger.votes, *vote, lenient)?;
            }
        }
        Ok(ledger)
    }

    /// R2: the entries that the database has and the ledger has lost.
    fn lacks(&self, record: &Record) -> Vec<Store> {
        let votes = record.votes.values().filter(|vote| !self.votes.contains_key(&vote.epoch()));
        let votes = votes.map(|vote| Entry(Content::Vote(*vote)));
        let standing = Entry(Content::Standing(record.key, record.standing));
        let standing = (record.standing > self.standing).then_some(standing);
        votes.chain(standing).map(Store::Ledger).collect()
    }
}

/// R1: the votes that the ledger has and the database has lost.
fn adopt(
    record: &mut Record,
    votes: &BTreeMap<u32, PackageId>,
    lenient: Lenient,
) -> Result<(), OpenError> {
    votes.values().try_for_each(|vote| insert(&mut record.votes, *vote, lenient))
}

/// Adds a vote. Two votes of one epoch are an error, unless the party never votes there again. The first vote
/// stays.
fn insert(
    votes: &mut BTreeMap<u32, PackageId>,
    vote: PackageId,
    lenient: Lenient,
) -> Result<(), OpenError> {
    let epoch = vote.epoch();
    let kept = *votes.entry(epoch).or_insert(vote);
    let lenient = lenient.always || lenient.standing.may_have_voted(epoch);
    if kept == vote || lenient { Ok(()) } else { Err(OpenError::TwoVotes { epoch }) }
}
