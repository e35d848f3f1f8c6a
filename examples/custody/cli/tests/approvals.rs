//! Two of three approvers, from the command line, before a gateway and three nodes.
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
use custody_client::{Asked, CallerSecret};
use custody_core::{KeySpec, PartyId, Scheme};
use quorate_purpose::{Kind, OpaqueMessage, Purpose};

const POLICY: &str = r#"
@id("administer") permit (principal, action in Action::"administer", resource) when { principal.roles.contains("administer") };
@id("message") permit (principal == Caller::"payments", action == Action::"opaque-message", resource)
when { context.holds.contains("approvals from ann,bob,eve >= 2") };
"#;

/// Runs a command on a thread of its own: it has a runtime of its own.
fn run(cluster: &Cluster, command: &str) -> Result<String, String> {
    std::thread::scope(|scope| scope.spawn(|| cluster.place.run(command)).join().unwrap())
}

fn approve(cluster: &Cluster, who: &str, rest: &str) -> Result<String, String> {
    approve_at(cluster, "acme", who, rest)
}

fn approve_at(cluster: &Cluster, name: &str, who: &str, rest: &str) -> Result<String, String> {
    let address = cluster.address();
    run(
        cluster,
        &format!(
            "approve --gateway {address} --cluster {name} --secret @{who}.key --callers @g1/callers.json {rest}"
        ),
    )
}

/// Adds approvers to the lists of all machines.
fn add_approvers(cluster: &Cluster, names: &[&str]) {
    for name in names {
        let secret = CallerSecret::generate().unwrap();
        std::fs::write(cluster.place.path(&format!("{name}.pem")), secret.public().to_pem())
            .unwrap();
        let path = cluster.place.path(&format!("{name}.key"));
        quorate_store::file::replace(path, secret.to_pem().unwrap().as_bytes()).unwrap();
        for who in ["n1", "n2", "n3", "g1"] {
            let caller = format!("--name {name} --role approve --key @{name}.pem");
            run(cluster, &format!("caller add --callers @{who}/callers.json {caller}")).unwrap();
        }
    }
}

/// The value of a line of a request that is shown.
fn value<'a>(shown: &'a str, name: &str) -> &'a str {
    let line = shown.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
    line.unwrap()
}

fn taproot() -> KeySpec {
    KeySpec {
        scheme: Scheme::Taproot,
        threshold: 2,
        members: (1..=3).map(|party| PartyId::new(party).unwrap()).collect(),
        purposes: vec![Kind::OpaqueMessage],
        scope: "test".into(),
        labels: Default::default(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_of_three_approvers_see_what_is_signed_and_let_it_be_signed() {
    let Some(nats) = nats_server() else {
        eprintln!(
            "nats-server is not installed: skipped (go install github.com/nats-io/nats-server/v2@latest)"
        );
        return;
    };
    let cluster = Cluster::start("approvals", POLICY, &nats);
    add_approvers(&cluster, &["ann", "bob", "eve"]);
    let spec = taproot();
    let key = cluster.until("a key", async || {
        cluster.administrator.create_key(&spec, cluster.directory.directory(), PATIENCE).await
    });
    let key = key.await;
    let purpose = Purpose::from(OpaqueMessage::raw(b"a payment").unwrap());
    let merkle_root = "07".repeat(32).parse().ok();
    let asked = Asked { merkle_root, within: PATIENCE, ..Asked::default() };
    let asks = async { cluster.requester.sign(&key, &purpose, &asked).await };
    let approves = async {
        let listed = cluster.until("a request that waits", async || {
            approve(&cluster, "ann", "").and_then(|text| {
                let line = text.lines().next().map(str::to_owned);
                line.ok_or_else(|| "nothing waits".to_owned())
            })
        });
        let listed = listed.await;
        let fields: Vec<_> = listed.split('\t').collect();
        assert_eq!((fields[1], fields[2], fields[4]), ("sign", "payments", "0 approvals"));
        let shown = approve(&cluster, "ann", fields[0]).unwrap();
        assert_eq!(value(&shown, "caller"), "payments");
        assert_eq!(value(&shown, "purpose"), "\"opaque-message\"");
        assert_eq!(value(&shown, "key"), key.id().to_string());
        assert_eq!(value(&shown, "path"), "m");
        assert_eq!(value(&shown, "merkle root"), format!("0x{}", "07".repeat(32)));
        let digest = value(&shown, "digest").to_owned();
        // An approval of another digest is refused, and so is the key of a stranger.
        let other = "0".repeat(64);
        let why = approve(&cluster, "ann", &format!("{} --digest {other}", fields[0])).unwrap_err();
        assert!(why.contains("look at it again"), "{why}");
        let with = format!("{} --digest {digest}", fields[0]);
        let why = approve(&cluster, "payments", &with).unwrap_err();
        assert!(why.contains("role missing"), "{why}");
        let why = approve_at(&cluster, "other", "ann", &with).unwrap_err();
        assert!(why.contains("tag=\"quorate-custody:acme\""), "{why}");
        // One approver twice is one approver.
        for _ in 0..2 {
            let done = approve(&cluster, "ann", &with).unwrap();
            assert_eq!(done, format!("approved {}\n", fields[0]));
        }
        tokio::time::sleep(Duration::from_secs(3)).await;
        let shown = approve(&cluster, "eve", fields[0]).unwrap();
        assert!(value(&shown, "approved by, says the gateway").contains("\"ann\""), "{shown}");
        assert!(shown.contains("missing, says a node"), "{shown}");
        approve(&cluster, "bob", &with).unwrap();
    };
    let (signature, ()) = tokio::join!(asks, approves);
    signature.unwrap();
    assert_eq!(approve(&cluster, "eve", "").unwrap(), "");
}
