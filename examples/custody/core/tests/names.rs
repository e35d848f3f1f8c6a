//! Names, codes and ids: what is stored and sent never changes.
#![allow(clippy::unwrap_used, missing_docs)]

use custody_core::{KeyId, KeySpec, Reason, Refusal, RequestId, Scheme, SpecError};
use quorate::PartyId;
use quorate_purpose::Kind;

fn spec(threshold: u16, members: &[u16]) -> KeySpec {
    KeySpec {
        scheme: Scheme::Ed25519,
        threshold,
        members: members.iter().map(|number| PartyId::new(*number).unwrap()).collect(),
        purposes: vec![],
        scope: "payments".into(),
        labels: [("team".to_owned(), "treasury".to_owned())].into(),
    }
}

#[test]
fn scheme_is_found_by_its_name_and_by_its_code() {
    for (scheme, code) in Scheme::ALL.into_iter().zip(1..) {
        assert_eq!(scheme.name().parse(), Ok(scheme));
        assert_eq!((scheme.code(), Scheme::from_code(code)), (code, Some(scheme)));
        assert_eq!(serde_json::to_string(&scheme).unwrap(), format!("\"{scheme}\""));
    }
    assert!("Ed25519".parse::<Scheme>().unwrap_err().to_string().contains("ecdsa-p256"));
    assert_eq!(Scheme::from_code(0), None);
}

#[test]
fn reason_has_one_name_in_json_and_one_place_on_the_wire() {
    for (place, reason) in (0..).zip(Reason::ALL) {
        assert_eq!(serde_json::to_string(reason).unwrap(), format!("\"{reason}\""));
        assert_eq!(postcard::to_allocvec(reason).unwrap(), [place]);
    }
    assert_eq!(Reason::PolicyDenied.name(), "policy-denied");
    assert!(Reason::NotEnoughStock.is_retryable() && !Reason::Watermark.is_retryable());
}

#[test]
fn long_detail_of_a_refusal_is_cut_between_characters() {
    let refusal = Refusal::new(Reason::Limit, "é".repeat(600) + "x").by_policy("limit-of-day");
    assert_eq!(refusal.detail, "é".repeat(512));
    assert!(refusal.to_string().ends_with("(policy limit-of-day)"));
    let odd = Refusal::new(Reason::Limit, "x".to_owned() + &"é".repeat(600));
    assert_eq!(odd.detail.len(), 1023);
}

#[test]
fn id_has_one_text() {
    let id = KeyId::of(Scheme::Ed25519, &[7; 32]);
    assert_eq!(id.to_string().parse(), Ok(id));
    assert_eq!(serde_json::from_str::<KeyId>(&serde_json::to_string(&id).unwrap()).unwrap(), id);
    assert_eq!(postcard::to_allocvec(&id).unwrap(), id.as_bytes());
    let text = id.to_string();
    for wrong in [
        text.to_uppercase(),
        format!("{text}0"),
        text.get(1..).unwrap().into(),
        "g".repeat(64),
        "é".repeat(32),
    ] {
        assert!(wrong.parse::<KeyId>().is_err(), "{wrong}");
    }
}

#[test]
fn ids_of_other_inputs_differ() {
    let ids =
        [(Scheme::Ed25519, [7_u8; 32]), (Scheme::Taproot, [7; 32]), (Scheme::Ed25519, [8; 32])];
    let ids = ids.map(|(scheme, key)| KeyId::of(scheme, &key));
    assert!(ids[0] != ids[1] && ids[0] != ids[2]);
    assert_ne!(RequestId::of("ab", "c"), RequestId::of("a", "bc"));
    assert_eq!(
        RequestId::of("wallet-1", "nonce").to_string(),
        "6291813587d236c4959a1ded051d4d997e49e2a57ec3ffa03570eb235e140405"
    );
}

