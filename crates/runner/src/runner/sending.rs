//! Packets on their way out.

use alloc::vec::Vec;
use core::fmt;

use quorate_session::frame::Header;
use quorate_session::wire::wide;
use quorate_session::zeroize::Zeroizing;
use quorate_session::{PartyId, SealError};

use super::{Error, Runner};
use crate::Time;
use crate::metrics::count_one;
use crate::packet::{self, MAX_IDS};
use crate::store::{Due, Store};
use crate::work::OUTBOX;

/// A packet for a peer. **Confidential**: encrypt it to that peer. Wiped when dropped.
pub struct OutgoingPacket {
    /// The recipient.
    pub to: PartyId,
    /// The packet, for [`Runner::receive`] there.
    pub bytes: Zeroizing<Vec<u8>>,
}

impl fmt::Debug for OutgoingPacket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutgoingPacket")
            .field("to", &self.to)
            .field("bytes", &self.bytes.len())
            .finish()
    }
}

impl<S: Store, A> Runner<S, A> {
    /// The packets to be sent now: acknowledgements, and at most `most` messages whose time has come. A message comes
    /// again, later each time, until its recipient acknowledges it, so a packet that could not be sent may be dropped.
    ///
    /// # Errors
    /// [`Error::Store`]. [`Error::OtherKey`] if another key has sealed a message; the next call gives the others.
    pub fn outgoing(
        &mut self,
        now: Time,
        most: usize,
    ) -> Result<Vec<OutgoingPacket>, Error<S::Error>> {
        self.is_open()?;
        if !self.held.is_empty() {
            return Ok(core::mem::take(&mut self.held));
        }
        self.now = now;
        let mut messages = if self.nothing_is_due(now) { Vec::new() } else { self.due(now, most)? };
        messages.extend(self.fresh.take(most.saturating_sub(messages.len())));
        let mut packets = Vec::new();
        for (to, ids) in core::mem::take(&mut self.acknowledgements) {
            let ids: Vec<_> = ids.into_iter().collect();
            packets.extend(ids.chunks(MAX_IDS).map(|ids| {
                let bytes = Zeroizing::new(packet::acknowledge(ids));
                OutgoingPacket { to, bytes }
            }));
        }
        let mut foreign = false;
        for message in &messages {
            match self.open(message) {
                Ok(packet) => packets.push(packet),
                Err(SealError::Unauthentic) => foreign = true,
                Err(_) => self.cannot_send(message),
            }
        }
        self.metrics.sent = self.metrics.sent.saturating_add(wide(packets.len()));
        if foreign {
            self.held = packets;
            return Err(self.other_key());
        }
        Ok(packets)
    }

    /// The messages of the store whose time has come.
    fn due(&mut self, now: Time, most: usize) -> Result<Vec<Due>, Error<S::Error>> {
        self.store.prune(now).map_err(Error::Store)?;
        let until = if self.resumes { self.after(now) } else { now };
        let messages = self.store.due(until, &self.bounds, most).map_err(Error::Store)?;
        self.fresh.forget(&messages);
        self.resumes &= messages.len() >= most;
        self.next = None;
        Ok(messages)
    }

    /// The store has damaged a message. The outcome of its run will say so.
    fn cannot_send(&mut self, message: &Due) {
        count_one(&mut self.metrics.damaged_messages);
        self.unsent.entry(message.context).or_default().insert(message.to);
        if self.unsent.len() > self.bounds.open {
            self.unsent.pop_first();
        }
    }

    /// The moment at which something is due, if nothing comes before: a message or a deadline. While a run waits for
    /// another key, it may be later by [`Bounds::resend`](crate::Bounds::resend). So it may be for what another worker on the same
    /// store has stored since this one asked last: call [`recover`](Self::recover) when one has died.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn next_due(&mut self) -> Result<Option<Time>, Error<S::Error>> {
        let next = if self.fresh.is_empty() { self.next()? } else { Some(self.now) };
        // The deadline of a run that another key has sealed stays due.
        let look = self.foreign.values().min().map(|seen| self.after(*seen));
        Ok(next.map(|next| look.map_or(next, |look| look.max(next))))
    }

    /// The moment at which something in the store is due, as it says or has said.
    fn next(&mut self) -> Result<Option<Time>, Error<S::Error>> {
        if self.nothing_is_due(self.now) {
            return Ok(self.next.as_ref().map(|next| next.at).filter(|at| *at < Time::MAX));
        }
        let next = self.store.next(self.registry.kinds()).map_err(Error::Store)?;
        self.remember_next(next);
        Ok(next)
    }

    /// A message, unless it was altered in the store, or is another recipient's.
    fn open(&self, message: &Due) -> Result<OutgoingPacket, SealError> {
        let bytes = self.key.open_bytes(OUTBOX, &message.sealed)?;
        let header = bytes.split_first().and_then(|(_, frame)| Header::parse(frame));
        let only = header.filter(|header| header.from == self.me).and_then(|header| header.to);
        let fits = packet::id(&bytes) == message.id && only.is_none_or(|only| only == message.to);
        if fits { Ok(OutgoingPacket { to: message.to, bytes }) } else { Err(SealError::Malformed) }
    }
}
