//! What both sides of a bus see.

use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::Notify;

use super::super::{Beat, Counts, Event, Parcel, Peer, Sink};
use super::settings::{Bounds, Settings};
use crate::directory::{Directory, Identity};
use crate::envelope::{Dialects, room};

/// Refusals that the core is told of in a second; all are counted.
const REFUSALS: u64 = 16;

type Beats = BTreeMap<(Peer, u16), (Instant, Vec<u8>)>;

/// A worker's settings, what waits, what is told, and counters.
pub(super) struct Shared {
    pub(super) me: Peer,
    pub(super) worker: u16,
    pub(super) url: String,
    number: AtomicU64,
    pub(super) identity: Arc<Identity>,
    pub(super) directory: Arc<Directory>,
    pub(super) bounds: Bounds,
    pub(super) connected: AtomicBool,
    /// Told when the connection stands again.
    pub(super) back: Notify,
    /// Whether the connection has broken since the watcher has looked.
    pub(super) interrupted: AtomicBool,
    pub(super) dialects: Mutex<Dialects>,
    sink: Arc<dyn Sink>,
    beats: Mutex<Beats>,
    waiting: AtomicUsize,
    bytes: AtomicUsize,
    counters: Counters,
    refusals: Mutex<(Option<Instant>, u64)>,
}

#[derive(Default)]
struct Counters {
    sent: AtomicU64,
    dropped: AtomicU64,
    delivered: AtomicU64,
    again: AtomicU64,
    refused: AtomicU64,
    resets: AtomicU64,
    open: AtomicU64,
}

/// Whoever panicked with a lock has left whole values: each change is one call.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    pub(super) fn new(settings: Settings, sink: Arc<dyn Sink>) -> Self {
        Self {
            me: settings.identity.me(),
            worker: settings.worker,
            url: settings.access.url,
            number: AtomicU64::new(1),
            identity: settings.identity,
            directory: settings.directory,
            bounds: settings.bounds,
            connected: AtomicBool::new(false),
            back: Notify::new(),
            interrupted: AtomicBool::new(false),
            dialects: Mutex::new(Dialects::new(settings.versions)),
            sink,
            beats: Mutex::default(),
            waiting: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
            counters: Counters::default(),
            refusals: Mutex::default(),
        }
    }

    /// Takes a parcel among those that wait, if there is room.
    pub(super) fn admit(&self, parcel: &Parcel) -> bool {
        let size = size(parcel);
        let waiting = self.waiting.load(Ordering::Relaxed) < self.bounds.waiting;
        let bytes = self.bytes.load(Ordering::Relaxed).saturating_add(size) <= self.bounds.bytes;
        if waiting && bytes {
            self.waiting.fetch_add(1, Ordering::Relaxed);
            self.bytes.fetch_add(size, Ordering::Relaxed);
        }
        waiting && bytes
    }

    /// A parcel waits no more.
    pub(super) fn release(&self, parcel: &Parcel) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        self.bytes.fetch_sub(size(parcel), Ordering::Relaxed);
    }

    pub(super) fn drop_one(&self) {
        self.counters.dropped.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn sent(&self, parcels: u64, dropped: bool) {
        let counter = if dropped { &self.counters.dropped } else { &self.counters.sent };
        counter.fetch_add(parcels, Ordering::Relaxed);
    }

    /// Counts a delivery, and gives it a number.
    pub(super) fn opened(&self, again: bool) -> u64 {
        self.counters.open.fetch_add(1, Ordering::Relaxed);
        self.counters.delivered.fetch_add(1, Ordering::Relaxed);
        self.counters.again.fetch_add(u64::from(again), Ordering::Relaxed);
        self.number.fetch_add(1, Ordering::Relaxed)
    }

    pub(super) fn closed(&self, refused: bool) {
        self.counters.open.fetch_sub(1, Ordering::Relaxed);
        self.counters.refused.fetch_add(u64::from(refused), Ordering::Relaxed);
    }

    pub(super) fn tell(&self, event: Event) -> bool {
        self.sink.put(event)
    }

    /// The broker has lost what it had.
    pub(super) fn reset(&self) {
        self.counters.resets.fetch_add(1, Ordering::Relaxed);
        self.sink.put(Event::Reset);
    }

    /// Counts something that was refused, and tells of it unless too much is told in this second.
    pub(super) fn refused(&self, from: Option<Peer>, why: String) {
        self.counters.refused.fetch_add(1, Ordering::Relaxed);
        let mut refusals = lock(&self.refusals);
        if refusals.0.is_none_or(|since| since.elapsed() >= Duration::from_secs(1)) {
            *refusals = (Some(Instant::now()), 0);
        }
        refusals.1 = refusals.1.saturating_add(1);
        if refusals.1 <= REFUSALS {
            drop(refusals);
            self.sink.put(Event::Refused(from, why));
        }
    }

    pub(super) fn dialects(&self) -> MutexGuard<'_, Dialects> {
        lock(&self.dialects)
    }

    pub(super) fn beaten(&self, who: (Peer, u16), body: Vec<u8>) {
        lock(&self.beats).insert(who, (Instant::now(), body));
    }

    pub(super) fn alive(&self) -> Vec<Beat> {
        let life = self.bounds.life;
        let mut beats = lock(&self.beats);
        beats.retain(|_, (told, _)| told.elapsed() < life);
        let beat = |(&(peer, worker), (told, body)): (&(Peer, u16), &(Instant, Vec<u8>))| Beat {
            peer,
            worker,
            age: told.elapsed(),
            body: body.clone(),
        };
        beats.iter().map(beat).collect()
    }

    pub(super) fn counts(&self) -> Counts {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let all = &self.counters;
        Counts {
            sent: get(&all.sent),
            dropped: get(&all.dropped),
            delivered: get(&all.delivered),
            again: get(&all.again),
            refused: get(&all.refused),
            resets: get(&all.resets),
            open: get(&all.open),
        }
    }
}

fn size(parcel: &Parcel) -> usize {
    parcel.messages.iter().fold(0, |size, message| size.saturating_add(room(message)))
}
