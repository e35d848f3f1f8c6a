//! A node's machine is lost: a backup is made, tried on a spare machine and restored, and the node signs again.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::mod_module_files,
    clippy::print_stderr,
    reason = "a test"
)]

mod common;

use common::{Cluster, PATIENCE, nats_server};
use custody_client::{Asked, PinnedKey};
use custody_core::{KeySpec, PartyId, Scheme};
use quorate_purpose::{Kind, OpaqueMessage, Purpose};

const POLICY: &str = r#"
@id("administer") permit (principal, action in Action::"administer", resource) when { principal.roles.contains("administer") };
@id("message") permit (principal == Caller::"payments", action == Action::"opaque-message", resource);
"#;

async fn sign(cluster: &Cluster, key: &PinnedKey, text: &str) {
    let asked = Asked { within: core::time::Duration::from_secs(60), ..Asked::default() };
    let purpose = Purpose::from(OpaqueMessage::raw(text.as_bytes()).unwrap());
    cluster
        .until("a signature", async || cluster.requester.sign(key, &purpose, &asked).await)
        .await;
}

async fn make_key(cluster: &Cluster) -> PinnedKey {
    let spec = KeySpec {
        scheme: Scheme::Ed25519,
        threshold: 2,
        members: (1..=3).map(|party| PartyId::new(party).unwrap()).collect(),
        purposes: vec![Kind::OpaqueMessage],
        scope: "test".into(),
        labels: Default::default(),
    };
    let directory = cluster.directory.directory();
    cluster
        .until("a key", async || cluster.administrator.create_key(&spec, directory, PATIENCE).await)
        .await
}

/// Waits until the metrics of a node have this line.
async fn metric(cluster: &Cluster, who: &str, line: &str) {
    let found = cluster.until(line, async || {
        let status = cluster.place.run(&format!("status --dir @{who}"));
        let text = status.unwrap_or_else(|why| why);
        if text.lines().any(|one| one == line) { Ok(()) } else { Err(text) }
    });
    found.await;
}

/// Alters one byte of a file, and writes it under another name.
fn alter(cluster: &Cluster, from: &str, to: &str, at: usize) {
    let mut bytes = std::fs::read(cluster.place.path(from)).unwrap();
    let at = at.min(bytes.len() - 1);
    bytes[at] ^= 1;
    std::fs::write(cluster.place.path(to), bytes).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn lost_machine_is_restored_from_a_backup_and_signs_again() {
    let Some(nats) = nats_server() else {
        eprintln!(
            "nats-server is not installed: skipped (go install github.com/nats-io/nats-server/v2@latest)"
        );
        return;
    };
    let mut cluster = Cluster::start("backups", POLICY, &nats);
    let key = make_key(&cluster).await;
    sign(&cluster, &key, "first").await;
    let id = key.id();
    let place = &cluster.place;
    place.run("init backup-key --out @escrow").unwrap();
    place.run("init backup-key --out @other").unwrap();
    // The node runs meanwhile.
    let made = place.run("backup --dir @n1 --to @escrow.pub --out @n1.backup").unwrap();
    assert_eq!(made, format!("{id}\tepoch 0\n"));
    metric(&cluster, "n1", &format!("custody_node_backup_epoch{{key=\"{id}\"}} 0")).await;

    // A spare machine has the file and the key, and nothing else.
    let drill = place.run("drill @n1.backup --key @escrow").unwrap();
    assert!(drill.starts_with("n1, made at "), "{drill}");
    assert!(drill.contains(&format!("{id}\ted25519\tepoch 0\tfits")), "{drill}");
    let why = place.run("drill @n1.backup --key @other").unwrap_err();
    assert!(why.contains("is sealed to the key"), "{why}");
    let length = std::fs::metadata(place.path("n1.backup")).unwrap().len();
    for at in [0, 20, 200, usize::try_from(length >> 1).unwrap(), usize::MAX] {
        alter(&cluster, "n1.backup", "altered", at);
        assert!(place.run("drill @altered --key @escrow").is_err(), "byte {at}");
    }
    let old = format!("drill @n1.backup --key @escrow --expect-epoch {id}=1");
    let why = place.run(&old).unwrap_err();
    assert!(why.contains("the backup is old: it has epoch 0"), "{why}");
    // The drill wrote nothing and opened no database, so it cannot sign.
    assert!(!place.path("n1.backup-wal").exists());

    cluster.kill("n1");
    sign(&cluster, &key, "without node 1").await;
    std::fs::remove_dir_all(cluster.place.path("n1")).unwrap();
    let restored = cluster.place.run("restore @n1.backup --key @escrow --dir @n1").unwrap();
    assert!(restored.contains("--rejoin"), "{restored}");
    // Without leave it does not start, and says why.
    cluster.up("n1");
    let refuses = "custody_node_refuses{reason=\"rolled-back\"} 1";
    metric(&cluster, "n1", refuses).await;
    let why = cluster.place.run("status --dir @n1").unwrap_err();
    assert!(why.contains("restored to an older copy"), "{why}");
    cluster.kill("n1");
    cluster.up_with("n1", &["--rejoin"]);
    cluster.kill("n2");
    sign(&cluster, &key, "with node 1 and node 3").await;
}

#[test]
fn backup_of_a_gateway_or_to_no_key_is_refused() {
    let place = common::Place::new("no-backup");
    place.run("init gateway --name g1 --dir @g1").unwrap();
    place.run("init node --name n1 --party 1 --dir @n1").unwrap();
    place.run("init node --name n2 --party 2 --dir @n2").unwrap();
    let files = "@n1/n1.pub @n2/n2.pub @g1/g1.pub";
    let id = place.run(&format!("init cluster --name acme --nats h:4222 --out @shared {files}"));
    for who in ["n1", "g1"] {
        let id = id.as_ref().unwrap().trim();
        place.run(&format!("init join --dir @{who} --cluster @shared --id {id}")).unwrap();
    }
    let public = place.run("init backup-key --out @escrow").unwrap();
    assert!(public.ends_with("escrow.pub\n"));
    assert!(place.run("init backup-key --out @escrow").unwrap_err().contains("exists already"));
    let why = place.run("backup --dir @g1 --to @escrow.pub --out @g1.backup").unwrap_err();
    assert!(why.contains("no shares"), "{why}");
    let why = place.run("backup --dir @n1 --to @n1/n1.pub --out @n1.backup").unwrap_err();
    assert!(why.contains("public file of a backup key"), "{why}");
    // A node without keys has a backup as well, of its identity.
    assert_eq!(place.run("backup --dir @n1 --to @escrow.pub --out @n1.backup").unwrap(), "");
    let why = place.run("restore @n1.backup --key @escrow --dir @n1").unwrap_err();
    assert!(why.contains("exists already"), "{why}");
    place.run("restore @n1.backup --key @escrow --dir @again").unwrap();
    let (old, new) = (place.path("n1/seal/1.key"), place.path("again/seal/1.key"));
    assert_ne!(std::fs::read(old).unwrap(), std::fs::read(new).unwrap());
}
