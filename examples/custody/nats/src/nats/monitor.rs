//! The state of a connection.

use std::sync::Arc;

use async_nats::Event;
use tokio::sync::watch;

/// A view of a connection. Clones show the same one.
#[derive(Clone, Default, Debug)]
pub struct Monitor(Arc<watch::Sender<Status>>);

/// The state of a connection, and the envelopes that were counted since it was begun.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Status {
    /// `true` while the connection stands.
    pub is_connected: bool,
    /// Envelopes that were handed to the server.
    pub sent: u64,
    /// Envelopes that came from peers.
    pub received: u64,
    /// Envelopes that were dropped, in either direction: for want of room, or because the server did not take them.
    pub dropped: u64,
    /// Messages from others than peers, and too long ones; envelopes for others than peers.
    pub refused: u64,
}

impl Monitor {
    /// The state now.
    #[must_use]
    pub fn status(&self) -> Status {
        *self.0.borrow()
    }

    /// Waits until the connection stands.
    pub async fn connected(&self) {
        // `self` has the sender, so the channel is open.
        self.0.subscribe().wait_for(|status| status.is_connected).await.ok();
    }

    pub(super) fn update(&self, change: impl FnOnce(&mut Status)) {
        self.0.send_modify(change);
    }

    /// Takes in an event of the client. Changes are logged, and the attempts of an outage are not.
    pub(super) fn note(&self, event: &Event) {
        match event {
            Event::Connected => self.set(true),
            Event::Disconnected | Event::Closed => self.set(false),
            Event::SlowConsumer(_) => {
                self.update(|status| status.dropped = status.dropped.saturating_add(1));
            }
            Event::ServerError(error) => {
                tracing::warn!(%error, "the NATS server reports an error");
            }
            _ => {}
        }
    }

    fn set(&self, is_connected: bool) {
        if self.status().is_connected != is_connected {
            tracing::info!(is_connected, "the connection to the NATS server has changed");
        }
        self.update(|status| status.is_connected = is_connected);
    }
}
