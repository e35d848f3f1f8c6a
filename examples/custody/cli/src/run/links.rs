//! The envelopes of a node: packets of runs, orders and answers, heartbeats and what they are answered with.

use core::pin::{Pin, pin};
use core::time::Duration;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use custody_core::{
    Answer, AnswerMessage, Heartbeat, NodeStatus, Order, OrderMessage, PACKET_KIND, Reason,
    Refusal, Versions, Witness, version_of,
};
use custody_nats::{Incoming, Outgoing, Receiver, Sender};
use custody_node::{Node, Settings, Witnesses};
use futures_util::{Sink, SinkExt as _, Stream, StreamExt as _, sink, stream};
use getrandom::SysRng;
use quorate::PartyId;
use quorate::runner::{IncomingPacket, OutgoingPacket};
use quorate::session::rand_core::UnwrapErr;
use quorate_envelope::{Envelope, Name, Opened, Opener};
use quorate_store::Engine;
use tokio::sync::mpsc::error::SendTimeoutError;
use tokio::sync::{Semaphore, mpsc};
use zeroize::Zeroizing;

use crate::hooks::Hooks;

/// The pause between two rounds of heartbeats.
const HEARTBEAT: Duration = Duration::from_millis(500);
/// The time for which an envelope waits for room. What is dropped after that is sent again by the runner or the gateway.
const SEND: Duration = Duration::from_secs(2);
/// Packets that wait for the runner, orders that wait for the node, and envelopes that wait for the transport.
const WAITING: usize = 1024;
/// Orders that the node answers at a time.
const AT_ONCE: usize = 256;

/// The ends of a node's traffic.
pub(super) struct Links {
    /// Packets of peers, for the runner.
    pub(super) packets: PacketStream,
    /// Packets to peers.
    pub(super) sink: PacketSink,
    /// The heartbeats.
    pub(super) witnesses: Witnesses,
    /// The orders.
    pub(super) gateway: Orders,
}

type PacketStream = Pin<Box<dyn Stream<Item = IncomingPacket> + Send>>;
type PacketSink = Pin<Box<dyn Sink<OutgoingPacket, Error = String> + Send>>;

/// The member that envelopes are sealed and opened as.
#[derive(Clone)]
struct Envelopes {
    settings: Settings,
    hooks: Hooks,
    out: mpsc::Sender<Outgoing>,
}

/// An order behind the name of its gateway and the version in which it came.
type Given = (Name, u8, OrderMessage);

impl Links {
    /// Starts to exchange envelopes. Until the node is open, only heartbeats are answered.
    pub(super) fn new(
        (settings, hooks): (Settings, &Hooks),
        ends: (Receiver, Sender),
        witnesses: Witnesses,
    ) -> Self {
        let (out, outgoing) = mpsc::channel(WAITING);
        let (packet, mut packets) = mpsc::channel(WAITING);
        let (order, orders) = mpsc::channel(WAITING);
        let envelopes = Envelopes { settings, hooks: hooks.clone(), out };
        tokio::spawn(send(ends.1, outgoing));
        tokio::spawn(sort(ends.0, envelopes.clone(), witnesses.clone(), packet, order));
        tokio::spawn(heartbeats(envelopes.clone(), witnesses.clone()));
        tokio::spawn(announce(envelopes.clone()));
        let to = envelopes.clone();
        let sink = sink::unfold(to, async |envelopes: Envelopes, packet: OutgoingPacket| {
            let name =
                envelopes.name_of(packet.to).ok_or("a packet to a party that is no member")?;
            for bytes in envelopes.hooks.altered(&name, PACKET_KIND, packet.bytes) {
                let envelope = Envelope::to_party(packet.to, PACKET_KIND).message(&bytes);
                envelopes.seal(name.clone(), envelope).await;
            }
            Ok(envelopes)
        });
        Self {
            packets: Box::pin(stream::poll_fn(move |cx| packets.poll_recv(cx))),
            sink: Box::pin(sink),
            witnesses,
            gateway: Orders { orders, envelopes },
        }
    }
}

