//! Machines are replaced one by one, under load, by a release with a later version of the wire format, and back.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use core::time::Duration;
use std::sync::Arc;

use custody_core::{OLDEST, Scheme, VERSION};
use custody_lab::{Cluster, Load, Options, nats_server};
use quorate_purpose::Kind;

const REQUESTS: u32 = 60;

/// Replaces a machine by a release that has this version at most.
async fn replace(cluster: &mut Cluster, who: &str, newest: u8) {
    cluster.kill(who);
    let mut command = cluster.command(who);
    command.env("CUSTODY_LAB_WIRE", newest.to_string());
    cluster.spawn(who, command).unwrap();
    cluster.ready(who).await.unwrap();
}

/// Waits until the gateway gives all nodes orders in this version.
async fn spoken(cluster: &Cluster, version: u8) {
    let spoken = async || {
        let (_, text) = cluster.probe("g1", "/metrics").await.map_err(|why| why.to_string())?;
        let line = |node| format!("custody_gateway_node_wire_version{{node=\"{node}\"}} {version}");
        let is_so = ["n1", "n2", "n3"].iter().all(|node| text.lines().any(|one| one == line(node)));
        if is_so { Ok(()) } else { Err(text) }
    };
    cluster.until("a version", spoken).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn machines_are_upgraded_one_by_one_under_load_and_back() {
    let Some(nats) = nats_server() else { return };
    let options = Options::new("upgrade", env!("CARGO_BIN_EXE_custody-lab"), nats);
    let mut cluster = Cluster::start(options).unwrap();
    let names = cluster.names();
    for name in &names {
        replace(&mut cluster, name, OLDEST).await;
    }
    let mut keys = Vec::new();
    for (scheme, kind) in
        [(Scheme::Ed25519, Kind::OpaqueMessage), (Scheme::EcdsaSecp256k1, Kind::EvmTransaction)]
    {
        keys.push(cluster.make(scheme, kind).await.unwrap());
    }
    spoken(&cluster, OLDEST).await;
    let client = cluster.client("payments", &cluster.addresses()[0]).unwrap();
    let load = Load::new("upgrade", client, keys, REQUESTS, Duration::from_secs(120));
    let callers = tokio::spawn(Arc::clone(&load).run(4));
    let mut released = 0;
    for newest in [VERSION, OLDEST] {
        // The gateway first on the way up, and last on the way back, and the other way round: each speaks to both.
        let (up, back) = (names.iter().rev().collect::<Vec<_>>(), names.iter().collect::<Vec<_>>());
        for name in if newest == VERSION { up } else { back } {
            released += 7;
            load.release(released);
            replace(&mut cluster, name, newest).await;
        }
        spoken(&cluster, newest).await;
    }
    load.release(REQUESTS);
    let ends = callers.await.unwrap();
    assert_eq!(ends.signed.len(), 60, "{ends:?}\n{}", cluster.logs());
    let compared = cluster.audit().await.unwrap();
    assert!(compared.starts_with("3 logs"), "{compared}");
}
