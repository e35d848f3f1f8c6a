//! The health of the process, for probes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use custody_http::Health;
use custody_nats::nats::Monitor;
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;

/// The health: the connection to NATS, and whether the work behind it answers.
pub(super) struct ProcessHealth {
    pub(super) nats: Monitor,
    /// The latest counters of the gateway or the node, in the text format of OpenMetrics. There are none while it does not answer.
    pub(super) counters: Arc<Mutex<Option<String>>>,
    pub(super) registry: Mutex<Registry>,
}

impl ProcessHealth {
    fn counters(&self) -> MutexGuard<'_, Option<String>> {
        self.counters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Health for ProcessHealth {
    fn live(&self) -> Result<(), String> {
        Ok(())
    }

    fn ready(&self) -> Result<(), String> {
        if !self.nats.status().is_connected {
            return Err("there is no connection to NATS".into());
        }
        match *self.counters() {
            Some(_) => Ok(()),
            None => Err("the database is away, or has just been opened".into()),
        }
    }

    fn metrics(&self) -> String {
        let mut text = self.counters().clone().unwrap_or_default();
        let registry = self.registry.lock().unwrap_or_else(PoisonError::into_inner);
        match encode(&mut text, &registry) {
            Ok(()) => text,
            Err(_) => "# EOF\n".into(),
        }
    }
}
