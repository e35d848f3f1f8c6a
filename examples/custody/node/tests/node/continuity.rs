//! Databases that were restored to older copies, and nodes that restart together.

use core::time::Duration;

use crate::common::cluster::party;
use crate::common::{Cluster, administrator, opaque, sign};
use crate::refresh::{agree, agreed, change, refresh};
use crate::safety::vote;
use custody_core::{Answer, KeyId, Material, Order, Reason, Refusal};
use quorate::ecdsa::{P256, PresignatureInfo, Secp256k1};
use quorate_purpose::KeyKind;

/// The space of shares.
const SHARES: u8 = 2;
/// The databases of a node.
const BOTH: [&str; 2] = ["node", "spent"];

/// Three nodes that witness each other, and a key.
async fn cluster() -> (Cluster, KeyId) {
    cluster_of("ed25519").await
}

/// Three nodes that witness each other, and a key of this scheme.
async fn cluster_of(scheme: &str) -> (Cluster, KeyId) {
    let mut cluster = Cluster::start(3).await;
    for number in [1, 2, 3] {
        cluster.down(number).await;
    }
    cluster.up_together(&[1, 2, 3]).await;
    cluster.search_primes().await;
    let key = cluster.make_key(scheme, 2).await;
    heartbeat(&cluster).await;
    (cluster, key)
}

