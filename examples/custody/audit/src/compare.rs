//! The comparison of logs with each other and with what else is on record.

mod one;
mod requests;

use std::collections::{BTreeMap, BTreeSet};

use custody_core::{Callers, RequestId, SignedHead};
use quorate_envelope::PublicIdentity;
use serde::{Deserialize, Serialize};

use crate::entry::Answer;
use crate::export::Log;
use crate::finding::{Anomaly, Finding};
use crate::hex::Hex;

/// The longest time from the release of a share to the signature, in seconds: a request may wait for its approvals as long as it is
/// valid. The difference of two clocks, and an hour, are added.
const SLACK: u64 =
    SignedHead::MAX_LIFETIME.saturating_add(SignedHead::MAX_SKEW).saturating_add(3600);

/// The records that logs are compared with, from other sources than the logs.
pub struct Records<'a> {
    /// The identities of the nodes, from the directory.
    pub nodes: BTreeMap<String, PublicIdentity>,
    /// The callers, with the keys that they had at any time of the logs.
    pub callers: &'a Callers,
    /// The claims in the nodes' ledgers since the beginnings of the logs. A node that is absent is not compared.
    pub claims: BTreeMap<String, BTreeSet<Hex<32>>>,
    /// The signatures that were made.
    pub signatures: Vec<Signature>,
}

/// A signature that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// The request.
    pub request: RequestId,
    /// The time at which it was aggregated, in seconds since 1970.
    pub time: u64,
    /// The names of the nodes that contributed a share.
    pub signers: Vec<String>,
}

/// Verifies logs and compares them. A set of logs without a finding agrees with itself and with the records.
///
/// Several logs of one node, such as exports of different days, are compared too: they must have one history.
#[must_use]
pub fn compare(logs: &[Log], records: &Records<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for log in logs {
        one::check(log, logs, records.nodes.get(&log.node), &mut findings);
        requests::check_signed(log, records.callers, &mut findings);
    }
    one::check_forks(logs, &mut findings);
    requests::check_contradictions(logs, &mut findings);
    check_claims(logs, records, &mut findings);
    check_signatures(logs, records, &mut findings);
    findings
}

/// Releases in the log are in the ledger, and the other way round.
fn check_claims(logs: &[Log], records: &Records<'_>, findings: &mut Vec<Finding>) {
    for (node, claims) in &records.claims {
        let mut logged = BTreeSet::new();
        for entry in logs.iter().filter(|log| log.node == *node).flat_map(|log| &log.entries) {
            let Some(Answer::Released { claim }) = entry.decision().map(|it| &it.answer) else {
                continue;
            };
            logged.insert(*claim);
            if !claims.contains(claim) {
                let detail = format_args!("the ledger does not have the claim {claim}");
                findings.push(Anomaly::UnknownClaim.at(node, entry.sequence, detail));
            }
        }
        findings.extend(claims.difference(&logged).map(|claim| {
            let detail = format_args!("the log does not have the claim {claim}");
            Anomaly::UnloggedClaim.at(node, None, detail)
        }));
    }
}

/// Every signer of a signature has an entry for it, unless its logs begin later.
fn check_signatures(logs: &[Log], records: &Records<'_>, findings: &mut Vec<Finding>) {
    let released: BTreeSet<(&str, RequestId)> = logs
        .iter()
        .flat_map(|log| log.entries.iter().map(move |entry| (&log.node[..], entry)))
        .filter_map(|(node, entry)| Some((node, entry.decision()?)))
        .filter(|(_, decision)| matches!(decision.answer, Answer::Released { .. }))
        .map(|(node, decision)| (node, decision.request))
        .collect();
    for Signature { request, time, signers } in &records.signatures {
        for node in signers {
            let is_covered = begin(logs, node).is_some_and(|begin| *time > begin);
            if is_covered && !released.contains(&(node, *request)) {
                let detail = format_args!(
                    "no release for the signature of request {request}: that the node gave a share of it says the record of signatures alone"
                );
                findings.push(Anomaly::UnloggedSignature.at(node, None, detail));
            }
        }
    }
}

/// The time from which a node's logs have every share of a signature: a while after the first entry. A node that was restored begins
/// a log anew, so the number of the entry says nothing.
fn begin(logs: &[Log], node: &str) -> Option<u64> {
    let entries = logs.iter().filter(|log| log.node == *node).flat_map(|log| &log.entries);
    let first = entries.min_by_key(|entry| entry.sequence)?;
    Some(first.time.saturating_add(SLACK))
}