impl Envelopes {
    fn name_of(&self, party: PartyId) -> Option<Name> {
        let member = self.settings.directory.directory().member_of(party);
        member.map(|member| member.name.clone())
    }

    /// Seals an envelope and hands it to the transport, which may lose it.
    async fn seal(&self, to: Name, envelope: Envelope<'_>) {
        let Settings { identity, directory, .. } = &self.settings;
        match envelope.seal(identity, directory, &mut UnwrapErr(SysRng)) {
            Ok(envelope) => {
                let sent = self.out.send_timeout(Outgoing { to, envelope }, SEND).await;
                if let Err(SendTimeoutError::Timeout(Outgoing { to, .. })) = sent {
                    tracing::warn!(%to, "an envelope found no room in time");
                }
            }
            Err(why) => tracing::error!(%to, %why, "an envelope cannot be sealed"),
        }
    }
}

async fn send(mut sender: Sender, mut outgoing: mpsc::Receiver<Outgoing>) {
    while let Some(envelope) = outgoing.recv().await {
        let Ok(()) = sender.send(envelope).await;
    }
}

/// Opens envelopes, and gives each to whom it is for. What finds no room is sent again by its sender.
async fn sort(
    mut receiver: Receiver,
    envelopes: Envelopes,
    witnesses: Witnesses,
    packets: mpsc::Sender<IncomingPacket>,
    orders: mpsc::Sender<Given>,
) {
    while let Some(Incoming { from, envelope }) = receiver.next().await {
        let Settings { identity, directory, .. } = &envelopes.settings;
        let opened = match Opener::new(identity, directory).open(&envelope) {
            Ok(opened) => opened,
            Err(why) => {
                tracing::warn!(%from, %why, "an envelope is refused");
                continue;
            }
        };
        let (kind, party, name) =
            (opened.header.kind, opened.party, opened.header.sender.name.clone());
        match (kind, party) {
            (PACKET_KIND, Some(from)) => {
                for packet in opened.replayable() {
                    packets.try_send(IncomingPacket { from, bytes: packet.to_vec() }).ok();
                }
            }
            // Orders come from members that are no nodes.
            (OrderMessage::KIND, None) => take_orders(&envelopes, &name, opened, &orders),
            (Heartbeat::KIND, Some(from)) => {
                for heartbeat in opened.replayable() {
                    answer(&envelopes, &witnesses, (from, &name), &heartbeat).await;
                }
            }
            (Witness::KIND, Some(_)) => {
                if let Err(why) = witnesses.witnessed(opened, now()) {
                    tracing::debug!(%name, %why, "the answer of a witness does not count");
                }
            }
            _ => tracing::warn!(%name, kind, "an envelope of a kind that its sender does not send"),
        }
    }
}

fn take_orders(envelopes: &Envelopes, name: &Name, opened: Opened, orders: &mpsc::Sender<Given>) {
    for order in opened.replayable() {
        let version = version_of(&order).unwrap_or_default();
        match OrderMessage::from_bytes(&order) {
            Ok(_) if !envelopes.hooks.versions.has(version) => {
                tracing::warn!(%name, version, "an order is of a version that this node does not read");
            }
            Ok(order) => drop(orders.try_send((name.clone(), version, order))),
            Err(why) => tracing::warn!(%name, %why, "an order is malformed"),
        }
    }
}

async fn answer(
    envelopes: &Envelopes,
    witnesses: &Witnesses,
    from: (PartyId, &Name),
    heartbeat: &[u8],
) {
    match witnesses.heartbeat(from, heartbeat) {
        Ok((challenge, messages)) => {
            let answer = Envelope::answer(challenge).messages(messages.iter().map(Vec::as_slice));
            envelopes.seal(from.1.clone(), answer).await;
        }
        Err(why) => tracing::warn!(name = %from.1, %why, "a heartbeat is refused"),
    }
}

