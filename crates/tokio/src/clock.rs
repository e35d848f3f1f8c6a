//! The clock of a service.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use quorate_runner::Time;

/// The clock of a service.
pub(crate) type Clock = Arc<dyn Fn() -> Time + Send + Sync>;

/// Milliseconds since 1970: the clock of a service unless [`Builder::clock`](crate::Builder::clock) sets another.
#[must_use]
pub fn unix_time() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time::try_from(since.as_millis()).unwrap_or(Time::MAX)
}
