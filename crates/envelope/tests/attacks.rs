//! Attacks from four places: a broker, a member that lies, an administrator, and a restore of everything at once.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::*;
use quorate_envelope::*;
use quorate_testkit::{Stuck, rng};

const BOUNDS: ChallengeBounds = ChallengeBounds { lifetime: 100, total: 8, each: 2 };

fn next(directory: &TrustedDirectory, change: impl FnOnce(Draft) -> Draft) -> Directory {
    signed(change(directory.directory().next_version()).finish().unwrap())
}

fn seal(from: &Identity, directory: &TrustedDirectory, to: &str) -> Vec<u8> {
    let to = name(to);
    Envelope::to(&to, FRAME).message(b"x").seal(from, directory, &mut rng(1)).unwrap()
}

#[test]
fn a_broker_that_withholds_an_update_is_shown_up_by_any_envelope() {
    let world = World::new();
    let revoked = next(&world.directory, |draft| draft.remove(&name("n3")));
    let updated = recorded(world.directory.update(revoked).unwrap());
    // n2 has not had the update, and still believes n3; but n1 has, and n2 learns of it.
    let stolen = seal(&world.n3, &world.directory, "n2");
    assert!(world.open(&world.n2, &stolen).is_ok());
    let envelope = seal(&world.n1, &updated, "n2");
    let opened = world.open(&world.n2, &envelope).unwrap();
    assert_eq!(opened.sender_directory, SenderDirectory::Newer(2));
    // n1 sees that n2 is behind.
    let opened = Opener::new(&world.n1, &updated).open(&seal(&world.n2, &world.directory, "n1"));
    assert_eq!(opened.unwrap().sender_directory, SenderDirectory::Older(1));
}

#[test]
fn a_broker_cannot_make_a_second_signature_of_the_first() {
    let world = World::new();
    let mut envelope = seal(&world.n1, &world.directory, "n2");
    // S + L, which is S again modulo the order of the group.
    let order =
        quorate_testkit::unhex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
    let at = envelope.len() - 32;
    let mut carry = 0;
    for (byte, add) in envelope[at..].iter_mut().zip(order) {
        let sum = u16::from(*byte) + u16::from(add) + carry;
        *byte = sum.to_le_bytes()[0];
        carry = sum >> 8;
    }
    assert_eq!((carry, world.check(&world.n2, &envelope)), (0, Check::Signature));
}

#[test]
fn a_broker_that_swaps_answers_of_two_members_gains_nothing() {
    let world = World::new();
    let mut challenges = Challenges::new(BOUNDS);
    let mut rng = rng(2);
    let mut answer = |from: &Identity| {
        let issued = challenges.issue(from.name(), ORDER, 0, &mut rng).unwrap();
        let challenge = Challenge::from_bytes(&name("n2"), &issued).unwrap();
        Envelope::answer(challenge).message(b"x").seal(from, &world.directory, &mut rng).unwrap()
    };
    let (one, two) = (answer(&world.n1), answer(&world.gw));
    // Each half of each envelope with the other half.
    let (head, other) = (header_length(&one), header_length(&two));
    for swapped in [[&one[..head], &two[other..]].concat(), [&two[..other], &one[head..]].concat()]
    {
        assert_eq!(world.check(&world.n2, &swapped), Check::Signature);
    }
    // In any order, each as often as the broker likes.
    for (envelope, accepted) in [(&two, true), (&one, true), (&two, false), (&one, false)] {
        let opened = world.open(&world.n2, envelope).unwrap();
        assert_eq!(opened.fresh(&mut challenges, 1).is_ok(), accepted);
    }
}

fn header_length(envelope: &[u8]) -> usize {
    let header = Header::peek(envelope).unwrap();
    let names = header.sender.name.as_str().len() + header.recipient.name.as_str().len();
    50 + names + 2 * 17 + if header.answers.is_some() { 33 } else { 1 }
}

