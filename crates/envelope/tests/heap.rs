//! Neither messages nor secret keys are left behind in memory that was freed.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::*;
use quorate_envelope::*;
use quorate_session::SealKey;
use quorate_testkit::heap::{Summary, WatchingAllocator, Watchlist};
use quorate_testkit::rng;

#[global_allocator]
static ALLOCATOR: WatchingAllocator = WatchingAllocator;

/// One test, since what other tests free would be looked at as well.
#[test]
fn messages_and_keys_are_wiped_before_their_memory_is_freed() {
    let world = World::new();
    let to = name("n2");
    let message: Vec<u8> = (0..200).map(|byte| byte ^ 0x5a).collect();
    let seed: [u8; 32] = core::array::from_fn(|place| message[place] ^ 0xc3);
    let mut list = Watchlist::new();
    list.bytes("message", &message);
    list.bytes("seed", &seed);
    let key = SealKey::new([5; 32]);
    let ((), found) = list.watch(|| {
        let envelope = Envelope::to(&to, FRAME).message(&message).message(b"").message(&message);
        let envelope = envelope.seal(&world.n1, &world.directory, &mut rng(1)).unwrap();
        let opened = world.open(&world.n2, &envelope).unwrap();
        drop(opened.replayable());
        drop(world.open(&world.n2, &envelope).unwrap());
        let sealed = Identity::from_seed(name("n1"), &seed).seal(&key);
        drop(Identity::open(&name("n1"), &sealed, &key).unwrap());
    });
    assert!(found.is_empty(), "{}", Summary(&found));
    // The control: a copy that is freed as it is would be seen.
    let ((), found) = list.watch(|| drop(message.clone()));
    assert!(!found.is_empty());
}
