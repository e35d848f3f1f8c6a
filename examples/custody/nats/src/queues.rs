//! Bounded queues, one for each peer, that are served in turns.

use core::task::{Context, Poll, Waker};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quorate_envelope::Name;

/// The bounds of the queue of one peer, in each direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The most envelopes that wait.
    pub envelopes: usize,
    /// The most bytes that wait. An envelope that is longer than this is never taken.
    pub bytes: usize,
}

/// 1024 envelopes of 16 MiB together.
impl Default for Bounds {
    fn default() -> Self {
        Self { envelopes: 1024, bytes: 16 << 20 }
    }
}

/// The queues of a direction. A peer that floods fills its own queue, and takes no more than its turn.
#[derive(Clone)]
pub(crate) struct Queues {
    bounds: Bounds,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    queues: BTreeMap<Name, Queue>,
    /// The peers whose queues are not empty, in the order in which they are served.
    turns: VecDeque<Name>,
    waker: Option<Waker>,
    closed: bool,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Vec<u8>>,
    bytes: usize,
}

impl Queues {
    pub(crate) fn new(bounds: Bounds) -> Self {
        Self { bounds, state: Arc::default() }
    }

    /// Each change leaves a whole state, so a panic with the lock leaves one too.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends an envelope to a peer's queue. Returns the number of envelopes that were dropped for want of room.
    pub(crate) fn push(&self, peer: &Name, envelope: Vec<u8>) -> u64 {
        let mut state = self.lock();
        if state.closed || envelope.len() > self.bounds.bytes || self.bounds.envelopes == 0 {
            return 1;
        }
        let State { queues, turns, waker, .. } = &mut *state;
        let queue = queues.entry(peer.clone()).or_default();
        if queue.waiting.is_empty() {
            turns.push_back(peer.clone());
        }
        let dropped = queue.make_room(self.bounds, envelope.len());
        queue.bytes += envelope.len();
        queue.waiting.push_back(envelope);
        if let Some(waker) = waker.take() {
            waker.wake();
        }
        dropped
    }

    /// The next envelope; `None` when the queues are closed and empty. One task may wait at a time.
    pub(crate) fn poll_pop(&self, cx: &Context<'_>) -> Poll<Option<(Name, Vec<u8>)>> {
        let mut state = self.lock();
        match state.pop() {
            None if !state.closed => {
                state.waker = Some(cx.waker().clone());
                Poll::Pending
            }
            next => Poll::Ready(next),
        }
    }

    /// Takes no more envelopes.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        if let Some(waker) = state.waker.take() {
            waker.wake();
        }
    }

    pub(crate) const fn close_on_drop(self) -> Closing {
        Closing(self)
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.lock().closed
    }
}

/// Queues that are closed when this is dropped.
pub(crate) struct Closing(pub(crate) Queues);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl State {
    fn pop(&mut self) -> Option<(Name, Vec<u8>)> {
        let peer = self.turns.pop_front()?;
        let queue = self.queues.get_mut(&peer)?;
        let envelope = queue.take()?;
        if queue.waiting.is_empty() {
            self.queues.remove(&peer);
        } else {
            self.turns.push_back(peer.clone());
        }
        Some((peer, envelope))
    }
}

impl Queue {
    fn take(&mut self) -> Option<Vec<u8>> {
        let envelope = self.waiting.pop_front()?;
        self.bytes = self.bytes.saturating_sub(envelope.len());
        Some(envelope)
    }

    /// Drops the oldest envelopes until one more fits: they are the first that are sent again.
    fn make_room(&mut self, bounds: Bounds, length: usize) -> u64 {
        let mut dropped = 0_u64;
        while self.waiting.len() >= bounds.envelopes
            || self.bytes.saturating_add(length) > bounds.bytes
        {
            if self.take().is_none() {
                break;
            }
            dropped = dropped.saturating_add(1);
        }
        dropped
    }
}
