//! The health of the process, for probes.

use std::sync::{Mutex, PoisonError};

use custody_http::Health;
use custody_nats::nats::Monitor;
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;

use super::counters::Counters;

/// The health: the connection to NATS, and whether the work behind it answers.
pub(super) struct ProcessHealth {
    pub(super) nats: Monitor,
    pub(super) counters: Counters,
    pub(super) registry: Mutex<Registry>,
}

impl Health for ProcessHealth {
    fn live(&self) -> Result<(), String> {
        Ok(())
    }

    fn ready(&self) -> Result<(), String> {
        if !self.nats.status().is_connected {
            return Err("there is no connection to NATS".into());
        }
        let state = self.counters.state();
        if state.is_ready {
            return Ok(());
        }
        Err(state.why.clone().unwrap_or_else(|| "the database does not answer".into()))
    }

    fn metrics(&self) -> String {
        let mut text = {
            let state = self.counters.state();
            [state.text.as_str(), &state.slow].concat()
        };
        let registry = self.registry.lock().unwrap_or_else(PoisonError::into_inner);
        match encode(&mut text, &registry) {
            Ok(()) => text,
            Err(_) => "# EOF\n".into(),
        }
    }
}
