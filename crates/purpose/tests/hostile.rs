//! Requests of strangers who want another thing signed than the policy sees, or much memory taken.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::cast_possible_truncation,
    reason = "tests"
)]

mod common;

use common::*;
use quorate_purpose::comet::{Place, VoteExtension};
use quorate_purpose::evm::{Transaction, Unsigned};
use quorate_purpose::*;

fn claims(text: &str) -> Result<Facts, &'static str> {
    let claims = JwtClaims::new(text, "", "").map_err(|refused| refused.reason())?;
    Ok(Purpose::from(claims).facts())
}

#[test]
fn a_call_shorter_than_a_selector_is_no_plain_payment() {
    let facts = |data: &[u8]| {
        let fields = Unsigned { data: data.into(), ..eip155() };
        Purpose::from(Transaction::new(fields).unwrap()).facts()
    };
    // The fallback function runs, and some contracts take what is missing for zeros: 0xa9059c00 here.
    assert_eq!(facts(&[0xa9, 0x05, 0x9c]).bytes("selector"), Some(&[0xa9, 0x05, 0x9c][..]));
    assert_eq!(facts(&[0]).bytes("selector"), Some(&[0][..]));
    assert_eq!(facts(&[1, 2, 3, 4, 5]).bytes("selector"), Some(&[1, 2, 3, 4][..]));
    assert_eq!(facts(&[]).get("selector"), None);
}

