//! Handshakes, SSH and tokens: examples of their specifications and of OpenSSH, and what is refused.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::cast_possible_truncation,
    reason = "tests"
)]

mod common;

use common::*;
use quorate_purpose::*;

#[test]
fn a_handshake_has_the_signed_bytes_of_rfc_8446() {
    // RFC 8446, 4.4.3: the example with a transcript hash of 32 bytes of 01.
    let expected = hex(&format!(
        "{}544c5320312e332c207365727665722043657274696669636174655665726966790{}{}",
        "20".repeat(64),
        "0",
        "01".repeat(32)
    ));
    let server = Tls13CertificateVerify::new(TlsRole::Server, [1; 32]).unwrap();
    assert_eq!(server.signed_bytes(), expected);
    assert_eq!(Tls13CertificateVerify::from_signed_bytes(&expected), Ok(server.clone()));
    let purpose = Purpose::from(server);
    assert_eq!(purpose.message(KeyKind::Ed25519), Ok(Message::Raw(expected.clone())));
    let hashed = Message::Hashed { hash: Hash::Sha256, bytes: expected };
    assert_eq!(purpose.message(KeyKind::EcdsaP256), Ok(hashed));
    assert!(purpose.message(KeyKind::EcdsaSecp256k1).is_err());
    assert_eq!(purpose.facts().text("role"), Some("server"));
    assert_eq!(purpose.facts().bytes("transcript_hash"), Some(&[1; 32][..]));
    let client = Purpose::from(Tls13CertificateVerify::new(TlsRole::Client, [1; 48]).unwrap());
    assert_eq!(client.facts().text("role"), Some("client"));
}

#[test]
fn other_handshakes_are_refused() {
    let reason =
        |bytes: &[u8]| Tls13CertificateVerify::from_signed_bytes(bytes).unwrap_err().reason();
    let good = Tls13CertificateVerify::new(TlsRole::Server, [1; 32]).unwrap().signed_bytes();
    assert_eq!(reason(&good[1..]), "this is no handshake of TLS 1.3");
    let other = String::from_utf8(good.clone()).unwrap().replace("server", "server ");
    assert_eq!(reason(other.as_bytes()), "this is no handshake of TLS 1.3");
    const LENGTH: &str = "the hash of the transcript has neither 32 nor 48 bytes";
    assert_eq!(reason(&good[..good.len() - 1]), LENGTH);
}

/// `ssh-keygen -Y sign -n file` of OpenSSH signed the text `release 1.0` and a new line.
#[test]
fn a_signature_of_openssh_verifies_over_the_message() {
    let digest = hex("e44f30a022635574518f69a4067fed4677ed6fabef28532b90a804f66c38cd54\
        82d627e3ec3827f8f08a32ba84418f05f04d52c09848e8590b645c0d6bb30e1a");
    let purpose = Purpose::from(
        SshSignature::new("file", SshHash::Sha512(digest.try_into().unwrap())).unwrap(),
    );
    let message = purpose.message(KeyKind::Ed25519).unwrap();
    let key: [u8; 32] =
        hex("f1e95e39034b252d9d0113704da5742b528053f6e4528045675ec5df4b747af1").try_into().unwrap();
    let signature: [u8; 64] =
        hex("936335a70a5e7082ac290b04da213ce071f97c92fe7bfe5f991ada2ae1e525d1\
        ff6a19e0bb7cb105a665b502fb3e1032c4435ec10f1102af23bfc3299fcda004")
        .try_into()
        .unwrap();
    let key = ed25519_dalek::VerifyingKey::from_bytes(&key).unwrap();
    let signature = ed25519_dalek::Signature::from_bytes(&signature);
    key.verify_strict(message.raw().unwrap(), &signature).unwrap();
    assert_eq!(purpose.facts().text("namespace"), Some("file"));
    assert_eq!(purpose.facts().text("hash"), Some("sha512"));
    assert!(purpose.message(KeyKind::EcdsaP256).unwrap().ecdsa_digest().is_some());
    assert!(purpose.message(KeyKind::EcdsaSecp256k1).is_err());
}

