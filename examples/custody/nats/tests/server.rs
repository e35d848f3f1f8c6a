//! The transport over a real NATS server. Each test is skipped where none is installed.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::expect_used,
    clippy::mod_module_files,
    clippy::std_instead_of_core,
    reason = "a test fails by panicking"
)]

mod support;

use std::time::Duration;

use custody_nats::nats::{Access, NatsTransport, permissions};
use custody_nats::{Bounds, Incoming, Outgoing, Receiver, Sender, Transport};
use futures_util::{SinkExt as _, StreamExt as _};
use quorate_envelope::MAX_ENVELOPE;
use support::{LONG, MEMBERS, Server, foreign_certificate, name};
use tokio::time::{sleep, timeout};

async fn send(sender: &mut Sender, to: &str, envelope: impl Into<Vec<u8>>) {
    sender.send(Outgoing { to: name(to), envelope: envelope.into() }).await.unwrap();
}

async fn receive(receiver: &mut Receiver) -> Incoming {
    timeout(LONG, receiver.next()).await.expect("nothing arrived").unwrap()
}

async fn is_quiet(receiver: &mut Receiver) -> bool {
    timeout(Duration::from_millis(500), receiver.next()).await.is_err()
}

/// Returns whether the server's log says, within some seconds, that it refused this.
async fn is_refused(server: &Server, what: &str) -> bool {
    for _ in 0..100 {
        if server.log().contains(what) {
            return true;
        }
        sleep(Duration::from_millis(50)).await;
    }
    false
}

#[tokio::test]
async fn envelopes_reach_their_recipient_in_order_under_the_senders_name() {
    let Some(server) = Server::start("order") else { return };
    let (mut from_gateway, mut to_nodes) = server.join("gw").await.split();
    let (mut at_zurich, mut zurich) = server.join("n3.zurich").await.split();
    let (mut at_one, _one) = server.join("n1").await.split();
    for number in 0..100_u8 {
        send(&mut to_nodes, "n3.zurich", [number]).await;
    }
    for number in 0..100_u8 {
        let expected = Incoming { from: name("gw"), envelope: vec![number] };
        assert_eq!(receive(&mut at_zurich).await, expected);
    }
    send(&mut zurich, "gw", *b"answer").await;
    let answer = receive(&mut from_gateway).await;
    assert_eq!((answer.from, &*answer.envelope), (name("n3.zurich"), &b"answer"[..]));
    assert!(is_quiet(&mut at_one).await);
}

#[tokio::test]
async fn longest_envelope_passes_and_a_longer_one_is_dropped() {
    let Some(server) = Server::start("longest") else { return };
    let transport = server.join("n1").await;
    let (monitor, (_, mut sender)) = (transport.monitor(), transport.split());
    let (mut receiver, _) = server.join("n2").await.split();
    send(&mut sender, "n2", vec![1; MAX_ENVELOPE + 1]).await;
    send(&mut sender, "n2", vec![2; MAX_ENVELOPE]).await;
    let longest = receive(&mut receiver).await.envelope;
    assert_eq!((longest.len(), longest[0]), (MAX_ENVELOPE, 2));
    assert_eq!((monitor.status().sent, monitor.status().dropped), (1, 1));
}

#[tokio::test]
async fn envelope_for_a_stranger_is_refused_by_the_sink() {
    let Some(server) = Server::start("stranger") else { return };
    let transport = server.join("n1").await;
    let (monitor, (_, mut sender)) = (transport.monitor(), transport.split());
    send(&mut sender, "n9", *b"x").await;
    send(&mut sender, "n1", *b"x").await;
    assert_eq!((monitor.status().refused, monitor.status().sent), (2, 0));
}

#[tokio::test]
async fn client_without_certificate_or_with_a_foreign_one_is_refused() {
    let Some(server) = Server::start("certificate") else { return };
    assert!(server.client("n1", None).await.is_none());
    let access = server.access("n1");
    let folder = access.key.parent().unwrap();
    let (certificate, key) = foreign_certificate(folder);
    assert!(server.client("n1", Some((&certificate, &key))).await.is_none());
    assert!(server.client("n1", Some((&access.certificate, &access.key))).await.is_some());
}

#[tokio::test]
async fn client_with_an_unknown_nkey_is_refused() {
    let Some(server) = Server::start("nkey") else { return };
    let seed = nkeys::KeyPair::new_user().seed().unwrap().into();
    let access = Access { seed, ..server.access("n1") };
    let peers = [name("n2")];
    let stranger =
        NatsTransport::connect(name("n1"), peers, &access, Bounds::default()).await.unwrap();
    assert!(is_refused(&server, "authentication error").await, "{}", server.log());
    assert!(!stranger.monitor().status().is_connected);
}

#[tokio::test]
async fn node_that_publishes_under_another_name_is_refused() {
    let Some(server) = Server::start("publish") else { return };
    let (mut receiver, _) = server.join("n2").await.split();
    let access = server.access("n1");
    let client = server.client("n1", Some((&access.certificate, &access.key))).await.unwrap();
    for subject in ["q.m.n2.gw", "q.m.n2", "q.m.n2.n1.gw", "q.m.n2.n3:zurich", "other"] {
        client.publish(subject, "forged".into()).await.unwrap();
        let refusal = format!("{}\" - Publish Violation - Subject \"{subject}\"", nkey(&access));
        assert!(is_refused(&server, &refusal).await, "{subject}: {}", server.log());
    }
    client.publish("q.m.n2.n1", "own".into()).await.unwrap();
    let received = receive(&mut receiver).await;
    assert_eq!((received.from, &*received.envelope), (name("n1"), &b"own"[..]));
    assert!(is_quiet(&mut receiver).await);
}

