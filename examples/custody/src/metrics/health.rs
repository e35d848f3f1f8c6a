//! The state of a process, for whoever restarts it or sends it work.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use core::time::Duration;
use std::sync::Mutex;
use std::time::Instant;

/// Whether a process should be sent work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Readiness {
    /// It should.
    Ready,
    /// It should not: it is being stopped.
    Draining,
    /// It cannot work now, for this reason.
    NotReady(String),
}

/// What the core of a process says of itself. It is alive as long as its loop turns, and ready if it says so and is not
/// being drained.
#[derive(Debug)]
pub struct Health {
    began: Instant,
    /// The last turn of the core, in milliseconds since it began.
    turned: AtomicU64,
    draining: AtomicBool,
    why_not: Mutex<Option<String>>,
}

impl Default for Health {
    fn default() -> Self {
        Self::new()
    }
}

impl Health {
    /// One that is alive, and not ready yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            began: Instant::now(),
            turned: AtomicU64::new(0),
            draining: AtomicBool::new(false),
            why_not: Mutex::new(Some("starting".to_owned())),
        }
    }

    /// The core's loop has turned once more.
    pub fn beat(&self) {
        self.turned.store(self.now(), SeqCst);
    }

    /// The core can work.
    pub fn ready(&self) {
        self.say(None);
    }

    /// The core cannot work, for this reason.
    pub fn not_ready(&self, why: impl Into<String>) {
        self.say(Some(why.into()));
    }

    /// The process is to end: no new work, and what is open ends first.
    pub fn drain(&self) {
        self.draining.store(true, SeqCst);
    }

    /// Whether the process is to end.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        self.draining.load(SeqCst)
    }

    /// For how long the core's loop has not turned.
    #[must_use]
    pub fn still(&self) -> Duration {
        Duration::from_millis(self.now().saturating_sub(self.turned.load(SeqCst)))
    }

    /// For how long the process has lived.
    #[must_use]
    pub fn age(&self) -> Duration {
        self.began.elapsed()
    }

    /// Whether it should be sent work.
    #[must_use]
    pub fn readiness(&self) -> Readiness {
        if self.is_draining() {
            return Readiness::Draining;
        }
        let why = self
            .why_not
            .lock()
            .map_or_else(|_| Some("a thread has failed".to_owned()), |why| why.clone());
        why.map_or(Readiness::Ready, Readiness::NotReady)
    }

    fn say(&self, why: Option<String>) {
        if let Ok(mut place) = self.why_not.lock() {
            *place = why;
        }
    }

    fn now(&self) -> u64 {
        self.began.elapsed().as_millis().try_into().unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ready_until_it_drains() {
        let health = Health::new();
        assert_eq!(health.readiness(), Readiness::NotReady("starting".to_owned()));
        health.ready();
        assert_eq!(health.readiness(), Readiness::Ready);
        health.not_ready("no database");
        assert_eq!(health.readiness(), Readiness::NotReady("no database".to_owned()));
        health.ready();
        health.drain();
        assert_eq!(health.readiness(), Readiness::Draining);
    }

    #[test]
    fn still_since_it_turned() {
        let health = Health::new();
        std::thread::sleep(Duration::from_millis(30));
        assert!(health.still() >= Duration::from_millis(25));
        health.beat();
        assert!(health.still() < Duration::from_millis(25));
    }
}
