//! Typed data: the example of EIP-712, whose hashes its own test (`Example.js`) gives, and what is refused.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::integer_division_remainder_used,
    reason = "tests"
)]

mod common;

use common::*;
use quorate_purpose::{DecodeError, Integer, KeyKind, Kind, Purpose, TypedData, Value};

#[test]
fn the_mail_of_eip712_has_its_hashes() {
    let mail = TypedData::from_json(MAIL).unwrap();
    assert_eq!(
        to_hex(&mail.domain_separator()),
        "f2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f"
    );
    assert_eq!(
        to_hex(&mail.message_hash()),
        "c52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e"
    );
    let digest = Purpose::from(mail).message(KeyKind::EcdsaSecp256k1).unwrap().ecdsa_digest();
    assert_eq!(
        to_hex(&digest.unwrap()),
        "be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2"
    );
}

#[test]
fn facts_of_typed_data() {
    let facts = Purpose::from(TypedData::from_json(MAIL).unwrap()).facts();
    assert_eq!(facts.text("primary_type"), Some("Mail"));
    assert_eq!(facts.integer("chain"), Some(&1_u64.into()));
    assert_eq!(facts.bytes("verifying_contract"), Some(&[0xcc; 20][..]));
    assert_eq!(facts.text("domain_name"), Some("Ether Mail"));
    assert_eq!(facts.text("domain_version"), Some("1"));
    assert_eq!(facts.text("message.from.name"), Some("Cow"));
    assert_eq!(facts.bytes("message.to.wallet"), Some(&[0xbb; 20][..]));
    assert_eq!(facts.text("message.contents"), Some("Hello, Bob!"));
    assert_eq!(facts.iter().count(), 11);
}

