//! Envelopes: what is sealed opens for its recipient, and everything else is refused by name.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::*;
use quorate_envelope::*;
use quorate_testkit::{Lcg, Stuck, rng};

#[test]
fn sealed_messages_open_for_their_recipient() {
    let world = World::new();
    let long = vec![7; 100_000];
    let messages: [&[u8]; 4] = [b"one", b"", &long, b"one"];
    let sealed = world.seal(&world.n1, "n2", &messages);
    let opened = world.open(&world.n2, &sealed).unwrap();
    assert_eq!((opened.sender(), opened.party), (world.n1.name(), Some(party(1))));
    assert_eq!((opened.header.kind, opened.header.spoken), (FRAME, Spoken::FIRST));
    assert_eq!(opened.sender_directory, SenderDirectory::Same);
    assert_eq!(Header::peek(&sealed).as_ref(), Some(&opened.header));
    assert_eq!(plain(&opened.replayable()), messages);
    // The content does not show, and what is printed has no messages in it.
    assert!(!sealed.windows(20).any(|window| window == &long[..20]));
    let printed = format!("{:?}", world.open(&world.n2, &sealed).unwrap());
    assert!(printed.contains("4 messages") && !printed.contains("7, 7"), "{printed}");
    // A member that is not a party has no number; a party is found by its number.
    let sealed = world.seal(&world.gw, "n1", &[b"x"]);
    assert_eq!(world.open(&world.n1, &sealed).unwrap().party, None);
    let sealed = Envelope::to_party(party(3), ORDER).message(b"x");
    let sealed = sealed.seal(&world.gw, &world.directory, &mut rng(1)).unwrap();
    assert_eq!(world.open(&world.n3, &sealed).unwrap().header.kind, ORDER);
}

#[test]
fn envelopes_have_the_form_that_is_documented() {
    let world = World::new();
    let list = b"\0\0\0\x02\0\0\0\x01a\0\0\0\0";
    let header = header(&world);
    // What is made by hand opens here, and what is made here opens by hand.
    let opened = world.open(&world.n2, &by_hand(&header, list)).unwrap();
    assert_eq!(plain(&opened.replayable()), [b"a".as_slice(), b""]);
    let sealed = world.seal(&world.n1, "n2", &[b"a", b""]);
    assert_eq!(&sealed[..header.len()], header);
    assert_eq!(opened_by_hand(&header, &sealed), list);
}

#[test]
fn an_altered_byte_is_refused_and_nothing_before_the_signature_is_blamed_on_the_sender() {
    let world = World::new();
    let sealed = world.seal(&world.n1, "n2", &[b"pay", b"bob"]);
    let mut seen = Vec::new();
    for place in 0..sealed.len() {
        let mut altered = sealed.clone();
        altered[place] ^= 1 << place.checked_rem(8).unwrap();
        let error = world.open(&world.n2, &altered).unwrap_err();
        assert_eq!(error.author(), Author::Anybody, "byte {place}: {error}");
        seen.push(error.check);
    }
    // The tag, which the signature covers, included: nothing was decrypted.
    assert!(seen[header(&world).len()..].iter().all(|check| *check == Check::Signature));
    assert!(seen.contains(&Check::UnknownSender) && seen.contains(&Check::Format(17)));
    for length in 0..sealed.len() {
        let check = world.check(&world.n2, &sealed[..length]);
        assert!(matches!(check, Check::Form | Check::Signature), "{length}: {check:?}");
    }
    assert_eq!(world.check(&world.n2, &[&sealed[..], &[0]].concat()), Check::Signature);
    assert_eq!(world.check(&world.n2, &[&[0], &sealed[..]].concat()), Check::Form);
}

#[test]
fn spliced_envelopes_are_refused() {
    let world = World::new();
    let sealed = world.seal(&world.n1, "n2", &[b"one", b"another message"]);
    let other = world.seal(&world.n3, "n2", &[b"of another member"]);
    let mut lcg = Lcg(3);
    for _ in 0..200 {
        let mut bytes = sealed.clone();
        let at = lcg.below(bytes.len());
        match lcg.below(3) {
            0 => bytes.insert(at, lcg.bytes(1)[0]),
            1 => drop(bytes.remove(at)),
            _ => {
                let end = (at + 1 + lcg.below(100)).min(bytes.len()).min(other.len());
                let at = at.min(end);
                bytes[at..end].copy_from_slice(&other[at..end]);
            }
        }
        assert!(bytes == sealed || world.open(&world.n2, &bytes).is_err());
    }
}

