//! Approvals.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::*;
use custody_policy::{Action, Approval, Caller, Outcome, approvers};

const DIGEST: [u8; 32] = [1; 32];

fn approval(name: &str) -> Approval<'_> {
    Approval { approver: caller(name), digest: DIGEST, expires: NOW }
}

fn names(approvals: &[Approval<'_>]) -> Vec<String> {
    let found = approvers(&DIGEST, NOW, approvals.iter().copied());
    found.iter().map(|approver| approver.name.into()).collect()
}

#[test]
fn approver_counts_once_by_name_and_by_key() {
    let same_key = Approval {
        approver: Caller { name: "anna", ..approval("ann").approver },
        ..approval("ann")
    };
    let same_name = Approval {
        approver: Caller { key: b"new", ..approval("ann").approver },
        ..approval("ann")
    };
    assert_eq!(names(&[approval("ann"), approval("ann"), same_key, same_name]), ["ann"]);
    assert_eq!(names(&[approval("ann"), approval("bob")]), ["ann", "bob"]);
}

#[test]
fn approval_of_another_request_does_not_count() {
    let other = Approval { digest: [2; 32], ..approval("ann") };
    assert!(names(&[other]).is_empty());
}

#[test]
fn approval_that_has_ended_does_not_count() {
    let late = Approval { expires: NOW - 1, ..approval("ann") };
    assert!(names(&[late]).is_empty());
    assert_eq!(names(&[approval("ann")]), ["ann"]);
}

#[test]
fn approval_without_the_role_does_not_count() {
    let approver = Caller { roles: &["request", "administer"], ..caller("ann") };
    assert!(names(&[Approval { approver, ..approval("ann") }]).is_empty());
}

fn outcome(comparison: &str, names: &[&str]) -> Outcome {
    let condition = format!(r#"context.holds.contains("{comparison}")"#);
    Ask::change(Action::Refresh).approved(names).decide(&permit("refresh", &condition)).outcome
}

#[test]
fn m_of_n_are_needed() {
    let of_three = "approvals from ann,bob,eve >= 2";
    assert_eq!(outcome(of_three, &["ann", "eve"]), Outcome::Allowed);
    assert_eq!(outcome(of_three, &["ann", "bob", "eve"]), Outcome::Allowed);
    assert_eq!(outcome(of_three, &["ann"]), Outcome::ApprovalsMissing);
    assert_eq!(outcome(of_three, &["ann", "joe"]), Outcome::ApprovalsMissing);
    assert_eq!(outcome("approvals >= 2", &["ann", "joe"]), Outcome::Allowed);
}

#[test]
fn requester_does_not_count_unless_the_policy_says_so() {
    assert_eq!(outcome("approvals >= 2", &["ann", "treasurer"]), Outcome::ApprovalsMissing);
    assert_eq!(
        outcome("approvals from ann,treasurer >= 2", &["ann", "treasurer"]),
        Outcome::ApprovalsMissing
    );
    assert_eq!(outcome("approvals with requester >= 2", &["ann", "treasurer"]), Outcome::Allowed);
    assert_eq!(
        outcome("approvals with requester from ann,treasurer >= 2", &["ann", "treasurer"]),
        Outcome::Allowed
    );
    // It counts if it approves, and not since it asks.
    assert_eq!(outcome("approvals with requester >= 2", &["ann"]), Outcome::ApprovalsMissing);
}

#[test]
fn requester_under_another_name_does_not_count() {
    let policies = permit("refresh", r#"context.holds.contains("approvals >= 1")"#);
    let listed = permit("refresh", r#"context.approvers.contains(Caller::"twin")"#);
    let twin = Caller { name: "twin", ..caller("treasurer") };
    let ask = Ask { approvers: vec![twin], ..Ask::change(Action::Refresh) };
    assert!(!ask.decide(&policies).is_allowed());
    assert!(!ask.decide(&listed).is_allowed());
    let other = Ask { approvers: vec![caller("twin")], ..ask };
    assert!(other.decide(&policies).is_allowed());
    assert!(other.decide(&listed).is_allowed());
}

#[test]
fn missing_approvals_name_the_policy_that_waits_for_them() {
    let policies = load(
        r#"@id("two") permit (principal, action == Action::"refresh", resource)
           when { context.holds.contains("approvals >= 2") };
           @id("never") permit (principal == Caller::"nobody", action == Action::"refresh", resource);"#,
    );
    let decision = Ask::change(Action::Refresh).decide(&policies);
    assert_eq!(decision.outcome, Outcome::ApprovalsMissing);
    assert_eq!(decision.policies, ["two"]);
    assert_eq!(decision.why, "more approvals are needed by two");
}

#[test]
fn approvals_do_not_help_against_another_condition() {
    let policies = permit(
        "evm-transaction",
        r#"context.holds.contains("approvals >= 2") && context.holds.contains("value <= 5")"#,
    );
    let decision = Ask::sign(&transaction(FRIEND, "6", vec![])).decide(&policies);
    assert_eq!(decision.outcome, Outcome::NotAllowed);
}
