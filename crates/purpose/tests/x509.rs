//! Certificates: OpenSSL's, whose signatures hold for the messages, and what is refused.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::certificates::*;
use common::*;
use ed25519_dalek::{Signature, VerifyingKey};
use quorate_purpose::x509::X509Certificate;
use quorate_purpose::*;

fn list(facts: &Facts, name: &str) -> Vec<String> {
    match facts.get(name) {
        Some(Value::List(values)) => values.iter().map(ToString::to_string).collect(),
        None => vec![],
        other => unreachable!("{name}: {other:?}"),
    }
}

/// The key of the root signed the three: what this crate makes of them is what it signed.
#[test]
fn signatures_of_openssl_hold_for_the_messages() {
    let key = Purpose::from(certificate(CA)).facts().bytes("public_key").unwrap().to_vec();
    let key = VerifyingKey::from_bytes(&key.try_into().unwrap()).unwrap();
    for (purpose, text) in [
        (Purpose::from(certificate(CA)), CA),
        (certificate(LEAF).into(), LEAF),
        (crl().into(), CRL),
    ] {
        let message = purpose.message(KeyKind::Ed25519).unwrap();
        let signature = Signature::from_bytes(&signed(text).1);
        assert!(key.verify_strict(message.raw().unwrap(), &signature).is_ok());
        for other in KeyKind::ALL.into_iter().filter(|key| *key != KeyKind::Ed25519) {
            assert!(purpose.message(other).is_err(), "{other:?}");
        }
    }
}

#[test]
fn facts_of_an_authority() {
    let facts = Purpose::from(certificate(CA)).facts();
    assert_eq!(facts.text("purpose"), Some("x509-certificate"));
    assert_eq!(facts.text("signature_algorithm"), Some("ed25519"));
    assert_eq!(facts.bytes("serial"), Some(&hex("7f00000000000000000000000000000000000001")[..]));
    assert_eq!(facts.text("issuer"), Some("CN=Root 1,O=Example\\, Ltd.,C=CH"));
    assert_eq!(facts.text("subject"), facts.text("issuer"));
    assert!(facts.is_true("self_issued") && facts.is_true("ca"));
    assert_eq!(facts.integer("path_length"), Some(&1_u64.into()));
    assert_eq!(facts.text("key_algorithm"), Some("ed25519"));
    assert_eq!(list(&facts, "key_usage"), ["\"keyCertSign\"", "\"cRLSign\""]);
    // 2026-11-24, 20:11:50, and ten times 365 days later.
    let begin = Time::from_seconds(1_795_551_110);
    assert_eq!(facts.get("not_before"), Some(&begin.into()));
    assert_eq!(facts.integer("lifetime"), Some(&(3650 * 86_400_u64).into()));
    assert_eq!(list(&facts, "critical_extensions"), ["\"2.5.29.15\"", "\"2.5.29.19\""]);
    for absent in ["dns_names", "emails", "uris", "ip_addresses", "rsa_bits"] {
        assert_eq!(facts.get(absent), None, "{absent}");
    }
}

#[test]
fn facts_of_a_server() {
    let facts = Purpose::from(certificate(LEAF)).facts();
    assert_eq!(facts.text("subject"), Some("CN=www.example.com"));
    assert_eq!(list(&facts, "common_names"), ["\"www.example.com\""]);
    assert_eq!(list(&facts, "dns_names"), ["\"www.example.com\"", "\"*.example.org\""]);
    assert_eq!(list(&facts, "emails"), ["\"ann@example.com\""]);
    assert_eq!(list(&facts, "uris"), ["\"https://example.com/\""]);
    let addresses = ["0xc0000201", "0x20010db8000000000000000000000001"];
    assert_eq!(list(&facts, "ip_addresses"), addresses);
    assert_eq!(list(&facts, "extended_key_usage"), ["\"serverAuth\"", "\"clientAuth\""]);
    assert_eq!(list(&facts, "key_usage"), ["\"digitalSignature\"", "\"keyEncipherment\""]);
    assert_eq!((facts.is_true("ca"), facts.is_true("self_issued")), (false, false));
    assert_eq!(facts.get("path_length"), None);
    assert_eq!(facts.text("key_algorithm"), Some("rsa"));
    assert_eq!(facts.integer("rsa_bits"), Some(&2048_u64.into()));
    assert_eq!(facts.integer("lifetime"), Some(&(90 * 86_400_u64).into()));
    assert_eq!(facts.bytes("extension/2.5.29.32"), Some(&hex("300a3008060667810c010201")[..]));
    assert_eq!(list(&facts, "extensions").len(), 7);
}

