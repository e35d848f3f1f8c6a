//! The transport over plain subjects of a NATS server.
//!
//! An envelope from `n1` to `n2` is published as `q.m.n2.n1`. The server takes connections with a client certificate and
//! an NKey, and its [permissions](permissions()) let each member publish under its own name and read its own subjects alone.
//! The connection is made in the background, again after each loss, with pauses of 0.1 to 5 s. While it is down, envelopes wait
//! in the bounded queue of their recipient.

use core::future::poll_fn;
use core::time::Duration;
use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use async_nats::{Client, Subscriber};
use futures_util::StreamExt as _;
use quorate_envelope::{MAX_ENVELOPE, Name};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::queues::{Bounds, Queues};
use crate::transport::{Outgoing, Receiver, Sender, Transport};
pub use access::Access;
pub use monitor::{Monitor, Status};
pub use subject::permissions;

mod access;
mod monitor;
mod subject;

/// The messages that the client holds between the socket and the queues. It drops others, so a burst has to fit.
const ARRIVING: usize = 8192;
/// The messages that it holds between the queues and the socket.
const LEAVING: usize = 64;
/// The time for which the server may leave an envelope waiting, and a closed connection may take to send the rest.
const PATIENCE: Duration = Duration::from_secs(5);

/// One member's connection to the NATS server.
#[derive(Debug)]
pub struct NatsTransport {
    receiver: Receiver,
    sender: Sender,
    monitor: Monitor,
}

impl NatsTransport {
    /// Begins to connect as `me`, and exchanges envelopes with these peers alone. It returns before the connection is made.
    /// Once the sink is dropped, the rest is sent and the connection is given up.
    ///
    /// # Errors
    /// An error if a file cannot be read, or the seed or an address is malformed.
    pub async fn connect(
        me: Name,
        peers: impl IntoIterator<Item = Name>,
        access: &Access,
        bounds: Bounds,
    ) -> io::Result<Self> {
        let monitor = Monitor::default();
        let options = access.options(&me, monitor.clone())?;
        let options = options.subscription_capacity(ARRIVING).client_capacity(LEAVING);
        let client = options.connect(access.addresses()?).await.map_err(io::Error::other)?;
        let subscription = client.subscribe(subject::readable(&me)).await;
        let subscription = subscription.map_err(io::Error::other)?;
        let peers: Arc<BTreeSet<Name>> = Arc::new(peers.into_iter().collect());
        let (arrived, waiting) = (Queues::new(bounds), Queues::new(bounds));
        let mut filler = JoinSet::new();
        filler.spawn(read(subscription, Arc::clone(&peers), arrived.clone(), monitor.clone()));
        tokio::spawn(publish(client, me, waiting.clone(), monitor.clone()));
        let sender = sender(waiting, peers, monitor.clone());
        Ok(Self { receiver: Receiver { arrived, _filler: filler }, sender, monitor })
    }

    /// The state of the connection, and counters.
    #[must_use]
    pub fn monitor(&self) -> Monitor {
        self.monitor.clone()
    }
}

impl Transport for NatsTransport {
    type Receiver = Receiver;
    type Sender = Sender;

    fn split(self) -> (Receiver, Sender) {
        (self.receiver, self.sender)
    }
}

fn sender(waiting: Queues, peers: Arc<BTreeSet<Name>>, monitor: Monitor) -> Sender {
    let waiting = waiting.close_on_drop();
    Sender(Box::new(move |Outgoing { to, envelope }| {
        let is_peer = peers.contains(&to);
        let dropped = if is_peer { waiting.0.push(&to, envelope) } else { 0 };
        monitor.update(|status| {
            status.dropped = status.dropped.saturating_add(dropped);
            status.refused = status.refused.saturating_add((!is_peer).into());
        });
    }))
}

/// Puts what arrives into the queues of its senders.
async fn read(
    mut subscription: Subscriber,
    peers: Arc<BTreeSet<Name>>,
    arrived: Queues,
    monitor: Monitor,
) {
    let arrived = arrived.close_on_drop();
    while let Some(message) = subscription.next().await {
        let from = subject::sender(&message.subject).filter(|from| peers.contains(from));
        let from = from.filter(|_| message.payload.len() <= MAX_ENVELOPE);
        let dropped = from.as_ref().map(|from| arrived.0.push(from, message.payload.to_vec()));
        monitor.update(|status| match dropped {
            Some(dropped) => {
                status.received = status.received.saturating_add(1);
                status.dropped = status.dropped.saturating_add(dropped);
            }
            None => status.refused = status.refused.saturating_add(1),
        });
    }
}

/// Sends what waits, until the queues are closed and empty.
async fn publish(client: Client, me: Name, waiting: Queues, monitor: Monitor) {
    while let Some((to, envelope)) = poll_fn(|cx| waiting.poll_pop(cx)).await {
        while timeout(PATIENCE, monitor.connected()).await.is_err() {
            if waiting.is_closed() {
                return;
            }
        }
        let publish = client.publish(subject::envelope(&to, &me), envelope.into());
        let is_sent = timeout(PATIENCE, publish).await.is_ok_and(|sent| sent.is_ok());
        monitor.update(|status| {
            let counter = if is_sent { &mut status.sent } else { &mut status.dropped };
            *counter = counter.saturating_add(1);
        });
    }
    timeout(PATIENCE, client.flush()).await.ok();
}
