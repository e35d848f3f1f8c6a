//! A trial of policies with an example of a request.

use core::fmt;
use std::collections::BTreeMap;

use cedar_policy::PolicySet;
use quorate_purpose::{Integer, JwtClaims, Kind, Purpose, TypedData};
use serde::Deserialize;

use crate::action::Action;
use crate::context::{Caller, Context, Decision, KeyFacts, Policy as _};
use crate::facts::Seen;
use crate::holds::Holds;
use crate::input::Input;
use crate::policies::{LoadError, Policies};
use crate::window::{Unavailable, Windows};

/// The longest example, in bytes.
const LENGTH: usize = 1 << 22;

/// The result of a trial, to be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The decision.
    pub decision: Decision,
    /// Each policy about the action, and whether its conditions hold.
    pub policies: Vec<(String, bool)>,
    /// Each comparison of these policies, and whether it holds.
    pub comparisons: Vec<(String, bool)>,
    /// The facts, a line each.
    pub facts: String,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answer = if self.decision.is_allowed() { "allowed" } else { "refused" };
        writeln!(f, "{answer}: {}", self.decision.why)?;
        for (id, holds) in &self.policies {
            writeln!(f, "policy {id}: {}", if *holds { "applies" } else { "does not apply" })?;
        }
        for (text, holds) in &self.comparisons {
            writeln!(f, "{text}: {}", if *holds { "true" } else { "false" })?;
        }
        for count in &self.decision.counts {
            writeln!(f, "counted: {} + {}", count.counter, count.amount)?;
        }
        f.write_str(&self.facts)
    }
}

/// An example of a request, in JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    caller: String,
    #[serde(default)]
    roles: Vec<String>,
    #[serde(default)]
    approvers: Vec<String>,
    key: ExampleKey,
    /// The purpose of a signature.
    sign: Option<Content>,
    change: Option<Action>,
    child: Option<String>,
    merkle_root: Option<String>,
    on_behalf: Option<String>,
    signature_context: Option<String>,
    now: i64,
    deadline: Option<i64>,
    /// Totals of counters before the request.
    #[serde(default)]
    windows: BTreeMap<String, String>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ExampleKey {
    id: String,
    scheme: String,
    scope: String,
    labels: BTreeMap<String, String>,
    purposes: Vec<String>,
}

/// A kind, with its body in hex, or in JSON where people write it so.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Content {
    kind: String,
    hex: Option<String>,
    json: Option<serde_json::Value>,
    kid: String,
    typ: String,
}

impl Content {
    fn purpose(&self) -> Result<Purpose, String> {
        let kind: Kind = self.kind.parse().map_err(|error| format!("{:?}: {error}", self.kind))?;
        match (kind, &self.hex, &self.json) {
            (kind, Some(hex), None) => {
                let body = bytes(hex).ok_or("`hex` has 0x and pairs of hex digits")?;
                let bytes = [&[1, kind.code()], &body[..]].concat();
                Purpose::from_bytes(&bytes).map_err(|error| error.to_string())
            }
            (Kind::Eip712, None, Some(json)) => {
                let read = TypedData::from_json(&json.to_string());
                read.map(Into::into).map_err(|error| error.to_string())
            }
            (Kind::JwtClaims, None, Some(json)) => {
                let read = JwtClaims::new(json.to_string(), &*self.kid, &*self.typ);
                read.map(Into::into).map_err(|error| error.to_string())
            }
            _ => Err("`sign` has `hex`, the body of the kind; eip712 and jwt-claims can have `json` instead".into()),
        }
    }
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let (pairs, []) = hex.strip_prefix("0x")?.as_bytes().as_chunks::<2>() else { return None };
    let byte = |pair: &[u8; 2]| {
        let is_hex = pair.iter().all(u8::is_ascii_hexdigit);
        u8::from_str_radix(core::str::from_utf8(pair).ok()?, 16).ok().filter(|_| is_hex)
    };
    pairs.iter().map(byte).collect()
}

fn root(hex: &str) -> Result<[u8; 32], &'static str> {
    let bytes = bytes(hex).and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or("`merkle_root` has 0x and 64 hex digits")
}

/// Totals that an example gives, in a slot that no clock reaches: it counts in every window.
struct Totals(BTreeMap<String, Integer>);

impl Windows for Totals {
    fn slots(&self, counter: &str) -> Result<Vec<(i64, Integer)>, Unavailable> {
        Ok(self.0.get(counter).map(|total| (i64::MAX, *total)).into_iter().collect())
    }
}

