//! Nodes that break the protocol of presigning are named by those that find it, in a list and in the log.

use crate::common::Cluster;
use crate::common::cluster::{Lie, party};
use crate::common::{administrator, now};
use custody_core::{Answer, Order, Reason};
use quorate::session::frame::{HEADER, Header};

/// The header of the frame in a packet.
fn frame(packet: &[u8]) -> Option<Header> {
    let (_, frame) = packet.split_first().filter(|(kind, _)| **kind == 0)?;
    Header::parse(frame)
}

/// The packet with another bit at this place from the end of its frame.
fn altered(packet: &[u8], place: usize) -> Vec<u8> {
    let mut packet = packet.to_vec();
    packet[place] ^= 1;
    packet
}

fn last(packet: &[u8]) -> Vec<u8> {
    altered(packet, packet.len() - 1)
}

fn is_broadcast(packet: &[u8]) -> bool {
    frame(packet).is_some_and(|header| header.to.is_none())
}

/// Two broadcasts in each round.
fn equivocates(packet: &[u8]) -> Vec<Vec<u8>> {
    let other = is_broadcast(packet).then(|| last(packet));
    [packet.to_vec()].into_iter().chain(other).collect()
}

/// Another broadcast than the one that its own echo is about.
fn tells_otherwise(packet: &[u8]) -> Vec<Vec<u8>> {
    vec![if is_broadcast(packet) { last(packet) } else { packet.to_vec() }]
}

/// Echoes of other broadcasts than those that were sent.
fn echoes_otherwise(packet: &[u8]) -> Vec<Vec<u8>> {
    let is_later = frame(packet).is_some_and(|header| header.round.get() == 2);
    vec![if is_later { altered(packet, 1 + HEADER) } else { packet.to_vec() }]
}

/// Wrong proofs.
fn proves_wrongly(packet: &[u8]) -> Vec<Vec<u8>> {
    let is_direct = frame(packet).is_some_and(|header| header.to.is_some());
    vec![if is_direct { last(packet) } else { packet.to_vec() }]
}

#[tokio::test(flavor = "multi_thread")]
async fn presigner_that_equivocates_or_proves_wrongly_is_named_and_no_other() {
    let lies: [Lie; 4] = [equivocates, tells_otherwise, echoes_otherwise, proves_wrongly];
    let cluster = Cluster::start(3).await;
    cluster.search_primes().await;
    let key = cluster.make_key("ecdsa-secp256k1", 2).await;
    for (run, lie) in (1_u8..).zip(lies) {
        cluster.lie(2, lie);
        let signers = vec![party(1), party(2)];
        let order = Order::Presign { key, run: [run; 32], signers, count: 1 };
        assert_eq!(cluster.order(2, order.clone()).await, Answer::Pending);
        let answers = cluster.until(&[1], &order).await;
        let is_refused =
            matches!(&answers[0], Answer::Refused(why) if why.reason == Reason::RunFailed);
        assert!(is_refused, "lie {run}: {answers:?}");
        let accusations = cluster.order(1, Order::Accusations).await;
        let Answer::Accusations(all) = accusations else { panic!("{accusations:?}") };
        let [accusation] = &all[..] else { panic!("lie {run}: {all:?}") };
        assert_eq!((accusation.party, accusation.count), (party(2), u32::from(run)));
        assert!(accusation.last.abs_diff(now()) < 60 && !accusation.fault.is_empty());
    }
    assert_eq!(cluster.order(3, Order::Accusations).await, Answer::Accusations(vec![]));
    let request = administrator().read("/v1/audit/1");
    let Answer::Audit(lines) = cluster.order(1, Order::Audit { request }).await else { panic!() };
    let accused: Vec<_> = lines.iter().filter(|line| line.contains("accused")).collect();
    assert!(accused.len() == 1 && accused[0].contains("\"n2\""), "once in an hour: {accused:?}");
    // The others presign.
    assert_eq!(cluster.presign(key, &[1, 3], 9, 1).await.len(), 1);
}
