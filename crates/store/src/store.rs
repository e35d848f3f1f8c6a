//! The store, over any of the databases.

use core::fmt;

use quorate_runner::store::{
    Arrival, BeginOutcome, Counts, Due, InboxRow, JobRow, NewRun, NewStep, PacketId, PutOutcome,
    RunContext, RunRow, Swap,
};
use quorate_runner::{Bounds, Continuity, Kind, MessageTable, RunTable, Time};
use quorate_session::{ClaimRecord, PartyId, SessionId, Slot, SpentTable, TableEntry};

use crate::engine::{Connection, Sql, transaction};
use crate::error::{Error, Result};
use crate::pair::{self, Head, Standing};
use crate::rolled_back::RolledBack;
use crate::{inbox, outbox, records, runs, schema, totals};

/// A database that a [`SqlStore`] can lie in: `Sqlite` or `Postgres`.
pub trait Engine: Connection + 'static {}

/// The store of a runner in a database; the table of what was spent lies in the same one, or in one of its own.
///
/// Use it by the names `SqliteStore` and `PostgresStore`, or [`AnyStore`](crate::AnyStore) if the operator chooses.
pub struct SqlStore<E> {
    pub(crate) runs: E,
    /// The database of what was spent, if it has one of its own.
    pub(crate) spent: Option<E>,
    rolled_back: Option<RolledBack>,
    /// The last step of each database that this handle knows of.
    pub(crate) steps: Steps,
    /// The last step of the runs that the database of what was spent was told of from here.
    told: u64,
}

/// A step of each database.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Steps {
    pub(crate) runs: u64,
    pub(crate) spent: u64,
}

/// The options that both databases have.
#[derive(Default, Debug)]
pub(crate) struct Setup {
    pub(crate) kinds: Vec<(u8, Kind)>,
    pub(crate) allow_rolled_back: bool,
}

impl<E: Engine> SqlStore<E> {
    pub(crate) fn over(mut runs: E, mut spent: Option<E>, setup: &Setup) -> Result<Self> {
        schema::prepare(&mut runs, false, &setup.kinds)?;
        records::prepare(&mut runs)?;
        totals::prepare(&mut runs)?;
        let rolled_back = match &mut spent {
            None if pair::is_apart(&mut runs)? => return Err(Error::SpentIsApart),
            None => None,
            Some(spent) => {
                schema::prepare(spent, true, &[])?;
                records::prepare(spent)?;
                pair::check(&mut runs, spent)?
            }
        };
        let allowed = |which: &RolledBack| setup.allow_rolled_back && !which.is_missing();
        if let Some(which) = rolled_back.filter(|which| !allowed(which)) {
            return Err(Error::RolledBack(which));
        }
        Ok(Self { runs, spent, rolled_back, steps: Steps::default(), told: 0 })
    }

    /// The same store over the same databases under another type.
    pub(crate) fn over_others<F: Engine>(self, other: impl Fn(E) -> F) -> SqlStore<F> {
        let Self { runs, spent, rolled_back, steps, told } = self;
        SqlStore { runs: other(runs), spent: spent.map(other), rolled_back, steps, told }
    }

    /// The head of the store's ledger, for witnesses: `None` before the first step. A step is a claim, or a run that begins,
    /// continues or ends.
    ///
    /// # Errors
    /// [`Error`] of the database.
    pub fn head(&mut self) -> Result<Option<Head>> {
        pair::last(&mut self.runs)
    }

    /// The relation of a head that a witness remembers to this store.
    ///
    /// # Errors
    /// [`Error`] of the database.
    pub fn standing(&mut self, head: &Head) -> Result<Standing> {
        pair::standing(&mut self.runs, head)
    }

    /// The database that was found restored to an older copy, if it was opened all the same.
    #[must_use]
    pub const fn rolled_back(&self) -> Option<&RolledBack> {
        self.rolled_back.as_ref()
    }

    /// The continuity to open a runner with: [`Continuity::Unknown`] if a database was restored or the caller says so,
    /// [`Continuity::NewStore`] if nobody has used it, else the caller's.
    ///
    /// # Errors
    /// [`Error`] of the database.
    pub fn continuity(&mut self, otherwise: Continuity) -> Result<Continuity> {
        // A store of which a witness knows more is not new: it was lost.
        if self.rolled_back.is_some() || otherwise == Continuity::Unknown {
            return Ok(Continuity::Unknown);
        }
        let is_new = runs::is_new(&mut self.runs)?;
        Ok(if is_new { Continuity::NewStore } else { otherwise })
    }

