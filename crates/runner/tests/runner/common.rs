//! A protocol of three rounds, its application, and a store that can be killed at any operation.
#![allow(dead_code, unreachable_pub, reason = "each test file uses some of it")]
#![allow(clippy::cast_possible_truncation, clippy::indexing_slicing, reason = "tests")]

use core::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use quorate_runner::store::*;
use quorate_runner::{
    App, Bounds, Continuity, EndKind, EndedRun, Job, Kind, MemoryStore, OutgoingPacket, RunEnd,
    Runner, StartOutcome, Time,
};
use quorate_session::{
    Abort, Binding, Fault, Inbox, Limits, Next, Outbox, ParamError, Parties, PartyId, Protocol,
    Round, Run, SealKey, SessionId, Slot, SpentTable, TableEntry, frame, rand_core::Rng,
    zeroize::Zeroizing,
};
use quorate_testkit::Stuck;

/// A protocol in which each party broadcasts a number in each of two rounds, and in the second also sends one to each peer;
/// then all confirm.
pub struct Toy;

pub struct State {
    /// The own broadcast.
    own: Vec<u8>,
    /// The broadcasts so far, by round and party.
    said: Vec<u8>,
}

fn number(mut rng: impl Rng) -> Vec<u8> {
    let mut number = [0; 8];
    rng.fill_bytes(&mut number);
    number.to_vec()
}

impl Protocol for Toy {
    const NAME: &'static str = "runner toy";
    const CODE: u8 = 210;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 3;
    type Params = Vec<u8>;
    type State = State;
    type Output = Vec<u8>;

    fn bind(body: &Vec<u8>, binding: &mut Binding) {
        binding.append("body", body);
    }

    fn limits(_: &Vec<u8>, _: usize, round: Round) -> Limits {
        Limits { broadcast: 8, direct: if round.get() == 2 { 8 } else { 0 } }
    }

    fn start(_: Vec<u8>, run: &Run) -> Result<(State, Outbox), ParamError> {
        let own = number(run.rng("all"));
        Ok((State { own: own.clone(), said: Vec::new() }, Outbox::broadcast(own)))
    }

    fn next(
        State { own, mut said }: State,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<Next<Self>, Abort> {
        let round = run.round().get();
        let expected = if round == 3 { 0 } else { 8 };
        let heard = inbox.verify(|_, message| {
            let fits = message.broadcast.len() == expected;
            if fits { Ok(message.broadcast.to_vec()) } else { Err(Fault::WrongLength) }
        })?;
        if round == 3 {
            return Ok(Next::Done(said));
        }
        for body in heard.with(run.party_id(), own).values() {
            said.extend_from_slice(body);
        }
        if round == 2 {
            return Ok(Next::Round(State { own: Vec::new(), said }, Outbox::broadcast(Vec::new())));
        }
        let own = number(run.rng("all"));
        let direct = run.others().map(|to| (to, number(run.rng_for("one", to)))).collect();
        Ok(Next::Round(State { own: own.clone(), said }, Outbox::new(Some(own), direct)))
    }
}

/// The application of the protocol. Its record has the broadcasts; or, of an abort, the number of culprits and the text.
pub struct ToyApp;

impl App<Toy> for ToyApp {
    type Record = Zeroizing<Vec<u8>>;

    fn params(&mut self, job: &Job) -> Option<Vec<u8>> {
        (job.body != b"locked").then(|| job.body.clone())
    }

    fn record(&mut self, _: &Job, end: RunEnd<Vec<u8>>) -> Zeroizing<Vec<u8>> {
        let culprits = end.abort().map_or(0, |abort| abort.culprits().count());
        Zeroizing::new(match end {
            RunEnd::Done(said) => said,
            other => format!("{culprits} culprits: {other:?}").into_bytes(),
        })
    }
}

pub fn id(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

pub fn job(number: u8, parties: u16, deadline: Time) -> Job {
    let parties = Parties::numbered(parties).unwrap();
    Job { sid: SessionId::new([number; 32]), parties, body: vec![number], deadline }
}

/// A store with handles for several workers, which fails after a given number of operations.
#[derive(Clone, Default)]
pub struct Shared {
    pub store: Rc<RefCell<MemoryStore>>,
    /// The operations until one fails, and `true` if that one is done nevertheless.
    pub fuse: Rc<Cell<Option<(u32, bool)>>>,
    /// The operations so far.
    pub operations: Rc<Cell<u64>>,
    /// `true` if the sessions that it gives out are damaged.
    pub damaged: Rc<Cell<bool>>,
    /// Rows that somebody has put in the place of others.
    pub rows: Rc<RefCell<std::collections::BTreeMap<RunContext, RunRow>>>,
    /// A canary that somebody has put in the place of the other.
    pub canary: Rc<RefCell<Option<Vec<u8>>>>,
}

/// The process was killed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Killed;

impl core::fmt::Display for Killed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("killed")
    }
}

