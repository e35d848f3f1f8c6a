//! A key moves to another committee: a node is lost, others take its place, and the threshold changes.

use std::collections::BTreeSet;
use std::time::Duration;

use custody_core::{
    Answer, KeyId, Material, Order, Reason, RequestState, Service as _, SignedCertificate, Stock,
};
use custody_gateway::Gateway;
use quorate::frost::ed25519::{Commitments, PublicKeyPackage, SigningPackage};

use crate::cluster::Cluster;
use crate::common::{party, reason, until, verify_ed25519};
use crate::lifecycle::{NONE, make_key};

async fn reshare(cluster: &Cluster, gateway: &Gateway, key: KeyId, body: &str) -> RequestState {
    let target = format!("/v1/keys/{key}/reshare");
    let request = cluster.world.administrator.request(&target, body, 120);
    let done = cluster.world.end_of(gateway, &request).await;
    assert!(done.problem.is_none(), "{done:?}");
    done.state
}

async fn sign(cluster: &Cluster, gateway: &Gateway, key: KeyId, message: &[u8]) {
    let request = cluster.world.requester.sign_request(key, message, 60);
    verify_ed25519(&cluster.world.end_of(gateway, &request).await, message);
}

/// The first pair of nonces that a node lists for a key.
async fn pair(cluster: &Cluster, number: u16, key: KeyId) -> Commitments {
    for tries in 0.. {
        match cluster.order(number, Order::Nonces { key, count: 4 }).await {
            Answer::Done => break,
            // It does not know yet that all have their shares.
            answer => assert!(tries < 100, "{answer:?}"),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    match cluster.order(number, Order::Stock { key, after: None }).await {
        Answer::Stock(Stock { material, .. }) => {
            Commitments::from_bytes(party(number), &material[0]).unwrap()
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lost_node_is_replaced_and_old_shares_are_refused() {
    let mut cluster = Cluster::start("reshare", 5, NONE).await;
    let gateway = cluster.gateway();
    let key = make_key(&cluster, &gateway, "ed25519").await;
    let before = gateway.key(key, None).await.unwrap();
    let old = SignedCertificate::from_bytes(before.certificate.as_ref().unwrap()).unwrap();
    let old = PublicKeyPackage::from_bytes(&old.certificate.package).unwrap();
    let pairs = [pair(&cluster, 1, key).await, pair(&cluster, 3, key).await];
    // Node 3 is gone, and nobody knows whether it comes back.
    cluster.down(3).await;
    let state = reshare(&cluster, &gateway, key, r#"{"threshold":3,"members":[1,2,4,5]}"#).await;
    assert_eq!(state, RequestState::Done);

    let after = gateway.key(key, None).await.unwrap();
    assert_eq!((&after.public_key, &after.root), (&before.public_key, &before.root));
    let signed = SignedCertificate::from_bytes(&after.certificate.unwrap()).unwrap();
    let certificate = signed.verify(cluster.world.directory.directory()).unwrap();
    let members = [1, 2, 4, 5].map(party);
    assert_eq!((certificate.epoch, certificate.spec.threshold), (1, 3));
    assert_eq!(certificate.spec.members, members);
    let by: BTreeSet<_> = signed.signatures.iter().map(|one| one.party).collect();
    assert_eq!(by, BTreeSet::from(members));
    sign(&cluster, &gateway, key, b"by the new committee").await;

    // Node 3 comes back with its old share. Its former peers have none to go with it.
    cluster.up(3).await;
    let request = cluster.world.requester.sign_request(key, b"by the old committee", 60);
    let package = SigningPackage::new(&old, pairs, b"by the old committee").unwrap().to_bytes();
    let order = || Order::Sign {
        request: request.clone(),
        approvals: vec![],
        material: Material::Nonces { package: package.clone() },
    };
    let refused = cluster.order(1, order()).await;
    let Answer::Refused(why) = refused else { panic!("{refused:?}") };
    assert_eq!(why.reason, Reason::UnknownMaterial, "{why}");
    // Two of the new committee are too few, and node 3 does not count.
    cluster.down(4).await;
    cluster.down(5).await;
    let request = cluster.world.requester.sign_request(key, b"by two", 60);
    let waits = cluster.world.submit(&gateway, &request, 2).await.unwrap();
    assert_eq!(waits.state, RequestState::Pending, "{waits:?}");
    cluster.up(4).await;
    verify_ed25519(&gateway.request(waits.request, 30).await.unwrap(), b"by two");
}

#[tokio::test(flavor = "multi_thread")]
async fn ecdsa_moves_to_a_new_node_and_is_presigned_there() {
    let cluster = Cluster::start("reshare-ecdsa", 4, NONE).await;
    cluster.search_primes().await;
    let gateway = cluster.gateway();
    let key = make_key(&cluster, &gateway, "ecdsa-secp256k1").await;
    let state = reshare(&cluster, &gateway, key, r#"{"threshold":2,"members":[1,2,4]}"#).await;
    assert_eq!(state, RequestState::Done);
    until(&gateway, "presignatures of the new committee", |metrics| {
        metrics.epochs.get(&key) == Some(&1) && metrics.stock.get(&key).is_some_and(|n| *n > 0)
    })
    .await;
    let request = cluster.world.requester.sign_hashed_at(key, b"pay", "m/1");
    let done = cluster.world.end_of(&gateway, &request).await;
    assert_eq!(done.state, RequestState::Done, "{done:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn policy_decides_about_a_move() {
    let cluster = Cluster::start("reshare-denied", 4, NONE).await;
    let gateway = cluster.gateway();
    let key = make_key(&cluster, &gateway, "ed25519").await;
    let target = format!("/v1/keys/{key}/reshare");
    // The rules of this test allow no committee of two.
    let body = r#"{"threshold":2,"members":[1,4]}"#;
    let request = cluster.world.administrator.request(&target, body, 60);
    let refused = cluster.world.end_of(&gateway, &request).await;
    assert_eq!(
        (refused.state, reason(&refused).as_str()),
        (RequestState::Refused, "policy-denied")
    );
    assert_eq!(gateway.key(key, None).await.unwrap().epoch, 0);
    sign(&cluster, &gateway, key, b"as before").await;
}
