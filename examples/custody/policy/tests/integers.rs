//! Integers that Cedar's own cannot hold, at the bounds.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::*;
use custody_policy::{Outcome, Policies, checked_add};
use quorate_purpose::Integer;

const SIGNED_MAX: &str = "9223372036854775807";
const SIGNED_MAX_AND_1: &str = "9223372036854775808";
const MAX: &str = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
const MAX_LESS_1: &str =
    "115792089237316195423570985008687907853269984665640564039457584007913129639934";
/// 2^64, which ends with the 64 bits of zero.
const WRAPPED: &str = "18446744073709551616";

fn holds(value: &str, comparison: &str) -> bool {
    let condition = format!(r#"context.holds.contains("{comparison}")"#);
    let decision = Ask::sign(&transaction(FRIEND, value, vec![]))
        .decide(&permit("evm-transaction", &condition));
    assert_ne!(decision.outcome, Outcome::Failed, "{}", decision.why);
    decision.is_allowed()
}

#[test]
fn comparisons_are_exact_on_both_sides_of_each_bound() {
    let ascending = ["0", "1", SIGNED_MAX, SIGNED_MAX_AND_1, WRAPPED, MAX_LESS_1, MAX];
    for (place, value) in ascending.iter().enumerate() {
        for (other, bound) in ascending.iter().enumerate() {
            let expected = [
                ("<", place < other),
                ("<=", place <= other),
                ("==", place == other),
                ("!=", place != other),
                (">=", place >= other),
                (">", place > other),
            ];
            for (operator, expected) in expected {
                let comparison = format!("value {operator} {bound}");
                assert_eq!(holds(value, &comparison), expected, "{value}: {comparison}");
            }
        }
    }
}

#[test]
fn amount_beyond_cedars_integers_does_not_pass_a_limit() {
    for value in [SIGNED_MAX_AND_1, WRAPPED, MAX] {
        assert!(!holds(value, &format!("value <= {SIGNED_MAX}")), "{value}");
    }
    assert!(!holds(SIGNED_MAX, "value <= -1"));
}

#[test]
fn policy_that_orders_an_amount_with_cedars_operators_is_not_loaded() {
    for condition in ["context.value <= 5", "context.value > 5", "context.value + 1 == 2"] {
        let error = load_error(&permit_text("evm-transaction", condition));
        assert!(error.contains("Long") && error.contains("String"), "{error}");
    }
}

#[test]
fn amount_is_equal_to_its_decimal_text() {
    for value in ["0", SIGNED_MAX, SIGNED_MAX_AND_1, MAX] {
        let policies = permit("evm-transaction", &format!(r#"context.value == "{value}""#));
        assert!(Ask::sign(&transaction(FRIEND, value, vec![])).decide(&policies).is_allowed());
        assert!(!Ask::sign(&transaction(FRIEND, "2", vec![])).decide(&policies).is_allowed());
    }
}

#[test]
fn long_fact_beyond_63_bits_refuses_the_request() {
    let decide = |gas_limit| {
        let fields = quorate_purpose::evm::Unsigned { gas_limit, ..fields(FRIEND, "0", vec![]) };
        let purpose = quorate_purpose::evm::Transaction::new(fields).unwrap().into();
        // A policy that does not even look at it, and one that would be glad of a low number.
        let policies = load(
            r#"@id("all") permit (principal, action, resource);
               @id("low") permit (principal, action == Action::"evm-transaction", resource) when { context.gas_limit < 1 };"#,
        );
        Ask::sign(&purpose).decide(&policies)
    };
    assert!(decide(i64::MAX.unsigned_abs()).is_allowed());
    for gas_limit in [i64::MAX.unsigned_abs() + 1, u64::MAX] {
        let decision = decide(gas_limit);
        assert_eq!(decision.outcome, Outcome::Failed);
        assert!(decision.why.contains("gas_limit") && decision.why.contains("out of the range"));
    }
}

#[test]
fn overflow_in_a_policy_refuses_even_if_another_allows() {
    let policies = load(
        r#"@id("all") permit (principal, action, resource);
           @id("fee") forbid (principal, action == Action::"evm-transaction", resource)
           when { context.gas_limit * context.max_fee > 100000000000000000 };"#,
    );
    let decide = |gas_limit| {
        let fields = quorate_purpose::evm::Unsigned { gas_limit, ..fields(FRIEND, "0", vec![]) };
        let purpose = quorate_purpose::evm::Transaction::new(fields).unwrap().into();
        Ask::sign(&purpose).decide(&policies)
    };
    assert_eq!(decide(5_000_000).outcome, Outcome::Allowed);
    assert_eq!(decide(5_000_001).policies, ["fee"]);
    let overflown = decide(u64::MAX >> 2);
    assert_eq!(overflown.outcome, Outcome::Failed);
    assert!(
        overflown.why.contains("fee") && overflown.why.contains("overflow"),
        "{}",
        overflown.why
    );
}

#[test]
fn words_of_a_call_are_numbers_of_256_bits() {
    let approve = |amount: &[u8]| {
        let data = [hex("095ea7b3"), word(&STRANGER), word(amount)].concat();
        transaction(FRIEND, "0", data)
    };
    let policies =
        permit("evm-transaction", r#"context.holds.contains("argument_1 <= 9223372036854775808")"#);
    let allowed = |amount: &[u8]| Ask::sign(&approve(amount)).decide(&policies).is_allowed();
    assert!(allowed(&[]));
    assert!(allowed(&[0x80, 0, 0, 0, 0, 0, 0, 0]));
    assert!(!allowed(&[0x80, 0, 0, 0, 0, 0, 0, 1]));
    assert!(!allowed(&[0xff; 32]));
    // A call that is cut short has no second word.
    let short = [hex("095ea7b3"), word(&STRANGER), vec![0; 31]].concat();
    assert!(!Ask::sign(&transaction(FRIEND, "0", short)).decide(&policies).is_allowed());
}

#[test]
fn negative_numbers_compare_below_zero() {
    let decide = |value: &str, condition: &str| {
        let purpose = typed(SAFE, "T", &[("x", "int256", &format!("{value:?}"))]);
        Ask::sign(&purpose).decide(&permit("eip712", condition)).is_allowed()
    };
    assert!(decide("-1", r#"context.holds.contains("message.x < 0")"#));
    assert!(decide("-1", r#"context.holds.contains("message.x == -1")"#));
    assert!(!decide("-1", r#"context.holds.contains("message.x >= 0")"#));
    assert!(decide(
        "-9223372036854775809",
        r#"context.holds.contains("message.x < -9223372036854775808")"#
    ));
}

#[test]
fn sum_beyond_256_bits_is_none() {
    let (max, one) = (integer(MAX), Integer::from(1_u64));
    assert_eq!(checked_add(&max, &one), None);
    assert_eq!(checked_add(&one, &max), None);
    assert_eq!(checked_add(&integer(MAX_LESS_1), &one), Some(max));
    assert_eq!(checked_add(&integer(SIGNED_MAX), &one), Some(integer(SIGNED_MAX_AND_1)));
    assert_eq!(checked_add(&max, &Integer::ZERO), Some(max));
    assert_eq!(checked_add(&integer("-1"), &one), None);
}

#[test]
fn comparison_with_a_number_that_is_none_is_not_loaded() {
    let beyond = format!("{MAX}0");
    for number in ["", "01", "1.5", "0x10", "1e18", "five", "+1", "-0", &beyond] {
        let condition = format!(r#"context.holds.contains("value <= {number}")"#);
        let error = load_error(&permit_text("evm-transaction", &condition));
        assert!(error.contains("decimal integer") && error.contains("policy p"), "{error}");
    }
    assert!(Policies::load([("", "")]).is_ok());
}