#[test]
fn an_envelope_to_a_member_of_before_does_not_reach_the_one_who_has_its_name_now() {
    let world = World::new();
    let (to, from) =
        (seal(&world.n1, &world.directory, "n3"), seal(&world.n3, &world.directory, "n1"));
    let removed = next(&world.directory, |draft| draft.remove(&name("n3")));
    let removed = recorded(world.directory.update(removed).unwrap());
    let successor = identity("n3", 33);
    let member = Member::new(name("n3"), successor.public().clone());
    let back = next(&removed, |draft| draft.member(member));
    let back = recorded(removed.update(back).unwrap());
    let refused = Opener::new(&successor, &back).open(&to).unwrap_err();
    assert_eq!(refused.check, Check::RecipientKey(world.n3.id()));
    let refused = Opener::new(&world.n1, &back).open(&from).unwrap_err();
    assert_eq!(refused.check, Check::SenderKey { key: world.n3.id(), claimed: 1, ours: 3 });
}

#[test]
fn a_member_that_floods_with_requests_for_challenges_leaves_room_for_others() {
    // Room for each member: four times two.
    let mut challenges = Challenges::new(BOUNDS);
    let mut rng = rng(3);
    let mut issue = |to: &str| challenges.issue(&name(to), ORDER, 0, &mut rng).map(|_| ());
    let flood: Vec<_> = (0..100).map(|_| issue("n1")).collect();
    assert_eq!(flood.iter().filter(|issued| issued.is_ok()).count(), 2);
    for other in ["n2", "n3", "gw"] {
        assert_eq!([issue(other), issue(other)], [Ok(()), Ok(())]);
    }
}

#[test]
fn a_member_that_lies_about_its_directory_changes_nothing_at_others() {
    let world = World::new();
    let mut lie = header(&world);
    lie[10..18].fill(255);
    let envelope = by_hand(&lie, b"\0\0\0\x01\0\0\0\x01a");
    let opened = world.open(&world.n2, &envelope).unwrap();
    assert_eq!(opened.sender_directory, SenderDirectory::Newer(u64::MAX));
    assert_eq!(opened.sender(), &name("n1"));
    // Another digest for the version that all have is a fork, by its name.
    let mut lie = header(&world);
    lie[18] ^= 1;
    let opened = world.open(&world.n2, &by_hand(&lie, b"\0\0\0\x01\0\0\0\x01a")).unwrap();
    assert_eq!(opened.sender_directory, SenderDirectory::Fork);
}

#[test]
fn signatures_of_one_purpose_are_void_for_the_others() {
    let world = World::new();
    let directory = world.directory.directory();
    // The signature of a rotation in the place of an envelope's.
    let rotation = Rotation::announce(&name("test"), &world.n1, identity("x", 50).public());
    let bytes = rotation.to_bytes();
    let signature = &bytes[bytes.len() - 32 - 64..bytes.len() - 32];
    let sealed = seal(&world.n1, &world.directory, "n2");
    let other = [&sealed[..sealed.len() - 64], signature].concat();
    assert_eq!(world.check(&world.n2, &other), Check::Signature);
    // A member's signature, even a right one, is not an administrator's.
    let next = directory.next_version().finish().unwrap();
    let refused = world.directory.update(next.sign(&world.n1).unwrap()).unwrap_err();
    assert_eq!(refused, TrustError::Signature(name("n1")));
}

#[test]
fn administrators_who_sign_two_directories_of_one_version_are_found_out() {
    let world = World::new();
    let one = next(&world.directory, |draft| draft.remove(&name("gw")));
    let two = next(&world.directory, |draft| draft.remove(&name("n3")));
    let [one, two] = [one, two].map(|next| recorded(world.directory.update(next).unwrap()));
    let envelope = seal(&world.n1, &one, "n2");
    let opened = Opener::new(&world.n2, &two).open(&envelope).unwrap();
    assert_eq!(opened.sender_directory, SenderDirectory::Fork);
    let fork = TrustError::Fork { trusted: two.id(), got: one.id() };
    assert_eq!(two.update(one.directory().clone()).unwrap_err(), fork);
}

