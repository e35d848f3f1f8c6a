//! A store in memory.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::convert::Infallible;
use core::ops::Bound;

use quorate_session::{PartyId, Sealed, SessionId, Slot, SpentInMemory, SpentTable};

use crate::store::{
    Arrival, BeginOutcome, Context, Counts, InboxRow, JobRow, Letter, NewRun, NewStep, PacketId,
    Place, PutOutcome, RunRow, Store,
};
use crate::{Bounds, PARKED_OVERHEAD, Time};

/// A store that forgets everything when the process ends: for tests, and for callers that keep nothing across restarts.
#[derive(Default, Debug)]
pub struct MemoryStore {
    jobs: BTreeMap<[u8; 32], JobRow>,
    runs: BTreeMap<Context, Entry>,
    open: BTreeSet<Context>,
    deadlines: BTreeSet<(Time, Context)>,
    inbox: BTreeMap<Context, Vec<Row>>,
    /// By the moment at which what was parked is forgotten.
    parked: BTreeSet<(Time, Context)>,
    parked_bytes: BTreeMap<PartyId, usize>,
    letters: BTreeMap<(PartyId, PacketId), (Letter, u32)>,
    due: BTreeSet<(Time, PartyId, PacketId)>,
    until: BTreeSet<(Time, PartyId, PacketId)>,
    outbox: usize,
    spent: SpentInMemory,
}

#[derive(Debug)]
struct Entry {
    sid: SessionId,
    sealed: Sealed,
    job: Vec<u8>,
    deadline: Time,
    longest: usize,
}

#[derive(Debug)]
struct Row {
    place: Place,
    id: PacketId,
    sealed: Vec<u8>,
    until: Time,
    taken: bool,
}

impl Row {
    const fn cost(&self) -> usize {
        self.sealed.len().saturating_add(PARKED_OVERHEAD)
    }
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn post(&mut self, letters: &[Letter]) {
        for letter in letters {
            let key = (letter.to, letter.id);
            if self.letters.insert(key, (letter.clone(), 0)).is_none() {
                self.outbox = self.outbox.saturating_add(letter.sealed.len());
                self.due.insert((letter.due, letter.to, letter.id));
                self.until.insert((letter.until, letter.to, letter.id));
            }
        }
    }

    /// Forgets a message; whether it was there.
    fn forget(&mut self, to: PartyId, id: PacketId) -> bool {
        let Some((letter, _)) = self.letters.remove(&(to, id)) else { return false };
        self.outbox = self.outbox.saturating_sub(letter.sealed.len());
        self.due.remove(&(letter.due, to, id));
        self.until.remove(&(letter.until, to, id));
        true
    }

    /// Counts rows of a run that were parked as parked no longer.
    fn unpark(&mut self, context: &Context) {
        for row in self.inbox.get(context).into_iter().flatten() {
            self.parked.remove(&(row.until, *context));
            if let Some(bytes) = self.parked_bytes.get_mut(&row.place.from) {
                *bytes = bytes.saturating_sub(row.cost());
            }
        }
        self.parked_bytes.retain(|_, bytes| *bytes > 0);
    }
}

impl SpentTable for MemoryStore {
    type Error = Infallible;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<[u8; 32], Infallible> {
        self.spent.record(id, digest)
    }
}

impl Store for MemoryStore {
    fn begin(&mut self, run: &NewRun<'_>, bounds: &Bounds) -> Result<BeginOutcome, Infallible> {
        let context = run.sealed.slot().session();
        if self.jobs.contains_key(run.sid.as_bytes()) || self.runs.contains_key(&context) {
            return Ok(BeginOutcome::Exists);
        }
        if self.open.len() >= bounds.open {
            return Ok(BeginOutcome::Busy);
        }
        if self.outbox > bounds.outbox {
            return Ok(BeginOutcome::Outbox);
        }
        let job = JobRow { digest: run.digest, context, outcome: None };
        self.jobs.insert(*run.sid.as_bytes(), job);
        let (job, sealed) = (run.job.to_vec(), run.sealed.clone());
        let NewRun { sid, deadline, longest, .. } = *run;
        self.runs.insert(context, Entry { sid, sealed, job, deadline, longest });
        self.open.insert(context);
        self.deadlines.insert((run.deadline, context));
        self.unpark(&context);
        self.post(run.letters);
        Ok(BeginOutcome::Begun)
    }

    fn job(&mut self, sid: &SessionId) -> Result<Option<JobRow>, Infallible> {
        Ok(self.jobs.get(sid.as_bytes()).cloned())
    }

    fn run(&mut self, context: &Context) -> Result<Option<RunRow>, Infallible> {
        Ok(self.runs.get(context).map(|run| RunRow {
            job: run.job.clone(),
            sealed: run.sealed.as_bytes().to_vec(),
            deadline: run.deadline,
        }))
    }