    /// Forgets that a database was restored: the two are a pair from now on, as they are. Call it when all runs that were open
    /// have ended, and all presignatures and nonces of before are dropped. Until then each opening finds it again.
    ///
    /// # Errors
    /// [`Error`] of the databases; then call it again.
    pub fn accept_rolled_back(&mut self) -> Result<()> {
        if let (Some(spent), Some(_)) = (&mut self.spent, self.rolled_back) {
            pair::settle(&mut self.runs, spent)?;
            self.rolled_back = None;
        }
        Ok(())
    }

    fn write<T>(&mut self, act: impl FnMut(&mut dyn Sql) -> Result<T>) -> Result<T> {
        transaction(&mut self.runs, act)
    }

    /// A transaction that lets something out if `is_step` says so of its result.
    pub(crate) fn step<T>(
        &mut self,
        is_step: impl Fn(&T) -> bool,
        mut act: impl FnMut(&mut dyn Sql) -> Result<T>,
    ) -> Result<T> {
        let known = self.steps.runs;
        let (value, head) = self.write(|tx| {
            let value = act(tx)?;
            let head = is_step(&value).then(|| pair::leave(tx, false, known)).transpose()?;
            Ok((value, head))
        })?;
        self.tell_spent(head)?;
        Ok(value)
    }

    /// Does the same with each item, all in one transaction. If that fails for one of them, each has a transaction of its
    /// own: the others stand.
    fn each<I, T>(
        &mut self,
        items: &[I],
        is_step: impl Fn(&T) -> bool,
        mut act: impl FnMut(&mut dyn Sql, &I) -> Result<T>,
    ) -> Vec<Result<T>> {
        if items.len() > 1 {
            let mut at_item = false;
            let all = |tx: &mut dyn Sql| {
                let each = items.iter().map(|item| act(tx, item)).collect::<Result<Vec<T>>>();
                at_item = each.as_ref().is_err_and(Error::is_of_one_record);
                each
            };
            match self.step(|done| done.iter().any(&is_step), all) {
                Ok(done) => return done.into_iter().map(Ok).collect(),
                // The database fails, or it is not known what is stored.
                Err(error) if !at_item => {
                    return items.iter().map(|_| Err(error.clone())).collect();
                }
                Err(_) => {}
            }
        }
        items.iter().map(|item| self.step(&is_step, |tx| act(tx, item))).collect()
    }

    /// Tells the database of what was spent how far the runs have come.
    pub(crate) fn tell_spent(&mut self, head: Option<Head>) -> Result<()> {
        let Some(head) = head else { return Ok(()) };
        self.steps.runs = self.steps.runs.max(head.step);
        if let Some(spent) = &mut self.spent
            && self.rolled_back.is_none()
        {
            let is_news = head.step > self.told;
            pair::tell_spent(&mut self.runs, spent, &head, is_news)?;
            self.told = self.told.max(head.step);
        }
        Ok(())
    }
}

impl<E: Engine> SqlStore<E> {
    /// Tells the database of the runs how far that of what was spent has come, and writes there.
    pub(crate) fn tell_runs(
        &mut self,
        head: &Head,
        mut then: impl FnMut(&mut dyn Sql) -> Result<()>,
    ) -> Result<()> {
        let Some(spent) = &mut self.spent else { return Ok(()) };
        self.steps.spent = self.steps.spent.max(head.step);
        if self.rolled_back.is_some() {
            return transaction(&mut self.runs, then);
        }
        let left = pair::tell_runs(spent, &mut self.runs, head, self.steps.runs, &mut then)?;
        self.steps.runs = left.map_or(self.steps.runs, |left| left.step);
        Ok(())
    }
}

/// Records a claim: the answer, and the head after it.
fn claim(
    db: &mut dyn Sql,
    (id, digest): (&[u8; 32], &[u8; 32]),
    (is_spent, known): (bool, u64),
) -> Result<(TableEntry, Option<Head>)> {
    if !is_spent && pair::is_apart(db)? {
        return Err(Error::SpentIsApart);
    }
    match records::claim_in(db, &ClaimRecord { id: *id, digest: *digest })? {
        TableEntry::New => Ok((TableEntry::New, Some(pair::leave(db, is_spent, known)?))),
        // Another worker may have recorded it, and not told yet.
        before => Ok((before, pair::reached(db, is_spent, known)?)),
    }
}

const fn has_begun(outcome: &BeginOutcome) -> bool {
    matches!(outcome, BeginOutcome::Begun { .. })
}

impl<E: Engine> SpentTable for SqlStore<E> {
    type Error = Error;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<TableEntry> {
        let Some(spent) = &mut self.spent else {
            let known = self.steps.runs;
            let (entry, head) = self.write(|tx| claim(tx, (id, digest), (false, known)))?;
            self.tell_spent(head)?;
            return Ok(entry);
        };
        let known = self.steps.spent;
        let (entry, head) = transaction(spent, |tx| claim(tx, (id, digest), (true, known)))?;
        head.map_or(Ok(()), |head| self.tell_runs(&head, |_| Ok(())))?;
        Ok(entry)
    }
}

