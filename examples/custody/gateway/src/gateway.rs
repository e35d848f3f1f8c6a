//! The gateway's thread, and its handle.

use core::time::Duration;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use custody_core::{
    AnswerMessage, Callers, Child, KeyDescription, KeyId, KeyList, OrderMessage, Page, Reason,
    Refusal, Reply, RequestDescription, RequestId, RequestList, Service, SignedRequest, Verified,
    Versions,
};
use custody_nats::{Incoming, Outgoing, Transport};
use futures_util::{SinkExt as _, StreamExt as _};
use quorate::PartyId;
use quorate::session::rand_core::UnwrapErr;
use quorate_envelope::{Envelope, Identity, Name, Opened, Opener, TrustedDirectory};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::task::JoinSet;

use crate::config::{Config, Now};
use crate::database::Database;
use crate::engine::{Ask, Engine, Input, ReplyTo};
use crate::metrics::Metrics;
use crate::orders::Batch;
use crate::state::refuse;

/// Messages that wait for the gateway's thread, and orders that wait for the transport.
const WAITING: usize = 4096;
/// Bytes of answers that wait.
const ROOM: usize = 64 << 20;
/// Inputs of one turn, at most.
const TURN: usize = 512;
/// The time for which a node may take to export its log.
const AUDIT: Duration = Duration::from_secs(30);

/// The parts of a gateway.
#[derive(Debug)]
pub struct Parts {
    /// The gateway's identity.
    pub identity: Identity,
    /// The directory.
    pub directory: TrustedDirectory,
    /// The callers.
    pub callers: Callers,
    /// The settings.
    pub config: Config,
    /// The database.
    pub database: Database,
}

/// A handle of a gateway. Clones are handles of the same one, which stops when the last of them is dropped.
#[derive(Clone)]
pub struct Gateway(Arc<Shared>);

struct Shared {
    inputs: SyncSender<Input>,
    callers: Arc<RwLock<Arc<Callers>>>,
    /// The name of the cluster, which every request has to name.
    cluster: Name,
    /// The tasks at the transport. They end with the gateway.
    _tasks: JoinSet<()>,
}

impl Gateway {
    /// Starts a gateway. Call it inside a tokio runtime. The database is opened in the background, again after each failure.
    ///
    /// # Errors
    /// An error of the operating system if there is no thread.
    pub fn spawn(parts: Parts, transport: impl Transport) -> std::io::Result<Self> {
        let Parts { identity, directory, callers, config, database } = parts;
        let (receiver, sender) = transport.split();
        let (inputs, arrived) = sync_channel(WAITING);
        let (outgoing, orders) = mpsc::channel(WAITING);
        let cluster = directory.directory().deployment().clone();
        let callers = callers.of_cluster(cluster.as_str());
        let callers = Arc::new(RwLock::new(Arc::new(callers)));
        let keys = Arc::new((identity, directory));
        let mut tasks = JoinSet::new();
        tasks.spawn(receive(receiver, Arc::clone(&keys), inputs.clone()));
        tasks.spawn(send(sender, Arc::clone(&keys), orders));
        let shared = Arc::clone(&callers);
        let work = move || run(&config, &keys, database, &shared, (&arrived, &outgoing));
        thread::Builder::new().name("gateway".into()).spawn(work)?;
        Ok(Self(Arc::new(Shared { inputs, callers, cluster, _tasks: tasks })))
    }

    /// Replaces the callers. Requests that were accepted before continue.
    pub fn set_callers(&self, callers: Callers) {
        let callers = Arc::new(callers.of_cluster(self.0.cluster.as_str()));
        *self.0.callers.write().unwrap_or_else(PoisonError::into_inner) = callers;
    }

    async fn described(
        &self,
        id: RequestId,
        wait: u16,
        ask: impl FnOnce(ReplyTo<RequestDescription>) -> Ask,
    ) -> Result<RequestDescription, Refusal> {
        let asked = self.ask(ask);
        if wait == 0 {
            return asked.await;
        }
        match tokio::time::timeout(Duration::from_secs(wait.into()), asked).await {
            Ok(answer) => answer,
            Err(_) => self.ask(|reply| Ask::Request(id, false, reply)).await,
        }
    }