#[test]
fn an_empty_claim_is_a_fact_too() {
    // In many languages an empty object is as good as `true`.
    for (text, name) in [
        (r#"{"admin":{}}"#, "claim/admin"),
        (r#"{"admin":[]}"#, "claim/admin"),
        (r#"{"roles":[{}]}"#, "claim/roles/0"),
        (r#"{"a":{"b":{}}}"#, "claim/a/b"),
    ] {
        let facts = claims(text).unwrap();
        assert_eq!(facts.get(name), Some(&Value::List(vec![])), "{text}");
    }
    assert_eq!(claims("{}").unwrap().iter().count(), 1);
}

#[test]
fn names_of_claims_that_differ_in_case_alone_are_refused() {
    const CASE: &str = "two names of claims differ in the case of letters alone";
    for text in [
        r#"{"sub":"alice","Sub":"root"}"#,
        r#"{"a":[{"ROLE":1,"role":2}]}"#,
        // The long s and the sign for kelvins are letters s and k to whoever folds cases.
        "{\"sub\":\"alice\",\"\u{17f}ub\":\"root\"}",
        "{\"key\":1,\"\u{212a}ey\":2}",
        r#"{"Ä":1,"ä":2}"#,
    ] {
        assert_eq!(claims(text), Err(CASE), "{text}");
    }
    assert!(claims(r#"{"sub":"alice","act":{"Sub":"root"},"Subject":1}"#).is_ok());
}

#[test]
fn numbers_that_some_readers_round_are_refused() {
    const BEYOND: &str = "a number of the claims is beyond 53 bits";
    for number in ["9007199254740992", "-9007199254740993", "18446744073709551615"] {
        assert_eq!(claims(&format!(r#"{{"uid":{number}}}"#)), Err(BEYOND));
        assert_eq!(claims(&format!(r#"{{"uid":[0,{number}]}}"#)), Err(BEYOND));
        assert_eq!(claims(&format!(r#"{{"exp":{number}}}"#)), Err(BEYOND));
    }
    let facts = claims(r#"{"most":9007199254740991,"least":-9007199254740991}"#).unwrap();
    assert_eq!(facts.integer("claim/most"), Some(&9_007_199_254_740_991_u64.into()));
    assert_eq!(facts.integer("claim/least"), Some(&(-9_007_199_254_740_991_i64).into()));
}

#[test]
fn claims_that_end_early_for_some_readers_are_refused() {
    const ZERO: &str = "a claim has the character U+0000";
    for text in [
        r#"{"sub":"root\u0000@users.example"}"#,
        r#"{"sub\u0000":"root"}"#,
        r#"{"aud":["a","b\u0000"]}"#,
    ] {
        assert_eq!(claims(text), Err(ZERO), "{text}");
    }
}

#[test]
fn text_that_turns_or_hides_is_printed_escaped() {
    let facts = claims("{\"a\u{202e}b\":\"c\u{200b}d\u{2066}\"}").unwrap().to_string();
    assert!(facts.starts_with("claim/a\\u{202e}b: \"c\\u{200b}d\\u{2066}\"\n"), "{facts}");
}

/// The bytes that a key of this kind signs, with the hash before them.
fn signed(purpose: &Purpose, key: KeyKind) -> Option<(Option<Hash>, Vec<u8>)> {
    match purpose.message(key).ok()? {
        Message::Hashed { hash, bytes } => Some((Some(hash), bytes)),
        Message::Raw(bytes) => Some((None, bytes)),
        _ => None,
    }
}

/// Each kind is read from what another kind signs. The bodies of most kinds are what is signed.
#[test]
fn what_is_signed_for_one_kind_is_no_other_kind() {
    let examples = examples();
    let shown = examples.iter().filter(|purpose| !purpose.kind().is_opaque());
    for (purpose, key) in shown.flat_map(|one| KeyKind::ALL.map(|key| (one, key))) {
        let Some((hash, bytes)) = signed(purpose, key) else { continue };
        for kind in Kind::ALL.into_iter().filter(|kind| !kind.is_opaque()) {
            let read = Purpose::from_bytes(&[&[1, kind.code()], &bytes[..]].concat());
            let same = read.is_ok_and(|read| signed(&read, key) == Some((hash, bytes.clone())));
            assert!(!same || kind == purpose.kind(), "{} is {kind}", purpose.kind());
        }
    }
}

/// The extension of a vote has bytes that its author chooses. None of them makes it begin as what other kinds sign.
#[test]
fn a_vote_extension_begins_as_no_other_kind_that_its_keys_sign() {
    let begins: [&[u8]; 6] =
        [b"SSHSIG", b"eyJ", &[0x20; 64], &[0, 0, 0], &[0x19, 1], b"\x19Ethereum"];
    for length in 0..300_usize {
        let extension = VoteExtension::new(Place::new("c", 1, 0).unwrap(), vec![b'S'; length]);
        let bytes = extension.unwrap().sign_bytes();
        assert!(begins.iter().all(|begin| !bytes.starts_with(begin)), "{length}");
    }
}

/// A schema that repeats itself: each level takes memory, and none takes bytes.
fn nested(count: usize) -> Vec<u8> {
    let short = |text: &str| [&[text.len() as u8], text.as_bytes()].concat();
    let of = |(name, field, of): &(&str, &str, &str)| {
        [short(name), vec![1], short(field), short(of)].concat()
    };
    let mut types =
        vec![("EIP712Domain", "name", "string"), ("P", "x", "A[]"), ("H", "x", "bytes")];
    let names = ["A", "B", "C", "D", "E", "F", "G", "H"];
    types.extend(names.windows(2).map(|two| (two[0], "x", two[1])));
    types.sort_unstable();
    let written: Vec<u8> = types.iter().flat_map(of).collect();
    let values = [&[0; 4], &(count as u32).to_be_bytes(), &vec![0; 4 * count][..]].concat();
    [vec![1, 4], short("P"), vec![types.len() as u8], written, values].concat()
}

#[test]
fn values_that_take_memory_without_bytes_are_bounded() {
    assert!(Purpose::from_bytes(&nested(5_000)).is_ok());
    for count in [8_000, 260_000] {
        let refused = Purpose::from_bytes(&nested(count)).err().map(|error| error.to_string());
        assert_eq!(refused.as_deref(), Some("eip712: there are too many values"));
    }
    let json = MAIL.replacen('{', &format!("{{{}", " ".repeat(4 * MAX_LENGTH)), 1);
    assert_eq!(TypedData::from_json(&json).unwrap_err().reason(), "it is too long");
}
