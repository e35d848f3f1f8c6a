//! Directories and names: what is refused, one encoding, and a digest of everything.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::*;
use quorate_envelope::*;
use quorate_session::container::{ContainerError, HEADER, Kind, Label, NO_CURVE};

fn member(text: &str, seed: u8) -> Member {
    Member::new(name(text), identity("x", seed).public().clone())
}

/// A container of a directory with this body.
fn container(body: &[u8]) -> Vec<u8> {
    let label = Label {
        kind: Kind { code: 120, name: "a directory", version: 1 },
        curve: NO_CURVE,
        family: "quorate-envelope",
        family_code: 0,
    };
    let mut bytes = label.start(body.len());
    bytes.extend_from_slice(body);
    label.end_public(bytes)
}

fn body(directory: &Directory) -> Vec<u8> {
    let bytes = directory.to_bytes();
    bytes[HEADER..bytes.len() - 32].to_vec()
}

#[test]
fn a_directory_is_written_and_read_with_its_signatures() {
    let directory = signed(directory().next_version().end_rotation(&name("n1")).finish().unwrap());
    let read = Directory::from_bytes(&directory.to_bytes()).unwrap();
    assert_eq!((&read, read.id()), (&directory, directory.id()));
    assert_eq!((read.version(), read.members().count()), (2, 4));
    assert_eq!(read.signers().collect::<Vec<_>>(), [&name("admin1"), &name("admin2")]);
    assert_eq!(read.administrators().names().count(), 3);
    assert_eq!(read.member_of(party(2)).unwrap().name, name("n2"));
    assert_eq!((read.member_of(party(4)), read.member(&name("n4"))), (None, None));
    assert_eq!(read.to_string(), "directory 2 of test");
}

#[test]
fn the_digest_is_of_everything_but_the_signatures() {
    let one = directory();
    assert_eq!(one.id(), signed(one.clone()).id());
    let next = || one.next_version();
    let rotation =
        Rotation::announce(&name("test"), &identity("n1", 1), identity("x", 50).public());
    let drafts = [
        next(),
        next().threshold(3),
        next().administrator(&name("admin4"), identity("x", 60).public()),
        next().member(member("n4", 61)),
        next().member(member("n5", 61)),
        next().member(member("n5", 61).with_party(party(5))),
        next().remove(&name("n1")),
        next().replace(&name("n1"), identity("x", 50).public()),
        next().rotate(&rotation),
        next().without_administrators(),
    ];
    let mut ids: Vec<_> = drafts.into_iter().map(|draft| draft.finish().unwrap().id()).collect();
    let mut other = Directory::first(name("other"));
    other = one.members().fold(other, |draft, member| draft.member(member.clone()));
    ids.extend([one.id(), other.finish().unwrap().id()]);
    let digests: std::collections::BTreeSet<_> = ids.iter().map(|id| *id.digest()).collect();
    assert_eq!(digests.len(), ids.len());
}

#[test]
fn an_id_has_one_text_that_operators_compare() {
    let id = directory().id();
    let text = id.to_string();
    assert!(text.starts_with("1:") && text.len() == 66, "{text}");
    assert_eq!(text.parse(), Ok(id));
    assert_eq!(DirectoryId::from_bytes(&id.to_bytes()), Ok(id));
    let signs = format!("1:+{}", &text[3..]);
    for other in [
        &text[1..],
        &text[..65],
        &format!("{text}0"),
        &format!("+{text}"),
        &format!("0{text}"),
        &signs,
    ] {
        assert!(other.parse::<DirectoryId>().is_err(), "{other}");
    }
    assert!(text.to_uppercase().parse::<DirectoryId>().is_err());
    assert!(DirectoryId::from_bytes(&id.to_bytes()[1..]).is_err());
    assert!(DirectoryId::from_bytes(&[id.to_bytes().as_slice(), &[0]].concat()).is_err());
}

#[test]
fn names_have_a_fixed_alphabet() {
    for good in ["a", "n-1_x.y", &"z".repeat(64)] {
        assert_eq!(good.parse::<Name>().unwrap().to_string(), good);
    }
    for bad in ["", "A", "a b", "é", "a\n", "a/b", &"z".repeat(65)] {
        let error = Name::new(bad).unwrap_err();
        assert!(error.to_string().starts_with("expected a name of 1 to 64"), "{bad}");
    }
}

