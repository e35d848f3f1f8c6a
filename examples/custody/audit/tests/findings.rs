//! Each finding, by name.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::*;
use custody_audit::{Anomaly, Answer, Chain, Records, Signature};
use custody_core::{Reason, RequestId, SignedHead};

/// The time after its first entry from which a log is expected to have every share.
const SLACK: u64 = SignedHead::MAX_LIFETIME + SignedHead::MAX_SKEW + 3600;

/// A time from which each of the logs is expected to have every share.
const LATER: u64 = NOW + SLACK + 2;

#[test]
fn logs_that_agree_have_no_finding() {
    let logs = [log("n1", &[1, 2, 3]), log("n2", &[2, 1, 3]), log("n3", &[1])];
    let callers = callers();
    let signature = |number| Signature {
        request: released(number).request,
        time: LATER,
        signers: vec!["n1".into(), "n2".into()],
    };
    let records = Records {
        claims: claims("n1", &[1, 2, 3]),
        signatures: vec![signature(1), signature(3)],
        ..records(&callers)
    };
    assert_eq!(anomalies_with(&logs, &records), []);
}

#[test]
fn missing_entry_is_a_gap() {
    let mut log = log("n1", &[1, 2, 3, 4]);
    log.entries.remove(1);
    assert_eq!(anomalies(&[log]), one(Anomaly::Gap, "n1", 2));
}

#[test]
fn altered_entry_breaks_the_chain() {
    let mut altered = log("n1", &[1, 2, 3]);
    altered.entries[1].time -= 1;
    assert_eq!(anomalies(&[altered]), one(Anomaly::Altered, "n1", 2));
    // The first entry follows from the node's name.
    let mut renamed = log("n1", &[1]);
    renamed.entries = entries("n2", [released(1)]);
    renamed.end = end("n1", &renamed.entries);
    assert_eq!(anomalies(&[renamed]), one(Anomaly::Altered, "n1", 0));
}

#[test]
fn altered_last_entry_differs_from_the_signed_head() {
    let mut altered = log("n1", &[1, 2]);
    altered.entries[1].time -= 1;
    assert_eq!(anomalies(&[altered]), one(Anomaly::Fork, "n1", 1));
}

#[test]
fn two_exports_with_two_histories_are_a_fork() {
    let logs = [log("n1", &[1, 2, 3]), log("n1", &[1, 2, 4])];
    assert_eq!(anomalies(&logs), one(Anomaly::Fork, "n1", 2));
    let earlier = [log("n1", &[1, 2]), log("n1", &[1, 2, 3])];
    assert_eq!(anomalies(&earlier), []);
}

#[test]
fn entry_that_stands_twice_is_a_fork() {
    let mut log = log("n1", &[1, 2]);
    log.entries.push(log.entries[1].clone());
    let found = anomalies(&[log]);
    assert_eq!(found, one(Anomaly::Fork, "n1", 1));
}

#[test]
fn tail_that_is_cut_off_is_truncated() {
    let mut cut = log("n1", &[1, 2, 3]);
    cut.entries.pop();
    assert_eq!(anomalies(&[cut]), one(Anomaly::Truncated, "n1", 1));
    let mut unsigned = log("n1", &[1, 2, 3]);
    unsigned.end = None;
    assert_eq!(anomalies(&[unsigned]), one(Anomaly::Truncated, "n1", 2));
    let mut longer = log("n1", &[1, 2, 3]);
    longer.end = end("n1", &longer.entries[..2]);
    assert_eq!(anomalies(&[longer]), one(Anomaly::Truncated, "n1", 2));
}

#[test]
fn older_export_cannot_stand_for_a_later_one() {
    // The later head is on record with somebody else: an export of its own without entries between.
    let (older, later) = (log("n1", &[1]), log("n1", &[1, 2]));
    assert_eq!(anomalies(&[older.clone(), later.clone()]), []);
    let mut cut = later;
    cut.entries.truncate(1);
    assert_eq!(anomalies(&[older, cut]), one(Anomaly::Truncated, "n1", 0));
}

#[test]
fn head_by_another_key_is_bad() {
    let mut log = log("n1", &[1, 2]);
    let head = log.end.clone().unwrap().head;
    log.end = Some(head.clone().sign(&identity("n2")));
    assert_eq!(anomalies(&[log.clone()]), one(Anomaly::BadHead, "n1", 1));
    let mut altered = head.sign(&identity("n1"));
    altered.head.time += 1;
    log.end = Some(altered);
    assert_eq!(anomalies(&[log]), one(Anomaly::BadHead, "n1", 1));
}