#[test]
fn other_signatures_of_ssh_are_refused() {
    let reason = |bytes: &[u8]| SshSignature::from_signed_bytes(bytes).unwrap_err().reason();
    let good = SshSignature::new("git", SshHash::Sha256([3; 32])).unwrap().signed_bytes();
    let text = to_hex(&good);
    assert_eq!(reason(b"SSHSIGN"), "it ends too early");
    assert_eq!(reason(b"SSHKEY"), "this is no SSHSIG");
    let reserved = text.replace("67697400000000", "6769740000000141");
    assert_eq!(reason(&hex(&reserved)), "the reserved string is not empty");
    let unknown = text.replace(&to_hex(b"sha256"), &to_hex(b"sha224"));
    assert_eq!(reason(&hex(&unknown)), "the hash is unknown");
    let other = text.replace(&to_hex(b"sha256"), &to_hex(b"sha512"));
    assert_eq!(reason(&hex(&other)), "the digest has not the length of its hash");
    assert_eq!(reason(&[&good[..], &[0]].concat()), "bytes follow the end");
    for namespace in ["".to_owned(), "n".repeat(256)] {
        let refused = SshSignature::new(namespace, SshHash::Sha256([3; 32])).unwrap_err();
        assert_eq!(refused.reason(), "the namespace is empty, or too long");
    }
}

#[test]
fn a_login_shows_user_session_and_key() {
    let bytes = login("root", "ssh-ed25519", None);
    let purpose = Purpose::from(SshUserAuth::from_signed_bytes(&bytes).unwrap());
    assert_eq!(purpose.message(KeyKind::Ed25519), Ok(Message::Raw(bytes)));
    assert!(purpose.message(KeyKind::Ed448).is_err(), "the login is for another key");
    let facts = purpose.facts();
    assert_eq!(facts.text("user"), Some("root"));
    assert_eq!(facts.text("service"), Some("ssh-connection"));
    assert_eq!(facts.text("algorithm"), Some("ssh-ed25519"));
    assert_eq!(facts.bytes("session_id"), Some(&[9; 32][..]));
    assert_eq!(facts.get("host_key"), None);
    let bound = login("root", "ecdsa-sha2-nistp256", Some(b"host"));
    let purpose = Purpose::from(SshUserAuth::from_signed_bytes(&bound).unwrap());
    assert_eq!(purpose.facts().bytes("host_key"), Some(&b"host"[..]));
    let hashed = Message::Hashed { hash: Hash::Sha256, bytes: bound };
    assert_eq!(purpose.message(KeyKind::EcdsaP256), Ok(hashed));
}

#[test]
fn other_requests_of_ssh_are_refused() {
    let good = to_hex(&login("root", "ssh-ed25519", None));
    let reason = |from: &str, to: &str| {
        let altered = hex(&good.replacen(from, to, 1));
        SshUserAuth::from_signed_bytes(&altered).unwrap_err().reason()
    };
    assert_eq!(reason("3200000004", "3300000004"), "this is no login");
    let method = to_hex(b"publickey");
    assert_eq!(
        reason(&(method.clone() + "01"), &(method.clone() + "00")),
        "this is no login with a signature"
    );
    assert_eq!(reason(&method, &to_hex(b"hostbased")), "this is no login by a public key");
    let algorithm = to_hex(b"ssh-ed25519");
    assert_eq!(reason(&algorithm, &to_hex(b"ssh-ed25518")), "the algorithm is not that of the key");
    assert_eq!(
        reason(&format!("00000020{}", "09".repeat(32)), &format!("00000013{}", "09".repeat(19))),
        "the id of the session is too short, or too long"
    );
    let user = format!("00000401{}", "72".repeat(1025));
    assert_eq!(reason("00000004726f6f74", &user), "a name is too long");
    let key = format!("00000033{:0>8x}{algorithm}00000020", 11);
    let long = format!("00000433{:0>8x}{algorithm}00000420{}", 11, "00".repeat(1024));
    assert_eq!(reason(&key, &long), "a key is too long");
}

/// RFC 7515, A.3: the signing input of a token under ES256.
#[test]
fn a_token_has_the_signing_input_of_rfc_7515() {
    let claims =
        "{\"iss\":\"joe\",\r\n \"exp\":1300819380,\r\n \"http://example.com/is_root\":true}";
    let token = JwtClaims::new(claims, "", "").unwrap();
    let expected = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt\
        cGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
    assert_eq!(token.signing_input(KeyKind::EcdsaP256).as_deref(), Some(expected));
    let purpose = Purpose::from(token);
    let hashed = Message::Hashed { hash: Hash::Sha256, bytes: expected.into() };
    assert_eq!(purpose.message(KeyKind::EcdsaP256), Ok(hashed));
    assert!(purpose.message(KeyKind::Bip340).is_err());
    let facts = purpose.facts();
    assert_eq!(facts.text("claim/iss"), Some("joe"));
    assert_eq!(facts.get("claim/exp"), Some(&Value::Time(Time::from_seconds(1_300_819_380))));
    assert!(facts.is_true("claim/http:~1~1example.com~1is_root"));
}

