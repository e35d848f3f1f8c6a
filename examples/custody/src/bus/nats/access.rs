//! How the broker is reached.

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::path::PathBuf;

use async_nats::jetstream::context::{Context, ContextBuilder};
use async_nats::{Client, ConnectOptions};
use quorate_examples::failure::Failure;

/// The broker's address, and the certificates of both ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// The address: `tls://127.0.0.1:4222`.
    pub url: String,
    /// The file of the certificate that signs the others.
    pub authority: PathBuf,
    /// The file of this end's certificate.
    pub certificate: PathBuf,
    /// The file of its key.
    pub key: PathBuf,
}

impl Access {
    /// The options of a connection as this NKey's owner.
    ///
    /// # Errors
    /// A [`Failure`] if a file is not there.
    pub(super) fn options(&self, seed: &str, inbox: &str) -> Result<ConnectOptions, Failure> {
        for path in [&self.authority, &self.certificate, &self.key] {
            std::fs::metadata(path).map_err(Failure::file("read", path))?;
        }
        // 5 s at most between two attempts, and a little more each time.
        let delay = |attempt: usize| {
            let steps = u64::try_from(attempt).unwrap_or(u64::MAX).clamp(1, 50);
            Duration::from_millis(steps.saturating_mul(100))
        };
        Ok(ConnectOptions::with_nkey(seed.to_owned())
            .require_tls(true)
            .add_root_certificates(self.authority.clone())
            .add_client_certificate(self.certificate.clone(), self.key.clone())
            .connection_timeout(Duration::from_secs(5))
            .request_timeout(Some(Duration::from_secs(5)))
            .ping_interval(Duration::from_secs(5))
            .custom_inbox_prefix(inbox)
            .retry_on_initial_connect()
            .reconnect_delay_callback(delay))
    }
}

/// A context that gives up in a few seconds.
pub(super) fn context(client: Client) -> Context {
    let patience = Duration::from_secs(5);
    ContextBuilder::new().timeout(patience).ack_timeout(patience).build(client)
}

/// Notes whether the connection stands; `true` if it has just broken.
pub(super) fn note(connected: &AtomicBool, event: &async_nats::Event) -> bool {
    match event {
        async_nats::Event::Connected => {
            connected.store(true, Ordering::Relaxed);
            false
        }
        async_nats::Event::Disconnected | async_nats::Event::Closed => {
            connected.swap(false, Ordering::Relaxed)
        }
        _ => false,
    }
}
