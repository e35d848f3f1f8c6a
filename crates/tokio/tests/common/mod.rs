//! A protocol of one round, an application that panics where its jobs say so, a store that blocks, fails or panics where a
//! test says so, and a network of channels.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_in_result,
    clippy::unwrap_used,
    reason = "tests"
)]

use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use futures_channel::mpsc;
use futures_util::{Sink, SinkExt as _, Stream, StreamExt as _};
use quorate_runner::store::*;
use quorate_runner::{
    App, Bounds, Continuity, EndKind, IncomingPacket, Job, Kind, MemoryStore, OutgoingPacket,
    RunEnd, Runner, Time,
};
use quorate_session::{
    Abort, Binding, Inbox, Limits, Next, Outbox, ParamError, Parties, PartyId, Protocol, Round,
    Run, SealKey, SessionId, Slot, SpentTable, TableEntry, zeroize::Zeroizing,
};
use quorate_tokio::{Builder, Event, Handle, Service};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Each says the body of its job, and outputs all bodies.
pub struct Toy;

impl Protocol for Toy {
    const NAME: &'static str = "tokio toy";
    const CODE: u8 = 211;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 1;
    type Params = Vec<u8>;
    type State = Vec<u8>;
    type Output = Vec<u8>;

    fn bind(_: &Vec<u8>, _: &mut Binding) {}

    fn limits(_: &Vec<u8>, _: usize, _: Round) -> Limits {
        Limits { broadcast: 64, direct: 0 }
    }

    fn start(body: Vec<u8>, _: &Run) -> Result<(Vec<u8>, Outbox), ParamError> {
        Ok((body.clone(), Outbox::broadcast(body)))
    }

    fn next(own: Vec<u8>, _: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        assert!(own != b"panic in the round", "the round panics");
        let gate = GATE.lock().unwrap().clone();
        if let Some(gate) = gate {
            gate(&own);
        }
        Ok(Next::Done(
            inbox.each().flat_map(|message| message.broadcast.to_vec()).chain(own).collect(),
        ))
    }
}

type Gate = Arc<dyn Fn(&[u8]) + Send + Sync>;

/// Called in each round with the body of its job: a test in a process of its own may hold rounds up.
pub static GATE: Mutex<Option<Gate>> = Mutex::new(None);

/// Panics about some jobs.
#[derive(Clone, Default)]
pub struct ToyApp {
    /// `true` if it panics where the body of a job says so.
    pub panics: bool,
}

impl App<Toy> for ToyApp {
    type Record = Zeroizing<Vec<u8>>;

    fn params(&mut self, job: &Job) -> Option<Vec<u8>> {
        assert!(!self.panics || job.body != b"panic in params", "params panics");
        Some(job.body.clone())
    }

    fn record(&mut self, job: &Job, end: RunEnd<Vec<u8>>) -> Zeroizing<Vec<u8>> {
        assert!(!self.panics || job.body != b"panic in record", "record panics");
        Zeroizing::new(end.into_output().unwrap_or_default())
    }
}

pub fn id(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

/// A job of two parties.
pub fn job(number: u16, body: &[u8]) -> Job {
    let mut sid = [0; 32];
    sid[..2].copy_from_slice(&number.to_be_bytes());
    let parties = Parties::numbered(2).unwrap();
    Job { sid: SessionId::new(sid), parties, body: body.to_vec(), deadline: now() + 60_000 }
}

pub fn now() -> Time {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    Time::try_from(since.as_millis()).unwrap()
}

/// The store failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Down;

impl core::fmt::Display for Down {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("down")
    }
}

impl core::error::Error for Down {}

type Hook = Box<dyn FnMut(&str) -> Result<(), Down> + Send>;

/// A store that outlives its service. Before each operation it calls a hook with the operation's name.
#[derive(Clone, Default)]
pub struct Shared {
    pub store: Arc<Mutex<MemoryStore>>,
    pub hook: Arc<Mutex<Option<Hook>>>,
}

