//! The HTTP server beneath the methods: admission, and limits of bodies.
#![allow(clippy::unwrap_used, clippy::std_instead_of_core, reason = "a test fails by panicking")]

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use quorate_purpose::Kind;
use sockets_backend::{AccessKeys, Limits, Scheme};
use sockets_ethereum::serve;
use sockets_testkit::Local;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const SECRET: &str = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const ACCOUNTS: &str = r#"{ "jsonrpc": "2.0", "id": 1, "method": "eth_accounts", "params": [] }"#;

async fn start(connections: usize) -> (SocketAddr, Arc<Local>) {
    let local = Local::new().with("a", Scheme::EcdsaSecp256k1, 1, &[Kind::EvmMessage]);
    let local = Arc::new(local);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let access = AccessKeys::new().with("desk", SECRET.to_owned().into());
    let limits = Limits { connections, transfer: Duration::from_secs(1), ..Limits::default() };
    tokio::spawn(serve(listener, None, local.clone(), (None, access), limits));
    (address, local)
}

fn basic(name: &str, secret: &str) -> String {
    let credentials = BASE64_STANDARD.encode(format!("{name}:{secret}"));
    format!("authorization: Basic {credentials}\r\n")
}

fn post(headers: &str, body: &str) -> String {
    let length = body.len();
    format!("POST / HTTP/1.1\r\nhost: localhost\r\n{headers}content-length: {length}\r\n\r\n{body}")
}

/// Sends a request, and gives the answer to it.
async fn ask(stream: &mut TcpStream, request: &str) -> String {
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    loop {
        let mut bytes = [0; 4096];
        let count = stream.read(&mut bytes).await.unwrap();
        answer += core::str::from_utf8(bytes.get(..count).unwrap()).unwrap();
        let whole = answer.split_once("\r\n\r\n").is_some_and(|(head, body)| {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            length.is_some_and(|length| length.parse() == Ok(body.len()))
        });
        if whole || count == 0 {
            return answer;
        }
    }
}

async fn once(address: SocketAddr, request: &str) -> String {
    ask(&mut TcpStream::connect(address).await.unwrap(), request).await
}

#[tokio::test]
async fn request_without_its_access_key_is_refused() {
    let (address, _) = start(8).await;
    let good = basic("desk", SECRET);
    assert!(once(address, &post(&good, ACCOUNTS)).await.starts_with("HTTP/1.1 200 "));
    let bearer = format!("authorization: Bearer {SECRET}\r\n");
    let cases = [
        String::new(),
        bearer,
        basic("desk", ""),
        basic("desk", &SECRET[1..]),
        basic("Desk", SECRET),
        basic("", SECRET),
        basic(SECRET, "desk"),
        "authorization: Basic\r\n".to_owned(),
        "authorization: Basic %%%\r\n".to_owned(),
        "authorization: Basic ZGVzaw==\r\n".to_owned(),
        format!("{good}{good}"),
        // A page in a browser that knows the access key.
        format!("{good}origin: null\r\n"),
        format!("{good}origin: http://{address}\r\n"),
    ];
    for headers in cases {
        let answer = once(address, &post(&headers, ACCOUNTS)).await;
        assert!(answer.starts_with("HTTP/1.1 401 "), "{headers}: {answer}");
    }
}

#[tokio::test]
async fn path_that_is_unknown_and_body_that_is_long_or_late_are_refused() {
    let (address, local) = start(8).await;
    let good = basic("desk", SECRET);
    for path in ["/reload", "/api/v1/eth2/publicKeys", "/api/v1/eth1/sign/", "//"] {
        let request = post(&good, "{}").replacen("POST /", &format!("POST {path}"), 1);
        assert!(once(address, &request).await.starts_with("HTTP/1.1 404 "), "{path}");
    }
    let read = format!("GET / HTTP/1.1\r\nhost: localhost\r\n{good}\r\n");
    assert!(once(address, &read).await.starts_with("HTTP/1.1 405 "));
    let long = post(&good, &" ".repeat(3 << 20));
    assert!(once(address, &long).await.starts_with("HTTP/1.1 413 "));
    let late = post(&good, ACCOUNTS).replacen("content-length: ", "content-length: 9", 1);
    assert!(once(address, &late).await.starts_with("HTTP/1.1 408 "));
    assert_eq!(local.signed(), 0);
}

/// The longest message that a purpose takes, in one request.
#[tokio::test]
async fn longest_message_fits() {
    let (address, local) = start(8).await;
    let account = once(address, &post(&basic("desk", SECRET), ACCOUNTS)).await;
    let (_, account) = account.split_once("[\"").unwrap();
    let account = account.split('"').next().unwrap();
    let message = "00".repeat(quorate_purpose::MAX_LENGTH - 100);
    let body = format!(
        r#"{{ "jsonrpc": "2.0", "id": 1, "method": "personal_sign", "params": ["0x{message}", "{account}"] }}"#
    );
    let answer = once(address, &post(&basic("desk", SECRET), &body)).await;
    assert!(answer.contains("\"result\""), "{answer}");
    assert_eq!(local.signed(), 1);
}

/// A program without an access key connects, says nothing, and connects again.
#[tokio::test]
async fn strangers_keep_no_consumer_out_and_close_no_connection_of_one() {
    let (address, _) = start(4).await;
    let mut strangers = vec![];
    let mut consumer = TcpStream::connect(address).await.unwrap();
    let request = post(&basic("desk", SECRET), ACCOUNTS);
    for _ in 0..3 {
        assert!(ask(&mut consumer, &request).await.starts_with("HTTP/1.1 200 "));
        for _ in 0..16 {
            strangers.push(TcpStream::connect(address).await.unwrap());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(once(address, &request).await.starts_with("HTTP/1.1 200 "));
    }
}
