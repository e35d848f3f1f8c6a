//! The servers of a deployment: PostgreSQL, another one for the ledgers, and the broker.

use std::path::PathBuf;

use quorate::PartyId;
use quorate::session::zeroize::Zeroizing;
use quorate_examples::failure::Failure;
use quorate_examples::out::Out;
use serde::Serialize;

use super::Deployment;
use super::settings::{self, Broker, Chaos, Common, Gateway, Keeper, Node, Process, Replicas};
use crate::bus::Peer;
use crate::bus::nats::Access;
use crate::directory::Directory;
use crate::engines::nats::Nats;
use crate::engines::postgres::Postgres;
use crate::node::witnesses;
use crate::request::Scheme;

/// The file that makes the lives of all processes harder, if it is there.
pub(crate) const CHAOS: &str = "chaos.json";

struct Servers {
    postgres: Postgres,
    ledger: Postgres,
    nats: Nats,
}

impl Servers {
    fn open(deployment: &Deployment) -> Result<Self, Failure> {
        let directory = Directory::read(&deployment.path("directory.json"))?;
        Ok(Self {
            nats: Nats::open(&deployment.path("nats"), deployment.nats(), &directory)?,
            postgres: Postgres::open(&deployment.path("postgres"), deployment.postgres())?,
            ledger: Postgres::open(&deployment.path("ledger"), deployment.ledger())?,
        })
    }

    fn start(&self) -> Result<(), Failure> {
        self.postgres.start()?;
        self.ledger.start()?;
        self.nats.start()
    }
}

/// Starts those that do not run, and writes the settings of the processes.
pub(crate) fn start(deployment: &Deployment, out: &mut Out) -> Result<(), Failure> {
    let servers = Servers::open(deployment)?;
    servers.start()?;
    out.line("PostgreSQL, the ledger's PostgreSQL and NATS run.");
    write_settings(deployment, &servers)?;
    // New databases are large.
    servers.postgres.checkpoint()?;
    servers.ledger.checkpoint()
}

/// Starts those again that have ended.
pub(crate) fn again(deployment: &Deployment, out: &mut Out) -> Result<(), Failure> {
    let down: Vec<String> = pids(deployment)
        .into_iter()
        .filter_map(|(name, pid)| pid.is_none().then_some(name))
        .collect();
    if down.is_empty() {
        return Ok(());
    }
    out.line(format!("{} has ended and is started again", down.join(", ")));
    Servers::open(deployment)?.start()
}

/// Stops them.
pub(crate) fn stop(deployment: &Deployment, out: &mut Out) -> Result<(), Failure> {
    if !deployment.path("postgres").exists() {
        return Ok(());
    }
    let servers = Servers::open(deployment)?;
    servers.nats.stop()?;
    servers.postgres.stop()?;
    servers.ledger.stop()?;
    out.line("NATS and PostgreSQL have ended");
    Ok(())
}

/// The folder of what the broker has stored.
pub(crate) fn broker_store(deployment: &Deployment) -> Result<PathBuf, Failure> {
    Ok(Servers::open(deployment)?.nats.store())
}

/// Makes a database of the nodes' server a copy of another one, which nobody uses.
pub(crate) fn copy_database(deployment: &Deployment, from: &str, to: &str) -> Result<(), Failure> {
    let servers = Servers::open(deployment)?;
    servers.postgres.copy(from, to)
}

/// Their names and the numbers of their processes. Nothing is made or written: this is asked again and again.
pub(crate) fn pids(deployment: &Deployment) -> Vec<(String, Option<u32>)> {
    let postgres = |name: &str| {
        let dir = deployment.path(name);
        let made = dir.join("data/PG_VERSION").exists();
        made.then(|| Postgres::find(&dir).ok().flatten()).flatten().and_then(|it| it.pid())
    };
    let nats = Nats::find(&deployment.path("nats")).ok().flatten();
    vec![
        ("postgres".to_owned(), postgres("postgres")),
        ("ledger".to_owned(), postgres("ledger")),
        ("nats".to_owned(), nats.and_then(|it| it.pid())),
    ]
}

