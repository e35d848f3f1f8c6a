//! A store of `quorate-runner` in a database: jobs, runs, inbox, outbox and tombstones; and claims in another, the ledger.
//!
//! The ledger only grows and lies where backups do not reach: a restored database must not forget what was spent. It
//! is also the [witness](witness) of its database.
//!
//! [`Runs`] is a handle. The runner of one worker, and whatever else it keeps, share a database through copies of one,
//! on one thread; other workers have connections of their own. Each method of [`RunTable`] and [`MessageTable`] is one
//! transaction, unless it is called within a [batch](Runs::batch): then all that happens in there is one. What is to be
//! sent is selected in the batch and given out by [`MessageTable::due`] once it is committed, and the ledger knows of it;
//! so nothing that is called within a batch gets hold of a message. After a batch that fails every handle of before is
//! refused: the runner's memory is ahead of the database, so it has to be made anew, on a [fresh](Runs::fresh) handle.

mod change;
mod inbox;
mod ledger;
mod locks;
mod outbox;
mod reseal;
mod rows;
mod schema;
mod shared;
mod steps;
pub mod witness;
mod work;

use core::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use quorate::runner::store::{
    Arrival, BeginOutcome, Counts, Due, InboxRow, JobRow, NewRun, NewStep, PacketId, PutOutcome,
    RunContext, RunRow,
};
use quorate::runner::{Bounds, Kind, MessageTable, RunTable, Stored, Time};
use quorate::session::keyring::Keyring;
use quorate::session::{Slot, SpentTable, TableEntry};
use quorate::{PartyId, SessionId};

pub use self::ledger::{Claim, Claims, Ledger, Spent};
pub(crate) use self::reseal::{Piece, RUNNERS, Table};
pub use self::shared::Outgoing;
pub use self::witness::{Mark, OpenError, Standing};
pub use self::work::Work;

use self::shared::Shared;
use crate::counter::Counter;
use crate::sql::{Address, Db, Error, Result, Settings, Sql};

/// Runs in one database, and claims in another: a handle, of which copies share both.
#[derive(Clone, Debug)]
pub struct Runs {
    shared: Rc<RefCell<Shared>>,
    /// The number of batches that had failed when it was made.
    life: u64,
}

impl Runs {
    /// Opens both databases, and makes their tables if there are none.
    ///
    /// # Errors
    /// [`OpenError`]: the databases' own, or a database that was put back.
    pub fn open(
        runs: &Address,
        ledger: &Address,
        settings: Settings,
    ) -> core::result::Result<Self, OpenError> {
        let (mut db, mut spent) = databases(runs, ledger, settings)?;
        let told = witness::check((&mut db, runs), (&mut spent, ledger))?;
        Ok(Self::over(db, spent, told)?)
    }

    /// Opens a database that was put back, for a node that begins a new epoch: whatever it has said since is not in there, so
    /// all open runs are damaged on purpose, which their runners close as lost; what was to be sent is forgotten. `seen` are
    /// marks that peers have kept. Whatever else the database holds that may have been used since is the caller's to drop,
    /// in `drop`, within the same transaction.
    ///
    /// `ends` is the epoch that was found wanting, 0 if there was none: of several workers that find so one begins the next
    /// epoch, and the others go along.
    ///
    /// # Errors
    /// [`Error`] of the databases.
    pub fn rejoin(
        (runs, ledger): (&Address, &Address),
        settings: Settings,
        (seen, ends): (&[Mark], u32),
        drop: impl FnOnce(&mut dyn Sql) -> Result<()>,
    ) -> Result<Self> {
        let (mut db, mut spent) = databases(runs, ledger, settings)?;
        let mut known = seen.to_vec();
        known.extend(witness::seen(&mut spent)?);
        let mark = db.transaction(|tx| {
            locks::alone(tx)?;
            if !witness::ends(tx, ends)? {
                return witness::last(tx);
            }
            steps::damage_all(tx)?;
            drop(tx)?;
            // Last, as everybody does.
            witness::begin_epoch(tx, &known, ends)
        })?;
        mark.map_or(Ok(()), |mark| witness::tell(&mut spent, &mark, None))?;
        Self::over(db, spent, mark)
    }

    fn over(db: Db, ledger: Db, told: Option<Mark>) -> Result<Self> {
        let shared = Shared::new(db, Ledger::new(ledger), told)?;
        Ok(Self { shared: Rc::new(RefCell::new(shared)), life: 0 })
    }

    /// Stamps what is stored from now on with the current key of these, under which the runners seal, and gives them what is
    /// under another key as if it were under that. Without keys nothing is stamped.
    ///
    /// # Errors
    /// [`Error`] within another call.
    pub fn seal_under(&self, seals: Rc<Keyring>) -> Result<()> {
        self.shared.try_borrow_mut().map_err(|_| within())?.seals = Some(seals);
        Ok(())
    }

    /// Tells counters from now on of each mark, as the ledger is told: before anything is sent. One that is not sure yet that
    /// its database is the latest does not do that.
    ///
    /// # Errors
    /// [`Error`] within another call.
    pub fn count(&self, counters: &[Arc<dyn Counter>]) -> Result<()> {
        self.shared.try_borrow_mut().map_err(|_| within())?.count(counters);
        Ok(())
    }

