//! Refusals, whatever a gateway does: contradictions, more than the policy counts, hostile orders.

use custody_core::{Answer, EarlierAttempt, Material, Order, OrderMessage, Reason};
use quorate_purpose::comet::{BlockId, Place, Vote, VoteStep};
use quorate_purpose::{Purpose, Time};

use crate::common::cluster::party;
use crate::common::{Cluster, administrator, body, opaque, requester, sign, verify};

pub(crate) fn vote(height: u64, block: u8) -> Purpose {
    vote_at(height, block, 1)
}

fn vote_at(height: u64, block: u8, seconds: i64) -> Purpose {
    let place = Place::new("chain-1", height, 0).unwrap();
    let block = BlockId { hash: [block; 32], parts: 1, parts_hash: [2; 32] };
    let time = Time::from_seconds(seconds);
    Purpose::from(Vote::new(VoteStep::Prevote, place, Some(block), time).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn contradicting_vote_is_refused_also_after_a_restart() {
    let mut cluster = Cluster::start(3).await;
    let spec =
        r#"{"scheme":"ed25519","threshold":2,"members":[1,2,3],"purposes":["cometbft-vote"]}"#;
    let key = cluster.make_key_as(spec).await;
    for (height, block, reason) in [
        (5, 1, None),
        (5, 1, None),
        (5, 2, Some(Reason::Watermark)),
        (4, 1, Some(Reason::Watermark)),
        (6, 2, None),
        (5, 1, Some(Reason::Watermark)),
    ] {
        let vote = vote(height, block);
        let message = vote.message(quorate_purpose::KeyKind::Ed25519).unwrap();
        let package = cluster.package(key, &[1, 2], message.raw().unwrap()).await;
        let (request, material) = (sign(key, &vote.to_bytes()), Material::Nonces { package });
        let shares = cluster.shares(&[1], &request, &[], &material).await;
        assert_eq!(shares.err().map(|why| why.reason), reason, "{height}, {block}");
        cluster.down(1).await;
        cluster.up(1).await.unwrap();
    }
}

/// The gateway of this test is hostile: it shows each node what it likes.
#[tokio::test(flavor = "multi_thread")]
async fn vote_with_another_time_gets_the_share_of_the_first_whatever_a_gateway_orders() {
    let mut cluster = Cluster::start(3).await;
    let spec =
        r#"{"scheme":"ed25519","threshold":2,"members":[1,2,3],"purposes":["cometbft-vote"]}"#;
    let key = cluster.make_key_as(spec).await;
    let first = sign(key, &vote_at(5, 1, 10).to_bytes());
    let message = vote_at(5, 1, 10).message(quorate_purpose::KeyKind::Ed25519).unwrap();
    let package = cluster.package(key, &[1, 2], message.raw().unwrap()).await;
    let material = Material::Nonces { package };
    let [(_, share)] = &cluster.shares(&[1], &first, &[], &material).await.unwrap()[..] else {
        panic!("one signer")
    };
    let recorded =
        EarlierAttempt { request: first.clone(), material: material.clone(), share: share.clone() };
    let other = vote_at(5, 1, 11);
    for down in [false, true] {
        if down {
            cluster.down(1).await;
            cluster.up(1).await.unwrap();
        }
        let raw = other.message(quorate_purpose::KeyKind::Ed25519).unwrap();
        let own = cluster.package(key, &[1, 3], raw.raw().unwrap()).await;
        // Under a nonce of its own, with its own material and with the first one's.
        for material in [Material::Nonces { package: own }, material.clone()] {
            let request = sign(key, &other.to_bytes());
            let order = Order::Sign { request, approvals: vec![], material };
            let answer = cluster.order(1, order).await;
            assert_eq!(answer, Answer::Earlier(Box::new(recorded.clone())));
        }
        // The order of the first gives the same share, and a contradiction gives none.
        let again = cluster.shares(&[1], &first, &[], &material).await.unwrap();
        assert_eq!(again[0].1, *share);
        let raw = vote_at(5, 2, 10).message(quorate_purpose::KeyKind::Ed25519).unwrap();
        let package = cluster.package(key, &[1, 2], raw.raw().unwrap()).await;
        let conflict = sign(key, &vote_at(5, 2, 10).to_bytes());
        let refused = cluster.shares(&[1], &conflict, &[], &Material::Nonces { package }).await;
        assert_eq!(refused.unwrap_err().reason, Reason::Watermark);
    }
    // A node that is bound to nothing signs the other time stamp, and the first one no more.
    let raw = other.message(quorate_purpose::KeyKind::Ed25519).unwrap();
    let package = cluster.package(key, &[2, 3], raw.raw().unwrap()).await;
    let request = sign(key, &other.to_bytes());
    let other_material = Material::Nonces { package };
    cluster.shares(&[2], &request, &[], &other_material).await.unwrap();
    let order = Order::Sign { request: first, approvals: vec![], material };
    let Answer::Earlier(recorded) = cluster.order(2, order).await else { panic!("no record") };
    assert_eq!((recorded.request, recorded.material), (request, other_material));
}

#[tokio::test(flavor = "multi_thread")]
async fn counters_of_the_policy_count_a_request_once() {
    let mut cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let mut sign_as = Vec::new();
    for message in ["count 1", "count 2", "count 3"] {
        let request = sign(key, &opaque(false, message.as_bytes()));
        sign_as.push((request, message));
    }
    for (request, message) in &sign_as[..2] {
        for _ in 0..3 {
            // Each time of other nonces.
            let package = cluster.package(key, &[1, 2], message.as_bytes()).await;
            let material = Material::Nonces { package };
            cluster.shares(&[1], request, &[], &material).await.unwrap();
        }
        cluster.down(1).await;
        cluster.up(1).await.unwrap();
    }
    let (request, message) = &sign_as[2];
    let material =
        Material::Nonces { package: cluster.package(key, &[1, 2], message.as_bytes()).await };
    let refused = cluster.shares(&[1], request, &[], &material).await.unwrap_err();
    assert_eq!(refused.reason, Reason::PolicyDenied);
}

#[tokio::test(flavor = "multi_thread")]
async fn counters_of_the_policy_count_keys_that_are_made() {
    let cluster = Cluster::start(2).await;
    let spec = r#"{"scheme":"ed25519","threshold":2,"members":[1,2],"scope":"count"}"#;
    cluster.make_key_as(spec).await;
    cluster.make_key_as(spec).await;
    let request = administrator().request("/v1/keys", spec);
    let answer = cluster.order(1, Order::Generate { request, approvals: vec![] }).await;
    assert!(
        matches!(&answer, Answer::Refused(why) if why.reason == Reason::PolicyDenied),
        "{answer:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn shares_for_one_request_are_limited() {
    let mut cluster = Cluster::start(2).await;
    cluster.limits.attempts = 2;
    cluster.down(1).await;
    cluster.up(1).await.unwrap();
    let key = cluster.make_key("ed25519", 2).await;
    let request = sign(key, &opaque(false, b"one"));
    let mut answers = Vec::new();
    for _ in 0..3 {
        let material = Material::Nonces { package: cluster.package(key, &[1, 2], b"one").await };
        answers.push(cluster.shares(&[1], &request, &[], &material).await.map(drop));
    }
    let refused = answers.pop().unwrap().unwrap_err();
    assert_eq!((answers, refused.reason), (vec![Ok(()), Ok(())], Reason::Limit));
}

#[tokio::test(flavor = "multi_thread")]
async fn second_request_under_one_nonce_is_refused() {
    let cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let target = format!("/v1/keys/{key}/sign");
    let expires = crate::common::now() + 60;
    let request = |message: &[u8]| {
        let body = body(&opaque(false, message), None);
        requester().request_with(&target, &body, "the-same-nonce-0", expires)
    };
    let material = Material::Nonces { package: cluster.package(key, &[1, 2], b"one").await };
    cluster.shares(&[1], &request(b"one"), &[], &material).await.unwrap();
    let material = Material::Nonces { package: cluster.package(key, &[1, 2], b"two").await };
    let refused = cluster.shares(&[1], &request(b"two"), &[], &material).await.unwrap_err();
    assert_eq!(refused.reason, Reason::RequestConflict);
}

#[tokio::test(flavor = "multi_thread")]
async fn request_after_its_deadline_is_refused() {
    let cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let request = sign(key, &opaque(false, b"one"));
    let material = Material::Nonces { package: cluster.package(key, &[1, 2], b"one").await };
    cluster.wait(120);
    let refused = cluster.shares(&[1], &request, &[], &material).await.unwrap_err();
    assert_eq!(refused.reason, Reason::Expired);
}

#[tokio::test(flavor = "multi_thread")]
async fn altered_orders_give_no_share_and_do_no_harm() {
    let cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let material = Material::Nonces { package: cluster.package(key, &[1, 2], b"one").await };
    let request = sign(key, &opaque(false, b"one"));
    let order =
        Order::Sign { request: request.clone(), approvals: vec![], material: material.clone() };
    let bytes = OrderMessage { number: 1, order }.to_bytes().unwrap();
    let mut shares = 0;
    for place in (0..bytes.len()).step_by(3) {
        let mut altered = bytes.clone();
        altered[place] ^= 0x11;
        let Ok(OrderMessage { order, .. }) = OrderMessage::from_bytes(&altered) else { continue };
        match cluster.order(1, order).await {
            // The number of the order, or a part of the package that is another's.
            Answer::Share { .. } => shares += 1,
            Answer::Refused(why) => assert_ne!(why.reason, Reason::Internal, "{place}: {why}"),
            other => panic!("{place}: {other:?}"),
        }
    }
    assert!(shares <= 4, "{shares}");
    cluster.sign_frost(key, &[1, 2], b"two").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_about_unknown_keys_and_wrong_operations_are_refused() {
    let cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let unknown = custody_core::KeyId::new([1; 32]);
    let sign = sign(unknown, &opaque(false, b"one"));
    let refresh = administrator().request(&format!("/v1/keys/{key}/refresh"), "");
    let none = || vec![];
    let material = || Material::Nonces { package: vec![1, 2, 3] };
    for (order, reason) in [
        (
            Order::Sign { request: sign.clone(), approvals: none(), material: material() },
            Reason::UnknownKey,
        ),
        (
            Order::Sign { request: refresh.clone(), approvals: none(), material: material() },
            Reason::Malformed,
        ),
        (Order::Generate { request: refresh.clone(), approvals: none() }, Reason::Malformed),
        (
            Order::Change { request: sign.clone(), approvals: none(), certificate: None },
            Reason::Malformed,
        ),
        (Order::Cancel { request: sign.clone() }, Reason::Malformed),
        (Order::Audit { request: sign }, Reason::Malformed),
        (Order::Stock { key: unknown, after: None }, Reason::UnknownKey),
        (Order::Agree { key: unknown, statements: vec![] }, Reason::UnknownKey),
    ] {
        let name = order.name();
        let answer = cluster.order(1, order).await;
        assert!(
            matches!(&answer, Answer::Refused(why) if why.reason == reason),
            "{name}: {answer:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_that_come_at_once_are_answered_each_by_its_own() {
    let cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let nonces = Order::Nonces { key, count: 48 };
    for number in [1, 2] {
        assert_eq!(cluster.order(number, nonces.clone()).await, Answer::Done);
    }
    let info = cluster.info(1, key).await;
    let mut packages = Vec::new();
    for at in 0..48 {
        let message = format!("{} {at}", if at % 5 == 0 { "deny" } else { "pay" });
        let package = cluster.package_at(&info, &[1, 2], message.as_bytes(), at).await;
        packages.push((message, package));
    }
    let mut tasks = Vec::new();
    for (at, (message, package)) in packages.iter().enumerate() {
        let request = sign(key, &opaque(false, message.as_bytes()));
        let material = Material::Nonces { package: package.clone() };
        let order = Order::Sign { request, approvals: vec![], material };
        for number in [1, 2, 1] {
            let (node, order) = (cluster.node(number), order.clone());
            tasks.push((at, number, tokio::spawn(async move { node.order(order).await })));
        }
    }
    let mut shares = std::collections::BTreeMap::<usize, Vec<(u8, Vec<u8>)>>::new();
    for (at, number, task) in tasks {
        match task.await.unwrap() {
            Answer::Share { bytes } => shares.entry(at).or_default().push((number, bytes)),
            Answer::Refused(why) => assert_eq!((at % 5, why.reason), (0, Reason::PolicyDenied)),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(shares.len(), 38);
    for (at, shares) in shares {
        let [(_, first), (_, second), (_, again)] = &shares[..] else { panic!("{at}") };
        assert_eq!(first, again);
        let all = [(party(1), first.clone()), (party(2), second.clone())];
        let (message, package) = &packages[at];
        assert!(verify(&info, package, &all, message.as_bytes()).is_some());
    }
}
