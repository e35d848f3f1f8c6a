//! Taking packets from the transport.

use alloc::vec::Vec;

use quorate_session::{PartyId, frame::Prefix, wire::wide};

use super::{Error, Runner};
use crate::metrics::count_one;
use crate::packet::{self, MAX_IDS, Packet};
use crate::store::{Arrival, ArrivalKind, PacketId, Place, PutOutcome, RunContext, Store};
use crate::work::INBOX;
use crate::{IncomingPacket, Refusal, Time};

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

/// A packet that was read.
enum Read<'p, E> {
    /// There is nothing to store of it.
    Over(Result<ReceiveOutcome, E>),
    /// A frame, or the word that a peer has stopped.
    Frame(Frame<'p>),
}

impl<'p, E> Read<'p, E> {
    const fn frame(&self) -> Option<&Frame<'p>> {
        match self {
            Self::Over(_) => None,
            Self::Frame(frame) => Some(frame),
        }
    }
}

/// What a packet says about a run, to be stored.
struct Frame<'p> {
    context: RunContext,
    place: Place,
    id: PacketId,
    sealed: Vec<u8>,
    body: &'p [u8],
    opening: Option<Prefix>,
    until: Time,
}

impl Frame<'_> {
    fn arrival(&self) -> Arrival<'_> {
        let Self { context, place, id, opening, until, .. } = *self;
        Arrival { context, place, id, sealed: &self.sealed, opening, until }
    }
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
        match self.read(from, packet, now) {
            Read::Over(outcome) => outcome,
            Read::Frame(frame) => {
                let put = self.store.put(&frame.arrival(), &self.bounds);
                self.arrived(&frame, put)
            }
        }
    }

    /// Takes several packets from the transport, in this order, and stores their frames at once: in one transaction, if the store
    /// has one for them ([`MessageTable::put_all`](crate::MessageTable::put_all)). Gives an outcome for each.
    ///
    /// The sender of each is as the **authenticated** transport names it.
    ///
    /// # Errors
    /// As for [`receive`](Self::receive), each about one packet.
    pub fn receive_all(
        &mut self,
        packets: &[IncomingPacket],
        now: Time,
    ) -> Vec<Result<ReceiveOutcome, Error<S::Error>>> {
        let read = packets.iter().map(|packet| self.read(packet.from, &packet.bytes, now));
        let read: Vec<_> = read.collect();
        let frames = read.iter().filter_map(Read::frame);
        let arrivals: Vec<_> = frames.map(Frame::arrival).collect();
        let put = if arrivals.is_empty() {
            Vec::new()
        } else {
            self.store.put_all(&arrivals, &self.bounds)
        };
        let mut put = put.into_iter();
        let outcomes = read.into_iter().filter_map(|read| match read {
            Read::Over(outcome) => Some(outcome),
            // A store that gives too few answers: the packet is not acknowledged, and comes again.
            Read::Frame(frame) => put.next().map(|put| self.arrived(&frame, put)),
        });
        outcomes.collect()
    }

    /// Reads a packet, and does what it says if it is no frame.
    fn read<'p>(
        &mut self,
        from: PartyId,
        packet: &'p [u8],
        now: Time,
    ) -> Read<'p, Error<S::Error>> {
        if let Err(error) = self.is_open() {
            return Read::Over(Err(error));
        }
        let read = if packet.len() > self.bounds.packet {
            Err(Refusal::TooLong)
        } else {
            packet::read(packet, (from, self.me), |code| self.registry.rounds(code))
        };
        Read::Over(match read {
            Err(why) => Ok(ReceiveOutcome::Refused(self.metrics.refuse(why))),
            Ok(Packet::Acknowledge(ids)) => self.acknowledged(from, &ids),
            Ok(Packet::About { context, place, body, opening }) => {
                let sealed = match place.kind {
                    ArrivalKind::Broadcast | ArrivalKind::Direct => {
                        self.key.seal_bytes(INBOX, body)
                    }
                    ArrivalKind::Stopped | ArrivalKind::Other => Vec::new(),
                };
                let until = now.saturating_add(self.bounds.park_time);
                let id = packet::id(packet);
                return Read::Frame(Frame { context, place, id, sealed, body, opening, until });
            }
        })
    }

    fn acknowledged(
        &mut self,
        by: PartyId,
        ids: &[PacketId],
    ) -> Result<ReceiveOutcome, Error<S::Error>> {
        let known = self.store.acknowledge(by, ids).map_err(Error::Store)?;
        let count = &mut self.metrics.acknowledged;
        *count = count.saturating_add(wide(known));
        Ok(ReceiveOutcome::Acknowledged(known))
    }

    /// Acts on what the store says of a frame.
    fn arrived(
        &mut self,
        frame: &Frame<'_>,
        put: Result<PutOutcome, S::Error>,
    ) -> Result<ReceiveOutcome, Error<S::Error>> {
        let Frame { context, place, id, body, opening, .. } = *frame;
        let put = put.map_err(Error::Store).inspect_err(|_| self.look_again(context))?;
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
            PutOutcome::Other { run, waiting } => {
                let why = metrics.refuse(Refusal::OtherParameters);
                if let (Some(waiting), Some(opening)) = (waiting, opening) {
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