#[test]
fn a_directory_with_one_key_or_name_twice_is_refused() {
    let first = || Directory::first(name("test"));
    let refused = |draft: Draft| draft.finish().unwrap_err();
    let shared = |second: &str, first: &str| DirectoryError::SharedKey {
        name: name(second),
        owner: name(first),
    };
    assert_eq!(refused(first().member(member("a", 1)).member(member("b", 1))), shared("b", "a"));
    assert_eq!(
        shared("b", "a").to_string(),
        "a key of b is a key of a too: make new keys for one of them"
    );
    // One of the two keys is enough, and so is an administrator's, a previous key, or a key twice under one name.
    let [one, two] = [1, 2].map(|seed| identity("x", seed).public().to_bytes());
    let mixed = PublicIdentity::from_bytes(&[&one[..32], &two[32..]].concat()).unwrap();
    assert_eq!(
        refused(first().member(member("a", 1)).member(Member::new(name("b"), mixed))),
        shared("b", "a")
    );
    let administrator = identity("x", 1);
    let draft = first().threshold(1).administrator(&name("z"), administrator.public());
    assert_eq!(refused(draft.member(member("a", 1))), shared("a", "z"));
    let previous = Member { previous: Some(administrator.public().clone()), ..member("a", 2) };
    assert_eq!(refused(first().member(previous.clone()).member(member("b", 1))), shared("b", "a"));
    let previous = Member { current: administrator.public().clone(), ..previous };
    assert_eq!(refused(first().member(previous)), shared("a", "a"));

    let twice = DirectoryError::SecondEntry(name("a"));
    assert_eq!(refused(first().member(member("a", 1)).member(member("a", 2))), twice);
    let draft = first().threshold(1).administrator(&name("a"), identity("x", 1).public());
    assert_eq!(refused(draft.administrator(&name("a"), identity("x", 2).public())), twice);
    let [a, b] = [member("a", 1), member("b", 2)].map(|member| member.with_party(party(7)));
    assert_eq!(refused(first().member(a).member(b)), DirectoryError::SharedParty(name("b")));
}

#[test]
fn bad_thresholds_and_oversized_lists_are_refused() {
    let with = |threshold: u8, administrators: u8| {
        let draft = Directory::first(name("test")).threshold(threshold);
        (0..administrators).fold(draft, |draft, number| {
            let identity = identity("x", number);
            draft.administrator(&name(&format!("a{number}")), identity.public())
        })
    };
    for (threshold, administrators) in [(1, 0), (0, 1), (3, 2)] {
        assert_eq!(with(threshold, administrators).finish(), Err(DirectoryError::Threshold));
    }
    assert!(with(32, 32).finish().is_ok());
    assert_eq!(with(32, 33).finish(), Err(DirectoryError::TooMany));
    // Counts that the bytes do not have room for are refused before there is room made for them.
    let good = body(&Directory::first(name("t")).finish().unwrap());
    assert_eq!(good.len(), 2 + 8 + 2 + 2 + 1);
    for (place, byte) in [(11, 255), (12, 255), (14, 255), (14, 32)] {
        let mut many = good.clone();
        many[place] = byte;
        assert!(Directory::from_bytes(&container(&many)).is_err(), "byte {place} is {byte}");
    }
    let long = vec![0; Directory::MAX_BYTES + 1];
    assert_eq!(Directory::from_bytes(&long), Err(DirectoryError::TooLong(long.len())));
}

#[test]
fn the_most_members_fit_the_bound_in_bytes() {
    // Of each: a name, a party, two pairs of keys. Of administrators: a name, a pair of keys, a signature.
    let member = 65 + 2 + 64 + 1 + 64;
    let administrator = 65 + 64 + 65 + 64;
    let rest = 12 + 32 + 65 + 8 + 2 + 2 + 1;
    let most = Directory::MAX_MEMBERS * member + Administrators::MAX * administrator + rest;
    assert!(most <= Directory::MAX_BYTES, "{most}");
}

/// A point whose order is 8 times that of the group, as 32 bytes: the identity's, plus one of order 8.
fn mixed(key: [u8; 32]) -> [u8; 32] {
    use curve25519_dalek::{constants::EIGHT_TORSION, edwards::CompressedEdwardsY};
    (CompressedEdwardsY(key).decompress().unwrap() + EIGHT_TORSION[1]).compress().0
}

