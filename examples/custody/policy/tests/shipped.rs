//! The shipped policies, with the requests that are shipped beside them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::collections::BTreeSet;
use std::fs;

use common::*;
use custody_policy::{Outcome, Policies, Report, check};

fn folder() -> String {
    format!("{}/../policies", env!("CARGO_MANIFEST_DIR"))
}

/// Names of files in a folder, without what ends them.
fn names(folder: &str, end: &str) -> BTreeSet<String> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
    files.filter_map(|name| Some(name.to_str().unwrap().strip_suffix(end)?.to_owned())).collect()
}

fn request(policy: &str, name: &str) -> String {
    fs::read_to_string(format!("{}/requests/{policy}/{name}.json", folder())).unwrap()
}

fn report(policy: &str, name: &str) -> Report {
    check(&shipped(policy), &request(policy, name))
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn every_request_is_allowed_or_refused_as_its_name_says() {
    let policies = names(&folder(), ".cedar");
    assert_eq!(policies.len(), 7);
    for policy in policies {
        let requests = names(&format!("{}/requests/{policy}", folder()), ".json");
        for request in &requests {
            let report = report(&policy, request);
            assert_eq!(
                report.decision.is_allowed(),
                request.starts_with("allowed-"),
                "{policy}/{request}: {report}"
            );
            assert_ne!(report.decision.outcome, Outcome::Failed, "{policy}/{request}: {report}");
        }
        for start in ["allowed-", "refused-"] {
            assert!(requests.iter().any(|name| name.starts_with(start)), "{policy} has {start}");
        }
    }
}

#[test]
fn every_permit_applies_to_some_request() {
    for policy in names(&folder(), ".cedar") {
        let mut applied = BTreeSet::new();
        for request in names(&format!("{}/requests/{policy}", folder()), ".json") {
            let own = report(&policy, &request).policies;
            applied.extend(own.into_iter().filter(|(_, applies)| *applies).map(|(id, _)| id));
        }
        for text in shipped(&policy).split("@id(\"").skip(1) {
            let (id, rest) = text.split_once("\")\n").unwrap();
            let is_permit = rest.starts_with("permit");
            assert!(!is_permit || applied.contains(id), "{policy}: {id} applies to no request");
        }
    }
}

#[test]
fn all_files_together_decide_as_each_alone() {
    let texts: Vec<_> = names(&folder(), ".cedar").into_iter().map(|name| shipped(&name)).collect();
    Policies::load(texts.iter().map(|text| ("", &text[..]))).unwrap();
    let all = texts.concat();
    for policy in names(&folder(), ".cedar") {
        for request in names(&format!("{}/requests/{policy}", folder()), ".json") {
            let example =
                fs::read_to_string(format!("{}/requests/{policy}/{request}.json", folder()));
            let together = check(&all, &example.unwrap()).unwrap().decision;
            assert_eq!(
                together.is_allowed(),
                request.starts_with("allowed-"),
                "{policy}/{request}"
            );
        }
    }
}

#[test]
fn report_says_what_each_policy_and_comparison_made_of_it() {
    let text = report("ethereum-treasury", "refused-daily-limit").to_string();
    for line in [
        "refused: more approvals are needed by treasury-large-payment",
        "policy treasury-payment: does not apply",
        "value <= 10000000000000000000: true",
        "sum value by chain in 1d <= 50000000000000000000: false",
        "to: 0x3535353535353535353535353535353535353535",
        "value: 2000000000000000000",
    ] {
        assert!(text.lines().any(|each| each == line), "{line} in\n{text}");
    }
    let text = report("ethereum-treasury", "allowed-payment").to_string();
    assert!(text.starts_with("allowed: allowed by treasury-payment\n"), "{text}");
    assert!(text.contains("policy treasury-payment: applies\n"));
    assert!(text.contains("counted: sum value by chain=1 in 86400s + 1000000000000000000\n"));
}

#[test]
fn example_that_is_no_request_says_why() {
    let error = |example: &str| {
        let error = check("", example).unwrap_err();
        assert_eq!(error.source.as_deref(), Some("example"));
        error.detail
    };
    let with = |rest: &str| {
        error(&format!(r#"{{"caller":"a","key":{{"scheme":"ed25519"}},"now":1{rest}}}"#))
    };
    assert!(error("{").contains("EOF"));
    assert!(error(&" ".repeat((1 << 22) + 1)).contains("at most"));
    assert!(with(r#","colour":1"#).contains("unknown field `colour`"));
    assert!(with("").contains("either `sign` or `change`"));
    assert!(with(r#","change":"sing""#).contains("unknown variant `sing`"));
    for root in ["", "0x07", &"07".repeat(32)] {
        let rest = format!(r#","change":"refresh","merkle_root":"{root}""#);
        assert!(with(&rest).contains("64 hex digits"), "{root}");
    }
    assert!(with(r#","sign":{"kind":"x","hex":"0x"}"#).contains("no kind of purpose"));
    assert!(with(r#","sign":{"kind":"eip712"}"#).contains("`sign` has `hex`"));
    assert!(
        with(r#","sign":{"kind":"evm-transaction","hex":"0x0"}"#).contains("pairs of hex digits")
    );
    assert!(
        with(r#","sign":{"kind":"evm-transaction","hex":"0x+1"}"#).contains("pairs of hex digits")
    );
    assert!(with(r#","sign":{"kind":"evm-transaction","hex":"0x00"}"#).contains("evm-transaction"));
    assert!(with(r#","change":"refresh","windows":{"x":"1.5"}"#).contains("decimal integer"));
    assert!(with(r#","change":"refresh","windows":{"x":"1"}"#).contains("no window \"x\" is read"));
    assert!(with(r#","change":{"reshare":{"threshold":2}}"#).contains("missing field `members`"));
    assert!(with(r#","change":{"sign":1}"#).contains("unknown variant `sign`"));
    assert_eq!(check("permit", "{}").unwrap_err().source.as_deref(), Some("policies"));
}

#[test]
fn readme_names_every_file_and_shows_a_report() {
    let readme = fs::read_to_string(format!("{}/README.md", folder())).unwrap();
    for policy in names(&folder(), ".cedar") {
        assert!(readme.contains(&format!("| `{policy}.cedar` |")), "{policy}");
    }
    let (_, rest) = readme.split_once("```text\n").unwrap();
    let (shown, _) = rest.split_once("   ```\n").unwrap();
    let report = report("ethereum-treasury", "allowed-payment").to_string();
    assert!(shown.lines().count() > 10);
    for line in shown.lines() {
        assert!(report.lines().any(|each| each == line.trim()), "{line} in\n{report}");
    }
}
