//! The envelopes of a node: packets of runs, orders and answers, heartbeats and what they are answered with.

use core::pin::{Pin, pin};
use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use custody_core::{
    Answer, AnswerMessage, Heartbeat, MAX_BATCH, NodeStatus, Order, OrderMessage, PACKET_KIND,
    Reason, Refusal, Versions, WireError, Witness, batches, version_of,
};
use custody_nats::{Incoming, Outgoing, Receiver, Sender};
use custody_node::{Node, Settings, Witnesses};
use futures_util::{Sink, SinkExt as _, Stream, StreamExt as _, sink, stream};
use getrandom::SysRng;
use quorate::PartyId;
use quorate::runner::{IncomingPacket, OutgoingPacket};
use quorate::session::rand_core::UnwrapErr;
use quorate_envelope::{Envelope, Name, Opened, Opener};
use tokio::sync::mpsc::error::SendTimeoutError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use zeroize::Zeroizing;

use crate::hooks::Hooks;

/// The pause between two rounds of heartbeats.
const HEARTBEAT: Duration = Duration::from_millis(500);
/// The time for which an envelope waits for room. What is dropped after that is sent again by the runner or the gateway.
const SEND: Duration = Duration::from_secs(2);
/// Packets that wait for the runner, orders that wait for the node, and envelopes that wait for the transport.
const WAITING: usize = 1024;
/// Batches of orders that the node answers at a time.
const AT_ONCE: usize = 64;
/// Bytes of orders that wait or are being answered.
const ROOM: usize = 64 << 20;
/// Bytes of room that a packet takes at least.
const PACKET_ROOM: usize = 16 << 10;
/// Bytes of packets of a peer that wait for the runner. So it has at most 1024 places, which none of the others can take.
const PEER_ROOM: usize = WAITING.saturating_mul(PACKET_ROOM);

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

/// Orders of a gateway that came together, each behind the version in which it came.
struct Given {
    from: Name,
    orders: Vec<(u8, OrderMessage)>,
    /// The room of their envelope.
    room: Arc<OwnedSemaphorePermit>,
}

/// A packet that waits for the runner.
struct Arrived {
    packet: IncomingPacket,
    _room: OwnedSemaphorePermit,
}

