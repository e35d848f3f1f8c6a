//! A store in memory.

mod inbox;
mod outbox;

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::convert::Infallible;
use core::ops::Bound;

use quorate_session::frame::{self, Prefix, Tag};
use quorate_session::{PartyId, Sealed, SessionId, Slot, SpentInMemory, SpentTable, TableEntry};

use self::inbox::{Inbox, Row};
use self::outbox::Outbox;
use crate::store::{
    Arrival, BeginOutcome, Counts, Due, InboxRow, JobRow, MessageTable, NewRun, NewStep, PacketId,
    PutOutcome, RunContext, RunRow, RunTable,
};
use crate::{Bounds, Kind, Time};

/// The rows that one call of [`MessageTable::prune`] forgets, about: more than a turn of a runner takes in.
const PRUNED: usize = 4096;

/// A store that forgets everything when the process ends: for tests, and for callers that keep nothing across restarts.
///
/// The rows of one run, as a runner writes them, from its start over a step to its end:
///
/// ```
/// use quorate_runner::store::{Arrival, ArrivalKind, NewRun, NewStep, OutgoingMessage, Place, PutOutcome, Taken};
/// use quorate_runner::{Bounds, Kind, MemoryStore, MessageTable, RunTable};
/// use quorate_session::{Parties, SealKey, Session, SessionId};
/// # use quorate_session::{Abort, Binding, Inbox, Limits, Next, Outbox, ParamError, Protocol, Round, Run};
/// # struct Toy; // some protocol
/// # impl Protocol for Toy {
/// #     const NAME: &'static str = "toy";
/// #     const CODE: u8 = 255;
/// #     const FAMILY: &'static str = "";
/// #     const ROUNDS: u8 = 1;
/// #     type Params = ();
/// #     type State = ();
/// #     type Output = ();
/// #     fn bind(_: &(), _: &mut Binding) {}
/// #     fn limits(_: &(), _: usize, _: Round) -> Limits { Limits { broadcast: 8, direct: 0 } }
/// #     fn start(_: (), _: &Run) -> Result<((), Outbox), ParamError> { Ok(((), Outbox::broadcast(vec![7]))) }
/// #     fn next(_: (), _: &Run, _: Inbox<'_>) -> Result<Next<Self>, Abort> { Ok(Next::Done(())) }
/// # }
/// # let mut rng = quorate_testkit::rng(1);
/// let (mut store, bounds) = (MemoryStore::new(), Bounds::new(2));
/// let (sid, key) = (SessionId::new([1; 32]), SealKey::new([2; 32]));
/// let parties = Parties::numbered(2)?;
/// let [me, peer] = parties.as_slice() else { return Ok(()) };
///
/// // A run begins: its job, its session at the first slot, and the messages of its first round.
/// let step = Session::<Toy>::start(sid, *me, &parties, (), &mut rng)?;
/// let mut session = step.session;
/// let first = session.seal(&key);
/// let context = first.slot().session();
/// let until = 60_000; // times are in milliseconds
/// let message = OutgoingMessage { to: vec![*peer], id: [3; 32], sealed: b"sealed packet".to_vec(), due: 0, until };
/// let run = NewRun {
///     kind: Kind::of::<Toy>(), sid, tag: Default::default(), digest: [4; 32], job: b"sealed job",
///     sealed: &first, deadline: 30_000, longest: 1024, messages: &[message],
/// };
/// store.begin(&run, &bounds)?;
/// assert_eq!(store.run(&context)?.map(|row| row.sealed), Some(first.as_bytes().to_vec()));
///
/// // A frame of the peer comes, and is stored before it is acknowledged.
/// let place = Place { from: *peer, round: 1, kind: ArrivalKind::Broadcast };
/// let arrival = Arrival { context, place, id: [5; 32], sealed: b"sealed frame", opening: None, until };
/// assert_eq!(store.put(&arrival, &bounds)?, PutOutcome::Stored(1));
///
/// // A step takes it in: the session moves to its next slot, in one transaction with what was taken.
/// # let theirs = Session::<Toy>::start(sid, *peer, &parties, (), &mut rng)?;
/// # let frame = theirs.outgoing[0].bytes.clone();
/// session.receive(*peer, &frame)?;
/// let second = session.seal(&key);
/// let taken = [Taken { from: *peer, id: arrival.id }];
/// let step = NewStep { after: &second, taken: &taken, messages: &[], outcome: None, until };
/// assert!(store.swap(first.slot(), &step)?);
/// assert!(!store.swap(first.slot(), &step)?, "another worker was first");
///
/// // The run ends: the tombstone takes the place of the session, and the job has its outcome.
/// let tombstone = session.tombstone();
/// let end = NewStep { after: &tombstone, taken: &[], messages: &[], outcome: Some(b"sealed outcome"), until };
/// assert!(store.swap(second.slot(), &end)?);
/// assert_eq!(store.job(&sid)?.and_then(|row| row.outcome), Some(b"sealed outcome".to_vec()));
///
/// // Its message waits until the peer has acknowledged it.
/// assert_eq!(store.due(0, &bounds, 10)?.len(), 1);
/// store.acknowledge(*peer, &[[3; 32]])?;
/// assert!(store.due(0, &bounds, 10)?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default, Debug)]
pub struct MemoryStore {
    jobs: BTreeMap<[u8; 32], JobRow>,
    runs: BTreeMap<RunContext, Entry>,
    /// Open runs, with the kind of their protocol.
    open: BTreeMap<RunContext, Kind>,
    /// Open runs by the tags of their session ids.
    tags: BTreeSet<(Tag, RunContext)>,
    deadlines: BTreeSet<(Time, RunContext)>,
    inbox: Inbox,
    outbox: Outbox,
    spent: SpentInMemory,
    canary: Option<Vec<u8>>,
}