#[test]
fn an_envelope_for_another_member_is_refused_and_so_is_a_reflected_one() {
    let world = World::new();
    let sealed = world.seal(&world.n1, "n2", &[b"x"]);
    for me in [&world.n1, &world.n3] {
        let error = world.open(me, &sealed).unwrap_err();
        assert_eq!(
            (error.check.clone(), error.author()),
            (Check::Recipient(name("n2")), Author::Sender)
        );
        assert_eq!(error.to_string(), "an envelope of n1: it is for n2: deliver it there");
    }
}

#[test]
fn a_ciphertext_under_another_signature_does_not_decrypt() {
    let world = World::new();
    let head = header(&world);
    let sealed = by_hand(&head, b"\0\0\0\x01\0\0\0\x01a");
    let rest = &sealed[head.len()..sealed.len() - 64];
    // n3 takes n1's ciphertext for its own, under its own name and signature.
    let mut stolen = head.clone();
    stolen[50..69].copy_from_slice(&[b"\x02n3", world.n3.id().as_bytes().as_slice()].concat());
    let error = world.open(&world.n2, &sign(3, &[&stolen, rest].concat())).unwrap_err();
    assert_eq!((error.check.clone(), error.author()), (Check::Seal, Author::Sender));
    assert_eq!(error.sender, Some(name("n3")));
    // n2 sends what n1 sent to it on to n3, in the name of n1: it cannot sign.
    let mut forwarded = head.clone();
    forwarded[69..88].copy_from_slice(&[b"\x02n3", world.n3.id().as_bytes().as_slice()].concat());
    assert_eq!(world.check(&world.n3, &sign(2, &[&forwarded, rest].concat())), Check::Signature);
    // Even under n1's signature it would not open.
    assert_eq!(world.check(&world.n3, &sign(1, &[&forwarded, rest].concat())), Check::Seal);
}

#[test]
fn a_low_order_encapsulated_key_is_refused() {
    let world = World::new();
    let head = header(&world);
    let sealed = by_hand(&head, b"\0\0\0\x01\0\0\0\x01a");
    for weak in [0, 1] {
        let mut bytes = sealed[..sealed.len() - 64].to_vec();
        bytes[head.len()..head.len() + 32].fill(0);
        bytes[head.len()] = weak;
        assert_eq!(world.check(&world.n2, &sign(1, &bytes)), Check::Seal);
    }
}

#[test]
fn names_and_keys_outside_of_the_directory_are_refused() {
    let world = World::new();
    // A thief of the name alone, and a stranger, each with a directory that names it.
    let draft = |text: &str, seed: u8| {
        let member = Member::new(name(text), identity("x", seed).public().clone());
        let keeps = Member::new(name("n2"), world.n2.public().clone());
        trusted(Directory::first(name("test")).member(member).member(keeps).finish().unwrap())
    };
    let to = name("n2");
    let make = |text: &str, seed: u8| {
        let envelope = Envelope::to(&to, FRAME).message(b"x");
        envelope.seal(&identity(text, seed), &draft(text, seed), &mut rng(1)).unwrap()
    };
    let error = world.open(&world.n2, &make("n1", 77)).unwrap_err();
    let key = identity("n1", 77).id();
    assert_eq!(error.check, Check::SenderKey { key, claimed: 1, ours: 1 });
    assert_eq!(error.author(), Author::Anybody);
    assert_eq!(
        error.to_string(),
        format!(
            "an envelope in the name of n1, which anybody may have made: directory 1 has no key {key} of this member; the envelope was made with directory 1"
        )
    );
    assert_eq!(world.check(&world.n2, &make("stranger", 77)), Check::UnknownSender);
    // n1's key id with another key's signature.
    let sealed = world.seal(&world.n1, "n2", &[b"x"]);
    assert_eq!(world.check(&world.n2, &sign(77, &sealed[..sealed.len() - 64])), Check::Signature);
}