#[test]
fn spec_survives_json_and_the_wire_and_refuses_unknown_fields() {
    let spec =
        KeySpec { purposes: vec![Kind::EvmTransaction, Kind::JwtClaims], ..spec(2, &[1, 2, 5]) };
    let json = serde_json::to_string(&spec).unwrap();
    assert!(
        json.contains(r#""members":[1,2,5],"purposes":["evm-transaction","jwt-claims"]"#),
        "{json}"
    );
    assert_eq!(serde_json::from_str::<KeySpec>(&json).unwrap(), spec);
    assert_eq!(
        postcard::from_bytes::<KeySpec>(&postcard::to_allocvec(&spec).unwrap()).unwrap(),
        spec
    );
    let short = r#"{"scheme":"taproot","threshold":2,"members":[1,2]}"#;
    assert_eq!(serde_json::from_str::<KeySpec>(short).unwrap().scope, "");
    for wrong in [
        short.replace("}", r#","more":1}"#),
        short.replace("[1,2]", "[0,1]"),
        short.replace("taproot", "rsa"),
    ] {
        assert!(serde_json::from_str::<KeySpec>(&wrong).is_err(), "{wrong}");
    }
}

#[test]
fn spec_outside_its_limits_is_refused() {
    let refused = |spec: KeySpec| spec.check().unwrap_err();
    assert_eq!(spec(2, &[1, 2, 3]).check(), Ok(()));
    assert_eq!(refused(spec(2, &[1])), SpecError::Members);
    assert_eq!(refused(spec(2, &[1, 1, 2])), SpecError::Members);
    assert_eq!(refused(spec(2, &[2, 1])), SpecError::Members);
    assert_eq!(refused(spec(2, &(1..=65).collect::<Vec<_>>())), SpecError::Members);
    assert_eq!(refused(spec(1, &[1, 2])), SpecError::Threshold);
    assert_eq!(refused(spec(3, &[1, 2])), SpecError::Threshold);
    let of_seven = KeySpec { scheme: Scheme::MlDsa65, ..spec(4, &[1, 2, 3, 4, 5, 6, 7]) };
    assert_eq!(refused(of_seven), SpecError::TooManyForScheme(6));
    let twice = KeySpec { purposes: vec![Kind::Eip712, Kind::Eip712], ..spec(2, &[1, 2]) };
    assert_eq!(refused(twice), SpecError::Purposes);
    assert_eq!(refused(KeySpec { scope: "a b".into(), ..spec(2, &[1, 2]) }), SpecError::Scope);
    assert_eq!(refused(KeySpec { scope: "a".repeat(65), ..spec(2, &[1, 2]) }), SpecError::Scope);
    let labels = [("n".repeat(65), String::new()), ("n".into(), "v".repeat(257))];
    for label in labels {
        assert_eq!(
            refused(KeySpec { labels: [label].into(), ..spec(2, &[1, 2]) }),
            SpecError::Labels
        );
    }
    let many = (0..33).map(|number| (number.to_string(), String::new())).collect();
    assert_eq!(refused(KeySpec { labels: many, ..spec(2, &[1, 2]) }), SpecError::Labels);
    assert_eq!(
        refused(spec(1, &[1, 2])).to_string(),
        "expected a threshold from 2 to the number of members"
    );
}

#[test]
fn key_without_a_list_signs_all_but_opaque_kinds() {
    let open = spec(2, &[1, 2, 3]);
    assert!(open.allows(Kind::EvmTransaction) && open.allows(Kind::CometVote));
    assert!(!open.allows(Kind::OpaqueMessage) && !open.allows(Kind::OpaqueDigest));
    let bound = KeySpec { purposes: vec![Kind::OpaqueMessage], ..open };
    assert!(bound.allows(Kind::OpaqueMessage) && !bound.allows(Kind::EvmTransaction));
}

#[test]
fn key_of_quorums_that_do_not_meet_signs_no_votes() {
    let loose = spec(2, &[1, 2, 3, 4]);
    assert!(!loose.allows(Kind::CometVote) && loose.allows(Kind::EvmTransaction));
    let bound = KeySpec { purposes: vec![Kind::CometVote], ..loose };
    assert_eq!(bound.check(), Err(SpecError::Quorums(Kind::CometVote)));
}
