//! Orders that come together: each is answered as if it had come alone.

use core::time::Duration;

use custody_core::{Answer, KeyId, KeyInfo, MAX_BATCH, Material, Order, Reason};

use crate::common::cluster::party;
use crate::common::{Cluster, callers, now, opaque, sign, stranger, verify};

/// A message, the signing package for it, and an order to sign it.
struct Asked {
    message: Vec<u8>,
    package: Vec<u8>,
    order: Order,
}

/// The order of a request of one message for the nonces of a package.
fn order(key: KeyId, message: &[u8], package: &[u8]) -> Order {
    let material = Material::Nonces { package: package.to_vec() };
    Order::Sign { request: sign(key, &opaque(false, message)), approvals: vec![], material }
}

/// Orders of this number of messages for the signers 1 and 2, each with nonces of its own.
async fn asked(cluster: &Cluster, key: KeyId, count: u16) -> (KeyInfo, Vec<Asked>) {
    for number in [1, 2] {
        let made = cluster.order(number, Order::Nonces { key, count }).await;
        assert_eq!(made, Answer::Done);
    }
    let info = cluster.info(1, key).await;
    let mut all = Vec::new();
    for at in 0..usize::from(count) {
        let message = format!("pay {at}").into_bytes();
        let package = cluster.package_at(&info, &[1, 2], &message, at).await;
        let order = order(key, &message, &package);
        all.push(Asked { message, package, order });
    }
    (info, all)
}

fn orders(asked: &[Asked]) -> Vec<Order> {
    asked.iter().map(|one| one.order.clone()).collect()
}

fn share(answer: &Answer) -> &[u8] {
    match answer {
        Answer::Share { bytes } => bytes,
        other => panic!("{other:?}"),
    }
}

