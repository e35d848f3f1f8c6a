//! New shares of a key: the run, the agreement that gateways carry, and the end of the old shares.

use crate::common::{Cluster, administrator, opaque, requester, sign};
use custody_core::{Answer, KeyId, Material, Order, Reason, SignedRequest};
use quorate::ecdsa::{P256, Secp256k1};

pub(crate) fn change(request: SignedRequest) -> Order {
    Order::Change { request, approvals: vec![], certificate: None }
}

/// Carries the statements of each node to all, until all are done.
pub(crate) async fn agree(cluster: &Cluster, key: KeyId, members: &[u8]) -> u32 {
    agreed(cluster, key, members).await.unwrap()
}

/// The epoch in which all are done, if they come to that.
pub(crate) async fn agreed(cluster: &Cluster, key: KeyId, members: &[u8]) -> Option<u32> {
    let mut statements = Vec::<Vec<u8>>::new();
    for _ in 0..6 {
        let mut done_in = Vec::new();
        for number in members {
            let order = Order::Agree { key, statements: statements.clone() };
            match cluster.order(*number, order).await {
                Answer::Agreement { statements: said, epoch, done } => {
                    done_in.extend(done.then_some(epoch));
                    for one in said {
                        if !statements.contains(&one) {
                            statements.push(one);
                        }
                    }
                }
                other => panic!("{other:?}"),
            }
        }
        if done_in.len() == members.len() {
            return done_in.first().copied();
        }
    }
    None
}

