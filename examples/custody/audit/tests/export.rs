//! Lines of JSON: what is written is read, and what strangers write is bounded.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::cast_possible_truncation,
    reason = "tests"
)]

mod common;

use common::*;
use custody_audit::{Answer, Chain, Hex, import, summary};
use custody_core::Reason;
use quorate_purpose::{JwtClaims, OpaqueMessage, Purpose};

const MOST: u64 = 1 << 20;

fn error(text: &str) -> String {
    import(text.as_bytes(), MOST).unwrap_err().to_string()
}

#[test]
fn log_is_read_as_it_was_written() {
    let mut log = log("n1", &[1, 2]);
    let mut chain = Chain::after("n1", log.entries.last().unwrap());
    let done = custody_audit::Decision { answer: Answer::Done, ..released(3) };
    log.entries.push(chain.append(NOW, event(done)));
    log.entries.push(chain.append(NOW, event(refused(4, Reason::PolicyDenied))));
    let head = chain.head(NOW).unwrap();
    log.entries.push(chain.append(NOW, head.pruned()));
    log.start = Some(head.sign(&identity("n1")));
    log.end = end("n1", &log.entries);
    let text = text(&log);
    assert_eq!(text.lines().count(), 7);
    assert_eq!(import(text.as_bytes(), MOST).unwrap(), log);
    assert_eq!(common::text(&import(text.as_bytes(), MOST).unwrap()), text);
}

#[test]
fn hash_of_an_entry_is_pinned() {
    let mut chain = Chain::new("n1");
    let first = chain.append(NOW, event(released(1)));
    let pruned = chain.head(NOW).unwrap().pruned();
    let second = chain.append(NOW + 1, pruned);
    assert_eq!(first.sequence, 0);
    assert_eq!(second.previous, first.hash());
    assert_eq!(
        first.hash().to_string(),
        "58179d15387fb7dcbeb53ed67706728f3e80a7e18827a915b6d1e102c48457bb"
    );
    assert_eq!(
        second.hash().to_string(),
        "8c9037db31ac0d6fec09dbf51fd356b8a5a74853926d72431af75abd7fc9ea8c"
    );
}

#[test]
fn every_field_of_an_entry_is_in_its_hash() {
    let entry = entries("n1", [released(1)]).remove(0);
    let value = serde_json::to_value(&entry).unwrap();
    let mut altered = 0;
    for pointer in pointers(&value, String::new()) {
        let mut other = value.clone();
        let field = other.pointer_mut(&pointer).unwrap();
        *field = match field {
            serde_json::Value::Number(_) => 7.into(),
            // Another digit of hex, or another text.
            serde_json::Value::String(text) => {
                let digit = if text.ends_with('1') { "2" } else { "1" };
                let rest: String =
                    text.chars().take(text.chars().count().saturating_sub(1)).collect();
                format!("{rest}{digit}").into()
            }
            _ => continue,
        };
        let other: custody_audit::Entry = serde_json::from_value(other).unwrap();
        assert_ne!(other.hash(), entry.hash(), "{pointer}");
        altered += 1;
    }
    assert!(altered >= 17, "{altered}");
}

fn pointers(value: &serde_json::Value, path: String) -> Vec<String> {
    match value {
        serde_json::Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, value)| pointers(value, format!("{path}/{name}")))
            .collect(),
        serde_json::Value::Array(values) => values
            .iter()
            .enumerate()
            .flat_map(|(place, value)| pointers(value, format!("{path}/{place}")))
            .collect(),
        _ => vec![path],
    }
}

