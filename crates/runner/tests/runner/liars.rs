//! Stores that break the contract, each in one way that a real one might.

use core::convert::Infallible;
use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

use quorate_runner::store::*;
use quorate_runner::{Bounds, Kind, MemoryStore, Time};
use quorate_session::{PartyId, SessionId, Slot, SpentTable, TableEntry};

/// The way in which a store breaks the contract.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lie {
    None,
    /// Two statements, with a moment between them.
    SelectThenInsert,
    BeginsWithoutALock,
    SwapsWithoutALock,
    PutsWithoutALock,
    OutcomesOf64KiB,
    ReplacedOutcomesOf64KiB,
    AbandonedOutcomesOf64KiB,
    SessionsOf4KiB,
    JobsOf4KiB,
    MessagesOf4KiB,
    FramesOf4KiB,
    DeadlinesOf32Bits,
    DeadlinesAsFloats,
    MessageTimesAsFloats,
    ParkingTimesAsFloats,
    ClaimIdsOf31Bytes,
    DigestsOf31Bytes,
    SessionIdsOf31Bytes,
    ContextsOf31Bytes,
    PacketNamesOf31Bytes,
    FrameNamesOf31Bytes,
    PartiesOfOneByte,
    CachedRuns,
    CachedJobs,
    CachedForEachHandle,
    NewestCanary,
    OneOutboxForAll,
    MessagesWithoutEnd,
    MessagesWithoutTheirRun,
    /// A run begins with frames that were parked, and is told of none.
    NothingParked,
    /// The first record that is refused ends a batch.
    BatchesEndAtARefusal,
    /// The records of a batch are compared with what was there before it.
    BatchesDoNotSeeThemselves,
    /// The last record of a batch is acknowledged and not stored.
    BatchesWithoutTheLastStep,
    BatchesWithoutTheLastFrame,
}

/// A handle of a store that lies.
pub(crate) struct Liar {
    store: Arc<Mutex<MemoryStore>>,
    lie: Lie,
    runs: BTreeMap<RunContext, Option<RunRow>>,
    jobs: BTreeMap<[u8; 32], Option<JobRow>>,
    claims: Arc<Mutex<BTreeMap<[u8; 32], [u8; 32]>>>,
}

type Answer<T> = Result<T, Infallible>;

fn cut(bytes: &[u8], at: usize) -> Vec<u8> {
    bytes[..bytes.len().min(at)].to_vec()
}

/// As a double holds it.
#[allow(clippy::cast_possible_truncation, reason = "that is the lie")]
fn float(time: Time) -> Time {
    time as f64 as Time
}

fn short(mut name: [u8; 32]) -> [u8; 32] {
    name[31] = 0;
    name
}

impl Liar {
    /// Opens handles of one new store.
    pub(crate) fn opener(lie: Lie) -> impl Fn() -> Self + Sync {
        let (store, claims) = (Arc::<Mutex<MemoryStore>>::default(), Arc::default());
        move || {
            let (store, claims) = (Arc::clone(&store), Arc::clone(&claims));
            Self { store, lie, claims, runs: BTreeMap::new(), jobs: BTreeMap::new() }
        }
    }

    fn store(&self) -> MutexGuard<'_, MemoryStore> {
        self.store.lock().unwrap()
    }

    fn claims(&self) -> MutexGuard<'_, BTreeMap<[u8; 32], [u8; 32]>> {
        self.claims.lock().unwrap()
    }

    fn is(&self, lie: Lie) -> bool {
        self.lie == lie
    }

    /// A moment for somebody else.
    fn moment(&self) {
        thread::sleep(Duration::from_millis(2));
    }

    fn messages(&self, messages: &[OutgoingMessage]) -> Vec<OutgoingMessage> {
        let message = |message: &OutgoingMessage| {
            let mut message = message.clone();
            if self.is(Lie::MessagesOf4KiB) {
                message.sealed = cut(&message.sealed, 4096);
            }
            if self.is(Lie::MessageTimesAsFloats) {
                (message.due, message.until) = (float(message.due), float(message.until));
            }
            if self.is(Lie::PartiesOfOneByte) {
                message.to =
                    message.to.iter().filter_map(|to| PartyId::new(to.get() & 255)).collect();
            }
            message
        };
        let mut messages: Vec<_> = messages.iter().map(message).collect();
        if self.is(Lie::PacketNamesOf31Bytes) {
            messages.dedup_by_key(|message| short(message.id));
        }
        messages
    }

    fn outcome<'o>(&self, outcome: &'o [u8], lie: Lie) -> &'o [u8] {
        if self.is(lie) { &outcome[..outcome.len().min(1 << 16)] } else { outcome }
    }

    fn until(&self, step: &NewStep<'_>) -> Time {
        if self.is(Lie::MessagesWithoutEnd) { Time::MAX } else { step.until }
    }
}

