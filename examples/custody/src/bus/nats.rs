//! The bus over NATS JetStream.
//!
//! A thread of its own holds the connection; the core's side never waits for it. What the core sends while the broker is
//! away, or faster than it takes it, is dropped and counted: whoever needs an answer sends again. Messages for one queue
//! that wait together travel in one [envelope](crate::envelope), which this side seals and opens.
//!
//! A node has no right to make streams, which could be made to listen to others': the [`keeper`] makes them, and again when
//! the broker's store was wiped.

use core::sync::atomic::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use quorate_examples::failure::Failure;
use tokio::sync::{mpsc, watch};

use self::office::Office;
use self::shared::Shared;
use super::{Beat, Bus, Counts, Parcel, Peer, Route, Sink};
pub use access::Access;
pub use settings::{Bounds, Settings};

mod access;
mod acks;
mod beats;
pub mod dead;
pub mod keeper;
mod office;
mod packing;
mod publisher;
mod puller;
mod settings;
mod shared;
mod watcher;

/// A worker's end of the bus.
pub struct NatsBus {
    shared: Arc<Shared>,
    parcels: mpsc::UnboundedSender<Parcel>,
    beats: mpsc::Sender<Vec<u8>>,
    routes: watch::Sender<BTreeSet<Route>>,
    over: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

/// Beats that wait; more are dropped.
const BEATS: usize = 8;

impl NatsBus {
    /// Begins to connect, and goes on trying for ever. What is told goes to the sink.
    ///
    /// # Errors
    /// A [`Failure`] if the files of the access cannot be read, or there is no thread.
    pub fn start(settings: Settings, sink: impl Sink) -> Result<Self, Failure> {
        let seed = settings.identity.nkey_seed()?;
        let inbox = super::subjects::inbox(settings.identity.me());
        let options = settings.access.options(&seed, &inbox)?;
        let shared = Arc::new(Shared::new(settings, Arc::new(sink)));
        let (parcels, from_core) = mpsc::unbounded_channel();
        let (beats, told) = mpsc::channel(BEATS);
        let (routes, listened) = watch::channel(BTreeSet::new());
        let (over, end) = watch::channel(false);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let office = Office { shared: shared.clone(), from_core, told, listened, end };
        let name = format!("bus {}", shared.me);
        let work = move || runtime.block_on(office.work(options));
        let thread = Some(thread::Builder::new().name(name).spawn(work)?);
        Ok(Self { shared, parcels, beats, routes, over, thread })
    }

    /// Whether the broker is there.
    #[must_use]
    pub fn connected(&self) -> bool {
        self.shared.connected.load(Ordering::Relaxed)
    }
}

impl Bus for NatsBus {
    fn me(&self) -> Peer {
        self.shared.me
    }

    fn listen(&self, routes: &[Route]) {
        self.routes.send_replace(routes.iter().copied().collect());
    }

    fn publish(&self, parcels: Vec<Parcel>) -> usize {
        let mut dropped = 0_usize;
        for parcel in parcels {
            let taken = self.connected() && self.shared.admit(&parcel);
            // The thread is gone only after a panic of its own.
            if !taken || self.parcels.send(parcel).is_err() {
                dropped = dropped.saturating_add(1);
                self.shared.drop_one();
            }
        }
        dropped
    }

    fn beat(&self, body: &[u8]) {
        self.beats.try_send(body.to_vec()).ok();
    }

    fn alive(&self) -> Vec<Beat> {
        self.shared.alive()
    }

    fn counts(&self) -> Counts {
        self.shared.counts()
    }
}

impl Drop for NatsBus {
    fn drop(&mut self) {
        self.over.send_replace(true);
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
    }
}
