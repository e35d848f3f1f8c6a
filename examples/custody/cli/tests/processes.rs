//! Processes with folders of their own, over a real NATS server: keys are made and used, and machines are killed.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::mod_module_files,
    clippy::print_stderr,
    reason = "a test"
)]

mod common;

use core::time::Duration;

use common::{Cluster, PATIENCE, nats_server};
use custody_client::{Asked, Change, PinnedKey};
use custody_core::{KeySpec, PartyId, Scheme};
use quorate_purpose::evm::{Fees, Transaction, Unsigned};
use quorate_purpose::{Kind, OpaqueMessage, Purpose};

/// The administrator makes keys; payments of at most 5 ether and named messages are signed.
const POLICY: &str = r#"
@id("administer") permit (principal, action in Action::"administer", resource) when { principal.roles.contains("administer") };
@id("pay") permit (principal == Caller::"payments", action == Action::"evm-transaction", resource)
when { context.chain == "1" && context.holds.contains("value <= 5000000000000000000") };
@id("message") permit (principal == Caller::"payments", action == Action::"opaque-message", resource);
"#;

fn spec(scheme: Scheme, kind: Kind) -> KeySpec {
    let members = (1..=3).map(|party| PartyId::new(party).unwrap()).collect();
    KeySpec {
        scheme,
        threshold: 2,
        members,
        purposes: vec![kind],
        scope: "test".into(),
        labels: Default::default(),
    }
}

fn payment(ether: u64, nonce: u64) -> Purpose {
    let value = format!("{ether}000000000000000000").parse().unwrap();
    let fees = Fees::Dynamic {
        max_fee: 30_000_000_000,
        max_priority_fee: 1_000_000_000,
        access_list: vec![],
    };
    let to = Some([0x35; 20]);
    Purpose::from(
        Transaction::new(Unsigned {
            chain: 1,
            nonce,
            fees,
            gas_limit: 21_000,
            to,
            value,
            data: vec![],
        })
        .unwrap(),
    )
}

fn message(text: &str) -> Purpose {
    Purpose::from(OpaqueMessage::raw(text.as_bytes()).unwrap())
}

async fn make(cluster: &Cluster, scheme: Scheme, kind: Kind) -> PinnedKey {
    let (spec, directory) = (spec(scheme, kind), cluster.directory.directory());
    cluster
        .until("a key", async || cluster.administrator.create_key(&spec, directory, PATIENCE).await)
        .await
}

