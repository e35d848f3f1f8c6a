//! Helpers of the tests: callers that sign, and nodes that log.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "each test has its own copy"
)]

use std::collections::{BTreeMap, BTreeSet};

use custody_audit::{
    Anomaly, Answer, Chain, Decision, Entry, Event, Hex, Log, Records, SignedLogHead, compare,
    export,
};
use custody_core::{Caller, CallerKey, Callers, Parameters, Role, SignedHead, UnsignedRequest};
use ed25519_dalek::Signer as _;
use ed25519_dalek::pkcs8::EncodePublicKey as _;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use quorate_envelope::{Identity, Name};

pub const NOW: u64 = 1_800_000_000;

pub struct Person(ed25519_dalek::SigningKey);

pub fn person(seed: u8) -> Person {
    Person(ed25519_dalek::SigningKey::from_bytes(&[seed; 32]))
}

impl Person {
    pub fn key(&self) -> CallerKey {
        let pem = self.0.verifying_key().to_public_key_pem(LineEnding::LF).unwrap();
        CallerKey::from_pem(&pem).unwrap()
    }

    /// A request that is valid for a minute.
    pub fn sign(&self, target: &str, nonce: &str) -> SignedHead {
        let key_id = self.key().id();
        let parameters =
            Parameters { key_id: &key_id, nonce, cluster: None, created: NOW, expires: NOW + 60 };
        let unsigned = UnsignedRequest::new("POST", target, b"{}".to_vec(), &parameters).unwrap();
        let signature = self.0.sign(unsigned.signature_base()).to_bytes();
        unsigned.with_signature(&signature).head
    }
}

pub const REQUESTER: u8 = 1;
pub const APPROVER: u8 = 2;
pub const STRANGER: u8 = 3;

pub fn callers() -> Callers {
    let caller = |name: &str, role, seed| Caller {
        name: name.into(),
        roles: vec![role],
        keys: vec![person(seed).key()],
    };
    let ann = caller("ann", Role::Request, REQUESTER);
    Callers::new(vec![ann, caller("bob", Role::Approve, APPROVER)]).unwrap()
}

/// A decision about the request of this number: a share that was released.
pub fn released(number: u8) -> Decision {
    let nonce = format!("0123456789abcde{number:02}");
    let head = person(REQUESTER).sign("/v1/keys/aa/sign", &nonce);
    let request = custody_core::RequestId::of(&person(REQUESTER).key().id(), &nonce);
    let approve = format!("/v1/requests/{request}/approve");
    Decision {
        request,
        caller: "ann".into(),
        head,
        approvals: vec![person(APPROVER).sign(&approve, &nonce)],
        summary: [("to".into(), format!("0x{number:02x}"))].into(),
        policies: vec!["payments".into()],
        answer: Answer::Released { claim: claim(number) },
    }
}

pub fn refused(number: u8, reason: custody_core::Reason) -> Decision {
    Decision { answer: Answer::Refused { reason, detail: String::new() }, ..released(number) }
}

pub fn claim(number: u8) -> Hex<32> {
    Hex([number; 32])
}

pub fn identity(node: &str) -> Identity {
    let seed = [node.as_bytes()[1]; 32];
    Identity::from_seed(Name::new(node).unwrap(), &seed)
}

pub fn event(decision: Decision) -> Event {
    Event::Decision(Box::new(decision))
}

/// The entries of a node about these decisions.
pub fn entries(node: &str, decisions: impl IntoIterator<Item = Decision>) -> Vec<Entry> {
    let mut chain = Chain::new(node);
    decisions.into_iter().map(|decision| chain.append(NOW + 1, event(decision))).collect()
}

/// The head of the last entry, signed.
pub fn end(node: &str, entries: &[Entry]) -> Option<SignedLogHead> {
    let head = Chain::after(node, entries.last()?).head(NOW + 100)?;
    Some(head.sign(&identity(node)))
}

/// The log of a node that released shares for the requests of these numbers.
pub fn log(node: &str, numbers: &[u8]) -> Log {
    of(node, entries(node, numbers.iter().map(|number| released(*number))))
}

pub fn of(node: &str, entries: Vec<Entry>) -> Log {
    Log { node: node.into(), start: None, end: end(node, &entries), entries }
}

pub fn text(log: &Log) -> String {
    let mut text = Vec::new();
    let entries = log.entries.iter().cloned().map(Ok);
    export(&mut text, &log.node, log.start.clone(), entries, log.end.clone().unwrap()).unwrap();
    String::from_utf8(text).unwrap()
}

/// The nodes and the callers, without ledgers and signatures.
pub fn records(callers: &Callers) -> Records<'_> {
    let nodes = ["n1", "n2", "n3"].map(|node| (node.into(), identity(node).public().clone()));
    Records { nodes: nodes.into(), callers, claims: BTreeMap::new(), signatures: vec![] }
}

/// The claims of a node's ledger.
pub fn claims(node: &str, numbers: &[u8]) -> BTreeMap<String, BTreeSet<Hex<32>>> {
    [(node.into(), numbers.iter().map(|number| claim(*number)).collect())].into()
}

/// The anomalies of logs: anomaly, node and entry.
pub fn anomalies(logs: &[Log]) -> Vec<(Anomaly, String, Option<u64>)> {
    let callers = callers();
    anomalies_with(logs, &records(&callers))
}

pub fn anomalies_with(logs: &[Log], records: &Records<'_>) -> Vec<(Anomaly, String, Option<u64>)> {
    compare(logs, records)
        .into_iter()
        .map(|finding| {
            assert!(!finding.detail.is_empty() && finding.to_string().contains(&finding.node));
            (finding.anomaly, finding.node, finding.sequence)
        })
        .collect()
}

pub fn one(anomaly: Anomaly, node: &str, sequence: u64) -> Vec<(Anomaly, String, Option<u64>)> {
    vec![(anomaly, node.into(), Some(sequence))]
}
