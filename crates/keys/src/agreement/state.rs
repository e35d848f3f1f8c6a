//! The state of one party for one key.

use alloc::collections::BTreeMap;

use super::attempt::Attempt;
use super::guards::{Guard, Guards};
use super::record::Record;
use super::superseded::Superseded;
use crate::PackageId;

/// The progress of an attempt at one party.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Status {
    /// The share is stored. Nobody counts on it.
    Created,
    /// The party has voted for it. The vote is final.
    Prepared,
    /// The party knows that every member has prepared it. A share that all had stored before this agreement is committed
    /// from the start.
    Committed,
    /// Every member of a later committee, or of the committee of another attempt of the same epoch, has committed
    /// its share. Delete this one.
    Superseded,
}

/// A share in the database.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Holding {
    pub(super) attempt: Attempt,
    pub(super) settled: bool,
}

/// The basis of every decision: the content of database and ledger, and nothing else.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct State {
    pub(super) guards: Guards,
    pub(super) record: Record,
    /// Shares that are stored and not superseded.
    pub(super) held: BTreeMap<PackageId, Holding>,
}

impl State {
    pub(super) fn superseded(&self) -> Option<Superseded> {
        let last = self.record.superseded.as_ref()?;
        Some(Superseded::new(last.attempt().package_id(), self.guards))
    }

    pub(super) fn status(&self, package: PackageId) -> Option<Status> {
        if self.superseded().is_some_and(|last| last.covers(package)) {
            return Some(Status::Superseded);
        }
        let holding = self.held.get(&package)?;
        Some(if holding.settled || self.is_committed(package) {
            Status::Committed
        } else if self.has_vote(package) {
            Status::Prepared
        } else {
            Status::Created
        })
    }

    fn is_committed(&self, package: PackageId) -> bool {
        self.record.committed.contains_key(&package)
            || self.superseded().is_some_and(|last| last.by() == package)
    }

    pub(super) fn has_vote(&self, package: PackageId) -> bool {
        self.record.votes.get(&package.epoch()) == Some(&package)
    }

    /// The latest epoch that is committed here.
    pub(super) fn latest(&self) -> Option<u32> {
        let settled = self.held.iter().filter(|(_, held)| held.settled);
        let settled = settled.map(|(package, _)| package.epoch());
        let committed = self.record.committed.keys().map(PackageId::epoch);
        let last = self.superseded().map(|last| last.by().epoch());
        settled.chain(committed).chain(last).max()
    }

    /// The highest epoch of which the party has anything.
    pub(super) fn highest(&self) -> Option<u32> {
        let held = self.held.keys().map(PackageId::epoch);
        held.chain(self.record.votes.keys().copied()).chain(self.latest()).max()
    }

    /// Returns whether the party may have voted for this attempt in a vote that was lost.
    pub(super) fn may_be_forgotten(&self, package: PackageId) -> bool {
        !self.has_vote(package) && self.record.standing.may_have_voted(package.epoch())
    }

    pub(super) fn may_sign(&self, package: PackageId) -> bool {
        match self.status(package) {
            Some(Status::Prepared | Status::Committed) => true,
            Some(Status::Created) => self.guards.on(Guard::Signs) && self.may_be_forgotten(package),
            Some(Status::Superseded) | None => false,
        }
    }

    /// Removes what is superseded, except the votes. A ledger that is restored later gets all of them back from
    /// here.
    pub(super) fn prune(&mut self) {
        let Some(last) = self.superseded() else { return };
        self.held.retain(|package, _| !last.covers(*package));
        self.record.committed.retain(|package, _| !last.covers(*package));
        if !self.guards.on(Guard::KeepVotes) {
            self.record.votes.retain(|epoch, _| *epoch > last.by().epoch());
        }
    }
}