    /// Whether the database has what was last released from here: else it was put back meanwhile.
    ///
    /// # Errors
    /// [`Error`].
    pub fn goes_on(&self) -> Result<bool> {
        let told = self.shared.try_borrow().map_err(|_| within())?.told();
        told.map_or(Ok(true), |told| Ok(self.standing(&told)? != Standing::Unknown))
    }

    /// Shows the runners from now on the runs of these kinds alone, whatever they have begun or taken in of others: those are
    /// another worker's to go on with. Before the first call it shows all.
    ///
    /// # Errors
    /// [`Error`] within another call.
    pub fn show(&self, kinds: Vec<Kind>) -> Result<()> {
        self.shared.try_borrow_mut().map_err(|_| within())?.shown = Some(kinds);
        Ok(())
    }

    fn shows(&self, kind: Kind) -> bool {
        let shared = self.shared.try_borrow();
        shared.is_ok_and(|shared| shared.shown.as_ref().is_none_or(|all| all.contains(&kind)))
    }

    /// Those of these kinds that are shown.
    fn shown(&self, kinds: &[Kind]) -> Vec<Kind> {
        kinds.iter().copied().filter(|kind| self.shows(*kind)).collect()
    }

    fn seals(&self) -> Option<Rc<Keyring>> {
        self.shared.try_borrow().ok()?.seals.clone()
    }

    /// A handle that is taken after a batch has failed, or another worker has begun an epoch.
    #[must_use]
    pub fn fresh(&self) -> Self {
        let mut shared = self.shared.borrow_mut();
        (shared.epoch, shared.shown) = (None, None);
        drop(shared);
        Self { shared: Rc::clone(&self.shared), life: self.shared.borrow().life() }
    }

    /// Whether a batch has failed since this handle was made: then everything on it has to be made anew.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.life != self.shared.borrow().life()
    }

    /// Runs everything that `act` calls on handles of this store as one transaction. At its end those messages are selected
    /// whose time has come, for [`MessageTable::due`], which gives them afterwards and no others from then on. What `act` returns
    /// comes out when it is committed; so return whatever is to leave the house, and the deliveries to acknowledge.
    ///
    /// # Errors
    /// Those of `act`, of a call in it that has failed whatever `act` made of that, and of the commit. Nothing of it has
    /// happened, unless the kind is [`Lost`](crate::sql::Kind::Lost): then nobody knows. Either way all handles become
    /// [stale](Self::is_stale).
    pub fn batch<T, E: From<Error>>(
        &self,
        outgoing: Outgoing,
        act: impl FnOnce() -> core::result::Result<T, E>,
    ) -> core::result::Result<T, E> {
        self.shared(Shared::begin)?;
        // It is given up when it goes out of scope before it is committed, by an error or a panic.
        let open = Open(&self.shared);
        let value = act()?;
        self.shared(|shared| shared.commit(&outgoing))?;
        core::mem::forget(open);
        Ok(value)
    }

    /// Takes the locks of shards until the batch ends, as the first thing in it: of some it `waits` for whoever has them, others
    /// are taken if nobody has them. Gives those that are held. Two workers that write what is of a run hold its shard, and
    /// so do it one after the other; on SQLite everything is held anyway.
    ///
    /// # Errors
    /// [`Error`].
    pub fn hold(&self, waits: &BTreeSet<u8>, others: &BTreeSet<u8>) -> Result<BTreeSet<u8>> {
        self.work(|work| locks::shards(work, waits, others))
    }

    /// Whether the last batch that failed did so because somebody else was at the same rows: nothing of it has happened, and
    /// it may be done anew, on a [fresh](Self::fresh) handle.
    #[must_use]
    pub fn met(&self) -> bool {
        self.shared.borrow().met
    }

    /// A transaction over tables of the caller's, or a part of the batch.
    ///
    /// # Errors
    /// [`Error`].
    pub fn work<T>(&self, act: impl FnOnce(&mut Work<'_>) -> Result<T>) -> Result<T> {
        self.shared(|shared| shared.work(act))
    }

    /// Reads, in the batch if there is one.
    ///
    /// # Errors
    /// [`Error`].
    pub fn read<T>(&self, act: impl FnOnce(&mut dyn Sql) -> Result<T>) -> Result<T> {
        self.shared(|shared| shared.read(act))
    }

    /// Makes tables of the caller's.
    ///
    /// # Errors
    /// [`Error`].
    pub fn schema(&self, sql: &'static str) -> Result<()> {
        self.shared(|shared| shared.database().schema(sql))
    }

    /// Does something in the ledger, which commits for itself.
    ///
    /// # Errors
    /// Those of `act`; [`Error`] if the handle is stale.
    pub fn ledger<T, E: From<Error>>(
        &self,
        act: impl FnOnce(&mut Ledger) -> core::result::Result<T, E>,
    ) -> core::result::Result<T, E> {
        let mut shared = self.shared.try_borrow_mut().map_err(|_| within())?;
        shared.is_of(self.life)?;
        act(shared.ledger())
    }

    /// The end of the chain of what was released, for peers to keep.
    ///
    /// # Errors
    /// [`Error`].
    pub fn head(&self) -> Result<Option<Mark>> {
        self.read(witness::last)
    }

    /// How a mark that a peer has kept stands to this database.
    ///
    /// # Errors
    /// [`Error`].
    pub fn standing(&self, mark: &Mark) -> Result<Standing> {
        self.read(|db| witness::standing(db, mark))
    }

    fn shared<T>(&self, act: impl FnOnce(&mut Shared) -> Result<T>) -> Result<T> {
        let mut shared = self.shared.try_borrow_mut().map_err(|_| within())?;
        shared.is_of(self.life)?;
        act(&mut shared)
    }
}

