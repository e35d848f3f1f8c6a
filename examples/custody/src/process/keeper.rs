//! The keeper of the broker's streams.

use std::fs;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};

use core::time::Duration;

use quorate::PartyId;
use quorate::session::zeroize::Zeroizing;
use quorate_examples::failure::Failure;

use super::Life;
use crate::bus::Peer;
use crate::bus::nats::keeper::{Keeper, Layout};
use crate::deployment::settings::{self, beside};
use crate::http::{Server, probes};
use crate::keyfile;
use crate::orders::SHARDS;

/// How often it is looked at.
const LOOK: Duration = Duration::from_millis(500);

/// Keeps the streams until it is asked to end.
pub(crate) fn run(file: &Path) -> Result<(), Failure> {
    let settings: settings::Keeper = settings::read(file)?;
    let life = Life::begin(&settings.process)?;
    let (send, end) = channel::<()>();
    let drained = life.drained(async move {
        send.send(()).ok();
        core::future::pending::<()>().await;
    });
    let server =
        Server::start(settings.process.listen(), probes::router(life.probes.clone()), drained)?;
    let path = beside(file, &settings.seed);
    keyfile::check_owner(&path)?;
    let seed = Zeroizing::new(fs::read_to_string(&path).map_err(Failure::file("read", &path))?);
    let common = &settings.common;
    let nodes = common.nodes.iter().filter_map(|node| PartyId::new(*node)).map(Peer::Node);
    let gateways = common.gateways.iter().map(|gateway| Peer::Gateway(*gateway));
    let peers = nodes.chain(gateways).collect();
    let shards = u8::try_from(SHARDS.len())?;
    let replicas = settings.replicas.into();
    let jobs = shards.saturating_add(1);
    let layout = Layout { jobs, frames: shards, replicas, ..Layout::default() };
    let keeper = Keeper::start(&settings.broker.access(file), seed.trim(), peers, layout)?;
    let health = &life.probes.health;
    while end.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
        health.beat();
        match keeper.wait(Duration::ZERO) {
            Ok(true) => health.ready(),
            Ok(false) => health.not_ready("the streams are not there"),
            Err(why) => health.not_ready(why.to_string()),
        }
    }
    drop(keeper);
    server.stop();
    Ok(())
}