#[test]
fn one_administrator_cannot_lower_the_threshold_or_count_for_two() {
    let world = World::new();
    let first = administrator(1);
    let draft = || world.directory.directory().next_version();
    let lowered = draft().threshold(1).finish().unwrap().sign(&first).unwrap();
    assert_eq!(world.directory.update(lowered).unwrap_err(), TrustError::OtherAdministrators);
    // Its key under a second administrator's name.
    let posing = Identity::from_seed(name("admin2"), &[101; 32]);
    assert_eq!(posing.public(), first.public());
    let twice = draft().finish().unwrap().sign(&first).unwrap().sign(&posing).unwrap();
    assert_eq!(world.directory.update(twice).unwrap_err(), TrustError::Signature(name("admin2")));
    // Signatures of the version before do not count for the next.
    let two = recorded(world.directory.update(next(&world.directory, |draft| draft)).unwrap());
    let three = two.directory().next_version().finish().unwrap();
    assert_eq!(three.signers().count(), 0);
    let too_few = TrustError::TooFewSignatures { needed: 2, got: 0 };
    assert_eq!(two.update(three).unwrap_err(), too_few);
}

/// An order of the gateway, which answers a new challenge of n2.
fn answer(world: &World, challenges: &mut Challenges) -> Vec<u8> {
    let issued = challenges.issue(&name("gw"), ORDER, 0, &mut rng(2)).unwrap();
    let challenge = Challenge::from_bytes(&name("n2"), &issued).unwrap();
    let order = Envelope::answer(challenge).message(b"pay");
    order.seal(&world.gw, &world.directory, &mut rng(2)).unwrap()
}

#[test]
fn a_restore_of_everything_at_once_accepts_no_answer_and_repeats_no_key() {
    let world = World::new();
    // Before the backup a challenge was issued; a generator and a directory are in the backup.
    let mut challenges = Challenges::new(BOUNDS);
    let order = answer(&world, &mut challenges);
    let opened = world.open(&world.n2, &order).unwrap();
    assert!(opened.fresh(&mut challenges, 1).is_ok());
    let to = name("n2");
    let send = |message: &[u8]| {
        let envelope = Envelope::to(&to, FRAME).message(message);
        envelope.seal(&world.n1, &world.directory, &mut Stuck::at(4)).unwrap()
    };
    let before = send(b"before");
    let updated = next(&world.directory, |draft| draft.remove(&name("n3")));
    let updated = recorded(world.directory.update(updated).unwrap());

    // All come back from the backup. The order is not executed again.
    let mut challenges = Challenges::new(BOUNDS);
    let opened = world.open(&world.n2, &order).unwrap();
    assert_eq!(opened.fresh(&mut challenges, 1).unwrap_err(), Stale::NotOpen);
    // The generator repeats itself, and another message is under another key all the same.
    let after = send(b"after!");
    let at = header_length(&before);
    assert_ne!(before[at..at + 32], after[at..at + 32]);
    // All trust the old directory, with the key that had been revoked: nobody here can know. The update puts it right,
    // and so does any envelope from somebody who has it.
    assert!(world.open(&world.n2, &seal(&world.n3, &world.directory, "n2")).is_ok());
    let opened = world.open(&world.n2, &seal(&world.n1, &updated, "n2")).unwrap();
    assert_eq!(opened.sender_directory, SenderDirectory::Newer(2));
    assert!(world.directory.update(updated.directory().clone()).is_ok());
}

#[test]
fn an_old_answer_answers_no_challenge_of_a_generator_that_repeats_itself() {
    let world = World::new();
    let mut challenges = Challenges::new(BOUNDS);
    let order = answer(&world, &mut challenges);
    let answered = |challenges: &mut Challenges, now| {
        world.open(&world.n2, &order).unwrap().fresh(challenges, now).map(drop)
    };
    assert_eq!(answered(&mut challenges, 0), Ok(()));
    // The same process at the same time, with a generator that has gone round; then a restored one.
    challenges.issue(&name("gw"), ORDER, 0, &mut rng(3)).unwrap();
    challenges.issue(&name("gw"), ORDER, 0, &mut rng(2)).unwrap();
    assert_eq!(answered(&mut challenges, 0), Err(Stale::NotOpen));
    let mut challenges = Challenges::new(BOUNDS);
    challenges.issue(&name("gw"), ORDER, 1, &mut rng(2)).unwrap();
    assert_eq!(answered(&mut challenges, 1), Err(Stale::NotOpen));
}