    fn swap(&mut self, before: Slot, step: &NewStep<'_>) -> Result<bool, Infallible> {
        let context = before.session();
        let Some(run) = self.runs.get_mut(&context) else { return Ok(false) };
        if run.sealed.slot() != before || run.sealed.is_tombstone() {
            return Ok(false);
        }
        run.sealed = step.after.clone();
        if let Some(outcome) = step.outcome {
            self.open.remove(&context);
            self.deadlines.remove(&(run.deadline, context));
            self.inbox.remove(&context);
            run.job = Vec::new();
            if let Some(job) = self.jobs.get_mut(run.sid.as_bytes()) {
                job.outcome = Some(outcome.to_vec());
            }
        } else {
            for row in self.inbox.get_mut(&context).into_iter().flatten() {
                if step.taken.contains(&(row.place.from, row.id)) {
                    row.taken = true;
                    row.sealed = Vec::new();
                }
            }
        }
        self.post(step.letters);
        Ok(true)
    }

    fn put(&mut self, arrival: &Arrival<'_>, bounds: &Bounds) -> Result<PutOutcome, Infallible> {
        let Arrival { context, place, id, sealed, until } = *arrival;
        let run = self.runs.get(&context);
        if run.is_some_and(|run| run.sealed.is_tombstone()) {
            return Ok(PutOutcome::Ended);
        }
        let started = run.is_some();
        let rows = self.inbox.get(&context).into_iter().flatten();
        let there: Vec<PacketId> =
            rows.filter(|row| row.place == place).map(|row| row.id).collect();
        if there.contains(&id) {
            return Ok(PutOutcome::Duplicate);
        }
        if there.len() >= 2 {
            return Ok(PutOutcome::Contradiction);
        }
        if run.is_some_and(|run| sealed.len() > run.longest) {
            return Ok(PutOutcome::TooLong);
        }
        let row = Row { place, id, sealed: sealed.to_vec(), until, taken: false };
        if !started {
            let parked = self.parked_bytes.get(&place.from).copied().unwrap_or(0);
            let parked = parked.saturating_add(row.cost());
            if parked > bounds.parked {
                return Ok(PutOutcome::Full);
            }
            self.parked_bytes.insert(place.from, parked);
            self.parked.insert((until, context));
        }
        let rows = self.inbox.entry(context).or_default();
        rows.push(row);
        let waiting = rows.iter().filter(|row| !row.taken).count();
        Ok(if started { PutOutcome::Stored(waiting) } else { PutOutcome::Parked })
    }

    fn inbox(&mut self, context: &Context) -> Result<Vec<InboxRow>, Infallible> {
        let rows = self.inbox.get(context).into_iter().flatten().filter(|row| !row.taken);
        let row = |row: &Row| InboxRow { place: row.place, id: row.id, sealed: row.sealed.clone() };
        Ok(rows.map(row).collect())
    }

    fn acknowledge(&mut self, by: PartyId, ids: &[PacketId]) -> Result<usize, Infallible> {
        Ok(ids.iter().filter(|id| self.forget(by, **id)).count())
    }

    fn due(&mut self, now: Time, bounds: &Bounds, most: usize) -> Result<Vec<Letter>, Infallible> {
        let due = self.due.iter().take_while(|(due, ..)| *due <= now).take(most);
        let due: Vec<_> = due.copied().collect();
        let mut letters = Vec::with_capacity(due.len());
        for key in due {
            let (_, to, id) = key;
            self.due.remove(&key);
            if let Some((letter, attempts)) = self.letters.get_mut(&(to, id)) {
                letters.push(letter.clone());
                letter.due = now.saturating_add(bounds.backoff(*attempts));
                *attempts = attempts.saturating_add(1);
                self.due.insert((letter.due, to, id));
            }
        }
        Ok(letters)
    }

    fn expired(&mut self, now: Time, most: usize) -> Result<Vec<Context>, Infallible> {
        let due = self.deadlines.iter().take_while(|(deadline, _)| *deadline <= now);
        Ok(due.take(most).map(|(_, context)| *context).collect())
    }

    fn open(&mut self, after: Option<&Context>, most: usize) -> Result<Vec<Context>, Infallible> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        Ok(self.open.range::<Context, _>((from, Bound::Unbounded)).take(most).copied().collect())
    }

    fn prune(&mut self, now: Time) -> Result<(), Infallible> {
        while let Some(&(until, to, id)) = self.until.first()
            && until <= now
        {
            self.forget(to, id);
        }
        while let Some(&(until, context)) = self.parked.first()
            && until <= now
        {
            self.parked.remove(&(until, context));
            let rows = self.inbox.remove(&context).unwrap_or_default();
            let (over, rest): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.until <= now);
            for row in over {
                if let Some(bytes) = self.parked_bytes.get_mut(&row.place.from) {
                    *bytes = bytes.saturating_sub(row.cost());
                }
            }
            if !rest.is_empty() {
                self.inbox.insert(context, rest);
            }
        }
        self.parked_bytes.retain(|_, bytes| *bytes > 0);
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Time>, Infallible> {
        let due = self.due.first().map(|(due, ..)| *due);
        let deadline = self.deadlines.first().map(|(deadline, _)| *deadline);
        Ok(due.into_iter().chain(deadline).min())
    }

    fn counts(&mut self) -> Result<Counts, Infallible> {
        Ok(Counts {
            open: self.open.len(),
            letters: self.letters.len(),
            outbox: self.outbox,
            parked: self.parked_bytes.values().sum(),
        })
    }
}
