//! The store of `quorate-runner` over [rows](crate::Rows): one row for each job, run, message and packet, and rows that index them.
//!
//! The keys of a table begin with its letter:
//!
//! | table | key | content |
//! |---|---|---|
//! | `J` | session id | digest ‖ context ‖ the outcome, if there is one |
//! | `R` | context | `Run`: what is compared and looked up |
//! | `Q`, `S` | context | the job, and the session or the tombstone |
//! | `O`, `D`, `T` | context; deadline ‖ context; tag ‖ context | nothing, of open runs |
//! | others | | `arrivals`, `messages` |
//! | `A` | | the canary |
//! | `C` | | `Totals`: sums |
//! | `Z` | id | digest: the table of spent names, which runs do not use |

mod arrivals;
mod messages;
mod runs;
mod transaction;

use std::sync::Arc;

use quorate::runner::store::{
    Arrival, BeginOutcome, Counts, Due, InboxRow, JobRow, NewRun, NewStep, PacketId, PutOutcome,
    RunContext, RunRow,
};
use quorate::runner::{Bounds, Kind, MessageTable, RunTable, Time};
use quorate::session::{PartyId, SessionId, Slot, SpentTable, TableEntry};

use self::runs::{
    Run, Totals, context_of, find_job, find_run, find_totals, number, put_job, totals,
};
use self::transaction::{Result, Space, Transaction, after, read};
use crate::rows::{Rows, RowsError};

/// A store over rows, for the runs of all protocols.
pub struct RowStore(Space);

impl RowStore {
    /// The store over these rows.
    #[must_use]
    pub fn new(rows: Arc<dyn Rows>) -> Self {
        Self(Space(rows))
    }

    /// The kind of the run of a job, if the job was started before.
    pub(crate) fn kind_of(&self, sid: &SessionId) -> Result<Option<Kind>> {
        self.0.transact(|tx| match find_job(tx, sid)? {
            Some(job) => Ok(find_run(tx, &job.context)?.map(|run| run.kind)),
            None => Ok(None),
        })
    }
}

/// Forgets the indices and packets of a run whose tombstone is stored, and stores its outcome and last messages.
fn close(
    tx: &mut Transaction<'_>,
    run: &Run,
    context: &RunContext,
    step: &NewStep<'_>,
) -> Result<()> {
    run.indices(tx, context).into_iter().for_each(|key| tx.delete(key));
    tx.delete(tx.key(b'Q', &[context]));
    arrivals::forget(tx, context)?;
    if let Some(mut job) = find_job(tx, &run.sid)? {
        job.outcome = Some(step.outcome.unwrap_or_default().to_vec());
        put_job(tx, &run.sid, &job);
    }
    messages::end(tx, context, step)?;
    totals(tx, |totals| totals.open = totals.open.saturating_sub(1))
}

/// The contexts at the ends of an index's keys, from one key on and before another, of runs of these kinds.
fn contexts(
    tx: &Transaction<'_>,
    (from, until): (Vec<u8>, &[u8]),
    kinds: &[Kind],
    most: usize,
) -> Result<Vec<RunContext>> {
    let mut found = Vec::new();
    if most == 0 {
        return Ok(found);
    }
    tx.each(from, until, |row| {
        let context = context_of(&row.key)?;
        if find_run(tx, &context)?.is_some_and(|run| kinds.contains(&run.kind)) {
            found.push(context);
        }
        Ok(found.len() < most)
    })?;
    Ok(found)
}

impl SpentTable for RowStore {
    type Error = RowsError;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<TableEntry> {
        self.0.transact(|tx| {
            let key = tx.key(b'Z', &[id]);
            if let Some(stored) = tx.get(&key)? {
                return read(&stored, |reader| reader.array().ok()).map(TableEntry::Before);
            }
            tx.put(key, digest.to_vec());
            Ok(TableEntry::New)
        })
    }
}

impl RunTable for RowStore {
    fn canary(&mut self, new: &[u8]) -> Result<Option<Vec<u8>>> {
        self.0.transact(|tx| {
            let key = tx.key(b'A', &[]);
            let found = tx.get(&key)?;
            if found.is_none() {
                tx.put(key, new.to_vec());
            }
            Ok(found)
        })
    }

    fn begin(&mut self, new: &NewRun<'_>, bounds: &Bounds) -> Result<BeginOutcome> {
        let slot = new.sealed.slot();
        let context = slot.session();
        self.0.transact(|tx| {
            if find_job(tx, &new.sid)?.is_some() || find_run(tx, &context)?.is_some() {
                return Ok(BeginOutcome::Exists);
            }
            if number(find_totals(tx)?.open) >= bounds.open {
                return Ok(BeginOutcome::Busy);
            }
            if messages::is_full(tx, new.messages, bounds.outbox)? {
                return Ok(BeginOutcome::Outbox);
            }
            let job = JobRow { digest: new.digest, context, outcome: None };
            put_job(tx, &new.sid, &job);
            let NewRun { kind, tag, sid, deadline, longest, .. } = *new;
            let (party, length) = (slot.party_id().get(), slot.length());
            let mut run = Run { kind, tag, sid, deadline, longest, party, length, ended: false };
            run.indices(tx, &context).into_iter().for_each(|key| tx.put(key, Vec::new()));
            tx.put(tx.key(b'Q', &[&context]), new.job.to_vec());
            run.seal(tx, &context, new.sealed);
            totals(tx, |totals| totals.open = totals.open.saturating_add(1))?;
            let unparked = arrivals::unpark(tx, &context)?;
            let copied = arrivals::copy_openings(tx, tag, &context)?;
            messages::add(tx, &context, new.messages, None)?;
            Ok(BeginOutcome::Begun { parked: unparked || copied })
        })
    }

