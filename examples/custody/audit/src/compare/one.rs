//! The history of each node.

use std::collections::BTreeMap;

use quorate_envelope::PublicIdentity;

use crate::chain::SignedLogHead;
use crate::entry::{EntryHash, origin};
use crate::export::Log;
use crate::finding::{Anomaly, Finding};

/// Verifies the signed heads of a log and the chain between them. It may follow another of the `logs`.
pub(super) fn check(
    log: &Log,
    logs: &[Log],
    identity: Option<&PublicIdentity>,
    findings: &mut Vec<Finding>,
) {
    let mut push = |anomaly: Anomaly, sequence: Option<u64>, detail: &str| {
        findings.push(anomaly.at(&log.node, sequence, detail));
    };
    for SignedLogHead { head, .. } in heads(log).filter(|head| !is_signed(head, log, identity)) {
        push(Anomaly::BadHead, Some(head.sequence), "the head is not signed by this node");
    }
    if let Some((anomaly, detail)) = start(log, logs) {
        push(anomaly, log.entries.first().map(|entry| entry.sequence), detail);
    }
    for (entry, next) in log.entries.iter().zip(log.entries.iter().skip(1)) {
        let (anomaly, detail) = match next.sequence.checked_sub(entry.sequence) {
            Some(1) if next.previous == entry.hash() => continue,
            Some(1) => (Anomaly::Altered, "it does not follow from the entry before"),
            Some(2..) => (Anomaly::Gap, "entries before it are missing"),
            _ => (Anomaly::Fork, "its number is not above that of the entry before"),
        };
        push(anomaly, Some(next.sequence), detail);
    }
    let start = log.start.as_ref().map(|start| start.head.sequence);
    let last = log.entries.last().map(|entry| entry.sequence).or(start);
    match log.end.as_ref().map(|end| end.head.sequence) {
        None => push(Anomaly::Truncated, last, "no head is signed for the last entry"),
        signed if signed != last => {
            push(Anomaly::Truncated, last, "the signed head is another entry's")
        }
        _ => {}
    }
}

fn heads(log: &Log) -> impl Iterator<Item = &SignedLogHead> {
    log.start.iter().chain(&log.end)
}

fn is_signed(head: &SignedLogHead, log: &Log, identity: Option<&PublicIdentity>) -> bool {
    head.head.node == log.node && identity.is_some_and(|identity| head.verify(identity))
}

/// The first entry is the first of the node, or follows from an entry of another log, or from a head that was signed and logged
/// before the pruning.
fn start(log: &Log, logs: &[Log]) -> Option<(Anomaly, &'static str)> {
    const UNPRUNED: &str = "entries before it are missing, and no pruning of them is logged";
    let Some(first) = log.entries.first() else {
        return log.start.as_ref().map(|_| (Anomaly::Unpruned, UNPRUNED));
    };
    let (sequence, previous, is_logged) = match &log.start {
        None => (0, origin(&log.node), true),
        Some(SignedLogHead { head, .. }) => {
            let own = logs.iter().filter(|other| other.node == log.node);
            let is_logged = own.flat_map(|log| &log.entries).any(|entry| {
                let is_it = || entry.sequence == head.sequence && entry.hash() == head.hash;
                entry.event == head.pruned() || is_it()
            });
            (head.sequence.saturating_add(1), head.hash, is_logged)
        }
    };
    if !is_logged || (log.start.is_none() && first.sequence != 0) {
        Some((Anomaly::Unpruned, UNPRUNED))
    } else if first.sequence != sequence {
        Some((Anomaly::Gap, "entries between it and the pruned ones are missing"))
    } else if first.previous != previous {
        Some((Anomaly::Altered, "it does not follow from the beginning"))
    } else {
        None
    }
}

/// Compares the hashes at each number of a node: of the entries in all of its logs, and of the signed heads.
pub(super) fn check_forks(logs: &[Log], findings: &mut Vec<Finding>) {
    let mut seen: BTreeMap<(&str, u64), EntryHash> = BTreeMap::new();
    let entries =
        |log: &Log| log.entries.iter().map(|it| (it.sequence, it.hash())).collect::<Vec<_>>();
    for log in logs {
        let heads = heads(log).map(|it| (it.head.sequence, it.head.hash));
        for (sequence, hash) in entries(log).into_iter().chain(heads) {
            let finding = Anomaly::Fork.at(&log.node, sequence, "two histories");
            let first = *seen.entry((&log.node, sequence)).or_insert(hash);
            if first != hash && !findings.contains(&finding) {
                findings.push(finding);
            }
        }
    }
}
