//! Bytes that are nearly a request.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::cast_possible_truncation
)]

mod common;

use core::time::Duration;

use common::{Client, SPEC, fake, serve};
use custody_http::Limits;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Numbers that look random, below a bound that is a power of two.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 as usize & (bound.next_power_of_two() - 1)
    }
}

/// Alters up to four bytes, or cuts, or repeats a part.
fn altered(text: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..=numbers.below(4) {
        let at = numbers.below(bytes.len()).min(bytes.len() - 1);
        match numbers.below(8) {
            0 => bytes.truncate(at + 1),
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, b"\r\n\0 :,\xff="[numbers.below(8)]),
            3 => bytes.extend_from_within(at..),
            4 => bytes[at] = b'\n',
            _ => bytes[at] = numbers.below(256) as u8,
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
    bytes
}

#[tokio::test]
async fn altered_bytes_of_a_request_change_nothing_and_stop_nothing() {
    let (cast, service) = fake();
    let head = Duration::from_millis(50);
    let server =
        serve(service, Limits { head, body: head, per_address: 10_000, ..Limits::default() }).await;
    let request = cast.administrator.sign("POST", "/v1/keys", SPEC);
    let text = format!(
        "POST /v1/keys HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: {}\r\ncontent-digest: {}\r\nsignature-input: {}\r\n\
         signature: {}\r\n\r\n{SPEC}",
        request.body.len(),
        request.head.content_digest,
        request.head.signature_input,
        request.head.signature
    );
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut accepted = 0;
    for _ in 0..300 {
        let bytes = altered(text.as_bytes(), &mut numbers);
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        stream.write_all(&bytes).await.ok();
        let mut answer = Vec::new();
        timeout(Duration::from_secs(5), stream.read_to_end(&mut answer)).await.unwrap().ok();
        // What still verifies is the same request: an altered host, or bytes behind its end.
        accepted += usize::from(answer.starts_with(b"HTTP/1.1 200"));
    }
    assert!(accepted < 100, "{accepted}");
    let mut client = Client::connect(server.address()).await;
    let keys = client.send(cast.requester.sign("GET", "/v1/keys", "")).await.json();
    assert!(keys["keys"].as_array().unwrap().len() <= 1, "one request makes one key");
    assert_eq!(server.connections(), (1, 0));
}
