//! The schema: what is checked in, and whether it has every fact of every kind.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::collections::BTreeSet;

use common::*;
use custody_policy::{Outcome, schema};
use quorate_purpose::Kind;

#[test]
fn schema_is_the_one_that_is_checked_in() {
    let path = format!("{}/../policies/schema.cedarschema", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("QUORATE_BLESS").is_some() {
        std::fs::write(&path, schema()).unwrap();
    }
    let known = std::fs::read_to_string(path).unwrap();
    assert!(known == schema(), "the schema has changed: run this test alone with QUORATE_BLESS=1");
}

#[test]
fn every_fact_of_every_kind_is_in_the_schema() {
    let examples = examples();
    let kinds: BTreeSet<Kind> = examples.iter().map(|(_, purpose)| purpose.kind()).collect();
    assert_eq!(kinds, Kind::ALL.into_iter().collect());
    for (name, purpose) in examples {
        let decision = Ask::sign(&purpose).decide(&permit(purpose.kind().name(), "true"));
        assert_eq!(decision.outcome, Outcome::Allowed, "{name}: {}", decision.why);
    }
}

#[test]
fn kinds_that_cannot_be_read_are_not_in_a_policy_for_all() {
    let all = load(r#"@id("all") permit (principal, action, resource);"#);
    let signed = load(r#"@id("all") permit (principal, action in Action::"sign", resource);"#);
    for (name, purpose) in examples() {
        let must_be_named = matches!(
            purpose.kind(),
            Kind::OpaqueMessage
                | Kind::OpaqueDigest
                | Kind::EvmAuthorization
                | Kind::EvmSetCode
                | Kind::EvmMessage
        );
        for policies in [&all, &signed] {
            let decision = Ask::sign(&purpose).decide(policies);
            assert_eq!(decision.is_allowed(), !must_be_named, "{name}");
            assert_eq!(decision.policies.is_empty(), must_be_named, "{name}");
        }
    }
}

#[test]
fn changes_have_facts_of_their_own() {
    use custody_policy::Action::*;
    let policies = load(
        r#"@id("c") permit (principal, action in [Action::"create-key", Action::"reshare"], resource)
           when { context.threshold == 2 && context.members == 3 };
           @id("r") permit (principal, action == Action::"replenish", resource) when { context.count <= 100 };"#,
    );
    let allowed = |action| Ask::change(action).decide(&policies).is_allowed();
    assert!(allowed(CreateKey { threshold: 2, members: 3 }));
    assert!(allowed(Reshare { threshold: 2, members: 3 }));
    assert!(!allowed(Reshare { threshold: 1, members: 3 }));
    assert!(allowed(Replenish { count: 100 }));
    assert!(!allowed(Replenish { count: 101 }));
    for action in [Refresh, Disable, Enable, ScheduleDeletion, CancelDeletion, Cancel] {
        let decision = Ask::change(action).decide(&policies);
        assert_eq!(decision.why, format!("no policy is about {}", action.name()));
        let own = permit(action.name(), "true");
        assert!(Ask::change(action).decide(&own).is_allowed(), "{}", action.name());
    }
}