#[test]
fn an_envelope_of_another_deployment_is_refused() {
    let world = World::new();
    let mut draft = Directory::first(name("staging"));
    for member in world.directory.directory().members() {
        draft = draft.member(member.clone());
    }
    let staging = trusted(draft.finish().unwrap());
    let to = name("n2");
    let sealed = Envelope::to(&to, FRAME).message(b"x").seal(&world.n1, &staging, &mut rng(1));
    assert_eq!(world.check(&world.n2, &sealed.unwrap()), Check::Signature);
}

#[test]
fn versions_of_messages_are_negotiated_during_an_upgrade_and_after_its_withdrawal() {
    let world = World::new();
    let both = Versions::new(1, 2).unwrap();
    let to = name("n2");
    let say = |version, understood| {
        let envelope = Envelope::to(&to, FRAME).message(b"x");
        let envelope = envelope.speaking(Spoken { version, understood });
        envelope.seal(&world.n1, &world.directory, &mut rng(1))
    };
    let hear = |understood, envelope: &[u8]| {
        Opener::new(&world.n2, &world.directory).understanding(understood).open(envelope)
    };
    // A new release speaks the old version to an old one, which tells it nothing new.
    let heard = hear(Versions::FIRST, &say(1, both).unwrap()).unwrap().header.spoken;
    assert_eq!(Versions::FIRST.common(heard.understood), Some(1));
    // To another new release it speaks the new version as soon as it has heard it.
    let heard = hear(both, &say(1, both).unwrap()).unwrap().header.spoken;
    assert_eq!(both.common(heard.understood), Some(2));
    assert!(hear(both, &say(2, both).unwrap()).is_ok());
    // The recipient's release is withdrawn. It refuses version 2 by name, learns what the sender understands, and
    // says what it understands itself.
    let error = hear(Versions::FIRST, &say(2, both).unwrap()).unwrap_err();
    let spoken = Spoken { version: 2, understood: both };
    assert_eq!(error.check, Check::Version { spoken, understood: Versions::FIRST });
    assert_eq!(error.author(), Author::Sender);
    assert_eq!(
        error.to_string(),
        "an envelope of n1: its messages are in version 2, and versions 1 to 1 are understood"
    );
    assert_eq!(say(3, both), Err(Unsealable::Version(3)));
    assert_eq!((Versions::new(0, 1), Versions::new(2, 1)), (None, None));
    assert_eq!(Versions::FIRST.common(Versions::new(2, 3).unwrap()), None);
}

#[test]
fn headers_that_nobody_writes_are_refused() {
    let world = World::new();
    let good = header(&world);
    let list = b"\0\0\0\x01\0\0\0\0";
    let with = |place: usize, byte: u8| {
        let mut header = good.clone();
        header[place] = byte;
        world.check(&world.n2, &by_hand(&header, list))
    };
    assert_eq!(with(4, 2), Check::Format(2));
    // A version outside of its own range, ranges that are none, a flag that is not 0 or 1, capital letters.
    for (place, byte) in
        [(0, 0), (5, 2), (5, 0), (6, 0), (6, 2), (7, 0), (88, 2), (51, b'N'), (50, 0), (50, 65)]
    {
        assert_eq!(with(place, byte), Check::Form, "byte {place} is {byte}");
    }
    // An answer without its challenge takes the encapsulated key for one.
    assert_ne!(with(88, 1), Check::Seal);
    assert_eq!(Header::peek(&good[..good.len() - 1]), None);
}

#[test]
fn lists_that_nobody_writes_are_refused() {
    let world = World::new();
    let header = header(&world);
    let many = u32::try_from(MAX_MESSAGES + 1).unwrap().to_be_bytes();
    let good = b"\0\0\0\x02\0\0\0\x01a\0\0\0\0";
    let lists: [&[u8]; 8] = [
        b"",
        b"\0\0\0\0",
        &good[..good.len() - 1],
        b"\0\0\0\x01\0\0\0\x01ab",
        b"\0\0\0\x01\xff\xff\xff\xffa",
        b"\xff\xff\xff\xff",
        b"\0\0\0\x03\0\0\0\x01a\0\0\0\0",
        &[many.as_slice(), &vec![0; 4 * (MAX_MESSAGES + 1)]].concat(),
    ];
    for list in lists {
        let error = world.open(&world.n2, &by_hand(&header, list)).unwrap_err();
        assert_eq!((error.check.clone(), error.author()), (Check::List, Author::Sender));
    }
}

