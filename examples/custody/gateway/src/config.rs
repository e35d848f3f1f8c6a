//! The settings of a gateway.

use core::time::Duration;

use custody_core::Versions;
use quorate::session::stock::WaterMarks;

/// The settings of a gateway. [`Default`] gives those of production.
#[derive(Clone, Debug)]
pub struct Config {
    /// The stock of presignatures of each set of signers: filled up to the high mark when it has fallen below the low one.
    pub presignatures: WaterMarks,
    /// The stock of nonces of each node, likewise.
    pub nonces: WaterMarks,
    /// The sets of signers of each key for which presignatures are kept, at least 1.
    pub sets: usize,
    /// The most requests without a result. Others are refused as `busy`.
    pub max_open: usize,
    /// The most attempts to sign at a time for keys without priority.
    pub max_attempts: usize,
    /// The label of keys with priority, and its value. Their requests are served first, and `max_attempts` does not count them.
    pub priority: (String, String),
    /// The time for which requests are kept after they have ended.
    pub retention: Duration,
    /// The versions of the wire format that the gateway uses.
    pub versions: Versions,
    /// The times of orders.
    pub times: Times,
}

/// The times of orders.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// The time after which an order is repeated first. Each pause is twice as long as the one before, up to 32 times.
    pub repeat: Duration,
    /// The time after which other signers are asked, if some do not answer.
    pub patience: Duration,
    /// The time after which a run of presigning is given up.
    pub presigning: Duration,
    /// The time after which a run of presigning is slow, and presignatures of other signers are ordered.
    pub slow: Duration,
    /// The pause between two questions for a node's status. A node that has not answered three is taken to be down.
    pub status: Duration,
    /// The pause between two questions for the keys and the stock of a node.
    pub listing: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            presignatures: WaterMarks { low: 16, high: 64 },
            nonces: WaterMarks { low: 128, high: 512 },
            sets: 2,
            max_open: 4096,
            max_attempts: 512,
            priority: ("priority".into(), "high".into()),
            retention: Duration::from_secs(30 * 24 * 60 * 60),
            versions: Versions::OWN,
            times: Times::default(),
        }
    }
}

impl Default for Times {
    fn default() -> Self {
        Self {
            repeat: Duration::from_millis(500),
            patience: Duration::from_secs(2),
            presigning: Duration::from_secs(180),
            slow: Duration::from_secs(10),
            status: Duration::from_secs(2),
            listing: Duration::from_secs(30),
        }
    }
}

/// The time, by two clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Now {
    /// Milliseconds by a clock that never goes back: for pauses.
    pub(crate) tick: u64,
    /// Seconds since 1970: for deadlines.
    pub(crate) wall: u64,
}

/// The milliseconds of a duration.
pub(crate) const fn millis(duration: Duration) -> u64 {
    let millis = duration.subsec_millis() as u64;
    duration.as_secs().saturating_mul(1000).saturating_add(millis)
}
