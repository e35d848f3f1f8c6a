//! Bounds, and what happens at them.

use core::fmt;

use crate::Time;

/// The bounds of a runner on memory, storage and time. Anything over a bound is refused, with a [`Refusal`] that is counted.
///
/// The log of a run needs no bound of its own: the protocol limits the frames of each round, and for each sender, round and
/// kind two are kept, one and the first that contradicts it. Give your own bounds as
/// `Bounds { open: 64, ..Bounds::new(1_000) }`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Runs that are open at a time.
    pub open: usize,
    /// Bytes of the messages that wait for one peer to acknowledge them. Beyond this bound no job starts that has a message for
    /// that peer; other jobs do.
    pub outbox: usize,
    /// Bytes that a peer may have parked: frames of runs that have not started here. Each frame counts [`PARKED_OVERHEAD`] more.
    pub parked: usize,
    /// Bytes of a packet, at most.
    pub packet: usize,
    /// Sessions that are kept in memory; others are opened from the store when something happens to them.
    pub in_memory: usize,
    /// The time for which a frame is parked, after which it is forgotten. It is not acknowledged before its run has started,
    /// so it comes again.
    pub park_time: Time,
    /// The time after a run's deadline for which its last messages are still sent.
    pub linger: Time,
    /// The time after the end of a run for which its messages are still sent, if [`linger`](Self::linger) does not end that
    /// first. A peer that is down for longer may miss the run's last frames.
    pub outlive: Time,
    /// The time after which a message is sent again. It doubles with each further attempt; of a short message the first two pauses
    /// are equal.
    pub resend: Time,
    /// The longest time between two attempts.
    pub resend_max: Time,
}

/// The bytes that a parked frame counts besides its own: what [`MemoryStore`](crate::MemoryStore) takes for its row and its
/// indexes, rounded up.
pub const PARKED_OVERHEAD: usize = 384;

impl Bounds {
    /// Bounds for a clock of `second` units a second: 1 024 open runs; 64 MiB of messages to a peer, and 1 MiB parked by it;
    /// packets of 8 MiB, 256 sessions in memory. Frames are parked for a minute. Messages are sent again after a second, then
    /// ever later, up to every minute, until a minute after the deadline, or an hour after the end.
    #[must_use]
    pub const fn new(second: Time) -> Self {
        let minute = second.saturating_mul(60);
        Self {
            open: 1024,
            outbox: 64 << 20,
            parked: 1 << 20,
            packet: 8 << 20,
            in_memory: 256,
            park_time: minute,
            linger: minute,
            outlive: minute.saturating_mul(60),
            resend: second,
            resend_max: minute,
        }
    }

    /// The time after the attempt of this number, from 0, before the next.
    #[must_use]
    pub fn backoff(&self, attempt: u32) -> Time {
        let factor = 1_u64.checked_shl(attempt).unwrap_or(Time::MAX);
        self.resend.saturating_mul(factor).min(self.resend_max).max(1)
    }
}

/// The reason for which a packet or a job was not taken. Nothing has changed, and nobody is to blame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// A packet that no runner writes, or a frame that is none.
    Malformed,
    /// A packet beyond [`Bounds::packet`].
    TooLong,
    /// A frame of another version, or of a protocol that this runner does not have.
    OtherProtocol,
    /// A frame that names another sender than the transport does, or this party.
    OtherSender,
    /// A frame for another party.
    OtherRecipient,
    /// A third frame for one place of a run: two that contradict each other are kept already.
    Contradiction,
    /// The peer has parked as much as it may: [`Bounds::parked`]. Not acknowledged, so that it comes again.
    Parked,
    /// The bound on open runs is reached: [`Bounds::open`]. Deliver the job again later.
    Busy,
    /// More messages than [`Bounds::outbox`] wait for a peer of the job to acknowledge them. Deliver the job again later, or
    /// one without that peer.
    Outbox,
    /// The deadline of the job has passed.
    Late,
    /// There was a job under this session id already, and it was another.
    OtherJob,
    /// [`App::params`](crate::App::params) gives none.
    NoParams,
    /// A job of a protocol that the runner does not run: [`RunnerBuilder::protocol`](crate::RunnerBuilder::protocol).
    Unregistered,
    /// A frame of the session of an open run that was begun with other parameters. Not acknowledged, so that it comes
    /// again; the end of the run says which parameter differs
    /// ([`Abort::Missing`](quorate_session::Abort::Missing)).
    OtherParameters,
}

impl Refusal {
    /// Every reason.
    pub const ALL: [Self; 14] = [
        Self::Malformed,
        Self::TooLong,
        Self::OtherProtocol,
        Self::OtherSender,
        Self::OtherRecipient,
        Self::Contradiction,
        Self::Parked,
        Self::Busy,
        Self::Outbox,
        Self::Late,
        Self::OtherJob,
        Self::NoParams,
        Self::Unregistered,
        Self::OtherParameters,
    ];
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "not a packet of a runner",
            Self::TooLong => "a packet that is longer than the bound",
            Self::OtherProtocol => {
                "a frame of another version, or of a protocol that this runner was not built with"
            }
            Self::OtherSender => "a frame that names another sender than the transport",
            Self::OtherRecipient => "a frame for another party",
            Self::Contradiction => "a third frame for one place of a run",
            Self::Parked => "the peer has parked as many bytes as it may",
            Self::Busy => "as many runs are open as may be: try again later",
            Self::Outbox => "too many bytes wait for a peer to acknowledge them: try again later, or without it",
            Self::Late => "the deadline of the job has passed",
            Self::OtherJob => {
                "another job was started under this session id: give each job an id of its own"
            }
            Self::Unregistered => {
                "a job of a protocol that this runner was not built with: add it to the builder"
            }
            Self::NoParams => "the application has no parameters for the job",
            Self::OtherParameters => {
                "a frame of a session that its sender began with other parameters: start all with the same"
            }
        })
    }
}

impl core::error::Error for Refusal {}
