//! A protocol of three rounds, its application, and a store that can be killed at any operation.
#![allow(dead_code, unreachable_pub, reason = "each test file uses some of it")]

use core::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use quorate_runner::store::*;
use quorate_runner::{App, Bounds, Job, MemoryStore, RunEnd, Runner, Time};
use quorate_session::{
    Abort, Binding, Fault, Inbox, Limits, Next, Outbox, ParamError, Parties, PartyId, Protocol,
    Round, Run, SealKey, SessionId, Slot, SpentTable, rand_core::Rng, zeroize::Zeroizing,
};

/// Each says a number in each of two rounds, and in the second one more to each peer; then all confirm.
pub struct Toy;

pub struct State {
    /// The own broadcast.
    own: Vec<u8>,
    /// All broadcasts so far, by round and party.
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
        for body in heard.with(run.me(), own).values() {
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

/// Its record: what was said; or, of an abort, the number of culprits and the text.
pub struct ToyApp;

impl App<Toy> for ToyApp {
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

/// A store of which several workers hold handles, and which fails when its fuse has burnt down.
#[derive(Clone, Default)]
pub struct Shared {
    pub store: Rc<RefCell<MemoryStore>>,
    /// The operations until one fails, and whether that one is done nevertheless.
    pub fuse: Rc<Cell<Option<(u32, bool)>>>,
    /// The operations so far.
    pub operations: Rc<Cell<u64>>,
    /// Whether the sessions that it gives out are damaged.
    pub damaged: Rc<Cell<bool>>,
    /// Rows that somebody has put in the place of others.
    pub rows: Rc<RefCell<std::collections::BTreeMap<Context, RunRow>>>,
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

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<[u8; 32], Killed> {
        self.operate(|store| store.record(id, digest))
    }
}

impl Store for Shared {
    fn begin(&mut self, run: &NewRun<'_>, bounds: &Bounds) -> Result<BeginOutcome, Killed> {
        self.operate(|store| store.begin(run, bounds))
    }

    fn job(&mut self, sid: &SessionId) -> Result<Option<JobRow>, Killed> {
        self.operate(|store| store.job(sid))
    }

    fn run(&mut self, context: &Context) -> Result<Option<RunRow>, Killed> {
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

    fn bury(&mut self, context: &Context, step: &NewStep<'_>) -> Result<bool, Killed> {
        self.operate(|store| store.bury(context, step))
    }

    fn replace_outcome(&mut self, sid: &SessionId, outcome: &[u8]) -> Result<bool, Killed> {
        self.operate(|store| store.replace_outcome(sid, outcome))
    }

    fn put(&mut self, arrival: &Arrival<'_>, bounds: &Bounds) -> Result<PutOutcome, Killed> {
        self.operate(|store| store.put(arrival, bounds))
    }

    fn inbox(&mut self, context: &Context) -> Result<Vec<InboxRow>, Killed> {
        self.operate(|store| store.inbox(context))
    }

    fn acknowledge(&mut self, by: PartyId, ids: &[PacketId]) -> Result<usize, Killed> {
        self.operate(|store| store.acknowledge(by, ids))
    }

    fn due(&mut self, now: Time, bounds: &Bounds, most: usize) -> Result<Vec<Due>, Killed> {
        self.operate(|store| store.due(now, bounds, most))
    }

    fn expired(&mut self, code: u8, now: Time, most: usize) -> Result<Vec<Context>, Killed> {
        self.operate(|store| store.expired(code, now, most))
    }

    fn open(
        &mut self,
        code: u8,
        after: Option<&Context>,
        most: usize,
    ) -> Result<Vec<Context>, Killed> {
        self.operate(|store| Store::open(store, code, after, most))
    }

    fn prune(&mut self, now: Time) -> Result<(), Killed> {
        self.operate(|store| store.prune(now))
    }

    fn next(&mut self) -> Result<Option<Time>, Killed> {
        self.operate(Store::next)
    }

    fn counts(&mut self) -> Result<Counts, Killed> {
        self.operate(MemoryStore::counts)
    }
}

pub type Worker = Runner<Toy, Shared, ToyApp>;

/// A worker of a party on a store.
pub fn worker(
    me: PartyId,
    store: &Shared,
    bounds: Bounds,
) -> Result<Worker, quorate_runner::Error<Killed>> {
    let key = Arc::new(SealKey::new([me.get() as u8; 32]));
    Runner::new(me, key, (store.clone(), ToyApp), bounds)
}

/// Another protocol, on the same store.
pub struct Other;

impl Protocol for Other {
    const NAME: &'static str = "another runner toy";
    const CODE: u8 = 211;
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
    fn params(&mut self, _: &Job) -> Option<Vec<u8>> {
        None
    }

    fn record(&mut self, _: &Job, _: RunEnd<Vec<u8>>) -> Zeroizing<Vec<u8>> {
        Zeroizing::default()
    }
}
