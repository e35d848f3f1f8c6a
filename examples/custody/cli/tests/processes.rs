//! Processes with folders of their own, over a real NATS server: keys are made and used, and machines are killed.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use core::time::Duration;
use std::fs;
use std::path::Path;
use std::process::Command;

use custody_audit::{Answer, Chain, Entry, Event, Hex, Signature, export};
use custody_cli::Folder;
use custody_client::{Asked, PinnedKey};
use custody_core::{DerivationPath, PartyId, Scheme};
use custody_lab::{Cluster, Options, PATIENCE, message, nats_server, payment, spec};
use quorate_envelope::Name;
use quorate_purpose::{Kind, Purpose};

fn start(name: &str) -> Option<Cluster> {
    let options = Options::new(name, env!("CARGO_BIN_EXE_custody"), nats_server()?);
    Some(Cluster::start(options).unwrap())
}

async fn sign(cluster: &Cluster, key: &PinnedKey, purpose: Purpose) {
    let asked = Asked { within: Duration::from_secs(60), ..Asked::default() };
    // The client verifies the signature with a verifier that is not Quorate's.
    let sign = async || cluster.requester.sign(key, &purpose, &asked).await;
    cluster.until("a signature", sign).await.unwrap();
}

async fn sign_message(cluster: &Cluster, key: &PinnedKey, text: &str) {
    sign(cluster, key, message(text).unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_made_used_and_refreshed_while_machines_are_killed() {
    let Some(mut cluster) = start("processes") else { return };
    let ed25519 = cluster.make(Scheme::Ed25519, Kind::OpaqueMessage).await.unwrap();
    sign_message(&cluster, &ed25519, "first").await;
    let second = cluster.make(Scheme::Ed25519, Kind::OpaqueMessage).await.unwrap();
    assert_ne!(second.id(), ed25519.id());
    sign_message(&cluster, &second, "first").await;

    cluster.kill("n2");
    sign_message(&cluster, &ed25519, "without node 2").await;
    cluster.up("n2").unwrap();
    cluster.kill("n3");
    sign_message(&cluster, &ed25519, "without node 3").await;
    cluster.up("n3").unwrap();
    cluster.kill("g1");
    cluster.kill_broker();
    cluster.start_broker().unwrap();
    cluster.up("g1").unwrap();
    sign_message(&cluster, &second, "after the gateway and the broker were killed").await;

    cluster.refresh(ed25519.id()).await.unwrap();
    sign_message(&cluster, &ed25519, "after the refresh").await;
    let pinned = cluster.administrator.pin(ed25519.id(), cluster.directory.directory());
    assert_eq!(pinned.await.unwrap(), ed25519);
    reshare_by_command_line(&cluster, &ed25519);
    sign_message(&cluster, &ed25519, "by three of three").await;
    // Anybody with the directory and the list of callers compares the logs.
    let compared = cluster.audit().await.unwrap();
    assert!(compared.starts_with("3 logs"), "{compared}");
    a_release_that_a_log_omits_is_found(&cluster).await;
}

/// The gateway has on record who signed. A node that leaves one of its shares out of the log is found, though it signs the rest.
async fn a_release_that_a_log_omits_is_found(cluster: &Cluster) {
    let place = &cluster.place;
    let exported = place.run("signers --dir @g1 --out @signers.jsonl").unwrap();
    assert_ne!(exported, "0 signatures\n");
    let audit = |second: &str| {
        let logs = format!("@n1.jsonl @{second} @n3.jsonl");
        let records = "--dir @g1 --callers @g1/callers.json --signers @signers.jsonl";
        place.run(&format!("audit {logs} {records}"))
    };
    let agreed = audit("n2.jsonl").unwrap();
    assert!(agreed.ends_with(&format!(", and with {exported}")), "{agreed}");
    let log = cluster.log(PartyId::new(2).unwrap()).await.unwrap();
    let text = fs::read_to_string(place.path("signers.jsonl")).unwrap();
    let mut made = text.lines().map(|line| serde_json::from_str::<Signature>(line).unwrap());
    let omitted = made.find(|made| made.signers.iter().any(|name| name == "n2")).unwrap().request;
    let stays = |entry: &Entry| match &entry.event {
        Event::Decision(decision) => {
            let is_release = matches!(decision.answer, Answer::Released { .. });
            !is_release || decision.request != omitted
        }
        _ => true,
    };
    let mut chain = Chain::new("n2");
    // A log is expected to have every share from a week after its first entry on.
    let fault = "long ago".to_owned();
    let old = Event::Accused { node: "n1".to_owned(), run: Hex([7; 32]), fault };
    let long_ago = log.end.as_ref().unwrap().head.time - 8 * 24 * 60 * 60;
    let first = Ok(chain.append(long_ago, old));
    let others = log.entries.into_iter().filter(stays);
    let others: Vec<_> = others.map(|entry| Ok(chain.append(entry.time, entry.event))).collect();
    let entries = [first].into_iter().chain(others);
    let identity = Folder::new(place.path("n2")).identity(&Name::new("n2").unwrap()).unwrap();
    let end = chain.head(log.end.unwrap().head.time).unwrap().sign(&identity);
    let mut text = Vec::new();
    export(&mut text, "n2", None, entries, end).unwrap();
    fs::write(place.path("omits.jsonl"), text).unwrap();
    let found = audit("omits.jsonl").unwrap_err().to_string();
    assert!(found.starts_with("UnloggedSignature: n2: no release for the signature"), "{found}");
    assert_eq!(found.lines().count(), 1, "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn ethereum_payment_is_signed_and_one_above_the_limit_is_refused_by_name() {
    let Some(cluster) = start("ethereum") else { return };
    let key = cluster.make(Scheme::EcdsaSecp256k1, Kind::EvmTransaction).await.unwrap();
    sign(&cluster, &key, payment(5, 0).unwrap()).await;
    let asked = Asked { within: PATIENCE, ..Asked::default() };
    let why = cluster
        .requester
        .sign(&key, &payment(6, 1).unwrap(), &asked)
        .await
        .unwrap_err()
        .to_string();
    assert!(why.contains("policy"), "{why}");
    let why = cluster
        .requester
        .sign(&key, &message("bytes").unwrap(), &asked)
        .await
        .unwrap_err()
        .to_string();
    assert!(!why.is_empty());
    pay_by_command_line(&cluster);
    let child = Asked { path: "m/0/7".parse().ok(), ..asked };
    cluster.requester.sign(&key, &payment(1, 1).unwrap(), &child).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn second_process_on_one_folder_is_refused_and_a_restored_node_needs_leave() {
    let Some(mut cluster) = start("restored") else { return };
    let key = cluster.make(Scheme::Ed25519, Kind::OpaqueMessage).await.unwrap();
    sign_message(&cluster, &key, "first").await;
    let second = cluster.place.run("run --dir @n1").unwrap_err().to_string();
    assert!(second.contains("another process has locked it"), "{second}");
    // Node 1 is stopped, copied, used, and restored from the copy.
    cluster.kill("n1");
    let (folder, copy) = (cluster.place.path("n1"), cluster.place.path("copy"));
    let copied = |from: &Path, to: &Path| {
        let status = Command::new("cp").arg("-a").arg(from).arg(to).status();
        assert!(status.unwrap().success());
    };
    copied(&folder, &copy);
    cluster.up("n1").unwrap();
    cluster.kill("n2");
    for number in 0..3 {
        sign_message(&cluster, &key, &format!("with node 1, {number}")).await;
    }
    // Its peers hear of it.
    tokio::time::sleep(Duration::from_secs(3)).await;
    cluster.kill("n1");
    fs::remove_dir_all(&folder).unwrap();
    copied(&copy, &folder);
    cluster.up("n1").unwrap();
    let refused = cluster.until("a refusal", async || {
        let log = fs::read_to_string(cluster.place.path("n1.log")).unwrap();
        if log.contains("restored to an older copy") { Ok(()) } else { Err("not yet") }
    });
    refused.await.unwrap();
    cluster.kill("n1");
    let mut command = cluster.command("n1");
    command.arg("--rejoin");
    cluster.spawn("n1", command).unwrap();
    sign_message(&cluster, &key, "after node 1 has rejoined").await;
}

/// The threshold of a key is raised.
fn reshare_by_command_line(cluster: &Cluster, key: &PinnedKey) {
    let place = &cluster.place;
    fs::write(place.path("moved.json"), serde_json::to_vec(key).unwrap()).unwrap();
    let command = format!(
        "key reshare --gateway {} --secret @root.key --pin @moved.json --threshold 3 --members 3,1,2",
        cluster.addresses()[0]
    );
    // A command has a runtime of its own, so it runs on a thread of its own.
    let said = std::thread::scope(|scope| scope.spawn(|| place.run(&command)).join().unwrap());
    assert_eq!(said.unwrap(), "Done\n");
}

/// Uses the command line: a key is made and pinned, and a payment is signed.
fn pay_by_command_line(cluster: &Cluster) {
    let place = &cluster.place;
    let spec = serde_json::to_vec(&spec(Scheme::EcdsaSecp256k1, Kind::EvmTransaction)).unwrap();
    fs::write(place.path("spec.json"), spec).unwrap();
    fs::write(place.path("payment"), &payment(1, 7).unwrap().to_bytes()[2..]).unwrap();
    let caller = |name| format!("--gateway {} --secret @{name}.key", cluster.addresses()[0]);
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
            let signature = place.run(&sign).unwrap();
            let pinned: PinnedKey =
                serde_json::from_slice(&fs::read(place.path("pin.json")).unwrap()).unwrap();
            let path: DerivationPath = "m/0/7".parse().unwrap();
            let of_child: String = pinned
                .public_key(&path.into())
                .unwrap()
                .iter()
                .fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
            let child = "key child --pin @pin.json --path m/0/7";
            assert_eq!(place.run(child).unwrap().trim(), of_child);
            let scripts = format!("{child} --merkle-root {}", "07".repeat(32));
            let refused = place.run(&scripts).unwrap_err().to_string();
            assert!(refused.contains("commit to no scripts"), "{refused}");
            signature
        });
        let signature = made.join().unwrap();
        assert_eq!(signature.trim().split('\t').next().unwrap().len(), 128, "{signature}");
    });
}
