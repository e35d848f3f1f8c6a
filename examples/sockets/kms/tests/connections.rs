//! Connections of strangers beside those of consumers.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::std_instead_of_core,
    reason = "a test fails by panicking"
)]

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use quorate_purpose::Kind;
use sha2::{Digest as _, Sha256};
use sockets_backend::{AccessKeys, Limits, Scheme};
use sockets_kms::{Place, serve};
use sockets_testkit::Local;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const SECRET: &str = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

async fn start(connections: usize) -> SocketAddr {
    let local = Local::new().with("a", Scheme::Ed25519, 1, &[Kind::OpaqueMessage]);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let access = AccessKeys::new().with("AKID", SECRET.to_owned().into());
    let limits = Limits { connections, ..Limits::default() };
    tokio::spawn(serve(listener, None, Arc::new(local), (Place::default(), access), limits));
    address
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn hmac(key: &[u8], text: &str) -> Vec<u8> {
    let mac = Hmac::<Sha256>::new_from_slice(key).unwrap().chain_update(text);
    mac.finalize().into_bytes().to_vec()
}

/// A request for the list of keys, as an SDK signs it.
fn request() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let now = Timestamp::from_second(now.try_into().unwrap()).unwrap();
    let date = now.strftime("%Y%m%dT%H%M%SZ").to_string();
    let (body, target, names) = ("{}", "TrentService.ListKeys", "host;x-amz-date;x-amz-target");
    let headers = format!("host:localhost\nx-amz-date:{date}\nx-amz-target:{target}\n");
    let canonical = format!("POST\n/\n\n{headers}\n{names}\n{}", hex(&Sha256::digest(body)));
    let scope = format!("{}/us-east-1/kms/aws4_request", &date[..8]);
    let text = format!("AWS4-HMAC-SHA256\n{date}\n{scope}\n{}", hex(&Sha256::digest(canonical)));
    let key =
        scope.split('/').fold(format!("AWS4{SECRET}").into_bytes(), |key, part| hmac(&key, part));
    let signature = hex(&hmac(&key, &text));
    format!(
        "POST / HTTP/1.1\r\nhost: localhost\r\nx-amz-date: {date}\r\nx-amz-target: {target}\r\ncontent-length: 2\r\n\
         authorization: AWS4-HMAC-SHA256 Credential=AKID/{scope}, SignedHeaders={names}, Signature={signature}\r\n\r\n{body}"
    )
}

/// Asks on a connection, and gives the answer.
async fn ask(stream: &mut TcpStream) -> String {
    stream.write_all(request().as_bytes()).await.unwrap();
    let mut answer = String::new();
    while !answer.ends_with('}') {
        let mut bytes = [0; 4096];
        let count = stream.read(&mut bytes).await.unwrap();
        assert_ne!(count, 0, "the connection ends: {answer}");
        answer += core::str::from_utf8(&bytes[..count]).unwrap();
    }
    answer
}

/// A program without an access key connects, says nothing, and connects again.
#[tokio::test]
async fn strangers_keep_no_consumer_out_and_close_no_connection_of_one() {
    let address = start(4).await;
    let mut strangers = vec![];
    let mut consumer = TcpStream::connect(address).await.unwrap();
    for _ in 0..3 {
        assert!(ask(&mut consumer).await.starts_with("HTTP/1.1 200 "));
        for _ in 0..16 {
            strangers.push(TcpStream::connect(address).await.unwrap());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        let mut new = TcpStream::connect(address).await.unwrap();
        assert!(ask(&mut new).await.starts_with("HTTP/1.1 200 "));
    }
}