impl<E: Engine> RunTable for SqlStore<E> {
    fn canary(&mut self, new: &[u8]) -> Result<Option<Vec<u8>>> {
        self.write(|tx| runs::canary(tx, new))
    }

    fn begin(&mut self, run: &NewRun<'_>, bounds: &Bounds) -> Result<BeginOutcome> {
        self.step(has_begun, |tx| runs::begin(tx, run, bounds))
    }

    fn begin_all(&mut self, new: &[NewRun<'_>], bounds: &Bounds) -> Vec<Result<BeginOutcome>> {
        self.each(new, has_begun, |tx, run| runs::begin(tx, run, bounds))
    }

    fn job(&mut self, sid: &SessionId) -> Result<Option<JobRow>> {
        runs::job(&mut self.runs, sid)
    }

    fn run(&mut self, context: &RunContext) -> Result<Option<RunRow>> {
        runs::run(&mut self.runs, context)
    }

    fn swap(&mut self, before: Slot, step: &NewStep<'_>) -> Result<bool> {
        self.step(|done| *done, |tx| runs::swap(tx, before, step))
    }

    fn swap_all(&mut self, swaps: &[Swap<'_>]) -> Vec<Result<bool>> {
        self.each(swaps, |done| *done, |tx, swap| runs::swap(tx, swap.before, &swap.step))
    }

    fn abandon(&mut self, context: &RunContext, step: &NewStep<'_>) -> Result<bool> {
        self.step(|done| *done, |tx| runs::abandon(tx, context, step))
    }

    fn replace_outcome(&mut self, sid: &SessionId, outcome: &[u8]) -> Result<bool> {
        self.write(|tx| runs::replace_outcome(tx, sid, outcome))
    }

    fn expired(&mut self, kinds: &[Kind], now: Time, most: usize) -> Result<Vec<RunContext>> {
        runs::expired(&mut self.runs, kinds, now, most)
    }

    fn open(
        &mut self,
        kinds: &[Kind],
        after: Option<&RunContext>,
        most: usize,
    ) -> Result<Vec<RunContext>> {
        runs::open(&mut self.runs, kinds, after, most)
    }

    fn next(&mut self, kinds: &[Kind]) -> Result<Option<Time>> {
        runs::next(&mut self.runs, kinds)
    }

    fn open_runs(&mut self) -> Result<usize> {
        totals::open_runs(&mut self.runs)
    }

    fn counts(&mut self) -> Result<Counts> {
        runs::counts(&mut self.runs)
    }
}

impl<E: Engine> MessageTable for SqlStore<E> {
    fn put(&mut self, arrival: &Arrival<'_>, bounds: &Bounds) -> Result<PutOutcome> {
        self.write(|tx| inbox::put(tx, arrival, bounds))
    }

    fn put_all(&mut self, arrivals: &[Arrival<'_>], bounds: &Bounds) -> Vec<Result<PutOutcome>> {
        self.each(arrivals, |_| false, |tx, arrival| inbox::put(tx, arrival, bounds))
    }

    fn inbox(&mut self, context: &RunContext) -> Result<Vec<InboxRow>> {
        inbox::rows(&mut self.runs, context)
    }

    fn acknowledge(&mut self, by: PartyId, ids: &[PacketId]) -> Result<usize> {
        self.write(|tx| outbox::acknowledge(tx, by, ids))
    }

    fn due(&mut self, now: Time, bounds: &Bounds, most: usize) -> Result<Vec<Due>> {
        // Most calls find nothing, and need no transaction that writes.
        if !outbox::is_due(&mut self.runs, now)? {
            return Ok(Vec::new());
        }
        let (due, head) =
            self.write(|tx| Ok((outbox::due(tx, now, bounds, most)?, pair::last(tx)?)))?;
        // Another worker may have left the mark of these messages, and not told yet.
        self.tell_spent(head)?;
        Ok(due)
    }

    fn prune(&mut self, now: Time) -> Result<()> {
        if outbox::is_over(&mut self.runs, now)? || inbox::is_over(&mut self.runs, now)? {
            return self.write(|tx| outbox::prune(tx, now).and_then(|()| inbox::prune(tx, now)));
        }
        Ok(())
    }
}

impl<E> fmt::Debug for SqlStore<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let apart = self.spent.is_some();
        f.debug_struct("SqlStore").field("spent_is_apart", &apart).finish_non_exhaustive()
    }
}
