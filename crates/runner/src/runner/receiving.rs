//! Taking packets from the transport.

use alloc::vec::Vec;

use quorate_session::{PartyId, frame::Prefix, wire::wide};

use super::{Error, Runner};
use crate::metrics::count_one;
use crate::packet::{self, MAX_IDS, Packet};
use crate::store::{Arrival, ArrivalKind, PacketId, Place, PutOutcome, RunContext, Store};
use crate::work::INBOX;
use crate::{Refusal, Time};

/// The outcome of [`Runner::receive`]: the fate of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReceiveOutcome {
    /// Stored for an open run, which is ready to be worked on.
    Stored,
    /// Stored for a run that has not started here, and not acknowledged.
    Parked,
    /// A packet that had come before.
    Duplicate,
    /// A packet of a run that has ended.
    Late,
    /// Acknowledgements: the number of messages that they are for.
    Acknowledged(usize),
    /// Not taken, and counted.
    Refused(Refusal),
}

/// Acknowledgements to a peer that wait to be sent, at most. Those beyond are dropped: the peer sends again.
const WAITING: usize = 16 * MAX_IDS;

impl<S: Store, A> Runner<S, A> {
    /// Takes a packet from the transport: one transaction, whatever the packet is, and no cryptography but sealing.
    ///
    /// `from` is its sender, as the **authenticated** transport names it.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::OtherKey`]. The packet is not acknowledged, and will come again.
    pub fn receive(
        &mut self,
        from: PartyId,
        packet: &[u8],
        now: Time,
    ) -> Result<ReceiveOutcome, Error<S::Error>> {
        self.is_open()?;
        let read = if packet.len() > self.bounds.packet {
            Err(Refusal::TooLong)
        } else {
            packet::read(packet, (from, self.me), |code| self.registry.rounds(code))
        };
        match read {
            Err(why) => Ok(ReceiveOutcome::Refused(self.metrics.refuse(why))),
            Ok(Packet::Acknowledge(ids)) => {
                let known = self.store.acknowledge(from, &ids).map_err(Error::Store)?;
                let count = &mut self.metrics.acknowledged;
                *count = count.saturating_add(wide(known));
                Ok(ReceiveOutcome::Acknowledged(known))
            }
            Ok(Packet::About { context, place, body, opening }) => {
                self.take_in((context, place), packet::id(packet), (body, opening), now)
            }
        }
    }

    fn take_in(
        &mut self,
        (context, place): (RunContext, Place),
        id: PacketId,
        (body, opening): (&[u8], Option<Prefix>),
        now: Time,
    ) -> Result<ReceiveOutcome, Error<S::Error>> {
        let sealed = match place.kind {
            ArrivalKind::Broadcast | ArrivalKind::Direct => self.key.seal_bytes(INBOX, body),
            ArrivalKind::Stopped | ArrivalKind::Other => Vec::new(),
        };
        let until = now.saturating_add(self.bounds.park_time);
        let arrival = Arrival { context, place, id, sealed: &sealed, opening, until };
        let put = self.store.put(&arrival, &self.bounds).map_err(Error::Store);
        let put = put.inspect_err(|_| self.look_again(context))?;
        let metrics = &mut self.metrics;
        let received = match put {
            PutOutcome::Stored(waiting) => {
                count_one(&mut metrics.received);
                self.feed((context, place), (id, body), waiting);
                ReceiveOutcome::Stored
            }
            // Not acknowledged, so that it comes again: what is parked is forgotten after a time.
            PutOutcome::Parked => {
                count_one(&mut metrics.parked);
                return Ok(ReceiveOutcome::Parked);
            }
            PutOutcome::Duplicate => {
                count_one(&mut metrics.duplicates);
                ReceiveOutcome::Duplicate
            }
            PutOutcome::Ended => {
                count_one(&mut metrics.late);
                ReceiveOutcome::Late
            }
            PutOutcome::Contradiction => {
                ReceiveOutcome::Refused(metrics.refuse(Refusal::Contradiction))
            }
            PutOutcome::TooLong => ReceiveOutcome::Refused(metrics.refuse(Refusal::TooLong)),
            // Not acknowledged: it may be of a run that has not started here, with a session id of the same tag.
            PutOutcome::Other(run, new) => {
                let why = metrics.refuse(Refusal::OtherParameters);
                if let (Some(waiting), Some(opening)) = (new, opening) {
                    let place = Place { kind: ArrivalKind::Other, ..place };
                    self.feed((run, place), (id, &opening), waiting);
                }
                return Ok(ReceiveOutcome::Refused(why));
            }
            PutOutcome::Full => {
                return Ok(ReceiveOutcome::Refused(metrics.refuse(Refusal::Parked)));
            }
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
        (context, place): (RunContext, Place),
        (id, body): (PacketId, &[u8]),
        waiting: usize,
    ) {
        if let Some(out) = self.out.get_mut(&context) {
            out.dirty = true;
            return;
        }
        if let Some(cached) = self.cached.get_mut(&context) {
            cached.feed(place, id, body);
            if cached.seen() != waiting && !cached.reread() {
                // Another worker has taken something in, or taken something that this one has not seen.
                self.cached.remove(&context);
            }
        }
        self.ready.push(context);
    }
}
