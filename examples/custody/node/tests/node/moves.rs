//! Votes of validators after their keys have moved: no two sets of signers contradict each other, whichever committee they are of.

use custody_core::{Answer, KeyId, Material, Order, Reason, Refusal};
use quorate_purpose::KeyKind;

use crate::certificates::certificate;
use crate::common::{Cluster, administrator, sign};
use crate::refresh::agree;
use crate::safety::vote;

/// A key of nodes 1, 2 and 3, with a threshold of 2.
pub(crate) async fn key_of_three(cluster: &Cluster, purpose: &str) -> KeyId {
    let spec = format!(
        r#"{{"scheme":"ed25519","threshold":2,"members":[1,2,3],"purposes":["{purpose}"]}}"#
    );
    let request = administrator().request("/v1/keys", &spec);
    let answers = cluster.until(&[1, 2, 3], &Order::Generate { request, approvals: vec![] }).await;
    let Answer::Made { key } = answers[0] else { panic!("{answers:?}") };
    key
}

/// An order to move a key that nodes 1, 2 and 3 hold.
pub(crate) async fn reshare(cluster: &Cluster, key: KeyId, threshold: u8, to: &[u8]) -> Order {
    let certificate = Some(Box::new(certificate(cluster, key).await));
    let body = format!(r#"{{"threshold":{threshold},"members":{to:?}}}"#);
    let request = administrator().request(&format!("/v1/keys/{key}/reshare"), &body);
    Order::Change { request, approvals: vec![], certificate }
}

/// Shares of these nodes for a vote: the first refusal, if there is one.
async fn sign_vote(cluster: &Cluster, key: KeyId, by: &[u8], block: u8) -> Option<Reason> {
    let vote = vote(5, block);
    let message = vote.message(KeyKind::Ed25519).unwrap();
    let package = cluster.package(key, by, message.raw().unwrap()).await;
    let (request, material) = (sign(key, &vote.to_bytes()), Material::Nonces { package });
    let shares: Result<_, Refusal> = cluster.shares(by, &request, &[], &material).await;
    shares.err().map(|why| why.reason)
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_that_join_sign_no_vote_until_an_operator_accepts_what_they_know() {
    let mut cluster = Cluster::start(5).await;
    let key = key_of_three(&cluster, "cometbft-vote").await;
    assert_eq!(sign_vote(&cluster, key, &[1, 2], 1).await, None);
    let order = reshare(&cluster, key, 2, &[2, 4, 5]).await;
    // The first node is a dealer.
    let answers = cluster.until(&[1, 2, 4, 5], &order).await;
    assert_eq!(answers, vec![Answer::Done; 4]);
    agree(&cluster, key, &[1, 2, 3, 4, 5]).await;
    // Neither has heard of the first vote.
    assert_eq!(sign_vote(&cluster, key, &[4, 5], 2).await, Some(Reason::RolledBack));
    cluster.down(4).await;
    cluster.up(4).await.unwrap();
    assert_eq!(sign_vote(&cluster, key, &[4, 5], 2).await, Some(Reason::RolledBack));
    assert_eq!(sign_vote(&cluster, key, &[2, 4], 2).await, Some(Reason::Watermark));
    for number in [4, 5] {
        cluster.node(number).accept_watermarks(key).await.unwrap();
    }
    assert_eq!(sign_vote(&cluster, key, &[4, 5], 3).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn fewer_signers_than_knew_of_each_vote_sign_none() {
    let cluster = Cluster::start(5).await;
    let spec =
        r#"{"scheme":"ed25519","threshold":3,"members":[1,2,3,4,5],"purposes":["cometbft-vote"]}"#;
    let key = cluster.make_key_as(spec).await;
    assert_eq!(sign_vote(&cluster, key, &[3, 4, 5], 1).await, None);
    let change = |threshold: u8, to: &[u8]| {
        let body = format!(r#"{{"threshold":{threshold},"members":{to:?}}}"#);
        let request = administrator().request(&format!("/v1/keys/{key}/reshare"), &body);
        Order::Change { request, approvals: vec![], certificate: None }
    };
    // Each of the two changes alone keeps a node that knows of the vote among any signers.
    for (threshold, to) in [(4_u8, &[1_u8, 2, 3, 4, 5][..]), (2, &[1, 2, 3])] {
        let dealers = [1, 2, 3, 4];
        let parties = if to.len() > dealers.len() { to } else { &dealers };
        let answers = cluster.until(parties, &change(threshold, to)).await;
        assert!(answers.iter().all(|answer| *answer == Answer::Done), "{answers:?}");
        agree(&cluster, key, &[1, 2, 3, 4, 5]).await;
    }
    assert_eq!(sign_vote(&cluster, key, &[1, 2], 2).await, Some(Reason::RolledBack));
}

#[tokio::test(flavor = "multi_thread")]
async fn members_that_stay_sign_votes_after_a_change() {
    let cluster = Cluster::start(3).await;
    let key = key_of_three(&cluster, "cometbft-vote").await;
    assert_eq!(crate::refresh::refresh(&cluster, key).await, Some(1));
    assert_eq!(sign_vote(&cluster, key, &[1, 2], 1).await, None);
    assert_eq!(sign_vote(&cluster, key, &[2, 3], 2).await, Some(Reason::Watermark));
}