impl Shared {
    pub fn hook(&self, hook: impl FnMut(&str) -> Result<(), Down> + Send + 'static) {
        *self.hook.lock().unwrap_or_else(|lock| lock.into_inner()) = Some(Box::new(hook));
    }

    pub fn counts(&self) -> Counts {
        self.store.lock().unwrap().counts().unwrap()
    }

    fn call<T>(
        &self,
        name: &str,
        operation: impl FnOnce(&mut MemoryStore) -> Result<T, core::convert::Infallible>,
    ) -> Result<T, Down> {
        if let Some(hook) = &mut *self.hook.lock().unwrap_or_else(|lock| lock.into_inner()) {
            hook(name)?;
        }
        Ok(operation(&mut self.store.lock().unwrap()).unwrap())
    }
}

/// Methods of a store, which call the hook first.
macro_rules! operations {
    ($trait:ident { $($name:ident($($arg:ident: $type:ty),*) -> $result:ty;)* }) => {
        impl $trait for Shared {
            $(fn $name(&mut self, $($arg: $type),*) -> Result<$result, Down> {
                self.call(stringify!($name), |store| store.$name($($arg),*))
            })*
        }
    };
}

impl SpentTable for Shared {
    type Error = Down;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<TableEntry, Down> {
        self.call("record", |store| store.record(id, digest))
    }
}

