//! The life of keys: made, used, refreshed, through crashes of nodes and losses of the network.

use std::time::Duration;

use custody_core::{DerivationPath, KeyId, RequestState, Service as _};
use custody_gateway::Gateway;
use custody_nats::memory::Faults;

use crate::cluster::Cluster;
use crate::common::{party, reason, until, verify_ed25519};

pub const NONE: Faults = Faults { lost: 0, repeated: 0, delay: Duration::ZERO };

pub async fn make_key(cluster: &Cluster, gateway: &Gateway, scheme: &str) -> KeyId {
    let body = format!(
        r#"{{"scheme":"{scheme}","threshold":2,"members":[1,2,3],"purposes":["opaque-message"]}}"#
    );
    let request = cluster.world.administrator.request("/v1/keys", &body, 120);
    let made = cluster.world.end_of(gateway, &request).await;
    assert_eq!(made.state, RequestState::Done, "{made:?}");
    made.key.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn key_is_made_signs_is_refreshed_and_signs_through_losses_and_crashes() {
    let faults = Faults { lost: 50, repeated: 100, delay: Duration::from_millis(10) };
    let mut cluster = Cluster::start("ed25519", 3, faults).await;
    let gateway = cluster.gateway();
    let key = make_key(&cluster, &gateway, "ed25519").await;
    for number in 0..5_u8 {
        let request = cluster.world.requester.sign_request(key, &[number], 60);
        verify_ed25519(&cluster.world.end_of(&gateway, &request).await, &[number]);
    }
    cluster.down(1).await;
    let request = cluster.world.requester.sign_request(key, b"without node 1", 60);
    verify_ed25519(&cluster.world.end_of(&gateway, &request).await, b"without node 1");
    cluster.up(1).await;
    let target = format!("/v1/keys/{key}/refresh");
    let refresh = cluster.world.administrator.request(&target, "", 120);
    let done = cluster.world.end_of(&gateway, &refresh).await;
    assert_eq!(done.state, RequestState::Done, "{done:?}");
    assert_eq!(gateway.key(key, None).await.unwrap().epoch, 1);
    // A crash of everybody: the gateway continues, and the nodes find their shares.
    drop(gateway);
    for number in 1..=3 {
        cluster.down(number).await;
        cluster.up(number).await;
    }
    let gateway = cluster.gateway();
    let request = cluster.world.requester.sign_request(key, b"after all", 60);
    verify_ed25519(&cluster.world.end_of(&gateway, &request).await, b"after all");
    let metrics = gateway.metrics().await.unwrap();
    assert!(metrics.nodes.values().all(|node| node.cheated.is_none()));
}

#[tokio::test(flavor = "multi_thread")]
async fn ecdsa_is_presigned_and_signed_by_real_nodes_also_for_a_child() {
    let cluster = Cluster::start("ecdsa", 3, NONE).await;
    cluster.search_primes().await;
    let gateway = cluster.gateway();
    let key = make_key(&cluster, &gateway, "ecdsa-secp256k1").await;
    until(&gateway, "presignatures", |metrics| metrics.stock.get(&key).is_some_and(|n| *n > 0))
        .await;
    for path in ["m", "m/7"] {
        let request = cluster.world.requester.sign_hashed_at(key, b"pay", path);
        let done = cluster.world.end_of(&gateway, &request).await;
        assert_eq!(done.state, RequestState::Done, "{done:?}");
        let made = done.signature.unwrap();
        let public = quorate_cggmp::VerifyingKey::<quorate_cggmp::Secp256k1>::from_bytes(
            made.public_key[..].try_into().unwrap(),
        );
        let signature =
            quorate_cggmp::Signature::from_compact(made.signature[..].try_into().unwrap());
        public.unwrap().verify(b"pay", &signature.unwrap()).unwrap();
        let place: DerivationPath = path.parse().unwrap();
        let described = gateway.key(key, Some(place.into())).await.unwrap();
        assert_eq!(described.child.unwrap().public_key, made.public_key);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn policies_of_nodes_decide_and_their_logs_say_so() {
    let cluster = Cluster::start("policy", 3, NONE).await;
    let gateway = cluster.gateway();
    let key = make_key(&cluster, &gateway, "ed25519").await;
    let world = &cluster.world;
    let denied = world.end_of(&gateway, &world.requester.sign_request(key, b"deny this", 60)).await;
    assert_eq!((denied.state, reason(&denied).as_str()), (RequestState::Refused, "policy-denied"));
    let detail = denied.problem.unwrap().detail;
    assert!(detail.starts_with('n') && detail.contains(": by the rules"), "{detail}");
    let asks = world.requester.sign_request(key, b"ask somebody", 60);
    let waits = world.submit(&gateway, &asks, 2).await.unwrap();
    assert_eq!(waits.state, RequestState::ApprovalsMissing);
    let body = format!(r#"{{"digest":"{}"}}"#, waits.digest);
    let target = format!("/v1/requests/{}/approve", waits.request);
    world.end_of(&gateway, &world.approver.request(&target, &body, 60)).await;
    verify_ed25519(&gateway.request(waits.request, 20).await.unwrap(), b"ask somebody");
    let read = world.approver.read("/v1/audit/2");
    let lines = gateway.audit(party(2), read).await.unwrap();
    assert!(lines.iter().any(|line| line.contains("policy-denied")), "{lines:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn request_is_cancelled_at_real_nodes() {
    let mut cluster = Cluster::start("cancel", 3, NONE).await;
    let gateway = cluster.gateway();
    let key = make_key(&cluster, &gateway, "ed25519").await;
    until(&gateway, "nonces", |metrics| metrics.stock.get(&key).is_some_and(|n| *n > 0)).await;
    // Two nodes are down: the one that is left has to be asked for nothing yet.
    cluster.down(1).await;
    cluster.down(2).await;
    until(&gateway, "they are down", |metrics| {
        !metrics.nodes[&party(1)].is_up && !metrics.nodes[&party(2)].is_up
    })
    .await;
    let world = &cluster.world;
    let request = world.requester.sign_request(key, b"regretted", 60);
    let pending = world.submit(&gateway, &request, 0).await.unwrap();
    let target = format!("/v1/requests/{}/cancel", pending.request);
    let cancel = world.end_of(&gateway, &world.requester.request(&target, "", 60)).await;
    assert_eq!(cancel.state, RequestState::Done);
    assert_eq!(gateway.request(pending.request, 0).await.unwrap().state, RequestState::Cancelled);
}
