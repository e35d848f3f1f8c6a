//! Decisions about requests: by the record of them, or by the policy.

use core::cell::RefCell;
use std::collections::BTreeMap;

use custody_audit::Answer;
use custody_core::{Caller, KeyId, KeySpec, MerkleRoot, Reason, Refusal, Role};
use custody_policy::{
    Action, Approval, Caller as Signer, Context, Count, Decision, KeyFacts, Outcome, Unavailable,
    Windows,
};
use quorate_purpose::{Facts, Integer};
use quorate_store::Ledger;
use sha2::{Digest as _, Sha256};

use crate::audit::{self, Log};
use crate::request::{Asked, RequestRow, Verdict};
use crate::rows::{Stored, decode, encode, ledger, name};
use crate::settings::Settings;

/// A question for the policy.
pub(crate) struct Question<'a> {
    pub(crate) asked: &'a Asked,
    pub(crate) action: Action,
    /// The key, or the request's id for a key that is to be made.
    pub(crate) key: [u8; 32],
    /// The key whose counters count it; zeros for all keys that are to be made, and for cancellations.
    pub(crate) counters: [u8; 32],
    /// The key's specification, if it is about a key.
    pub(crate) spec: Option<&'a KeySpec>,
    pub(crate) facts: &'a Facts,
    /// The path of the child that is to sign.
    pub(crate) child: Option<&'a str>,
    /// The Merkle root of the scripts that the output commits to.
    pub(crate) merkle_root: Option<MerkleRoot>,
    pub(crate) on_behalf: Option<&'a str>,
    /// The context string of FIPS 204.
    pub(crate) signature_context: &'a [u8],
    /// Seconds since 1970.
    pub(crate) now: u64,
}

/// Decides about a request, once: a later answer is that of the record.
///
/// # Errors
/// The refusal. The outer error is of the database.
pub(crate) fn decide(
    rows: &mut Ledger<'_>,
    log: &mut Log<'_>,
    question: &Question<'_>,
) -> Stored<Result<RequestRow, Refusal>> {
    let (row, is_new) = match judge(rows, log, question)? {
        Ok(judged) => judged,
        Err(why) => return Ok(Err(why)),
    };
    if is_new {
        put_request(rows, question.asked, &row)?;
    }
    Ok(Ok(row))
}

/// Decides about a request. Says whether the caller of this function has to store the row of one that is allowed: it is new.
pub(crate) fn judge(
    rows: &mut Ledger<'_>,
    log: &mut Log<'_>,
    question: &Question<'_>,
) -> Stored<Result<(RequestRow, bool), Refusal>> {
    let verified = &question.asked.verified;
    let known = match rows.get(ledger::REQUESTS, verified.id.as_bytes())? {
        Some(row) => match decode::<RequestRow>(&row) {
            Ok(row) => Some(row),
            Err(why) => return Ok(Err(why)),
        },
        // The clock was ahead when it was forgotten, and is right again.
        None if verified.created <= forgotten(rows)? => {
            let why = "requests that were made then are forgotten: sign it again";
            return Ok(Err(Refusal::new(Reason::Expired, why)));
        }
        None => None,
    };
    if let Some(answer) = known.as_ref().and_then(|row| recorded(question.asked, row)) {
        return Ok(answer.map(|row| (row, false)));
    }
    let decision = ask(rows, log.settings, question);
    let verdict = verdict(&decision);
    // The log has each answer once, however often a gateway asks. A share is logged when it is given.
    let answer = match &verdict {
        Verdict::Refused(why) => Some(audit::refused(why)),
        _ if matches!(question.action, Action::Sign(_)) => None,
        _ => Some(Answer::Done),
    };
    let is_new = known.as_ref().is_none_or(|row| row.verdict != verdict);
    if let Some(answer) = answer.filter(|_| is_new) {
        audit::append(rows, log, question, (answer, &decision.policies))?;
    }
    let row = RequestRow {
        digest: verified.digest,
        verdict,
        policies: decision.policies,
        expires: verified.expires,
        released: Vec::new(),
    };
    if let Verdict::Refused(why) = &row.verdict {
        put_request(rows, question.asked, &row)?;
        return Ok(Err(why.clone()));
    }
    count(rows, &question.counters, &decision.counts)?;
    Ok(Ok((row, true)))
}

