//! The messages of a run, as they are reported.

use core::time::Duration;
use std::collections::BTreeMap;

use quorate::session::frame::{self, Header};
use quorate::session::{Protocol, To};
use quorate::{PartyId, Rejected};

/// The messages of a run, since it was begun or gone on with.
#[derive(Default)]
pub struct Traffic {
    /// The messages of each round, and in the place after the last the work at the end.
    pub rounds: BTreeMap<u8, Sent>,
    /// The frames that were not taken.
    pub rejected: Vec<Rejection>,
}

/// The work of the parties in one round.
#[derive(Default)]
pub struct Sent {
    /// The size in bytes of each message to all other parties.
    pub broadcasts: Vec<usize>,
    /// The size in bytes of each message to one party.
    pub directs: Vec<usize>,
    /// The time that each party took to check the messages received and to make these.
    pub times: Vec<(PartyId, Duration)>,
}

/// Frames of one party that another did not take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// The party that did not take them.
    pub by: PartyId,
    /// The party that sent them.
    pub from: PartyId,
    /// The reason.
    pub why: Rejected,
    /// The number of frames.
    pub count: u32,
}

/// A message on its way.
pub struct Letter {
    /// The sender; a real transport has to authenticate it.
    pub from: PartyId,
    /// The recipient; a message for one party alone has to travel encrypted.
    pub to: To,
    /// The message.
    pub bytes: Vec<u8>,
}

pub(crate) fn count(rejected: &mut Vec<Rejection>, new: Rejection) {
    let same = |old: &&mut Rejection| (old.by, old.from, old.why) == (new.by, new.from, new.why);
    match rejected.iter_mut().find(same) {
        Some(old) => old.count = old.count.saturating_add(1),
        None => rejected.push(new),
    }
}

impl Rejection {
    /// In the form of a session, which says it in words.
    pub(crate) fn of_session(&self) -> quorate::session::Rejection {
        let Self { from, why, count, .. } = *self;
        quorate::session::Rejection { from, count: count.into(), last: why }
    }
}

/// The header of a packet with a frame in it.
pub(crate) fn header(packet: &[u8]) -> Option<Header> {
    let (kind, frame) = packet.split_first()?;
    Header::parse(frame).filter(|_| *kind == 0)
}

/// The reason why a runner has refused a packet, in the words of a session.
pub(crate) fn reason<P: Protocol>(me: PartyId, from: PartyId, packet: &[u8]) -> Rejected {
    match header(packet) {
        Some(Header { version: found, .. }) if found != frame::VERSION => {
            Rejected::OtherVersion { expected: frame::VERSION, found }
        }
        Some(Header { code: found, .. }) if found != P::CODE => {
            Rejected::OtherProtocol { expected: P::CODE, found }
        }
        Some(Header { from: named, .. }) if named != from => Rejected::OtherSender { named },
        Some(Header { to: Some(to), .. }) if to != me => Rejected::OtherRecipient(to),
        _ => Rejected::BadFrame,
    }
}