fn within() -> Error {
    Error::other("a call of a store within another")
}

fn databases(runs: &Address, ledger: &Address, settings: Settings) -> Result<(Db, Db)> {
    let mut spent = Db::open(ledger, settings)?;
    let mut db = Db::open(runs, settings)?;
    if db.one(schema::OLDER, &[])?.flag(0)? {
        return Err(Error::other(
            "the database was made by an older release, whose runs this one cannot go on with: give the node a new one",
        ));
    }
    db.schema(schema::RUNS)?;
    spent.schema(schema::LEDGER)?;
    Ok((db, spent))
}

/// A batch that is open.
struct Open<'s>(&'s RefCell<Shared>);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if let Ok(mut shared) = self.0.try_borrow_mut() {
            shared.give_up();
        }
    }
}

impl SpentTable for Runs {
    type Error = Error;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<TableEntry> {
        self.ledger(|ledger| ledger.record(id, digest))
    }
}

impl RunTable for Runs {
    fn canary(&mut self, new: &[u8]) -> Result<Option<Vec<u8>>> {
        self.work(|work| steps::canary(work, new))
    }

    fn begin(&mut self, run: &NewRun<'_>, bounds: &Bounds) -> Result<BeginOutcome> {
        self.work(|work| steps::begin(work, run, bounds))
    }

    fn job(&mut self, sid: &SessionId) -> Result<Option<JobRow>> {
        let (seals, row) = (self.seals(), self.read(|db| steps::job(db, sid))?);
        let Some(row) = row else { return Ok(None) };
        let outcome =
            row.outcome.map(|bytes| reseal::given(seals.as_deref(), Stored::Outcome, bytes));
        Ok(Some(JobRow { outcome: outcome.transpose()?, ..row }))
    }

    fn run(&mut self, context: &RunContext) -> Result<Option<RunRow>> {
        let seals = self.seals();
        let row = self.read(|db| steps::run(db, context, seals.as_deref()))?;
        Ok(row.filter(|row| self.shows(row.kind)))
    }

    fn swap(&mut self, before: Slot, step: &NewStep<'_>) -> Result<bool> {
        self.work(|work| steps::swap(work, before, step))
    }

    fn abandon(&mut self, context: &RunContext, step: &NewStep<'_>) -> Result<bool> {
        self.work(|work| steps::abandon(work, context, step))
    }

    fn replace_outcome(&mut self, sid: &SessionId, outcome: &[u8]) -> Result<bool> {
        self.work(|work| steps::replace_outcome(work, sid, &work.stamp(outcome)))
    }

    fn expired(&mut self, kinds: &[Kind], now: Time, most: usize) -> Result<Vec<RunContext>> {
        let kinds = self.shown(kinds);
        self.read(|db| steps::expired(db, &kinds, now, most))
    }

    fn open(
        &mut self,
        kinds: &[Kind],
        after: Option<&RunContext>,
        most: usize,
    ) -> Result<Vec<RunContext>> {
        let kinds = self.shown(kinds);
        self.read(|db| steps::open(db, &kinds, after, most))
    }

    fn next(&mut self, kinds: &[Kind]) -> Result<Option<Time>> {
        self.read(|db| steps::next(db, kinds))
    }

    fn counts(&mut self) -> Result<Counts> {
        self.shared(Shared::counts)
    }
}

impl MessageTable for Runs {
    fn put(&mut self, arrival: &Arrival<'_>, bounds: &Bounds) -> Result<PutOutcome> {
        self.work(|work| inbox::put(work, arrival, bounds))
    }

    fn inbox(&mut self, context: &RunContext) -> Result<Vec<InboxRow>> {
        let seals = self.seals();
        self.read(|db| inbox::rows(db, context, seals.as_deref()))
    }

    fn acknowledge(&mut self, by: PartyId, ids: &[PacketId]) -> Result<usize> {
        self.work(|work| outbox::acknowledge(work, by, ids))
    }

    fn due(&mut self, now: Time, bounds: &Bounds, most: usize) -> Result<Vec<Due>> {
        self.shared(|shared| shared.due(now, bounds, most))
    }

    fn prune(&mut self, now: Time) -> Result<()> {
        self.shared(|shared| shared.prune(now))
    }
}
