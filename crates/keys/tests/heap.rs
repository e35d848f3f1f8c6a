//! No share is left behind in memory that was freed.
//!
//! Every block that is freed or moved is searched for the shares of the run: the old ones, what the dealers make of
//! them, the new ones. A run is a function of its seed, so it is made once to learn them and again to be watched.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::integer_division_remainder_used,
    reason = "a test that fails stops"
)]
#![allow(dead_code, reason = "shared with other tests")]

#[path = "keys/group.rs"]
mod group;

use group::{Key, id, parties};
use quorate_curve::{Curve, Ed25519, P256, Secp256k1};
use quorate_keys::session::sim::Network;
use quorate_sharing::lagrange;
use quorate_testkit::heap::{Summary, WatchingAllocator, Watchlist};

#[global_allocator]
static ALLOCATOR: WatchingAllocator = WatchingAllocator;

fn note<C: Curve>(list: &mut Watchlist, name: &str, scalar: &C::Scalar) {
    list.bytes(format!("{name}, encoded"), C::encode_scalar(scalar).as_ref());
    list.memory(format!("{name}, in memory"), scalar);
}

/// The shares of a key, those weighted for the dealers, and the whole key.
fn secrets<C: Curve>(list: &mut Watchlist, key: &Key<C>, dealers: &[u16]) {
    note::<C>(list, "the key", &key.x);
    for (party, share) in &key.shares {
        note::<C>(list, &format!("the share of {party}"), share.secret().expose());
        if dealers.contains(party) {
            let ids = parties(dealers);
            let lambda = lagrange::one_at_zero::<C>(ids.as_slice(), id(*party)).unwrap();
            note::<C>(list, &format!("λ·s of {party}"), &(lambda * *share.secret().expose()));
        }
    }
}

fn nothing_is_left<C: Curve>() {
    let key = Key::<C>::dealt(&[1, 2, 3, 5], 3, 4);
    let dealers = [1, 3, 5];
    let to = [2, 3, 4, 5];
    let new = key.reshared(&dealers, &to, 3, 2);
    let mut list = Watchlist::new();
    secrets(&mut list, &key, &dealers);
    secrets(&mut list, &new, &[]);
    assert!(list.len() > 40);
    let (again, found) = list.watch(|| key.reshared(&dealers, &to, 3, 2));
    assert!(again.public == new.public);
    assert!(found.is_empty(), "resharing over {}: {}", C::NAME, Summary(&found));
    let ((), found) = list.watch(|| {
        let report = key.repair(Network::new(3).crash(50), &[1, 2, 3], 5);
        assert!(report.results.values().all(Result::is_ok));
    });
    assert!(found.is_empty(), "repair over {}: {}", C::NAME, Summary(&found));
    let ((), found) = list.watch(|| {
        for share in new.shares.values() {
            drop(group::copy(share));
        }
    });
    assert!(found.is_empty(), "stored over {}: {}", C::NAME, Summary(&found));
}

/// The control: a share that is dropped in clear is found.
fn what_is_left_is_found() {
    let key = Key::<Ed25519>::dealt(&[1, 2, 3], 2, 4);
    let mut list = Watchlist::new();
    secrets(&mut list, &key, &[]);
    let ((), found) = list.watch(|| drop(key.shares[&1].to_bytes().to_vec()));
    assert!(!found.is_empty());
}

/// One test: what other threads free is looked at as well.
#[test]
fn no_share_is_left_in_freed_memory() {
    what_is_left_is_found();
    nothing_is_left::<Ed25519>();
    nothing_is_left::<Secp256k1>();
    nothing_is_left::<P256>();
}
