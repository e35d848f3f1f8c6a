//! The log of requests.
#![allow(
    clippy::unwrap_in_result,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::cast_possible_truncation
)]

mod common;

use std::io;
use std::sync::{Arc, Mutex};

use common::{Client, SPEC, fake, make, serve};
use custody_http::Limits;
use serde_json::Value;

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn log_names_request_caller_operation_and_reason() {
    let lines = Lines::default();
    let writer = lines.clone();
    let subscriber = tracing_subscriber::fmt().json().with_writer(move || writer.clone()).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let (cast, service) = fake();
    let server = serve(service, Limits::default()).await;
    let mut client = Client::connect(server.address()).await;
    let key = make(&mut client, &cast, SPEC).await;
    let sign = format!("{key}/sign");
    let signed =
        client.send(cast.requester.sign("POST", &sign, r#"{"purpose":"YWJj"}"#)).await.json();
    client
        .send(cast.requester.sign("POST", &sign, r#"{"purpose":"","on_behalf":"mallory"}"#))
        .await;

    let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    let entries: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let served: Vec<_> =
        entries.iter().filter(|entry| entry["fields"]["message"] == "served").collect();
    assert_eq!(served.len(), 3);
    let (done, denied) = (&served[1], &served[2]);
    assert_eq!(done["span"]["request"], signed["request"]);
    assert_eq!(
        (&done["span"]["caller"], &done["span"]["operation"]),
        (&"payments".into(), &"sign".into())
    );
    assert_eq!((&done["fields"]["status"], done["span"].get("reason")), (&200.into(), None));
    assert_eq!(
        (&denied["fields"]["status"], &denied["span"]["reason"]),
        (&403.into(), &"urn:quorate:custody:policy-denied".into())
    );
    assert!(!text.contains("YWJj"), "a log shows no purposes");
}
