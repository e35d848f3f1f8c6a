//! Child keys of FROST: one stock of nonces serves all of them.

use custody_core::{DerivationPath, KeyId, Material, Reason, SignedRequest};
use quorate::frost::ed25519::{Ed25519Sha512, PublicKeyPackage, SigningPackage};

use crate::common::cluster::party;
use crate::common::gateway::{own, verify_of};
use crate::common::{Cluster, body, opaque, requester, sign};

fn child(public: &PublicKeyPackage, path: &str) -> PublicKeyPackage {
    let path: DerivationPath = path.parse().unwrap();
    public.derive(&public.extended_key(public.public_chain_code()), &path).unwrap()
}

fn request(key: KeyId, message: &[u8], path: &str) -> SignedRequest {
    let target = format!("/v1/keys/{key}/sign");
    requester().request(&target, &body(&opaque(false, message), Some(path)))
}

#[tokio::test(flavor = "multi_thread")]
async fn child_signs_with_nonces_of_its_parent_and_only_at_its_path() {
    let cluster = Cluster::start(3).await;
    let key = cluster.make_key("ed25519", 2).await;
    let public = own::<Ed25519Sha512>(&cluster.info(1, key).await);
    let of = child(&public, "m/0/5");
    let package = cluster.package_of(&of, key, &[1, 2], b"one").await;
    let material = Material::Nonces { package: package.clone() };
    // The package of one child in a request for another, or for the key.
    for other in [request(key, b"one", "m/0/6"), sign(key, &opaque(false, b"one"))] {
        let refused = cluster.shares(&[1], &other, &[], &material).await.unwrap_err();
        assert_eq!(refused.reason, Reason::WrongMaterial);
    }
    let asked = request(key, b"one", "m/0/5");
    let shares = cluster.shares(&[1, 2], &asked, &[], &material).await.unwrap();
    assert!(verify_of(&of, &package, &shares, b"one").is_some());
    // The same pair, for the key itself.
    let pair = |package: &[u8], number| {
        let package = SigningPackage::from_bytes(package).unwrap();
        package.commitments_of(party(number)).unwrap().for_child(&public)
    };
    let new = cluster.package(key, &[1, 3], b"two").await;
    let twice = SigningPackage::new(&public, [pair(&package, 1), pair(&new, 3)], b"two");
    let material = Material::Nonces { package: twice.unwrap().to_bytes() };
    let refused = cluster.shares(&[1], &sign(key, &opaque(false, b"two")), &[], &material).await;
    assert_eq!(refused.unwrap_err().reason, Reason::UnknownMaterial);
}

#[tokio::test(flavor = "multi_thread")]
async fn policy_sees_the_path() {
    let cluster = Cluster::start(3).await;
    let key = cluster.make_key("ed25519", 2).await;
    let public = own::<Ed25519Sha512>(&cluster.info(1, key).await);
    let package = cluster.package_of(&child(&public, "m/9"), key, &[1, 2], b"one").await;
    let material = Material::Nonces { package };
    let refused = cluster.shares(&[1], &request(key, b"one", "m/9"), &[], &material).await;
    assert_eq!(refused.unwrap_err().reason, Reason::PolicyDenied);
}
