//! Databases that were restored to older copies, and nodes that restart together.

use crate::common::{Cluster, opaque, sign};
use crate::refresh::refresh;
use crate::safety::vote;
use custody_core::{KeyId, Material, Reason, Refusal};
use quorate_purpose::KeyKind;

/// Three nodes that witness each other, and a key.
async fn cluster() -> (Cluster, KeyId) {
    let mut cluster = Cluster::start(3).await;
    for number in [1, 2, 3] {
        cluster.down(number).await;
    }
    cluster.up_together(&[1, 2, 3]).await;
    let key = cluster.make_key("ed25519", 2).await;
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
        // The nonces that were spent are not there a second time, for whatever request.
        let other = sign(key, &opaque(false, b"one"));
        let refused = cluster.shares(&[1], &other, &[], &material).await.unwrap_err();
        assert_eq!(refused.reason, Reason::UnknownMaterial, "{names:?}");
        cluster.sign_frost(key, &[1, 2], b"two").await.unwrap();
    }
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

/// The share of node 1 for a vote.
async fn sign_vote(cluster: &Cluster, key: KeyId, height: u64, block: u8) -> Result<(), Refusal> {
    let vote = vote(height, block);
    let message = vote.message(KeyKind::Ed25519).unwrap();
    let package = cluster.package(key, &[1, 2], message.raw().unwrap()).await;
    let (request, material) = (sign(key, &vote.to_bytes()), Material::Nonces { package });
    cluster.shares(&[1], &request, &[], &material).await.map(drop)
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
    assert_eq!(refresh(&cluster, key).await, None);
    let mut highest = 0;
    for number in [2, 3] {
        highest = highest.max(cluster.node(number).highest_epoch(key).await.unwrap());
    }
    assert_eq!(highest, 1);
    cluster.node(1).rejoin(key, highest).await.unwrap();
    // It votes again above the epoch after that one.
    assert_eq!(refresh(&cluster, key).await, None);
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