operations! { RunTable {
    canary(new: &[u8]) -> Option<Vec<u8>>;
    begin(run: &NewRun<'_>, bounds: &Bounds) -> BeginOutcome;
    job(sid: &SessionId) -> Option<JobRow>;
    run(context: &RunContext) -> Option<RunRow>;
    swap(before: Slot, step: &NewStep<'_>) -> bool;
    abandon(context: &RunContext, step: &NewStep<'_>) -> bool;
    replace_outcome(sid: &SessionId, outcome: &[u8]) -> bool;
    expired(kinds: &[Kind], now: Time, most: usize) -> Vec<RunContext>;
    open(kinds: &[Kind], after: Option<&RunContext>, most: usize) -> Vec<RunContext>;
    next(kinds: &[Kind]) -> Option<Time>;
    counts() -> Counts;
} }

operations! { MessageTable {
    put(arrival: &Arrival<'_>, bounds: &Bounds) -> PutOutcome;
    inbox(context: &RunContext) -> Vec<InboxRow>;
    acknowledge(by: PartyId, ids: &[PacketId]) -> usize;
    due(now: Time, bounds: &Bounds, most: usize) -> Vec<Due>;
    prune(now: Time) -> ();
} }

/// The ends of the network at a party.
pub struct Ends {
    pub me: PartyId,
    pub packets: mpsc::Receiver<IncomingPacket>,
    pub sink: mpsc::Sender<OutgoingPacket>,
}

/// A party's side of the wire: what it has sent.
pub struct Sent {
    pub from: PartyId,
    pub packets: mpsc::Receiver<OutgoingPacket>,
}

pub type Inboxes = BTreeMap<PartyId, mpsc::Sender<IncomingPacket>>;

/// The ends of the network at two parties, and the other sides of them.
pub fn wires() -> (Vec<Ends>, Vec<Sent>, Inboxes) {
    let (mut ends, mut sent, mut inboxes) = (Vec::new(), Vec::new(), BTreeMap::new());
    for me in [id(1), id(2)] {
        let (inbox, packets) = mpsc::channel(16);
        let (sink, outbox) = mpsc::channel(0);
        ends.push(Ends { me, packets, sink });
        sent.push(Sent { from: me, packets: outbox });
        inboxes.insert(me, inbox);
    }
    (ends, sent, inboxes)
}

/// Carries what a party sends, with a pause after each packet.
pub async fn carry(mut sent: Sent, mut inboxes: Inboxes, pause: Duration) {
    while let Some(packet) = sent.packets.next().await {
        let bytes = packet.bytes.to_vec();
        // A party that is gone takes nothing any more.
        let inbox = inboxes.get_mut(&packet.to).unwrap();
        inbox.send(IncomingPacket { from: sent.from, bytes }).await.ok();
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
    }
}

/// A network without losses between two parties.
pub fn network() -> [Ends; 2] {
    let (ends, sent, inboxes) = wires();
    for sent in sent {
        tokio::spawn(carry(sent, inboxes.clone(), Duration::ZERO));
    }
    ends.try_into().unwrap_or_else(|_| panic!("two parties"))
}

pub struct Node {
    pub handle: Handle<Shared, ToyApp>,
    pub service: Service<Shared, ToyApp>,
    pub events: UnboundedReceiver<Event<Down>>,
}

pub const BOUNDS: Bounds = Bounds::new(50);

/// A party with these settings on this store.
pub async fn node_with(
    builder: Builder<Down>,
    Ends { me, packets, sink }: Ends,
    store: &Shared,
    settings: (ToyApp, Bounds),
) -> Node {
    node_on(builder, (me, packets, sink), store, settings).await
}

/// A party between any stream and sink.
pub async fn node_on<I, O>(
    builder: Builder<Down>,
    (me, packets, sink): (PartyId, I, O),
    store: &Shared,
    (app, bounds): (ToyApp, Bounds),
) -> Node
where
    I: Stream<Item = IncomingPacket> + Send + 'static,
    O: Sink<OutgoingPacket, Error: core::fmt::Display> + Send + 'static,
{
    let (tell, events) = unbounded_channel();
    let store = store.clone();
    let open = move || {
        let key = Arc::new(SealKey::new([3; 32]));
        let builder = Runner::builder(me, key, Continuity::Operator).bounds(bounds);
        builder.protocol::<Toy>().open(store, app)
    };
    let builder = builder.on_event(move |event| drop(tell.send(event)));
    let (handle, service) = builder.spawn(open, packets, sink).await.unwrap();
    Node { handle, service, events }
}

pub async fn node(ends: Ends, store: &Shared) -> Node {
    node_with(Builder::new(), ends, store, (ToyApp::default(), BOUNDS)).await
}

/// Two parties on new stores.
pub async fn pair() -> [Node; 2] {
    let [one, two] = network();
    [node(one, &Shared::default()).await, node(two, &Shared::default()).await]
}

impl Node {
    /// The next event that fits.
    pub async fn event<T>(&mut self, fits: impl Fn(&Event<Down>) -> Option<T>) -> T {
        loop {
            let event = self.events.recv().await.expect("the service runs");
            if let Some(found) = fits(&event) {
                return found;
            }
        }
    }

    /// The end of this run.
    pub async fn ended(&mut self, sid: SessionId) -> EndKind {
        self.event(|event| match event {
            Event::Ended(run) if run.sid == sid => Some(run.outcome.kind),
            _ => None,
        })
        .await
    }

    /// A panic, and the run that stands still.
    pub async fn panic(&mut self) -> Option<SessionId> {
        self.event(|event| match event {
            Event::Panicked { run, .. } => Some(*run),
            _ => None,
        })
        .await
    }

    pub async fn shutdown(self) -> quorate_tokio::Stopped {
        self.service.shutdown(Duration::from_secs(5)).await
    }
}

/// Both run a job: the records.
pub async fn both(nodes: &[Node; 2], job: &Job) -> [Vec<u8>; 2] {
    let [one, two] = nodes;
    let runs = tokio::join!(one.handle.run::<Toy>(job.clone()), two.handle.run::<Toy>(job.clone()));
    let record = |outcome: quorate_tokio::RunOutcome<Zeroizing<Vec<u8>>>| {
        assert_eq!(outcome.kind, EndKind::Done);
        outcome.record().unwrap().to_vec()
    };
    [record(runs.0.unwrap()), record(runs.1.unwrap())]
}