#[derive(Debug)]
struct Entry {
    kind: Kind,
    tag: Tag,
    sid: SessionId,
    sealed: Sealed,
    job: Vec<u8>,
    deadline: Time,
    longest: usize,
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The outcome of [`RunTable::begin`] for a run that would not begin: for a store of a caller's that keeps the rules of
    /// this one, and has to know before it writes.
    #[must_use]
    pub fn refusal(&self, run: &NewRun<'_>, bounds: &Bounds) -> Option<BeginOutcome> {
        let context = run.sealed.slot().session();
        if self.jobs.contains_key(run.sid.as_bytes()) || self.runs.contains_key(&context) {
            return Some(BeginOutcome::Exists);
        }
        if self.open.len() >= bounds.open {
            return Some(BeginOutcome::Busy);
        }
        self.outbox.is_full(run.messages, bounds.outbox).then_some(BeginOutcome::Outbox)
    }

    /// A run that has ended: its tombstone is stored.
    fn close(&mut self, context: &RunContext, outcome: &[u8], step: &NewStep<'_>) {
        let Some(run) = self.runs.get_mut(context) else { return };
        run.sealed = step.after.clone();
        run.job = Vec::new();
        self.open.remove(context);
        self.tags.remove(&(run.tag, *context));
        self.deadlines.remove(&(run.deadline, *context));
        self.inbox.end(context);
        if let Some(job) = self.jobs.get_mut(run.sid.as_bytes()) {
            job.outcome = Some(outcome.to_vec());
        }
        self.outbox.add(*context, step.messages);
        self.outbox.end(context, step.until);
    }

    fn is_of(&self, context: &RunContext, kinds: &[Kind]) -> bool {
        self.open.get(context).is_some_and(|kind| kinds.contains(kind))
    }

    /// The open run with this tag, if there is one.
    fn tagged(&self, opening: &Prefix) -> Option<RunContext> {
        let tag = frame::tag(opening);
        let (found, context) = self.tags.range((tag, [0; 32])..).next()?;
        (*found == tag).then_some(*context)
    }
}

impl SpentTable for MemoryStore {
    type Error = Infallible;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<TableEntry, Infallible> {
        self.spent.record(id, digest)
    }
}

impl RunTable for MemoryStore {
    fn canary(&mut self, new: &[u8]) -> Result<Option<Vec<u8>>, Infallible> {
        if self.canary.is_none() {
            self.canary = Some(new.to_vec());
            return Ok(None);
        }
        Ok(self.canary.clone())
    }

    fn begin(&mut self, run: &NewRun<'_>, bounds: &Bounds) -> Result<BeginOutcome, Infallible> {
        let context = run.sealed.slot().session();
        if let Some(refusal) = self.refusal(run, bounds) {
            return Ok(refusal);
        }
        let job = JobRow { digest: run.digest, context, outcome: None };
        self.jobs.insert(*run.sid.as_bytes(), job);
        let (job, sealed) = (run.job.to_vec(), run.sealed.clone());
        let NewRun { kind, sid, tag, deadline, longest, .. } = *run;
        self.runs.insert(context, Entry { kind, tag, sid, sealed, job, deadline, longest });
        self.open.insert(context, kind);
        self.tags.insert((tag, context));
        self.deadlines.insert((run.deadline, context));
        let parked = self.inbox.begin(tag, context);
        self.outbox.add(context, run.messages);
        Ok(BeginOutcome::Begun { parked })
    }

    fn job(&mut self, sid: &SessionId) -> Result<Option<JobRow>, Infallible> {
        Ok(self.jobs.get(sid.as_bytes()).cloned())
    }