impl Links {
    /// Starts to exchange envelopes. Until the node is open, only heartbeats are answered.
    pub(super) fn new(
        (settings, hooks): (Settings, &Hooks),
        ends: (Receiver, Sender),
        witnesses: Witnesses,
    ) -> Self {
        let (out, outgoing) = mpsc::channel(WAITING);
        let places = WAITING.saturating_mul(settings.directory.directory().members().count());
        let (packet, mut packets) = mpsc::channel(places.max(WAITING));
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
            packets: Box::pin(stream::poll_fn(move |cx| {
                packets.poll_recv(cx).map(|next: Option<Arrived>| Some(next?.packet))
            })),
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
    packets: mpsc::Sender<Arrived>,
    orders: mpsc::Sender<Given>,
) {
    let room = Arc::new(Semaphore::new(ROOM));
    let mut peers = BTreeMap::new();
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
                let room = peers.entry(from).or_insert_with(|| Arc::new(Semaphore::new(PEER_ROOM)));
                for packet in opened.replayable() {
                    take_packet(from, &packet, &packets, room);
                }
            }
            // Orders come from members that are no nodes.
            (OrderMessage::KIND, None) => {
                take_orders(&envelopes, (name, opened), &orders, &room);
            }
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

/// Hands a packet on. What finds no room is sent again by its sender.
fn take_packet(
    from: PartyId,
    packet: &[u8],
    packets: &mpsc::Sender<Arrived>,
    room: &Arc<Semaphore>,
) {
    let bytes = u32::try_from(packet.len().max(PACKET_ROOM)).ok();
    let room = bytes.and_then(|bytes| Arc::clone(room).try_acquire_many_owned(bytes).ok());
    if let Some(room) = room {
        let packet = IncomingPacket { from, bytes: packet.to_vec() };
        packets.try_send(Arrived { packet, _room: room }).ok();
    }
}

/// Hands orders on: those for shares in batches, since they share a transaction, and each other one alone.
fn take_orders(
    envelopes: &Envelopes,
    (from, opened): (Name, Opened),
    orders: &mpsc::Sender<Given>,
    room: &Arc<Semaphore>,
) {
    let all = opened.replayable();
    let bytes = all.iter().map(|order| order.len()).sum::<usize>();
    let Ok(bytes) = u32::try_from(bytes) else { return };
    let room = Arc::clone(room).try_acquire_many_owned(bytes);
    let Ok(room) = room.map(Arc::new) else { return };
    let read = all.iter().filter_map(|bytes| read_order(envelopes, &from, bytes));
    let (mut for_shares, others): (Vec<_>, Vec<_>) =
        read.partition(|(_, message)| is_for_share(&message.order));
    let mut batches: Vec<_> = others.into_iter().map(|one| vec![one]).collect();
    while !for_shares.is_empty() {
        let rest = for_shares.split_off(for_shares.len().min(MAX_BATCH));
        batches.push(core::mem::replace(&mut for_shares, rest));
    }
    for orders_of in batches {
        let given = Given { from: from.clone(), orders: orders_of, room: Arc::clone(&room) };
        orders.try_send(given).ok();
    }
}

/// Returns whether an order is for the share of a signature. An attempt of all signers is not: it has its own transaction.
fn is_for_share(order: &Order) -> bool {
    matches!(order, Order::Sign { material, .. } if material.is_made_ahead())
}

/// Reads an order, with the version in which it came.
fn read_order(envelopes: &Envelopes, from: &Name, bytes: &[u8]) -> Option<(u8, OrderMessage)> {
    let version = version_of(bytes).unwrap_or_default();
    match OrderMessage::from_bytes(bytes) {
        Ok(_) if !envelopes.hooks.versions.has(version) => {
            tracing::warn!(name = %from, version, "an order is of a version that this node does not read");
            None
        }
        Ok(order) => Some((version, order)),
        Err(why) => {
            tracing::warn!(name = %from, %why, "an order is malformed");
            None
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
pub(super) async fn update_head(node: Node, witnesses: Witnesses) {
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
            let given = tokio::select! {
                come = &mut come => return come,
                Some(given) = self.orders.recv() => given,
            };
            // Before it begins to wait it has not looked at its databases.
            let Some(refusal) = why() else { continue };
            let policy = self.envelopes.settings.policy_digest;
            let answers = given.orders.iter().map(|(_, message)| match message.order {
                Order::Status => Answer::Status(NodeStatus::refusing(refusal.clone(), policy)),
                _ => Answer::Refused(refusal.clone()),
            });
            let answers = answers.collect();
            reply(&self.envelopes, &given.from, &heads(&given.orders), answers).await;
        }
    }

    /// Has the node answer the orders, several at a time.
    pub(super) fn serve(mut self, node: Node) {
        let places = Arc::new(Semaphore::new(AT_ONCE));
        tokio::spawn(async move {
            while let Some(Given { from, orders, room }) = self.orders.recv().await {
                let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
                let (node, envelopes) = (node.clone(), self.envelopes.clone());
                tokio::spawn(async move {
                    let heads = heads(&orders);
                    let orders = orders.into_iter().map(|(_, message)| message.order).collect();
                    reply(&envelopes, &from, &heads, node.orders(orders).await).await;
                    drop((place, room));
                });
            }
        });
    }
}

/// The version and the number of each order, which its answer has, too.
fn heads(orders: &[(u8, OrderMessage)]) -> Vec<(u8, u64)> {
    orders.iter().map(|(version, message)| (*version, message.number)).collect()
}

/// Answers orders, each in its version. The answers are in as few envelopes as they fit into.
async fn reply(envelopes: &Envelopes, to: &Name, heads: &[(u8, u64)], answers: Vec<Answer>) {
    let kind = AnswerMessage::KIND;
    let encoded = heads.iter().zip(answers).filter_map(|((version, number), answer)| {
        let bytes = encoded(*version, AnswerMessage { number: *number, answer });
        bytes.inspect_err(|why| tracing::error!(%to, %why, "an answer cannot be encoded")).ok()
    });
    let answers =
        encoded.flat_map(|bytes| envelopes.hooks.altered(to, kind, Zeroizing::new(bytes)));
    for batch in batches(answers) {
        let messages = batch.iter().map(|bytes| bytes.as_slice());
        envelopes.seal(to.clone(), Envelope::to(to, kind).messages(messages)).await;
    }
}

/// Encodes an answer, or the refusal of one that is too long.
fn encoded(version: u8, message: AnswerMessage) -> Result<Vec<u8>, WireError> {
    message.to_bytes_in(version).or_else(|why| {
        let answer = Answer::Refused(Refusal::new(Reason::Limit, why));
        AnswerMessage { number: message.number, answer }.to_bytes_in(version)
    })
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
