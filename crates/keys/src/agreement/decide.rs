//! The steps. Each maps a state and an input to the next state, the stores for it, and the statement that is
//! released after them.

use alloc::vec;
use alloc::vec::Vec;

use super::attempt::Attempt;
use super::certificate::Certificate;
use super::error::Refused;
use super::guards::Guard;
use super::held::Held;
use super::ledger::{Content, Entry, Standing};
use super::record::Record;
use super::state::{Holding, State, Status};
use super::statement::{Committed, Prepared, Unsigned};
use super::superseded::{Discarded, Superseded};
use crate::PackageId;

/// The number of attempts of one epoch that a party holds at once.
pub const ATTEMPTS_PER_EPOCH: usize = 8;

/// The largest distance between the highest epoch that a party knows and a new one.
pub const EPOCHS_AHEAD: u32 = 1 << 16;

/// One thing to make durable. The order of a step's list is the order in which they are stored.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Store {
    /// Append this to the ledger. If the same entry is there already, it is done.
    Ledger(Entry),
    /// Replace the record in the database.
    Record(Record),
    /// Make sure that **every copy of the database that may ever be restored has the share of this attempt** (rule R3).
    /// Any of these does it: write the share, encrypted, to the ledger and restore it from there; make a backup and
    /// destroy all older ones; have no backups. It is done at once if it was done before.
    Backups(PackageId),
}

/// The next state, the stores for it, and the result after they are durable.
pub(super) struct Decision<T> {
    pub(super) next: State,
    pub(super) stores: Vec<Store>,
    pub(super) then: T,
}

type Decided<T> = Result<Decision<T>, Refused>;

/// PendingStep 1: a stored share becomes a held share.
pub(super) fn create(state: &State, held: &Held) -> Decided<()> {
    let (me, attempt) = (state.record.party, held.attempt());
    if attempt.key_id() != state.record.key {
        return Err(Refused::WrongKey);
    }
    if held.id() != me {
        return Err(Refused::OtherParty { expected: me, got: held.id() });
    }
    let (package, epoch) = (attempt.package_id(), attempt.epoch());
    let mut next = state.clone();
    if !state.held.contains_key(&package) {
        over(state, package)?;
        bounded(state, epoch)?;
    }
    let holding = Holding { attempt: attempt.clone(), settled: held.is_settled() };
    next.held.insert(package, holding);
    Ok(Decision { next, stores: vec![], then: () })
}

/// Refuses an attempt that the last change superseded.
fn over(state: &State, package: PackageId) -> Result<(), Refused> {
    match state.superseded() {
        Some(last) if last.covers(package) => {
            Err(Refused::Over { epoch: package.epoch(), latest: last.by().epoch() })
        }
        _ => Ok(()),
    }
}

/// Checks the bounds on the number and the epoch of the attempts that a party keeps.
fn bounded(state: &State, epoch: u32) -> Result<(), Refused> {
    let most = state.highest().unwrap_or(u32::MAX).saturating_add(EPOCHS_AHEAD);
    if epoch > most {
        return Err(Refused::TooFarAhead { most, got: epoch });
    }
    let held = state.held.keys().filter(|package| package.epoch() == epoch).count();
    if held >= ATTEMPTS_PER_EPOCH {
        return Err(Refused::TooManyAttempts { most: ATTEMPTS_PER_EPOCH, epoch });
    }
    Ok(())
}

/// PendingStep 2: the vote.
pub(super) fn prepare(state: &State, held: &Held) -> Decided<Unsigned<Prepared>> {
    let Decision { mut next, .. } = create(state, held)?;
    let (package, epoch) = (held.attempt().package_id(), held.attempt().epoch());
    let then = Unsigned::new(state.record.party, held.attempt().clone());
    // A share that all acknowledged in another way is committed. But it is not committed beside a vote for its
    // rival.
    let voted = state.record.votes.contains_key(&epoch) && state.guards.on(Guard::OneVote);
    let is_committed = next.status(package) == Some(Status::Committed) && !voted;
    if state.has_vote(package) || is_committed {
        return Ok(Decision { next, stores: vec![], then });
    }
    may_vote(state, epoch)?;
    next.record.votes.insert(epoch, package);
    let stores =
        vec![Store::Ledger(Entry(Content::Vote(package))), Store::Record(next.record.clone())];
    Ok(Decision { next, stores, then })
}