#[test]
fn sizes_are_bounded() {
    let world = World::new();
    let (to, stranger) = (name("n2"), name("n7"));
    let seal = |to, messages: &[Vec<u8>]| {
        let envelope = Envelope::to(to, FRAME).messages(messages.iter().map(Vec::as_slice));
        envelope.seal(&world.n1, &world.directory, &mut rng(1))
    };
    for messages in [vec![], vec![vec![]; MAX_MESSAGES + 1], vec![vec![0; MAX_CONTENT - 3]]] {
        assert_eq!(seal(&to, &messages), Err(Unsealable::Size { messages: messages.len() }));
    }
    let most = seal(&to, &vec![vec![]; MAX_MESSAGES]).unwrap();
    assert_eq!(world.open(&world.n2, &most).unwrap().replayable().len(), MAX_MESSAGES);
    let error = world.open(&world.n2, &vec![0; MAX_ENVELOPE + 1]).unwrap_err();
    assert_eq!(error, EnvelopeError { sender: None, check: Check::TooLong(MAX_ENVELOPE + 1) });
    assert_eq!(seal(&stranger, &[vec![]]), Err(Unsealable::UnknownMember(stranger.clone())));
    let unknown = Envelope::to_party(party(9), FRAME).message(b"x");
    let unknown = unknown.seal(&world.n1, &world.directory, &mut rng(1));
    assert_eq!(unknown, Err(Unsealable::UnknownParty(party(9))));
    // A sender whose keys the directory does not have is told at once.
    let other = identity("n1", 77);
    let refused =
        Envelope::to(&to, FRAME).message(b"x").seal(&other, &world.directory, &mut rng(1));
    let keys = OtherKeys { name: name("n1"), keys: other.id() };
    assert_eq!(refused, Err(Unsealable::OtherKeys(keys.clone())));
    assert_eq!(other.check_belongs_to(&world.directory), Err(keys));
    assert_eq!(world.n1.check_belongs_to(&world.directory), Ok(()));
}

#[test]
fn the_longest_header_leaves_room_for_the_longest_content() {
    // Names of 64 characters at both ends, and an answer.
    let long = |end: &str| "x".repeat(63) + end;
    let (one, two) = (identity(&long("a"), 1), identity(&long("b"), 2));
    let draft = Directory::first(name("test"));
    let draft = [&one, &two].into_iter().fold(draft, |draft, identity| {
        draft.member(Member::new(identity.name().clone(), identity.public().clone()))
    });
    let directory = trusted(draft.finish().unwrap());
    let bounds = ChallengeBounds { lifetime: 1, total: 1, each: 1 };
    let issued = Challenges::new(bounds).issue(one.name(), FRAME, 0, &mut rng(1)).unwrap();
    let challenge = Challenge::from_bytes(two.name(), &issued).unwrap();
    let sealed = Envelope::answer(challenge).message(&[1; 96]);
    let sealed = sealed.seal(&one, &directory, &mut rng(1)).unwrap();
    assert_eq!(sealed.len() - 100, MAX_ENVELOPE - MAX_CONTENT);
    assert!(Opener::new(&two, &directory).open(&sealed).is_ok());
}

#[test]
fn a_generator_that_repeats_itself_gives_no_two_envelopes_one_key() {
    let world = World::new();
    let to = name("n2");
    let seal = |from: &Identity, message: &[u8]| {
        let envelope = Envelope::to(&to, FRAME).message(message);
        envelope.seal(from, &world.directory, &mut Stuck::at(0)).unwrap()
    };
    let encapsulated = |envelope: Vec<u8>| envelope[89..121].to_vec();
    let one = encapsulated(seal(&world.n1, b"one"));
    assert_ne!(one, encapsulated(seal(&world.n1, b"two")));
    assert_ne!(one, encapsulated(seal(&world.n3, b"one")));
    // With one that works, two envelopes of one text differ.
    let mut rng = rng(1);
    let mut seal = || {
        let envelope = Envelope::to(&to, FRAME).message(b"one");
        encapsulated(envelope.seal(&world.n1, &world.directory, &mut rng).unwrap())
    };
    assert_ne!(seal(), seal());
}
