//! Windows of amounts and counts.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "tests"
)]

mod common;

use common::*;
use custody_policy::{MemoryWindows, Outcome, Policies};
use quorate_purpose::{Integer, Purpose};

const DAY: i64 = 86_400;

fn daily() -> Policies {
    permit("evm-transaction", r#"context.holds.contains("sum value by chain in 1d <= 10")"#)
}

fn pay(value: &str) -> Purpose {
    transaction(FRIEND, value, vec![])
}

/// Decides, and records what is allowed as a node does.
fn spend(policies: &Policies, windows: &mut MemoryWindows, value: &str, now: i64) -> bool {
    let decision = Ask::sign(&pay(value)).at(now).decide_with(policies, windows);
    windows.record(&decision.counts);
    decision.is_allowed()
}

#[test]
fn amounts_of_a_day_are_added_up_to_the_limit() {
    let (policies, mut windows) = (daily(), MemoryWindows::default());
    assert!(spend(&policies, &mut windows, "6", NOW));
    assert!(!spend(&policies, &mut windows, "5", NOW + 10));
    assert!(spend(&policies, &mut windows, "4", NOW + 20));
    assert!(!spend(&policies, &mut windows, "1", NOW + DAY - 1));
    assert!(spend(&policies, &mut windows, "0", NOW + DAY - 1));
}

#[test]
fn window_opens_after_the_period_and_a_24th_at_most() {
    // The slot of an hour begins at NOW - 0, since NOW is a multiple of 3600.
    assert_eq!(NOW.rem_euclid(3600), 0);
    for moment in [0, 1, 1800, 3599] {
        let (policies, mut windows) = (daily(), MemoryWindows::default());
        assert!(spend(&policies, &mut windows, "10", NOW + moment));
        assert!(!spend(&policies, &mut windows, "1", NOW + moment + DAY), "{moment}");
        assert!(!spend(&policies, &mut windows, "1", NOW + DAY + 3599), "{moment}");
        assert!(spend(&policies, &mut windows, "1", NOW + DAY + 3600), "{moment}");
    }
}

#[test]
fn clock_that_is_set_back_does_not_open_a_window() {
    let (policies, mut windows) = (daily(), MemoryWindows::default());
    assert!(spend(&policies, &mut windows, "10", NOW));
    for back in [1, 3600, DAY, 40 * DAY, NOW, NOW + DAY] {
        assert!(!spend(&policies, &mut windows, "1", NOW - back), "{back}");
    }
    assert!(!spend(&policies, &mut windows, "1", i64::MIN));
}

#[test]
fn clock_that_went_back_and_forth_does_not_open_a_window() {
    let (policies, mut windows) = (daily(), MemoryWindows::default());
    assert!(spend(&policies, &mut windows, "4", NOW));
    // Recorded in the slot of NOW, not in one that has passed for a clock that is right.
    assert!(spend(&policies, &mut windows, "4", NOW - 30 * DAY));
    assert!(!spend(&policies, &mut windows, "4", NOW - 60 * DAY));
    assert!(!spend(&policies, &mut windows, "4", NOW + 3600));
    assert!(spend(&policies, &mut windows, "2", NOW + 3600));
}

#[test]
fn clock_that_was_far_ahead_keeps_what_it_recorded() {
    let (policies, mut windows) = (daily(), MemoryWindows::default());
    assert!(spend(&policies, &mut windows, "10", NOW + 1000 * DAY));
    assert!(!spend(&policies, &mut windows, "1", NOW));
    assert!(!spend(&policies, &mut windows, "1", NOW + 999 * DAY));
}

#[test]
fn refused_request_counts_nothing() {
    let decision = Ask::sign(&pay("11")).decide(&daily());
    assert_eq!(decision.outcome, Outcome::NotAllowed);
    assert!(decision.counts.is_empty());
}

#[test]
fn count_is_of_requests_and_each_group_has_its_own() {
    let policies =
        permit("evm-transaction", r#"context.holds.contains("count by to in 15m <= 2")"#);
    let mut windows = MemoryWindows::default();
    let mut ask = |to: [u8; 20]| {
        let decision =
            Ask::sign(&transaction(to, "5", vec![])).decide_with(&policies, &windows.clone());
        windows.record(&decision.counts);
        decision.is_allowed()
    };
    assert!(ask(FRIEND) && ask(FRIEND) && !ask(FRIEND));
    assert!(ask(STRANGER) && ask(STRANGER) && !ask(STRANGER));
}

#[test]
fn two_limits_of_one_window_are_one_counter() {
    let policies = load(
        r#"@id("low") permit (principal == Caller::"ann", action == Action::"evm-transaction", resource)
           when { context.holds.contains("sum value in 24h <= 5") };
           @id("high") permit (principal == Caller::"bob", action == Action::"evm-transaction", resource)
           when { context.holds.contains("sum value in 1d <= 10") };"#,
    );
    let mut windows = MemoryWindows::default();
    let mut ask = |name| {
        let purpose = pay("4");
        let decision = Ask::sign(&purpose).by(name).decide_with(&policies, &windows.clone());
        assert!(decision.counts.len() <= 1);
        windows.record(&decision.counts);
        decision.is_allowed()
    };
    assert!(ask("ann") && !ask("ann") && ask("bob") && !ask("bob"));
}

#[test]
fn increments_name_counter_amount_and_what_may_be_deleted() {
    let mut windows = MemoryWindows::default();
    let decide = |value: &str, windows: &MemoryWindows| {
        Ask::sign(&pay(value)).decide_with(&daily(), windows).counts
    };
    let first = decide("3", &windows);
    windows.record(&first);
    let [second] = &decide("4", &windows)[..] else { panic!() };
    assert_eq!(second.counter, "sum value by chain=1 in 86400s");
    assert_eq!(second.slot, NOW / 3600);
    assert_eq!(second.oldest, NOW / 3600 - 24);
    assert_eq!((second.amount, second.total), (Integer::from(4_u64), Integer::from(7_u64)));
}

#[test]
fn what_another_policy_allows_counts_too() {
    let policies = load(
        r#"@id("small") permit (principal, action == Action::"evm-transaction", resource)
           when { context.holds.contains("sum value in 1d <= 10") };
           @id("approved") permit (principal, action == Action::"evm-transaction", resource)
           when { context.holds.contains("approvals >= 1") };"#,
    );
    let mut windows = MemoryWindows::default();
    let decision = Ask::sign(&pay("50")).approved(&["ann"]).decide_with(&policies, &windows);
    assert_eq!(decision.policies, ["approved"]);
    windows.record(&decision.counts);
    assert!(!Ask::sign(&pay("1")).decide_with(&policies, &windows).is_allowed());
}

#[test]
fn window_of_other_actions_is_not_counted() {
    let policies = load(
        r#"@id("all") permit (principal, action == Action::"evm-transaction", resource);
           @id("ssh") permit (principal, action == Action::"ssh-signature", resource)
           when { context.holds.contains("count in 1d <= 10") };"#,
    );
    let decision = Ask::sign(&pay("1")).decide(&policies);
    assert!(decision.is_allowed() && decision.counts.is_empty());
}

#[test]
fn negative_amount_does_not_hold_and_takes_nothing_off() {
    let policies = load(
        r#"@id("sum") permit (principal, action == Action::"eip712", resource)
           when { context.holds.contains("sum message.x in 1d <= 10") };
           @id("all") permit (principal, action == Action::"eip712", resource);"#,
    );
    let decision = Ask::sign(&typed(SAFE, "T", &[("x", "int8", "-5")])).decide(&policies);
    assert_eq!(decision.policies, ["all"]);
    assert!(decision.counts.is_empty());
}

#[test]
fn total_beyond_256_bits_refuses() {
    let (policies, mut windows) = (
        permit("evm-transaction", r#"context.holds.contains("sum value in 1d > 5")"#),
        MemoryWindows::default(),
    );
    let max = Integer::from_be_bytes(&[0xff; 32]).unwrap().to_string();
    assert!(spend(&policies, &mut windows, &max, NOW));
    let decision = Ask::sign(&pay("1")).decide_with(&policies, &windows);
    assert_eq!(decision.outcome, Outcome::Failed);
    assert!(decision.why.contains("beyond 256 bits"));
}

#[test]
fn counters_that_cannot_be_read_refuse() {
    let decision = Ask::sign(&pay("1")).decide_with(&daily(), &Broken);
    assert_eq!(decision.outcome, Outcome::Failed);
    assert!(decision.why.contains("the ledger is away"), "{}", decision.why);
    // A policy without a window does not read them.
    let all = permit("evm-transaction", "true");
    assert!(Ask::sign(&pay("1")).decide_with(&all, &Broken).is_allowed());
}

#[test]
fn name_of_a_counter_is_short_whatever_a_requester_writes() {
    let policies = permit("eip712", r#"context.holds.contains("count by message.x in 1d <= 1")"#);
    let name = |text: &str| {
        let purpose = typed(SAFE, "T", &[("x", "string", &format!("{text:?}"))]);
        Ask::sign(&purpose).decide(&policies).counts.remove(0).counter
    };
    let long = "a".repeat(10_000);
    assert!(name(&long).len() <= 160 && name(&format!("{long}b")).len() <= 160);
    assert_ne!(name(&long), name(&format!("{long}b")));
    // A text cannot pass for the rest of a name.
    assert_ne!(name("a in 86400s"), name("a"));
    assert_eq!(name("a"), r#"count by message.x="a" in 86400s"#);
}
