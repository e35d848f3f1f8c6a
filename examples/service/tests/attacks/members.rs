//! A client and a node that lie.

use core::time::Duration;

use bytes::Bytes;
use futures_util::SinkExt as _;
use quorate::PartyId;
use quorate::envelope::Envelope;
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::cluster::{Cluster, presignature};
use crate::net::{self, Connection, End, ORDER, PACKET};

fn id(node: u16) -> PartyId {
    PartyId::new(node).unwrap()
}

/// A connection to node 1, over which these bytes were sent.
async fn sent(address: &str, envelope: Bytes) -> Connection {
    let mut connection = net::framed(TcpStream::connect(address).await.unwrap());
    connection.send(envelope).await.unwrap();
    connection
}

fn order(client: &End, order: &[u8]) -> Bytes {
    client.seal(Envelope::to_party(id(1), ORDER).message(order)).unwrap()
}

#[tokio::test]
async fn orders_that_wait_for_the_keys_leave_places_for_the_peers() {
    let mut cluster = Cluster::new("places");
    cluster.start(1);
    let (client, address) = (cluster.member("client"), cluster.address(1).await);
    let mut connections = Vec::new();
    for _ in 0..80 {
        connections.push(sent(&address, order(&client, b"ed25519")).await);
    }
    sleep(Duration::from_secs(1)).await;
    cluster.start(2);
    cluster.start(3);
    cluster.ask(2, &[b"ecdsa"]).await.unwrap();
}

#[tokio::test]
async fn node_that_holds_many_connections_leaves_places_for_others() {
    let cluster = Cluster::with_keys("liar").await;
    let (liar, address) = (cluster.member("n3"), cluster.address(1).await);
    let packet = || liar.seal(Envelope::to_party(id(1), PACKET).message(&[7; 200])).unwrap();
    let mut connections = Vec::new();
    for _ in 0..80 {
        connections.push(sent(&address, packet()).await);
    }
    // It keeps those that it has got.
    let talks = async {
        loop {
            for connection in &mut connections {
                drop(connection.send(packet()).await);
            }
            sleep(Duration::from_millis(500)).await;
        }
    };
    let signs = async {
        let [one, two] = cluster.presign("1").await;
        assert_eq!(one.unwrap(), two.unwrap());
    };
    futures_util::future::select(Box::pin(talks), Box::pin(signs)).await;
    assert!(cluster.said(1).contains("the peer has 16 connections"), "{}", cluster.said(1));
}

#[tokio::test]
async fn client_that_reads_no_answers_loses_its_connection() {
    let cluster = Cluster::with_keys("deaf").await;
    let (client, address) = (cluster.member("client"), cluster.address(1).await);
    // The refusal names the recipient. A few fill the buffers of the network.
    let message = format!("pay 1 to {}", "x".repeat(900_000));
    let order: &[&[u8]] = &[b"spend", b"no id", message.as_bytes()];
    let order = Envelope::to_party(id(1), ORDER).messages(order.iter().copied());
    let order = client.seal(order).unwrap();
    let flood = async {
        let mut connection = sent(&address, order.clone()).await;
        while connection.send(order.clone()).await.is_ok() {}
    };
    let ended = timeout(Duration::from_secs(18), flood).await;
    assert!(ended.is_ok(), "the node keeps a connection that is not read: {}", cluster.said(1));
}

#[tokio::test]
async fn orders_of_the_wrong_shape_are_refused_and_begin_nothing() {
    let cluster = Cluster::with_keys("shapes").await;
    let huge = vec![7; 900_000];
    let orders: [(&[&[u8]], &str); 12] = [
        (&[b""], "not an order"),
        (&[b"stock"], "not an order"),
        // This one waited for node 2, which did not get it.
        (&[b"stock 9", b"and more"], "not an order"),
        (&[b"sign"], "not an order"),
        (&[b"commit", b"and more"], "not an order"),
        (&[b"\xff\xfe"], "not an order"),
        (&[&huge], "not an order"),
        (&[b"sign", b"", b""], "expected 44 bytes, got 0: the end is missing"),
        (&[b"sign", &huge, b""], "expected something stored by this library, got other bytes"),
        (&[b"spend", b"", b""], "it is no payment"),
        (&[b"spend", b"no id", b"pay 1 to Carol"], "it is not in stock"),
        (&[b"spend", &huge, b"pay 1 to Carol"], "it is not in stock"),
    ];
    for (order, why) in orders {
        assert_eq!(cluster.ask(1, order).await.unwrap_err(), why);
    }
    let outsider = cluster.ask(3, &[b"stock 3"]).await.unwrap_err();
    assert_eq!(outsider, "party 3 is not one of the parties");
    assert!(cluster.ask(1, &[b"commit"]).await.is_ok());
}

#[tokio::test]
async fn presignature_of_a_single_node_is_dropped_and_gives_no_share() {
    let cluster = Cluster::with_keys("single").await;
    let [one, two] = cluster.presign("1").await;
    let (stock, two) = (one.unwrap(), two.unwrap());
    assert_eq!((stock.len(), &stock), (4, &two));
    let spent = presignature(&stock[0]);
    cluster.ask(1, &[b"spend", &spent, b"pay 5 to Carol"]).await.unwrap();
    // The client has lost the share.
    cluster.ask(2, &[b"drop", &spent]).await.unwrap();
    let gone = cluster.ask(2, &[b"spend", &spent, b"pay 5 to Carol"]).await;
    assert_eq!(gone.unwrap_err(), "it is not in stock");
    let [one, two] = cluster.presign("1").await;
    assert_eq!((one.unwrap().len(), two.unwrap().len()), (3, 3));
    cluster.ask(2, &[b"drop", b"no id"]).await.unwrap();
}