/// Typed data of one type, over a domain with a salt.
fn of(fields: &[(&str, &str)], types: &str, message: &str) -> String {
    let fields: Vec<String> =
        fields.iter().map(|(name, of)| format!(r#"{{"name":"{name}","type":"{of}"}}"#)).collect();
    format!(
        r#"{{"types":{{"EIP712Domain":[{{"name":"salt","type":"bytes32"}}]{types},"T":[{}]}},"primaryType":"T","domain":{{"salt":"0x{}"}},"message":{message}}}"#,
        fields.join(","),
        "00".repeat(32)
    )
}

fn one(kind: &str, value: &str) -> Result<TypedData, &'static str> {
    let message = format!(r#"{{"x":{value}}}"#);
    TypedData::from_json(&of(&[("x", kind)], "", &message)).map_err(|error| error.reason())
}

#[test]
fn atoms_have_the_values_of_their_types() {
    let fact = |kind: &str, value: &str| {
        let purpose = Purpose::from(one(kind, value).unwrap());
        assert_eq!(Purpose::from_bytes(&purpose.to_bytes()).unwrap(), purpose);
        purpose.facts().get("message.x").unwrap().clone()
    };
    assert_eq!(fact("uint8", "255"), Value::from(255_u64));
    assert_eq!(fact("uint256", "\"0xff\""), Value::from(255_u64));
    assert_eq!(fact("uint256", "\"0xfff\""), Value::from(4095_u64));
    let unlimited = Integer::from_be_bytes(&[0xff; 32]).unwrap();
    assert_eq!(fact("uint256", &format!("\"{unlimited}\"")), Value::from(unlimited));
    assert_eq!(fact("uint256", &unlimited.to_string()), Value::from(unlimited));
    assert_eq!(fact("int8", "-128"), Value::from(-128_i64));
    assert_eq!(fact("int256", "\"-1\""), Value::from(-1_i64));
    assert_eq!(fact("bool", "true"), Value::from(true));
    assert_eq!(fact("bytes4", "\"0xa9059cbb\""), Value::from(hex("a9059cbb")));
    assert_eq!(fact("bytes", "\"0x\""), Value::Bytes(Vec::new()));
    assert_eq!(fact("string", r#""a\u00e4\ud83d\ude00\n""#), Value::from("aä😀\n"));
    let list = Value::from(vec![Value::from(1_u64), Value::from(2_u64)]);
    assert_eq!(fact("uint8[2]", "[1,2]"), list);
    assert_eq!(fact("uint8[]", "[1,2]"), list);
    assert_eq!(fact("uint8[][1]", "[[1,2]]"), Value::from(vec![list]));
}

#[test]
fn values_outside_of_their_types_are_refused() {
    const RANGE: &str = "a value is out of the range of its type";
    const FORM: &str = "a value does not have the form of its type";
    for (kind, value, reason) in [
        ("uint8", "256", RANGE),
        ("int8", "128", RANGE),
        ("int8", "-129", RANGE),
        ("uint8", "-1", FORM),
        ("uint8", "true", FORM),
        ("uint8", "\"\"", FORM),
        ("uint8", "\"0x\"", FORM),
        ("uint8", "\"01\"", FORM),
        ("bool", "1", FORM),
        ("bool", "\"true\"", FORM),
        ("address", "\"0x00\"", FORM),
        ("bytes4", "\"0x00\"", FORM),
        ("bytes4", "\"00000000\"", "a text is not hexadecimal"),
        ("bytes", "\"0x0\"", "a text is not hexadecimal"),
        ("bytes", "\"0x0g\"", "a text is not hexadecimal"),
        ("string", "1", FORM),
        ("uint8[2]", "[1]", "an array has another length than its type"),
        ("uint8[]", "1", FORM),
        ("string", "null", FORM),
        ("uint8", "1.0", "a number is no integer of 256 bits"),
        ("uint8", "1e2", "a number is no integer of 256 bits"),
    ] {
        assert_eq!(one(kind, value).unwrap_err(), reason, "{kind} {value}");
    }
    let big = (Integer::from_be_bytes(&[0xff; 32]).unwrap()).to_string();
    assert_eq!(one("int256", &big).unwrap_err(), FORM);
}

#[test]
fn types_that_are_not_in_their_form_are_refused() {
    for kind in ["uint", "int"] {
        assert_eq!(one(kind, "1").unwrap_err(), "a type of numbers does not say its bits");
    }
    for kind in ["uint7", "uint264", "uint08", "bytes33", "bytes0", "function", "Nobody"] {
        assert_eq!(one(kind, "1").unwrap_err(), "a type is not defined", "{kind}");
    }
    for kind in ["uint8[", "uint8[]x", "uint8[0]", "uint8[01]", "uint8[-1]", "uint8[][][][][]"] {
        assert_eq!(one(kind, "[]").unwrap_err(), "a type of arrays is not in its form", "{kind}");
    }
    for kind in ["a b", "", "a.b", &"a".repeat(65)] {
        assert_eq!(one(kind, "1").unwrap_err(), "a name is not an identifier", "{kind}");
    }
}

#[test]
fn a_message_has_the_fields_of_its_type_and_no_others() {
    let reason = |json: &str| TypedData::from_json(json).unwrap_err().reason();
    let fields = [("x", "uint8"), ("y", "uint8")];
    const OTHER: &str = "an object has other fields than its type";
    assert_eq!(reason(&of(&fields, "", r#"{"x":1}"#)), OTHER);
    assert_eq!(reason(&of(&fields, "", r#"{"x":1,"z":1}"#)), OTHER);
    assert_eq!(reason(&of(&fields, "", r#"{"x":1,"y":1,"z":1}"#)), OTHER);
    assert_eq!(reason(&of(&fields, "", r#"{"x":1,"x":1}"#)), "an object of JSON has a name twice");
    assert_eq!(
        reason(&of(&[("x", "uint8"), ("x", "uint8")], "", "{}")),
        "a type has a field twice"
    );
    assert_eq!(reason(&of(&[], "", "{}")), "a type has no fields, or too many");
    let swapped = MAIL.replace(r#""primaryType":"Mail""#, r#""primaryType":"EIP712Domain""#);
    assert_eq!(reason(&swapped), "the primary type is the domain");
    const FORM: &str = "typed data has types, primaryType, domain and message";
    assert_eq!(reason(&MAIL.replace("primaryType", "primary")), FORM);
    assert_eq!(reason(&MAIL.replacen('{', r#"{"more":1,"#, 1)), FORM);
    assert_eq!(reason("[]"), FORM);
}

#[test]
fn domains_have_the_fields_of_the_standard_in_its_order() {
    let reason = |json: &str| TypedData::from_json(json).unwrap_err().reason();
    const OTHER: &str = "the domain has other fields than those of EIP-712";
    let swapped = MAIL
        .replacen(r#"{"name":"name","type":"string"}"#, "@", 1)
        .replacen(r#"{"name":"version","type":"string"}"#, r#"{"name":"name","type":"string"}"#, 1)
        .replacen('@', r#"{"name":"version","type":"string"}"#, 1);
    assert_eq!(reason(&swapped), OTHER);
    assert_eq!(reason(&MAIL.replacen("uint256", "uint64", 1)), OTHER);
    assert_eq!(reason(&MAIL.replace("verifyingContract", "contract")), OTHER);
    assert_eq!(
        reason(&MAIL.replace("\"chainId\":1", "\"chainId\":0")),
        "the id of the chain is zero"
    );
    let salted = Purpose::from(one("bool", "false").unwrap()).facts();
    assert_eq!((salted.get("chain"), salted.bytes("salt")), (None, Some(&[0; 32][..])));
}

#[test]
fn types_that_nothing_uses_change_nothing() {
    let unused =
        MAIL.replacen(r#""Person":"#, r#""Unused":[{"name":"x","type":"Mail"}],"Person":"#, 1);
    assert_eq!(TypedData::from_json(&unused), TypedData::from_json(MAIL));
}

/// A struct that has itself in a list, and a list of structs, of which the facts have the length.
#[test]
fn types_may_refer_to_themselves_through_lists() {
    let (mut message, fields) = (r#"{"t":[]}"#.to_owned(), [("t", "T[]")]);
    for depth in 1..12 {
        let data = TypedData::from_json(&of(&fields, "", &message));
        match depth {
            1..=8 => {
                let purpose = Purpose::from(data.unwrap());
                assert_eq!(Purpose::from_bytes(&purpose.to_bytes()).unwrap(), purpose);
                let length = if depth == 1 { 0_u64 } else { 2 };
                assert_eq!(purpose.facts().integer("message.t.length"), Some(&length.into()));
            }
            _ => assert_eq!(data.unwrap_err().reason(), "the data is nested too deeply"),
        }
        message = format!(r#"{{"t":[{message},{{"t":[]}}]}}"#);
    }
}

fn canonical() -> Vec<u8> {
    Purpose::from(TypedData::from_json(MAIL).unwrap()).to_bytes()
}

fn altered(from: &[u8], to: &[u8]) -> &'static str {
    let mut bytes = canonical();
    let at = bytes.windows(from.len()).position(|part| part == from).unwrap();
    bytes.splice(at..at + from.len(), to.iter().copied());
    match Purpose::from_bytes(&bytes).unwrap_err() {
        DecodeError::Malformed(Kind::Eip712, reason) => reason.reason(),
        other => panic!("{other}"),
    }
}

#[test]
fn other_canonical_forms_are_refused() {
    assert_eq!(
        altered(b"\x04Mail\x03\x04", b"\x0cEIP712Domain\x03\x04"),
        "types are not in the order of their names"
    );
    assert_eq!(
        altered(b"\x04Mail\x03\x04", b"\x04Zail\x03\x04"),
        "types are not in the order of their names"
    );
    assert_eq!(altered(b"\x06Person\x02", b"\x06Qerson\x02"), "a type is not defined");
    assert_eq!(altered(b"Hello", b"\xffello"), "a text is not UTF-8");
    assert_eq!(altered(b"Bob!", b"Bob!!"), "bytes follow the end");
    let wide = [&[1][..], &[0; 11], &[0xcc; 20]].concat();
    assert_eq!(
        altered(&[&[0; 12][..], &[0xcc; 20]].concat(), &wide),
        "a value is out of the range of its type"
    );
}

#[test]
fn many_types_fields_and_long_names_are_refused() {
    let reason = |json: &str| TypedData::from_json(json).unwrap_err().reason();
    let names: Vec<String> = (0..65).map(|number| format!("f{number}")).collect();
    let fields: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "bool")).collect();
    assert_eq!(reason(&of(&fields, "", "{}")), "a type has no fields, or too many");
    let chain: String = (0..65)
        .map(|number| format!(r#","S{number}":[{{"name":"x","type":"S{}"}}]"#, (number + 1) % 65))
        .collect();
    assert_eq!(reason(&of(&[("x", "S0")], &chain, "{}")), "there are too many types");
    let long: String = (0..60)
        .map(|number| {
            let field = |place| {
                format!(
                    r#"{{"name":"x{}{place}","type":"S{}"}}"#,
                    "y".repeat(60),
                    (number + 1) % 60
                )
            };
            format!(
                r#","S{number}":[{},{},{},{},{}]"#,
                field(1),
                field(2),
                field(3),
                field(4),
                field(5)
            )
        })
        .collect();
    assert_eq!(reason(&of(&[("x", "S0")], &long, "{}")), "the types are too long");
    assert_eq!(
        reason(&of(&[("x", "string")], "", &format!(r#"{{"x":"{}"}}"#, "x".repeat(1 << 20)))),
        "it is too long"
    );
    let struct_named =
        of(&[("x", "bytes")], r#","bytes":[{"name":"x","type":"bool"}]"#, r#"{"x":"0x"}"#);
    assert_eq!(reason(&struct_named), "a struct has the name of another type");
}

/// Deep structs with long names of their fields: the names of the facts would be much longer than the data.
#[test]
fn names_that_would_grow_with_depth_are_refused() {
    let name = |letter: char| letter.to_string().repeat(64);
    let (mut types, mut message) = (String::new(), String::new());
    for depth in 0..12 {
        types += &format!(r#","S{depth}":[{{"name":"{}","type":"S{}"}}]"#, name('a'), depth + 1);
        message += &format!(r#"{{"{}":"#, name('a'));
    }
    let leaves: Vec<String> =
        (0..64).map(|number| format!(r#"{{"name":"b{number}","type":"string"}}"#)).collect();
    types += &format!(r#","S12":[{}]"#, leaves.join(","));
    let leaves: Vec<String> = (0..64).map(|number| format!(r#""b{number}":"""#)).collect();
    message += &format!("{{{}}}{}", leaves.join(","), "}".repeat(12));
    let json = of(&[("x", "S0")], &types, &format!(r#"{{"x":{message}}}"#));
    assert_eq!(
        TypedData::from_json(&json).unwrap_err().reason(),
        "its names are nested too deeply"
    );
}
