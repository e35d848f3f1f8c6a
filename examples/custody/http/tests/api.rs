//! The operations, over HTTP.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::cast_possible_truncation
)]

mod common;

use common::fake::NOW;
use common::{Client, SPEC, SPEC_WITH_APPROVALS, build, fake, make, serve};
use custody_http::Limits;
use serde_json::json;

const BODY: &str = r#"{"purpose":"YWJj"}"#;

#[tokio::test]
async fn key_is_made_described_listed_and_changed() {
    let (cast, service) = fake();
    let server = serve(service, Limits::default()).await;
    let mut client = Client::connect(server.address()).await;
    let first = make(&mut client, &cast, SPEC).await;
    let second = make(&mut client, &cast, SPEC).await;
    assert_ne!(first, second);

    let get = |target: String| cast.requester.sign("GET", &target, "");
    let described = client.send(get(format!("{first}?path=m/0/5"))).await.json();
    assert_eq!(described["spec"]["members"], json!([1, 2, 3]));
    assert_eq!(
        (&described["state"], &described["certificate"]),
        (&json!("enabled"), &json!("Y2VydGlmaWNhdGU="))
    );
    assert_eq!(described["child"]["path"], "m/0/5");
    let encoded = client.send(get(format!("{first}?path=m%2F0%2F5"))).await.json();
    assert_eq!(encoded, described);
    assert!(described["child"].get("merkle_root").is_none());
    let root = "07".repeat(32);
    let scripts = client.send(get(format!("{first}?path=m/0/5&merkle_root={root}"))).await.json();
    assert_eq!(scripts["child"]["path"], "m/0/5");
    assert_eq!(scripts["child"]["merkle_root"], "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=");
    assert_ne!(scripts["child"]["public_key"], described["child"]["public_key"]);
    let own = client.send(get(format!("{first}?merkle_root={root}"))).await.json();
    assert_eq!(own["child"]["path"], "m");

    let page = client.send(get("/v1/keys?limit=1".to_owned())).await.json();
    assert_eq!((page["keys"].as_array().unwrap().len(), &page["more"]), (1, &json!(true)));
    let last = page["keys"][0]["key"].as_str().unwrap();
    let rest = client.send(get(format!("/v1/keys?after={last}"))).await.json();
    assert_eq!((rest["keys"].as_array().unwrap().len(), &rest["more"]), (1, &json!(false)));
    assert_ne!(rest["keys"][0]["key"], page["keys"][0]["key"]);

    let changes = [
        ("disable", "", "disabled", json!(null), 0),
        ("enable", "", "enabled", json!(null), 0),
        (
            "schedule-deletion",
            r#"{"at":1900000000}"#,
            "deletion-scheduled",
            json!(1_900_000_000),
            0,
        ),
        ("cancel-deletion", "", "disabled", json!(null), 0),
        ("refresh", "", "disabled", json!(null), 1),
        ("reshare", r#"{"threshold":3,"members":[1,2,3,4]}"#, "disabled", json!(null), 2),
    ];
    for (action, body, state, deletion, epoch) in changes {
        let done =
            client.send(cast.administrator.sign("POST", &format!("{first}/{action}"), body)).await;
        assert_eq!((done.status.as_u16(), &done.json()["operation"]), (200, &json!(action)));
        let now = client.send(get(first.clone())).await.json();
        assert_eq!(
            (&now["state"], &now["deletion_at"], &now["epoch"]),
            (&json!(state), &deletion, &json!(epoch))
        );
    }
    assert_eq!(client.send(get(first.clone())).await.json()["spec"]["threshold"], 3);
    client
        .send(cast.administrator.sign("POST", &format!("{first}/replenish"), r#"{"count":7}"#))
        .await;
    assert_eq!(client.send(get(first)).await.json()["stock"], 7);
}

#[tokio::test]
async fn repeated_request_gets_the_same_signature_and_another_one_under_its_nonce_none() {
    let (cast, service) = fake();
    let server = serve(service, Limits::default()).await;
    let mut client = Client::connect(server.address()).await;
    let target = make(&mut client, &cast, SPEC).await + "/sign";
    let request = cast.requester.sign("POST", &target, BODY);
    let first = client.send(request.clone()).await;
    assert_eq!((first.status.as_u16(), &first.json()["state"]), (200, &json!("done")));
    assert!(first.json()["signature"]["signature"].as_str().unwrap().len() == 88);
    assert_eq!(Client::connect(server.address()).await.send(request).await.json(), first.json());

    let one = cast.requester.sign_with("POST", &target, BODY, "nonce-of-two-requests", NOW);
    let two = cast.requester.sign_with(
        "POST",
        &target,
        r#"{"purpose":"YWJk"}"#,
        "nonce-of-two-requests",
        NOW,
    );
    assert_eq!(client.send(one).await.status, 200);
    assert_eq!(client.send(two).await.problem(), (409, "request-conflict".into()));
}

#[tokio::test]
async fn request_waits_for_its_approval() {
    let (cast, service) = fake();
    let server = serve(service, Limits::default()).await;
    let mut client = Client::connect(server.address()).await;
    let key = make(&mut client, &cast, SPEC_WITH_APPROVALS).await;
    let submitted = client.send(cast.requester.sign("POST", &format!("{key}/sign"), BODY)).await;
    assert_eq!(
        (submitted.status.as_u16(), &submitted.json()["state"]),
        (202, &json!("approvals-missing"))
    );
    let id = submitted.json()["request"].as_str().unwrap().to_owned();
    let target = format!("/v1/requests/{id}");

    let listed = client.send(cast.approver.sign("GET", "/v1/requests", "")).await.json();
    assert_eq!((&listed["requests"][0], &listed["more"]), (&submitted.json(), &json!(false)));
    let wrong = format!(r#"{{"digest":"{}"}}"#, "00".repeat(32));
    let refused =
        client.send(cast.approver.sign("POST", &format!("{target}/approve"), &wrong)).await;
    assert_eq!(refused.problem(), (409, "request-conflict".into()));

    let waiting = cast.requester.sign("GET", &format!("{target}?wait=30"), "");
    let address = server.address();
    let waiting =
        tokio::spawn(async move { Client::connect(address).await.send(waiting).await.json() });
    let approval = format!(r#"{{"digest":{}}}"#, submitted.json()["digest"]);
    let approved =
        client.send(cast.approver.sign("POST", &format!("{target}/approve"), &approval)).await;
    assert_eq!(approved.status, 200, "{}", approved.text);
    let ended = waiting.await.unwrap();
    assert_eq!((&ended["state"], &ended["approvals"]), (&json!("done"), &json!(["board"])));
    assert!(ended["signature"]["signature"].is_string());
    let empty = client.send(cast.approver.sign("GET", "/v1/requests", "")).await.json();
    assert_eq!(empty["requests"], json!([]));
}

#[tokio::test]
async fn request_is_cancelled_and_seen_by_its_caller_alone() {
    let (cast, service) = fake();
    let other = common::Signer::new(9);
    let mut callers: Vec<_> = common::cast().1.iter().cloned().collect();
    callers.push(other.caller("other", &[custody_core::Role::Request]));
    *service.callers.lock().unwrap() = std::sync::Arc::new(
        custody_core::Callers::new(callers).unwrap().of_cluster(common::CLUSTER),
    );
    let server = serve(service, Limits::default()).await;
    let mut client = Client::connect(server.address()).await;
    let key = make(&mut client, &cast, SPEC_WITH_APPROVALS).await;
    let submitted =
        client.send(cast.requester.sign("POST", &format!("{key}/sign"), BODY)).await.json();
    let target = format!("/v1/requests/{}", submitted["request"].as_str().unwrap());
    assert_eq!(
        client.send(other.sign("GET", &target, "")).await.problem(),
        (404, "unknown-request".into())
    );
    assert_eq!(client.send(cast.requester.sign("GET", &target, "")).await.status, 202);
    assert_eq!(client.send(cast.administrator.sign("GET", &target, "")).await.status, 202);
    assert_eq!(
        client.send(cast.requester.sign("POST", &format!("{target}/cancel"), "")).await.status,
        200
    );
    let ended = client.send(cast.requester.sign("GET", &target, "")).await;
    assert_eq!((ended.status.as_u16(), &ended.json()["state"]), (200, &json!("cancelled")));
}

#[tokio::test]
async fn audit_is_exported_as_lines() {
    let (cast, service) = fake();
    let server = serve(service, Limits::default()).await;
    let mut client = Client::connect(server.address()).await;
    let key = make(&mut client, &cast, SPEC).await;
    client.send(cast.requester.sign("POST", &format!("{key}/sign"), BODY)).await;
    let log = client.send(cast.administrator.sign("GET", "/v1/audit/1?after=0", "")).await;
    assert_eq!(log.headers["content-type"], "application/jsonl");
    assert_eq!((log.text.lines().count(), &log.json()["operation"]), (1, &json!("sign")));
    assert_eq!(
        client.send(cast.requester.sign("GET", "/v1/audit/1", "")).await.problem(),
        (403, "role-missing".into())
    );
}

#[tokio::test]
async fn refusals_are_problems() {
    let (cast, service) = fake();
    let server = serve(service, Limits::default()).await;
    let mut client = Client::connect(server.address()).await;
    let key = make(&mut client, &cast, SPEC).await;
    let sign = format!("{key}/sign");
    let stranger = common::Signer::new(77);
    let late = cast.requester.sign_with("POST", &sign, BODY, "nonce-of-the-past-1", NOW - 60);
    let early = cast.requester.sign_with("POST", &sign, BODY, "nonce-of-the-future", NOW + 61);
    let unknown = format!("/v1/keys/{}", "0".repeat(64));
    let cases = [
        (stranger.sign("POST", &sign, BODY), 401, "unknown-caller"),
        (late, 401, "expired"),
        (early, 401, "not-yet"),
        (cast.requester.sign("POST", &sign, "{}"), 400, "malformed"),
        (cast.requester.sign("POST", "/v1/keys", SPEC), 403, "role-missing"),
        (cast.requester.sign("GET", &unknown, ""), 404, "unknown-key"),
        (cast.requester.sign("GET", "/v1/other", ""), 404, "malformed"),
        (cast.requester.sign("GET", &sign, ""), 405, "malformed"),
        (
            cast.administrator.sign(
                "POST",
                "/v1/keys",
                r#"{"scheme":"ed25519","threshold":9,"members":[1,2]}"#,
            ),
            422,
            "limit",
        ),
    ];
    for (request, status, reason) in cases {
        let target = request.head.target.clone();
        assert_eq!(client.send(request).await.problem(), (status, reason.to_owned()), "{target}");
    }
    let denied = client
        .send(cast.requester.sign("POST", &sign, r#"{"purpose":"","on_behalf":"mallory"}"#))
        .await;
    assert_eq!(denied.problem(), (403, "policy-denied".into()));
    let denied = denied.json();
    assert_eq!((&denied["policy"], &denied["retryable"]), (&json!("people"), &json!(false)));
    assert!(denied["instance"].as_str().unwrap().starts_with("urn:quorate:custody:request:"));
    client.send(cast.administrator.sign("POST", &format!("{key}/disable"), "")).await;
    assert_eq!(
        client.send(cast.requester.sign("POST", &sign, BODY)).await.problem(),
        (409, "key-disabled".into())
    );
}

#[tokio::test]
async fn requests_without_one_signature_are_refused() {
    let (cast, service) = fake();
    let server = serve(service, Limits::default()).await;
    let mut client = Client::connect(server.address()).await;
    let request = || build(cast.requester.sign("GET", "/v1/keys", ""));
    for name in ["signature", "signature-input", "content-digest"] {
        let mut without = request();
        without.headers_mut().remove(name);
        let response = client.send_raw(without).await.unwrap();
        assert_eq!(response.problem(), (401, "bad-signature".into()), "{name}");
        let accepted = response.headers["accept-signature"].to_str().unwrap();
        assert!(
            accepted.contains("\"@path\"") && accepted.ends_with(";tag=\"quorate-custody:test\"")
        );
        let mut twice = request();
        let value = twice.headers()[name].clone();
        twice.headers_mut().append(name, value);
        assert_eq!(
            client.send_raw(twice).await.unwrap().problem(),
            (401, "bad-signature".into()),
            "{name}"
        );
    }
    let mut absolute = request();
    *absolute.uri_mut() = "http://custody.test/v1/keys".parse().unwrap();
    assert_eq!(client.send_raw(absolute).await.unwrap().problem(), (400, "malformed".into()));
    let mut altered = build(cast.requester.sign("GET", "/v1/keys", ""));
    *altered.uri_mut() = "/v1/requests".parse().unwrap();
    assert_eq!(client.send_raw(altered).await.unwrap().problem(), (401, "bad-signature".into()));
}