fn reason(answer: &Answer) -> Reason {
    match answer {
        Answer::Refused(why) => why.reason,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_order_changes_nothing_for_the_good_ones_around_it() {
    let cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let (info, asked) = asked(&cluster, key, 9).await;
    let mut batch = orders(&asked);
    batch[1] = order(key, b"deny", &asked[1].package);
    let Order::Sign { request, .. } = &mut batch[3] else { panic!() };
    request.head.signature.replace_range(10..11, "_");
    let Order::Sign { request, .. } = &mut batch[4] else { panic!() };
    *request = stranger().request(&request.head.target, "{}");
    batch[5] = order(KeyId::new([7; 32]), b"pay 5", &asked[5].package);
    batch[6] = order(key, b"another message", &asked[6].package);
    batch[7] = Order::Status;
    let answers = cluster.node(1).orders(batch).await;
    let wrong = [1, 3, 4, 5, 6].map(|at| reason(&answers[at]));
    let expected = [
        Reason::PolicyDenied,
        Reason::Malformed,
        Reason::UnknownCaller,
        Reason::UnknownKey,
        Reason::WrongMaterial,
    ];
    assert_eq!(wrong, expected);
    assert!(matches!(answers[7], Answer::Status(_)));
    let others = cluster.node(2).orders(orders(&asked)).await;
    for at in [0, 2, 8] {
        let Asked { message, package, .. } = &asked[at];
        let shares = [(party(1), &answers[at]), (party(2), &others[at])];
        let shares = shares.map(|(party, answer)| (party, share(answer).to_vec()));
        assert!(verify(&info, package, &shares, message).is_some(), "{at}");
    }
    // What was refused has spent nothing: the nonces sign their own message.
    for at in [3, 4, 5, 6] {
        share(&cluster.order(1, asked[at].order.clone()).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn order_that_stands_twice_in_a_batch_or_in_two_gets_one_share() {
    let mut cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let (_, asked) = asked(&cluster, key, 2).await;
    let (one, other) = (asked[0].order.clone(), asked[1].order.clone());
    // A second request for the same message and the same nonces.
    let again = order(key, &asked[0].message, &asked[0].package);
    let batch = vec![one.clone(), again.clone(), one.clone(), other.clone()];
    let answers = cluster.node(1).orders(batch).await;
    assert_eq!(share(&answers[0]), share(&answers[2]));
    assert_eq!(reason(&answers[1]), Reason::UnknownMaterial);
    let later = cluster.node(1).orders(vec![other.clone(), again.clone(), one.clone()]).await;
    assert_eq!((&later[0], &later[2]), (&answers[3], &answers[0]));
    assert_eq!(reason(&later[1]), Reason::UnknownMaterial);
    cluster.down(1).await;
    cluster.up(1).await.unwrap();
    let later = cluster.node(1).orders(vec![one, again, other]).await;
    assert_eq!((&later[0], &later[2]), (&answers[0], &answers[3]));
    assert_eq!(reason(&later[1]), Reason::UnknownMaterial);
}

#[tokio::test(flavor = "multi_thread")]
async fn more_orders_than_a_transaction_takes_are_all_answered() {
    let cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let count = u16::try_from(2 * MAX_BATCH + 2).unwrap();
    let (_, asked) = asked(&cluster, key, count).await;
    let answers = cluster.node(1).orders(orders(&asked)).await;
    let shares: std::collections::BTreeSet<_> = answers.iter().map(share).collect();
    assert_eq!(shares.len(), usize::from(count));
}

#[tokio::test(flavor = "multi_thread")]
async fn node_that_is_killed_in_the_middle_of_batches_gives_each_share_once() {
    let mut cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let (info, asked) = asked(&cluster, key, 60).await;
    let mut given = vec![None; asked.len()];
    for round in 0..6_u64 {
        let batches = asked.chunks(7).map(|some| {
            let (node, orders) = (cluster.node(1), orders(some));
            tokio::spawn(async move { node.orders(orders).await })
        });
        let batches: Vec<_> = batches.collect();
        tokio::time::sleep(Duration::from_millis(3 * round)).await;
        cluster.down(1).await;
        let mut at = 0;
        for batch in batches {
            let answers = batch.await.unwrap();
            for answer in answers {
                match answer {
                    // A share that has left is the one that leaves ever after.
                    Answer::Share { bytes } => {
                        assert_eq!(*given[at].get_or_insert_with(|| bytes.clone()), bytes);
                    }
                    Answer::Refused(why) => assert!(why.is_retryable(), "{why}"),
                    other => panic!("{other:?}"),
                }
                at += 1;
            }
        }
        cluster.up(1).await.unwrap();
    }
    let answers = cluster.node(1).orders(orders(&asked)).await;
    let others = cluster.node(2).orders(orders(&asked)).await;
    for (at, one) in asked.iter().enumerate() {
        let bytes = share(&answers[at]).to_vec();
        assert!(given[at].as_ref().is_none_or(|before| *before == bytes), "{at}");
        let shares = [(party(1), bytes), (party(2), share(&others[at]).to_vec())];
        assert!(verify(&info, &one.package, &shares, &one.message).is_some(), "{at}");
    }
}

/// Makes a database of node 1, which is down, fail at these events, or at none.
fn spoil(cluster: &Cluster, name: &str, event: Option<&str>) {
    let database = rusqlite::Connection::open(cluster.file(1, name)).unwrap();
    let trigger = event.map(|event| {
        format!("CREATE TRIGGER spoiled BEFORE {event} BEGIN SELECT RAISE(ABORT, 'spoiled'); END")
    });
    let sql = format!("DROP TRIGGER IF EXISTS spoiled; {}", trigger.unwrap_or_default());
    database.execute_batch(&sql).unwrap();
}

/// The text of a request's id in a statement of SQL.
fn id(order: &Order) -> String {
    let Order::Sign { request, .. } = order else { panic!("{order:?}") };
    let id = request.verify(&callers().of_cluster("test"), now()).unwrap().id;
    id.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn order_at_which_a_database_fails_is_refused_alone_and_loses_nothing() {
    let mut cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let (info, asked) = asked(&cluster, key, 10).await;
    let one =
        format!("INSERT ON records WHEN new.space = 49 AND new.name = x'{}'", id(&asked[1].order));
    let last = "DELETE ON records WHEN old.space = 3 AND old.name = (SELECT min(name) FROM records WHERE space = 3)";
    for (some, name, event, failed) in [
        // The share of one request is not stored.
        (0..3, "spent", one.as_str(), 1),
        // The shares are stored, but no nonces are removed.
        (3..6, "node", "DELETE ON records WHEN old.space = 3", 3),
        // The shares are stored, but the nonces of one are not removed.
        (6..10, "node", last, 1),
    ] {
        let some = &asked[some];
        cluster.down(1).await;
        spoil(&cluster, name, Some(event));
        cluster.up(1).await.unwrap();
        let first = cluster.node(1).orders(orders(some)).await;
        let refused = first.iter().filter(|answer| !matches!(answer, Answer::Share { .. }));
        assert!(refused.clone().all(|answer| reason(answer) == Reason::Internal), "{first:?}");
        assert_eq!(refused.count(), failed, "{event}: {first:?}");
        cluster.down(1).await;
        spoil(&cluster, name, None);
        cluster.up(1).await.unwrap();
        let again = cluster.node(1).orders(orders(some)).await;
        let others = cluster.node(2).orders(orders(some)).await;
        for (at, one) in some.iter().enumerate() {
            let bytes = share(&again[at]).to_vec();
            assert!(!matches!(&first[at], Answer::Share { bytes: before } if *before != bytes));
            let shares = [(party(1), bytes), (party(2), share(&others[at]).to_vec())];
            assert!(verify(&info, &one.package, &shares, &one.message).is_some(), "{event}: {at}");
        }
    }
    // No nonces are left, neither spent ones nor others.
    let left = cluster.order(1, Order::Stock { key, after: None }).await;
    assert!(matches!(&left, Answer::Stock(stock) if stock.material.is_empty()), "{left:?}");
}
