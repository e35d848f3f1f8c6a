//! The transcript: no two different inputs have the same encoding.

use quorate_session::{BodyDigest, Round, Transcript, frame};

fn bytes(items: &[(&'static str, &[u8])]) -> [u8; 64] {
    let mut transcript = Transcript::new("test");
    for (label, item) in items {
        transcript.append(label, item);
    }
    transcript.finish()
}

fn list(items: &[&str]) -> [u8; 64] {
    let mut transcript = Transcript::new("test");
    transcript.append_list("list", items);
    transcript.finish()
}

#[test]
fn different_inputs_give_different_transcripts() {
    let mut nested = Transcript::new("test");
    nested.append_list("list", ["a"]);
    nested.append_list("list", ["b"]);
    let mut number = Transcript::new("test");
    number.append_u64("a", 1);
    let mut other_domain = Transcript::new("tes");
    other_domain.append("a", b"b");
    let mut number_as_list = Transcript::new("test");
    number_as_list.append_list("a", [1u64.to_be_bytes()]);
    let all = [
        bytes(&[]),
        bytes(&[("", b"")]),
        bytes(&[("a", b"b")]),
        bytes(&[("ab", b"")]),
        bytes(&[("", b"ab")]),
        bytes(&[("a", b"b"), ("c", b"d")]),
        bytes(&[("a", b"b\0\0c"), ("", b"d")]),
        bytes(&[("a", &1u64.to_be_bytes())]),
        number.finish(),
        number_as_list.finish(),
        other_domain.finish(),
        list(&[]),
        list(&[""]),
        list(&["", ""]),
        list(&["ab", "c"]),
        list(&["a", "bc"]),
        list(&["abc"]),
        list(&["a", "b"]),
        nested.finish(),
    ];
    for (index, digest) in all.iter().enumerate() {
        assert!(!all[..index].contains(digest), "{index}");
    }
}

#[test]
fn elements_of_a_list_cannot_end_it() {
    // An element that spells the end of the list, its count and another item.
    let mut forged = vec![5];
    forged.extend(1u64.to_be_bytes());
    let mut short = Transcript::new("test");
    short.append_list("list", [b"x".to_vec()]);
    short.append("rest", b"");
    let mut long = Transcript::new("test");
    long.append_list("list", [b"x".to_vec(), forged]);
    assert_ne!(short.finish(), long.finish());
}

#[test]
fn a_clone_goes_its_own_way() {
    let mut one = Transcript::new("test");
    one.append("a", b"b");
    let mut two = one.clone();
    two.append("c", b"d");
    assert_eq!(one.clone().finish()[..32], one.clone().finish32());
    assert_ne!(one.clone().finish(), two.finish());
    assert_eq!(format!("{one:?}"), "Transcript(..)");
}

/// The encoding, byte for byte, as `docs/spec/session.md` describes it.
#[test]
fn encoding_is_pinned() {
    use sha2::{Digest, Sha512};
    let mut transcript = Transcript::new("d");
    transcript.append("l", b"xy");
    transcript.append_u64("n", 258);
    transcript.append_list("s", ["p", ""]);
    let sized = |text: &[u8]| [&(text.len() as u64).to_be_bytes(), text].concat();
    let expected = [
        sized(b"quorate v1"),
        sized(b"d"),
        vec![1],
        sized(b"l"),
        sized(b"xy"),
        vec![2],
        sized(b"n"),
        258u64.to_be_bytes().to_vec(),
        vec![3],
        sized(b"s"),
        vec![4],
        sized(b"p"),
        vec![4],
        sized(b""),
        vec![5],
        2u64.to_be_bytes().to_vec(),
    ];
    assert_eq!(transcript.finish()[..], Sha512::digest(expected.concat())[..]);
}

/// An echo hashes the digests of bodies. A digest knows no run, and the echo binds run, round and order.
#[test]
fn an_echo_hashes_digests_of_bodies() {
    let digest = |body| {
        let mut transcript = Transcript::new("body");
        transcript.append("bytes", body);
        transcript.finish()
    };
    let bodies: [&[u8]; 3] = [b"one", b"", b"three"];
    assert!(bodies.iter().all(|body| BodyDigest::of(body).as_ref() == digest(body)));
    let echo = |context, round| frame::echo(&[context; 32], Round(round), bodies);
    let mut transcript = frame::transcript(&[7; 32], "echo");
    transcript.append_u64("round", 2);
    transcript.append_list("broadcasts", bodies.map(digest));
    assert_eq!(echo(7, 2), transcript.finish32());
    assert!(echo(7, 2) != echo(8, 2) && echo(7, 2) != echo(7, 3));
    let [one, two, three] = bodies;
    for others in [[two, one, three], [one, two, b"threx"], [b"on", b"e", three]] {
        assert_ne!(frame::echo(&[7; 32], Round(2), others), echo(7, 2));
    }
}