/// Checks that a first vote may be given in an epoch.
fn may_vote(state: &State, epoch: u32) -> Result<(), Refused> {
    let guards = state.guards;
    if let Some(latest) =
        state.latest().filter(|latest| *latest >= epoch && guards.on(Guard::NotOver))
    {
        return Err(Refused::Over { epoch, latest });
    }
    if let Some(vote) = state.record.votes.get(&epoch).filter(|_| guards.on(Guard::OneVote)) {
        return Err(Refused::Voted { epoch, vote: *vote });
    }
    let standing = state.record.standing;
    let guard = if standing.floor.is_none() { Guard::Barred } else { Guard::Floor };
    if standing.may_have_voted(epoch) && guards.on(guard) {
        return Err(Refused::Barred { floor: standing.floor });
    }
    Ok(())
}

/// PendingStep 3: every member has prepared.
pub(super) fn commit(
    state: &State,
    certificate: &Certificate<Prepared>,
) -> Decided<Unsigned<Committed>> {
    let attempt = certificate.attempt();
    let package = attempt.package_id();
    let mut next = state.clone();
    if attempt.key_id() != state.record.key {
        return Err(Refused::WrongKey);
    }
    let holding = state.held.get(&package).ok_or(Refused::NotHeld(package))?;
    if holding.attempt != *attempt {
        return Err(Refused::OtherCommittee(package));
    }
    let mut stores = vec![];
    if state.status(package) != Some(Status::Committed) {
        next.record.committed.insert(package, certificate.clone());
        stores.push(Store::Record(next.record.clone()));
    }
    if state.guards.on(Guard::Backups) {
        stores.push(Store::Backups(package));
    }
    let then = Unsigned::new(state.record.party, attempt.clone());
    Ok(Decision { next, stores, then })
}

/// PendingStep 4: every member has committed. `vouched` is the attempt whose public side the caller has from a trusted source.
pub(super) fn supersede(
    state: &State,
    certificate: &Certificate<Committed>,
    vouched: Option<&Attempt>,
) -> Decided<Superseded> {
    let attempt = certificate.attempt();
    let package = attempt.package_id();
    if attempt.key_id() != state.record.key {
        return Err(Refused::WrongKey);
    }
    if let Some(last) = state.superseded().filter(|last| last.by().epoch() >= attempt.epoch()) {
        return Ok(Decision { next: state.clone(), stores: vec![], then: last });
    }
    if state.guards.on(Guard::Genuine) && vouched != Some(attempt) && !is_genuine(state, attempt) {
        return Err(Refused::UnknownCommittee(package));
    }
    let mut next = state.clone();
    next.record.superseded = Some(certificate.clone());
    next.prune();
    let stores = vec![Store::Record(next.record.clone())];
    Ok(Decision { next, stores, then: Superseded::new(package, state.guards) })
}

/// Returns whether the committee can be trusted. Either the party holds a share of the attempt, or enough members
/// are in a committee that the party knows.
fn is_genuine(state: &State, attempt: &Attempt) -> bool {
    if let Some(holding) = state.held.get(&attempt.package_id()) {
        return holding.attempt == *attempt;
    }
    let last = state.record.superseded.iter().map(Certificate::attempt);
    let mut known = state.held.values().map(|holding| &holding.attempt).chain(last);
    known.any(|one| one.vouches_for(attempt.committee()))
}

/// Gives up a share that nobody counts on, to make room.
pub(super) fn discard(state: &State, package: PackageId) -> Decided<Discarded> {
    let status = state.status(package).ok_or(Refused::NotHeld(package))?;
    let guards = state.guards;
    let voted = status != Status::Created && guards.on(Guard::KeepVoted);
    let forgotten = state.may_be_forgotten(package) && guards.on(Guard::KeepForgotten);
    if voted || forgotten {
        return Err(Refused::InUse(package));
    }
    let mut next = state.clone();
    next.held.remove(&package);
    Ok(Decision { next, stores: vec![], then: Discarded::new(package) })
}

/// R4: the party votes again, above the epoch after the highest that any other party knows.
pub(super) fn rejoin(state: &State, highest: u32) -> Decided<()> {
    let mut next = state.clone();
    let Standing { restores, floor } = state.record.standing;
    let known = state.highest().unwrap_or_default().max(highest);
    let floor = floor.unwrap_or_default().max(known.saturating_add(1));
    if restores > 0 {
        next.record.standing = Standing { restores, floor: Some(floor) };
    }
    let stores = if next.record == state.record { vec![] } else { standing_stores(&next.record) };
    Ok(Decision { next, stores, then: () })
}

/// The stores of a change of the standing.
pub(super) fn standing_stores(record: &Record) -> Vec<Store> {
    let entry = Entry(Content::Standing(record.key, record.standing));
    vec![Store::Ledger(entry), Store::Record(record.clone())]
}