#[test]
fn the_header_is_that_of_the_key() {
    let token = JwtClaims::new("{}", "key-1", "JWT").unwrap();
    let header = |key| token.header(key).unwrap();
    assert_eq!(header(KeyKind::Ed25519), r#"{"alg":"EdDSA","kid":"key-1","typ":"JWT"}"#);
    assert_eq!(header(KeyKind::EcdsaSecp256k1), r#"{"alg":"ES256K","kid":"key-1","typ":"JWT"}"#);
    assert_eq!(Purpose::from(token).facts().text("kid"), Some("key-1"));
}

#[test]
fn claims_are_facts_by_their_path() {
    let claims = r#"{"a":{"b/c":{"d~":1}},"aud":["x","y"],"l":[{"n":true},"z"],"e":{}," ":-5}"#;
    let facts = Purpose::from(JwtClaims::new(claims, "", "").unwrap()).facts();
    assert_eq!(facts.integer("claim/a/b~1c/d~0"), Some(&1_u64.into()));
    assert_eq!(facts.get("claim/aud"), Some(&Value::List(vec!["x".into(), "y".into()])));
    assert!(facts.is_true("claim/l/0/n"));
    assert_eq!(facts.text("claim/l/1"), Some("z"));
    assert_eq!(facts.integer("claim/ "), Some(&(-5_i64).into()));
    assert_eq!(facts.get("claim/e"), Some(&Value::List(vec![])));
    assert_eq!(facts.iter().count(), 7);
}

#[test]
fn claims_that_two_readers_may_read_differently_are_refused() {
    let deep = format!(r#"{{"a":{}1{}}}"#, "[".repeat(40), "]".repeat(40));
    let many: Vec<String> = (0..200).map(|number| format!(r#""{number}":0"#)).collect();
    let wide = format!(r#"{{"{0}":{{"{0}":{{{1}}}}}}}"#, "n".repeat(400), many.join(","));
    for (claims, reason) in [
        ("", "it is not JSON"),
        ("{}x", "it is not JSON"),
        ("{\"a\":1,}", "it is not JSON"),
        ("{'a':1}", "it is not JSON"),
        ("[]", "claims are an object"),
        (r#"{"a":1,"\u0061":2}"#, "an object of JSON has a name twice"),
        (r#"{"a":1.5}"#, "a number is no integer of 256 bits"),
        (r#"{"a":01}"#, "a number is no integer of 256 bits"),
        (r#"{"a":-0}"#, "a number is no integer of 256 bits"),
        (r#"{"a":null}"#, "a claim is null"),
        (r#"{"exp":"soon"}"#, "a time of the claims is no number of seconds"),
        (r#"{"nbf":[1]}"#, "a time of the claims is no number of seconds"),
        (r#"{"iat":{"s":1}}"#, "a time of the claims is no number of seconds"),
        (r#"{"exp":9223372036854775808}"#, "a number of the claims is beyond 53 bits"),
        (r#"{"a":"\ud800"}"#, "a text of JSON is not in its form"),
        (r#"{"a":"\x"}"#, "a text of JSON is not in its form"),
        (r#"{"a":"\u+123"}"#, "a text of JSON is not in its form"),
        ("{\"a\":\"\n\"}", "a text of JSON is not in its form"),
        ("{\"a\":\"", "a text of JSON is not in its form"),
        (&deep, "JSON is nested too deeply"),
        (&wide, "its names are nested too deeply"),
    ] {
        let refused = JwtClaims::new(claims, "", "").unwrap_err();
        assert_eq!(refused.reason(), reason, "{claims}");
    }
    for kid in ["a\"", "a\\", "a b", "ä", &"k".repeat(129)] {
        let refused = JwtClaims::new("{}", kid, "").unwrap_err();
        assert_eq!(refused.reason(), "typ or kid is too long, or has other characters", "{kid}");
    }
    let long = format!(r#"{{"a":"{}"}}"#, "x".repeat(MAX_LENGTH));
    assert_eq!(JwtClaims::new(long, "", "").unwrap_err().reason(), "it is too long");
}
