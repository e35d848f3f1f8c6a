//! Requests to sign.

use std::time::Duration;

use custody_core::{
    DerivationPath, KeyId, KeySpec, MerkleRoot, RequestId, RequestState, Scheme, Service as _, Sign,
};
use custody_nats::memory::Faults;
use quorate_purpose::{OpaqueMessage, Purpose};

use crate::common::{World, party, reason, until, verify_ed25519};

/// A key of these members, with a threshold of 2.
pub fn spec(scheme: Scheme, members: &[u16]) -> KeySpec {
    KeySpec {
        scheme,
        threshold: 2,
        members: members.iter().map(|number| party(*number)).collect(),
        purposes: vec![quorate_purpose::Kind::OpaqueMessage],
        scope: String::new(),
        labels: <_>::default(),
    }
}

/// Deals a key to all nodes of a world.
pub fn deal(world: &World, scheme: Scheme) -> KeyId {
    let members: Vec<u16> = world.behaviours.keys().map(|party| party.get()).collect();
    let request = RequestId::new([1; 32]);
    world.materials.make(&spec(scheme, &members), request, world.directory.id())
}

#[tokio::test(flavor = "multi_thread")]
async fn request_is_signed_and_its_repetition_finds_the_same_signature() {
    let world = World::new("signed", 3);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    let request = world.requester.sign_request(key, b"hello", 60);
    let done = world.end_of(&gateway, &request).await;
    verify_ed25519(&done, b"hello");
    assert_eq!((done.key, done.caller.as_str()), (Some(key), "payments"));
    let again = world.submit(&gateway, &request, 0).await.unwrap();
    assert_eq!(again, done);
    assert_eq!(gateway.request(done.request, 0).await.unwrap(), done);
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_sign_for_the_cluster_of_the_directory_also_when_the_list_changes() {
    let world = World::new("callers", 3);
    let gateway = world.gateway();
    assert_eq!(gateway.callers().tag(), "quorate-custody:test");
    assert_eq!(*gateway.callers(), world.callers);
    gateway.set_callers(world.plain_callers());
    assert_eq!(*gateway.callers(), world.callers);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_request_with_the_same_nonce_is_refused() {
    let world = World::new("conflict", 3);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    until(&gateway, "the key is certified", |metrics| metrics.stock.contains_key(&key)).await;
    let target = format!("/v1/keys/{key}/disable");
    let first = world.administrator.request_with("one-nonce-0000000", &target, "", 60);
    let done = world.end_of(&gateway, &first).await;
    assert_eq!(done.state, RequestState::Done);
    let target = format!("/v1/keys/{key}/enable");
    let other = world.administrator.request_with("one-nonce-0000000", &target, "", 60);
    let refused = world.submit(&gateway, &other, 0).await.unwrap_err();
    assert_eq!(refused.reason.name(), "request-conflict");
    assert_eq!(gateway.request(done.request, 0).await.unwrap(), done);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_are_signed_over_a_network_that_loses_repeats_and_reorders() {
    let faults = Faults { lost: 200, repeated: 200, delay: Duration::from_millis(30) };
    let world = World::with_faults("faults", 3, faults);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    let mut signed = Vec::new();
    for number in 0..40_u8 {
        let request = world.requester.sign_request(key, &[number], 120);
        world.submit(&gateway, &request, 0).await.unwrap();
        signed.push((number, world.id(&request)));
    }
    for (number, id) in signed {
        verify_ed25519(&gateway.request(id, 30).await.unwrap(), &[number]);
    }
    let metrics = gateway.metrics().await.unwrap();
    assert!(metrics.repeated > 0 && metrics.signatures["ed25519"] == 40, "{metrics:?}");
    // No nonces were ordered for two messages, or from nodes for two requests.
    let mut spent = std::collections::BTreeMap::new();
    for ((node, request, material), _) in world.materials.given.lock().unwrap().iter() {
        assert_eq!(*spent.entry((*node, material.clone())).or_insert(*request), *request);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ecdsa_is_signed_from_presignatures_that_are_filled_up_also_for_a_child() {
    let world = World::new("ecdsa", 3);
    let key = deal(&world, Scheme::EcdsaSecp256k1);
    let gateway = world.gateway();
    until(&gateway, "the stock is filled", |metrics| metrics.stock.get(&key) == Some(&3)).await;
    let place = "m/0/5".parse::<DerivationPath>().unwrap().into();
    let child = gateway.key(key, Some(place)).await.unwrap().child.unwrap();
    for (path, public_key) in [("m", None), ("m/0/5", Some(child.public_key))] {
        let request = world.requester.sign_hashed_at(key, b"pay", path);
        let done = world.end_of(&gateway, &request).await;
        assert_eq!(done.state, RequestState::Done, "{done:?}");
        let made = done.signature.unwrap();
        let held = world.materials.keys.lock().unwrap()[&key].certificate.public_key.clone();
        assert_eq!(made.public_key, public_key.unwrap_or(held));
        let signature =
            quorate_cggmp::Signature::from_compact(made.signature[..].try_into().unwrap());
        let verifying = quorate_cggmp::VerifyingKey::<quorate_cggmp::Secp256k1>::from_bytes(
            made.public_key[..].try_into().unwrap(),
        );
        verifying.unwrap().verify(b"pay", &signature.unwrap()).unwrap();
        assert!(made.recovery_id.is_some());
    }
    for _ in 0..2 {
        let request = world.requester.sign_hashed_at(key, b"more than there was", "m");
        assert_eq!(world.end_of(&gateway, &request).await.state, RequestState::Done);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn request_for_an_unknown_key_is_refused_once_all_nodes_have_said_so() {
    let world = World::new("unknown", 3);
    let gateway = world.gateway();
    let request = world.requester.sign_request(KeyId::new([5; 32]), b"x", 60);
    let refused = world.end_of(&gateway, &request).await;
    assert_eq!((refused.state, reason(&refused).as_str()), (RequestState::Refused, "unknown-key"));
}

#[tokio::test(flavor = "multi_thread")]
async fn request_that_the_key_cannot_sign_is_refused_before_anything_is_ordered() {
    let world = World::new("wrong", 3);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    until(&gateway, "the key is certified", |metrics| metrics.stock.contains_key(&key)).await;
    let purpose = Purpose::from(OpaqueMessage::raw(b"x").unwrap()).to_bytes();
    let (path, merkle_root) = (<_>::default(), Some(MerkleRoot([7; 32])));
    let scripts = Sign { purpose, path, merkle_root, on_behalf: None, context: vec![] };
    let scripts = serde_json::to_string(&scripts).unwrap();
    for (request, name) in [
        (world.requester.sign_hashed_at(key, b"x", "m"), "wrong-purpose"),
        (
            world.requester.request(&format!("/v1/keys/{key}/sign"), r#"{"purpose":"AAAA"}"#, 60),
            "malformed",
        ),
        (world.requester.request(&format!("/v1/keys/{key}/sign"), &scripts, 60), "unsupported"),
    ] {
        let refused = world.submit(&gateway, &request, 0).await.unwrap_err();
        assert_eq!(refused.reason.name(), name);
    }
    world.node(1, |node| assert!(!node.orders.contains_key("sign")));
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_with_priority_are_served_when_all_attempts_of_others_are_taken() {
    let mut world = World::new("priority", 3);
    world.config.max_attempts = 1;
    let ordinary = deal(&world, Scheme::Ed25519);
    let mut labelled = spec(Scheme::Ed25519, &[1, 2, 3]);
    labelled.labels.insert("priority".into(), "high".into());
    let urgent = world.materials.make(&labelled, RequestId::new([2; 32]), world.directory.id());
    let gateway = world.gateway();
    let both = |metrics: &custody_gateway::Metrics| {
        metrics.stock.values().filter(|n| **n > 0).count() == 2
    };
    until(&gateway, "both keys have nonces", both).await;
    world.each_node(|node| node.approvals = 1);
    let held = world.requester.sign_request(ordinary, b"held", 60);
    world.submit(&gateway, &held, 0).await.unwrap();
    until(&gateway, "it is ordered", |_| {
        let asked = |number| world.behaviours[&party(number)].lock().unwrap().asked.len();
        [1, 2, 3].map(asked).iter().sum::<usize>() >= 2
    })
    .await;
    world.each_node(|node| node.approvals = 0);
    let late = world.requester.sign_request(ordinary, b"late", 60);
    world.submit(&gateway, &late, 0).await.unwrap();
    let done = world.end_of(&gateway, &world.requester.sign_request(urgent, b"urgent", 60)).await;
    verify_ed25519(&done, b"urgent");
    let waits = gateway.request(world.id(&late), 0).await.unwrap();
    assert_eq!(waits.state, RequestState::Pending);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_come_together_share_envelopes_and_each_has_its_own_end() {
    let world = World::new("together", 3);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    until(&gateway, "nonces", |metrics| metrics.stock.get(&key) == Some(&16)).await;
    world.node(2, |node| node.babbles = true);
    let requests: Vec<_> =
        (0..60_u8).map(|number| world.requester.sign_request(key, &[number], 60)).collect();
    let bad = world.requester.sign_hashed_at(key, b"not for Ed25519", "m");
    let ends = requests.iter().map(|request| world.end_of(&gateway, request));
    let ends = futures_util::future::join_all(ends);
    let (ends, refused) = futures_util::future::join(ends, world.submit(&gateway, &bad, 30)).await;
    assert_eq!(refused.unwrap_err().reason.name(), "wrong-purpose");
    for (number, end) in (0..60_u8).zip(&ends) {
        verify_ed25519(end, &[number]);
    }
    for number in [1, 3] {
        let node = world.behaviours[&party(number)].lock().unwrap();
        let orders: usize = node.orders.values().sum();
        assert!(node.largest > 1 && node.largest <= custody_core::MAX_BATCH, "{}", node.largest);
        assert!(node.envelopes < orders, "{} envelopes of {orders} orders", node.envelopes);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn request_that_stands_twice_in_a_turn_is_signed_once() {
    let world = World::new("twice", 2);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    until(&gateway, "nonces", |metrics| metrics.stock.get(&key) == Some(&16)).await;
    let request = world.requester.sign_request(key, b"once", 60);
    let ends = (0..20).map(|_| world.end_of(&gateway, &request));
    let ends = futures_util::future::join_all(ends).await;
    verify_ed25519(&ends[0], b"once");
    assert!(ends.iter().all(|end| *end == ends[0]));
    let metrics = gateway.metrics().await.unwrap();
    assert_eq!((metrics.accepted, metrics.signatures.values().sum::<u64>()), (1, 1));
}
