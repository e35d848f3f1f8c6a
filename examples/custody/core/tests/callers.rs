//! The callers in a cluster's configuration.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::expect_used, clippy::panic)]

mod common;

use common::{Secret, caller};
use custody_core::{CallerKey, Callers, Role};

const ED25519: &str = "-----BEGIN PUBLIC KEY-----\n\
    MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=\n\
    -----END PUBLIC KEY-----\n";
const P256: &str = "-----BEGIN PUBLIC KEY-----\n\
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lf\n\
    w0EkjqF7xB4FivAxzic30tMM4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==\n\
    -----END PUBLIC KEY-----\n";

/// The keys and signatures of RFC 9421, appendices B.1.3, B.1.4, B.2.4 and B.2.6.
#[test]
fn signatures_of_rfc_9421_verify() {
    use base64::Engine as _;
    let bytes =
        |text| base64::engine::general_purpose::STANDARD.decode(text).unwrap().try_into().unwrap();
    let ed25519_base = "\"date\": Tue, 20 Apr 2021 02:07:55 GMT\n\
        \"@method\": POST\n\
        \"@path\": /foo\n\
        \"@authority\": example.com\n\
        \"content-type\": application/json\n\
        \"content-length\": 18\n\
        \"@signature-params\": (\"date\" \"@method\" \"@path\" \"@authority\" \"content-type\" \"content-length\")\
        ;created=1618884473;keyid=\"test-key-ed25519\"";
    let p256_base = "\"@status\": 200\n\
        \"content-type\": application/json\n\
        \"content-digest\": sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:\n\
        \"content-length\": 23\n\
        \"@signature-params\": (\"@status\" \"content-type\" \"content-digest\" \"content-length\")\
        ;created=1618884473;keyid=\"test-key-ecc-p256\"";
    let cases = [
        (
            ED25519,
            ed25519_base,
            "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==",
        ),
        (
            P256,
            p256_base,
            "wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==",
        ),
    ];
    for (pem, base, signature) in cases {
        let key = CallerKey::from_pem(pem).unwrap();
        assert!(key.verifies(base.as_bytes(), &bytes(signature)), "{}", key.algorithm());
        assert!(!key.verifies(&base.as_bytes()[1..], &bytes(signature)), "{}", key.algorithm());
        assert_eq!(key.to_pem(), pem);
    }
}

/// `openssl pkey -pubin -outform DER | sha256sum` of both keys.
#[test]
fn id_of_a_key_is_the_hash_of_its_der() {
    let id = |pem| CallerKey::from_pem(pem).unwrap().id();
    assert_eq!(id(ED25519), "34571606cb7a0d71be377e671ddcccae2a169ed7733598214129231cd30c4a3c");
    assert_eq!(id(P256), "55f96361b78cbb84f1fc604b0718e82bd91abb46d8fc25ae871b35fbbf8b7974");
}

#[test]
fn json_form_is_read_and_written() {
    let json = serde_json::json!({ "callers": [
        { "name": "payments", "roles": ["request"], "keys": [ED25519] },
        { "name": "board.1", "roles": ["approve", "administer"], "keys": [P256] },
    ] });
    let callers = Callers::from_json(json.to_string().as_bytes()).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&callers.to_json()).unwrap(), json);
    let (caller, key) = callers.key(&CallerKey::from_pem(P256).unwrap().id()).unwrap();
    assert_eq!((caller.name.as_str(), key.algorithm()), ("board.1", "ecdsa-p256-sha256"));
    assert_eq!(callers.named("payments").unwrap().roles, [Role::Request]);
    assert!(callers.named("nobody").is_none());
}

#[test]
fn keys_that_no_caller_may_have_are_refused() {
    // Of small order: it verifies signatures that anybody makes.
    let identity = format!("MCowBQYDK2VwAyEAAQ{}=", "A".repeat(41));
    let weak =
        ED25519.replace("MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=", &identity);
    let secret = ED25519.replace("PUBLIC", "PRIVATE");
    let rsa = "-----BEGIN PUBLIC KEY-----\nMFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAMRniyJRVJJ7jyFTzu6BT0JI7DbnX7bP\n\
        x3YfO1EQWmPL6B8bUlvHbBu8AzQk3gZ4i3Ltr9l6kS5pS8BNbpXJq8UCAwEAAQ==\n-----END PUBLIC KEY-----\n";
    for pem in
        ["", "MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=", &weak, &secret, rsa]
    {
        assert!(CallerKey::from_pem(pem).is_err(), "{pem}");
    }
}

#[test]
fn lists_that_are_ambiguous_are_refused() {
    let [one, two, three] = [1, 2, 3].map(Secret::ed25519);
    let role = &[Role::Request];
    let why = |list: Vec<_>| Callers::new(list).unwrap_err().to_string();
    let refused = |list: Vec<_>, part: &str| {
        assert!(why(list.clone()).contains(part), "{part}: {}", why(list))
    };
    refused(
        vec![caller("a", role, &[&one]), caller("a", role, &[&two])],
        "two callers have the name a",
    );
    refused(
        vec![caller("a", role, &[&one]), caller("b", role, &[&one])],
        ": it is in the list for a already",
    );
    refused(vec![caller("a", role, &[&one, &one])], "a cannot have the key");
    refused(vec![caller("a", role, &[&one, &two, &three])], "expected one key of a");
    refused(vec![caller("a", role, &[])], "expected one key of a");
    refused(vec![caller("a", &[], &[&one])], "expected one role or more of a");
    refused(
        vec![caller("a", &[Role::Request, Role::Request], &[&one])],
        "expected one role or more of a",
    );
    for name in ["", "A", "a b", "ä", &"a".repeat(65)] {
        refused(vec![caller(name, role, &[&one])], "expected a name");
    }
    refused(
        (0..=Callers::MAX).map(|number| caller(&number.to_string(), role, &[&one])).collect(),
        "at most 4096",
    );
    for json in [
        "",
        "{}",
        r#"{"callers":[],"more":1}"#,
        r#"{"callers":[{"name":"a","roles":["all"],"keys":[]}]}"#,
    ] {
        assert!(
            Callers::from_json(json.as_bytes()).unwrap_err().to_string().contains("no such JSON"),
            "{json}"
        );
    }
}
