//! The end of the service.

use core::time::Duration;
use std::time::Instant;

use quorate_runner::Store;

use super::{Engine, NAP};
use crate::input::Input;
use crate::service::{StopReason, Stopped};

/// The longest limit: "no limit" is said with one that no clock can add.
const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);

impl<S: Store, A> Engine<S, A> {
    /// The service is to stop, for the first reason that comes.
    pub(super) fn stop_for(&mut self, limit: Duration, reason: StopReason) {
        self.state.stop.get_or_insert((limit, reason));
    }

    /// Stops: takes no more jobs and packets, finishes the steps that are under way, and sends what is due.
    pub(super) fn stop(mut self, limit: Duration, reason: StopReason) -> Stopped {
        let until = Instant::now().checked_add(limit.min(YEAR));
        self.ends.queue.close();
        self.workers.stop();
        self.state.held.clear();
        while !self.state.out.is_empty() {
            let Some(input) = self.next_until(until) else { break };
            self.take_last(input);
        }
        self.store_steps();
        let flushed = self.flush(until) && self.state.out.is_empty();
        #[cfg(feature = "metrics")]
        self.measure();
        Stopped { reason, flushed }
    }

    /// Sends what is due. Returns whether all of it was sent before this moment.
    fn flush(&mut self, until: Option<Instant>) -> bool {
        loop {
            self.send((self.clock)());
            if self.state.unsent.is_empty() || self.state.down {
                break;
            }
            let Some(input) = self.next_until(until) else { return false };
            self.take_last(input);
            if self.ends.sink.is_none() {
                return false;
            }
        }
        // The task sends what is in the queue, and closes the sink.
        if self.ends.sink.take().is_none() {
            return false;
        }
        while let Some(input) = self.next_until(until) {
            if matches!(input, Input::SinkClosed) {
                return !self.state.down;
            }
            self.take_last(input);
        }
        false
    }

    fn next_until(&self, until: Option<Instant>) -> Option<Input<S, A>> {
        let left = until.map_or(NAP, |until| until.saturating_duration_since(Instant::now()));
        self.ends.inputs.recv_timeout(left).ok()
    }

    /// Of what comes at the end, steps that are finished count. Jobs and calls are answered by their end.
    fn take_last(&mut self, input: Input<S, A>) {
        match input {
            Input::Worked(..) | Input::NotBegun(_) | Input::NotSent(_) => self.take(input),
            Input::SinkClosed => self.ends.sink = None,
            _ => {}
        }
    }
}
