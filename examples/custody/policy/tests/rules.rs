//! Which policies decide, and which are not loaded.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::*;
use custody_policy::{Caller, Outcome, Policies};
use quorate_purpose::{Hash, JwtClaims, OpaqueDigest, Purpose};

fn payment() -> Purpose {
    transaction(FRIEND, ETHER, vec![])
}

#[test]
fn nothing_is_allowed_without_a_policy() {
    let decision = Ask::sign(&payment()).decide(&load(""));
    assert_eq!(decision.outcome, Outcome::NotAllowed);
    assert_eq!(decision.why, "no policy is about evm-transaction");
    assert!(decision.policies.is_empty() && decision.counts.is_empty());
}

#[test]
fn refusal_names_the_policies_that_could_have_allowed() {
    let policies = load(
        r#"@id("small") permit (principal, action == Action::"evm-transaction", resource) when { context.value == "1" };
           @id("large") permit (principal, action == Action::"evm-transaction", resource) when { context.value == "2" };
           @id("other") permit (principal, action == Action::"eip712", resource);"#,
    );
    let decision = Ask::sign(&payment()).decide(&policies);
    assert_eq!(decision.outcome, Outcome::NotAllowed);
    assert_eq!(decision.why, "none of the policies about evm-transaction allows it: large, small");
}

#[test]
fn policy_that_forbids_wins_and_is_named() {
    let policies = load(
        r#"@id("all") permit (principal, action, resource);
           @id("not-here") forbid (principal, action, resource) when { resource.scope == "treasury" };
           @id("not-them") forbid (principal == Caller::"treasurer", action, resource);"#,
    );
    let decision = Ask::sign(&payment()).decide(&policies);
    assert_eq!(decision.outcome, Outcome::Forbidden);
    assert_eq!(decision.policies, ["not-here", "not-them"]);
    assert_eq!(decision.why, "forbidden by not-here, not-them");
    let elsewhere = Ask::sign(&payment()).scope("safe").by("ann").decide(&policies);
    assert_eq!((elsewhere.outcome, elsewhere.policies), (Outcome::Allowed, vec!["all".into()]));
}

