//! What the copies of a handle share: the two databases, and the batch.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use getrandom::SysRng;
use quorate::runner::store::{Counts, Due};
use quorate::runner::{Bounds, Kind as ProtocolKind, Time};
use quorate::session::keyring::Keyring;
use quorate::session::rand_core::TryRng;

use super::change::{self, Change};
use super::ledger::Ledger;
use super::witness::{self, Mark};
use super::work::Work;
use super::{inbox, outbox};
use crate::counter::Counter;
use crate::sql::{Db, Error, Kind, Result, Sql};

/// The stripes of the totals: workers of one database that do not wait for each other.
const STRIPES: u8 = 8;

/// The time between two looks for what is over, in a runner's units.
const PRUNE: Time = 1000;

/// The messages that a batch selects to be sent: those whose time has come, at most so many.
#[derive(Clone, Copy, Debug)]
pub struct Outgoing {
    /// The time.
    pub now: Time,
    /// The bounds, which say when a message is sent again.
    pub bounds: Bounds,
    /// The most messages.
    pub most: usize,
}

#[derive(Debug)]
pub(super) struct Shared {
    db: Db,
    ledger: Ledger,
    /// The keys of what is stored.
    pub(super) seals: Option<Rc<Keyring>>,
    stripe: i64,
    /// The batch that is open.
    batch: Option<Change>,
    /// The messages that batches have selected; nothing before the first batch.
    selected: Option<VecDeque<Due>>,
    /// The number of batches that have failed.
    life: u64,
    /// Whether the last of them has met somebody else at the same rows.
    pub(super) met: bool,
    /// Whether the transaction is committed.
    committed: bool,
    /// The last mark that the ledger was told of from here.
    told: Option<Mark>,
    /// What is told of it, too, besides the ledger.
    counters: Vec<Arc<dyn Counter>>,
    /// The epoch that everything on the handles is of, once a mark was left.
    pub(super) epoch: Option<u32>,
    /// The kinds of the runs that runners are shown; nothing for all.
    pub(super) shown: Option<Vec<ProtocolKind>>,
    pruned: Time,
}

impl Shared {
    pub(super) fn new(db: Db, ledger: Ledger, told: Option<Mark>) -> Result<Self> {
        let mut random = [0; 1];
        SysRng.try_fill_bytes(&mut random).map_err(|error| Error::other(error.to_string()))?;
        let [stripe] = random.map(|byte| i64::from(byte & (STRIPES - 1)));
        let (batch, selected) = (None, None);
        let (life, pruned, epoch, seals) = (0, 0, None, None);
        let (met, committed) = (false, false);
        Ok(Self {
            db,
            ledger,
            seals,
            stripe,
            batch,
            selected,
            life,
            met,
            committed,
            told,
            counters: Vec::new(),
            epoch,
            shown: None,
            pruned,
        })
    }

    pub(super) const fn life(&self) -> u64 {
        self.life
    }

    pub(super) fn is_of(&self, life: u64) -> Result<()> {
        if self.life == life {
            return Ok(());
        }
        Err(Error::other("a batch has failed since this runner was made: make it anew"))
    }

    pub(super) const fn database(&mut self) -> &mut Db {
        &mut self.db
    }

    pub(super) const fn ledger(&mut self) -> &mut Ledger {
        &mut self.ledger
    }

    /// The last mark that the ledger was told of from here.
    pub(super) const fn told(&self) -> Option<Mark> {
        self.told
    }

    /// Tells these from now on what the ledger is told.
    pub(super) fn count(&mut self, counters: &[Arc<dyn Counter>]) {
        self.counters = counters.to_vec();
    }

    pub(super) fn begin(&mut self) -> Result<()> {
        if self.batch.is_some() {
            return Err(Error::other("a batch within a batch"));
        }
        (self.met, self.committed) = (false, false);
        self.db.begin()?;
        self.batch = Some(Change::new(self.stripe));
        Ok(())
    }

    /// Commits the batch, and tells the ledger. What it has selected is there to be sent then.
    pub(super) fn commit(&mut self, outgoing: &Outgoing) -> Result<()> {
        let Some(change) = self.batch.take() else {
            return Err(Error::other("there is no batch"));
        };
        let done = self.commit_all(change, outgoing);
        done.inspect_err(|error| self.met = error.kind() == Kind::Conflict && !self.committed)
    }