async fn sign(cluster: &Cluster, key: &PinnedKey, purpose: &Purpose) {
    let asked = Asked { within: Duration::from_secs(60), ..Asked::default() };
    // The client verifies the signature with a verifier that is not Quorate's.
    cluster.until("a signature", async || cluster.requester.sign(key, purpose, &asked).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_made_used_and_refreshed_while_machines_are_killed() {
    let Some(nats) = nats_server() else {
        eprintln!(
            "nats-server is not installed: skipped (go install github.com/nats-io/nats-server/v2@latest)"
        );
        return;
    };
    let mut cluster = Cluster::start("processes", POLICY, &nats);
    let ed25519 = make(&cluster, Scheme::Ed25519, Kind::OpaqueMessage).await;
    sign(&cluster, &ed25519, &message("first")).await;
    let second = make(&cluster, Scheme::Ed25519, Kind::OpaqueMessage).await;
    assert_ne!(second.id(), ed25519.id());
    sign(&cluster, &second, &message("first")).await;

    cluster.kill("n2");
    sign(&cluster, &ed25519, &message("without node 2")).await;
    cluster.up("n2");
    cluster.kill("n3");
    sign(&cluster, &ed25519, &message("without node 3")).await;
    cluster.up("n3");
    cluster.kill("g1");
    cluster.stop_broker();
    cluster.start_broker(&nats);
    cluster.up("g1");
    sign(&cluster, &second, &message("after the gateway and the broker were killed")).await;

    let refreshed = cluster.until("a refresh", async || {
        cluster.administrator.change(ed25519.id(), &Change::Refresh, PATIENCE).await
    });
    refreshed.await;
    sign(&cluster, &ed25519, &message("after the refresh")).await;
    let pinned = cluster.administrator.pin(ed25519.id(), cluster.directory.directory());
    assert_eq!(pinned.await.unwrap(), ed25519);
    let mut logs = String::new();
    for node in 1..=3 {
        let log = cluster.administrator.audit(PartyId::new(node).unwrap(), None).await.unwrap();
        assert!(log.lines().count() >= 3, "{log}");
        std::fs::write(cluster.place.path(&format!("n{node}.jsonl")), log).unwrap();
        logs += &format!("@n{node}.jsonl ");
    }
    // Anybody with the directory and the list of callers compares the logs.
    let compared = cluster.place.run(&format!("audit {logs} --dir @g1 --callers @g1/callers.json"));
    assert!(compared.as_ref().is_ok_and(|text| text.starts_with("3 logs")), "{compared:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn ethereum_payment_is_signed_and_one_above_the_limit_is_refused_by_name() {
    let Some(nats) = nats_server() else {
        eprintln!(
            "nats-server is not installed: skipped (go install github.com/nats-io/nats-server/v2@latest)"
        );
        return;
    };
    let cluster = Cluster::start("ethereum", POLICY, &nats);
    let key = make(&cluster, Scheme::EcdsaSecp256k1, Kind::EvmTransaction).await;
    sign(&cluster, &key, &payment(5, 0)).await;
    let asked = Asked { within: PATIENCE, ..Asked::default() };
    let why = cluster.requester.sign(&key, &payment(6, 1), &asked).await.unwrap_err().to_string();
    assert!(why.contains("policy"), "{why}");
    let why =
        cluster.requester.sign(&key, &message("bytes"), &asked).await.unwrap_err().to_string();
    assert!(!why.is_empty());
    pay_by_command_line(&cluster);
    let child = Asked { path: "m/0/7".parse().ok(), ..asked };
    cluster.requester.sign(&key, &payment(1, 1), &child).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn second_process_on_one_folder_is_refused_and_a_restored_node_needs_leave() {
    let Some(nats) = nats_server() else {
        eprintln!(
            "nats-server is not installed: skipped (go install github.com/nats-io/nats-server/v2@latest)"
        );
        return;
    };
    let mut cluster = Cluster::start("restored", POLICY, &nats);
    let key = make(&cluster, Scheme::Ed25519, Kind::OpaqueMessage).await;
    sign(&cluster, &key, &message("first")).await;
    let second = cluster.place.run("run --dir @n1").unwrap_err();
    assert!(second.contains("another process has locked it"), "{second}");
    // Node 1 is stopped, copied, used, and put back as it was.
    cluster.kill("n1");
    let (folder, copy) = (cluster.place.path("n1"), cluster.place.path("copy"));
    let copied = |from: &std::path::Path, to: &std::path::Path| {
        assert!(
            std::process::Command::new("cp")
                .arg("-a")
                .arg(from)
                .arg(to)
                .status()
                .unwrap()
                .success()
        );
    };
    copied(&folder, &copy);
    cluster.up("n1");
    cluster.kill("n2");
    for number in 0..3 {
        sign(&cluster, &key, &message(&format!("with node 1, {number}"))).await;
    }
    // Its peers hear of it.
    tokio::time::sleep(Duration::from_secs(3)).await;
    cluster.kill("n1");
    std::fs::remove_dir_all(&folder).unwrap();
    copied(&copy, &folder);
    cluster.up("n1");
    let refused = cluster.until("a refusal", async || {
        let log = std::fs::read_to_string(cluster.place.path("n1.log")).unwrap();
        if log.contains("restored to an older copy") { Ok(()) } else { Err("not yet") }
    });
    refused.await;
    cluster.kill("n1");
    cluster.up_with("n1", &["--rejoin"]);
    sign(&cluster, &key, &message("after node 1 has rejoined")).await;
}

/// The same from the command line: a key is made and pinned, and a payment is signed.
fn pay_by_command_line(cluster: &Cluster) {
    let place = &cluster.place;
    let spec = serde_json::to_vec(&spec(Scheme::EcdsaSecp256k1, Kind::EvmTransaction)).unwrap();
    std::fs::write(place.path("spec.json"), spec).unwrap();
    std::fs::write(place.path("payment"), &payment(1, 7).to_bytes()[2..]).unwrap();
    let caller = |name| format!("--gateway {} --secret @{name}.key", cluster.address());
    // A command has a runtime of its own, so it runs on a thread of its own.
    std::thread::scope(|scope| {
        let made = scope.spawn(|| {
            place
                .run(&format!(
                    "key create {} --spec @spec.json --dir @g1 --pin @pin.json",
                    caller("root")
                ))
                .unwrap();
            let sign = format!(
                "sign {} --pin @pin.json --kind evm-transaction --body @payment",
                caller("payments")
            );
            place.run(&sign).unwrap()
        });
        let signature = made.join().unwrap();
        assert_eq!(signature.trim().split('\t').next().unwrap().len(), 128, "{signature}");
    });
}
