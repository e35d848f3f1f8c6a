//! Keys of ML-DSA: attempts of all signers, their count, and whatever goes wrong with them.

use core::time::Duration;

use custody_audit::{Answer as Logged, Entry, Event};
use custody_core::{Answer, KeyId, Material, Order, Reason, Refusal, SignedRequest};
use ml_dsa::MlDsa65;
use quorate::mldsa::{Level, PublicKeyPackage};
use quorate::session::frame::Header;
use quorate_store::SqliteStore;

use crate::common::cluster::{Lie, party};
use crate::common::{Cluster, administrator, approver, opaque, sign, sign_under};

/// The spaces of the ledger with numbers of attempts, and with the log.
const ATTEMPTS: u8 = 48;
const AUDIT: u8 = 37;

async fn three() -> (Cluster, KeyId) {
    let cluster = Cluster::start(3).await;
    let key = cluster.make_key("ml-dsa-65", 2).await;
    (cluster, key)
}

fn order(request: &SignedRequest, signers: &[u8], run: u8) -> Order {
    let signers = signers.iter().map(|number| party(*number)).collect();
    let material = Material::Attempt { run: [run; 32], signers };
    Order::Sign { request: request.clone(), approvals: vec![], material }
}

fn refused(answer: &Answer) -> &Refusal {
    match answer {
        Answer::Refused(why) => why,
        other => panic!("{other:?}"),
    }
}

/// Orders attempts, from this run on, until one gives a signature. All signers have to agree about each.
async fn signature(
    cluster: &Cluster,
    request: &SignedRequest,
    signers: &[u8],
    first: u8,
) -> (u8, Vec<u8>) {
    for run in first..first + 30 {
        let answers = cluster.until(signers, &order(request, signers, run)).await;
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
        match &answers[0] {
            Answer::Share { bytes } => return (run, bytes.clone()),
            other => assert_eq!(*other, Answer::Done),
        }
    }
    panic!("thirty attempts without luck");
}

/// Verifies with another implementation of FIPS 204.
async fn verifies(
    cluster: &Cluster,
    key: KeyId,
    (message, context): (&[u8], &[u8]),
    signature: &[u8],
) -> bool {
    let public = cluster.info(1, key).await.public_key;
    let public = ml_dsa::VerifyingKey::<MlDsa65>::decode(&public[..].try_into().unwrap());
    let signature = ml_dsa::Signature::<MlDsa65>::try_from(signature).unwrap();
    public.verify_with_context(message, context, &signature)
}