#[test]
fn opaque_digest_is_allowed_by_a_policy_that_names_it() {
    let digest = OpaqueDigest::new(Hash::Sha256, [5; 32]).unwrap().into();
    let named = [
        r#"action == Action::"opaque-digest""#,
        r#"action in [Action::"eip712", Action::"opaque-digest"]"#,
    ];
    for head in named {
        let policies = load(&format!(r#"@id("named") permit (principal, {head}, resource);"#));
        assert_eq!(Ask::sign(&digest).decide(&policies).policies, ["named"], "{head}");
    }
    let unnamed = [
        r#"(principal, action, resource)"#,
        r#"(principal, action in Action::"sign", resource)"#,
        r#"(principal, action == Action::"opaque-message", resource)"#,
        r#"(principal, action, resource) when { action == Action::"opaque-digest" }"#,
    ];
    for head in unnamed {
        let policies = load(&format!(r#"@id("unnamed") permit {head};"#));
        let decision = Ask::sign(&digest).decide(&policies);
        assert_eq!(decision.outcome, Outcome::NotAllowed, "{head}");
        assert_eq!(decision.why, "no policy is about opaque-digest");
    }
    let forbidden = load(
        r#"@id("named") permit (principal, action == Action::"opaque-digest", resource);
           @id("none") forbid (principal, action in Action::"sign", resource);"#,
    );
    assert_eq!(Ask::sign(&digest).decide(&forbidden).policies, ["none"]);
}

#[test]
fn comparison_with_an_absent_fact_holds_for_no_operator() {
    // A creation of a contract has no words of a call, and the typed data no such field.
    let typed = typed(SAFE, "T", &[("x", "uint8", "1")]);
    for operator in ["<", "<=", "==", "!=", ">=", ">"] {
        for (action, purpose, fact) in
            [("evm-transaction", &payment(), "argument_0"), ("eip712", &typed, "message.y")]
        {
            let condition = format!(r#"context.holds.contains("{fact} {operator} 0")"#);
            let decision = Ask::sign(purpose).decide(&permit(action, &condition));
            assert_eq!(decision.outcome, Outcome::NotAllowed, "{condition}");
        }
    }
}

#[test]
fn policy_that_does_not_ask_whether_a_fact_is_there_is_not_loaded() {
    for (action, condition) in [
        ("evm-transaction", r#"context.to == "0x00""#),
        ("eip712", r#"context.hex.getTag("message.to") == "0x00""#),
        ("ssh-user-auth", r#"context.host_key != "0x00""#),
    ] {
        let error = load_error(&permit_text(action, condition));
        assert!(error.contains('p') && error.contains("unable to guarantee safety"), "{error}");
    }
}

#[test]
fn claim_of_another_type_does_not_match() {
    let ask = |claims: &str| {
        let purpose = JwtClaims::new(claims, "", "").unwrap().into();
        let policies = permit(
            "jwt-claims",
            r#"context.flags.hasTag("claim/admin") && !context.flags.getTag("claim/admin") &&
               context.text_lists.hasTag("claim/aud") && context.text_lists.getTag("claim/aud") == ["a"]"#,
        );
        Ask::sign(&purpose).decide(&policies).outcome
    };
    assert_eq!(ask(r#"{"admin":false,"aud":["a"]}"#), Outcome::Allowed);
    assert_eq!(ask(r#"{"admin":"false","aud":["a"]}"#), Outcome::NotAllowed);
    assert_eq!(ask(r#"{"admin":0,"aud":["a"]}"#), Outcome::NotAllowed);
    assert_eq!(ask(r#"{"admin":false,"aud":"a"}"#), Outcome::NotAllowed);
    assert_eq!(ask(r#"{"admin":false,"aud":["a","b"]}"#), Outcome::NotAllowed);
    assert_eq!(ask(r#"{"admin":false,"aud":[]}"#), Outcome::NotAllowed);
    assert_eq!(ask(r#"{"admin":false,"aud":[1]}"#), Outcome::NotAllowed);
    // No policy would see it.
    assert_eq!(ask(r#"{"admin":false,"aud":["a"],"x":[1,"b"]}"#), Outcome::Failed);
}

#[test]
fn context_of_the_signature_is_seen_in_hex() {
    let condition = r#"context has signature_context && context.signature_context == "0x72656c""#;
    let (policies, payment) = (permit("evm-transaction", condition), payment());
    let ask = |signature_context| Ask { signature_context, ..Ask::sign(&payment) };
    assert!(ask(b"rel").decide(&policies).is_allowed());
    for other in [&b""[..], b"re", b"REL"] {
        assert!(!ask(other).decide(&policies).is_allowed());
    }
}

#[test]
fn labels_roles_child_and_on_behalf_are_seen() {
    let policies = permit(
        "evm-transaction",
        r#"resource.hasTag("env") && resource.getTag("env") == "test" && principal.roles.contains("request") &&
           context has child && context.child like "m/0/*" && context has on_behalf && context.on_behalf == "uid-7" && resource.scheme == "ecdsa-secp256k1" &&
           resource.purposes == ["evm-transaction"] && context.deadline <= context.now + 60"#,
    );
    let payment = payment();
    let ask = || Ask {
        labels: [("env".into(), "test".into())].into(),
        child: Some("m/0/7"),
        on_behalf: Some("uid-7"),
        ..Ask::sign(&payment)
    };
    assert!(ask().decide(&policies).is_allowed());
    for child in [None, Some("m/1/7")] {
        assert!(!Ask { child, ..ask() }.decide(&policies).is_allowed());
    }
    assert!(!Ask { on_behalf: None, ..ask() }.decide(&policies).is_allowed());
    assert!(!Ask { labels: [].into(), ..ask() }.decide(&policies).is_allowed());
    let caller = Caller { roles: &["approve"], ..caller("treasurer") };
    assert!(!Ask { caller, ..ask() }.decide(&policies).is_allowed());
}

#[test]
fn outputs_with_scripts_are_seen_and_can_be_forbidden() {
    let payment = payment();
    let ask = |merkle_root| Ask { merkle_root, ..Ask::sign(&payment) };
    let one = r#"context has merkle_root && context.merkle_root like "0x0707*""#;
    for (condition, allowed) in [
        (one, [false, true, false]),
        ("!(context has merkle_root)", [true, false, false]),
        ("context has merkle_root", [false, true, true]),
    ] {
        let policies = permit("evm-transaction", condition);
        let roots = [None, Some([7; 32]), Some([8; 32])];
        assert_eq!(roots.map(|root| ask(root).decide(&policies).is_allowed()), allowed);
    }
}

#[test]
fn policy_that_cannot_be_right_is_not_loaded() {
    let cases = [
        ("permit (principal, action, resource);", "has no identifier"),
        (r#"@id("a b") permit (principal, action, resource);"#, "an identifier has"),
        (r#"@id("") permit (principal, action, resource);"#, "an identifier has"),
        (
            r#"@id("a") permit (principal, action, resource); @id("a") forbid (principal, action, resource);"#,
            "duplicate",
        ),
        (r#"@id("a") permit (principal == ?principal, action, resource);"#, "template"),
        (r#"@id("a") permit (principal, action == Action::"evm", resource);"#, "Action::\"evm\""),
        (r#"@id("a") permit (principal == User::"x", action, resource);"#, "User"),
        (
            r#"@id("a") permit (principal, action, resource) when { context.valeu == "1" };"#,
            "valeu",
        ),
        (
            r#"@id("a") forbid (principal, action, resource) when { resource.scope == "x" && resource.scope like "y" && false };"#,
            "impossible",
        ),
        (
            r#"@id("a") permit (principal, action == Action::"evm-transaction", resource) when { context.data == "0xAB" };"#,
            "lower case",
        ),
        (
            r#"@id("a") forbid (principal, action == Action::"evm-transaction", resource) when { context.data like "0xFF*" };"#,
            "lower case",
        ),
        ("permit", "unexpected end"),
    ];
    for (text, expected) in cases {
        let error = load_error(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
    let long = format!("//{}", " ".repeat(1 << 18));
    assert!(load_error(&long).contains("split it"));
    let twice = [("one", "@id(\"a\") permit (principal, action, resource);"); 2];
    assert!(Policies::load(twice).unwrap_err().detail.contains("duplicate"));
}

#[test]
fn comparison_that_could_never_hold_is_not_loaded() {
    let cases = [
        (r#"context.holds.contains("valeu <= 5")"#, "no action of this policy has the number"),
        (r#"context.holds.contains("data <= 5")"#, "no action of this policy has the number"),
        (r#"context.holds.contains("height <= 5")"#, "no action of this policy has the number"),
        (r#"context.holds.contains("count by colour in 1d <= 5")"#, "has the fact \"colour\""),
        (r#"context.holds.contains("value<=5")"#, "a space before and after"),
        (r#"context.holds.contains("value = 5")"#, "a space before and after"),
        (r#"context.holds.contains("value  <= 5")"#, "the left side"),
        (r#"context.holds.contains("sum value <= 5")"#, "a window is"),
        (r#"context.holds.contains("sum value in 1w <= 5")"#, "a window is"),
        (r#"context.holds.contains("sum value in 59s <= 5")"#, "a window is"),
        (r#"context.holds.contains("sum value in 367d <= 5")"#, "a window is"),
        (r#"context.holds.contains("sum value by to,to in 1d <= 5")"#, "a window is"),
        (r#"context.holds.contains("approvals of ann >= 2")"#, "approvals are"),
        (r#"context.holds.contains("approvals from ann,ann >= 2")"#, "approvals are"),
        (r#"context.holds.contains("value <= now + soon")"#, "the right side"),
        (r#"context.holds.contains(context.data)"#, "takes one text"),
        (r#"context.holds.containsAll(["value <= 5"])"#, "alone"),
        (r#"context.holds == ["value <= 5"]"#, "alone"),
        (r#"["value <= 5"].containsAny(context["holds"])"#, "alone"),
        (r#"(if true then context else context).holds.isEmpty()"#, "alone"),
    ];
    for (condition, expected) in cases {
        let error = load_error(&permit_text("evm-transaction", condition));
        assert!(error.contains(expected) && error.contains("policy p"), "{condition}: {error}");
    }
    let long = format!(r#"context.holds.contains("value <= {}")"#, "9".repeat(600));
    assert!(load_error(&permit_text("evm-transaction", &long)).contains("at most 512 bytes"));
    let windows: String = (0..65)
        .map(|number| {
            format!(
                r#"@id("w{number}") permit (principal, action == Action::"evm-transaction", resource)
                   when {{ context.holds.contains("count in 1d <= {number}") }};"#
            )
        })
        .collect();
    assert!(load_error(&windows).contains("65 windows"));
}

#[test]
fn digest_of_policies_depends_on_every_text() {
    let digest = |texts: &[(&str, &str)]| Policies::load(texts.iter().copied()).unwrap().digest();
    let one = r#"@id("a") permit (principal, action, resource);"#;
    let other = r#"@id("b") permit (principal, action, resource);"#;
    assert_eq!(digest(&[("x", one), ("y", other)]), digest(&[("1", one), ("2", other)]));
    assert_ne!(digest(&[("x", one), ("y", other)]), digest(&[("x", other), ("y", one)]));
    assert_ne!(digest(&[("x", one)]), digest(&[("x", one), ("y", "")]));
    assert_eq!(load(one).ids().collect::<Vec<_>>(), ["a"]);
}