#[test]
fn head_of_a_node_that_nobody_knows_is_bad() {
    assert_eq!(anomalies(&[log("n9", &[1])]), one(Anomaly::BadHead, "n9", 0));
}

#[test]
fn head_of_another_node_is_bad() {
    let mut log = log("n1", &[1]);
    let head = custody_audit::Head { node: "n2".into(), ..log.end.clone().unwrap().head };
    log.end = Some(head.sign(&identity("n1")));
    assert_eq!(anomalies(&[log]), one(Anomaly::BadHead, "n1", 0));
}

#[test]
fn request_that_its_caller_did_not_sign_is_bad() {
    let forged = |alter: &dyn Fn(&mut custody_audit::Decision)| {
        let mut decision = released(2);
        alter(&mut decision);
        anomalies(&[of("n1", entries("n1", [released(1), decision]))])
    };
    let bad = one(Anomaly::BadRequest, "n1", 1);
    assert_eq!(forged(&|it| it.head.target = "/v1/keys/bb/sign".into()), bad);
    assert_eq!(
        forged(&|it| it.head = person(STRANGER).sign("/v1/keys/aa/sign", "0123456789abcdef")),
        bad
    );
    assert_eq!(forged(&|it| it.caller = "bob".into()), bad);
    assert_eq!(forged(&|it| it.request = RequestId::new([9; 32])), bad);
    assert_eq!(forged(&|it| it.head.signature.clear()), bad);
    assert_eq!(forged(&|_| {}), []);
}

#[test]
fn approval_that_no_approver_signed_is_bad() {
    let forged = |seed, request| {
        let target = format!("/v1/requests/{request}/approve");
        let approvals = vec![person(seed).sign(&target, "0123456789abcdef")];
        let decision = custody_audit::Decision { approvals, ..released(1) };
        anomalies(&[of("n1", entries("n1", [decision]))])
    };
    let (own, other) = (released(1).request, released(2).request);
    assert_eq!(forged(APPROVER, own), []);
    assert_eq!(forged(APPROVER, other), one(Anomaly::BadRequest, "n1", 0));
    assert_eq!(forged(REQUESTER, own), one(Anomaly::BadRequest, "n1", 0));
    assert_eq!(forged(STRANGER, own), one(Anomaly::BadRequest, "n1", 0));
}

#[test]
fn request_that_had_ended_is_bad_unless_it_was_refused_for_that() {
    let late = |decision| {
        let mut chain = Chain::new("n1");
        let entry = chain.append(NOW + 61, event(decision));
        anomalies(&[of("n1", vec![entry])])
    };
    assert_eq!(late(released(1)), one(Anomaly::BadRequest, "n1", 0));
    assert_eq!(late(refused(1, Reason::PolicyDenied)), one(Anomaly::BadRequest, "n1", 0));
    assert_eq!(late(refused(1, Reason::Expired)), []);
}

#[test]
fn entries_that_say_different_things_about_a_request_contradict() {
    let other = |alter: &dyn Fn(&mut custody_audit::Decision)| {
        let mut decision = released(1);
        alter(&mut decision);
        let logs = [log("n1", &[1]), of("n2", entries("n2", [decision]))];
        let found = anomalies(&logs);
        found.into_iter().map(|(anomaly, node, _)| (anomaly, node)).collect::<Vec<_>>()
    };
    let contradiction = (Anomaly::Contradiction, "n2".into());
    // One node was shown another transaction, or says so.
    assert_eq!(
        other(&|it| _ = it.summary.insert("to".into(), "0x66".into())),
        core::slice::from_ref(&contradiction)
    );
    assert_eq!(
        other(&|it| _ = it.summary.insert("request.path".into(), "m/1".into())),
        [],
        "of an earlier release"
    );
    // The caller signed two requests with one nonce.
    let twice = person(REQUESTER).sign("/v1/keys/bb/sign", "0123456789abcde01");
    assert_eq!(other(&|it| it.head = twice.clone()), core::slice::from_ref(&contradiction));
    assert!(other(&|it| it.caller = "bob".into()).contains(&contradiction));
    // Each node has its own policy, stock and counters.
    let refusal = refused(1, Reason::PolicyDenied).answer;
    assert_eq!(other(&|it| it.answer = refusal.clone()), []);
    // A node that refused before it decoded the purpose has no summary.
    assert_eq!(other(&|it| it.summary.clear()), []);
}

