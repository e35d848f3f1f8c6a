//! The HTTP side of a process, over a core that answers as it is told.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use core::net::SocketAddr;
use core::time::Duration;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use ed25519_dalek::SigningKey;
use quorate_custody::gateway::ask::{Ask, Refusal, Snapshot, State, Submitted};
use quorate_custody::http::api::Api;
use quorate_custody::http::client::{Answer, Client};
use quorate_custody::http::form::{Form, Outcome};
use quorate_custody::http::probes::Probes;
use quorate_custody::http::{Listen, Server};
use quorate_custody::metrics::{Health, Metrics};
use quorate_custody::request::{KeyId, Request, RequestKey, Scheme, SignedRequest};

const HERE: Listen = Listen {
    address: SocketAddr::new(core::net::IpAddr::V4(core::net::Ipv4Addr::LOCALHOST), 0),
    beyond_this_machine: false,
};

/// A gateway whose core takes requests, and signs them when they are waited for.
struct Place {
    server: Option<Server>,
    health: Arc<Health>,
    metrics: Arc<Metrics>,
}

impl Place {
    fn new() -> Self {
        let (send, asks) = channel();
        thread::spawn(move || core(&asks));
        let (health, metrics) = (Arc::new(Health::new()), Arc::new(Metrics::new()));
        let probes = Probes { metrics: Arc::clone(&metrics), health: Arc::clone(&health) };
        let api = Api::new(Arc::new(move |ask| send.send(ask).is_ok()), probes);
        let server = Server::start(HERE, api.router(), api.watch()).unwrap();
        Self { server: Some(server), health, metrics }
    }

    fn address(&self) -> SocketAddr {
        self.server.as_ref().unwrap().address()
    }

    fn get(&self, path: &str) -> (u16, String) {
        let answer = ask(self.address(), async |client| client.get(path).await.unwrap());
        (answer.status.as_u16(), text(&answer))
    }

    fn post(&self, path: &str, body: impl Into<Vec<u8>>) -> (u16, String) {
        let body = body.into();
        let answer = ask(self.address(), async |client| client.post(path, body).await.unwrap());
        (answer.status.as_u16(), text(&answer))
    }

    /// What comes back for these bytes, until the end or for so long.
    fn raw(&self, bytes: &[u8], most: Duration) -> String {
        let mut stream = TcpStream::connect(self.address()).unwrap();
        stream.set_read_timeout(Some(most)).unwrap();
        stream.write_all(bytes).ok();
        let mut all = Vec::new();
        stream.read_to_end(&mut all).ok();
        String::from_utf8_lossy(&all).into_owned()
    }
}

fn ask<T>(address: SocketAddr, question: impl AsyncFnOnce(&mut Client) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(question(&mut Client::new(address, Duration::from_secs(20))))
}

fn text(answer: &Answer) -> String {
    String::from_utf8(answer.body.to_vec()).unwrap()
}

fn core(asks: &Receiver<Ask>) {
    let mut requests = BTreeMap::new();
    let signed = || State::Signed { signature: vec![1; 64], public_key: vec![2; 32] };
    for ask in asks {
        match ask {
            Ask::Submit(request, reply) if !request.verifies() => {
                reply.send(Submitted::Refused(Refusal::Unsigned));
            }
            Ask::Submit(request, reply) if request.request.message == b"busy" => {
                reply.send(Submitted::Refused(Refusal::Busy));
            }
            // Nobody ever answers.
            Ask::Submit(request, reply) if request.request.message == b"gone" => drop(reply),
            Ask::Submit(request, reply) => {
                let digest = request.request.digest();
                let known = *requests.entry(request.request.key).or_insert(digest);
                reply.send(if known == digest {
                    Submitted::Taken(State::Waiting)
                } else {
                    Submitted::Conflict
                });
            }
            Ask::Status(key, reply) => {
                reply.send(requests.contains_key(&key).then_some(State::Asked));
            }
            Ask::Wait(key, _, reply) => reply.send(requests.contains_key(&key).then(signed)),
            Ask::Snapshot(reply) => {
                let notices = vec!["<b>node 2</b>".to_owned()];
                let (signed, latencies) = ([0, 3], vec![9_000, 4, 5, 6]);
                let counts = Snapshot { signed, latencies, open: 5, ..Snapshot::default() };
                reply.send(Box::new(Snapshot { ready: true, notices, ..counts }));
            }
            _ => {}
        }
    }
}

fn form(key: u8, message: &[u8]) -> Form {
    let request = Request {
        key: RequestKey([key; 16]),
        key_id: KeyId([2; 16]),
        scheme: Scheme::Ed25519,
        path: "m".parse().unwrap(),
        message: message.to_vec(),
        deadline: 1,
    };
    Form::new(&SignedRequest::new(request, &SigningKey::from_bytes(&[3; 32])))
}

fn json(form: &Form) -> Vec<u8> {
    serde_json::to_vec(form).unwrap()
}

fn code(answer: &(u16, String)) -> String {
    let value: serde_json::Value = serde_json::from_str(&answer.1).unwrap();
    value["error"]["code"].as_str().unwrap().to_owned()
}

