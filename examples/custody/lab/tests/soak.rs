//! Requests for minutes: memory does not grow.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test fails by panicking"
)]

use core::time::Duration;
use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;
use std::time::Instant;

use custody_core::Scheme;
use custody_lab::{Cluster, Load, Options, nats_server};
use quorate_purpose::Kind;

/// The resident memory of each machine, in kilobytes.
fn memory(cluster: &mut Cluster) -> BTreeMap<String, u64> {
    let of = |process: u32| {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    };
    let names = cluster.names();
    names.into_iter().map(|name| (name.clone(), of(cluster.process(&name).unwrap()))).collect()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "minutes, as CUSTODY_LAB_MINUTES says: `.ci/run laboratory`"]
async fn memory_does_not_grow() {
    let Some(nats) = nats_server() else { return };
    let minutes = std::env::var("CUSTODY_LAB_MINUTES").map_or(4, |text| text.parse().unwrap());
    let options = Options::new("soak", env!("CARGO_BIN_EXE_custody-lab"), nats);
    let mut cluster = Cluster::start(options).unwrap();
    let ed25519 = cluster.make(Scheme::Ed25519, Kind::OpaqueMessage).await.unwrap();
    let ecdsa = cluster.make(Scheme::EcdsaSecp256k1, Kind::EvmTransaction).await.unwrap();
    let client = cluster.client("payments", &cluster.addresses()[0]).unwrap();
    let keys = vec![ed25519.clone(), ed25519, ecdsa];
    let load = Load::new("soak", client, keys, u32::MAX, Duration::from_secs(120));
    let callers = tokio::spawn(Arc::clone(&load).run(4));
    let (begun, mut samples) = (Instant::now(), Vec::new());
    while begun.elapsed() < Duration::from_secs(60 * minutes) {
        load.release(load.done() + 64);
        tokio::time::sleep(Duration::from_millis(200)).await;
        if begun.elapsed() > Duration::from_secs(10) * u32::try_from(samples.len()).unwrap() {
            samples.push(memory(&mut cluster));
            eprintln!("{:>6.0?} {:>6} done {:?}", begun.elapsed(), load.done(), samples.last());
        }
    }
    callers.abort();
    // The first third is warming up.
    let warm = &samples[samples.len().div_ceil(3)];
    for (name, last) in samples.last().unwrap() {
        let first = warm[name];
        assert!(*last < first + (first >> 2) + 8192, "{name}: {first} kB, then {last} kB");
    }
}
