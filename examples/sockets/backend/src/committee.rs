//! A committee in one process, to try sockets out.
//!
//! It has the parts of a committee in production: nodes with their databases and policies, a gateway, and the HTTP
//! interface that a [`Service`] asks. One process holds all shares here, so the committee protects nothing.

mod folder;
mod link;
mod member;
mod served;

use core::fmt::Display;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use custody_core::{KeyId, KeySpec, PartyId, Scheme};
use custody_gateway::Gateway;
use custody_nats::memory::{Faults, Network};
use custody_policy::Policies;
use quorate::ecdsa::Level;
use quorate_envelope::TrustedDirectory;
use quorate_purpose::Kind;
use tokio::sync::OnceCell;

use crate::backend::{Asked, Backend, Reply, Signature};
use crate::failure::Failure;
use crate::key::Key;
use crate::service::{self, Administrator, Service};
use folder::Folder;
use member::Member;
use served::Served;

/// The policy unless the trial has others.
const POLICY: &str = include_str!("../policies/trial.cedar");
/// The name of the cluster.
const CLUSTER: &str = "trial";

/// The settings of a [`Committee`].
#[derive(Clone, Debug)]
pub struct Trial {
    /// The folder of databases and secrets. One that an earlier committee left is opened again, with its keys.
    pub folder: PathBuf,
    /// The number of nodes, from 2 to 64. It stays for the life of the folder.
    pub nodes: u16,
    /// The policies of every node, with names. The caller `owner` makes keys, the caller `sockets` asks for signatures.
    pub policies: Vec<(String, String)>,
    /// The size of the moduli of threshold ECDSA.
    pub level: Level,
}

impl Trial {
    /// Three nodes, which sign whatever can be read.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let policies = vec![("trial.cedar".to_owned(), POLICY.to_owned())];
        Self { folder: folder.into(), nodes: 3, policies, level: Level::Bits112 }
    }
}

/// Nodes, a gateway and its HTTP interface in this process, with a [`Service`] in front. They end with the value.
pub struct Committee {
    service: Service,
    folder: Folder,
    network: Network,
    policies: Arc<Policies>,
    level: Level,
    members: BTreeMap<u16, Member>,
    served: Option<Served>,
    /// Set once the nodes have the primes of threshold ECDSA.
    primes: OnceCell<()>,
}

impl Committee {
    /// Starts a committee. Call it inside a tokio runtime with several threads.
    ///
    /// # Errors
    /// [`Failure::Broken`] with the file or the policy that is wrong.
    pub async fn start(trial: Trial) -> Result<Self, Failure> {
        let texts = trial.policies.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        let policies = Arc::new(Policies::load(texts).map_err(broken)?);
        let folder = Folder::open(trial.folder, trial.nodes)?;
        let network = Network::new(0, Faults::default());
        let served = Served::start(&folder, &network, None).await?;
        let pins = service::Folder::new(folder.path("keys"));
        let keys = pins.read()?;
        let directory = folder.directory().directory().clone();
        let administrator = Administrator {
            client: folder.client("owner", served.address())?,
            directory,
            folder: Some(pins),
        };
        let service = Service::new(folder.client("sockets", served.address())?, keys);
        let service = service.with_administrator(administrator);
        let (members, primes, served, level) =
            (<_>::default(), OnceCell::new(), Some(served), trial.level);
        let mut committee =
            Self { service, folder, network, policies, level, members, served, primes };
        for number in 1..=trial.nodes {
            committee.start_node(number).await?;
        }
        Ok(committee)
    }

    /// The specification of a key that more than half of the nodes sign with.
    #[must_use]
    pub fn spec(&self, name: &str, scheme: Scheme, purposes: &[Kind]) -> KeySpec {
        let nodes = self.folder.nodes();
        let mut purposes = purposes.to_vec();
        purposes.sort();
        KeySpec {
            scheme,
            threshold: (nodes >> 1).saturating_add(1),
            members: (1..=nodes).filter_map(PartyId::new).collect(),
            purposes,
            scope: String::new(),
            labels: [(Key::NAME.to_owned(), name.to_owned())].into(),
        }
    }

    /// The directory of the committee.
    #[must_use]
    pub const fn directory(&self) -> &TrustedDirectory {
        self.folder.directory()
    }

    /// The service in front of the committee.
    #[must_use]
    pub const fn service(&self) -> &Service {
        &self.service
    }

    /// The address of the gateway's HTTP interface, unless it is stopped.
    #[must_use]
    pub fn address(&self) -> Option<core::net::SocketAddr> {
        self.served.as_ref().map(Served::address)
    }

    /// The gateway, unless it is stopped.
    #[must_use]
    pub fn gateway(&self) -> Option<&Gateway> {
        self.served.as_ref().map(Served::gateway)
    }

    /// Starts a node on its databases, after [`stop_node`](Self::stop_node).
    ///
    /// # Errors
    /// [`Failure::Broken`] if its databases do not open.
    pub async fn start_node(&mut self, number: u16) -> Result<(), Failure> {
        let policy = Arc::clone(&self.policies);
        let settings = self.folder.settings(number, policy, self.level)?;
        let member = Member::start(settings, &self.folder, &self.network).await?;
        self.members.insert(number, member);
        Ok(())
    }

    /// Stops a node as a crash would: whatever is not in its databases is lost.
    pub async fn stop_node(&mut self, number: u16) {
        if let Some(member) = self.members.remove(&number) {
            member.stop().await;
        }
    }

    /// Starts the gateway again, at the same address.
    ///
    /// # Errors
    /// [`Failure::Broken`] if the address is taken.
    pub async fn start_gateway(&mut self, address: core::net::SocketAddr) -> Result<(), Failure> {
        self.served = Some(Served::start(&self.folder, &self.network, Some(address)).await?);
        Ok(())
    }

    /// Stops the gateway, and gives the address that it had.
    pub async fn stop_gateway(&mut self) -> Option<core::net::SocketAddr> {
        let served = self.served.take()?;
        let address = served.address();
        served.stop().await;
        Some(address)
    }

    /// Makes a key. The first one of ECDSA has the nodes search for primes, which can take minutes.
    async fn make(&self, spec: &KeySpec) -> Result<Key, Failure> {
        if spec.scheme.is_presigned() {
            let search = async {
                for member in self.members.values() {
                    member.search_primes().await?;
                }
                Ok::<_, Failure>(())
            };
            self.primes.get_or_try_init(|| search).await?;
        }
        self.service.create(spec).await
    }
}

impl Backend for Committee {
    fn keys(&self) -> Reply<'_, Vec<Key>> {
        self.service.keys()
    }

    fn create<'a>(&'a self, spec: &'a KeySpec) -> Reply<'a, Key> {
        Box::pin(self.make(spec))
    }

    fn sign<'a>(&'a self, key: KeyId, asked: &'a Asked) -> Reply<'a, Signature> {
        self.service.sign(key, asked)
    }
}

impl core::fmt::Debug for Committee {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Committee").field("folder", &self.folder).finish_non_exhaustive()
    }
}

fn broken(why: impl Display) -> Failure {
    Failure::Broken(why.to_string())
}