/// How the dead letters at the broker are reached, and the seed of the NKey that opens them.
pub(crate) fn dead_letters(
    deployment: &Deployment,
) -> Result<(Access, Zeroizing<String>), Failure> {
    let directory = Directory::read(&deployment.path("directory.json"))?;
    let nats = Nats::open(&deployment.path("nats"), deployment.nats(), &directory)?;
    Ok((nats.keeper(), nats.keeper_seed()?))
}

/// Writes the settings of all processes. An operator's changes to a policy stay.
fn write_settings(deployment: &Deployment, servers: &Servers) -> Result<(), Failure> {
    let tuning = deployment.choice().tuning;
    for (node, worker) in deployment.workers() {
        let Some(party) = PartyId::new(node) else { continue };
        let name = format!("n{node}");
        let settings = Node {
            node,
            worker,
            workers: deployment.choice().workers,
            identity: PathBuf::from("identity"),
            seal_key: deployment.path(&format!("keys/{name}")),
            policy: PathBuf::from("policy.json"),
            database: servers.postgres.database(&name)?,
            ledger: servers.ledger.database(&name)?,
            witnesses: witnesses(deployment.choice().nodes, deployment.choice().threshold),
            rejoins: true,
            counter: None,
            record: tuning.record.then(|| deployment.path(&format!("record/{name}-{worker}"))),
            common: common(deployment),
            broker: Broker::new(servers.nats.access(Peer::Node(party))),
            process: process(
                deployment,
                &format!("{name}-{worker}"),
                deployment.worker(node, worker),
            )?,
        };
        write(deployment, &format!("{name}/{worker}.json"), &settings)?;
    }
    let gateway = Gateway {
        gateway: 1,
        identity: PathBuf::from("identity"),
        database: servers.postgres.database("g1")?,
        keys: Scheme::ALL.map(|scheme| scheme.name().to_owned()).into(),
        presignatures: tuning.presignatures,
        nonces: tuning.nonces,
        open: 4096,
        common: common(deployment),
        broker: Broker::new(servers.nats.access(Peer::Gateway(1))),
        process: process(deployment, "g1", deployment.gateway())?,
    };
    write(deployment, "g1/gateway.json", &gateway)?;
    let keeper = Keeper {
        seed: deployment.path("nats/keeper.nkey"),
        // One server runs on this machine.
        replicas: Replicas::default(),
        common: common(deployment),
        broker: Broker::new(servers.nats.keeper()),
        process: process(deployment, "keeper", deployment.keeper())?,
    };
    write(deployment, "keeper/keeper.json", &keeper)
}

fn write(deployment: &Deployment, name: &str, settings: &impl Serialize) -> Result<(), Failure> {
    deployment.write(name, &serde_json::to_string_pretty(settings)?)
}

fn common(deployment: &Deployment) -> Common {
    let choice = deployment.choice();
    Common {
        custody: choice.custody.clone(),
        nodes: (1..=choice.nodes).collect(),
        gateways: vec![1],
        threshold: choice.threshold,
        level: choice.level,
        directory: deployment.path("directory.json"),
    }
}

fn process(
    deployment: &Deployment,
    name: &str,
    http: core::net::SocketAddr,
) -> Result<Process, Failure> {
    let path = deployment.path(CHAOS);
    let chaos: Option<Chaos> = path.is_file().then(|| settings::read(&path)).transpose()?;
    let clock = deployment.path(&format!("clock/{name}"));
    let chaos = chaos.map(|chaos| Chaos { clock: Some(clock), ..chaos });
    let log = "info".to_owned();
    Ok(Process { http, beyond_this_machine: false, log, drain_ms: 15_000, chaos })
}
