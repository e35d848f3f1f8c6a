//! Points in time.

use core::fmt;

/// A point in time of UTC, without leap seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time {
    /// Seconds since the beginning of 1970; negative before.
    pub seconds: i64,
    /// Nanoseconds after that second, below 10⁹.
    pub nanoseconds: u32,
}

impl Time {
    /// A whole second.
    #[must_use]
    pub const fn from_seconds(seconds: i64) -> Self {
        Self { seconds, nanoseconds: 0 }
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.nanoseconds {
            0 => write!(f, "{} s", self.seconds),
            nanoseconds => write!(f, "{} s + {nanoseconds} ns", self.seconds),
        }
    }
}
