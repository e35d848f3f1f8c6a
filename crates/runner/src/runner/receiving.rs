//! Taking packets from the transport.

use alloc::vec::Vec;

use quorate_session::{PartyId, Protocol};

use super::{Error, Runner};
use crate::bounds::count_one;
use crate::packet::{self, MOST_IDS, Packet};
use crate::store::{Arrival, Context, Id, Kind, Place, Put, Store};
use crate::work::INBOX;
use crate::{Refused, Time};

/// The fate of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Received {
    /// Stored for an open run, which is ready to be worked on.
    Stored,
    /// Stored for a run that has not started here.
    Parked,
    /// It had come before.
    Duplicate,
    /// Its run has ended.
    Late,
    /// It acknowledged so many messages.
    Acknowledged(usize),
    /// Not taken, and counted.
    Refused(Refused),
}

/// Acknowledgements to a peer that wait to be sent, at most. Those beyond are dropped: the peer sends again.
const WAITING: usize = 16 * MOST_IDS;

impl<P: Protocol, S: Store, A> Runner<P, S, A> {
    /// Takes a packet from the transport: one transaction, whatever the packet is, and no cryptography but sealing.
    ///
    /// `from` is who the **authenticated** transport says has sent it.
    ///
    /// # Errors
    /// [`Error::Store`]. The packet is not acknowledged, and will come again.
    pub fn receive(
        &mut self,
        from: PartyId,
        packet: &[u8],
        now: Time,
    ) -> Result<Received, Error<S::Error>> {
        let read = if packet.len() > self.bounds.packet {
            Err(Refused::TooLong)
        } else {
            packet::read(packet, (from, self.me), (P::CODE, P::ROUNDS))
        };
        match read {
            Err(why) => Ok(Received::Refused(self.metrics.refuse(why))),
            Ok(Packet::Acknowledge(ids)) => {
                let known = self.store.acknowledge(from, &ids).map_err(Error::Store)?;
                let count = &mut self.metrics.acknowledged;
                *count = count.saturating_add(u64::try_from(known).unwrap_or(u64::MAX));
                Ok(Received::Acknowledged(known))
            }
            Ok(Packet::About { context, place, body }) => {
                self.take_in((context, place), packet::id(packet), body, now)
            }
        }
    }

    fn take_in(
        &mut self,
        (context, place): (Context, Place),
        id: Id,
        body: &[u8],
        now: Time,
    ) -> Result<Received, Error<S::Error>> {
        let sealed = match place.kind {
            Kind::Stopped => Vec::new(),
            Kind::Broadcast | Kind::Direct => self.key.seal_bytes(INBOX, body),
        };
        let until = now.saturating_add(self.bounds.park);
        let arrival = Arrival { context, place, id, sealed: &sealed, until };
        let metrics = &mut self.metrics;
        let received = match self.store.put(&arrival, &self.bounds).map_err(Error::Store)? {
            Put::Stored(waiting) => {
                count_one(&mut metrics.received);
                self.feed((context, place), (id, body), waiting);
                Received::Stored
            }
            Put::Parked => {
                count_one(&mut metrics.parked);
                Received::Parked
            }
            Put::Duplicate => {
                count_one(&mut metrics.duplicates);
                Received::Duplicate
            }
            Put::Ended => {
                count_one(&mut metrics.late);
                Received::Late
            }
            Put::Contradiction => Received::Refused(metrics.refuse(Refused::Contradiction)),
            Put::TooLong => Received::Refused(metrics.refuse(Refused::TooLong)),
            Put::Full => return Ok(Received::Refused(metrics.refuse(Refused::Parked))),
        };
        let waiting = self.acknowledgements.entry(place.from).or_default();
        if waiting.len() < WAITING {
            waiting.insert(id);
        }
        Ok(received)
    }

    /// Hands a frame to the session, if it is in memory; `waiting` rows of its inbox are not taken in.
    fn feed(
        &mut self,
        (context, place): (Context, Place),
        (id, body): (Id, &[u8]),
        waiting: usize,
    ) {
        if let Some(dirty) = self.out.get_mut(&context) {
            *dirty = true;
            return;
        }
        if let Some(hot) = self.hot.get_mut(&context) {
            hot.feed(place, id, body);
            if hot.fed() != waiting && !hot.reread {
                // Another worker has taken something in, or taken something that this one has not seen.
                self.hot.remove(&context);
            }
        }
        self.ready.push(context);
    }
}
