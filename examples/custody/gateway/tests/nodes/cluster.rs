//! Real nodes on a network in memory: packets and orders travel in envelopes.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use custody_core::{
    Answer, AnswerMessage, Callers, Order, OrderMessage, PACKET_KIND, Reason, Refusal, Scheme,
    Versions,
};
use custody_gateway::Gateway;
use custody_nats::memory::{Faults, Network};
use custody_nats::{Incoming, Outgoing, Transport as _};
use custody_node::{Limits, Node, NodeService, Settings, open};
use custody_policy::{Action, Context, Decision, Outcome, Policy};
use futures_util::{SinkExt as _, StreamExt as _, sink, stream};
use quorate::PartyId;
use quorate::SealKey;
use quorate::ecdsa::Level;
use quorate::runner::{IncomingPacket, OutgoingPacket};
use quorate::session::Continuity;
use quorate_envelope::{Envelope, Identity, Opener, TrustedDirectory};
use quorate_store::SqliteStore;
use quorate_tokio::Builder;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::common::{GATEWAYS, World, now, party, rng};

/// Allows everything, but moves of keys to two nodes, messages that begin with `deny`, and those that begin with `ask` unless somebody approves.
struct Rules;

impl Policy for Rules {
    fn decide(&self, context: &Context<'_>) -> Decision {
        let bytes = context.facts.bytes("bytes").unwrap_or_default();
        let is_small = matches!(context.action, Action::Reshare { members: 2, .. });
        let outcome = if bytes.starts_with(b"deny") || is_small {
            Outcome::Forbidden
        } else if bytes.starts_with(b"ask") && context.approvers.is_empty() {
            Outcome::ApprovalsMissing
        } else {
            Outcome::Allowed
        };
        Decision {
            outcome,
            policies: vec!["rules".into()],
            why: "by the rules".into(),
            counts: vec![],
        }
    }
}

/// A world with real nodes.
pub struct Cluster {
    pub world: World,
    identities: Vec<Arc<Identity>>,
    folder: PathBuf,
    running: BTreeMap<PartyId, Running>,
    /// The nodes that send every packet of a run with another last bit.
    pub liars: Arc<Mutex<Vec<PartyId>>>,
}

struct Running {
    node: Node,
    service: NodeService,
    tasks: Vec<JoinHandle<()>>,
}