#[test]
fn weak_and_ambiguous_keys_are_refused() {
    let good = identity("x", 1).public().to_bytes();
    let (verifying, sealing) = good.split_at(32);
    let with = |verifying: &[u8], sealing: &[u8]| {
        PublicIdentity::from_bytes(&[verifying, sealing].concat()).map(|_| ()).map_err(|why| why.0)
    };
    assert_eq!(with(verifying, sealing), Ok(()));
    let ed25519 = Err("an Ed25519 key of prime order in its canonical encoding");
    for weak in curve25519_dalek::constants::EIGHT_TORSION {
        assert_eq!(with(&weak.compress().0, sealing), ed25519);
    }
    assert_eq!(with(&mixed(verifying.try_into().unwrap()), sealing), ed25519);
    // y = p + 3, which is y = 3 again; and a y that is of no point.
    let mut other = [0xff; 32];
    (other[0], other[31]) = (0xf0, 0x7f);
    assert_eq!(with(&other, sealing), ed25519);
    assert_eq!(with(&[2; 32], sealing), ed25519);

    let x25519 = Err("an X25519 key of prime order in its canonical encoding");
    for weak in curve25519_dalek::constants::EIGHT_TORSION {
        assert_eq!(with(verifying, &weak.to_montgomery().0), x25519);
    }
    let mut high_bit = sealing.to_vec();
    high_bit[31] |= 0x80;
    assert_eq!(with(verifying, &high_bit), x25519);
    let mut nine = [0; 32];
    nine[0] = 9;
    assert_eq!(with(verifying, &nine), Ok(()));
    // u = p + 9, which is u = 9 again; and a u of the twist.
    let mut other = [0xff; 32];
    (other[0], other[31]) = (0xf6, 0x7f);
    assert_eq!(with(verifying, &other), x25519);
    let mut twist = [0; 32];
    twist[0] = 2;
    assert_eq!(with(verifying, &twist), x25519);
    assert!(PublicIdentity::from_bytes(&good[1..]).is_err());
    assert!(PublicIdentity::from_bytes(&[&good[..], &[0]].concat()).is_err());
}

#[test]
fn bytes_that_nobody_writes_are_refused() {
    let directory = signed(directory());
    let bytes = directory.to_bytes();
    for place in 0..bytes.len() {
        let mut altered = bytes.clone();
        altered[place] ^= 1 << place.checked_rem(8).unwrap();
        let error = Directory::from_bytes(&altered).unwrap_err();
        assert!(matches!(error, DirectoryError::Container(_)), "{place}: {error}");
    }
    let newer = [&bytes[..4], &[2], &bytes[5..]].concat();
    let expected = ContainerError::NewerVersion { expected: 1, got: 2 };
    assert_eq!(Directory::from_bytes(&newer), Err(DirectoryError::Container(expected)));
    // Behind a digest that fits: every bit of the body is content, or is refused. Nothing reads as this directory.
    let good = body(&directory);
    for place in (0..good.len()).step_by(13) {
        for bit in [0, 7] {
            let mut altered = good.clone();
            altered[place] ^= 1 << bit;
            let read = Directory::from_bytes(&container(&altered));
            assert!(read.as_ref().is_ok_and(|read| body(read) == altered) || read.is_err());
        }
    }
    for length in (0..good.len()).step_by(11) {
        let read = Directory::from_bytes(&container(&good[..length]));
        assert_eq!(read, Err(DirectoryError::Malformed), "{length}");
    }
    let longer = container(&[good.as_slice(), &[0]].concat());
    assert_eq!(Directory::from_bytes(&longer), Err(DirectoryError::Malformed));
}

#[test]
fn members_out_of_order_or_twice_and_version_0_are_refused() {
    let one =
        |text: &str, seed| Directory::first(name("t")).member(member(text, seed)).finish().unwrap();
    let entry = |text: &str, seed| body(&one(text, seed))[14..14 + 2 + 2 + 64 + 1].to_vec();
    let head = &body(&one("a", 1))[..12];
    let both = |first: (&str, u8), second: (&str, u8)| {
        let entries = [entry(first.0, first.1), entry(second.0, second.1)].concat();
        Directory::from_bytes(&container(&[head, &[0, 2], &entries, &[0]].concat()))
    };
    assert!(both(("a", 1), ("b", 2)).is_ok());
    assert_eq!(both(("b", 1), ("a", 2)), Err(DirectoryError::Malformed));
    assert_eq!(both(("a", 1), ("a", 2)), Err(DirectoryError::SecondEntry(name("a"))));
    let shared = DirectoryError::SharedKey { name: name("b"), owner: name("a") };
    assert_eq!(both(("a", 1), ("b", 1)), Err(shared));
    let mut zero = body(&one("a", 1));
    zero[2..10].fill(0);
    assert_eq!(Directory::from_bytes(&container(&zero)), Err(DirectoryError::Version));
    zero[2..10].fill(255);
    let last = Directory::from_bytes(&container(&zero)).unwrap();
    assert_eq!(last.next_version().finish(), Err(DirectoryError::Version));
}