#[test]
fn several_shares_for_one_request_do_not_contradict() {
    // After a signer has failed, the request is signed with other material.
    let again =
        || custody_audit::Decision { answer: Answer::Released { claim: claim(9) }, ..released(1) };
    let decisions = [refused(1, Reason::ApprovalsMissing), released(1), again()];
    assert_eq!(anomalies(&[of("n1", entries("n1", decisions))]), []);
    assert_eq!(anomalies(&[log("n1", &[1]), of("n2", entries("n2", [again()]))]), []);
    // The same entry may be in two exports.
    assert_eq!(anomalies(&[log("n1", &[1]), log("n1", &[1])]), []);
}

#[test]
fn one_claim_for_two_requests_contradicts() {
    let second = custody_audit::Decision { answer: released(1).answer, ..released(2) };
    let found = anomalies(&[of("n1", entries("n1", [released(1), second]))]);
    assert_eq!(found, one(Anomaly::Contradiction, "n1", 1));
}

#[test]
fn share_that_the_ledger_does_not_know_is_found() {
    let callers = callers();
    let records = Records { claims: claims("n1", &[1, 3]), ..records(&callers) };
    assert_eq!(
        anomalies_with(&[log("n1", &[1, 2, 3])], &records),
        one(Anomaly::UnknownClaim, "n1", 1)
    );
    // Of a node whose ledger nobody has shown, nothing is said.
    assert_eq!(anomalies_with(&[log("n2", &[1, 2, 3]), log("n1", &[1, 3])], &records), []);
}

#[test]
fn claim_that_the_log_does_not_know_is_found() {
    let callers = callers();
    let records = Records { claims: claims("n1", &[1, 2]), ..records(&callers) };
    let found = anomalies_with(&[log("n1", &[1])], &records);
    assert_eq!(found, [(Anomaly::UnloggedClaim, "n1".into(), None)]);
}

#[test]
fn signature_that_a_signers_log_does_not_know_is_found() {
    let callers = callers();
    let made = |request, time| Records {
        signatures: vec![Signature { request, time, signers: vec!["n1".into(), "n2".into()] }],
        ..records(&callers)
    };
    let logs = [log("n1", &[1, 2]), log("n2", &[1]), log("n3", &[])];
    let logs = &logs[..2];
    let found = anomalies_with(logs, &made(released(2).request, LATER));
    assert_eq!(found, [(Anomaly::UnloggedSignature, "n2".into(), None)]);
    // A refusal is no release.
    let denied = of("n2", entries("n2", [refused(2, Reason::PolicyDenied)]));
    let found = anomalies_with(&[log("n1", &[2]), denied], &made(released(2).request, LATER));
    assert_eq!(found, [(Anomaly::UnloggedSignature, "n2".into(), None)]);
}

/// A log whose first `count` entries are deleted, after a head was signed and the pruning logged.
fn pruned(count: usize) -> custody_audit::Log {
    let mut entries = entries("n1", [1, 2, 3, 4].map(released));
    let head = Chain::after("n1", &entries[count - 1]).head(NOW + 50).unwrap();
    let mut chain = Chain::after("n1", entries.last().unwrap());
    entries.push(chain.append(NOW + 51, head.pruned()));
    let end = chain.head(NOW + 100).unwrap().sign(&identity("n1"));
    entries.drain(..count);
    custody_audit::Log {
        node: "n1".into(),
        start: Some(head.sign(&identity("n1"))),
        entries,
        end: Some(end),
    }
}

#[test]
fn pruning_that_was_signed_and_logged_is_no_finding() {
    assert_eq!(anomalies(&[pruned(1)]), []);
    assert_eq!(anomalies(&[pruned(4)]), []);
    // With an export from before.
    assert_eq!(anomalies(&[log("n1", &[1, 2, 3, 4]), pruned(3)]), []);
    // An export from before with another history is a fork at the signed head.
    assert_eq!(anomalies(&[log("n1", &[1, 2, 9]), pruned(3)]), one(Anomaly::Fork, "n1", 2));
}

