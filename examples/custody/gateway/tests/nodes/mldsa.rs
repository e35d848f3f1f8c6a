//! Keys of ML-DSA, from their generation to signatures that another library verifies, through crashes and lies.

use custody_core::{DerivationPath, KeyId, RequestDescription, RequestState, Service as _};
use custody_gateway::Gateway;
use ml_dsa::MlDsa65;
use ml_dsa::pkcs8::DecodePublicKey as _;
use quorate_purpose::{OpaqueMessage, Purpose};

use crate::cluster::Cluster;
use crate::common::{party, reason, until};
use crate::lifecycle::{NONE, make_key};

async fn sign(
    cluster: &Cluster,
    gateway: &Gateway,
    key: KeyId,
    (message, context): (&[u8], &[u8]),
) -> RequestDescription {
    let purpose = Purpose::from(OpaqueMessage::raw(message).unwrap());
    let request = cluster.world.requester.sign_request_under(key, purpose, ("m", context), 60);
    cluster.world.end_of(gateway, &request).await
}

/// Signs, and verifies under the key as the gateway gives it to certificate authorities.
async fn signs(cluster: &Cluster, gateway: &Gateway, key: KeyId, message: &[u8], context: &[u8]) {
    let done = sign(cluster, gateway, key, (message, context)).await;
    assert_eq!(done.state, RequestState::Done, "{done:?}");
    let made = done.signature.unwrap();
    let spki = gateway.key(key, None).await.unwrap().spki.unwrap();
    let public = ml_dsa::VerifyingKey::<MlDsa65>::from_public_key_pem(&spki).unwrap();
    assert_eq!(public.encode()[..], made.public_key[..]);
    let signature = ml_dsa::Signature::<MlDsa65>::try_from(&made.signature[..]).unwrap();
    assert!(public.verify_with_context(message, context, &signature));
}

#[tokio::test(flavor = "multi_thread")]
async fn key_of_ml_dsa_signs_though_nodes_are_killed() {
    let mut cluster = Cluster::start("mldsa", 3, NONE).await;
    let gateway = cluster.gateway();
    let key = make_key(&cluster, &gateway, "ml-dsa-65").await;
    for number in 0..5_u8 {
        signs(&cluster, &gateway, key, &[number], b"").await;
    }
    signs(&cluster, &gateway, key, b"firmware 7", b"releases").await;
    // A node is killed while requests are under way, and comes back.
    let world = &cluster.world;
    let requests =
        [0, 1, 2, 3_u8].map(|number| world.requester.sign_request(key, &[9, number], 60));
    for request in &requests {
        world.submit(&gateway, request, 0).await.unwrap();
    }
    cluster.down(1).await;
    signs(&cluster, &gateway, key, b"without node 1", b"").await;
    cluster.up(1).await;
    for request in &requests {
        let done = cluster.world.end_of(&gateway, request).await;
        assert_eq!(done.state, RequestState::Done, "{done:?}");
    }
    // A gateway that comes back knows no attempt that was under way.
    drop(gateway);
    let gateway = cluster.gateway();
    signs(&cluster, &gateway, key, b"by another gateway", b"").await;
    let metrics = gateway.metrics().await.unwrap();
    assert!(metrics.nodes.values().all(|node| node.cheated.is_none()));
    assert!(!metrics.stock.contains_key(&key), "nothing is made ahead");
}

#[tokio::test(flavor = "multi_thread")]
async fn request_is_signed_by_others_if_a_signer_lies() {
    let cluster = Cluster::start("mldsa-liar", 3, NONE).await;
    let gateway = cluster.gateway();
    let key = make_key(&cluster, &gateway, "ml-dsa-65").await;
    cluster.liars.lock().unwrap().push(party(1));
    signs(&cluster, &gateway, key, b"one", b"").await;
    // Those that it lied to say so. It proves nothing to the gateway.
    until(&gateway, "accused", |metrics| {
        let accuses = |number| metrics.nodes[&party(number)].accuses.clone();
        [2, 3].iter().any(|number| accuses(*number).iter().any(|one| one.party == party(1)))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_ml_dsa_does_not_have_are_refused() {
    let cluster = Cluster::start("mldsa-refused", 3, NONE).await;
    let gateway = cluster.gateway();
    let key = make_key(&cluster, &gateway, "ml-dsa-65").await;
    let denied = sign(&cluster, &gateway, key, (b"deny this", b"")).await;
    assert_eq!((denied.state, reason(&denied).as_str()), (RequestState::Refused, "policy-denied"));
    let world = &cluster.world;
    let refresh = world.administrator.request(&format!("/v1/keys/{key}/refresh"), "", 60);
    let refused = world.end_of(&gateway, &refresh).await;
    assert_eq!((refused.state, reason(&refused).as_str()), (RequestState::Refused, "unsupported"));
    let target = format!("/v1/keys/{key}/replenish");
    let replenish = world.administrator.request(&target, r#"{"count":5}"#, 60);
    let refused = world.submit(&gateway, &replenish, 0).await.unwrap_err();
    assert_eq!(refused.reason.name(), "unsupported");
    let described = gateway.key(key, None).await.unwrap();
    assert_eq!((described.root, described.stock), (None, 0));
    assert!(gateway.key(key, Some("m/1".parse::<DerivationPath>().unwrap().into())).await.is_err());
}
