//! The network in memory, and the queues under every transport.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use core::time::Duration;
use std::collections::BTreeMap;

use custody_nats::memory::{Faults, Network};
use custody_nats::{Outgoing, Receiver, Sender, Transport as _};
use futures_util::{SinkExt as _, StreamExt as _};
use quorate_envelope::Name;
use tokio::time::timeout;

fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

async fn send(sender: &mut Sender, to: &str, number: u16) {
    let envelope = number.to_be_bytes().to_vec();
    sender.send(Outgoing { to: name(to), envelope }).await.unwrap();
}

/// The senders and numbers of all that arrives within an hour of the paused clock.
async fn all(receiver: &mut Receiver) -> Vec<(Name, u16)> {
    let mut numbers = Vec::new();
    while let Ok(Some(incoming)) = timeout(Duration::from_secs(3600), receiver.next()).await {
        numbers.push((incoming.from, u16::from_be_bytes(incoming.envelope.try_into().unwrap())));
    }
    numbers
}

async fn run(seed: u64, faults: Faults, count: u16) -> Vec<u16> {
    let network = Network::new(seed, faults);
    let (mut receiver, _two) = network.join(&name("n2")).split();
    let (_one, mut sender) = network.join(&name("n1")).split();
    for number in 0..count {
        send(&mut sender, "n2", number).await;
    }
    all(&mut receiver).await.into_iter().map(|(_, number)| number).collect()
}

#[tokio::test(start_paused = true)]
async fn network_without_faults_delivers_in_order() {
    assert_eq!(run(1, Faults::default(), 200).await, (0..200).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn faults_lose_repeat_and_reorder_the_same_way_for_one_seed() {
    let faults = Faults { lost: 300, repeated: 300, delay: Duration::from_millis(50) };
    let first = run(7, faults, 400).await;
    assert_eq!(first, run(7, faults, 400).await);
    assert_ne!(first, run(8, faults, 400).await);
    let mut counts = BTreeMap::new();
    for number in &first {
        *counts.entry(*number).or_insert(0) += 1;
    }
    let repeated = counts.values().filter(|count| **count == 2).count();
    assert!((200..360).contains(&counts.len()), "{} of 400 arrived", counts.len());
    assert!((40..130).contains(&repeated), "{repeated} of 400 arrived twice");
    assert!(!first.is_sorted());
}

#[tokio::test(start_paused = true)]
async fn member_that_is_cut_off_receives_nothing_until_it_is_connected_again() {
    let network = Network::new(1, Faults::default());
    let (mut receiver, _two) = network.join(&name("n2")).split();
    let (_one, mut sender) = network.join(&name("n1")).split();
    network.cut_off(&name("n2"), true);
    send(&mut sender, "n2", 1).await;
    network.cut_off(&name("n2"), false);
    send(&mut sender, "n2", 2).await;
    assert_eq!(all(&mut receiver).await, [(name("n1"), 2)]);
}

#[tokio::test(start_paused = true)]
async fn member_that_joins_again_ends_its_earlier_stream() {
    let network = Network::new(1, Faults::default());
    let (mut earlier, _) = network.join(&name("n2")).split();
    let (mut receiver, mut own) = network.join(&name("n2")).split();
    assert_eq!(earlier.next().await, None);
    send(&mut own, "n2", 3).await;
    assert_eq!(all(&mut receiver).await, [(name("n2"), 3)]);
}

#[tokio::test(start_paused = true)]
async fn sender_that_floods_loses_its_own_oldest_envelopes_and_delays_nobody() {
    let network = Network::new(1, Faults::default());
    let (mut receiver, _two) = network.join(&name("n2")).split();
    let (_one, mut flood) = network.join(&name("n1")).split();
    let (_three, mut quiet) = network.join(&name("n3")).split();
    for number in 0..3000 {
        send(&mut flood, "n2", number).await;
    }
    send(&mut quiet, "n2", 1).await;
    send(&mut quiet, "n2", 2).await;
    let received = all(&mut receiver).await;
    let expected = [("n1", 1976), ("n3", 1), ("n1", 1977), ("n3", 2), ("n1", 1978)];
    assert_eq!(received[..5], expected.map(|(from, number)| (name(from), number)));
    assert_eq!(received.len(), 1024 + 2);
}

#[tokio::test(start_paused = true)]
async fn bytes_that_wait_are_bounded() {
    let network = Network::new(1, Faults::default());
    let (mut receiver, _two) = network.join(&name("n2")).split();
    let (_one, mut sender) = network.join(&name("n1")).split();
    for length in [(16 << 20) + 1, 9 << 20, 9 << 20, 1] {
        sender.send(Outgoing { to: name("n2"), envelope: vec![0; length] }).await.unwrap();
    }
    let mut lengths = Vec::new();
    while let Ok(Some(incoming)) = timeout(Duration::from_secs(1), receiver.next()).await {
        lengths.push(incoming.envelope.len());
    }
    assert_eq!(lengths, [9 << 20, 1]);
}