    /// Counters and gauges.
    ///
    /// # Errors
    /// `internal` while the database is away, or if the gateway has stopped.
    pub async fn metrics(&self) -> Result<Metrics, Refusal> {
        let (reply, metrics) = oneshot::channel();
        self.put(Ask::Metrics(reply))?;
        metrics.await.map_err(|_| stopped())
    }

    fn put(&self, ask: Ask) -> Result<(), Refusal> {
        self.0.inputs.try_send(Input::Ask(ask)).map_err(|error| match error {
            TrySendError::Full(_) => refuse(Reason::Busy, "too many calls wait for the gateway"),
            TrySendError::Disconnected(_) => stopped(),
        })
    }

    async fn ask<T>(&self, ask: impl FnOnce(ReplyTo<T>) -> Ask) -> Result<T, Refusal> {
        let (reply, result) = oneshot::channel();
        self.put(ask(reply))?;
        result.await.map_err(|_| stopped())?
    }
}

impl Service for Gateway {
    fn callers(&self) -> Arc<Callers> {
        Arc::clone(&self.0.callers.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn now(&self) -> u64 {
        wall()
    }

    fn submit(&self, request: SignedRequest, verified: Verified) -> Reply<'_, RequestDescription> {
        let (id, wait) = (verified.id, verified.wait);
        let submit = move |reply| Ask::Submit(Box::new((request, verified)), reply);
        Box::pin(self.described(id, wait, submit))
    }

    fn keys(&self, page: Page<KeyId>) -> Reply<'_, KeyList> {
        Box::pin(self.ask(move |reply| Ask::Keys(page, reply)))
    }

    fn key(&self, key: KeyId, child: Option<Child>) -> Reply<'_, KeyDescription> {
        Box::pin(self.ask(move |reply| Ask::Key(key, child, reply)))
    }

    fn requests(&self, page: Page<RequestId>) -> Reply<'_, RequestList> {
        Box::pin(self.ask(move |reply| Ask::Requests(page, reply)))
    }

    fn request(&self, id: RequestId, wait: u16) -> Reply<'_, RequestDescription> {
        Box::pin(self.described(id, wait, move |reply| Ask::Request(id, wait > 0, reply)))
    }

    fn audit(&self, node: PartyId, request: SignedRequest) -> Reply<'_, Vec<String>> {
        Box::pin(async move {
            let entries = self.ask(move |reply| Ask::Audit(node, request, reply));
            let late =
                |_| refuse(Reason::Busy, format_args!("node {node} has not answered in time"));
            tokio::time::timeout(AUDIT, entries).await.map_err(late)?
        })
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // Without room the thread finds the channel closed, after what is in it.
        drop(self.inputs.try_send(Input::Stop));
    }
}

fn stopped() -> Refusal {
    refuse(Reason::Internal, "the gateway has stopped, or its database is away: send it again")
}

/// Opens envelopes, and hands answers to the gateway's thread.
async fn receive(
    mut receiver: impl futures_util::Stream<Item = Incoming> + Unpin,
    keys: Arc<(Identity, TrustedDirectory)>,
    inputs: SyncSender<Input>,
) {
    let room = Arc::new(Semaphore::new(ROOM));
    while let Some(Incoming { from, envelope }) = receiver.next().await {
        let opened = match Opener::new(&keys.0, &keys.1).open(&envelope) {
            Ok(opened) if opened.header.kind == AnswerMessage::KIND => opened,
            Ok(opened) if opened.header.kind == Versions::KIND => {
                announced(opened, &inputs);
                continue;
            }
            Ok(_) => continue,
            Err(why) => {
                tracing::warn!(%from, %why, "an envelope is refused");
                continue;
            }
        };
        let Some(party) = opened.party else { continue };
        // An answer that comes twice finds no order the second time.
        let messages = opened.replayable();
        let bytes = messages.iter().map(|message| message.len()).sum::<usize>();
        let Ok(bytes) = u32::try_from(bytes) else { continue };
        let Ok(room) = Arc::clone(&room).try_acquire_many_owned(bytes) else { continue };
        let answers = messages.iter().filter_map(|message| {
            let answer = AnswerMessage::from_bytes(message);
            answer.inspect_err(|why| tracing::warn!(%party, %why, "an answer is malformed")).ok()
        });
        let answers = answers.collect();
        // What finds no room is repeated by the node when its order is.
        inputs.try_send(Input::Answers(party, answers, room)).ok();
    }
}

