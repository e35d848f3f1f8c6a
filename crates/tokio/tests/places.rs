//! Places for connections.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use futures_util::FutureExt as _;
use quorate_tokio::{Places, TooMany};

#[tokio::test]
async fn peer_with_many_connections_leaves_places_for_others() {
    let places = Places::new(4, 2);
    let mut held = Vec::new();
    for _ in 0..2 {
        let mut place = places.wait().await;
        assert_eq!(place.take_as("liar"), Ok(()));
        held.push(place);
    }
    let mut third = places.wait().await;
    assert_eq!(third.take_as("liar"), Err(TooMany::Connections(2)));
    drop(third);
    let mut other = places.wait().await;
    assert_eq!(other.take_as("honest"), Ok(()));
    drop(held.pop());
    assert_eq!(places.wait().await.take_as("liar"), Ok(()));
}

#[tokio::test]
async fn place_is_free_again_when_it_is_dropped() {
    let places = Places::<&str>::new(2, 2);
    let (first, _second) = (places.wait().await, places.wait().await);
    assert!(places.wait().now_or_never().is_none());
    drop(first);
    assert!(places.wait().now_or_never().is_some());
}

#[tokio::test]
async fn second_peer_on_a_connection_is_refused() {
    let places = Places::new(2, 1);
    let mut place = places.wait().await;
    assert_eq!(place.take_as("one"), Ok(()));
    assert_eq!(place.take_as("one"), Ok(()));
    assert_eq!(place.take_as("two"), Err(TooMany::Peers));
    drop(place);
    assert_eq!(places.wait().await.take_as("one"), Ok(()));
}
