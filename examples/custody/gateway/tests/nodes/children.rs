//! Child keys of FROST, which clients derive by themselves.

use custody_core::{Child, DerivationPath, Reason, RequestState, Service as _, SignedCertificate};

use crate::cluster::Cluster;
use crate::common::verify_ed25519;
use crate::lifecycle::{NONE, make_key};

#[tokio::test(flavor = "multi_thread")]
async fn children_of_ed25519_sign_and_are_those_that_a_client_derives() {
    let cluster = Cluster::start("children", 3, NONE).await;
    let gateway = cluster.gateway();
    let key = make_key(&cluster, &gateway, "ed25519").await;
    let described = gateway.key(key, None).await.unwrap();
    let certificate = SignedCertificate::from_bytes(&described.certificate.unwrap()).unwrap();
    let certificate = certificate.verify(cluster.world.directory.directory()).unwrap();
    let root = certificate.root.clone().unwrap();
    assert_eq!(described.root, Some(root.clone()));
    let mut keys = std::collections::BTreeSet::new();
    for text in ["m", "m/0", "m/0/5", "m/2147483647"] {
        let place = Child::from(text.parse::<DerivationPath>().unwrap());
        let own = root.public_key(certificate.spec.scheme, &place).unwrap();
        let request = cluster.world.requester.sign_request_path(key, b"pay", text);
        let done = cluster.world.end_of(&gateway, &request).await;
        verify_ed25519(&done, b"pay");
        assert_eq!(done.signature.unwrap().public_key, own);
        let child = gateway.key(key, Some(place)).await.unwrap().child.unwrap();
        assert_eq!(child.public_key, own);
        assert!(child.spki.unwrap().starts_with("-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA"));
        keys.insert(own);
    }
    assert_eq!(keys.len(), 4);
    assert!(keys.contains(&certificate.public_key));
    let scripts = Child { merkle_root: "07".repeat(32).parse().ok(), ..Child::default() };
    let refused = gateway.key(key, Some(scripts)).await.unwrap_err();
    assert_eq!(refused.reason, Reason::Unsupported);
}

#[tokio::test(flavor = "multi_thread")]
async fn children_survive_a_refresh() {
    let cluster = Cluster::start("children-refresh", 3, NONE).await;
    let gateway = cluster.gateway();
    let key = make_key(&cluster, &gateway, "ed448").await;
    let before = gateway.key(key, None).await.unwrap().root;
    let target = format!("/v1/keys/{key}/refresh");
    let refresh = cluster.world.administrator.request(&target, "", 120);
    let done = cluster.world.end_of(&gateway, &refresh).await;
    assert_eq!(done.state, RequestState::Done, "{done:?}");
    let after = gateway.key(key, None).await.unwrap();
    assert_eq!((after.epoch, &after.root), (1, &before));
    let request = cluster.world.requester.sign_request_path(key, b"pay", "m/3");
    let done = cluster.world.end_of(&gateway, &request).await;
    assert_eq!(done.state, RequestState::Done, "{done:?}");
    let place = "m/3".parse::<DerivationPath>().unwrap().into();
    let own = before.unwrap().public_key(after.spec.scheme, &place).unwrap();
    assert_eq!(done.signature.unwrap().public_key, own);
}