impl Cluster {
    pub async fn start(test: &str, nodes: u16, faults: Faults) -> Self {
        let (world, identities) = World::without_nodes(test, nodes, faults);
        let folder =
            std::env::temp_dir().join(format!("custody-nodes-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let identities = identities.into_iter().map(Arc::new).collect();
        let (running, liars) = <_>::default();
        let mut cluster = Self { world, identities, folder, running, liars };
        for number in 1..=nodes {
            cluster.up(number).await;
        }
        cluster
    }

    fn settings(&self, number: u16) -> Settings {
        Settings {
            me: party(number),
            seal_key: Arc::new(SealKey::new([7; 32])),
            identity: Arc::clone(&self.identities[usize::from(number) - 1]),
            directory: self.world.directory.clone(),
            callers: Arc::new(self.world.callers.clone()),
            policy: Arc::new(Rules),
            policy_digest: [0; 32],
            level: Level::Toy,
            experimental: vec![Scheme::MlDsa65],
            limits: Limits { run_time: 60_000, ..Limits::default() },
        }
    }

    /// Starts a node on its databases.
    pub async fn up(&mut self, number: u16) {
        let settings = self.settings(number);
        let identity = Arc::clone(&settings.identity);
        let directory = self.world.directory.clone();
        let (mut receiver, sender) = self.world.network.join(identity.name()).split();
        let (outgoing, mut to_send) = mpsc::unbounded_channel::<Outgoing>();
        let mut tasks = vec![tokio::spawn(async move {
            let mut sender = sender;
            while let Some(message) = to_send.recv().await {
                sender.send(message).await.unwrap();
            }
        })];
        let (packets, mut received) = mpsc::channel(1024);
        let incoming = stream::poll_fn(move |cx| received.poll_recv(cx));
        let seal = Seal { identity: Arc::clone(&identity), directory: directory.clone(), outgoing };
        let of = (seal.clone(), Arc::clone(&self.liars));
        let me = settings.me;
        let packet_sink = sink::unfold(of, move |(of, liars), packet: OutgoingPacket| async move {
            let to = of.directory.directory().member_of(packet.to).unwrap().name.clone();
            let mut bytes = packet.bytes;
            if liars.lock().unwrap().contains(&me) {
                *bytes.last_mut().unwrap() ^= 1;
            }
            of.send(&to, PACKET_KIND, &bytes);
            Ok::<_, String>((of, liars))
        });
        let on = settings.clone();
        let [node, spent] =
            ["node", "spent"].map(|name| self.folder.join(format!("{number}-{name}.db")));
        let open_store = move || {
            let internal = |why: quorate_store::Error| Refusal::new(Reason::Internal, why);
            let store = SqliteStore::options().spent(spent).open(node).map_err(internal)?;
            let mut store = store.into_any();
            let continuity = store.continuity(Continuity::Operator).map_err(internal)?;
            open(on, store, continuity)
        };
        let builder = Builder::new().workers(1).clock(|| now() * 1000);
        let (node, service) =
            Node::spawn(settings, builder, open_store, incoming, packet_sink).await.unwrap();
        let announcing = seal.clone();
        tasks.push(tokio::spawn(async move {
            let gateways = GATEWAYS.map(|name| quorate_envelope::Name::new(name).unwrap());
            loop {
                for gateway in &gateways {
                    announcing.send(gateway, Versions::KIND, &Versions::OWN.to_bytes());
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }));
        let of = node.clone();
        tasks.push(tokio::spawn(async move {
            while let Some(Incoming { envelope, .. }) = receiver.next().await {
                let opened = Opener::new(&identity, &directory).open(&envelope).unwrap();
                let (kind, from) = (opened.header.kind, opened.header.sender.name.clone());
                let party = opened.party;
                for message in opened.replayable() {
                    match (kind, party) {
                        (PACKET_KIND, Some(from)) => {
                            let bytes = message.to_vec();
                            packets.try_send(IncomingPacket { from, bytes }).ok();
                        }
                        (OrderMessage::KIND, _) => {
                            let OrderMessage { number, order } =
                                OrderMessage::from_bytes(&message).unwrap();
                            let (node, seal, from) = (of.clone(), seal.clone(), from.clone());
                            tokio::spawn(async move {
                                let answer = node.order(order).await;
                                let bytes = AnswerMessage { number, answer }.to_bytes().unwrap();
                                seal.send(&from, AnswerMessage::KIND, &bytes);
                            });
                        }
                        other => panic!("{other:?}"),
                    }
                }
            }
        }));
        self.running.insert(party(number), Running { node, service, tasks });
    }

    /// Kills a node: whatever is not in its databases is lost.
    pub async fn down(&mut self, number: u16) {
        let Running { node, service, tasks } = self.running.remove(&party(number)).unwrap();
        tasks.iter().for_each(JoinHandle::abort);
        drop(node);
        service.shutdown(Duration::from_millis(1)).await;
    }

    /// Gives a node an order, as a gateway that may be anybody's.
    pub async fn order(&self, number: u16, order: Order) -> Answer {
        self.running[&party(number)].node.order(order).await
    }

    pub async fn search_primes(&self) {
        for running in self.running.values() {
            running.node.search_primes().await.unwrap();
        }
    }

    pub fn gateway(&self) -> Gateway {
        self.world.gateway()
    }

    /// A second gateway, with a database of its own.
    pub fn second_gateway(&self) -> Gateway {
        self.world.second_gateway()
    }

    pub fn network(&self) -> &Network {
        &self.world.network
    }

    pub fn callers(&self) -> &Callers {
        &self.world.callers
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.folder).ok();
    }
}

#[derive(Clone)]
struct Seal {
    identity: Arc<Identity>,
    directory: TrustedDirectory,
    outgoing: mpsc::UnboundedSender<Outgoing>,
}

impl Seal {
    fn send(&self, to: &quorate_envelope::Name, kind: u16, message: &[u8]) {
        let envelope = Envelope::to(to, kind).message(message);
        let envelope = envelope.seal(&self.identity, &self.directory, &mut rng()).unwrap();
        self.outgoing.send(Outgoing { to: to.clone(), envelope }).ok();
    }
}
