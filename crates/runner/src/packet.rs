//! Packets: the bytes that one runner sends another.
//!
//! | bytes | content |
//! |---|---|
//! | 1 | kind |
//! | kind 0 | a frame of a session |
//! | kind 1 | acknowledgements: 1 to [`MAX_IDS`] [ids](id) of packets (32 each) |
//! | kind 2 | "no more frames will come from me": code of the protocol (1) ‖ context of the run (32) |
//!
//! The transport gives the sender of each packet.

use alloc::vec::Vec;

use quorate_session::frame::{self, Header, Prefix};
use quorate_session::{PartyId, Round, Transcript};

use crate::Refusal;
use crate::store::{ArrivalKind, PacketId, Place, RunContext};

const FRAME: u8 = 0;
const ACKNOWLEDGE: u8 = 1;
const STOPPED: u8 = 2;

/// The acknowledgements in one packet, at most.
pub const MAX_IDS: usize = 64;

/// The name of a packet, a digest of its bytes, by which it is acknowledged.
#[must_use]
pub fn id(packet: &[u8]) -> PacketId {
    let mut transcript = Transcript::new("runner packet");
    transcript.append("packet", packet);
    transcript.finish32()
}

/// A packet that was read.
pub(crate) enum Packet<'p> {
    /// A packet about a run: a frame, or a peer's message that it has stopped.
    About {
        context: RunContext,
        place: Place,
        body: &'p [u8],
        /// Of a frame of round 1.
        opening: Option<Prefix>,
    },
    Acknowledge(Vec<PacketId>),
}

pub(crate) fn frame(frame: &[u8]) -> Vec<u8> {
    [&[FRAME], frame].concat()
}

pub(crate) fn acknowledge(ids: &[PacketId]) -> Vec<u8> {
    [&[ACKNOWLEDGE], ids.as_flattened()].concat()
}

pub(crate) fn stopped(code: u8, context: &RunContext) -> Vec<u8> {
    [&[STOPPED, code], context.as_slice()].concat()
}

/// Reads a packet `from` a peer for `me`. `rounds` gives the number of rounds of the protocols with a code, and `None` for
/// a code that is no protocol's here.
pub(crate) fn read(
    packet: &[u8],
    (from, me): (PartyId, PartyId),
    rounds: impl Fn(u8) -> Option<u8>,
) -> Result<Packet<'_>, Refusal> {
    let (kind, body) = packet.split_first().ok_or(Refusal::Malformed)?;
    match *kind {
        FRAME => {
            let header = Header::parse(body).ok_or(Refusal::Malformed)?;
            let rounds = rounds(header.code).filter(|_| header.version == frame::VERSION);
            let rounds = rounds.ok_or(Refusal::OtherProtocol)?;
            if header.from != from || from == me {
                return Err(Refusal::OtherSender);
            }
            if header.to.is_some_and(|to| to != me) {
                return Err(Refusal::OtherRecipient);
            }
            if header.round < Round::FIRST || header.round.get() > rounds {
                return Err(Refusal::Malformed);
            }
            let kind =
                if header.to.is_none() { ArrivalKind::Broadcast } else { ArrivalKind::Direct };
            let place = Place { from, round: header.round.get(), kind };
            let opening = frame::opening(body);
            Ok(Packet::About { context: header.context, place, body, opening })
        }
        ACKNOWLEDGE => {
            let (ids, rest) = body.as_chunks();
            let fits = rest.is_empty() && (1..=MAX_IDS).contains(&ids.len());
            if fits { Ok(Packet::Acknowledge(ids.to_vec())) } else { Err(Refusal::Malformed) }
        }
        STOPPED => {
            let (found, context) = body.split_first().ok_or(Refusal::Malformed)?;
            let context = context.try_into().map_err(|_| Refusal::Malformed)?;
            rounds(*found).ok_or(Refusal::OtherProtocol)?;
            if from == me {
                return Err(Refusal::OtherSender);
            }
            let place = Place { from, round: 0, kind: ArrivalKind::Stopped };
            Ok(Packet::About { context, place, body: &[], opening: None })
        }
        _ => Err(Refusal::Malformed),
    }
}
