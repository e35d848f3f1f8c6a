//! A node that lies, over the real wire: every request ends with the others, and nobody but the liar is named.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test fails by panicking")]

use core::time::Duration;
use std::time::Instant;

use custody_audit::Event;
use custody_client::{Asked, PinnedKey};
use custody_core::{PartyId, Scheme};
use custody_lab::{Cluster, Lie, Options, PATIENCE, message, nats_server, payment};
use quorate_purpose::Kind;

/// The liar: of the first sets of presigners each has it.
const LIAR: &str = "n2";
/// The metric of those whose shares of signatures were wrong.
const CHEATED: &str = "custody_gateway_node_cheated";

async fn sign(cluster: &Cluster, key: &PinnedKey, number: u64) {
    let asked = Asked { within: Duration::from_secs(90), ..Asked::default() };
    let purpose = match key.scheme().is_presigned() {
        true => payment(1, number).unwrap(),
        false => message(&format!("{number}")).unwrap(),
    };
    let sign = async || cluster.requester.sign(key, &purpose, &asked).await;
    cluster.until("a signature", sign).await.unwrap();
}

/// Restarts the liar with a lie, and the gateway, which has then forgotten what it held against it.
async fn begin(cluster: &mut Cluster, lie: Lie) {
    cluster.kill(LIAR);
    cluster.kill("g1");
    let mut command = cluster.command(LIAR);
    command.env("CUSTODY_LAB_LIE", lie.to_string());
    cluster.spawn(LIAR, command).unwrap();
    cluster.up("g1").unwrap();
    cluster.ready(LIAR).await.unwrap();
    cluster.ready("g1").await.unwrap();
}

/// The values of the samples of a metric that are not 0, with their labels.
async fn samples(cluster: &Cluster, who: &str, metric: &str) -> Vec<String> {
    let (_, text) = cluster.probe(who, "/metrics").await.unwrap();
    let lines = text.lines().filter_map(|line| line.strip_prefix(metric)?.strip_prefix('{'));
    let some = lines.filter(|line| !line.ends_with(" 0"));
    some.map(str::to_owned).collect()
}

/// Honest nodes accuse the liar, in their metrics and those of the gateway and in their logs, and nobody else.
async fn accused(cluster: &Cluster) {
    let named = async || {
        let mut all = Vec::new();
        for honest in ["n1", "n3"] {
            for sample in samples(cluster, honest, "custody_node_accused").await {
                assert!(sample.starts_with("node=\"n2\""), "{honest} accuses {sample}");
                all.push(sample);
            }
        }
        let at_gateway = samples(cluster, "g1", "custody_gateway_node_accused").await;
        let by_honest = |sample: &String| sample.starts_with("node=\"n2\",by=\"n");
        if !all.is_empty() && at_gateway.iter().any(by_honest) {
            Ok(())
        } else {
            Err("nobody is named")
        }
    };
    cluster.until("an accusation", named).await.unwrap();
    let mut entries = 0;
    for node in [1, 3].into_iter().filter_map(PartyId::new) {
        for entry in cluster.log(node).await.unwrap().entries {
            let Event::Accused { node, .. } = entry.event else { continue };
            assert_eq!(node, LIAR);
            entries += 1;
        }
    }
    assert!(entries > 0);
}

/// The gateway knows that the liar has cheated as soon as it has asked it for a share of ECDSA. It may ask the others first. An
/// altered share of FROST does not decode: then the gateway asks another node, and does not say that this one has cheated.
async fn cheated(cluster: &Cluster, key: &PinnedKey, number: &mut u64) {
    let begun = Instant::now();
    loop {
        let cheated = samples(cluster, "g1", CHEATED).await;
        assert!(cheated.iter().all(|sample| sample.starts_with("node=\"n2\"")), "{cheated:?}");
        if cheated.len() == 1 {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "nobody has cheated");
        *number += 1;
        sign(cluster, key, *number).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_request_ends_with_the_others_and_the_liar_alone_is_named() {
    let Some(nats) = nats_server() else { return };
    let options = Options::new("liars", env!("CARGO_BIN_EXE_custody-lab"), nats);
    let mut cluster = Cluster::start(options).unwrap();
    let ed25519 = cluster.make(Scheme::Ed25519, Kind::OpaqueMessage).await.unwrap();
    let ecdsa = cluster.make(Scheme::EcdsaSecp256k1, Kind::EvmTransaction).await.unwrap();
    let mut number = 0;
    for lie in [
        Lie::StaleClaims,
        Lie::Replays,
        Lie::Junk,
        Lie::Silence,
        Lie::Proofs,
        Lie::Equivocation,
        // Last: the gateway does not forget a wrong share.
        Lie::Shares,
    ] {
        eprintln!("{lie}");
        begin(&mut cluster, lie).await;
        if lie == Lie::Shares {
            cheated(&cluster, &ecdsa, &mut number).await;
        }
        // These lie about presigning. There is no stock of a new key: the honest ones have to make it.
        let spoils = matches!(lie, Lie::Silence | Lie::Proofs | Lie::Equivocation);
        let fresh = match spoils {
            true => Some(cluster.make(Scheme::EcdsaSecp256k1, Kind::EvmTransaction).await.unwrap()),
            false => None,
        };
        for _ in 0..3 {
            number += 1;
            sign(&cluster, &ed25519, number).await;
            sign(&cluster, fresh.as_ref().unwrap_or(&ecdsa), number).await;
        }
        if matches!(lie, Lie::Proofs | Lie::Equivocation) {
            accused(&cluster).await;
        }
        if lie != Lie::Shares {
            let cheated = samples(&cluster, "g1", CHEATED).await;
            assert!(cheated.is_empty(), "{lie}: {cheated:?}");
        }
    }
    let compared = cluster.audit().await.unwrap();
    assert!(compared.starts_with("3 logs"), "{compared}");
}