#[tokio::test]
async fn node_that_reads_another_subject_is_refused() {
    let Some(server) = Server::start("read") else { return };
    let access = server.access("n1");
    let client = server.client("n1", Some((&access.certificate, &access.key))).await.unwrap();
    let mut readers = Vec::new();
    for subject in ["q.m.n2.*", "q.m.*.n2", "q.m.>", ">", "$SYS.>", "_INBOX.>"] {
        readers.push(client.subscribe(subject).await.unwrap());
        let refusal =
            format!("{}\" - Subscription Violation - Subject \"{subject}\"", nkey(&access));
        assert!(is_refused(&server, &refusal).await, "{subject}: {}", server.log());
    }
    let (mut receiver, _) = server.join("n2").await.split();
    let (_, mut sender) = server.join("gw").await.split();
    send(&mut sender, "n2", *b"secret").await;
    assert_eq!(receive(&mut receiver).await.envelope, b"secret");
    for mut reader in readers {
        assert!(timeout(Duration::from_millis(100), reader.next()).await.is_err());
    }
}

#[tokio::test]
async fn transports_connect_again_after_the_server_was_killed() {
    let Some(mut server) = Server::start("killed") else { return };
    let (one, two) = (server.join("n1").await, server.join("n2").await);
    let (monitor, (_, mut sender)) = (one.monitor(), one.split());
    let (at, (mut receiver, _two)) = (two.monitor(), two.split());
    server.kill();
    while monitor.status().is_connected || at.status().is_connected {
        sleep(Duration::from_millis(20)).await;
    }
    send(&mut sender, "n2", *b"during the outage").await;
    server.run();
    timeout(LONG, monitor.connected()).await.unwrap();
    timeout(LONG, at.connected()).await.unwrap();
    // Whether the first envelope found its reader is a matter of luck. A sender repeats what is not answered.
    let received = loop {
        send(&mut sender, "n2", *b"again").await;
        if let Ok(received) = timeout(Duration::from_millis(200), receiver.next()).await {
            break received.unwrap();
        }
    };
    assert_eq!(received.from, name("n1"));
}

#[tokio::test]
async fn transport_waits_for_a_server_that_starts_later() {
    let Some(mut server) = Server::start("later") else { return };
    server.kill();
    let peers = MEMBERS.map(name);
    let access = server.access("n1");
    let transport =
        NatsTransport::connect(name("n1"), peers, &access, Bounds::default()).await.unwrap();
    let (monitor, (_, mut sender)) = (transport.monitor(), transport.split());
    send(&mut sender, "n2", *b"waits").await;
    sleep(Duration::from_millis(300)).await;
    assert!(!monitor.status().is_connected);
    server.run();
    timeout(LONG, monitor.connected()).await.unwrap();
    while monitor.status().sent == 0 {
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn dropped_sink_sends_the_rest_first() {
    let Some(server) = Server::start("rest") else { return };
    let (mut receiver, _two) = server.join("n2").await.split();
    let (one, mut sender) = server.join("n1").await.split();
    for number in 0..500_u16 {
        send(&mut sender, "n2", number.to_be_bytes()).await;
    }
    drop((one, sender));
    for number in 0..500_u16 {
        assert_eq!(receive(&mut receiver).await.envelope, number.to_be_bytes());
    }
}

#[tokio::test]
async fn malformed_access_is_refused_by_name() {
    let folder = std::env::temp_dir().join(format!("custody-nats-{}-access", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("file.pem");
    std::fs::write(&file, "").unwrap();
    let access = || Access {
        servers: vec!["tls://127.0.0.1:1".into()],
        authority: file.clone(),
        certificate: file.clone(),
        key: file.clone(),
        seed: nkeys::KeyPair::new_user().seed().unwrap().into(),
    };
    let account = nkeys::KeyPair::new_account().seed().unwrap();
    let missing = folder.join("missing.key");
    for (access, text) in [
        (Access { seed: account.into(), ..access() }, "begins with SU"),
        (Access { seed: String::from("SUx").into(), ..access() }, "begins with SU"),
        (Access { key: missing, ..access() }, "missing.key: "),
        (Access { servers: Vec::new(), ..access() }, "got none"),
        (
            Access { servers: vec!["nats://127.0.0.1:4222".into()], ..access() },
            "nats://127.0.0.1:4222",
        ),
    ] {
        let peers = [name("n2")];
        let refused = NatsTransport::connect(name("n1"), peers, &access, Bounds::default()).await;
        let error = refused.unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
        assert!(!format!("{access:?}").contains(&*access.seed));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn permissions_with_an_nkey_that_is_no_users_are_refused() {
    let server = nkeys::KeyPair::new_server().public_key();
    let user = nkeys::KeyPair::new_user().public_key();
    let injected = format!("{user}\", permissions: {{}}");
    for nkey in ["", "U", &server, &injected] {
        let error = permissions([(&name("n1"), nkey)]).unwrap_err().to_string();
        assert!(error.starts_with("n1: expected"), "{error}");
    }
    let text = permissions([(&name("n1.a"), user.as_str())]).unwrap();
    assert!(text.contains("publish: \"q.m.*.n1:a\", subscribe: \"q.m.n1:a.*\""), "{text}");
}

fn nkey(access: &Access) -> String {
    nkeys::KeyPair::from_seed(&access.seed).unwrap().public_key()
}