/// Hands the versions that a node has announced to the gateway's thread. They are announced again.
fn announced(opened: Opened, inputs: &SyncSender<Input>) {
    let Some(party) = opened.party else { return };
    for message in opened.replayable() {
        match Versions::from_bytes(&message) {
            Ok(versions) => drop(inputs.try_send(Input::Versions(party, versions))),
            Err(why) => tracing::warn!(%party, %why, "an announcement of versions is malformed"),
        }
    }
}

/// Seals orders, and hands them to the transport.
async fn send(
    mut sender: impl futures_util::Sink<Outgoing, Error = core::convert::Infallible> + Unpin,
    keys: Arc<(Identity, TrustedDirectory)>,
    mut orders: mpsc::Receiver<Batch>,
) {
    while let Some((party, orders)) = orders.recv().await {
        let Some(member) = keys.1.directory().member_of(party) else { continue };
        let to: Name = member.name.clone();
        let envelope = Envelope::to(&to, OrderMessage::KIND);
        let envelope = envelope.messages(orders.iter().map(Vec::as_slice));
        match envelope.seal(&keys.0, &keys.1, &mut UnwrapErr(getrandom::SysRng)) {
            Ok(envelope) => {
                let Ok(()) = sender.send(Outgoing { to, envelope }).await;
            }
            Err(why) => tracing::error!(%party, %why, "orders cannot be sealed"),
        }
    }
}

/// The gateway's thread: when its database fails, everything is loaded again.
fn run(
    config: &Config,
    keys: &(Identity, TrustedDirectory),
    mut database: Database,
    callers: &RwLock<Arc<Callers>>,
    ends: (&Receiver<Input>, &mpsc::Sender<Batch>),
) {
    let start = Instant::now();
    let clock = || Now {
        tick: u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
        wall: wall(),
    };
    loop {
        let callers = Arc::clone(&callers.read().unwrap_or_else(PoisonError::into_inner));
        let loaded = database.open().and_then(|table| {
            let directory = keys.1.directory().clone();
            Engine::load(config.clone(), directory, keys.0.name(), table, &callers, clock())
        });
        match loaded.and_then(|mut engine| work(&mut engine, ends, clock)) {
            Ok(()) => return,
            // Two gateways would take it from each other for ever.
            Err(quorate_store::Error::Refused(why)) => {
                return tracing::error!(%why, "the gateway stops");
            }
            Err(error) => tracing::error!(%error, "the gateway's database has failed"),
        }
        // What was asked meanwhile gets no answer, and is asked again.
        let until = Instant::now() + Duration::from_secs(1);
        while let Ok(input) = ends.0.recv_timeout(until.saturating_duration_since(Instant::now())) {
            if matches!(input, Input::Stop) {
                return;
            }
        }
    }
}

/// Turns, until the last handle is dropped or the database fails.
fn work(
    engine: &mut Engine,
    (inputs, outgoing): (&Receiver<Input>, &mpsc::Sender<Batch>),
    clock: impl Fn() -> Now,
) -> Result<(), quorate_store::Error> {
    loop {
        let pause = Duration::from_millis(engine.pause(clock()));
        let mut arrived = match inputs.recv_timeout(pause) {
            Ok(input) => vec![input],
            Err(RecvTimeoutError::Timeout) => Vec::new(),
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        arrived.extend(inputs.try_iter().take(TURN));
        let is_over = arrived.iter().any(|input| matches!(input, Input::Stop));
        for message in engine.turn(arrived, clock())? {
            // What finds no room is repeated later.
            outgoing.try_send(message).ok();
        }
        if is_over {
            return Ok(());
        }
    }
}

fn wall() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

impl core::fmt::Debug for Gateway {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Gateway")
    }
}
