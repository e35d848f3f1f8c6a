//! The log of decisions, retention, and the deletion of keys.

use custody_audit::{Answer as Logged, Chain, Entry, Event, Hex, import};
use custody_core::{Answer, KeyId, Material, Order, Reason};
use quorate_store::SqliteStore;

use crate::common::{Cluster, administrator, approver, opaque, sign};

async fn log(cluster: &Cluster, number: u8) -> Vec<String> {
    let request = administrator().read(&format!("/v1/audit/{number}"));
    match cluster.order(number, Order::Audit { request }).await {
        Answer::Audit(lines) => lines,
        other => panic!("{other:?}"),
    }
}

async fn refused(cluster: &Cluster, key: KeyId, message: &[u8]) -> Reason {
    let material = Material::Nonces { package: cluster.package(key, &[1, 2], message).await };
    let request = sign(key, &opaque(false, message));
    for _ in 0..3 {
        cluster.shares(&[1], &request, &[], &material).await.unwrap_err();
    }
    cluster.shares(&[1], &request, &[], &material).await.unwrap_err().reason
}

#[tokio::test(flavor = "multi_thread")]
async fn log_has_each_answer_once_under_signed_heads() {
    let mut cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    cluster.sign_frost(key, &[1, 2], b"pay 5").await.unwrap();
    assert_eq!(refused(&cluster, key, b"deny it").await, Reason::PolicyDenied);
    cluster.down(1).await;
    cluster.up(1).await.unwrap();
    assert_eq!(refused(&cluster, key, b"ask first").await, Reason::ApprovalsMissing);
    let text = log(&cluster, 1).await.join("\n") + "\n";
    let log = import(text.as_bytes(), 1 << 20).unwrap();
    let answers: Vec<String> = log
        .entries
        .iter()
        .map(|entry| match &entry.event {
            Event::Decision(decision) => match &decision.answer {
                Logged::Done => "done".to_owned(),
                Logged::Released { .. } => "released".to_owned(),
                Logged::Refused { reason, .. } => reason.to_string(),
            },
            Event::Pruned { .. } => "pruned".to_owned(),
            Event::Accused { .. } => "accused".to_owned(),
        })
        .collect();
    assert_eq!(answers, ["done", "released", "policy-denied", "approvals-missing"]);
    let end = log.end.unwrap();
    let directory = crate::common::cluster::directory(2);
    let node = directory.members().next().unwrap();
    assert!(end.verify(&node.current) && end.head.sequence == 3);
    assert_eq!(end.head.hash, log.entries[3].hash());
    let Event::Decision(decision) = &log.entries[1].event else { panic!() };
    assert_eq!(decision.summary["purpose"], "\"opaque-message\"");
    assert_eq!(decision.summary["request.path"], "m");
    assert_eq!(
        (decision.caller.as_str(), decision.policies.as_slice()),
        ("wallet", ["rules".to_owned()].as_slice())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn log_of_another_node_and_of_a_requester_is_refused() {
    let cluster = Cluster::start(2).await;
    for (request, reason) in [
        (administrator().read("/v1/audit/2"), Reason::WrongSender),
        (crate::common::requester().read("/v1/audit/1"), Reason::RoleMissing),
    ] {
        let answer = cluster.order(1, Order::Audit { request }).await;
        assert!(matches!(&answer, Answer::Refused(why) if why.reason == reason), "{answer:?}");
    }
    let request = approver().read("/v1/audit/1");
    assert_eq!(cluster.order(1, Order::Audit { request }).await, Answer::Audit(vec![]));
}

#[tokio::test(flavor = "multi_thread")]
async fn old_requests_and_entries_are_forgotten_and_the_log_says_so() {
    let mut cluster = Cluster::start(2).await;
    cluster.limits.retention = 1000;
    cluster.limits.log_retention = Some(1000);
    cluster.down(1).await;
    cluster.up(1).await.unwrap();
    let key = cluster.make_key("ed25519", 2).await;
    for message in [b"one", b"two"] {
        cluster.sign_frost(key, &[1, 2], message).await.unwrap();
    }
    cluster.node(1).maintain().await.unwrap();
    assert_eq!(log(&cluster, 1).await.len(), 5);
    assert_eq!(cluster.ledger_rows(1, &[49]), [3]);
    cluster.wait(2000);
    cluster.node(1).maintain().await.unwrap();
    assert_eq!(cluster.ledger_rows(1, &[49]), [0]);
    let status = cluster.order(1, Order::Status).await;
    assert!(matches!(&status, Answer::Status(status) if status.audit == 4), "{status:?}");
}

/// A clock that jumped ahead made the node forget requests whose deadlines are to come.
#[tokio::test(flavor = "multi_thread")]
async fn request_that_was_forgotten_too_early_is_not_decided_again() {
    let mut cluster = Cluster::start(2).await;
    cluster.limits.retention = 1000;
    for number in [1, 2] {
        cluster.down(number).await;
        cluster.up(number).await.unwrap();
    }
    let key = cluster.make_key("ed25519", 2).await;
    let request = sign(key, &opaque(false, b"one"));
    let material = Material::Nonces { package: cluster.package(key, &[1, 2], b"one").await };
    cluster.shares(&[1, 2], &request, &[], &material).await.unwrap();
    cluster.wait(100_000);
    cluster.node(1).maintain().await.unwrap();
    assert_eq!(cluster.ledger_rows(1, &[49]), [0]);
    cluster.right_clocks();
    for restarts in [false, true] {
        if restarts {
            cluster.down(1).await;
            cluster.up(1).await.unwrap();
        }
        let material = Material::Nonces { package: cluster.package(key, &[1, 2], b"one").await };
        let refused = cluster.shares(&[1], &request, &[], &material).await.unwrap_err();
        assert_eq!(refused.reason, Reason::Expired);
    }
    // What is asked from now on is signed, whatever its deadline.
    tokio::time::sleep(core::time::Duration::from_secs(2)).await;
    cluster.sign_frost(key, &[1, 2], b"two").await.unwrap();
    // Node 2 has not forgotten the first, and gives the share that it gave.
    cluster.shares(&[2], &request, &[], &material).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn all_old_entries_are_deleted_at_once() {
    /// The space of the ledger that has the log.
    const AUDIT: u8 = 37;
    let mut cluster = Cluster::start(2).await;
    cluster.limits.log_retention = Some(1000);
    cluster.down(1).await;
    let options = SqliteStore::options().spent(cluster.file(1, "spent"));
    let mut store = options.open(cluster.file(1, "node")).unwrap();
    let last = store.read_ledger(|rows| rows.last(AUDIT)).unwrap();
    assert!(last.is_none(), "the log is empty at first");
    let settings = cluster.settings(1);
    let mut chain = Chain::new(settings.identity.name().as_str());
    let old = crate::common::now() - 2000;
    store
        .spend(|rows| {
            for _ in 0..1000 {
                let event =
                    Event::Accused { node: "n2".into(), run: Hex([7; 32]), fault: "old".into() };
                let entry = chain.append(old, event);
                let content = postcard::to_stdvec(&entry).unwrap();
                rows.put(AUDIT, &entry.sequence.to_be_bytes(), &content)?;
            }
            Ok(())
        })
        .unwrap();
    drop(store);
    cluster.up(1).await.unwrap();
    cluster.node(1).maintain().await.unwrap();
    let text = log(&cluster, 1).await.join("\n") + "\n";
    let log = import(text.as_bytes(), 1 << 20).unwrap();
    assert!(!log.entries.is_empty());
    let is_old = |entry: &&Entry| !matches!(entry.event, Event::Pruned { .. });
    assert_eq!(log.entries.iter().filter(is_old).count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn key_is_deleted_when_its_time_has_come() {
    let mut cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let at = format!(r#"{{"at":{}}}"#, crate::common::now() + 100);
    let target = format!("/v1/keys/{key}/schedule-deletion");
    let request = administrator().request(&target, &at);
    let order = Order::Change { request, approvals: vec![], certificate: None };
    assert_eq!(cluster.order(1, order).await, Answer::Done);
    cluster.node(1).maintain().await.unwrap();
    assert!(cluster.node(1).has_key(key).await.unwrap());
    cluster.wait(200);
    cluster.node(1).maintain().await.unwrap();
    assert!(!cluster.node(1).has_key(key).await.unwrap());
    cluster.down(1).await;
    cluster.up(1).await.unwrap();
    assert!(!cluster.node(1).has_key(key).await.unwrap());
    assert!(cluster.node(2).has_key(key).await.unwrap());
}