/// The answer of the record, unless the policy is to be asked again.
fn recorded(asked: &Asked, row: &RequestRow) -> Option<Result<RequestRow, Refusal>> {
    if row.verdict == Verdict::Cancelled {
        return Some(Err(cancelled()));
    }
    if let Err(conflict) = asked.verified.check_same(row.digest) {
        return Some(Err(conflict));
    }
    match &row.verdict {
        Verdict::Allowed | Verdict::Done => Some(Ok(row.clone())),
        Verdict::Refused(why) if is_final(why) => Some(Err(why.clone())),
        Verdict::Refused(_) | Verdict::Cancelled => None,
    }
}

/// Records what is known of a request.
pub(crate) fn put_request(rows: &mut Ledger<'_>, asked: &Asked, row: &RequestRow) -> Stored<()> {
    put_made(rows, asked.id().as_bytes(), row, asked.verified.created)
}

/// Records what is known of a request that was made at this time, in seconds since 1970.
pub(crate) fn put_made(
    rows: &mut Ledger<'_>,
    id: &[u8; 32],
    row: &RequestRow,
    created: u64,
) -> Stored<()> {
    let content = encode(&(row, created));
    let content = content.map_err(|why| quorate_store::Error::Refused(why.to_string()))?;
    rows.put(ledger::REQUESTS, id, &content)
}

/// The time at which the latest of the forgotten requests was made, in seconds since 1970. Of a request that was made later, nothing
/// is forgotten.
fn forgotten(rows: &mut Ledger<'_>) -> Stored<u64> {
    let Some(row) = rows.get(ledger::FORGOTTEN, &[])? else { return Ok(0) };
    let damaged = || quorate_store::Error::Damaged("the mark of forgotten requests".into());
    Ok(u64::from_be_bytes(row.try_into().map_err(|_| damaged())?))
}

/// Forgets these requests. The last of them was made at this time.
pub(crate) fn forget(rows: &mut Ledger<'_>, names: &[Vec<u8>], last: u64) -> Stored<()> {
    let last = last.max(forgotten(rows)?);
    rows.put(ledger::FORGOTTEN, &[], &last.to_be_bytes())?;
    names.iter().try_for_each(|name| rows.remove(ledger::REQUESTS, name).map(drop))
}

/// The refusal of a request that was cancelled.
pub(crate) fn cancelled() -> Refusal {
    Refusal::new(Reason::Cancelled, "the request was cancelled")
}

/// Returns whether no later approval changes a refusal.
fn is_final(why: &Refusal) -> bool {
    why.reason != Reason::ApprovalsMissing
}

fn ask(rows: &mut Ledger<'_>, settings: &Settings, question: &Question<'_>) -> Decision {
    let Question { asked, spec, .. } = question;
    let (roles, approver_roles) = (roles(&asked.verified.caller), each_roles(asked));
    let names: Vec<&str> =
        spec.iter().flat_map(|spec| &spec.purposes).map(|kind| kind.name()).collect();
    let none = BTreeMap::new();
    let id: String = KeyId::new(question.key).to_string();
    let now = time(question.now);
    let approvals = asked.approvals.iter().zip(&approver_roles).map(|(approval, roles)| Approval {
        approver: signer(&approval.caller, roles),
        digest: *approval.digest.as_bytes(),
        expires: time(approval.expires),
    });
    let approvers = custody_policy::approvers(asked.verified.digest.as_bytes(), now, approvals);
    let windows = LedgerWindows { rows: RefCell::new(rows), key: question.counters };
    settings.policy.decide(&Context {
        caller: signer(&asked.verified.caller, &roles),
        approvers: &approvers,
        action: question.action,
        key: KeyFacts {
            id: &id,
            scheme: spec.map_or("", |spec| spec.scheme.name()),
            scope: spec.map_or("", |spec| &spec.scope),
            labels: spec.map_or(&none, |spec| &spec.labels),
            purposes: &names,
        },
        facts: question.facts,
        child: question.child,
        merkle_root: question.merkle_root.map(|root| root.0),
        on_behalf: question.on_behalf,
        signature_context: question.signature_context,
        now,
        deadline: time(asked.verified.expires),
        windows: &windows,
    })
}

