//! Packets from the stream and to the sink.

use core::sync::atomic::Ordering;
use std::time::Instant;

use quorate_runner::{IncomingPacket, Store, Time};
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::error::TrySendError;

use super::{Engine, SLICE, TURN};
use crate::panics::caught;

/// Bytes of packets that are stored at once, but for the last.
const BYTES: usize = 1 << 20;

impl<S: Store, A> Engine<S, A> {
    /// Stores the packets that have arrived, many at once, for a while. Those that a store cannot take come again.
    pub(super) fn receive(&mut self, now: Time) {
        let began = Instant::now();
        while !self.state.down && !self.state.held.is_empty() {
            let (packets, _rooms) = self.gather();
            let taken = Instant::now();
            match caught(|| self.runner.receive_all(&packets, now)) {
                Ok(results) => drop(self.each(results, taken)),
                Err(message) => self.panicked(message),
            }
            if began.elapsed() >= SLICE {
                self.state.more |= !self.state.held.is_empty();
                return;
            }
        }
    }

    /// The next packets that have arrived, as many as are stored at once, with their room in the queue.
    fn gather(&mut self) -> (Vec<IncomingPacket>, Vec<OwnedSemaphorePermit>) {
        let (together, mut bytes) = (self.state.together, 0_usize);
        let held = &mut self.state.held;
        let fits = held.iter().take(together).take_while(|(packet, _)| {
            let before = bytes;
            bytes += packet.bytes.len();
            before < BYTES
        });
        let count = fits.count();
        held.drain(..count).unzip()
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