/// Sends heartbeats for as long as the process lives, also while the node waits for its witnesses.
async fn heartbeats(envelopes: Envelopes, witnesses: Witnesses) {
    loop {
        for (to, heartbeat) in witnesses.heartbeats(now()) {
            let envelope = Envelope::to_party(to, Heartbeat::KIND).message(&heartbeat);
            if let Some(name) = envelopes.name_of(to) {
                envelopes.seal(name, envelope).await;
            }
        }
        tokio::time::sleep(HEARTBEAT).await;
    }
}

/// Announces the versions of this node to gateways for as long as the process lives.
async fn announce(envelopes: Envelopes) {
    let announcement = envelopes.hooks.versions.to_bytes();
    let directory = envelopes.settings.directory.directory();
    let gateways = directory.members().filter(|member| member.party.is_none());
    let gateways: Vec<Name> = gateways.map(|member| member.name.clone()).collect();
    loop {
        for to in &gateways {
            let envelope = Envelope::to(to, Versions::KIND).message(&announcement);
            envelopes.seal(to.clone(), envelope).await;
        }
        tokio::time::sleep(HEARTBEAT).await;
    }
}

/// Tells the witnesses how far the node has come.
pub(super) async fn update_head<E: Engine>(node: Node<E>, witnesses: Witnesses) {
    loop {
        if let Err(why) = node.update(&witnesses).await {
            tracing::error!(%why, "the head of the ledger cannot be read");
        }
        tokio::time::sleep(HEARTBEAT).await;
    }
}

/// The orders of gateways.
pub(super) struct Orders {
    orders: mpsc::Receiver<Given>,
    envelopes: Envelopes,
}

impl Orders {
    /// Refuses the orders until something has come, and says why: the node is not open.
    #[allow(clippy::integer_division_remainder_used, reason = "tokio's own, in `select!`")]
    pub(super) async fn refuse_until<T>(
        &mut self,
        come: impl Future<Output = T>,
        why: impl Fn() -> Option<Refusal>,
    ) -> T {
        let mut come = pin!(come);
        loop {
            let (name, version, OrderMessage { number, order }) = tokio::select! {
                come = &mut come => return come,
                Some(order) = self.orders.recv() => order,
            };
            // Before it begins to wait it has not looked at its databases.
            let Some(refusal) = why() else { continue };
            let policy = self.envelopes.settings.policy_digest;
            let answer = match order {
                Order::Status => Answer::Status(NodeStatus::refusing(refusal, policy)),
                _ => Answer::Refused(refusal),
            };
            reply(&self.envelopes, name, version, AnswerMessage { number, answer }).await;
        }
    }

    /// Has the node answer the orders, several at a time.
    pub(super) fn serve<E: Engine>(mut self, node: Node<E>) {
        let places = Arc::new(Semaphore::new(AT_ONCE));
        tokio::spawn(async move {
            while let Some((name, version, message)) = self.orders.recv().await {
                let OrderMessage { number, order } = message;
                let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
                let (node, envelopes) = (node.clone(), self.envelopes.clone());
                tokio::spawn(async move {
                    let answer = node.order(order).await;
                    reply(&envelopes, name, version, AnswerMessage { number, answer }).await;
                    drop(place);
                });
            }
        });
    }
}

/// Answers in the version of the order.
async fn reply(envelopes: &Envelopes, to: Name, version: u8, message: AnswerMessage) {
    let number = message.number;
    let bytes = message.to_bytes_in(version).or_else(|why| {
        let answer = Answer::Refused(Refusal::new(Reason::Limit, why));
        AnswerMessage { number, answer }.to_bytes_in(version)
    });
    match bytes {
        Ok(bytes) => {
            for bytes in envelopes.hooks.altered(&to, AnswerMessage::KIND, Zeroizing::new(bytes)) {
                let envelope = Envelope::to(&to, AnswerMessage::KIND).message(&bytes);
                envelopes.seal(to.clone(), envelope).await;
            }
        }
        Err(why) => tracing::error!(%to, %why, "an answer cannot be encoded"),
    }
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