#[test]
fn pruning_without_a_signed_head_is_found() {
    let log = custody_audit::Log { start: None, ..pruned(2) };
    assert_eq!(anomalies(&[log]), one(Anomaly::Unpruned, "n1", 2));
    let mut log = pruned(2);
    let head = log.start.clone().unwrap().head;
    log.start = Some(head.sign(&identity("n2")));
    assert_eq!(anomalies(&[log]), one(Anomaly::BadHead, "n1", 1));
}

#[test]
fn pruning_that_is_not_logged_is_found() {
    let mut log = pruned(2);
    log.entries.pop();
    log.end = end("n1", &log.entries);
    assert_eq!(anomalies(&[log.clone()]), one(Anomaly::Unpruned, "n1", 2));
    // All entries, and a head signed at the end.
    log.end = log.start.clone();
    log.entries.clear();
    assert_eq!(anomalies(&[log]), [(Anomaly::Unpruned, "n1".into(), None)]);
}

#[test]
fn entries_that_are_missing_behind_the_pruned_ones_are_a_gap() {
    let mut log = pruned(2);
    log.entries.remove(0);
    assert_eq!(anomalies(&[log]), one(Anomaly::Gap, "n1", 3));
    let mut altered = pruned(2);
    altered.entries[0].previous = claim(7);
    let found = anomalies(&[altered]);
    assert_eq!(found[0], (Anomaly::Altered, "n1".into(), Some(2)));
}

#[test]
fn signature_from_before_a_pruning_is_not_asked_for() {
    let callers = callers();
    let made = |time| Records {
        signatures: vec![Signature {
            request: released(1).request,
            time,
            signers: vec!["n1".into()],
        }],
        ..records(&callers)
    };
    assert_eq!(anomalies_with(&[pruned(2)], &made(NOW + 1 + SLACK)), []);
    let found = [(Anomaly::UnloggedSignature, "n1".into(), None)];
    assert_eq!(anomalies_with(&[pruned(2)], &made(LATER)), found);
    // A signer of whom no log is shown is not asked either.
    assert_eq!(anomalies_with(&[log("n2", &[2])], &made(LATER)), []);
    // A node that was restored has begun its log anew.
    assert_eq!(anomalies_with(&[log("n1", &[2])], &made(NOW + 1 + SLACK)), []);
    assert_eq!(anomalies_with(&[log("n1", &[2])], &made(LATER)), found);
}

/// The entries of a log in two parts.
fn parts(at: usize) -> [custody_audit::Log; 2] {
    let whole = log("n1", &[1, 2, 3, 4]);
    let (first, second) = whole.entries.split_at(at);
    let head = Chain::after("n1", first.last().unwrap()).head(NOW + 100).unwrap();
    let start = Some(head.sign(&identity("n1")));
    [of("n1", first.to_vec()), custody_audit::Log { start, ..of("n1", second.to_vec()) }]
}

#[test]
fn parts_of_a_log_are_compared_together() {
    let [first, second] = parts(2);
    assert_eq!(anomalies(&[first.clone(), second.clone()]), []);
    assert_eq!(anomalies(&[second.clone(), first.clone()]), []);
    // A part is missing.
    assert_eq!(anomalies(core::slice::from_ref(&second)), one(Anomaly::Unpruned, "n1", 2));
    let [shorter, _] = parts(1);
    assert_eq!(anomalies(&[shorter, second.clone()]), one(Anomaly::Unpruned, "n1", 2));
    // The part before has another end.
    let mut other = first;
    other.entries[1].time += 1;
    other.end = end("n1", &other.entries);
    let found = anomalies(&[other, second]);
    assert_eq!(found[0], (Anomaly::Unpruned, "n1".into(), Some(2)));
    assert!(found.contains(&(Anomaly::Fork, "n1".into(), Some(1))));
}

#[test]
fn signature_of_any_part_is_asked_for() {
    let callers = callers();
    let made = |number| Records {
        signatures: vec![Signature {
            request: released(number).request,
            time: LATER,
            signers: vec!["n1".into()],
        }],
        ..records(&callers)
    };
    assert_eq!(anomalies_with(&parts(2), &made(4)), []);
    assert_eq!(
        anomalies_with(&parts(2), &made(5)),
        [(Anomaly::UnloggedSignature, "n1".into(), None)]
    );
}
