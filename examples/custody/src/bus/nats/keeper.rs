//! The keeper: makes the streams, the consumers and the bucket, and makes them again whenever they are gone.
//!
//! It runs beside the server, with a name of its own that may do so; nodes and gateways may not.

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::Context;
use async_nats::jetstream::kv;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use quorate_examples::failure::Failure;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::super::{Kind, Peer, Route, subjects};
use super::access::{Access, context, note};
use crate::envelope::LONGEST;

/// How often everything is looked at.
const LOOK: Duration = Duration::from_millis(500);
/// The name of the keeper's inboxes.
pub const INBOX: &str = "_INBOX.keeper";

/// What there is at the broker for each peer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Queues of jobs of a node.
    pub jobs: u8,
    /// Queues of packets of a node.
    pub frames: u8,
    /// Queues of answers of a gateway.
    pub answers: u8,
    /// After how long a delivery that nobody has acknowledged, or is known to work at, comes again.
    pub wait: Duration,
    /// The most deliveries of a message.
    pub attempts: u32,
    /// The copies that servers keep: 1, or 3 or 5 of a cluster.
    pub replicas: u8,
    /// For how long a sign of life is kept.
    pub life: Duration,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            jobs: 4,
            frames: 4,
            answers: 1,
            wait: Duration::from_secs(5),
            attempts: 100,
            replicas: 1,
            life: Duration::from_secs(3),
        }
    }
}

impl Layout {
    /// The queues of a peer.
    #[must_use]
    pub fn routes(&self, of: Peer) -> Vec<Route> {
        let count = |kind: Kind| match kind {
            Kind::Job => self.jobs,
            Kind::Frame => self.frames,
            Kind::Answer => self.answers,
        };
        let of_kind = |kind: &Kind| {
            let kind = *kind;
            (0..count(kind)).map(move |shard| Route { kind, shard })
        };
        subjects::kinds(of).iter().flat_map(of_kind).collect()
    }

    fn stream(&self, of: Peer) -> Config {
        Config {
            name: subjects::stream(of),
            subjects: vec![subjects::taken(of)],
            retention: RetentionPolicy::WorkQueue,
            // A full stream refuses: the sender counts it, and sends again.
            discard: DiscardPolicy::New,
            max_messages: 200_000,
            max_bytes: 1 << 30,
            max_age: Duration::from_secs(3600),
            max_message_size: i32::try_from(LONGEST).unwrap_or(i32::MAX),
            duplicate_window: Duration::from_secs(120),
            storage: StorageType::File,
            num_replicas: self.replicas.into(),
            ..Config::default()
        }
    }

    fn dead(&self) -> Config {
        Config {
            name: subjects::DEAD_STREAM.to_owned(),
            subjects: vec!["dead.*".to_owned(), subjects::EXHAUSTED.to_owned()],
            discard: DiscardPolicy::Old,
            max_messages: 10_000,
            max_bytes: 256 << 20,
            storage: StorageType::File,
            num_replicas: self.replicas.into(),
            ..Config::default()
        }
    }

    fn beats(&self) -> kv::Config {
        kv::Config {
            bucket: subjects::BEATS.to_owned(),
            history: 1,
            max_age: self.life,
            max_bytes: 16 << 20,
            storage: StorageType::Memory,
            num_replicas: self.replicas.into(),
            ..kv::Config::default()
        }
    }

    fn consumer(&self, of: Peer, route: Route) -> pull::Config {
        let factors = [1, 1, 2, 4, 8];
        pull::Config {
            durable_name: Some(subjects::consumer(route)),
            filter_subject: subjects::filter(route, of),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.wait,
            backoff: factors.map(|factor| self.wait.saturating_mul(factor)).to_vec(),
            max_deliver: self.attempts.into(),
            max_ack_pending: 10_000,
            num_replicas: self.replicas.into(),
            ..pull::Config::default()
        }
    }
}

/// The thread that keeps everything in place.
pub struct Keeper {
    ready: watch::Receiver<bool>,
    over: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    /// Begins to keep the streams of these peers, as the owner of this NKey, until this is dropped.
    ///
    /// # Errors
    /// A [`Failure`] if the files of the access cannot be read, or there is no thread.
    #[allow(clippy::integer_division_remainder_used, reason = "the macro's own")]
    pub fn start(
        access: &Access,
        seed: &str,
        peers: Vec<Peer>,
        layout: Layout,
    ) -> Result<Self, Failure> {
        let (is_ready, ready) = watch::channel(false);
        let (over, mut end) = watch::channel(false);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let connected = Arc::new(AtomicBool::new(false));
        let events = connected.clone();
        let options = access.options(seed, INBOX)?.event_callback(move |event| {
            note(&events, &event);
            core::future::ready(())
        });
        let url = access.url.clone();
        let work = async move {
            let Ok(client) = options.connect(url).await else { return };
            let context = context(client);
            loop {
                let there = connected.load(Ordering::Relaxed)
                    && layout.ensure(&context, &peers).await.is_ok();
                is_ready.send_replace(there);
                sleep(LOOK).await;
            }
        };
        let work = move || {
            runtime.block_on(async {
                tokio::select! {
                    () = work => {}
                    _ = end.wait_for(|over| *over) => {}
                }
            });
        };
        let thread = Some(thread::Builder::new().name("keeper".to_owned()).spawn(work)?);
        Ok(Self { ready, over, thread })
    }

    /// Whether everything is in place within this time.
    ///
    /// # Errors
    /// A [`Failure`] if no runtime can be made.
    pub fn wait(&self, most: Duration) -> Result<bool, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let mut ready = self.ready.clone();
        let in_time = async {
            timeout(most, ready.wait_for(|ready| *ready)).await.is_ok_and(|it| it.is_ok())
        };
        Ok(runtime.block_on(in_time))
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.over.send_replace(true);
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
    }
}

impl Layout {
    /// Makes whatever is not there.
    async fn ensure(&self, context: &Context, peers: &[Peer]) -> Result<(), async_nats::Error> {
        for peer in peers {
            let routes = self.routes(*peer);
            let mut stream = context.get_or_create_stream(self.stream(*peer)).await?;
            if stream.info().await?.state.consumer_count >= routes.len() {
                continue;
            }
            for route in routes {
                stream.create_consumer(self.consumer(*peer, route)).await?;
            }
        }
        context.get_or_create_stream(self.dead()).await?;
        if context.get_key_value(subjects::BEATS).await.is_err() {
            context.create_key_value(self.beats()).await?;
        }
        Ok(())
    }
}