/// Decides about an example of a request, and says what each policy made of it.
///
/// The example is JSON, of at most 4 MiB:
///
/// ```json
/// { "caller": "treasurer", "roles": ["request"], "approvers": ["ann"], "now": 1700000000,
///   "key": { "scheme": "ecdsa-secp256k1", "scope": "treasury" },
///   "sign": { "kind": "evm-transaction", "hex": "0xec09…" },
///   "windows": { "sum value by chain=1 in 86400s": "4000000000000000000" } }
/// ```
///
/// `hex` is the body of the kind, as the documentation of `quorate-purpose` describes it: for a transaction what a wallet
/// hashes, for a certificate its `TBSCertificate`. Typed data and claims can stand in `json` as they are. A change is
/// `"change": "refresh"`, or `"change": {"reshare": {"threshold": 3, "members": 5}}`. `deadline` is 300 seconds after `now` if it is absent.
/// Approvers have the keys of their names.
///
/// # Errors
/// If the policies cannot be loaded, or the example is not a request.
pub fn check(policies: &str, example: &str) -> Result<Report, LoadError> {
    let policies = Policies::load([("policies", policies)])?;
    let wrong = |detail| LoadError { source: Some("example".into()), detail };
    if example.len() > LENGTH {
        return Err(wrong(format!("it has {} bytes of {LENGTH} at most", example.len())));
    }
    let example = serde_json::from_str(example).map_err(|error| wrong(error.to_string()))?;
    report(&policies, &example).map_err(wrong)
}

fn report<'a>(policies: &Policies, example: &'a Example) -> Result<Report, String> {
    let purpose = example.sign.as_ref().map(Content::purpose).transpose()?;
    let action = match (&purpose, example.change) {
        (Some(purpose), None) => Action::Sign(purpose.kind()),
        (None, Some(change)) => change,
        _ => return Err("it has either `sign` or `change`".into()),
    };
    let facts = purpose.as_ref().map(Purpose::facts).unwrap_or_default();
    let totals =
        example.windows.iter().map(|(name, total)| Some((name.clone(), total.parse().ok()?)));
    let totals =
        totals.collect::<Option<_>>().ok_or("a total of `windows` is a decimal integer")?;
    let strings = |texts: &'a [String]| texts.iter().map(AsRef::as_ref).collect::<Vec<&'a str>>();
    let (roles, purposes) = (strings(&example.roles), strings(&example.key.purposes));
    let approver = |name: &'a String| Caller { name, key: name.as_bytes(), roles: &["approve"] };
    let approvers: Vec<Caller<'_>> = example.approvers.iter().map(approver).collect();
    let signature_context = example.signature_context.as_deref().map_or(Some(Vec::new()), bytes);
    let signature_context =
        signature_context.ok_or("`signature_context` has 0x and pairs of hex digits")?;
    let merkle_root = example.merkle_root.as_deref().map(root).transpose()?;
    let ExampleKey { id, scheme, scope, labels, .. } = &example.key;
    let context = Context {
        caller: Caller { name: &example.caller, key: example.caller.as_bytes(), roles: &roles },
        approvers: &approvers,
        action,
        key: KeyFacts { id, scheme, scope, labels, purposes: &purposes },
        facts: &facts,
        child: example.child.as_deref(),
        merkle_root,
        on_behalf: example.on_behalf.as_deref(),
        signature_context: &signature_context,
        now: example.now,
        deadline: example.deadline.unwrap_or(example.now.saturating_add(300)),
        windows: &Totals(totals),
    };
    explain(policies, &context, &example.windows)
}

fn explain(
    policies: &Policies,
    context: &Context<'_>,
    windows: &BTreeMap<String, String>,
) -> Result<Report, String> {
    let seen = Seen::new(context.facts, context.action);
    let holds = Holds::new(policies.comparisons(context), &seen, context);
    let holds = holds.map_err(|error| error.to_string())?;
    let known: Vec<&str> = holds.counts.iter().map(|count| &count.counter[..]).collect();
    if let Some(name) = windows.keys().find(|name| !known.contains(&&name[..])) {
        return Err(format!("no window {name:?} is read, of the windows {known:?}"));
    }
    let input = Input::new(context, &seen, &holds.texts, &policies.schema)?;
    let mut applied = Vec::new();
    let rules = policies.rules.iter().filter(|(_, rule)| rule.concerns(context.action));
    for (id, _) in rules {
        let policy = policies.set.policies().find(|policy| policy.id().to_string() == *id);
        let alone = PolicySet::from_policies(policy.cloned()).map_err(|error| error.to_string())?;
        let response = policies.authorizer.is_authorized(&input.request, &alone, &input.entities);
        applied.push((id.clone(), response.diagnostics().reason().next().is_some()));
    }
    let compared = policies.comparisons(context);
    let comparisons = compared.map(|(text, _)| (text.clone(), holds.texts.contains(&text[..])));
    Ok(Report {
        comparisons: comparisons.collect::<BTreeMap<_, _>>().into_iter().collect(),
        decision: policies.decide(context),
        policies: applied,
        facts: seen
            .iter()
            .map(|(name, value)| format!("{}: {value}\n", name.escape_debug()))
            .collect(),
    })
}
