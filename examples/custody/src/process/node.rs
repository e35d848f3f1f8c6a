//! A worker of a node.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;

use quorate::{Parties, PartyId};
use quorate_examples::failure::Failure;
use quorate_paillier::Level;

use super::watch::Watch;
use super::{Life, bus};
use crate::bus::{Bus, Peer};
use crate::chaos::disturb::Rough;
use crate::chaos::misbehave::Liar;
use crate::counter::{Counter, CounterCommand, CounterFile, Memory};
use crate::deployment::settings::{self, Common, beside};
use crate::directory::Identity;
use crate::http::Server;
use crate::http::probes::{self, Probes};
use crate::keyfile::KeyFiles;
use crate::node::{Config, Input, Node, serve};
use crate::policy::Rules;
use crate::record::Record;

/// Works until it is asked to end.
pub(crate) fn run(file: &Path) -> Result<(), Failure> {
    let settings: settings::Node = settings::read(file)?;
    let me = PartyId::new(settings.node).ok_or_else(|| Failure::new("there is no node 0"))?;
    let life = Life::begin(&settings.process)?;
    let (send, inbox) = channel::<Input>();
    let end = send.clone();
    let drained = life.drained(async move {
        // What is open lies in the database, and goes on at another worker or after a start.
        end.send(Input::End).ok();
        core::future::pending::<()>().await;
    });
    let server =
        Server::start(settings.process.listen(), probes::router(life.probes.clone()), drained)?;
    let identity = Identity::read(Peer::Node(me), &beside(file, &settings.identity), None)?;
    let config = Config { identity: Some(Arc::new(identity)), ..config(&settings, me, file)? };
    let broker = (&settings.common, &settings.broker);
    let send = Rough::new(send, settings.process.chaos.as_ref().and_then(|chaos| chaos.bus))?;
    let bus = bus((Peer::Node(me), settings.worker), (file, &settings.identity), broker, send)?;
    let misbehave = settings.process.chaos.as_ref().and_then(|chaos| chaos.misbehave);
    let bus = Liar::new(bus, misbehave);
    tracing::info!(node = settings.node, worker = settings.worker, "begun");
    let Probes { metrics, health } = &life.probes;
    let mut watch = Watch::default();
    life.work(|| {
        let policy = Rules::open(&beside(file, &settings.policy))?;
        let mut node = Node::start(config.clone(), Box::new(policy))?;
        watch.begin();
        serve(&mut node, &bus, &inbox, |node| watch.read(node, || bus.counts(), (metrics, health)))
    });
    drop(bus);
    server.stop();
    tracing::info!("ended");
    Ok(())
}

/// The settings of a worker, by its file, without a record.
pub(crate) fn config_of(file: &Path) -> Result<Config, Failure> {
    let settings: settings::Node = settings::read(file)?;
    let me = PartyId::new(settings.node).ok_or_else(|| Failure::new("there is no node 0"))?;
    config(&settings::Node { record: None, ..settings }, me, file)
}

fn config(settings: &settings::Node, me: PartyId, file: &Path) -> Result<Config, Failure> {
    let Common { nodes, gateways, threshold, level, .. } = &settings.common;
    let record = settings.record.as_deref().map(|path| {
        let path = beside(file, path);
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        Record::open(&path)
    });
    let without = settings.process.chaos.as_ref().map(|chaos| &chaos.without_leases);
    let alone = without.is_some_and(|nodes| nodes.contains(&settings.node));
    let Ok(database) = settings.database.parse();
    let Ok(ledger) = settings.ledger.parse();
    Ok(Config {
        me,
        nodes: parties(nodes)?,
        gateways: gateways.clone(),
        threshold: *threshold,
        level: self::level(*level)?,
        database,
        ledger,
        seal_key: Arc::new(KeyFiles::open(&beside(file, &settings.seal_key))?),
        record: record.transpose()?,
        identity: None,
        worker: if alone { (0, 1) } else { (settings.worker.saturating_sub(1), settings.workers) },
        witnesses: settings.witnesses,
        rejoins: settings.rejoins,
        counters: counters(settings, file)?,
    })
}

/// The memory of this process, and the counter of the settings.
fn counters(settings: &settings::Node, file: &Path) -> Result<Vec<Arc<dyn Counter>>, Failure> {
    if settings.witnesses == 0 && settings.common.nodes.len() > 1 {
        return Err(Failure::new("witnesses: a node with peers has at least one"));
    }
    let mut counters: Vec<Arc<dyn Counter>> = vec![Arc::new(Memory::default())];
    match &settings.counter {
        None => {}
        Some(settings::Counter::File(path)) => {
            counters.push(Arc::new(CounterFile::new(&beside(file, path))));
        }
        Some(settings::Counter::Command(words)) => {
            counters.push(Arc::new(CounterCommand::new(words.clone())));
        }
    }
    Ok(counters)
}

pub(super) fn parties(numbers: &[u16]) -> Result<Parties, Failure> {
    let parties: Option<Vec<PartyId>> =
        numbers.iter().map(|number| PartyId::new(*number)).collect();
    Ok(Parties::new(parties.ok_or_else(|| Failure::new("there is no node 0"))?)?)
}

fn level(level: u32) -> Result<Level, Failure> {
    match level {
        112 => Ok(Level::Bits112),
        128 => Ok(Level::Bits128),
        _ => Err(Failure::new("level: 112 or 128")),
    }
}
