//! Certificates that the nodes sign, and that anybody verifies.

use crate::common::cluster::directory;
use crate::common::{Cluster, administrator};
use custody_core::{Answer, CertificateError, KeyId, Order, Reason, SignedCertificate};

pub(crate) async fn certificate(cluster: &Cluster, key: KeyId) -> SignedCertificate {
    let (mut signatures, mut common) = (Vec::new(), None);
    for number in 1..=3 {
        let Answer::Certificate { certificate, endorsement } =
            cluster.order(number, Order::Certify { key }).await
        else {
            panic!("no certificate")
        };
        assert_eq!(common.get_or_insert(certificate.clone()), &certificate);
        signatures.push(endorsement);
    }
    SignedCertificate { certificate: *common.unwrap(), signatures }
}

#[tokio::test(flavor = "multi_thread")]
async fn certificate_of_all_members_verifies_and_names_the_key() {
    let cluster = Cluster::start(3).await;
    let key = cluster.make_key("ed25519", 2).await;
    let mut signed = certificate(&cluster, key).await;
    let verified = signed.verify(&directory(3)).unwrap();
    let info = cluster.info(1, key).await;
    assert_eq!((verified.key, verified.epoch), (key, 0));
    assert_eq!((&verified.public_key, &verified.package), (&info.public_key, &info.package));
    signed.signatures.pop();
    assert!(matches!(signed.verify(&directory(3)), Err(CertificateError::Missing(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_key_is_not_certified() {
    let cluster = Cluster::start(2).await;
    let answer = cluster.order(1, Order::Certify { key: KeyId::new([1; 32]) }).await;
    assert!(matches!(answer, Answer::Refused(why) if why.reason.name() == "unknown-key"));
}

#[tokio::test(flavor = "multi_thread")]
async fn share_without_a_confirmation_signs_when_all_members_have_certified_its_package() {
    let mut cluster = Cluster::start(3).await;
    cluster.limits.run_time = 700;
    for number in 1..=3 {
        cluster.down(number).await;
        cluster.up(number).await.unwrap();
    }
    let spec =
        r#"{"scheme":"ed25519","threshold":2,"members":[1,2,3],"purposes":["opaque-message"]}"#;
    // Node 3 falls silent ever later in the run: at last before its confirmation.
    for packets in (1..24).cycle().take(69) {
        cluster.silence(3, packets);
        let request = administrator().request("/v1/keys", spec);
        let order = Order::Generate { request, approvals: vec![] };
        let answers = cluster.until(&[1, 2, 3], &order).await;
        cluster.hear(3);
        let Answer::Made { key } = answers[0] else { continue };
        if answers != vec![Answer::Made { key }; 3] {
            continue;
        }
        let nonces = Order::Nonces { key, count: 1 };
        match cluster.order(1, nonces).await {
            // It was late for that: all have confirmed.
            Answer::Done => continue,
            Answer::Refused(why) => assert_eq!(why.reason, Reason::KeyUnconfirmed),
            other => panic!("{other:?}"),
        }
        let mut signed = certificate(&cluster, key).await;
        let agree = |signed: &SignedCertificate| Order::Agree {
            key,
            statements: vec![signed.to_statement().unwrap()],
        };
        let missing = signed.signatures.pop().unwrap();
        let refused = cluster.order(1, agree(&signed)).await;
        assert!(
            matches!(&refused, Answer::Refused(why) if why.reason == Reason::BadSignature),
            "{refused:?}"
        );
        signed.signatures.push(missing);
        for number in 1..=3 {
            let answer = cluster.order(number, agree(&signed)).await;
            assert!(matches!(answer, Answer::Agreement { done: true, .. }), "{answer:?}");
        }
        cluster.sign_frost(key, &[1, 2], b"one").await.unwrap();
        cluster.down(1).await;
        cluster.up(1).await.unwrap();
        cluster.sign_frost(key, &[1, 2], b"two").await.unwrap();
        return;
    }
    panic!("no run has ended without a confirmation");
}

#[tokio::test(flavor = "multi_thread")]
async fn request_for_another_cluster_or_for_none_is_refused() {
    let cluster = Cluster::start(3).await;
    let key = cluster.make_key("ed25519", 2).await;
    let target = format!("/v1/keys/{key}/disable");
    // A list that an operator has changed is one of this cluster too.
    for is_new in [false, true] {
        if is_new {
            cluster.node(1).set_callers(crate::common::callers());
        }
        for other in [Some("other"), None] {
            let request = administrator().request_for(other, &target);
            let order = Order::Change { request, approvals: vec![], certificate: None };
            let Answer::Refused(why) = cluster.order(1, order).await else { panic!("{other:?}") };
            assert_eq!(why.reason, Reason::BadSignature);
            assert!(why.detail.contains("tag=\"quorate-custody:test\""), "{why}");
        }
    }
    let request = administrator().request_for(Some("test"), &target);
    let order = Order::Change { request, approvals: vec![], certificate: None };
    assert_eq!(cluster.order(1, order).await, Answer::Done);
}
