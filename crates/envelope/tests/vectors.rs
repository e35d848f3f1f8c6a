//! Frozen bytes: what version 1 wrote reads for ever, and is written today.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::*;
use quorate_envelope::*;
use quorate_session::SealKey;
use quorate_testkit::{golden, rng};

fn frozen(object: &str, bytes: &[u8]) {
    let file = golden::file(env!("CARGO_MANIFEST_DIR"), object, || bytes.to_vec());
    assert!(file == bytes, "{object} has changed");
}

/// Version 2 of the directory, in which n1 rotates, with two signatures.
fn rotated(world: &World) -> (Rotation, Directory) {
    let rotation = Rotation::announce(&name("test"), &world.n1, identity("x", 51).public());
    let draft = world.directory.directory().next_version().rotate(&rotation);
    (rotation, signed(draft.finish().unwrap()))
}

#[test]
fn identities_directories_and_rotations_have_their_frozen_bytes() {
    let world = World::new();
    let (rotation, directory) = rotated(&world);
    let sealed = world.n1.seal(&SealKey::new([5; 32]));
    frozen("identity", &sealed);
    frozen("public-identity", &world.n1.public().to_bytes());
    frozen("directory", &directory.to_bytes());
    frozen("directory-id", &directory.id().to_bytes());
    frozen("rotation", &rotation.to_bytes());
    let opened = Identity::open(&name("n1"), &sealed, &SealKey::new([5; 32])).unwrap();
    assert_eq!(opened.public(), world.n1.public());
    assert_eq!(Directory::from_bytes(&directory.to_bytes()), Ok(directory.clone()));
    let updated = recorded(world.directory.update(directory.clone()).unwrap());
    assert_eq!(updated.id(), directory.id());
}

#[test]
fn envelopes_and_challenges_have_their_frozen_bytes() {
    let world = World::new();
    let to = name("n2");
    let spoken = Spoken { version: 2, understood: Versions::new(1, 3).unwrap() };
    let envelope = Envelope::to(&to, ORDER).speaking(spoken).message(b"known").message(b"answer");
    let envelope = envelope.seal(&world.n1, &world.directory, &mut rng(8)).unwrap();
    frozen("envelope", &envelope);
    let bounds = ChallengeBounds { lifetime: 10, total: 1, each: 1 };
    let mut challenges = Challenges::new(bounds);
    let issued = challenges.issue(&name("gw"), ORDER, 0, &mut rng(9)).unwrap();
    // All but the nonce, which is a hash that only its maker computes.
    let challenge = golden::file(env!("CARGO_MANIFEST_DIR"), "challenge", || issued.clone());
    assert_eq!((&issued[..3], &issued[35..]), (&challenge[..3], &challenge[35..]));
    let answer = |challenge: &[u8]| {
        let challenge = Challenge::from_bytes(&to, challenge).unwrap();
        let answer = Envelope::answer(challenge).message(b"pay");
        answer.seal(&world.gw, &world.directory, &mut rng(8)).unwrap()
    };
    frozen("answer", &answer(&challenge));

    let opener = Opener::new(&world.n2, &world.directory);
    let opened = opener.understanding(Versions::new(2, 2).unwrap()).open(&envelope).unwrap();
    assert_eq!(plain(&opened.replayable()), [b"known".as_slice(), b"answer"]);
    let opened = world.open(&world.n2, &answer(&issued)).unwrap();
    assert_eq!(plain(&opened.fresh(&mut challenges, 5).unwrap()), [b"pay"]);
}
