//! The bus between gateways and nodes: a lossy cache of messages, whatever stands behind it.
//!
//! A core hands over [parcels](Parcel) and is handed [deliveries](Delivery). Nothing is promised but the sender's name: a
//! message may be lost, come twice, late, or after a later one. Who needs an answer keeps the question, and sends it again.
//! A delivery is acknowledged when everything that follows from it is stored; one that is not comes again, perhaps to
//! another worker.
//!
//! [`memory`] is a bus inside one process, which loses, copies and delays as it is told; [`nats`] one over NATS JetStream,
//! whose messages travel in [envelopes](crate::envelope).

use core::fmt;
use core::str::FromStr;
use core::time::Duration;
use std::sync::mpsc::Sender;

use quorate::PartyId;

pub mod memory;
pub mod nats;
pub mod subjects;

/// Who sends and receives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Peer {
    /// A node, which holds shares.
    Node(PartyId),
    /// A gateway, which holds no secrets.
    Gateway(u16),
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Node(party) => write!(f, "n{party}"),
            Self::Gateway(number) => write!(f, "g{number}"),
        }
    }
}

impl FromStr for Peer {
    type Err = NoPeer;

    /// Reads `n1` or `g1`.
    fn from_str(text: &str) -> Result<Self, NoPeer> {
        let number = |digits: &str| {
            let canonical = !digits.starts_with(['0', '+']);
            digits.parse::<u16>().ok().filter(|number| canonical && *number > 0)
        };
        let node = text.strip_prefix('n').and_then(number).and_then(PartyId::new).map(Self::Node);
        let gateway = || text.strip_prefix('g').and_then(number).map(Self::Gateway);
        node.or_else(gateway).ok_or(NoPeer)
    }
}

/// A text that names no peer: `n` or `g` and a number from 1 are expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoPeer;

impl fmt::Display for NoPeer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected n or g and a number, as in n1")
    }
}

impl core::error::Error for NoPeer {}

/// The kind of a message's queue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// From gateways to nodes: what is to be done.
    Job,
    /// Between nodes: packets of runs.
    Frame,
    /// From nodes to gateways: answers.
    Answer,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Job, Self::Frame, Self::Answer];

    /// The name in a subject.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Job => "job",
            Self::Frame => "f",
            Self::Answer => "s",
        }
    }
}

/// A queue of a recipient. All workers that [listen](Bus::listen) to it share it: each message goes to one of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Route {
    /// The kind.
    pub kind: Kind,
    /// The number: that of a shard of the runs, or of a shard of the jobs and one more.
    pub shard: u8,
}

/// Messages for somebody.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parcel {
    /// The recipient.
    pub to: Peer,
    /// The recipient's queue.
    pub route: Route,
    /// The messages, which stay together.
    pub messages: Vec<Vec<u8>>,
}

/// Messages of somebody, whose name is verified.
#[derive(Debug)]
pub struct Delivery {
    /// The sender.
    pub from: Peer,
    /// The queue.
    pub route: Route,
    /// The number of times that it was handed over, this one included.
    pub attempt: u32,
    /// The messages.
    pub messages: Vec<Vec<u8>>,
    /// What has to be said when the messages are dealt with.
    pub ack: Ack,
}

/// Something that a bus tells its core.
#[derive(Debug)]
pub enum Event {
    /// Messages.
    Delivery(Delivery),
    /// The broker has lost what it had: everything that is not answered is to be sent again.
    Reset,
    /// Something came that is not handed over: the claimed sender, and the reason.
    Refused(Option<Peer>, String),
}

/// Where a bus puts what it tells. It never waits: what is under way at a time is bounded by the deliveries that are not
/// acknowledged.
pub trait Sink: Send + Sync + 'static {
    /// Takes an event; `false` if nobody is there any more.
    fn put(&self, event: Event) -> bool;
}

impl<E: From<Event> + Send + 'static> Sink for Sender<E> {
    fn put(&self, event: Event) -> bool {
        self.send(event.into()).is_ok()
    }
}

/// What becomes of a delivery.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Dealt with: it does not come again.
    Done,
    /// Refused for this reason: it does not come again, and is kept among the dead letters.
    Refused(String),
    /// It comes again later.
    Later,
}

/// A delivery's acknowledgement. One that is dropped lets the delivery come again later.
pub struct Ack(Option<Box<dyn FnOnce(Verdict) + Send>>);

impl Ack {
    /// An acknowledgement that tells this function, once.
    #[must_use]
    pub fn new(tell: impl FnOnce(Verdict) + Send + 'static) -> Self {
        Self(Some(Box::new(tell)))
    }

    /// The delivery is dealt with, and all that follows from it is stored.
    pub fn done(self) {
        self.tell(Verdict::Done);
    }

    /// The delivery will never be of use: the reason.
    pub fn refuse(self, why: impl Into<String>) {
        self.tell(Verdict::Refused(why.into()));
    }

    fn tell(mut self, verdict: Verdict) {
        if let Some(tell) = self.0.take() {
            tell(verdict);
        }
    }
}

impl Drop for Ack {
    fn drop(&mut self) {
        if let Some(tell) = self.0.take() {
            tell(Verdict::Later);
        }
    }
}

impl fmt::Debug for Ack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ack")
    }
}

/// A sign of life. A hint and no more: whoever runs the broker can make one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Beat {
    /// Whose.
    pub peer: Peer,
    /// The number of the worker.
    pub worker: u16,
    /// How long ago.
    pub age: Duration,
    /// What was said.
    pub body: Vec<u8>,
}

/// What a bus has counted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Parcels that were sent.
    pub sent: u64,
    /// Parcels that were dropped, since nobody took them.
    pub dropped: u64,
    /// Deliveries that were handed over, again ones included.
    pub delivered: u64,
    /// Of these, those that came again.
    pub again: u64,
    /// Deliveries that were refused, by the core or before it.
    pub refused: u64,
    /// The times that the broker had lost what it had.
    pub resets: u64,
    /// Deliveries that are not acknowledged yet.
    pub open: u64,
}

/// A worker's end of the bus.
pub trait Bus: Send {
    /// Whose end it is.
    fn me(&self) -> Peer;

    /// Takes deliveries of these queues from now on, and of no others.
    fn listen(&self, routes: &[Route]);

    /// Sends parcels, without waiting. Gives the number of those that were dropped at once; others may be lost later.
    fn publish(&self, parcels: Vec<Parcel>) -> usize;

    /// Tells all that this worker lives, and this.
    fn beat(&self, body: &[u8]);

    /// Who has told lately that it lives.
    fn alive(&self) -> Vec<Beat>;

    /// What was counted.
    fn counts(&self) -> Counts;
}