    fn run(&mut self, context: &RunContext) -> Result<Option<RunRow>, Infallible> {
        Ok(self.runs.get(context).map(|run| RunRow {
            kind: run.kind,
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
        if let Some(outcome) = step.outcome {
            self.close(&context, outcome, step);
        } else {
            run.sealed = step.after.clone();
            self.inbox.take(&context, step.taken);
            self.outbox.add(context, step.messages);
        }
        Ok(true)
    }

    fn abandon(&mut self, context: &RunContext, step: &NewStep<'_>) -> Result<bool, Infallible> {
        let run = self.runs.get(context);
        if run.is_none_or(|run| run.sealed.is_tombstone()) {
            return Ok(false);
        }
        self.close(context, step.outcome.unwrap_or_default(), step);
        Ok(true)
    }

    fn replace_outcome(&mut self, sid: &SessionId, outcome: &[u8]) -> Result<bool, Infallible> {
        let there = self.jobs.get_mut(sid.as_bytes()).and_then(|job| job.outcome.as_mut());
        Ok(there.map(|there| *there = outcome.to_vec()).is_some())
    }

    fn expired(
        &mut self,
        kinds: &[Kind],
        now: Time,
        most: usize,
    ) -> Result<Vec<RunContext>, Infallible> {
        let due = self.deadlines.iter().take_while(|(deadline, _)| *deadline <= now);
        let due = due.map(|(_, context)| *context).filter(|context| self.is_of(context, kinds));
        Ok(due.take(most).collect())
    }

    fn open(
        &mut self,
        kinds: &[Kind],
        after: Option<&RunContext>,
        most: usize,
    ) -> Result<Vec<RunContext>, Infallible> {
        let from = after.map_or(Bound::Unbounded, |after| Bound::Excluded(*after));
        let open = self.open.range((from, Bound::Unbounded));
        let open = open.filter(|(_, kind)| kinds.contains(kind));
        Ok(open.take(most).map(|(context, _)| *context).collect())
    }

    fn next(&mut self, kinds: &[Kind]) -> Result<Option<Time>, Infallible> {
        let mut deadlines = self.deadlines.iter();
        let deadline = deadlines.find(|(_, context)| self.is_of(context, kinds));
        let deadline = deadline.map(|(deadline, _)| *deadline);
        Ok(self.outbox.next().into_iter().chain(deadline).min())
    }

    fn counts(&mut self) -> Result<Counts, Infallible> {
        let (messages, outbox) = self.outbox.counts();
        Ok(Counts { open: self.open.len(), messages, outbox, parked: self.inbox.parked() })
    }
}

impl MessageTable for MemoryStore {
    fn put(&mut self, arrival: &Arrival<'_>, bounds: &Bounds) -> Result<PutOutcome, Infallible> {
        let Arrival { context, place, id, sealed, opening, until } = *arrival;
        let run = self.runs.get(&context);
        if run.is_some_and(|run| run.sealed.is_tombstone()) {
            return Ok(PutOutcome::Ended);
        }
        let started = run.is_some();
        if let Some((opening, run)) =
            opening.filter(|_| !started).and_then(|one| Some((one, self.tagged(&one)?)))
        {
            let row = Row::other(place, id, &opening, until);
            let waiting = self.inbox.add_opening(run, row);
            return Ok(PutOutcome::Other { run, waiting });
        }
        let there = self.inbox.at(&context, place);
        if there.contains(&id) {
            return Ok(if started { PutOutcome::Duplicate } else { PutOutcome::Parked });
        }
        if there.len() >= 2 {
            return Ok(PutOutcome::Contradiction);
        }
        if run.is_some_and(|run| sealed.len() > run.longest) {
            return Ok(PutOutcome::TooLong);
        }
        let row = Row::new((place, id), sealed.to_vec(), opening, until);
        if started {
            return Ok(PutOutcome::Stored(self.inbox.add(context, row)));
        }
        let parked = self.inbox.park(context, row, bounds.parked);
        Ok(if parked { PutOutcome::Parked } else { PutOutcome::Full })
    }

    fn inbox(&mut self, context: &RunContext) -> Result<Vec<InboxRow>, Infallible> {
        Ok(self.inbox.rows(context))
    }

    fn acknowledge(&mut self, by: PartyId, ids: &[PacketId]) -> Result<usize, Infallible> {
        Ok(ids.iter().filter(|id| self.outbox.forget(by, **id)).count())
    }

    fn due(&mut self, now: Time, bounds: &Bounds, most: usize) -> Result<Vec<Due>, Infallible> {
        Ok(self.outbox.due(now, bounds, most))
    }

    fn prune(&mut self, now: Time) -> Result<(), Infallible> {
        self.outbox.prune(now, PRUNED);
        self.inbox.prune(now, PRUNED);
        Ok(())
    }
}