#[test]
fn lines_in_another_place_are_refused() {
    let text = text(&log("n1", &[1]));
    let lines: Vec<&str> = text.lines().collect();
    let of = |places: &[usize]| {
        places.iter().map(|place| format!("{}\n", lines[*place])).collect::<String>()
    };
    for places in [&[1, 0, 2][..], &[0, 0, 1, 2], &[0, 1, 2, 1], &[0, 1, 2, 2], &[2], &[1]] {
        assert!(error(&of(places)).contains("expected one line `log`"), "{places:?}");
    }
    assert!(error("").contains("got nothing"));
    assert!(import(of(&[0, 1]).as_bytes(), MOST).unwrap().end.is_none());
    assert!(
        error(&of(&[0, 1, 2]).replace(r#""version":1"#, r#""version":2"#))
            .contains("version 1, got 2")
    );
}

#[test]
fn line_that_is_no_entry_is_refused_with_its_number() {
    let text = text(&log("n1", &[1, 2]));
    for (from, to, expected) in [
        ("\"sequence\":1", "\"sequence\":-1", "line 3: "),
        ("\"sequence\":1", "\"number\":1", "line 3: unknown field `number`"),
        ("\"time\"", "\"sequence\"", "line 2: duplicate field"),
        ("\"released\"", "\"granted\"", "line 2: unknown variant `granted`"),
        ("\"claim\":\"01", "\"claim\":\"0A", "line 2: expected 32 bytes in lower-case hex digits"),
        ("\"claim\":\"01", "\"claim\":\"0", "line 2: expected 32 bytes"),
        ("{\"entry\"", "", "line 2: "),
    ] {
        assert!(text.contains(from), "{from}");
        let message = error(&text.replacen(from, to, 1));
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn longer_log_than_allowed_is_refused() {
    let text = text(&log("n1", &[1, 2, 3]));
    let length = u64::try_from(text.len()).unwrap();
    assert!(import(text.as_bytes(), length).is_ok());
    let message = import(text.as_bytes(), length - 1).unwrap_err().to_string();
    assert!(message.contains("more than"), "{message}");
}

#[test]
fn endless_line_is_refused_early() {
    struct Endless(u64);
    impl std::io::Read for Endless {
        fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
            to.fill(b' ');
            self.0 += to.len() as u64;
            assert!(self.0 < 1 << 20, "it reads on");
            Ok(to.len())
        }
    }
    let message = import(std::io::BufReader::new(Endless(0)), u64::MAX).unwrap_err().to_string();
    assert!(
        message.contains("line 1: a line is cut off, or has more than 262144 bytes"),
        "{message}"
    );
    assert!(error("{\"log\":").contains("cut off"));
}

#[test]
fn random_and_mutated_logs_are_read_or_refused() {
    let text = text(&log("n1", &[1, 2])).into_bytes();
    let mut state = 1_u64;
    let mut below = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound as u64) as usize
    };
    let (mut read, mut found) = (0, 0);
    for round in 0..3000 {
        let mut bytes = text.clone();
        for _ in 0..=below(2) {
            let at = below(bytes.len());
            match below(3) {
                0 => bytes[at] = below(256) as u8,
                1 => bytes.truncate(at.max(1)),
                _ => _ = bytes.remove(at),
            }
        }
        if round % 10 == 0 {
            bytes.iter_mut().for_each(|byte| *byte = below(256) as u8);
        }
        let Ok(log) = import(&bytes[..], MOST) else { continue };
        read += 1;
        let is_whole = log == import(&text[..], MOST).unwrap();
        let anomalies = anomalies(&[log]);
        assert!(is_whole || !anomalies.is_empty(), "{}", String::from_utf8_lossy(&bytes));
        found += usize::from(!anomalies.is_empty());
    }
    assert!(read > 100 && found > 100, "{read} {found}");
}

#[test]
fn summary_is_short_whatever_a_request_has() {
    let message: Purpose = OpaqueMessage::raw(vec![7; 1 << 19]).unwrap().into();
    let short = summary(&message.facts(), None);
    assert!(short["bytes"].starts_with("sha256:") && short["bytes"].ends_with("of 1048578 bytes"));
    assert_eq!(short["purpose"], "\"opaque-message\"");
    let claims: Vec<String> =
        (0..500).map(|number| format!("\"{number}{}\":1", "x".repeat(200))).collect();
    let claims = JwtClaims::new(format!("{{{}}}", claims.join(",")), "", "").unwrap();
    let many = summary(&Purpose::from(claims).facts(), None);
    assert_eq!(many.len(), 65);
    assert_eq!(many["…"], "501");
    assert!(many.keys().all(|name| name.len() <= 160));
    assert_eq!(Hex([0xab; 2]).to_string(), "abab");
}