impl SpentTable for Liar {
    type Error = Infallible;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Answer<TableEntry> {
        match self.lie {
            Lie::SelectThenInsert => {
                if let Some(found) = self.claims().get(id).copied() {
                    return Ok(TableEntry::Before(found));
                }
                self.moment();
                self.claims().insert(*id, *digest);
                Ok(TableEntry::New)
            }
            Lie::ClaimIdsOf31Bytes => self.store().record(&short(*id), digest),
            Lie::DigestsOf31Bytes => self.store().record(id, &short(*digest)),
            _ => self.store().record(id, digest),
        }
    }
}

impl RunTable for Liar {
    fn canary(&mut self, new: &[u8]) -> Answer<Option<Vec<u8>>> {
        let found = self.store().canary(new)?;
        Ok(if self.is(Lie::NewestCanary) { found.map(|_| new.to_vec()) } else { found })
    }

    fn begin(&mut self, run: &NewRun<'_>, bounds: &Bounds) -> Answer<BeginOutcome> {
        let (messages, mut run) = (self.messages(run.messages), *run);
        run.messages = &messages;
        let mut bounds = *bounds;
        match self.lie {
            Lie::JobsOf4KiB => run.job = &run.job[..run.job.len().min(4096)],
            Lie::DeadlinesOf32Bits => run.deadline &= u64::from(u32::MAX),
            Lie::DeadlinesAsFloats => run.deadline = float(run.deadline),
            Lie::OneOutboxForAll if self.store().counts()?.outbox > bounds.outbox => {
                return Ok(BeginOutcome::Outbox);
            }
            Lie::OneOutboxForAll => bounds.outbox = usize::MAX,
            Lie::BeginsWithoutALock if self.store().job(&run.sid)?.is_none() => {
                self.moment();
                self.store().begin(&run, &bounds)?;
                return Ok(BeginOutcome::Begun { parked: true });
            }
            Lie::NothingParked => {
                let told = self.store().begin(&run, &bounds)?;
                let begun = matches!(told, BeginOutcome::Begun { .. });
                return Ok(if begun { BeginOutcome::Begun { parked: false } } else { told });
            }
            _ => {}
        }
        self.store().begin(&run, &bounds)
    }