impl core::error::Error for Killed {}

impl Shared {
    fn operate<T>(
        &self,
        operation: impl FnOnce(&mut MemoryStore) -> Result<T, core::convert::Infallible>,
    ) -> Result<T, Killed> {
        self.operations.set(self.operations.get() + 1);
        let mut store = self.store.borrow_mut();
        match self.fuse.get() {
            Some((0, happens)) => {
                self.fuse.set(None);
                if happens {
                    operation(&mut store).ok();
                }
                Err(Killed)
            }
            Some((left, happens)) => {
                self.fuse.set(Some((left - 1, happens)));
                operation(&mut store).map_err(|never| match never {})
            }
            None => operation(&mut store).map_err(|never| match never {}),
        }
    }
}

impl SpentTable for Shared {
    type Error = Killed;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<TableEntry, Killed> {
        self.operate(|store| store.record(id, digest))
    }
}

impl RunTable for Shared {
    fn canary(&mut self, new: &[u8]) -> Result<Option<Vec<u8>>, Killed> {
        let found = self.operate(|store| store.canary(new))?;
        Ok(self.canary.borrow().clone().or(found))
    }

    fn begin(&mut self, run: &NewRun<'_>, bounds: &Bounds) -> Result<BeginOutcome, Killed> {
        self.operate(|store| store.begin(run, bounds))
    }

    fn job(&mut self, sid: &SessionId) -> Result<Option<JobRow>, Killed> {
        self.operate(|store| store.job(sid))
    }

    fn run(&mut self, context: &RunContext) -> Result<Option<RunRow>, Killed> {
        let row = self.operate(|store| store.run(context))?;
        if let Some(row) = self.rows.borrow().get(context) {
            return Ok(Some(row.clone()));
        }
        Ok(row.map(|row| RunRow {
            sealed: if self.damaged.get() { Vec::from(b"damaged") } else { row.sealed },
            ..row
        }))
    }

    fn swap(&mut self, before: Slot, step: &NewStep<'_>) -> Result<bool, Killed> {
        self.operate(|store| store.swap(before, step))
    }

    fn abandon(&mut self, context: &RunContext, step: &NewStep<'_>) -> Result<bool, Killed> {
        self.operate(|store| store.abandon(context, step))
    }

    fn replace_outcome(&mut self, sid: &SessionId, outcome: &[u8]) -> Result<bool, Killed> {
        self.operate(|store| store.replace_outcome(sid, outcome))
    }

    fn expired(
        &mut self,
        kinds: &[Kind],
        now: Time,
        most: usize,
    ) -> Result<Vec<RunContext>, Killed> {
        self.operate(|store| store.expired(kinds, now, most))
    }

    fn open(
        &mut self,
        kinds: &[Kind],
        after: Option<&RunContext>,
        most: usize,
    ) -> Result<Vec<RunContext>, Killed> {
        self.operate(|store| RunTable::open(store, kinds, after, most))
    }

    fn next(&mut self, kinds: &[Kind]) -> Result<Option<Time>, Killed> {
        self.operate(|store| store.next(kinds))
    }

    fn counts(&mut self) -> Result<Counts, Killed> {
        self.operate(MemoryStore::counts)
    }
}

impl MessageTable for Shared {
    fn put(&mut self, arrival: &Arrival<'_>, bounds: &Bounds) -> Result<PutOutcome, Killed> {
        self.operate(|store| store.put(arrival, bounds))
    }

    fn inbox(&mut self, context: &RunContext) -> Result<Vec<InboxRow>, Killed> {
        self.operate(|store| store.inbox(context))
    }

    fn acknowledge(&mut self, by: PartyId, ids: &[PacketId]) -> Result<usize, Killed> {
        self.operate(|store| store.acknowledge(by, ids))
    }

