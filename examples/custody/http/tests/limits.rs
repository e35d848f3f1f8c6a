//! Strangers, slow callers and too many of them.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::cast_possible_truncation
)]

mod common;

use core::time::Duration;
use std::sync::Arc;

use common::{Client, SPEC, SPEC_WITH_APPROVALS, build, fake, make, serve};
use custody_http::{Health, Limits, Server, probes};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep, timeout};

const SHORT: Duration = Duration::from_millis(300);

/// Returns whether the server closes the connection within two seconds.
async fn is_closed(stream: &mut TcpStream) -> bool {
    let mut bytes = Vec::new();
    timeout(Duration::from_secs(2), stream.read_to_end(&mut bytes)).await.is_ok()
}

fn many() -> Limits {
    Limits { per_address: 10_000, ..Limits::default() }
}

#[tokio::test]
async fn idle_strangers_keep_no_caller_out() {
    let (cast, service) = fake();
    let server = serve(service, Limits { strangers: 4, ..many() }).await;
    let mut early = Client::connect(server.address()).await;
    make(&mut early, &cast, SPEC).await;
    let mut strangers = Vec::new();
    for _ in 0..50 {
        let mut stranger = TcpStream::connect(server.address()).await.unwrap();
        stranger.write_all(b"GET /v1/keys HTTP/1.1\r\n").await.unwrap();
        strangers.push(stranger);
    }
    // The caller's connection is still open, and a new caller is served at once.
    assert_eq!(early.send(cast.requester.sign("GET", "/v1/keys", "")).await.status, 200);
    let since = Instant::now();
    let mut late = Client::connect(server.address()).await;
    assert_eq!(late.send(cast.requester.sign("GET", "/v1/keys", "")).await.status, 200);
    assert!(since.elapsed() < Duration::from_secs(2));
    assert_eq!(server.connections(), (2, 3));
    assert!(is_closed(&mut strangers[0]).await);
    assert!(!timeout(SHORT, is_closed(&mut strangers[49])).await.unwrap_or(false));
}

#[tokio::test]
async fn unsigned_requests_do_not_make_a_stranger_a_caller() {
    let (cast, service) = fake();
    let server = serve(service, many()).await;
    let mut client = Client::connect(server.address()).await;
    let mut request = build(cast.requester.sign("GET", "/v1/keys", ""));
    request.headers_mut().remove("signature");
    assert_eq!(client.send_raw(request).await.unwrap().status, 401);
    assert_eq!(client.send(common::Signer::new(77).sign("GET", "/v1/keys", "")).await.status, 401);
    assert_eq!(server.connections(), (0, 1));
    assert_eq!(client.send(cast.requester.sign("GET", "/v1/keys", "")).await.status, 200);
    assert_eq!(server.connections(), (1, 0));
    drop(client);
    sleep(SHORT).await;
    assert_eq!(server.connections(), (0, 0));
}

#[tokio::test]
async fn address_with_too_many_connections_gets_no_other() {
    let (cast, service) = fake();
    let server = serve(service, Limits { per_address: 3, ..Limits::default() }).await;
    let mut open = Vec::new();
    for _ in 0..3 {
        open.push(Client::connect(server.address()).await);
    }
    assert_eq!(open[2].send(cast.requester.sign("GET", "/v1/keys", "")).await.status, 200);
    assert!(is_closed(&mut TcpStream::connect(server.address()).await.unwrap()).await);
    open.pop();
    sleep(SHORT).await;
    let mut again = Client::connect(server.address()).await;
    assert_eq!(again.send(cast.requester.sign("GET", "/v1/keys", "")).await.status, 200);
}

#[tokio::test]
async fn slow_heads_slow_bodies_and_idle_connections_end() {
    let (cast, service) = fake();
    let server = serve(service, Limits { head: SHORT, body: SHORT, ..many() }).await;
    let mut silent = TcpStream::connect(server.address()).await.unwrap();
    let mut slow = TcpStream::connect(server.address()).await.unwrap();
    slow.write_all(b"GET / HTTP/1.1\r\nhost: a\r\n").await.unwrap();
    assert!(is_closed(&mut silent).await);
    assert!(is_closed(&mut slow).await);

    let head = cast.requester.sign("POST", "/v1/keys", "{}").head;
    let text = format!(
        "POST {} HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\ncontent-digest: {}\r\nsignature-input: {}\r\nsignature: {}\r\n\r\n{{",
        head.target, head.content_digest, head.signature_input, head.signature
    );
    let mut slow = TcpStream::connect(server.address()).await.unwrap();
    slow.write_all(text.as_bytes()).await.unwrap();
    let mut answer = String::new();
    timeout(Duration::from_secs(5), slow.read_to_string(&mut answer)).await.unwrap().unwrap();
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");

    // Between two requests.
    let mut client = Client::connect(server.address()).await;
    assert_eq!(client.send(cast.requester.sign("GET", "/v1/keys", "")).await.status, 200);
    sleep(SHORT * 3).await;
    assert_eq!(server.connections(), (0, 0));
}

