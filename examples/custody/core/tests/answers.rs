//! Answers of the HTTP interface.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use common::{Secret, key, request};
use custody_core::{
    ChildDescription, KeyCondition, KeyDescription, Problem, Reason, Refusal, RequestDescription,
    RequestDigest, RequestId, RequestState, Root, SignatureDescription,
};
use serde_json::json;

#[test]
fn problem_of_a_refusal_names_its_reason() {
    for reason in Reason::ALL.iter().copied() {
        let refusal = Refusal::new(reason, "expected a, got b").by_policy("limits");
        let problem = Problem::new(refusal, Some(RequestId::new([9; 32])));
        assert_eq!(problem.reason(), Some(reason));
        assert_eq!(problem.retryable, reason.is_retryable());
        assert!((400..600).contains(&problem.status), "{reason}");
        // A client that retries on 503 alone does the right thing, but for a clock that runs ahead.
        let waits = problem.status >= 500;
        let by_operator = matches!(reason, Reason::RolledBack | Reason::WrongMaterial);
        assert!(
            waits == reason.is_retryable() || by_operator || reason == Reason::NotYet,
            "{reason}"
        );
    }
    let problem = Problem::new(
        Refusal::new(Reason::PolicyDenied, "too much").by_policy("limits"),
        Some(RequestId::new([9; 32])),
    );
    let json = json!({
        "type": "urn:quorate:custody:policy-denied", "title": "policy denied", "status": 403, "detail": "too much",
        "retryable": false, "instance": format!("urn:quorate:custody:request:{}", common::hex(9)), "policy": "limits",
    });
    assert_eq!(serde_json::to_value(&problem).unwrap(), json);
    assert_eq!(serde_json::from_value::<Problem>(json).unwrap(), problem);
    let unknown = Problem { kind: "urn:quorate:custody:brand-new".into(), ..problem };
    assert_eq!(unknown.reason(), None);
}

#[test]
fn descriptions_survive_json() {
    let spec = json!({ "scheme": "taproot", "threshold": 2, "members": [1, 2], "purposes": [], "scope": "", "labels": {} });
    let description = KeyDescription {
        key: key(),
        request: RequestId::new([9; 32]),
        spec: serde_json::from_value(spec.clone()).unwrap(),
        state: KeyCondition::DeletionScheduled,
        deletion_at: Some(5),
        epoch: 1,
        stock: 2,
        public_key: vec![2, 3],
        spki: None,
        root: Some(Root { point: vec![5], chain_code: [7; 32] }),
        certificate: Some(vec![0xff]),
        child: Some(ChildDescription {
            path: "m/0/5".parse().unwrap(),
            merkle_root: None,
            public_key: vec![4],
            spki: None,
        }),
    };
    let json = json!({
        "key": key().to_string(), "request": common::hex(9), "spec": spec, "state": "deletion-scheduled",
        "deletion_at": 5, "epoch": 1, "stock": 2, "public_key": "AgM=", "certificate": "/w==",
        "root": { "point": "BQ==", "chain_code": "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=" },
        "child": { "path": "m/0/5", "public_key": "BA==" },
    });
    assert_eq!(serde_json::to_value(&description).unwrap(), json);
    assert_eq!(serde_json::from_value::<KeyDescription>(json).unwrap(), description);

    let secret = Secret::ed25519(1);
    let description = RequestDescription {
        request: RequestId::new([9; 32]),
        digest: RequestDigest::new([8; 32]),
        state: RequestState::ApprovalsMissing,
        operation: "sign".into(),
        caller: "payments".into(),
        key: Some(key()),
        expires: 7,
        approvals: vec!["board".into()],
        signature: Some(SignatureDescription {
            signature: vec![1],
            recovery_id: Some(1),
            public_key: vec![2],
        }),
        problem: None,
        signed: request(&secret, "POST", "/v1/keys", "{}"),
    };
    let json = serde_json::to_value(&description).unwrap();
    assert_eq!(
        (&json["state"], &json["signed"]["body"]),
        (&json!("approvals-missing"), &json!("e30="))
    );
    assert_eq!(serde_json::from_value::<RequestDescription>(json).unwrap(), description);
}