async fn heartbeat(cluster: &Cluster) {
    for number in [1, 2, 3] {
        cluster.heartbeat(number).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn node_that_restarts_among_peers_keeps_its_nonces() {
    let (mut cluster, key) = cluster().await;
    let material = Material::Nonces { package: cluster.package(key, &[1, 2], b"one").await };
    heartbeat(&cluster).await;
    cluster.down(1).await;
    cluster.up_witnessed(1, false).await.unwrap();
    let request = sign(key, &opaque(false, b"one"));
    cluster.shares(&[1, 2], &request, &[], &material).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_that_restart_together_drop_their_nonces() {
    let (mut cluster, key) = cluster().await;
    let material = Material::Nonces { package: cluster.package(key, &[1, 2], b"one").await };
    heartbeat(&cluster).await;
    for number in [1, 2, 3] {
        cluster.down(number).await;
    }
    // None of them can vouch.
    cluster.up_together(&[1, 2, 3]).await;
    let request = sign(key, &opaque(false, b"one"));
    let refused = cluster.shares(&[1], &request, &[], &material).await.unwrap_err();
    assert_eq!(refused.reason, Reason::UnknownMaterial);
    cluster.sign_frost(key, &[1, 2], b"two").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn database_that_was_restored_alone_is_refused_or_rejoins_without_nonces() {
    for names in [["node"].as_slice(), &["spent"], &["node", "spent"]] {
        let (mut cluster, key) = cluster().await;
        let material = Material::Nonces { package: cluster.package(key, &[1, 2], b"one").await };
        heartbeat(&cluster).await;
        cluster.down(1).await;
        cluster.copy(1, names, false);
        cluster.up_witnessed(1, false).await.unwrap();
        let request = sign(key, &opaque(false, b"one"));
        cluster.shares(&[1], &request, &[], &material).await.unwrap();
        heartbeat(&cluster).await;
        cluster.down(1).await;
        cluster.copy(1, names, true);
        let refused = cluster.up_witnessed(1, false).await.unwrap_err();
        assert_eq!(refused.reason, Reason::RolledBack, "{names:?}");
        cluster.up_witnessed(1, true).await.unwrap();
        // Killed at once, it need not rejoin a second time: its peers have heard of it.
        cluster.down(1).await;
        cluster.up_witnessed(1, false).await.unwrap();
        // The nonces that were spent are not there a second time, for whatever request.
        let other = sign(key, &opaque(false, b"one"));
        let refused = cluster.shares(&[1], &other, &[], &material).await.unwrap_err();
        assert_eq!(refused.reason, Reason::UnknownMaterial, "{names:?}");
        cluster.sign_frost(key, &[1, 2], b"two").await.unwrap();
        // It has rejoined for good.
        heartbeat(&cluster).await;
        cluster.down(1).await;
        cluster.up_witnessed(1, false).await.unwrap();
        cluster.sign_frost(key, &[1, 2], b"three").await.unwrap();
    }
}

/// A node says that it has committed to a share when no restore loses it: the ledger has a copy.
#[tokio::test(flavor = "multi_thread")]
async fn database_from_before_a_refresh_gets_the_share_that_the_ledger_has() {
    for of_the_key in [true, false] {
        let mut cluster = Cluster::start(3).await;
        for number in [1, 2, 3] {
            cluster.down(number).await;
        }
        cluster.up_together(&[1, 2, 3]).await;
        cluster.search_primes().await;
        let copy = async |cluster: &mut Cluster| {
            heartbeat(cluster).await;
            cluster.down(1).await;
            cluster.copy(1, &["node"], false);
            cluster.up_witnessed(1, false).await.unwrap();
            cluster.search_primes().await;
            heartbeat(cluster).await;
        };
        // A copy from before the key was made lacks its specification and its auxiliary information as well.
        if !of_the_key {
            copy(&mut cluster).await;
        }
        let key = cluster.make_key("ecdsa-p256", 2).await;
        if of_the_key {
            copy(&mut cluster).await;
        }
        assert_eq!(refresh(&cluster, key).await, Some(1));
        let info = cluster.info(1, key).await;
        heartbeat(&cluster).await;
        cluster.down(1).await;
        cluster.copy(1, &["node"], true);
        cluster.up_witnessed(1, true).await.unwrap();
        // An old share in the restored database is there until the nodes agree once more.
        assert_eq!(agree(&cluster, key, &[1, 2, 3]).await, 1);
        assert_eq!(cluster.info(1, key).await, info);
        let made = cluster.presign(key, &[1, 2], 1, 1).await;
        cluster.sign_ecdsa::<P256>(key, &[1, 2], &made[0], (b"one", "m")).await.unwrap();
        // It has it for good.
        heartbeat(&cluster).await;
        cluster.down(1).await;
        cluster.up_witnessed(1, false).await.unwrap();
        assert_eq!(cluster.info(1, key).await, info);
    }
}

/// A ledger that alone was restored has copies of shares that were deleted since.
#[tokio::test(flavor = "multi_thread")]
async fn ledger_from_before_a_deletion_brings_no_share_back() {
    let (mut cluster, key) = cluster().await;
    assert_eq!(refresh(&cluster, key).await, Some(1));
    heartbeat(&cluster).await;
    cluster.down(1).await;
    cluster.copy(1, &["spent"], false);
    cluster.up_witnessed(1, false).await.unwrap();
    assert_eq!(refresh(&cluster, key).await, Some(2));
    let info = cluster.info(1, key).await;
    heartbeat(&cluster).await;
    cluster.down(1).await;
    assert_eq!(cluster.rows(1, SHARES), 1);
    cluster.copy(1, &["spent"], true);
    cluster.up_witnessed(1, true).await.unwrap();
    assert_eq!(cluster.info(1, key).await, info);
    cluster.down(1).await;
    assert_eq!(cluster.rows(1, SHARES), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn restored_node_signs_no_vote_until_an_operator_accepts_its_watermarks() {
    let (mut cluster, _) = cluster().await;
    let spec =
        r#"{"scheme":"ed25519","threshold":2,"members":[1,2,3],"purposes":["cometbft-vote"]}"#;
    let key = cluster.make_key_as(spec).await;
    cluster.down(1).await;
    cluster.copy(1, &["node", "spent"], false);
    cluster.up_witnessed(1, false).await.unwrap();
    sign_vote(&cluster, key, 5, 1).await.unwrap();
    heartbeat(&cluster).await;
    cluster.down(1).await;
    cluster.copy(1, &["node", "spent"], true);
    cluster.up_witnessed(1, true).await.unwrap();
    // It has forgotten the first vote.
    assert_eq!(sign_vote(&cluster, key, 5, 2).await.unwrap_err().reason, Reason::RolledBack);
    assert_eq!(sign_vote(&cluster, key, 6, 2).await.unwrap_err().reason, Reason::RolledBack);
    cluster.node(1).accept_watermarks(key).await.unwrap();
    sign_vote(&cluster, key, 7, 1).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn databases_that_were_copied_one_after_the_other_have_lost_votes() {
    let (mut cluster, _) = cluster().await;
    let spec =
        r#"{"scheme":"ed25519","threshold":2,"members":[1,2,3],"purposes":["cometbft-vote"]}"#;
    let key = cluster.make_key_as(spec).await;
    cluster.down(1).await;
    cluster.copy(1, &["node"], false);
    cluster.up_witnessed(1, false).await.unwrap();
    sign_vote(&cluster, key, 5, 1).await.unwrap();
    heartbeat(&cluster).await;
    cluster.down(1).await;
    cluster.copy(1, &["spent"], false);
    cluster.up_witnessed(1, false).await.unwrap();
    sign_vote(&cluster, key, 6, 1).await.unwrap();
    heartbeat(&cluster).await;
    cluster.down(1).await;
    cluster.copy(1, &BOTH, true);
    // The ledger is ahead of the runs, and has forgotten the second vote all the same.
    cluster.up_witnessed(1, true).await.unwrap();
    assert_eq!(sign_vote(&cluster, key, 6, 2).await.unwrap_err().reason, Reason::RolledBack);
    cluster.node(1).accept_watermarks(key).await.unwrap();
    sign_vote(&cluster, key, 7, 1).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn restored_node_signs_with_a_key_that_was_made_afterwards() {
    let (mut cluster, _) = cluster().await;
    let spec =
        r#"{"scheme":"ed25519","threshold":2,"members":[1,2,3],"purposes":["cometbft-vote"]}"#;
    let before = cluster.make_key_as(spec).await;
    cluster.down(1).await;
    cluster.copy(1, &BOTH, false);
    cluster.up_witnessed(1, false).await.unwrap();
    sign_vote(&cluster, before, 5, 1).await.unwrap();
    heartbeat(&cluster).await;
    cluster.down(1).await;
    cluster.copy(1, &BOTH, true);
    cluster.up_witnessed(1, true).await.unwrap();
    heartbeat(&cluster).await;
    let after = cluster.make_key_as(spec).await;
    sign_vote(&cluster, after, 5, 1).await.unwrap();
    assert_eq!(sign_vote(&cluster, after, 5, 2).await.unwrap_err().reason, Reason::Watermark);
    assert_eq!(sign_vote(&cluster, before, 6, 1).await.unwrap_err().reason, Reason::RolledBack);
    // It stays so.
    heartbeat(&cluster).await;
    cluster.down(1).await;
    cluster.up_witnessed(1, false).await.unwrap();
    sign_vote(&cluster, after, 6, 1).await.unwrap();
    assert_eq!(sign_vote(&cluster, before, 6, 1).await.unwrap_err().reason, Reason::RolledBack);
}

/// The share of node 1 for a vote.
async fn sign_vote(cluster: &Cluster, key: KeyId, height: u64, block: u8) -> Result<(), Refusal> {
    let vote = vote(height, block);
    let message = vote.message(KeyKind::Ed25519).unwrap();
    let package = cluster.package(key, &[1, 2], message.raw().unwrap()).await;
    let (request, material) = (sign(key, &vote.to_bytes()), Material::Nonces { package });
    cluster.shares(&[1], &request, &[], &material).await.map(drop)
}

/// All make new shares, and nodes 2 and 3 prepare. Gives the answer of node 1 to their statements.
async fn reshared(cluster: &Cluster, key: KeyId) -> Answer {
    let request = administrator().request(&format!("/v1/keys/{key}/refresh"), "");
    let answers = cluster.until(&[1, 2, 3], &change(request)).await;
    assert!(answers.iter().all(|answer| *answer == Answer::Done), "{answers:?}");
    assert_eq!(agreed(cluster, key, &[2, 3]).await, None);
    cluster.order(1, Order::Agree { key, statements: vec![] }).await
}

/// Returns whether a node refuses because its votes are lost, and says what to do.
fn is_barred(answer: &Answer, what_to_do: &str) -> bool {
    matches!(answer, Answer::Refused(why) if why.reason == Reason::RolledBack && why.detail.contains(what_to_do))
}

#[tokio::test(flavor = "multi_thread")]
async fn restored_node_votes_again_when_the_others_have_said_how_far_they_came() {
    let (mut cluster, key) = cluster().await;
    heartbeat(&cluster).await;
    cluster.down(1).await;
    cluster.copy(1, &["node", "spent"], false);
    cluster.up_witnessed(1, false).await.unwrap();
    cluster.sign_frost(key, &[1, 2], b"one").await.unwrap();
    heartbeat(&cluster).await;
    cluster.down(1).await;
    cluster.copy(1, &["node", "spent"], true);
    cluster.up_witnessed(1, true).await.unwrap();
    // Nobody knows what it has voted for before.
    assert!(is_barred(&reshared(&cluster, key).await, "--rejoin-key"));
    let mut highest = 0;
    for number in [2, 3] {
        highest = highest.max(cluster.node(number).highest_epoch(key).await.unwrap());
    }
    assert_eq!(highest, 1);
    cluster.node(1).rejoin(key, highest).await.unwrap();
    // It votes again above the epoch after that one.
    let answer = reshared(&cluster, key).await;
    assert!(is_barred(&answer, "make the same change again"), "{answer:?}");
    assert_eq!(refresh(&cluster, key).await, Some(3));
    cluster.sign_frost(key, &[1, 3], b"two").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn database_that_was_lost_is_not_taken_for_a_new_one() {
    let (mut cluster, _) = cluster().await;
    cluster.down(1).await;
    for name in ["node", "spent"] {
        for end in ["db", "db-wal", "db-shm"] {
            std::fs::remove_file(cluster.file(1, name).with_extension(end)).ok();
        }
    }
    let refused = cluster.up_witnessed(1, false).await.unwrap_err();
    assert_eq!(refused.reason, Reason::RolledBack);
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_answer_does_not_hide_how_far_a_node_has_come() {
    let (cluster, key) = cluster().await;
    let early = cluster.witness(2, 1);
    let package = cluster.package(key, &[1, 3], b"later").await;
    cluster.heartbeat(1).await;
    drop(package);
    // The network has kept an answer of node 1 from before. It is not fresh, and node 2 still knows the later head.
    assert!(!cluster.repeat(2, &early));
}

/// Orders a run of nodes 1 and 3, whose first messages node 1 gets, and restores node 3 to a copy of before.
async fn restore_within(cluster: &mut Cluster, order: &Order) {
    cluster.down(3).await;
    cluster.copy(3, &BOTH, false);
    cluster.up_witnessed(3, false).await.unwrap();
    for number in [1, 3] {
        assert_eq!(cluster.order(number, order.clone()).await, Answer::Pending);
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    heartbeat(cluster).await;
    cluster.down(3).await;
    cluster.copy(3, &BOTH, true);
    let refused = cluster.up_witnessed(3, false).await.unwrap_err();
    assert_eq!(refused.reason, Reason::RolledBack);
    cluster.up_witnessed(3, true).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_from_before_the_restore_is_not_begun_again() {
    let (mut cluster, key) = cluster_of("ecdsa-secp256k1").await;
    let all = [1, 2, 3];
    let spec = r#"{"scheme":"ed25519","threshold":2,"members":[1,2,3]}"#;
    let request = administrator().request("/v1/keys", spec);
    let orders = [
        Order::Presign { key, run: [1; 32], signers: all.map(party).to_vec(), count: 1 },
        Order::Generate { request, approvals: vec![] },
    ];
    for order in orders {
        restore_within(&mut cluster, &order).await;
        // The gateway repeats it. Node 3 does not know that it has begun this run, and begins another one.
        let answers = cluster.until(&all, &order).await;
        let is_done = |answer: &Answer| matches!(answer, Answer::Done | Answer::Made { .. });
        assert!(answers.iter().all(is_done), "{answers:?}");
        for number in all {
            let accusations = cluster.order(number, Order::Accusations).await;
            assert_eq!(accusations, Answer::Accusations(vec![]), "node {number}");
        }
    }
    // Node 1 still has what node 3 has dropped.
    let before = stock(&cluster, 1, key).await;
    let ahead = cluster.presign(key, &all, 2, 1).await;
    let new = ahead.iter().find(|one| !before.contains(one)).unwrap();
    cluster.sign_ecdsa::<Secp256k1>(key, &all, new, (b"one", "m")).await.unwrap();
}

/// The presignatures and nonces that a node lists.
async fn stock(cluster: &Cluster, number: u8, key: KeyId) -> Vec<Vec<u8>> {
    match cluster.order(number, Order::Stock { key, after: None }).await {
        Answer::Stock(stock) => stock.material,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn presignatures_are_not_used_again_when_all_nodes_are_restored() {
    let (mut cluster, key) = cluster_of("ecdsa-secp256k1").await;
    let ahead = cluster.presign(key, &[1, 2], 1, 2).await;
    heartbeat(&cluster).await;
    // One after the other, so that each keeps its stock, and the copies have it.
    for number in [1, 2, 3] {
        cluster.down(number).await;
        cluster.copy(number, &BOTH, false);
        cluster.up_witnessed(number, false).await.unwrap();
        heartbeat(&cluster).await;
    }
    for presignature in &ahead {
        cluster.sign_ecdsa::<Secp256k1>(key, &[1, 2], presignature, (b"one", "m")).await.unwrap();
    }
    heartbeat(&cluster).await;
    for number in [1, 2, 3] {
        cluster.down(number).await;
        cluster.copy(number, &BOTH, true);
    }
    cluster.up_together(&[1, 2, 3]).await;
    let request = sign(key, &opaque(true, b"two"));
    for (number, presignature) in [1, 2].into_iter().zip(&ahead) {
        assert!(stock(&cluster, number, key).await.is_empty());
        let name = PresignatureInfo::<Secp256k1>::from_bytes(presignature).unwrap().id().name();
        let material = Material::Presignature { name };
        let refused = cluster.shares(&[number], &request, &[], &material).await.unwrap_err();
        assert_eq!(refused.reason, Reason::UnknownMaterial);
    }
    // The order for them makes others.
    let new = cluster.presign(key, &[1, 2], 1, 2).await;
    assert!(new.len() == 2 && new.iter().all(|one| !ahead.contains(one)));
    cluster.sign_ecdsa::<Secp256k1>(key, &[1, 2], &new[0], (b"two", "m")).await.unwrap();
}