    fn due(&mut self, now: Time, bounds: &Bounds, most: usize) -> Result<Vec<Due>, Killed> {
        self.operate(|store| store.due(now, bounds, most))
    }

    fn prune(&mut self, now: Time) -> Result<(), Killed> {
        self.operate(|store| store.prune(now))
    }
}

pub type Worker = Runner<Shared, ToyApp>;

/// A worker of a party on a store.
pub fn worker(
    me: PartyId,
    store: &Shared,
    bounds: Bounds,
) -> Result<Worker, quorate_runner::Error<Killed>> {
    let key = SealKey::new([me.get() as u8; 32]);
    worker_with((me, key), store, bounds, Continuity::StayedUp)
}

pub fn worker_with(
    (me, key): (PartyId, SealKey),
    store: &Shared,
    bounds: Bounds,
    continuity: Continuity,
) -> Result<Worker, quorate_runner::Error<Killed>> {
    let builder = Runner::builder(me, Arc::new(key), continuity).protocol::<Toy>();
    builder.bounds(bounds).open(store.clone(), ToyApp)
}

pub const BOUNDS: Bounds = Bounds::new(10);
pub const DEADLINE: u64 = 1_000;

/// Three workers, each on a store of its own.
pub fn three() -> [(Worker, Shared); 3] {
    [1, 2, 3].map(|me| {
        let store = Shared::default();
        (worker(id(me), &store, BOUNDS).unwrap(), store)
    })
}

pub fn begin(worker: &mut Worker, job: &Job) {
    let seed = worker.id().get() as u8;
    assert_eq!(worker.start::<Toy>(job, 0, &mut Stuck::at(seed)), Ok(StartOutcome::Begun));
}

/// The packets that a worker sends at this time, by recipient.
pub fn sent(worker: &mut Worker, now: u64) -> Vec<(PartyId, Vec<u8>)> {
    let packets = worker.outgoing(now, 100).unwrap();
    packets.into_iter().map(|OutgoingPacket { to, bytes }| (to, bytes.to_vec())).collect()
}

/// Delivers the packets of the workers until none is sent; gives the events.
pub fn exchange(workers: &mut [(Worker, Shared)], now: u64) -> Vec<EndedRun> {
    let mut events = Vec::new();
    loop {
        let mut quiet = true;
        for from in 0..workers.len() {
            let me = workers[from].0.id();
            for (to, packet) in sent(&mut workers[from].0, now) {
                quiet = false;
                let Some((peer, _)) = workers.iter_mut().find(|(peer, _)| peer.id() == to) else {
                    continue;
                };
                peer.receive(me, &packet, now).unwrap();
            }
            events.extend(workers[from].0.work(now).unwrap());
        }
        if quiet {
            return events;
        }
    }
}

pub fn done(events: &[EndedRun]) -> usize {
    events.iter().filter(|event| event.outcome.kind == EndKind::Done).count()
}

/// A frame of a packet, if it is one.
pub fn header(packet: &[u8]) -> Option<frame::Header> {
    packet
        .split_first()
        .filter(|(kind, _)| **kind == 0)
        .and_then(|(_, frame)| frame::Header::parse(frame))
}

/// Another protocol, on the same store.
pub struct Other;

impl Protocol for Other {
    const NAME: &'static str = "another runner toy";
    const CODE: u8 = 211;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 1;
    type Params = Vec<u8>;
    type State = ();
    type Output = Vec<u8>;

    fn bind(_: &Vec<u8>, _: &mut Binding) {}

    fn limits(_: &Vec<u8>, _: usize, _: Round) -> Limits {
        Limits { broadcast: 1, direct: 0 }
    }

    fn start(_: Vec<u8>, _: &Run) -> Result<((), Outbox), ParamError> {
        Ok(((), Outbox::broadcast(Vec::new())))
    }

    fn next((): (), _: &Run, _: Inbox<'_>) -> Result<Next<Self>, Abort> {
        Ok(Next::Done(Vec::new()))
    }
}

pub struct OtherApp;

impl App<Other> for OtherApp {
    type Record = ();

    fn params(&mut self, _: &Job) -> Option<Vec<u8>> {
        None
    }

    fn record(&mut self, _: &Job, _: RunEnd<Vec<u8>>) {}
}