/// The next number of an attempt at a node that is down, and the number of attempts in its log.
fn counted(cluster: &Cluster, number: u8) -> (Option<u64>, u64) {
    let options = SqliteStore::options().spent(cluster.file(number, "spent"));
    let mut store = options.open(cluster.file(number, "node")).unwrap();
    let rows = store.read_ledger(|rows| rows.list(ATTEMPTS, &[], None, 2)).unwrap();
    assert!(rows.len() < 2);
    let next = rows.first().map(|row| u64::from_be_bytes(row.content[..].try_into().unwrap()));
    let log = store.read_ledger(|rows| rows.list(AUDIT, &[], None, 256)).unwrap();
    let begun = log.iter().filter(|row| {
        let Event::Decision(decision) = postcard::from_bytes::<Entry>(&row.content).unwrap().event
        else {
            return false;
        };
        matches!(decision.answer, Logged::Released { .. })
    });
    (next, begun.count().try_into().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn any_two_of_three_sign_under_a_context_and_another_library_verifies() {
    let (cluster, key) = three().await;
    let cases = [([1, 2], &b"releases"[..]), ([2, 3], b""), ([1, 3], &[255; 255])];
    for ((signers, context), first) in cases.into_iter().zip([1, 50, 100]) {
        let request = match context {
            b"" => sign(key, &opaque(false, b"firmware 7")),
            _ => sign_under(key, &opaque(false, b"firmware 7"), context),
        };
        let (_, made) = signature(&cluster, &request, &signers, first).await;
        assert!(verifies(&cluster, key, (b"firmware 7", context), &made).await);
        assert!(!verifies(&cluster, key, (b"firmware 8", context), &made).await);
        assert!(!verifies(&cluster, key, (b"firmware 7", b"other"), &made).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_attempt_is_the_same_and_its_name_is_another_attempt_for_another_request() {
    let (mut cluster, key) = three().await;
    let request = sign(key, &opaque(false, b"one"));
    let (run, made) = signature(&cluster, &request, &[1, 2], 1).await;
    let again = order(&request, &[1, 2], run);
    assert_eq!(cluster.order(1, again.clone()).await, Answer::Share { bytes: made.clone() });
    // The signature outlives the process, and nothing was counted twice.
    cluster.down(1).await;
    assert_eq!(counted(&cluster, 1), (Some(run.into()), run.into()));
    cluster.up(1).await.unwrap();
    assert_eq!(cluster.order(1, again.clone()).await, Answer::Share { bytes: made.clone() });
    let other = order(&sign(key, &opaque(false, b"two")), &[1, 2], run);
    assert_eq!(cluster.order(1, other).await, Answer::Pending);
    assert_eq!(cluster.order(1, again).await, Answer::Share { bytes: made });
    cluster.down(1).await;
    assert_eq!(counted(&cluster, 1), (Some(u64::from(run) + 1), u64::from(run) + 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn asking_about_an_attempt_that_is_under_way_writes_nothing_to_the_ledger() {
    let (cluster, key) = three().await;
    let order = order(&sign(key, &opaque(false, b"one")), &[1, 2], 1);
    let mut log = cluster.file(1, "spent").into_os_string();
    log.push("-wal");
    let before = std::fs::read(&log).unwrap();
    // Node 2 is not asked, so the attempt stays open. Its run begins after the answer.
    assert_eq!(cluster.order(1, order.clone()).await, Answer::Pending);
    tokio::time::sleep(Duration::from_millis(500)).await;
    let begun = std::fs::read(&log).unwrap();
    assert_ne!(begun, before);
    for _ in 0..20 {
        assert_eq!(cluster.order(1, order.clone()).await, Answer::Pending);
    }
    assert_eq!(std::fs::read(&log).unwrap(), begun);
}

#[tokio::test(flavor = "multi_thread")]
async fn policy_and_the_shape_of_an_order_decide_before_anything_is_counted() {
    let (mut cluster, key) = three().await;
    let message = opaque(false, b"one");
    let reason = async |request: &SignedRequest, signers: &[u8]| {
        let answer = cluster.order(1, order(request, signers, 1)).await;
        refused(&answer).reason
    };
    let denied = sign(key, &opaque(false, b"deny this"));
    assert_eq!(reason(&denied, &[1, 2]).await, Reason::PolicyDenied);
    // One context is enough for the policy of the test.
    let denied = sign_under(key, &message, b"denied");
    assert_eq!(reason(&denied, &[1, 2]).await, Reason::PolicyDenied);
    for signers in [&[1, 2, 3][..], &[2, 3], &[2, 1], &[1, 1], &[1], &[1, 4]] {
        let request = sign(key, &message);
        assert_eq!(reason(&request, signers).await, Reason::WrongMaterial, "{signers:?}");
    }
    let asks = sign(key, &opaque(false, b"ask first"));
    assert_eq!(reason(&asks, &[1, 2]).await, Reason::ApprovalsMissing);
    let Order::Sign { request, material, .. } = order(&asks, &[1, 2], 1) else { panic!() };
    let approvals = vec![approver().approve(&asks)];
    let approved = Order::Sign { request, approvals, material };
    assert_eq!(cluster.order(1, approved).await, Answer::Pending);
    cluster.down(1).await;
    assert_eq!(counted(&cluster, 1), (Some(1), 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn attempt_ends_with_its_process_and_another_one_signs() {
    let (mut cluster, key) = three().await;
    let request = sign(key, &opaque(false, b"one"));
    // Node 1 has sent its first round, and nothing more, when it is killed.
    cluster.silence(1, 1);
    for number in [1, 2] {
        assert_eq!(cluster.order(number, order(&request, &[1, 2], 1)).await, Answer::Pending);
    }
    cluster.down(1).await;
    cluster.hear(1);
    cluster.up(1).await.unwrap();
    let ended = cluster.order(1, order(&request, &[1, 2], 1)).await;
    assert_eq!(refused(&ended).reason, Reason::RunFailed);
    let (_, made) = signature(&cluster, &request, &[1, 2], 2).await;
    assert!(verifies(&cluster, key, (b"one", b""), &made).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn request_with_an_attempt_under_way_is_not_cancelled() {
    let (cluster, key) = three().await;
    let request = sign(key, &opaque(false, b"one"));
    assert_eq!(cluster.order(1, order(&request, &[1, 2], 1)).await, Answer::Pending);
    let callers = crate::common::callers().of_cluster("test");
    let id = request.verify(&callers, crate::common::now()).unwrap().id;
    let cancel = crate::common::requester().request(&format!("/v1/requests/{id}/cancel"), "");
    let cancel = Order::Cancel { request: cancel };
    let answer = cluster.order(1, cancel.clone()).await;
    assert_eq!(refused(&answer).reason, Reason::RequestConflict);
    // The node that has not begun gives nothing from now on.
    assert_eq!(cluster.order(3, cancel).await, Answer::Done);
    let answer = cluster.order(3, order(&request, &[1, 3], 2)).await;
    assert_eq!(refused(&answer).reason, Reason::Cancelled);
}

/// Another bit at the end of the broadcast of a round.
fn alters<const ROUND: u8>(packet: &[u8]) -> Vec<Vec<u8>> {
    let mut packet = packet.to_vec();
    let frame = packet.split_first().filter(|(kind, _)| **kind == 0);
    let header = frame.and_then(|(_, frame)| Header::parse(frame));
    if header.is_some_and(|header| header.round.get() == ROUND)
        && let Some(last) = packet.last_mut()
    {
        *last ^= 1;
    }
    vec![packet]
}

#[tokio::test(flavor = "multi_thread")]
async fn signer_that_opens_or_answers_wrongly_is_named_and_the_others_sign() {
    let (cluster, key) = three().await;
    let request = sign(key, &opaque(false, b"one"));
    let lies: [Lie; 2] = [alters::<2>, alters::<3>];
    for (run, lie) in (1_u8..).zip(lies) {
        cluster.lie(2, lie);
        let order = order(&request, &[1, 2], run);
        assert_eq!(cluster.order(2, order.clone()).await, Answer::Pending);
        let answers = cluster.until(&[1], &order).await;
        assert_eq!(refused(&answers[0]).reason, Reason::RunFailed);
        let Answer::Accusations(all) = cluster.order(1, Order::Accusations).await else { panic!() };
        let [accusation] = &all[..] else { panic!("{all:?}") };
        assert_eq!((accusation.party, accusation.count), (party(2), u32::from(run)));
    }
    assert_eq!(cluster.order(3, Order::Accusations).await, Answer::Accusations(vec![]));
    let (_, made) = signature(&cluster, &request, &[1, 3], 20).await;
    assert!(verifies(&cluster, key, (b"one", b""), &made).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn share_makes_no_more_attempts_than_its_key_allows() {
    let (mut cluster, key) = three().await;
    let package = cluster.info(1, key).await.package;
    let package = PublicKeyPackage::from_bytes(Level::MlDsa65, &package).unwrap();
    cluster.down(1).await;
    let options = SqliteStore::options().spent(cluster.file(1, "spent"));
    let mut store = options.open(cluster.file(1, "node")).unwrap();
    let last = (package.attempts() - 1).to_be_bytes();
    store.spend(|rows| rows.put(ATTEMPTS, &package.digest(), &last)).unwrap();
    drop(store);
    cluster.up(1).await.unwrap();
    let request = sign(key, &opaque(false, b"one"));
    assert_eq!(cluster.order(1, order(&request, &[1, 2], 1)).await, Answer::Pending);
    let used_up = cluster.order(1, order(&request, &[1, 2], 2)).await;
    let Refusal { reason, detail, .. } = refused(&used_up);
    assert_eq!(*reason, Reason::Limit);
    assert!(detail.contains("make a new key"), "{detail}");
    // The other node has its own count.
    assert_eq!(cluster.order(2, order(&request, &[2, 3], 3)).await, Answer::Pending);
}

#[tokio::test(flavor = "multi_thread")]
async fn node_whose_count_was_restored_stays_closed_and_signs_when_an_operator_says_so() {
    let (mut cluster, key) = three().await;
    cluster.limits.witness_time = 300;
    for number in 1..=3 {
        cluster.down(number).await;
    }
    cluster.copy(1, &["node", "spent"], false);
    cluster.up_together(&[1, 2, 3]).await;
    let request = sign(key, &opaque(false, b"one"));
    let (run, _) = signature(&cluster, &request, &[1, 2], 1).await;
    cluster.heartbeat(1).await;
    cluster.down(1).await;
    assert_eq!(counted(&cluster, 1).0, Some(run.into()));
    cluster.copy(1, &["node", "spent"], true);
    assert_eq!(counted(&cluster, 1), (None, 0));
    assert_eq!(cluster.up_witnessed(1, false).await.unwrap_err().reason, Reason::RolledBack);
    cluster.up_witnessed(1, true).await.unwrap();
    let other = sign(key, &opaque(false, b"two"));
    let closed = cluster.order(1, order(&other, &[1, 2], run)).await;
    assert_eq!(refused(&closed).reason, Reason::RolledBack);
    cluster.node(1).accept_watermarks(key).await.unwrap();
    let (_, made) = signature(&cluster, &other, &[1, 2], 100).await;
    assert!(verifies(&cluster, key, (b"two", b""), &made).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn node_without_the_scheme_makes_no_key_and_signs_nothing() {
    let (mut cluster, key) = three().await;
    cluster.experimental.clear();
    cluster.down(1).await;
    cluster.up(1).await.unwrap();
    let request = sign(key, &opaque(false, b"one"));
    let body = r#"{"scheme":"ml-dsa-65","threshold":2,"members":[1,2,3]}"#;
    let generate = administrator().request("/v1/keys", body);
    for order in
        [order(&request, &[1, 2], 1), Order::Generate { request: generate, approvals: vec![] }]
    {
        let answer = cluster.order(1, order).await;
        let Refusal { reason, detail, .. } = refused(&answer);
        assert_eq!(*reason, Reason::Unsupported);
        assert!(detail.contains("experimental"), "{detail}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_scheme_does_not_have_is_refused_with_the_reason() {
    let (cluster, key) = three().await;
    let change = |action: &str, body: &str| Order::Change {
        request: administrator().request(&format!("/v1/keys/{key}/{action}"), body),
        approvals: vec![],
        certificate: None,
    };
    let spec = |threshold| {
        let body =
            format!(r#"{{"scheme":"ml-dsa-65","threshold":{threshold},"members":[1,2,3,4,5,6]}}"#);
        let request = administrator().request("/v1/keys", &body);
        Order::Generate { request, approvals: vec![] }
    };
    let ed25519 = cluster.make_key("ed25519", 2).await;
    for (order, reason, says) in [
        (change("refresh", ""), Reason::Unsupported, "make another key"),
        (
            change("reshare", r#"{"threshold":2,"members":[1,2]}"#),
            Reason::Unsupported,
            "make another key",
        ),
        (Order::Nonces { key, count: 4 }, Reason::Unsupported, "attempts"),
        // No parameters are offered for 4 of 6; for 3 of 6 they are, but there are three nodes.
        (spec(4), Reason::Unsupported, "parameters"),
        (spec(3), Reason::Unsupported, "no party 4"),
        (
            order(&sign(ed25519, &opaque(false, b"one")), &[1, 2], 1),
            Reason::WrongMaterial,
            "no attempts",
        ),
        (
            order(&sign_under(ed25519, &opaque(false, b"one"), b"releases"), &[1, 2], 1),
            Reason::Unsupported,
            "no context",
        ),
    ] {
        let answer = cluster.order(1, order).await;
        let Refusal { reason: got, detail, .. } = refused(&answer);
        assert_eq!((*got, detail.contains(says)), (reason, true), "{detail}");
    }
    let info = cluster.info(1, key).await;
    assert_eq!((info.epoch, info.stock, info.public_key.len()), (0, 0, 1952));
}