/// The roles of all approvers, in the order of the approvals.
fn each_roles(asked: &Asked) -> Vec<Vec<&'static str>> {
    asked.approvals.iter().map(|approval| roles(&approval.caller)).collect()
}

fn roles(caller: &Caller) -> Vec<&'static str> {
    let all =
        [(Role::Request, "request"), (Role::Approve, "approve"), (Role::Administer, "administer")];
    all.into_iter().filter(|(role, _)| caller.roles.contains(role)).map(|(_, name)| name).collect()
}

/// A caller for the policy. Callers have distinct names and no key in common, so the name stands for the key.
fn signer<'a>(caller: &'a Caller, roles: &'a [&'a str]) -> Signer<'a> {
    Signer { name: &caller.name, key: caller.name.as_bytes(), roles }
}

fn verdict(decision: &Decision) -> Verdict {
    let reason = match decision.outcome {
        Outcome::Allowed => return Verdict::Allowed,
        Outcome::ApprovalsMissing => Reason::ApprovalsMissing,
        _ => Reason::PolicyDenied,
    };
    let refusal = Refusal::new(reason, &decision.why);
    let policy = decision.policies.join(", ");
    Verdict::Refused(if policy.is_empty() { refusal } else { refusal.by_policy(policy) })
}

fn time(seconds: u64) -> i64 {
    i64::try_from(seconds).unwrap_or(i64::MAX)
}

/// The counters of one key in the ledger.
struct LedgerWindows<'a, 'b> {
    rows: RefCell<&'a mut Ledger<'b>>,
    key: [u8; 32],
}

impl Windows for LedgerWindows<'_, '_> {
    fn slots(&self, counter: &str) -> Result<Vec<(i64, Integer)>, Unavailable> {
        let unavailable = |why: &dyn core::fmt::Display| Unavailable(why.to_string());
        let prefix = counter_name(&self.key, counter);
        let rows =
            self.rows.borrow_mut().list(ledger::WINDOWS, &prefix, None, usize::from(u8::MAX));
        rows.map_err(|why| unavailable(&why))?
            .into_iter()
            .map(|row| {
                let slot = row.name.last_chunk().map(|bytes| i64::from_be_bytes(*bytes));
                let total = Integer::from_be_bytes(&row.content);
                slot.zip(total).ok_or_else(|| unavailable(&"a counter is damaged"))
            })
            .collect()
    }
}

/// Writes increments, and removes slots that are of no more use.
fn count(rows: &mut Ledger<'_>, key: &[u8; 32], counts: &[Count]) -> Stored<()> {
    for Count { counter, slot, total, oldest, .. } in counts {
        let prefix = counter_name(key, counter);
        for row in rows.list(ledger::WINDOWS, &prefix, None, usize::from(u8::MAX))? {
            let old =
                row.name.last_chunk().is_some_and(|bytes| i64::from_be_bytes(*bytes) < *oldest);
            if old {
                rows.remove(ledger::WINDOWS, &row.name)?;
            }
        }
        let name = name(&[&prefix, &slot.to_be_bytes()]);
        // Totals are not negative, and have up to 256 bits.
        rows.put(ledger::WINDOWS, &name, total.magnitude())?;
    }
    Ok(())
}

fn counter_name(key: &[u8; 32], counter: &str) -> Vec<u8> {
    name(&[key, &Sha256::digest(counter)])
}