    fn commit_all(&mut self, mut change: Change, outgoing: &Outgoing) -> Result<()> {
        let Outgoing { now, bounds, most } = outgoing;
        let due = self.pruned.saturating_add(PRUNE) <= *now;
        let seals = self.seals.as_deref();
        let mut work = Work { db: &mut self.db, change: &mut change, seals };
        if due {
            outbox::prune(&mut work, *now)?;
            inbox::prune(&mut work, *now)?;
        }
        let selected = outbox::due(&mut work, *now, bounds, *most)?;
        self.close(change)?;
        if due {
            self.pruned = *now;
        }
        self.selected.get_or_insert_default().extend(selected);
        Ok(())
    }

    /// Gives the batch up. Every handle is stale from now on.
    pub(super) fn give_up(&mut self) {
        self.batch = None;
        self.met |= self.db.failed().is_some_and(|error| error.kind() == Kind::Conflict);
        self.db.roll_back();
        self.selected = None;
        self.life = self.life.saturating_add(1);
    }

    /// A part of the batch, or a transaction of its own.
    pub(super) fn work<T>(&mut self, act: impl FnOnce(&mut Work<'_>) -> Result<T>) -> Result<T> {
        let seals = self.seals.as_deref();
        if let Some(change) = &mut self.batch {
            let done = act(&mut Work { db: &mut self.db, change, seals });
            return done.inspect_err(|error| self.db.fail(error));
        }
        self.db.begin()?;
        let mut change = Change::new(self.stripe);
        let done = act(&mut Work { db: &mut self.db, change: &mut change, seals });
        let done = done.and_then(|value| self.close(change).map(|()| value));
        done.inspect_err(|_| self.db.roll_back())
    }

    pub(super) fn read<T>(&mut self, act: impl FnOnce(&mut dyn Sql) -> Result<T>) -> Result<T> {
        act(&mut self.db).inspect_err(|error| self.db.fail(error))
    }

    /// The end of a transaction: totals, a mark, the commit, and what the ledger has to know.
    fn close(&mut self, mut change: Change) -> Result<()> {
        change.write(&mut self.db)?;
        let (mark, before) = match change.released() {
            Some(released) => {
                let mark = witness::leave(&mut self.db, &released)?;
                self.told.map_or(Ok(()), |told| witness::confirm(&mut self.db, &told))?;
                (Some(mark), mark.number.saturating_sub(1))
            }
            // Another worker may have committed, and not told the ledger.
            None if change.gave => {
                let last = witness::last(&mut self.db)?;
                (last, last.map_or(0, |last| last.number))
            }
            None => (None, u64::MAX),
        };
        // The chain goes on from what was told, or the database is not the one that this began with.
        if self.told.is_some_and(|told| before < told.number) {
            return Err(Error::other("the database was put back while this process was up"));
        }
        // Nothing that is of an epoch leaves the house in the next one.
        if mark.zip(self.epoch).is_some_and(|(mark, epoch)| mark.epoch != epoch) {
            return Err(Error::other("another worker has begun a new epoch"));
        }
        self.db.commit()?;
        self.committed = true;
        let Some(mark) = mark else { return Ok(()) };
        self.epoch = Some(mark.epoch);
        self.tell(&mark)
    }

    fn tell(&mut self, mark: &Mark) -> Result<()> {
        if self.told.is_some_and(|told| mark.number <= told.number) {
            return Ok(());
        }
        let (ledger, before) = (self.ledger.database(), self.told.map(|told| told.number));
        match witness::tell(ledger, mark, before) {
            // It may have heard it or not; it hears it again.
            Err(error) if error.kind() == Kind::Lost => witness::tell(ledger, mark, before)?,
            told => told?,
        }
        for counter in &self.counters {
            counter.advance(mark).map_err(|why| Error::other(why.to_string()))?;
        }
        self.told = Some(*mark);
        Ok(())
    }

    /// The messages to be sent: those that batches have selected, or in a transaction of its own.
    pub(super) fn due(&mut self, now: Time, bounds: &Bounds, most: usize) -> Result<Vec<Due>> {
        if self.batch.is_some() {
            let error = Error::other("messages are given out once the batch is committed");
            self.db.fail(&error);
            return Err(error);
        }
        if let Some(selected) = &mut self.selected {
            return Ok(selected.drain(..selected.len().min(most)).collect());
        }
        self.work(|work| outbox::due(work, now, bounds, most))
    }

    pub(super) fn prune(&mut self, now: Time) -> Result<()> {
        if self.selected.is_some() {
            // Batches do that.
            return Ok(());
        }
        self.work(|work| {
            outbox::prune(work, now)?;
            inbox::prune(work, now)
        })
    }

    pub(super) fn counts(&mut self) -> Result<Counts> {
        match &mut self.batch {
            Some(change) => change.counts(&mut self.db),
            None => change::read(&mut self.db),
        }
    }
}
