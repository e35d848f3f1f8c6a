//! A node of a committee.

use core::convert::Infallible;
use core::time::Duration;
use std::path::PathBuf;
use std::sync::Arc;

use custody_core::{AnswerMessage, OrderMessage, PACKET_KIND, Reason, Refusal, Versions};
use custody_nats::memory::{MemoryTransport, Network};
use custody_nats::{Incoming, Outgoing, Transport as _};
use custody_node::{Node, NodeService, Settings, open};
use futures_util::{Sink, SinkExt as _, Stream, StreamExt as _, sink, stream};
use quorate::runner::{IncomingPacket, OutgoingPacket};
use quorate::session::Continuity;
use quorate_envelope::{Name, Opened, Opener};
use quorate_store::SqliteStore;
use quorate_tokio::Builder;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::broken;
use super::folder::{Folder, gateway_name};
use super::link::Link;
use crate::failure::Failure;

/// The packets of runs that wait for a node.
const WAITING: usize = 1024;
/// The pause between two announcements of the versions that a node speaks.
const ANNOUNCEMENT: Duration = Duration::from_millis(500);
/// The pause between two looks at what has to be forgotten or deleted.
const MAINTENANCE: Duration = Duration::from_secs(60);

/// A node that runs. Its tasks end with the value.
pub(super) struct Member {
    node: Node,
    service: NodeService,
    _tasks: JoinSet<()>,
}

impl Member {
    /// Starts a node on its databases.
    pub(super) async fn start(
        settings: Settings,
        folder: &Folder,
        network: &Network,
    ) -> Result<Self, Failure> {
        let (number, name) = (settings.me.get(), settings.identity.name().clone());
        let files = ["node", "spent"].map(|file| folder.path(&format!("{number}-{file}.db")));
        let (receiver, sender) = MemoryTransport::split(network.join(&name));
        let (outgoing, to_send) = mpsc::unbounded_channel();
        let (identity, directory) = (Arc::clone(&settings.identity), settings.directory.clone());
        let link = Link { identity, directory, outgoing };
        let (packets, received) = mpsc::channel(WAITING);
        let on = settings.clone();
        let open = move || open_node(on, files);
        let builder = Builder::new().workers(1);
        let spawned =
            Node::spawn(settings, builder, open, packets_in(received), packets_out(link.clone()));
        let (node, service) = spawned.await.map_err(broken)?;
        let mut tasks = JoinSet::new();
        tasks.spawn(send(sender, to_send));
        tasks.spawn(announce(link.clone(), gateway_name()?));
        tasks.spawn(maintain(node.clone()));
        tasks.spawn(receive(receiver, link, node.clone(), packets));
        Ok(Self { node, service, _tasks: tasks })
    }

    pub(super) async fn search_primes(&self) -> Result<(), Failure> {
        self.node.search_primes().await.map_err(broken)
    }

    /// Stops the node. Steps under way are not waited for.
    pub(super) async fn stop(self) {
        let Self { node, service, _tasks: tasks } = self;
        drop((node, tasks));
        service.shutdown(Duration::from_millis(1)).await;
    }
}

fn open_node(
    settings: Settings,
    [node, spent]: [PathBuf; 2],
) -> Result<quorate::runner::Runner<quorate_store::AnyStore, custody_node::Vault>, Refusal> {
    let internal = |why: quorate_store::Error| Refusal::new(Reason::Internal, why);
    let store = SqliteStore::options().spent(spent).open(node).map_err(internal)?;
    let mut store = store.into_any();
    // A trial does not restore databases.
    let continuity = store.continuity(Continuity::Operator).map_err(internal)?;
    open(settings, store, continuity)
}

fn packets_in(
    mut received: mpsc::Receiver<IncomingPacket>,
) -> impl Stream<Item = IncomingPacket> + Send {
    stream::poll_fn(move |cx| received.poll_recv(cx))
}

fn packets_out(link: Link) -> impl Sink<OutgoingPacket, Error = Infallible> + Send {
    sink::unfold(link, |link, packet: OutgoingPacket| async move {
        if let Some(member) = link.directory.directory().member_of(packet.to) {
            link.send(&member.name, PACKET_KIND, &packet.bytes);
        }
        Ok(link)
    })
}

async fn send(
    mut sender: impl Sink<Outgoing, Error = Infallible> + Unpin,
    mut to_send: mpsc::UnboundedReceiver<Outgoing>,
) {
    while let Some(message) = to_send.recv().await {
        let Ok(()) = sender.send(message).await;
    }
}

async fn announce(link: Link, gateway: Name) {
    loop {
        link.send(&gateway, Versions::KIND, &Versions::OWN.to_bytes());
        tokio::time::sleep(ANNOUNCEMENT).await;
    }
}

async fn maintain(node: Node) {
    loop {
        tokio::time::sleep(MAINTENANCE).await;
        if let Err(why) = node.maintain().await {
            tracing::error!(%why, "maintenance has failed");
        }
    }
}

async fn receive(
    mut receiver: impl Stream<Item = Incoming> + Unpin,
    link: Link,
    node: Node,
    packets: mpsc::Sender<IncomingPacket>,
) {
    while let Some(Incoming { from, envelope }) = receiver.next().await {
        match Opener::new(&link.identity, &link.directory).open(&envelope) {
            Ok(opened) => take(opened, &link, &node, &packets),
            Err(why) => tracing::warn!(%from, %why, "an envelope is refused"),
        }
    }
}

/// Hands packets to the runner, and orders to the node. What finds no room is sent again.
fn take(opened: Opened, link: &Link, node: &Node, packets: &mpsc::Sender<IncomingPacket>) {
    let (kind, sender) = (opened.header.kind, opened.header.sender.name.clone());
    let party = opened.party;
    for message in opened.replayable() {
        match (kind, party) {
            (PACKET_KIND, Some(from)) => {
                packets.try_send(IncomingPacket { from, bytes: message.to_vec() }).ok();
            }
            (OrderMessage::KIND, _) => {
                let Ok(OrderMessage { number, order }) = OrderMessage::from_bytes(&message) else {
                    continue;
                };
                let (node, link, sender) = (node.clone(), link.clone(), sender.clone());
                tokio::spawn(async move {
                    let answer = node.order(order).await;
                    if let Ok(bytes) = (AnswerMessage { number, answer }).to_bytes() {
                        link.send(&sender, AnswerMessage::KIND, &bytes);
                    }
                });
            }
            _ => {}
        }
    }
}