    fn job(&mut self, sid: &SessionId) -> Result<Option<JobRow>> {
        self.0.transact(|tx| find_job(tx, sid))
    }

    fn run(&mut self, context: &RunContext) -> Result<Option<RunRow>> {
        self.0.transact(|tx| {
            let Some(Run { kind, sid, deadline, .. }) = find_run(tx, context)? else {
                return Ok(None);
            };
            let job = tx.get(&tx.key(b'Q', &[context]))?.unwrap_or_default();
            let sealed = tx.get(&tx.key(b'S', &[context]))?.unwrap_or_default();
            Ok(Some(RunRow { kind, sid, job, sealed, deadline }))
        })
    }

    fn swap(&mut self, before: Slot, step: &NewStep<'_>) -> Result<bool> {
        let context = before.session();
        self.0.transact(|tx| {
            let run = find_run(tx, &context)?.filter(|run| {
                let stored = (run.party, run.length);
                !run.ended && stored == (before.party_id().get(), before.length())
            });
            let Some(mut run) = run else { return Ok(false) };
            run.seal(tx, &context, step.after);
            if step.outcome.is_some() {
                close(tx, &run, &context, step)?;
            } else {
                arrivals::take(tx, &context, step.taken)?;
                messages::add(tx, &context, step.messages, None)?;
            }
            Ok(true)
        })
    }

    fn abandon(&mut self, context: &RunContext, step: &NewStep<'_>) -> Result<bool> {
        self.0.transact(|tx| {
            let run = find_run(tx, context)?.filter(|run| !run.ended);
            let Some(mut run) = run else { return Ok(false) };
            run.seal(tx, context, step.after);
            close(tx, &run, context, step)?;
            Ok(true)
        })
    }

    fn replace_outcome(&mut self, sid: &SessionId, outcome: &[u8]) -> Result<bool> {
        self.0.transact(|tx| {
            let job = find_job(tx, sid)?.filter(|job| job.outcome.is_some());
            let Some(mut job) = job else { return Ok(false) };
            job.outcome = Some(outcome.to_vec());
            put_job(tx, sid, &job);
            Ok(true)
        })
    }

    fn expired(&mut self, kinds: &[Kind], now: Time, most: usize) -> Result<Vec<RunContext>> {
        self.0.transact(|tx| {
            let until = after(&tx.key(b'D', &[&now.to_be_bytes()]));
            contexts(tx, (tx.key(b'D', &[]), &until), kinds, most)
        })
    }

    fn open(
        &mut self,
        kinds: &[Kind],
        from: Option<&RunContext>,
        most: usize,
    ) -> Result<Vec<RunContext>> {
        self.0.transact(|tx| {
            let all = tx.key(b'O', &[]);
            let from = from.map_or_else(|| all.clone(), |from| after(&[&all[..], from].concat()));
            contexts(tx, (from, &after(&all)), kinds, most)
        })
    }

    fn next(&mut self, kinds: &[Kind]) -> Result<Option<Time>> {
        self.0.transact(|tx| {
            let mut next = None;
            for table in [b'W', b'D'] {
                let all = tx.key(table, &[]);
                tx.each(all.clone(), &after(&all), |row| {
                    if table == b'D' {
                        let run = find_run(tx, &context_of(&row.key)?)?;
                        if !run.is_some_and(|run| kinds.contains(&run.kind)) {
                            return Ok(true);
                        }
                    }
                    let time = row.key.get(all.len()..).and_then(<[u8]>::first_chunk).copied();
                    let time = time.map(Time::from_be_bytes);
                    next = next.into_iter().chain(time).min();
                    Ok(false)
                })?;
            }
            Ok(next)
        })
    }

    fn counts(&mut self) -> Result<Counts> {
        self.0.transact(|tx| {
            let Totals { open, messages, outbox } = find_totals(tx)?;
            let [open, messages, outbox] = [open, messages, outbox].map(number);
            Ok(Counts { open, messages, outbox, parked: arrivals::parked(tx)? })
        })
    }
}

impl MessageTable for RowStore {
    fn put(&mut self, arrival: &Arrival<'_>, bounds: &Bounds) -> Result<PutOutcome> {
        self.0.transact(|tx| arrivals::put(tx, arrival, bounds))
    }

    fn inbox(&mut self, context: &RunContext) -> Result<Vec<InboxRow>> {
        self.0.transact(|tx| arrivals::waiting(tx, context))
    }

    fn acknowledge(&mut self, by: PartyId, ids: &[PacketId]) -> Result<usize> {
        self.0.transact(|tx| {
            let mut known: usize = 0;
            for id in ids {
                known = known.saturating_add(usize::from(messages::forget(tx, by, id)?));
            }
            Ok(known)
        })
    }

    fn due(&mut self, now: Time, bounds: &Bounds, most: usize) -> Result<Vec<Due>> {
        self.0.transact(|tx| messages::due(tx, now, bounds, most))
    }

    fn prune(&mut self, now: Time) -> Result<()> {
        self.0.transact(|tx| {
            messages::prune(tx, now)?;
            arrivals::prune(tx, now)
        })
    }
}
