//! The entries about requests.

use std::collections::BTreeMap;

use custody_core::{Callers, Role, SignedHead};

use crate::entry::{Answer, Decision, Entry};
use crate::export::Log;
use crate::finding::{Anomaly, Finding};
use crate::summary::is_same;

/// Verifies the signatures of callers and approvers.
pub(super) fn check_signed(log: &Log, callers: &Callers, findings: &mut Vec<Finding>) {
    for entry in &log.entries {
        if let Some(Err(detail)) = entry.decision().map(|it| signed(entry, it, callers)) {
            findings.push(Anomaly::BadRequest.at(&log.node, entry.sequence, detail));
        }
    }
}

fn signed(entry: &Entry, decision: &Decision, callers: &Callers) -> Result<(), String> {
    match decision.head.verify(callers, entry.time) {
        Ok(head) if head.caller().name != decision.caller => {
            return Err(format!(
                "expected a signature of {}, got one of {}",
                decision.caller,
                head.caller().name
            ));
        }
        Ok(head) if head.id() != decision.request => {
            return Err(format!(
                "the signed request has the id {}, not {}",
                head.id(),
                decision.request
            ));
        }
        Ok(_) => {}
        Err(refusal) => match &decision.answer {
            // The node refused it for the same reason.
            Answer::Refused { reason, .. } if *reason == refusal.reason => return Ok(()),
            _ => return Err(refusal.to_string()),
        },
    }
    let target = format!("/v1/requests/{}/approve", decision.request);
    decision.approvals.iter().try_for_each(|approval| approved(approval, &target, entry, callers))
}

fn approved(
    approval: &SignedHead,
    target: &str,
    entry: &Entry,
    callers: &Callers,
) -> Result<(), String> {
    if approval.target != target {
        return Err(format!("an approval: expected the target {target}, got {}", approval.target));
    }
    let head = approval.verify(callers, entry.time);
    let head = head.map_err(|refusal| format!("an approval: {refusal}"))?;
    if head.caller().roles.contains(&Role::Approve) {
        Ok(())
    } else {
        Err(format!("an approval: {} is no approver", head.caller().name))
    }
}

/// Compares the entries about each request, of all nodes, and those about each claim, of one node.
pub(super) fn check_contradictions(logs: &[Log], findings: &mut Vec<Finding>) {
    let (mut requests, mut claims) = (BTreeMap::new(), BTreeMap::new());
    let entries = logs.iter().flat_map(|log| log.entries.iter().map(move |entry| (log, entry)));
    for (log, entry) in entries {
        let Some(decision) = entry.decision() else { continue };
        let mut push = |detail: String| {
            findings.push(Anomaly::Contradiction.at(&log.node, entry.sequence, detail));
        };
        let request = decision.request;
        let (node, first) = *requests.entry(request).or_insert((&log.node, decision));
        if let Some(what) = difference(first, decision) {
            push(format!("request {request}: not what {node} has: {what}"));
        }
        if let Answer::Released { claim } = decision.answer {
            let first = *claims.entry((&log.node, claim)).or_insert(request);
            if first != request {
                push(format!("the claim {claim} is of request {first}, not of {request}"));
            }
        }
    }
}

/// Two entries about one request must not differ in the request or in its content. Answers may: each node has its own
/// policy, counters and stock, and can release several shares, each of other material.
fn difference(one: &Decision, other: &Decision) -> Option<&'static str> {
    let signed = |it: &Decision| {
        let SignedHead { method, target, content_digest, signature_input, .. } = it.head.clone();
        (method, target, content_digest, signature_input)
    };
    if signed(one) != signed(other) {
        return Some("the signed requests differ");
    }
    if one.caller != other.caller {
        return Some("the callers differ");
    }
    let is_decoded = !one.summary.is_empty() && !other.summary.is_empty();
    (is_decoded && !is_same(&one.summary, &other.summary)).then_some("the decoded contents differ")
}
