//! The memory that a stranger's request takes. One test in a process of its own: others would be counted too.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::integer_division_remainder_used, reason = "tests")]

use quorate_purpose::{JwtClaims, MAX_LENGTH, Purpose, TypedData};

const LENGTH: usize = MAX_LENGTH / 16;

/// The most memory that this process has had, in bytes.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

#[test]
fn what_a_stranger_writes_takes_sixty_times_its_length_at_most() {
    let list = |part: &str| {
        let parts = (LENGTH - 100) / (part.len() + 1);
        format!("[{}]", vec![part; parts].join(","))
    };
    for part in [r#"{"a":1}"#, r#"{"x":[]}"#, "[[]]", "{}", r#"{"a":{"a":{"a":{"a":1}}}}"#] {
        let claims = format!(r#"{{"a":{}}}"#, list(part));
        let before = peak();
        let read = JwtClaims::new(claims, "", "").map(|claims| Purpose::from(claims).facts());
        assert!(peak() - before < 60 * LENGTH, "{part}: {}", peak() - before);
        drop(read);
        let types =
            r#"{"EIP712Domain":[{"name":"name","type":"string"}],"P":[{"name":"x","type":"P[]"}]}"#;
        let json = format!(
            r#"{{"types":{types},"primaryType":"P","domain":{{"name":""}},"message":{{"x":{}}}}}"#,
            list(part)
        );
        let before = peak();
        drop(TypedData::from_json(&json));
        assert!(peak() - before < 60 * LENGTH, "{part}: {}", peak() - before);
    }
}
