//! Packets from the stream and to the sink.

use core::sync::atomic::Ordering;
use std::time::Instant;

use quorate_runner::{IncomingPacket, Store, Time};
use tokio::sync::mpsc::error::TrySendError;

use super::{Engine, SLICE, TURN};
use crate::panics::caught;

impl<S: Store, A> Engine<S, A> {
    /// Stores the packets that have arrived, for a while. Those that a store cannot take come again.
    pub(super) fn receive(&mut self, now: Time) {
        let began = Instant::now();
        while !self.state.down
            && let Some((IncomingPacket { from, bytes }, _room)) = self.state.held.pop_front()
        {
            match caught(|| self.runner.receive(from, &bytes, now)) {
                Ok(Ok(_)) => {}
                Ok(Err(error)) => self.failed(error),
                Err(message) => self.panicked(message),
            }
            if began.elapsed() >= SLICE {
                self.state.more |= !self.state.held.is_empty();
                return;
            }
        }
    }

    /// Hands the packets whose time has come to the sink, as many as it has room for.
    pub(super) fn send(&mut self, now: Time) {
        while !self.state.down && self.hand_on() {
            let Some(sink) = &self.ends.sink else { return };
            let room = sink.capacity().min(TURN);
            match caught(|| self.runner.outgoing(now, room)) {
                Ok(Ok(packets)) => {
                    let last = packets.len() < room;
                    self.state.unsent.extend(packets);
                    if last {
                        self.hand_on();
                        return;
                    }
                }
                Ok(Err(error)) => return self.failed(error),
                Err(message) => return self.panicked(message),
            }
        }
    }

    /// Hands on what is there. Returns whether the sink has room for more. If it has none, its task tells when it has.
    pub(super) fn hand_on(&mut self) -> bool {
        let Some(sink) = &self.ends.sink else { return false };
        loop {
            if sink.capacity() == 0 {
                self.ends.starved.store(true, Ordering::Release);
                // The task may have made room in between, and does not tell.
                if sink.capacity() == 0 {
                    return false;
                }
            }
            let Some(packet) = self.state.unsent.pop_front() else { return true };
            match sink.try_send(packet) {
                Ok(()) => {}
                Err(TrySendError::Full(packet)) => self.state.unsent.push_front(packet),
                Err(TrySendError::Closed(_)) => return false,
            }
        }
    }
}
