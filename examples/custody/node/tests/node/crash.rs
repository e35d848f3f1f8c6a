//! Nodes that are killed at each step of what they do.

use custody_core::{Answer, Order};
use quorate::ecdsa::Secp256k1;

use crate::common::cluster::party;
use crate::common::{Cluster, administrator};

#[tokio::test(flavor = "multi_thread")]
async fn key_generation_survives_the_crash_of_each_node() {
    let mut cluster = Cluster::start(3).await;
    cluster.search_primes().await;
    for scheme in ["ed448", "ecdsa-secp256k1"] {
        let spec = format!(
            r#"{{"scheme":"{scheme}","threshold":2,"members":[1,2,3],"purposes":["opaque-message"]}}"#
        );
        let order = Order::Generate {
            request: administrator().request("/v1/keys", &spec),
            approvals: vec![],
        };
        for number in [1, 2, 3] {
            assert_eq!(cluster.order(number, order.clone()).await, Answer::Pending);
            cluster.down(number).await;
            cluster.up(number).await.unwrap();
            cluster.node(number).search_primes().await.unwrap();
        }
        let answers = cluster.until(&[1, 2, 3], &order).await;
        let Answer::Made { key } = answers[0] else { panic!("{answers:?}") };
        assert_eq!(answers, vec![Answer::Made { key }; 3]);
        if scheme == "ed448" {
            cluster.sign_frost(key, &[2, 3], b"one").await.unwrap();
        } else {
            let ahead = cluster.presign(key, &[1, 3], 7, 1).await;
            cluster
                .sign_ecdsa::<Secp256k1>(key, &[1, 3], &ahead[0], (b"one", "m/7"))
                .await
                .unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn presigning_survives_crashes_at_any_moment() {
    let mut cluster = Cluster::start(2).await;
    cluster.search_primes().await;
    let key = cluster.make_key("ecdsa-secp256k1", 2).await;
    let order = Order::Presign { key, run: [3; 32], signers: vec![party(1), party(2)], count: 2 };
    for round in 0..6 {
        for number in [1, 2] {
            cluster.order(number, order.clone()).await;
        }
        tokio::time::sleep(core::time::Duration::from_millis(round * 7)).await;
        let killed = if round % 2 == 0 { 1 } else { 2 };
        cluster.down(killed).await;
        cluster.up(killed).await.unwrap();
    }
    let answers = cluster.until(&[1, 2], &order).await;
    assert_eq!(answers, [Answer::Done, Answer::Done]);
    let Answer::Stock(stock) = cluster.order(1, Order::Stock { key, after: None }).await else {
        panic!()
    };
    assert_eq!(stock.material.len(), 2);
    for presignature in &stock.material {
        cluster.sign_ecdsa::<Secp256k1>(key, &[1, 2], presignature, (b"one", "m")).await.unwrap();
    }
}
