//! Requests of three schemes while processes are killed at random moments: none is lost, and nothing is spent twice.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test fails by panicking, and shows its seed and its figures"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::time::{SystemTime, UNIX_EPOCH};

use custody_audit::{Answer, Event};
use custody_core::{PartyId, RequestId, Scheme};
use custody_lab::{Cluster, Options, Plan, nats_server};
use quorate_purpose::Kind;

/// The seed: `CUSTODY_LAB_SEED`, or another one each time.
fn seed() -> u64 {
    let given = std::env::var("CUSTODY_LAB_SEED").ok().map(|seed| seed.parse().unwrap());
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    given.unwrap_or_else(now)
}

async fn chaos(name: &str, requests: u32, kills: u32) {
    let Some(nats) = nats_server() else { return };
    let plan = Plan { seed: seed(), requests, kills };
    eprintln!("CUSTODY_LAB_SEED={}", plan.seed);
    let options = Options::new(name, env!("CARGO_BIN_EXE_custody-lab"), nats);
    let mut cluster = Cluster::start(options).unwrap();
    let mut keys = Vec::new();
    for (scheme, kind) in [
        (Scheme::Ed25519, Kind::OpaqueMessage),
        (Scheme::EcdsaSecp256k1, Kind::EvmTransaction),
        (Scheme::Taproot, Kind::OpaqueMessage),
    ] {
        keys.push(cluster.make(scheme, kind).await.unwrap());
    }
    let (load, report) = plan.run(&mut cluster, keys).await.unwrap();
    eprintln!("{}", report.text());
    let signed = u32::try_from(report.ends.signed.len()).unwrap();
    assert_eq!(signed, requests, "{:?}\n{}", report.ends, cluster.logs());
    // The same idempotency keys, in requests that are signed at another time, sign nothing.
    for number in 0..6 {
        let refused = load.sign(number).await.unwrap_err().to_string();
        assert!(refused.contains("409"), "{refused}");
    }
    let open = cluster.administrator.requests(None).await.unwrap();
    assert_eq!(open.requests, []);
    let compared = cluster.audit().await.unwrap();
    eprintln!("{compared}");
    spent_once(&cluster, requests).await;
}

/// Each nonce and each presignature was spent on one request, by all nodes, and each request has the shares of two nodes.
async fn spent_once(cluster: &Cluster, signed: u32) {
    let mut claims: BTreeMap<_, RequestId> = BTreeMap::new();
    let mut givers: BTreeMap<RequestId, BTreeSet<PartyId>> = BTreeMap::new();
    for node in (1..=3).filter_map(PartyId::new) {
        let mut own = BTreeSet::new();
        for entry in cluster.log(node).await.unwrap().entries {
            let Event::Decision(decision) = entry.event else { continue };
            let Answer::Released { claim } = decision.answer else { continue };
            assert!(own.insert(claim), "node {node} has spent {claim} twice");
            let first = *claims.entry(claim).or_insert(decision.request);
            assert_eq!(first, decision.request, "{claim} is spent on two requests");
            givers.entry(decision.request).or_default().insert(node);
        }
    }
    assert_eq!(u32::try_from(givers.len()).unwrap(), signed);
    assert!(givers.values().all(|nodes| nodes.len() >= 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_request_is_lost_while_processes_are_killed() {
    chaos("chaos", 100, 10).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "minutes: `.ci/run laboratory`"]
async fn no_request_of_a_thousand_is_lost_while_a_hundred_processes_are_killed() {
    chaos("chaos-whole", 1000, 100).await;
}
