//! A gateway.

use core::time::Duration;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;

use quorate::session::stock::WaterMarks;
use quorate::{Parties, PartyId};
use quorate_examples::failure::Failure;
use tokio::sync::oneshot;

use super::node::parties;
use super::{Life, bus};
use crate::bus::{Bus, Peer};
use crate::chaos::disturb::Rough;
use crate::deployment::settings::{self, Marks, beside};
use crate::directory::Directory;
use crate::gateway::ask::{Ask, Reply};
use crate::gateway::{Config, Gateway, Input, Times, serve};
use crate::http::Server;
use crate::http::api::Api;
use crate::http::form::unhex;
use crate::node::now;
use crate::post::ANSWERS;
use crate::request::Scheme;

const TIMES: Times = Times {
    making: 900_000,
    presigning: 120_000,
    again: 500,
    patience: 2_000,
    grace: 5_000,
    longest: 600_000,
};

/// Answers that are under way to callers are waited for so long.
const ANSWER: Duration = Duration::from_millis(200);

/// Works until it is asked to end.
pub(crate) fn run(file: &Path) -> Result<(), Failure> {
    let settings: settings::Gateway = settings::read(file)?;
    let life = Life::begin(&settings.process)?;
    let (send, inbox) = channel::<Input>();
    let asks = send.clone();
    let api =
        Api::new(Arc::new(move |ask| asks.send(Input::Ask(ask)).is_ok()), life.probes.clone());
    let end = send.clone();
    let drained = life.drained(async move {
        let (tell, told) = oneshot::channel();
        let reply = Reply::new(move |()| {
            tell.send(()).ok();
        });
        end.send(Input::Ask(Ask::Drain(reply))).ok();
        told.await.ok();
        tokio::time::sleep(ANSWER).await;
        end.send(Input::End).ok();
        core::future::pending::<()>().await;
    });
    let beside = futures_util::future::join(api.clone().watch(), drained);
    let beside = async {
        beside.await;
    };
    let server = Server::start(settings.process.listen(), api.router(), beside)?;
    let me = (Peer::Gateway(settings.gateway), 1);
    let broker = (&settings.common, &settings.broker);
    let send = Rough::new(send, settings.process.chaos.as_ref().and_then(|chaos| chaos.bus))?;
    let bus = bus(me, (file, &settings.identity), broker, send)?;
    bus.listen(&[ANSWERS]);
    let config = config(&settings, file)?;
    tracing::info!(gateway = settings.gateway, "begun");
    life.work(|| {
        let mut gateway = Gateway::open(config.clone(), now())?;
        serve(&mut gateway, &bus, &inbox, |gateway| {
            gateway.lines().into_iter().for_each(|line| tracing::info!("{line}"));
            Ok(false)
        })
    });
    drop(bus);
    server.stop();
    tracing::info!("ended");
    Ok(())
}

fn config(settings: &settings::Gateway, file: &Path) -> Result<Config, Failure> {
    let common = &settings.common;
    let directory = Directory::read(&beside(file, &common.directory))?;
    let custody = unhex(&common.custody).and_then(|bytes| bytes.try_into().ok());
    let keys: Option<Vec<Scheme>> = settings
        .keys
        .iter()
        .map(|name| Scheme::ALL.into_iter().find(|scheme| scheme.name() == name))
        .collect();
    let Ok(database) = settings.database.parse();
    let marks = |of: Marks| WaterMarks { low: of.low, high: of.high };
    let nodes = parties(&common.nodes)?;
    let sets = sets(&nodes, common.threshold)?;
    Ok(Config {
        number: settings.gateway,
        custody: custody.ok_or_else(|| Failure::new("custody: 32 bytes in hexadecimal"))?,
        database,
        threshold: common.threshold,
        stocked: 1,
        sets,
        nodes,
        keys: keys.ok_or_else(|| Failure::new("keys: ecdsa or ed25519"))?,
        requesters: Some(directory.requesters().map(|(_, key)| key.to_bytes()).collect()),
        presignatures: marks(settings.presignatures),
        nonces: marks(settings.nonces),
        times: TIMES,
        open: settings.open,
        gives_up: false,
    })
}

/// Sets of signers, each of so many nodes that follow each other, the first ones first.
fn sets(nodes: &Parties, threshold: u16) -> Result<Vec<Parties>, Failure> {
    let all: Vec<PartyId> = nodes.iter().collect();
    let around = |start: usize| all.iter().cycle().skip(start).take(threshold.into()).copied();
    (0..all.len()).map(|start| Ok(Parties::new(around(start))?)).collect()
}
