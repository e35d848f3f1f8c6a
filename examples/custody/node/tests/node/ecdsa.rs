//! Keys of ECDSA: generation, presignatures in bulk, and signatures of children.

use crate::common::cluster::party;
use crate::common::{Cluster, administrator, body, opaque, requester};
use custody_core::{Answer, Material, Order, Reason};
use quorate::ecdsa::{P256, PresignatureInfo, PublicKeyPackage, RawDigest, Secp256k1};
use quorate_purpose::{Hash, OpaqueDigest, Purpose};

#[tokio::test(flavor = "multi_thread")]
async fn key_of_each_curve_signs_from_presignatures() {
    let cluster = Cluster::start(3).await;
    cluster.search_primes().await;
    let key = cluster.make_key("ecdsa-secp256k1", 2).await;
    let ahead = cluster.presign(key, &[1, 2], 1, 4).await;
    assert_eq!(ahead.len(), 4);
    for (presignature, path) in ahead.iter().zip(["m", "m/0/5"]) {
        cluster
            .sign_ecdsa::<Secp256k1>(key, &[1, 2], presignature, (b"pay 5", path))
            .await
            .unwrap();
    }
    let key = cluster.make_key("ecdsa-p256", 2).await;
    let ahead = cluster.presign(key, &[2, 3], 2, 1).await;
    cluster.sign_ecdsa::<P256>(key, &[2, 3], &ahead[0], (b"pay 6", "m")).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn presignature_is_spent_once_also_across_a_crash() {
    let mut cluster = Cluster::start(2).await;
    cluster.search_primes().await;
    let key = cluster.make_key("ecdsa-secp256k1", 2).await;
    let ahead = cluster.presign(key, &[1, 2], 1, 2).await;
    let name = PresignatureInfo::<Secp256k1>::from_bytes(&ahead[0]).unwrap().id().name();
    let material = Material::Presignature { name };
    let target = format!("/v1/keys/{key}/sign");
    let request =
        |message: &[u8]| requester().request(&target, &body(&opaque(true, message), None));
    let (first, second) = (request(b"one"), request(b"two"));
    let share = cluster.shares(&[1], &first, &[], &material).await.unwrap();
    cluster.down(1).await;
    cluster.up(1).await.unwrap();
    assert_eq!(cluster.shares(&[1], &first, &[], &material).await.unwrap(), share);
    let refused = cluster.shares(&[1], &second, &[], &material).await.unwrap_err();
    assert_eq!(refused.reason, Reason::UnknownMaterial);
    // The presignature is out of stock, and the other one is there.
    let Answer::Stock(stock) = cluster.order(1, Order::Stock { key, after: None }).await else {
        panic!()
    };
    assert_eq!(stock.material.len(), 1);
    assert_eq!(cluster.info(1, key).await.stock, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn digest_without_its_message_is_signed_by_keys_that_are_bound_to_digests() {
    let cluster = Cluster::start(2).await;
    cluster.search_primes().await;
    let bound = |kind| {
        format!(r#"{{"scheme":"ecdsa-p256","threshold":2,"members":[1,2],"purposes":["{kind}"]}}"#)
    };
    let purpose = |digest| Purpose::from(OpaqueDigest::new(Hash::Sha256, digest).unwrap());
    for (run, kind) in [(1, "opaque-digest"), (2, "opaque-message")] {
        let key = cluster.make_key_as(&bound(kind)).await;
        let ahead = cluster.presign(key, &[1, 2], run, 1).await.remove(0);
        let ahead = PresignatureInfo::<P256>::from_bytes(&ahead).unwrap();
        let material = Material::Presignature { name: ahead.id().name() };
        let asked = |digest| {
            let body = body(&purpose(digest).to_bytes(), None);
            requester().request(&format!("/v1/keys/{key}/sign"), &body)
        };
        if kind == "opaque-digest" {
            // Zero is the hash of no message. The presignature stays.
            let refused = cluster.shares(&[1], &asked([0; 32]), &[], &material).await;
            assert_eq!(refused.unwrap_err().reason, Reason::Malformed);
        }
        let shares = cluster.shares(&[1, 2], &asked([7; 32]), &[], &material).await;
        if kind != "opaque-digest" {
            assert_eq!(shares.unwrap_err().reason, Reason::WrongPurpose);
            continue;
        }
        let package = cluster.info(1, key).await.package;
        let package = PublicKeyPackage::<P256>::from_bytes(&package).unwrap();
        let itself = package.derivation(&"m".parse().unwrap()).unwrap();
        let digest = RawDigest::assume_hash_of_known_message([7; 32]);
        let signature = ahead.aggregate(&itself, digest, shares.unwrap()).unwrap();
        package.verifying_key().verify_raw_digest(&digest, &signature).unwrap();
        // It was spent, and no other digest has it.
        let refused = cluster.shares(&[1], &asked([8; 32]), &[], &material).await.unwrap_err();
        assert_eq!(refused.reason, Reason::UnknownMaterial);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_for_presignatures_have_limits() {
    let mut cluster = Cluster::start(2).await;
    cluster.limits.stock = 3;
    cluster.down(1).await;
    cluster.up(1).await.unwrap();
    cluster.search_primes().await;
    let key = cluster.make_key("ecdsa-secp256k1", 2).await;
    let order = |signers: &[u8], count| Order::Presign {
        key,
        run: [9; 32],
        signers: signers.iter().map(|number| party(*number)).collect(),
        count,
    };
    let refused = |answer: Answer| match answer {
        Answer::Refused(why) => why.reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(cluster.order(1, order(&[1, 2], 4)).await), Reason::Limit);
    assert_eq!(refused(cluster.order(1, order(&[1], 1)).await), Reason::Malformed);
    assert_eq!(refused(cluster.order(1, order(&[2, 1], 1)).await), Reason::Malformed);
    assert_eq!(refused(cluster.order(1, order(&[1, 3], 1)).await), Reason::Malformed);
    assert_eq!(refused(cluster.order(1, order(&[1, 2], 0)).await), Reason::Malformed);
    let most = Order::MAX_PRESIGNATURES;
    assert_eq!(refused(cluster.order(1, order(&[1, 2], most + 1)).await), Reason::Malformed);
    let nonces = Order::Nonces { key, count: 1 };
    assert_eq!(refused(cluster.order(1, nonces).await), Reason::Unsupported);
}

#[tokio::test(flavor = "multi_thread")]
async fn node_without_primes_makes_no_key_of_ecdsa() {
    let cluster = Cluster::start(2).await;
    let spec = r#"{"scheme":"ecdsa-p256","threshold":2,"members":[1,2]}"#;
    let request = administrator().request("/v1/keys", spec);
    let answer = cluster.order(1, Order::Generate { request, approvals: vec![] }).await;
    assert!(matches!(answer, Answer::Refused(why) if why.reason == Reason::Busy));
}