#[test]
fn an_authority_with_an_ecdsa_key_signs_the_hash_that_it_names() {
    let purpose = Purpose::from(certificate(EC));
    let facts = purpose.facts();
    assert_eq!(facts.text("signature_algorithm"), Some("ecdsa-sha384"));
    assert_eq!(facts.text("key_algorithm"), Some("ecdsa-p256"));
    assert_eq!(facts.text("subject"), Some(r#"CN=Root \"2\"+UID=7,DC=example,DC=org"#));
    // 2081-08-27, 20:10:37, in GeneralizedTime.
    assert_eq!(facts.get("not_after"), Some(&Time::from_seconds(3_523_551_037).into()));
    let message = purpose.message(KeyKind::EcdsaP256).unwrap();
    let bytes = signed(EC).0;
    assert_eq!(message, Message::Hashed { hash: Hash::Sha384, bytes });
    for key in KeyKind::ALL {
        assert_eq!(purpose.message(key).is_ok(), key.is_ecdsa(), "{key:?}");
    }
}

#[test]
fn each_algorithm_goes_with_its_own_keys() {
    for (identifier, name, keys) in [
        ("2a8648ce3d040302", "ecdsa-sha256", &[KeyKind::EcdsaP256, KeyKind::EcdsaSecp256k1][..]),
        ("2b6570", "ed25519", &[KeyKind::Ed25519]),
        ("2b6571", "ed448", &[KeyKind::Ed448]),
        ("608648016503040311", "ml-dsa-44", &[KeyKind::MlDsa]),
        ("608648016503040312", "ml-dsa-65", &[KeyKind::MlDsa]),
        ("608648016503040313", "ml-dsa-87", &[KeyKind::MlDsa]),
    ] {
        let algorithm = sequence_of(&[der(6, &hex(identifier))]);
        let bytes = Tbs { algorithm, ..small() }.bytes();
        let purpose = Purpose::from(X509Certificate::from_tbs_bytes(&bytes).unwrap());
        assert_eq!(purpose.facts().text("signature_algorithm"), Some(name));
        for key in KeyKind::ALL {
            assert_eq!(purpose.message(key).is_ok(), keys.contains(&key), "{name} {key:?}");
        }
    }
    // SHA-256 with RSA, SHA-512 with ECDSA, and parameters where there are none.
    for identifier in ["2a864886f70d01010b", "2a8648ce3d040304"] {
        let algorithm = sequence_of(&[der(6, &hex(identifier))]);
        assert_eq!(
            error(Tbs { algorithm, ..small() }),
            "the algorithm of the signature is unknown"
        );
    }
    let algorithm = sequence_of(&[der(6, ED25519), der(5, &[])]);
    assert_eq!(error(Tbs { algorithm, ..small() }), "bytes follow the end");
}

#[test]
fn keys_have_the_lengths_of_their_algorithms() {
    let ec = |curve: &str, bytes: &[u8]| key(&hex("2a8648ce3d0201"), der(6, &hex(curve)), bytes);
    let plain = |identifier: &str, length| key(&hex(identifier), vec![], &vec![1; length]);
    let point = |first: u8, length| [&[first][..], &vec![1; length]].concat();
    for (key, name) in [
        (ec("2a8648ce3d030107", &point(4, 64)), "ecdsa-p256"),
        (ec("2a8648ce3d030107", &point(3, 32)), "ecdsa-p256"),
        (ec("2b81040022", &point(4, 96)), "ecdsa-p384"),
        (ec("2b81040023", &point(4, 132)), "ecdsa-p521"),
        (ec("2b8104000a", &point(2, 32)), "ecdsa-secp256k1"),
        (plain("2b656e", 32), "x25519"),
        (plain("2b6571", 57), "ed448"),
        (plain("608648016503040311", 1312), "ml-dsa-44"),
        (plain("608648016503040312", 1952), "ml-dsa-65"),
        (plain("608648016503040313", 2592), "ml-dsa-87"),
        (plain("2b656f", 56), "1.3.101.111"),
    ] {
        let bytes = Tbs { key, ..small() }.bytes();
        let facts = Purpose::from(X509Certificate::from_tbs_bytes(&bytes).unwrap()).facts();
        assert_eq!(facts.text("key_algorithm"), Some(name));
    }
    for key in [
        ec("2a8648ce3d030107", &point(4, 63)),
        ec("2a8648ce3d030107", &point(2, 64)),
        ec("2a8648ce3d030107", &point(0, 64)),
        ec("2b81040022", &point(4, 64)),
        ec("2a8648ce3d030107", &[]),
        plain("2b6570", 33),
        plain("608648016503040311", 1313),
        key(ED25519, der(5, &[]), &[7; 32]),
    ] {
        let reason = "the key has not the length of its algorithm";
        assert_eq!(error(Tbs { key, ..small() }), reason);
    }
    assert_eq!(error(Tbs { key: ec("2a03", &[4]), ..small() }), "the curve of the key is unknown");
}

fn error(tbs: Tbs) -> &'static str {
    X509Certificate::from_tbs_bytes(&tbs.bytes()).unwrap_err().reason()
}

/// RFC 8410, 10.2 has three default values that DER leaves out (errata 6936 and 7070).
#[test]
fn the_example_of_rfc8410_is_refused_for_its_default_values() {
    let tbs =
        hex("3081dfa00302010202085601474a2a8dc330300506032b657030193117301506035504030c0e49455446\
         20546573742044656d6f301e170d3136303830313132313932345a170d3430313233313233353935395a\
         30193117301506035504030c0e4945544620546573742044656d6f302a300506032b656e0321008520f0\
         098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6aa3453043300f0603551d130101\
         ff04053003010100300e0603551d0f01010004040302030830200603551d0e010100041604149b1f5eed\
         ed043385e4f7bc623c5975b90bc8bb3b");
    let reason = "a value of DER is the default one, and is there";
    assert_eq!(X509Certificate::from_tbs_bytes(&tbs).unwrap_err().reason(), reason);
}

#[test]
fn values_with_two_encodings_are_refused() {
    let raw = |bytes: &[u8]| X509Certificate::from_tbs_bytes(bytes).unwrap_err().reason();
    let good = small().bytes();
    assert!(X509Certificate::from_tbs_bytes(&good).is_ok());
    assert_eq!(good[1], 0x81);
    const SHORTEST: &str = "a length of DER is not in its shortest form";
    assert_eq!(raw(&[&[0x30, 0x82, 0], &good[2..]].concat()), SHORTEST);
    assert_eq!(raw(&[&[0x30, 0x84, 0, 0, 0], &good[2..]].concat()), SHORTEST);
    assert_eq!(raw(&[&[0x30, 0x80], &good[3..], &[0, 0]].concat()), SHORTEST);
    assert_eq!(raw(&[&good[..], &[0]].concat()), "it ends too early");
    assert_eq!(raw(&[&good[..], &[5, 0]].concat()), "bytes follow the end");
    let reason = "a value of DER is not in its one encoding";
    let attribute = |tag, value: &[u8]| name_of(&[(&[0x55, 4, 3], tag, value)]);
    assert_eq!(error(Tbs { serial: der(2, &[0, 5]), ..small() }), reason);
    assert_eq!(error(Tbs { serial: der(2, &[]), ..small() }), reason);
    assert_eq!(error(Tbs { subject: attribute(0x0c, &[0xff]), ..small() }), reason);
    assert_eq!(error(Tbs { subject: attribute(0x13, b"a*"), ..small() }), reason);
    assert_eq!(error(Tbs { subject: attribute(0x16, &[0x80]), ..small() }), reason);
    for identifier in [&[0x55, 0x80, 3][..], &[0x55, 0x84], &[]] {
        assert_eq!(error(Tbs { subject: name_of(&[(identifier, 0x0c, b"a")]), ..small() }), reason);
    }
    let parts = [(&[0x55, 4, 3][..], 0x0c, &b"a"[..]), (&[0x55, 4, 3], 0x0c, b"b")];
    let part = |of: usize| sequence_of(&[der(6, parts[of].0), der(0x0c, parts[of].2)]);
    for (first, second) in [(1, 0), (0, 0)] {
        let set = der(0x31, &[part(first), part(second)].concat());
        let subject = sequence_of(&[set]);
        assert_eq!(error(Tbs { subject, ..small() }), "a set of DER is not in order");
    }
    let parts = der(0x2c, &der(0x0c, b"a"));
    let subject = sequence_of(&[der(0x31, &sequence_of(&[der(6, &[0x55, 4, 3]), parts]))]);
    assert_eq!(error(Tbs { subject, ..small() }), "a plain value of DER is in parts");
    let mut deep = der(5, &[]);
    for _ in 0..20 {
        deep = der(0x30, &deep);
    }
    let extensions = vec![extension(&[0x2a, 3], None, &deep)];
    assert_eq!(error(Tbs { extensions, ..small() }), "DER is nested too deeply");
}

#[test]
fn extensions_that_stand_twice_or_are_unknown_are_refused() {
    let usage = small().extensions[0].clone();
    let with = |extensions: &[Vec<u8>]| error(Tbs { extensions: extensions.to_vec(), ..small() });
    let make = |last: u8, value: &[u8]| extension(&[0x55, 0x1d, last], None, value);
    assert_eq!(with(&[usage.clone(), usage]), "an extension stands twice");
    let unknown = extension(&[0x2a, 3], Some(0xff), &der(5, &[]));
    assert_eq!(with(&[unknown]), "a critical extension is unknown");
    let default = extension(&[0x2a, 3], Some(0), &der(5, &[]));
    assert_eq!(with(&[default]), "a value of DER is the default one, and is there");
    let wrong = extension(&[0x2a, 3], Some(1), &der(5, &[]));
    assert_eq!(with(&[wrong]), "a value of DER is not in its one encoding");
    assert_eq!(with(&[make(99, &[5, 0, 5, 0])]), "bytes follow the end");
    assert_eq!(with(&[make(99, &[])]), "it ends too early");
    // Key usage: a zero bit at the end, bits that are unknown, none.
    let bits = "named bits are not in their one encoding";
    assert_eq!(with(&[make(15, &der(3, &[6, 0x80]))]), bits);
    assert_eq!(with(&[make(15, &der(3, &[7, 0x80, 0]))]), bits);
    assert_eq!(with(&[make(15, &der(3, &[6, 0x80, 0x40]))]), "a usage of the key is unknown");
    assert_eq!(with(&[make(15, &der(3, &[0]))]), "the key has no usage");
    // Basic constraints: an explicit default, a length without an authority, one out of range.
    let constraints = |content: &[u8]| make(19, &der(0x30, content));
    let explicit = constraints(&der(1, &[0]));
    assert_eq!(with(&[explicit]), "a value of DER is the default one, and is there");
    let range = "the bound of a path's length is out of range";
    assert_eq!(with(&[constraints(&der(2, &[1]))]), range);
    assert_eq!(with(&[constraints(&[der(1, &[0xff]), der(2, &[0xff])].concat())]), range);
    let authority = constraints(&[der(1, &[0xff]), der(2, &[1])].concat());
    let reason = "a path's length is bounded, and the key signs no certificates";
    assert_eq!(with(&[authority]), reason);
    let signs = make(15, &der(3, &[2, 4]));
    let reason = "the key signs certificates, and its owner is no authority";
    assert_eq!(with(&[signs]), reason);
    assert_eq!(with(&[make(37, &der(0x30, &[]))]), "the key has no usage");
    // Alternative names.
    let names = |content: &[u8]| with(&[make(17, &der(0x30, content))]);
    assert_eq!(names(&[]), "the list of alternative names is empty");
    for other in [der(0xa0, &der(6, &[0x2a])), der(0xa4, &name("x")), der(0x88, &[0x2a])] {
        assert_eq!(names(&other), "an alternative name has an unknown form");
    }
    assert_eq!(names(&der(0x87, &[1; 5])), "an alternative name has an unknown form");
    for host in ["", "a..b", "a b", "*", "a.*.b", ".a", "a.", "a\0.b", &"a".repeat(64)] {
        assert_eq!(names(&der(0x82, host.as_bytes())), "a DNS name is none of a host", "{host:?}");
    }
    for mail in ["", "a b", "a\0"] {
        assert_eq!(names(&der(0x81, mail.as_bytes())), "an alternative name has other characters");
    }
}

#[test]
fn parts_out_of_range_are_refused() {
    let version = "the certificate is not of version 3";
    assert_eq!(error(Tbs { version: vec![], ..small() }), version);
    assert_eq!(error(Tbs { version: der(0xa0, &der(2, &[1])), ..small() }), version);
    for serial in [vec![0], vec![0x80]] {
        assert_eq!(error(Tbs { serial: der(2, &serial), ..small() }), "an integer is not positive");
    }
    for serial in [vec![1; 21], [&[0, 0x80][..], &[1; 19]].concat()] {
        assert_eq!(
            error(Tbs { serial: der(2, &serial), ..small() }),
            "a serial number is too long"
        );
    }
    assert_eq!(error(Tbs { issuer: name_of(&[]), ..small() }), "the issuer has no name");
    assert_eq!(error(Tbs { subject: name_of(&[]), ..small() }), "the subject has no name");
    for (tag, value) in [(0x1e, &b"\0a"[..]), (0x14, b"a"), (0x0c, b"")] {
        let subject = name_of(&[(&[0x55, 4, 3], tag, value)]);
        assert_eq!(error(Tbs { subject, ..small() }), "a part of a name is no text of RFC 5280");
    }
    let names = der(0x30, &der(0x82, b"a.example"));
    let extensions = vec![extension(&[0x55, 0x1d, 17], Some(0xff), &names)];
    let nameless = Tbs { subject: name_of(&[]), extensions, ..small() };
    assert!(X509Certificate::from_tbs_bytes(&nameless.bytes()).is_ok());
    let unique = [small().key, der(0x81, &[0, 1])].concat();
    assert!(X509Certificate::from_tbs_bytes(&Tbs { key: unique, ..small() }.bytes()).is_err());
    let long = der(4, &vec![0; 1 << 16]);
    let extensions = vec![extension(&[0x2a, 3], None, &long)];
    assert_eq!(error(Tbs { extensions, ..small() }), "it is too long");
    let plain = Tbs { extensions: vec![], ..small() };
    assert!(X509Certificate::from_tbs_bytes(&plain.bytes()).is_ok());
}

#[test]
fn times_have_the_form_of_rfc5280() {
    let of = |from, to| Tbs { validity: validity(from, to), ..small() };
    let good = |from, to| {
        let bytes = of(from, to).bytes();
        let facts = Purpose::from(X509Certificate::from_tbs_bytes(&bytes).unwrap()).facts();
        match (facts.get("not_before"), facts.get("not_after")) {
            (Some(Value::Time(from)), Some(Value::Time(to))) => (from.seconds, to.seconds),
            other => unreachable!("{other:?}"),
        }
    };
    assert_eq!(good("500101000000Z", "491231235959Z"), (-631_152_000, 2_524_607_999));
    assert_eq!(good("700101000000Z", "20500101000000Z"), (0, 2_524_608_000));
    assert_eq!(good("000229000000Z", "99991231235959Z"), (951_782_400, 253_402_300_799));
    for (from, to) in [
        ("260101000000Z", "20491231235959Z"),
        ("260101000000Z", "21000229000000Z"),
        ("260229000000Z", "270101000000Z"),
        ("260132000000Z", "270101000000Z"),
        ("261301000000Z", "270101000000Z"),
        ("260001000000Z", "270101000000Z"),
        ("260100000000Z", "270101000000Z"),
        ("260101240000Z", "270101000000Z"),
        ("260101006000Z", "270101000000Z"),
        ("260101000060Z", "270101000000Z"),
        ("26010100000aZ", "270101000000Z"),
        ("260101000000+", "270101000000Z"),
        ("2601010000Z", "270101000000Z"),
    ] {
        assert_eq!(error(of(from, to)), "a time is not in the form of RFC 5280", "{from} {to}");
    }
    assert_eq!(
        error(of("270101000000Z", "260101000000Z")),
        "the certificate ends before it begins"
    );
}

#[test]
fn names_are_escaped_as_rfc4514_says() {
    let text = |common: &str| {
        let bytes = Tbs { subject: name(common), ..small() }.bytes();
        let facts = Purpose::from(X509Certificate::from_tbs_bytes(&bytes).unwrap()).facts();
        facts.text("subject").unwrap().to_owned()
    };
    assert_eq!(text("a,CN=b"), "CN=a\\,CN\\=b");
    assert_eq!(text(" a b "), "CN=\\ a b\\ ");
    assert_eq!(text("#a#\0"), "CN=\\#a#\\00");
    assert_eq!(text("<\">;+\\"), "CN=\\<\\\"\\>\\;\\+\\\\");
    let subject = name_of(&[(&[0x55, 4, 6], 0x13, b"CH"), (&[0x55, 4, 5], 0x13, b"7")]);
    let bytes = Tbs { subject, ..small() }.bytes();
    let facts = Purpose::from(X509Certificate::from_tbs_bytes(&bytes).unwrap()).facts();
    assert_eq!(facts.text("subject"), Some("2.5.4.5=7,C=CH"));
}

#[test]
fn certificates_are_refused_at_each_length_but_their_own() {
    for purpose in [Purpose::from(certificate(LEAF)), crl().into()] {
        let bytes = purpose.to_bytes();
        for end in 2..bytes.len() {
            assert!(Purpose::from_bytes(&bytes[..end]).is_err(), "{end}");
        }
        assert!(Purpose::from_bytes(&[&bytes[..], &[0]].concat()).is_err());
    }
}
