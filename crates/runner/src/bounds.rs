//! Bounds, and what happens at them.

use core::fmt;

use crate::Time;

/// The bounds of a runner on memory, storage and time. What is over one is refused, with a [`Refusal`] that is counted.
///
/// The log of a run needs none of its own: the protocol limits the frames of each round, and of one sender, round and kind
/// two are kept, one and the first that contradicts it. Give the bounds of your own as
/// `Bounds { open: 64, ..Bounds::new(1_000) }`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Runs that are open at a time.
    pub open: usize,
    /// Bytes of all messages that wait for acknowledgement, beyond which no job starts.
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
    /// The time after which a message is sent again. It doubles with each attempt.
    pub resend: Time,
    /// The longest time between two attempts.
    pub resend_max: Time,
}

/// The bytes that a parked frame counts besides its own.
pub const PARKED_OVERHEAD: usize = 128;

impl Bounds {
    /// Bounds for a clock of so many units a second: 1 024 open runs, 64 MiB of messages, 1 MiB parked for each peer,
    /// packets of 8 MiB, 256 sessions in memory; frames are parked for a minute, messages sent again after a second, two,
    /// four, up to a minute, until a minute after the deadline.
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
    /// A frame of another version, or of another protocol: it belongs to another runner.
    OtherProtocol,
    /// A frame that names another sender than the transport does, or this party.
    OtherSender,
    /// A frame for another party.
    OtherRecipient,
    /// A third frame for one place of a run: two that contradict each other are kept already.
    Contradiction,
    /// The peer has parked as much as it may: [`Bounds::parked`]. Not acknowledged, so that it comes again.
    Parked,
    /// As many runs are open as may be: [`Bounds::open`]. Deliver the job again later.
    Busy,
    /// Messages wait for acknowledgement beyond [`Bounds::outbox`]. Deliver the job again later.
    Outbox,
    /// The deadline of the job has passed.
    Late,
    /// There was a job under this session id already, and it was another.
    OtherJob,
    /// [`App::params`](crate::App::params) gives none.
    NoParams,
    /// A frame of the session of an open run that was begun with other parameters. Not acknowledged, so that it comes
    /// again; the end of the run says which parameter differs
    /// ([`Abort::Missing`](quorate_session::Abort::Missing)).
    OtherParameters,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "not a packet of a runner",
            Self::TooLong => "a packet that is longer than the bound",
            Self::OtherProtocol => {
                "a frame of another protocol or version: deliver it to the runner of that one"
            }
            Self::OtherSender => "a frame that names another sender than the transport",
            Self::OtherRecipient => "a frame for another party",
            Self::Contradiction => "a third frame for one place of a run",
            Self::Parked => "the peer has parked as many bytes as it may",
            Self::Busy => "as many runs are open as may be: try again later",
            Self::Outbox => "too many bytes wait for acknowledgement: try again later",
            Self::Late => "the deadline of the job has passed",
            Self::OtherJob => {
                "another job was started under this session id: give each job an id of its own"
            }
            Self::NoParams => "the application has no parameters for the job",
            Self::OtherParameters => {
                "a frame of a session that its sender began with other parameters: start all with the same"
            }
        })
    }
}

impl core::error::Error for Refusal {}

/// The counters of a runner since it was made. They say nothing about other workers on the same store.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Metrics {
    /// Jobs started.
    pub started: u64,
    /// Jobs that were delivered again.
    pub redelivered: u64,
    /// Runs ended with a result, confirmed or not.
    pub done: u64,
    /// Runs ended without.
    pub stopped: u64,
    /// Runs closed at their deadlines because the store had damaged them. They count as stopped, too.
    pub damaged: u64,
    /// Rounds completed.
    pub rounds: u64,
    /// Sessions opened from the store.
    pub opened: u64,
    /// Steps that another worker had made already.
    pub stale: u64,
    /// Frames stored for an open run.
    pub received: u64,
    /// Frames parked.
    pub parked: u64,
    /// Frames that had come before.
    pub duplicates: u64,
    /// Frames of runs that have ended.
    pub late: u64,
    /// Packets sent, each time counted.
    pub sent: u64,
    /// Messages that peers acknowledged.
    pub acknowledged: u64,
    /// Packets and jobs refused, by reason in the order of [`Refusal`].
    pub refused: [u64; 13],
}

impl Metrics {
    /// The number of refusals for this reason.
    #[must_use]
    pub fn refusals(&self, why: Refusal) -> u64 {
        self.refused.get(why as usize).copied().unwrap_or(0)
    }

    pub(crate) fn refuse(&mut self, why: Refusal) -> Refusal {
        if let Some(count) = self.refused.get_mut(why as usize) {
            count_one(count);
        }
        why
    }
}

pub(crate) fn count_one(count: &mut u64) {
    *count = count.saturating_add(1);
}