#[test]
fn a_request_is_taken_waited_for_and_asked_for() {
    let place = Place::new();
    let request = json(&form(7, b"pay"));
    let (status, body) = place.post("/v1/requests", request.clone());
    assert_eq!((status, body.as_str()), (202, r#"{"state":"waiting"}"#));
    let key = "07".repeat(16);
    assert_eq!(place.get(&format!("/v1/requests/{key}")), (202, r#"{"state":"asked"}"#.to_owned()));
    for (status, body) in [
        place.get(&format!("/v1/requests/{key}?wait_ms=100")),
        place.post("/v1/requests?wait_ms=100", request),
    ] {
        let outcome: Outcome = serde_json::from_str(&body).unwrap();
        assert_eq!((status, outcome.state.as_str()), (200, "signed"));
        assert_eq!(outcome.signature.as_deref(), Some(&*"01".repeat(64)));
    }
    let conflict = place.post("/v1/requests", json(&form(7, b"pay more")));
    assert_eq!((conflict.0, code(&conflict).as_str()), (409, "conflict"));
}

#[test]
fn what_is_wrong_is_said() {
    let place = Place::new();
    let mut unsigned = form(1, b"pay");
    unsigned.message = "00".to_owned();
    let mut odd = form(1, b"pay");
    odd.key.push('0');
    let post = |body: Vec<u8>| place.post("/v1/requests", body);
    let key = "07".repeat(16);
    for (answer, status, name) in [
        (post(json(&unsigned)), 403, "unsigned"),
        (post(json(&odd)), 400, "bad_field"),
        (post(json(&form(1, b"busy"))), 429, "busy"),
        (post(json(&form(1, b"gone"))), 503, "stopped"),
        (post(b"{".to_vec()), 400, "bad_json"),
        (post(vec![b' '; 200_000]), 413, "body"),
        (place.post("/v1/requests?wait_ms=30001", json(&form(1, b"pay"))), 400, "bad_wait"),
        (place.post("/v1/requests?wait=1", json(&form(1, b"pay"))), 400, "bad_wait"),
        (place.get(&format!("/v1/requests/{key}")), 404, "no_such_request"),
        (place.get("/v1/requests/0g"), 400, "bad_key"),
        (place.get("/v1/requests"), 405, "method"),
        (place.get("/nothing"), 404, "no_such_place"),
    ] {
        assert_eq!((answer.0, code(&answer).as_str()), (status, name), "{answer:?}");
    }
}

#[test]
fn probes_page_and_drain() {
    let place = Place::new();
    let start = Instant::now();
    while place.get("/readyz").0 != 200 {
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", place.get("/readyz"));
    }
    place.metrics.made(Scheme::Ecdsa, 1);
    assert_eq!(place.get("/healthz").0, 200);
    let metrics = place.get("/metrics").1;
    assert!(metrics.contains("custody_signatures_total{scheme=\"ecdsa\"} 1"), "{metrics}");
    // What the core has shown is counted once, however often it shows it.
    assert!(metrics.contains("custody_signatures_total{scheme=\"ed25519\"} 3"), "{metrics}");
    assert!(metrics.contains("custody_request_seconds_count 3"), "{metrics}");
    assert!(metrics.contains("custody_open_requests 5"), "{metrics}");
    place.post("/v1/requests", json(&form(1, b"busy")));
    assert!(place.get("/metrics").1.contains("custody_refusals_total{reason=\"busy\"} 1"));
    let page = place.raw(b"GET / HTTP/1.0\r\n\r\n", Duration::from_secs(5));
    assert!(page.contains("default-src 'none'") && page.contains("● ready"), "{page}");
    assert!(page.contains("&lt;b&gt;node 2") && !page.contains("<b>"), "{page}");
    let status: serde_json::Value = serde_json::from_str(&place.get("/v1/status").1).unwrap();
    assert_eq!(status["notices"][0], "<b>node 2</b>");
    place.health.drain();
    assert_eq!(place.get("/readyz"), (503, r#"{"state":"draining"}"#.to_owned()));
    let refused = place.post("/v1/requests", json(&form(1, b"pay")));
    assert_eq!((refused.0, code(&refused).as_str()), (503, "draining"));
    assert_eq!(place.get("/healthz").0, 200);
}

#[test]
fn a_caller_that_stalls_holds_up_nobody() {
    let mut place = Place::new();
    let stalled: Vec<TcpStream> = (0..50)
        .map(|_| {
            let mut stream = TcpStream::connect(place.address()).unwrap();
            stream
                .write_all(b"POST /v1/requests HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n{")
                .unwrap();
            stream
        })
        .collect();
    assert_eq!(place.get("/healthz").0, 200);
    let garbage = place.raw(&[0xff; 3000], Duration::from_secs(5));
    assert!(garbage.is_empty() || garbage.contains("400"), "{garbage}");
    let long = [b"GET /".as_slice(), &[b'a'; 100_000]].concat();
    let long = place.raw(&long, Duration::from_secs(5));
    assert!(long.is_empty() || long.contains("414") || long.contains("431"), "{long}");
    let start = Instant::now();
    place.server.take().unwrap().stop();
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    drop(stalled);
}

#[test]
fn nothing_listens_beyond_this_machine() {
    let listen = Listen { address: "0.0.0.0:0".parse().unwrap(), beyond_this_machine: false };
    let why = Server::start(listen, axum::Router::new(), async {}).unwrap_err().to_string();
    assert!(why.starts_with("0.0.0.0:0 is not on this machine alone"), "{why}");
    let configured = Listen { beyond_this_machine: true, ..listen };
    assert!(Server::start(configured, axum::Router::new(), async {}).is_ok());
}
