//! A store in memory.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::convert::Infallible;
use core::ops::Bound;

use quorate_session::frame::{self, Prefix, Tag};
use quorate_session::{PartyId, Sealed, SessionId, Slot, SpentInMemory, SpentTable};

use crate::store::{
    Arrival, ArrivalKind, BeginOutcome, Context, Counts, Due, InboxRow, JobRow, Letter, NewRun,
    NewStep, PacketId, Place, PutOutcome, RunRow, Store,
};
use crate::{Bounds, PARKED_OVERHEAD, Time};

/// A store that forgets everything when the process ends: for tests, and for callers that keep nothing across restarts.
#[derive(Default, Debug)]
pub struct MemoryStore {
    jobs: BTreeMap<[u8; 32], JobRow>,
    runs: BTreeMap<Context, Entry>,
    /// Open runs by the code of their protocol.
    open: BTreeSet<(u8, Context)>,
    /// Open runs by the tags of their session ids.
    tags: BTreeSet<(Tag, Context)>,
    deadlines: BTreeSet<(Time, u8, Context)>,
    inbox: BTreeMap<Context, Vec<Row>>,
    /// By the moment at which what was parked is forgotten.
    parked: BTreeSet<(Time, Context)>,
    parked_bytes: BTreeMap<PartyId, usize>,
    letters: BTreeMap<PacketId, Waiting>,
    due: BTreeSet<(Time, PartyId, PacketId)>,
    until: BTreeSet<(Time, PacketId)>,
    outbox: usize,
    spent: SpentInMemory,
}

#[derive(Debug)]
struct Entry {
    code: u8,
    tag: Tag,
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
    opening: Option<Prefix>,
    until: Time,
    taken: bool,
}

/// A message that some have not acknowledged.
#[derive(Debug)]
struct Waiting {
    sealed: Vec<u8>,
    until: Time,
    /// The next time and the attempts so far, for each who has not.
    left: BTreeMap<PartyId, (Time, u32)>,
}

