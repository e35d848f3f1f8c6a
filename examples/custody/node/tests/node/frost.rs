//! Keys of FROST from their generation to a signature, with whatever goes wrong on the way.

use crate::common::{Cluster, administrator, approver, opaque, sign, stranger, verify};
use custody_core::{Answer, Material, Order, Reason};

#[tokio::test(flavor = "multi_thread")]
async fn key_of_each_scheme_signs() {
    let cluster = Cluster::start(3).await;
    for scheme in ["ed25519", "taproot", "ed448"] {
        let key = cluster.make_key(scheme, 2).await;
        for signers in [[1, 2], [2, 3], [1, 3]] {
            cluster.sign_frost(key, &signers, b"pay 5 to Carol").await.unwrap();
        }
        assert_eq!(cluster.info(1, key).await.spec.scheme.name(), scheme);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_order_gets_the_same_share_also_after_a_crash() {
    let mut cluster = Cluster::start(3).await;
    let key = cluster.make_key("ed25519", 2).await;
    let message = b"pay 5 to Carol";
    let package = cluster.package(key, &[1, 2], message).await;
    let (request, material) =
        (sign(key, &opaque(false, message)), Material::Nonces { package: package.clone() });
    let first = cluster.shares(&[1], &request, &[], &material).await.unwrap();
    assert_eq!(cluster.shares(&[1], &request, &[], &material).await.unwrap(), first);
    cluster.down(1).await;
    cluster.up(1).await.unwrap();
    assert_eq!(cluster.shares(&[1], &request, &[], &material).await.unwrap(), first);
    let second = cluster.shares(&[2], &request, &[], &material).await.unwrap();
    let info = cluster.info(2, key).await;
    assert!(verify(&info, &package, &[first, second].concat(), message).is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn nonces_are_spent_on_one_request() {
    let cluster = Cluster::start(3).await;
    let key = cluster.make_key("ed25519", 2).await;
    let package = cluster.package(key, &[1, 2], b"one").await;
    let material = Material::Nonces { package };
    let request = sign(key, &opaque(false, b"one"));
    cluster.shares(&[1], &request, &[], &material).await.unwrap();
    // The same message in another request.
    let refused = cluster.shares(&[1], &sign(key, &opaque(false, b"one")), &[], &material).await;
    assert_eq!(refused.unwrap_err().reason, Reason::UnknownMaterial);
}

#[tokio::test(flavor = "multi_thread")]
async fn package_with_another_message_is_refused() {
    let cluster = Cluster::start(3).await;
    let key = cluster.make_key("ed25519", 2).await;
    let material = Material::Nonces { package: cluster.package(key, &[1, 2], b"another").await };
    let refused = cluster.shares(&[1], &sign(key, &opaque(false, b"one")), &[], &material).await;
    assert_eq!(refused.unwrap_err().reason, Reason::WrongMaterial);
    // The nonces are still there for their message.
    let request = sign(key, &opaque(false, b"another"));
    cluster.shares(&[1], &request, &[], &material).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn package_with_more_signers_than_the_key_has_members_is_refused_before_it_is_decoded() {
    let cluster = Cluster::start(3).await;
    let key = cluster.make_key("ed25519", 2).await;
    let package = cluster.package(key, &[1, 2], b"one").await;
    // Two signers, of whom the first is node 1: its number, and two points of 32 bytes.
    let at = package.windows(4).position(|bytes| bytes == [0, 2, 0, 1]).unwrap();
    let (points, rest) = (&package[at + 4..at + 68], &package[at + 134..]);
    let mut longer = package[..at].to_vec();
    longer.extend(20_000_u16.to_be_bytes());
    for number in 1..=20_000_u16 {
        longer.extend(number.to_be_bytes());
        longer.extend(points);
    }
    longer.extend(rest);
    let request = sign(key, &opaque(false, b"one"));
    let material = Material::Nonces { package: longer };
    let refused = cluster.shares(&[1], &request, &[], &material).await.unwrap_err();
    assert_eq!(refused.reason, Reason::WrongMaterial);
    assert!(refused.detail.contains("longer than one of all members"), "{}", refused.detail);
    // The nonces are still there.
    let material = Material::Nonces { package };
    cluster.shares(&[1], &request, &[], &material).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn request_that_the_policy_denies_gets_no_share() {
    let cluster = Cluster::start(3).await;
    let key = cluster.make_key("ed25519", 2).await;
    let material = Material::Nonces { package: cluster.package(key, &[1, 2], b"deny this").await };
    let request = sign(key, &opaque(false, b"deny this"));
    for _ in 0..2 {
        let refused = cluster.shares(&[1], &request, &[], &material).await.unwrap_err();
        assert_eq!(
            (refused.reason, refused.policy.as_deref()),
            (Reason::PolicyDenied, Some("rules"))
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn request_waits_for_an_approval() {
    let cluster = Cluster::start(3).await;
    let key = cluster.make_key("ed25519", 2).await;
    let material = Material::Nonces { package: cluster.package(key, &[1, 2], b"ask first").await };
    let request = sign(key, &opaque(false, b"ask first"));
    let missing = cluster.shares(&[1], &request, &[], &material).await.unwrap_err();
    assert_eq!(missing.reason, Reason::ApprovalsMissing);
    // An approval of another request, and one of a stranger, count for nothing.
    let other = approver().approve(&sign(key, &opaque(false, b"ask first")));
    let strange = stranger().approve(&request);
    let missing = cluster.shares(&[1], &request, &[other, strange], &material).await.unwrap_err();
    assert_eq!(missing.reason, Reason::ApprovalsMissing);
    cluster.shares(&[1], &request, &[approver().approve(&request)], &material).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_without_key_or_role_are_refused() {
    let cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let material = Material::Nonces { package: cluster.package(key, &[1, 2], b"one").await };
    let (target, body) =
        (format!("/v1/keys/{key}/sign"), crate::common::body(&opaque(false, b"one"), None));
    for (signer, reason) in
        [(stranger(), Reason::UnknownCaller), (administrator(), Reason::RoleMissing)]
    {
        let request = signer.request(&target, &body);
        let refused = cluster.shares(&[1], &request, &[], &material).await.unwrap_err();
        assert_eq!(refused.reason, reason);
    }
    let mut altered = crate::common::requester().request(&target, &body);
    altered.body = crate::common::body(&opaque(false, b"two"), None).into();
    let refused = cluster.shares(&[1], &altered, &[], &material).await.unwrap_err();
    assert_eq!(refused.reason, Reason::BadSignature);
    let spec = r#"{"scheme":"ed25519","threshold":2,"members":[1,2]}"#;
    let request = crate::common::requester().request("/v1/keys", spec);
    let refused = cluster.order(1, Order::Generate { request, approvals: vec![] }).await;
    assert!(matches!(refused, Answer::Refused(why) if why.reason == Reason::RoleMissing));
}

#[tokio::test(flavor = "multi_thread")]
async fn key_signs_only_the_purposes_that_it_was_made_for() {
    let cluster = Cluster::start(2).await;
    let key = cluster.make_key_as(r#"{"scheme":"ed25519","threshold":2,"members":[1,2]}"#).await;
    let material = Material::Nonces { package: cluster.package(key, &[1, 2], b"one").await };
    let refused = cluster.shares(&[1], &sign(key, &opaque(false, b"one")), &[], &material).await;
    assert_eq!(refused.unwrap_err().reason, Reason::WrongPurpose);
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelled_request_gets_no_share() {
    let cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let request = sign(key, &opaque(false, b"one"));
    let callers = crate::common::callers().of_cluster("test");
    let id = request.verify(&callers, crate::common::now()).unwrap().id;
    let cancel = crate::common::requester().request(&format!("/v1/requests/{id}/cancel"), "");
    assert_eq!(cluster.order(1, Order::Cancel { request: cancel }).await, Answer::Done);
    let material = Material::Nonces { package: cluster.package(key, &[1, 2], b"one").await };
    let refused = cluster.shares(&[1], &request, &[], &material).await.unwrap_err();
    assert_eq!(refused.reason, Reason::Cancelled);
    assert_eq!(cluster.shares(&[2], &request, &[], &material).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn disabled_key_signs_nothing_until_it_is_enabled() {
    let cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let change = |action: &str, body: &str| Order::Change {
        request: administrator().request(&format!("/v1/keys/{key}/{action}"), body),
        approvals: vec![],
        certificate: None,
    };
    let refused = |why: custody_core::Refusal| assert_eq!(why.reason, Reason::KeyDisabled);
    assert_eq!(cluster.order(1, change("disable", "")).await, Answer::Done);
    refused(cluster.sign_frost(key, &[1, 2], b"one").await.unwrap_err());
    assert_eq!(cluster.order(1, change("enable", "")).await, Answer::Done);
    cluster.sign_frost(key, &[1, 2], b"one").await.unwrap();
    let at = format!(r#"{{"at":{}}}"#, crate::common::now() + 1000);
    assert_eq!(cluster.order(1, change("schedule-deletion", &at)).await, Answer::Done);
    refused(cluster.sign_frost(key, &[1, 2], b"two").await.unwrap_err());
    let enabled = cluster.order(1, change("enable", "")).await;
    assert!(matches!(enabled, Answer::Refused(why) if why.reason == Reason::KeyDisabled));
    assert_eq!(cluster.order(1, change("cancel-deletion", "")).await, Answer::Done);
    assert_eq!(cluster.order(1, change("enable", "")).await, Answer::Done);
    cluster.sign_frost(key, &[1, 2], b"two").await.unwrap();
}
