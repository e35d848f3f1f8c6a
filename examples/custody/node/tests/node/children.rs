//! Child keys of FROST: one stock of nonces serves all of them.

use custody_core::{DerivationPath, KeyId, Material, Reason, SignedRequest};
use quorate::frost::ed25519::{Ed25519Sha512, PublicKeyPackage, SigningPackage};
use quorate::frost::secp256k1_tr::{self, internal};

use crate::common::cluster::party;
use crate::common::gateway::{own, verify_of};
use crate::common::{Cluster, body, opaque, requester, sign, sign_with_scripts};

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
        let pair = package.commitments_of(party(number)).unwrap();
        pair.for_child(pair.package_id(), &public).unwrap()
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

/// An output at a path of an account.
fn output(
    account: &internal::PublicKeyPackage,
    path: &str,
    root: Option<[u8; 32]>,
) -> secp256k1_tr::PublicKeyPackage {
    account.descendant_output(&path.parse().unwrap(), root).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn share_is_for_the_scripts_that_the_requester_signed_and_for_no_others() {
    let cluster = Cluster::start(3).await;
    let key = cluster.make_key("taproot", 2).await;
    let package = cluster.info(1, key).await.package;
    let account = internal::PublicKeyPackage::from_bytes(&package).unwrap();
    let (message, root, others) = (opaque(false, b"one"), [7; 32], [None, Some([8; 32])]);
    for path in ["m", "m/0/5"] {
        let of = output(&account, path, Some(root));
        let asked = sign_with_scripts(key, &message, path, root);
        // A gateway that orders shares for other scripts, or for none, gets none.
        for other in others {
            let lie = output(&account, path, other);
            let package = cluster.package_of(&lie, key, &[1, 2], b"one").await;
            let material = Material::Nonces { package };
            let refused = cluster.shares(&[1], &asked, &[], &material).await.unwrap_err();
            assert_eq!(refused.reason, Reason::WrongMaterial);
        }
        let package = cluster.package_of(&of, key, &[1, 2], b"one").await;
        let material = Material::Nonces { package: package.clone() };
        // Nor does one with a request for other scripts, or with a body that it has altered.
        let plain = request(key, b"one", path);
        let with_others = sign_with_scripts(key, &message, path, [8; 32]);
        for other in [&plain, &with_others] {
            let refused = cluster.shares(&[1], other, &[], &material).await.unwrap_err();
            assert_eq!(refused.reason, Reason::WrongMaterial);
        }
        let altered = SignedRequest { body: asked.body.clone(), ..with_others };
        let refused = cluster.shares(&[1], &altered, &[], &material).await.unwrap_err();
        assert_eq!(refused.reason, Reason::BadSignature);
        let shares = cluster.shares(&[1, 2], &asked, &[], &material).await.unwrap();
        assert!(verify_of(&of, &package, &shares, b"one").is_some());
        for other in others {
            assert!(verify_of(&output(&account, path, other), &package, &shares, b"one").is_none());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn policy_sees_the_scripts() {
    let cluster = Cluster::start(3).await;
    let key = cluster.make_key("taproot", 2).await;
    let package = cluster.info(1, key).await.package;
    let account = internal::PublicKeyPackage::from_bytes(&package).unwrap();
    // The second is forbidden for the path `m`: an output with scripts has a path, at `m` too.
    for root in [[9; 32], [10; 32]] {
        let of = output(&account, "m", Some(root));
        let package = cluster.package_of(&of, key, &[1, 2], b"x").await;
        let material = Material::Nonces { package };
        let asked = sign_with_scripts(key, &opaque(false, b"x"), "m", root);
        let refused = cluster.shares(&[1], &asked, &[], &material).await.unwrap_err();
        assert_eq!(refused.reason, Reason::PolicyDenied);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_of_other_schemes_refuse_scripts() {
    let cluster = Cluster::start(3).await;
    cluster.search_primes().await;
    for scheme in ["ed25519", "ed448", "ecdsa-secp256k1", "ecdsa-p256"] {
        let key = cluster.make_key(scheme, 2).await;
        // The refusal comes before it is read.
        let material = Material::Nonces { package: vec![] };
        let asked = sign_with_scripts(key, &opaque(false, b"x"), "m", [7; 32]);
        let refused = cluster.shares(&[1], &asked, &[], &material).await.unwrap_err();
        assert_eq!(refused.reason, Reason::Unsupported);
        assert!(refused.detail.contains("commit to no scripts"), "{}", refused.detail);
    }
}