impl Row {
    fn other(place: Place, id: PacketId, opening: &Prefix, until: Time) -> Self {
        Self { place, id, sealed: opening.to_vec(), opening: None, until, taken: false }
    }

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
        for Letter { to, id, sealed, due, until } in letters.iter().filter(|one| !one.to.is_empty())
        {
            let entry = self.letters.entry(*id);
            let waiting = entry.or_insert_with(|| {
                self.outbox = self.outbox.saturating_add(sealed.len());
                self.until.insert((*until, *id));
                Waiting { sealed: sealed.clone(), until: *until, left: BTreeMap::new() }
            });
            for to in to {
                waiting.left.entry(*to).or_insert_with(|| {
                    self.due.insert((*due, *to, *id));
                    (*due, 0)
                });
            }
        }
    }

    /// Forgets a message to one of its recipients; whether it was there.
    fn forget(&mut self, to: PartyId, id: PacketId) -> bool {
        let Some(waiting) = self.letters.get_mut(&id) else { return false };
        let Some((due, _)) = waiting.left.remove(&to) else { return false };
        self.due.remove(&(due, to, id));
        if waiting.left.is_empty() {
            self.outbox = self.outbox.saturating_sub(waiting.sealed.len());
            self.until.remove(&(waiting.until, id));
            self.letters.remove(&id);
        }
        true
    }

    /// A run that has ended: its tombstone is stored.
    fn close(&mut self, context: &Context, outcome: &[u8]) {
        let Some(run) = self.runs.get_mut(context) else { return };
        run.job = Vec::new();
        self.open.remove(&(run.code, *context));
        self.tags.remove(&(run.tag, *context));
        self.deadlines.remove(&(run.deadline, run.code, *context));
        self.inbox.remove(context);
        if let Some(job) = self.jobs.get_mut(run.sid.as_bytes()) {
            job.outcome = Some(outcome.to_vec());
        }
    }

    /// Copies for a run the first opening of each peer that has parked some with its tag and another context.
    fn copy_openings(&mut self, tag: Tag, context: Context) {
        let mut found: BTreeMap<PartyId, Row> = BTreeMap::new();
        for (other, rows) in &self.inbox {
            if *other == context || self.runs.contains_key(other) {
                continue;
            }
            for row in rows {
                if let Some(opening) = row.opening.filter(|opening| frame::tag(opening) == tag) {
                    let place = Place { kind: ArrivalKind::Other, ..row.place };
                    let copy = Row::other(place, row.id, &opening, row.until);
                    found.entry(row.place.from).or_insert(copy);
                }
            }
        }
        self.inbox.entry(context).or_default().extend(found.into_values());
    }

    /// Stores an opening for a run, the first of its sender; the number of rows that are not taken in then.
    fn put_opening(&mut self, context: Context, row: Row) -> Option<usize> {
        let rows = self.inbox.entry(context).or_default();
        if rows.iter().any(|other| other.place == row.place) {
            return None;
        }
        rows.push(row);
        Some(rows.iter().filter(|row| !row.taken).count())
    }

    /// The open run with this tag, if there is one.
    fn tagged(&self, opening: &Prefix) -> Option<Context> {
        let tag = frame::tag(opening);
        let (found, context) = self.tags.range((tag, [0; 32])..).next()?;
        (*found == tag).then_some(*context)
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
        let NewRun { code, sid, tag, deadline, longest, .. } = *run;
        self.runs.insert(context, Entry { code, tag, sid, sealed, job, deadline, longest });
        self.open.insert((code, context));
        self.tags.insert((tag, context));
        self.deadlines.insert((run.deadline, code, context));
        self.unpark(&context);
        self.copy_openings(tag, context);
        self.post(run.letters);
        Ok(BeginOutcome::Begun)
    }

    fn job(&mut self, sid: &SessionId) -> Result<Option<JobRow>, Infallible> {
        Ok(self.jobs.get(sid.as_bytes()).cloned())
    }

    fn run(&mut self, context: &Context) -> Result<Option<RunRow>, Infallible> {
        Ok(self.runs.get(context).map(|run| RunRow {
            code: run.code,
            sid: run.sid,
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
            self.close(&context, outcome);
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

    fn bury(&mut self, context: &Context, step: &NewStep<'_>) -> Result<bool, Infallible> {
        let Some(run) = self.runs.get_mut(context) else { return Ok(false) };
        if run.sealed.is_tombstone() {
            return Ok(false);
        }
        run.sealed = step.after.clone();
        self.close(context, step.outcome.unwrap_or_default());
        self.post(step.letters);
        Ok(true)
    }

    fn replace_outcome(&mut self, sid: &SessionId, outcome: &[u8]) -> Result<bool, Infallible> {
        let there = self.jobs.get_mut(sid.as_bytes()).and_then(|job| job.outcome.as_mut());
        Ok(there.map(|there| *there = outcome.to_vec()).is_some())
    }

    fn put(&mut self, arrival: &Arrival<'_>, bounds: &Bounds) -> Result<PutOutcome, Infallible> {
        let Arrival { context, place, id, sealed, opening, until } = *arrival;
        let run = self.runs.get(&context);
        if run.is_some_and(|run| run.sealed.is_tombstone()) {
            return Ok(PutOutcome::Ended);
        }
        let started = run.is_some();
        let other = opening.filter(|_| !started).and_then(|opening| {
            let context = self.tagged(&opening)?;
            Some((
                context,
                Row::other(Place { kind: ArrivalKind::Other, ..place }, id, &opening, until),
            ))
        });
        if let Some((context, row)) = other {
            return Ok(PutOutcome::Other(context, self.put_opening(context, row)));
        }
        let rows = self.inbox.get(&context).into_iter().flatten();
        let there: Vec<PacketId> =
            rows.filter(|row| row.place == place).map(|row| row.id).collect();
        if there.contains(&id) {
            return Ok(if started { PutOutcome::Duplicate } else { PutOutcome::Parked });
        }
        if there.len() >= 2 {
            return Ok(PutOutcome::Contradiction);
        }
        if run.is_some_and(|run| sealed.len() > run.longest) {
            return Ok(PutOutcome::TooLong);
        }
        let row = Row { place, id, sealed: sealed.to_vec(), opening, until, taken: false };
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

    fn due(&mut self, now: Time, bounds: &Bounds, most: usize) -> Result<Vec<Due>, Infallible> {
        let due = self.due.iter().take_while(|(due, ..)| *due <= now).take(most);
        let due: Vec<_> = due.copied().collect();
        let mut letters = Vec::with_capacity(due.len());
        for key in due {
            let (_, to, id) = key;
            self.due.remove(&key);
            let Some(waiting) = self.letters.get_mut(&id) else { continue };
            if let Some((next, attempts)) = waiting.left.get_mut(&to) {
                letters.push(Due { to, id, sealed: waiting.sealed.clone() });
                *next = now.saturating_add(bounds.backoff(*attempts));
                *attempts = attempts.saturating_add(1);
                self.due.insert((*next, to, id));
            }
        }
        Ok(letters)
    }

    fn expired(&mut self, code: u8, now: Time, most: usize) -> Result<Vec<Context>, Infallible> {
        let due = self.deadlines.iter().take_while(|(deadline, ..)| *deadline <= now);
        let due = due.filter(|(_, of, _)| *of == code);
        Ok(due.take(most).map(|(.., context)| *context).collect())
    }

    fn open(
        &mut self,
        code: u8,
        after: Option<&Context>,
        most: usize,
    ) -> Result<Vec<Context>, Infallible> {
        let from =
            after.map_or(Bound::Included((code, [0; 32])), |after| Bound::Excluded((code, *after)));
        let open = self.open.range((from, Bound::Unbounded));
        let open = open.take_while(|(of, _)| *of == code);
        Ok(open.take(most).map(|(_, context)| *context).collect())
    }

    fn prune(&mut self, now: Time) -> Result<(), Infallible> {
        while let Some(&(until, id)) = self.until.first()
            && until <= now
        {
            self.until.remove(&(until, id));
            let left = self.letters.get(&id).map(|waiting| waiting.left.keys().copied());
            let left: Vec<_> = left.into_iter().flatten().collect();
            for to in left {
                self.forget(to, id);
            }
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
        let deadline = self.deadlines.first().map(|(deadline, ..)| *deadline);
        Ok(due.into_iter().chain(deadline).min())
    }

    fn counts(&mut self) -> Result<Counts, Infallible> {
        Ok(Counts {
            open: self.open.len(),
            letters: self.due.len(),
            outbox: self.outbox,
            parked: self.parked_bytes.values().sum(),
        })
    }
}