    fn begin_all(&mut self, runs: &[NewRun<'_>], bounds: &Bounds) -> Vec<Answer<BeginOutcome>> {
        let mut told = Vec::new();
        for run in runs {
            let refused =
                told.last().copied().filter(|last| !matches!(last, BeginOutcome::Begun { .. }));
            told.push(match refused {
                Some(last) if self.is(Lie::BatchesEndAtARefusal) => last,
                _ => self.begin(run, bounds).unwrap_or_else(|never| match never {}),
            });
        }
        told.into_iter().map(Ok).collect()
    }

    fn swap_all(&mut self, swaps: &[Swap<'_>]) -> Vec<Answer<bool>> {
        let last = swaps.len().wrapping_sub(1);
        let swap = |(at, Swap { before, step }): (usize, &Swap<'_>)| match self.lie {
            Lie::BatchesWithoutTheLastStep if at == last => Ok(true),
            Lie::BatchesDoNotSeeThemselves => self.swap(*before, step).map(|_| true),
            _ => self.swap(*before, step),
        };
        swaps.iter().enumerate().map(swap).collect()
    }

    fn job(&mut self, sid: &SessionId) -> Answer<Option<JobRow>> {
        let name = *sid.as_bytes();
        let mut row = self.store().job(sid)?;
        if self.is(Lie::SessionIdsOf31Bytes) && row.is_none() {
            let mut twin = name;
            twin[31] ^= 1;
            row = self.store().job(&SessionId::new(twin))?;
        }
        if self.is(Lie::CachedJobs) {
            // What was there once, and forgotten at no write of an outcome.
            let kept = self.jobs.entry(name).or_insert_with(|| row.clone());
            if kept.is_none() {
                *kept = row;
            }
            return Ok(kept.clone());
        }
        Ok(row)
    }

    fn run(&mut self, context: &RunContext) -> Answer<Option<RunRow>> {
        let mut row = self.store().run(context)?;
        if self.is(Lie::ContextsOf31Bytes) && row.is_none() {
            let mut twin = *context;
            twin[31] ^= 1;
            row = self.store().run(&twin)?;
        }
        if self.is(Lie::SessionsOf4KiB) {
            row = row.map(|row| RunRow { sealed: cut(&row.sealed, 4096), ..row });
        }
        if self.is(Lie::CachedRuns) || self.is(Lie::CachedForEachHandle) {
            let kept = self.runs.entry(*context).or_insert_with(|| row.clone());
            if kept.is_none() {
                *kept = row;
            }
            return Ok(kept.clone());
        }
        Ok(row)
    }

    fn swap(&mut self, before: Slot, step: &NewStep<'_>) -> Answer<bool> {
        if self.is(Lie::CachedForEachHandle) {
            self.runs.remove(&before.session());
        }
        let outcome = step.outcome.map(|outcome| self.outcome(outcome, Lie::OutcomesOf64KiB));
        let (messages, until) = (self.messages(step.messages), self.until(step));
        let step = NewStep { outcome, messages: &messages, until, ..*step };
        if self.is(Lie::SwapsWithoutALock) {
            let row = self.store().run(&before.session())?;
            let there = row.and_then(|row| quorate_session::Sealed::from_bytes(&row.sealed).ok());
            if there.is_some_and(|sealed| sealed.slot() == before) {
                self.moment();
                self.store().swap(before, &step)?;
                return Ok(true);
            }
        }
        self.store().swap(before, &step)
    }

    fn abandon(&mut self, context: &RunContext, step: &NewStep<'_>) -> Answer<bool> {
        let outcome =
            step.outcome.map(|outcome| self.outcome(outcome, Lie::AbandonedOutcomesOf64KiB));
        let step = NewStep { outcome, until: self.until(step), ..*step };
        self.store().abandon(context, &step)
    }

    fn replace_outcome(&mut self, sid: &SessionId, outcome: &[u8]) -> Answer<bool> {
        let outcome = self.outcome(outcome, Lie::ReplacedOutcomesOf64KiB);
        self.store().replace_outcome(sid, outcome)
    }

    fn expired(&mut self, kinds: &[Kind], now: Time, most: usize) -> Answer<Vec<RunContext>> {
        self.store().expired(kinds, now, most)
    }

    fn open(
        &mut self,
        kinds: &[Kind],
        after: Option<&RunContext>,
        most: usize,
    ) -> Answer<Vec<RunContext>> {
        RunTable::open(&mut *self.store(), kinds, after, most)
    }

    fn next(&mut self, kinds: &[Kind]) -> Answer<Option<Time>> {
        RunTable::next(&mut *self.store(), kinds)
    }

    fn counts(&mut self) -> Answer<Counts> {
        self.store().counts()
    }
}

impl MessageTable for Liar {
    fn put(&mut self, arrival: &Arrival<'_>, bounds: &Bounds) -> Answer<PutOutcome> {
        let mut arrival = *arrival;
        match self.lie {
            Lie::FramesOf4KiB => {
                arrival.sealed = &arrival.sealed[..arrival.sealed.len().min(4096)];
            }
            Lie::ParkingTimesAsFloats => arrival.until = float(arrival.until),
            Lie::FrameNamesOf31Bytes => {
                let rows = self.store().inbox(&arrival.context)?;
                let id = arrival.id;
                let twin = |row: &InboxRow| row.id != id && short(row.id) == short(id);
                if rows.iter().any(|row| row.place == arrival.place && twin(row)) {
                    return Ok(PutOutcome::Duplicate);
                }
            }
            Lie::PartiesOfOneByte => {
                let from = PartyId::new(arrival.place.from.get() & 255);
                arrival.place.from = from.unwrap_or(arrival.place.from);
            }
            Lie::PutsWithoutALock => {
                let rows = self.store().inbox(&arrival.context)?;
                if !rows.iter().any(|row| row.id == arrival.id && row.place == arrival.place) {
                    self.moment();
                    self.store().put(&arrival, bounds)?;
                    return Ok(PutOutcome::Stored(rows.len() + 1));
                }
            }
            _ => {}
        }
        self.store().put(&arrival, bounds)
    }

    fn put_all(&mut self, arrivals: &[Arrival<'_>], bounds: &Bounds) -> Vec<Answer<PutOutcome>> {
        let last = arrivals.len().wrapping_sub(1);
        let put = |(at, arrival): (usize, &Arrival<'_>)| {
            if self.is(Lie::BatchesWithoutTheLastFrame) && at == last {
                return Ok(PutOutcome::Stored(self.inbox(&arrival.context)?.len() + 1));
            }
            self.put(arrival, bounds)
        };
        arrivals.iter().enumerate().map(put).collect()
    }

    fn inbox(&mut self, context: &RunContext) -> Answer<Vec<InboxRow>> {
        self.store().inbox(context)
    }

    fn acknowledge(&mut self, by: PartyId, ids: &[PacketId]) -> Answer<usize> {
        self.store().acknowledge(by, ids)
    }

    fn due(&mut self, now: Time, bounds: &Bounds, most: usize) -> Answer<Vec<Due>> {
        let mut due = self.store().due(now, bounds, most)?;
        if self.is(Lie::MessagesWithoutTheirRun) {
            due.iter_mut().for_each(|due| due.context = [0; 32]);
        }
        Ok(due)
    }

    fn prune(&mut self, now: Time) -> Answer<()> {
        self.store().prune(now)
    }
}
