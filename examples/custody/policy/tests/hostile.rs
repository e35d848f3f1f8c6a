//! Texts and facts from anybody: they neither stop the program nor gain a permission.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::cast_possible_truncation,
    reason = "tests"
)]

mod common;

use core::time::Duration;
use std::time::Instant;

use common::*;
use custody_policy::{Policies, check};
use quorate_purpose::Purpose;

/// A generator of numbers that are the same in each run (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

const FILES: [&str; 7] = [
    "ethereum-treasury",
    "safe",
    "validator",
    "x509-ca",
    "ssh-user",
    "kubernetes",
    "administration",
];

/// Loads, and decides about every example if that succeeds.
fn try_policies(text: &str) -> bool {
    let Ok(policies) = Policies::load([("x", text)]) else { return false };
    for (_, purpose) in examples().iter().step_by(7) {
        Ask::sign(purpose).decide(&policies);
    }
    true
}

#[test]
fn random_bytes_are_no_policies() {
    let mut numbers = Numbers(1);
    for length in 0..400 {
        let bytes: Vec<u8> = (0..length).map(|_| numbers.below(256) as u8).collect();
        try_policies(&String::from_utf8_lossy(&bytes));
        let printable: String = bytes.iter().map(|byte| char::from(32 + byte % 95)).collect();
        try_policies(&printable);
    }
}

#[test]
fn mutated_policies_load_or_are_refused() {
    let mut numbers = Numbers(2);
    let (mut loaded, mut refused) = (0, 0);
    for round in 0..150 {
        let mut text: Vec<u8> = shipped(FILES[round % FILES.len()]).into_bytes();
        for _ in 0..=numbers.below(3) {
            let at = numbers.below(text.len());
            match numbers.below(3) {
                0 => text[at] = numbers.below(128) as u8,
                1 => {
                    text.remove(at);
                }
                _ => {
                    let from = numbers.below(text.len());
                    let part = text[from..(from + numbers.below(40)).min(text.len())].to_vec();
                    text.splice(at..at, part);
                }
            }
        }
        if try_policies(&String::from_utf8_lossy(&text)) { loaded += 1 } else { refused += 1 }
    }
    assert!(loaded > 0 && refused > 0, "{loaded} {refused}");
}

#[test]
fn deep_nesting_is_refused_without_overflow() {
    let forms = [
        ("(", ")"),
        ("!(", ")"),
        ("!", ""),
        ("[", "]"),
        ("{a: ", "}"),
        ("if true then ", " else false"),
        ("true && (", ")"),
        ("-", ""),
        ("context.now > 0 && ", ""),
        ("1 + ", ""),
    ];
    for (open, close) in forms {
        for depth in [10, 60, 100, 390, 1000, 10_000] {
            // Behind brackets, as deep as they may be.
            for (before, after) in [("", "".into()), (&"(".repeat(60)[..], ")".repeat(60))] {
                let condition =
                    format!("{before}{}true{}{after}", open.repeat(depth), close.repeat(depth));
                let text = permit_text("evm-transaction", &condition);
                let loaded = Policies::load([("x", &text[..])]).is_ok();
                assert!(!loaded || depth <= 100, "{open} {depth}");
            }
        }
    }
    let path = permit_text("evm-transaction", &format!("context{}", ".now".repeat(390)));
    assert!(!try_policies(&path));
}

#[test]
fn long_list_is_not_a_deep_one() {
    let list = vec![format!("{:?}", text_of(&FRIEND)); 2000].join(", ");
    let policies =
        permit("evm-transaction", &format!("context has to && [{list}].contains(context.to)"));
    assert!(Ask::sign(&transaction(FRIEND, ETHER, vec![])).decide(&policies).is_allowed());
}

#[test]
fn mutated_purposes_are_decided() {
    let all: Vec<(&str, String)> = FILES.iter().map(|name| (*name, shipped(name))).collect();
    let policies = Policies::load(all.iter().map(|(name, text)| (*name, &text[..]))).unwrap();
    let (mut numbers, mut decided) = (Numbers(3), 0);
    for (_, purpose) in examples() {
        for _ in 0..20 {
            let mut bytes = purpose.to_bytes();
            let at = numbers.below(bytes.len());
            bytes[at] = numbers.below(256) as u8;
            let Ok(purpose) = Purpose::from_bytes(&bytes) else { continue };
            decided += 1;
            // A stranger with a key of no known scope has nothing signed, whatever it is.
            assert!(
                !Ask::sign(&purpose).scope("other").by("stranger").decide(&policies).is_allowed()
            );
        }
    }
    assert!(decided > 100, "{decided}");
}

#[test]
fn largest_call_is_decided_quickly() {
    let data = [hex("8d80ff0a"), vec![0xe3; 700_000]].concat();
    let big = safe_tx(USDC, "0", &data, 0);
    let policies = load(&shipped("safe"));
    let begin = Instant::now();
    let decision = Ask::sign(&big).scope("safe").by("safe-desk").decide(&policies);
    assert!(!decision.is_allowed());
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
}

#[test]
fn mutated_examples_are_checked_or_refused() {
    let mut numbers = Numbers(4);
    let policies = shipped("administration");
    let example = r#"{"caller":"ann","roles":["administer"],"approvers":["bob","eve"],"key":{"scheme":"ed25519"},"change":{"reshare":{"threshold":2,"members":3}},"now":1800000000}"#;
    assert!(check(&policies, example).unwrap().decision.is_allowed());
    let mut refused = 0;
    for _ in 0..200 {
        let mut bytes = example.as_bytes().to_vec();
        let at = numbers.below(bytes.len());
        bytes[at] = numbers.below(128) as u8;
        let report = check(&policies, &String::from_utf8_lossy(&bytes));
        refused += u32::from(!report.is_ok_and(|report| report.decision.is_allowed()));
    }
    assert!(refused > 100, "{refused}");
}