#[tokio::test]
async fn longer_body_than_allowed_is_not_read() {
    let (cast, service) = fake();
    let server = serve(service, many()).await;
    let mut client = Client::connect(server.address()).await;
    let body = format!("{{}}{}", " ".repeat(custody_core::SignedRequest::MAX_BODY));
    assert_eq!(
        client.send(cast.administrator.sign("POST", "/v1/keys", &body)).await.problem(),
        (413, "limit".into())
    );
}

#[tokio::test]
async fn busy_class_of_requests_leaves_the_others_free() {
    let (cast, service) = fake();
    let server = serve(service, Limits { signing: 1, ..many() }).await;
    let mut client = Client::connect(server.address()).await;
    let sign = make(&mut client, &cast, SPEC_WITH_APPROVALS).await + "/sign?wait=30";
    let body = r#"{"purpose":"YWJj"}"#;
    let waiting = build(cast.requester.sign("POST", &sign, body));
    let mut first = Client::connect(server.address()).await;
    let waiting =
        tokio::spawn(async move { first.send_raw(waiting).await.map(|response| response.status) });
    sleep(SHORT).await;
    let busy = client.send(cast.requester.sign("POST", &sign, body)).await;
    assert_eq!(
        (busy.problem(), &busy.headers["retry-after"]),
        ((503, "busy".into()), &"1".parse().unwrap())
    );
    let listed = client.send(cast.approver.sign("GET", "/v1/requests", "")).await;
    assert_eq!(listed.status, 200);
    let request = &listed.json()["requests"][0];
    let approve = format!("/v1/requests/{}/approve", request["request"].as_str().unwrap());
    let approval = format!(r#"{{"digest":{}}}"#, request["digest"]);
    assert_eq!(client.send(cast.approver.sign("POST", &approve, &approval)).await.status, 200);
    assert_eq!(waiting.await.unwrap().unwrap(), 200);
    assert_eq!(
        client
            .send(cast.requester.sign("POST", &sign.replace("wait=30", "wait=0"), body))
            .await
            .status,
        202
    );
}

struct Well(bool);

impl Health for Well {
    fn live(&self) -> Result<(), String> {
        Ok(())
    }

    fn ready(&self) -> Result<(), String> {
        if self.0 { Ok(()) } else { Err("the stock is low".into()) }
    }

    fn metrics(&self) -> String {
        "# EOF\n".into()
    }
}

async fn get(client: &mut Client, path: &str) -> common::Response {
    let request = hyper::Request::get(path)
        .header("host", "a")
        .body(http_body_util::Full::default())
        .unwrap();
    client.send_raw(request).await.unwrap()
}

#[tokio::test]
async fn probes_answer_while_callers_have_no_room() {
    let (_, service) = fake();
    let limits = Limits { callers: 0, strangers: 1, per_address: 1, ..Limits::default() };
    let api = serve(service, limits).await;
    let _flood = TcpStream::connect(api.address()).await.unwrap();
    for (well, status) in [(true, 200), (false, 503)] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Server::start(listener, None, probes(Arc::new(Well(well))), many()).unwrap();
        let mut client = Client::connect(server.address()).await;
        assert_eq!(get(&mut client, "/livez").await.status, 200);
        assert_eq!(get(&mut client, "/readyz").await.status, status);
        let metrics = get(&mut client, "/metrics").await;
        assert_eq!((metrics.status.as_u16(), metrics.text.as_str()), (200, "# EOF\n"));
        assert_eq!(get(&mut client, "/v1/keys").await.status, 404);
    }
}

#[tokio::test]
async fn stopped_server_ends_what_has_begun_and_takes_nothing_new() {
    let (cast, service) = fake();
    let server = serve(service, many()).await;
    let address = server.address();
    let mut client = Client::connect(address).await;
    let sign = make(&mut client, &cast, SPEC_WITH_APPROVALS).await + "/sign?wait=1";
    let waiting = build(cast.requester.sign("POST", &sign, r#"{"purpose":"YWJj"}"#));
    let waiting =
        tokio::spawn(async move { client.send_raw(waiting).await.map(|response| response.status) });
    sleep(SHORT).await;
    server.stop().await;
    assert_eq!(waiting.await.unwrap().unwrap(), 202);
    assert!(TcpStream::connect(address).await.is_err());
}