/// Refreshes a key of three nodes; gives the new epoch, if they agree upon it.
pub(crate) async fn refresh(cluster: &Cluster, key: KeyId) -> Option<u32> {
    let request = administrator().request(&format!("/v1/keys/{key}/refresh"), "");
    let answers = cluster.until(&[1, 2, 3], &change(request)).await;
    assert!(answers.iter().all(|answer| *answer == Answer::Done), "{answers:?}");
    agreed(cluster, key, &[1, 2, 3]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn key_is_refreshed_again_and_again() {
    let cluster = Cluster::start(3).await;
    let key = cluster.make_key("ed448", 2).await;
    for epoch in 1..4 {
        assert_eq!(refresh(&cluster, key).await, Some(epoch));
        cluster.sign_frost(key, &[1, 3], b"one").await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn refreshed_key_signs_with_new_shares_and_the_old_ones_are_gone() {
    let cluster = Cluster::start(3).await;
    let key = cluster.make_key("ed25519", 2).await;
    let before = cluster.info(1, key).await;
    let old = cluster.package(key, &[1, 2], b"old").await;
    let request = administrator().request(&format!("/v1/keys/{key}/refresh"), "");
    let answers = cluster.until(&[1, 2, 3], &change(request)).await;
    assert!(answers.iter().all(|answer| *answer == Answer::Done), "{answers:?}");
    // Until the nodes agree, the old shares sign.
    assert_eq!(cluster.info(1, key).await.epoch, 0);
    cluster.sign_frost(key, &[1, 3], b"between").await.unwrap();
    assert_eq!(agree(&cluster, key, &[1, 2, 3]).await, 1);
    let after = cluster.info(1, key).await;
    assert_eq!((after.epoch, &after.public_key), (1, &before.public_key));
    assert_ne!(after.package, before.package);
    cluster.sign_frost(key, &[2, 3], b"after").await.unwrap();
    // What was made with the old shares went with them.
    let material = Material::Nonces { package: old };
    let refused = cluster.shares(&[1], &sign(key, &opaque(false, b"old")), &[], &material).await;
    assert_eq!(refused.unwrap_err().reason, Reason::UnknownMaterial);
}

#[tokio::test(flavor = "multi_thread")]
async fn refresh_survives_a_crash_at_each_step() {
    let mut cluster = Cluster::start(3).await;
    let key = cluster.make_key("taproot", 2).await;
    let request = administrator().request(&format!("/v1/keys/{key}/refresh"), "");
    let order = change(request);
    for number in [1, 2, 3] {
        assert_eq!(cluster.order(number, order.clone()).await, Answer::Pending);
        cluster.down(number).await;
        cluster.up(number).await.unwrap();
    }
    let answers = cluster.until(&[1, 2, 3], &order).await;
    assert!(answers.iter().all(|answer| *answer == Answer::Done), "{answers:?}");
    let mut statements = Vec::<Vec<u8>>::new();
    for round in 0..4 {
        for number in [1, 2, 3] {
            cluster.down(number).await;
            cluster.up(number).await.unwrap();
            let answer =
                cluster.order(number, Order::Agree { key, statements: statements.clone() }).await;
            let Answer::Agreement { statements: said, .. } = answer else {
                panic!("{round}: {answer:?}")
            };
            statements.extend(said);
        }
    }
    assert_eq!(agree(&cluster, key, &[1, 2, 3]).await, 1);
    cluster.sign_frost(key, &[1, 2], b"after").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn statements_of_nobody_change_nothing() {
    let cluster = Cluster::start(3).await;
    let key = cluster.make_key("ed25519", 2).await;
    let request = administrator().request(&format!("/v1/keys/{key}/refresh"), "");
    cluster.until(&[1, 2, 3], &change(request)).await;
    let Answer::Agreement { statements, .. } =
        cluster.order(1, Order::Agree { key, statements: vec![] }).await
    else {
        panic!("no agreement")
    };
    // Those of one member, in every altered form.
    let mut altered = Vec::new();
    for statement in &statements {
        for place in 0..statement.len() {
            let mut one = statement.clone();
            one[place] ^= 1;
            altered.push(one);
        }
    }
    for chunk in altered.chunks(200) {
        let order = Order::Agree { key, statements: chunk.to_vec() };
        let answer = cluster.order(2, order).await;
        assert!(matches!(answer, Answer::Agreement { done: false, .. }), "{answer:?}");
    }
    assert_eq!(agree(&cluster, key, &[1, 2, 3]).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn requester_changes_no_key() {
    let cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let request = requester().request(&format!("/v1/keys/{key}/refresh"), "");
    let answer = cluster.order(1, change(request)).await;
    assert!(matches!(answer, Answer::Refused(why) if why.reason == Reason::RoleMissing));
}

#[tokio::test(flavor = "multi_thread")]
async fn key_moves_to_a_node_that_joins_and_the_one_that_left_forgets_it() {
    let cluster = Cluster::start(4).await;
    cluster.search_primes().await;
    let spec = r#"{"scheme":"ecdsa-secp256k1","threshold":2,"members":[1,2,3],"purposes":["opaque-message"]}"#;
    let request = administrator().request("/v1/keys", spec);
    let answers = cluster.until(&[1, 2, 3], &Order::Generate { request, approvals: vec![] }).await;
    let Answer::Made { key } = answers[0] else { panic!("{answers:?}") };
    let certificate = crate::certificates::certificate(&cluster, key).await;
    let body = r#"{"threshold":2,"members":[2,3,4]}"#;
    let request = administrator().request(&format!("/v1/keys/{key}/reshare"), body);
    let unknown = cluster.order(4, change(request.clone())).await;
    assert!(
        matches!(&unknown, Answer::Refused(why) if why.reason == Reason::UnknownKey),
        "{unknown:?}"
    );
    let order =
        Order::Change { request, approvals: vec![], certificate: Some(Box::new(certificate)) };
    let answers = cluster.until(&[2, 3, 4], &order).await;
    assert!(answers.iter().all(|answer| *answer == Answer::Done), "{answers:?}");
    assert_eq!(agree(&cluster, key, &[2, 3, 4, 1]).await, 1);
    assert!(!cluster.node(1).has_key(key).await.unwrap());
    let ahead = cluster.presign(key, &[2, 4], 5, 1).await;
    cluster.sign_ecdsa::<Secp256k1>(key, &[2, 4], &ahead[0], (b"moved", "m/1")).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn second_change_to_strangers_in_one_epoch_is_refused() {
    let cluster = Cluster::start(5).await;
    let spec = r#"{"scheme":"ed25519","threshold":2,"members":[1,2,3]}"#;
    let request = administrator().request("/v1/keys", spec);
    let answers = cluster.until(&[1, 2, 3], &Order::Generate { request, approvals: vec![] }).await;
    let Answer::Made { key } = answers[0] else { panic!("{answers:?}") };
    let reshare = |members: &str| {
        let body = format!(r#"{{"threshold":2,"members":{members}}}"#);
        change(administrator().request(&format!("/v1/keys/{key}/reshare"), &body))
    };
    assert_eq!(cluster.order(1, reshare("[1,2,4]")).await, Answer::Pending);
    let refused = cluster.order(1, reshare("[4,5]")).await;
    assert!(
        matches!(&refused, Answer::Refused(why) if why.reason == Reason::RequestConflict),
        "{refused:?}"
    );
    assert_eq!(cluster.order(1, reshare("[1,2,5]")).await, Answer::Pending);
}

#[tokio::test(flavor = "multi_thread")]
async fn presignatures_of_old_shares_are_gone_after_a_refresh() {
    let cluster = Cluster::start(2).await;
    cluster.search_primes().await;
    let key = cluster.make_key("ecdsa-p256", 2).await;
    let old = cluster.presign(key, &[1, 2], 1, 1).await;
    let request = administrator().request(&format!("/v1/keys/{key}/refresh"), "");
    cluster.until(&[1, 2], &change(request)).await;
    assert_eq!(agree(&cluster, key, &[1, 2]).await, 1);
    let refused = cluster.sign_ecdsa::<P256>(key, &[1, 2], &old[0], (b"one", "m")).await;
    assert_eq!(refused.unwrap_err().reason, Reason::UnknownMaterial);
    let ahead = cluster.presign(key, &[1, 2], 2, 1).await;
    cluster.sign_ecdsa::<P256>(key, &[1, 2], &ahead[0], (b"one", "m")).await.unwrap();
}
