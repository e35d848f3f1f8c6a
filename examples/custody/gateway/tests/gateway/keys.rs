//! Keys that are made and changed.

use custody_core::{
    KeyCondition, Page, Reason, RequestState, Scheme, Service as _, SignedCertificate,
};
use custody_gateway::Metrics;

use crate::common::{World, party, reason, until, verify_ed25519};
use crate::signing::{deal, spec};

fn create(world: &World, members: &[u16]) -> custody_core::SignedRequest {
    let body = serde_json::to_string(&spec(Scheme::Ed25519, members)).unwrap();
    world.administrator.request("/v1/keys", &body, 60)
}

#[tokio::test(flavor = "multi_thread")]
async fn key_is_made_certified_by_all_members_and_signs() {
    let world = World::new("made", 3);
    let gateway = world.gateway();
    let made = world.end_of(&gateway, &create(&world, &[1, 2, 3])).await;
    assert_eq!(made.state, RequestState::Done, "{made:?}");
    let key = made.key.unwrap();
    let described = gateway.key(key, None).await.unwrap();
    let certificate = SignedCertificate::from_bytes(&described.certificate.unwrap()).unwrap();
    assert_eq!(certificate.verify(world.directory.directory()).unwrap().key, key);
    assert_eq!(certificate.signatures.len(), 3);
    let request = world.requester.sign_request(key, b"first", 60);
    verify_ed25519(&world.end_of(&gateway, &request).await, b"first");
    let list = gateway.keys(Page { after: None, limit: 10 }).await.unwrap();
    assert_eq!((list.keys.len(), list.more), (1, false));
}

#[tokio::test(flavor = "multi_thread")]
async fn gateway_with_a_later_directory_asks_for_certificates_and_changes_wait() {
    let mut world = World::new("later-directory", 3);
    let gateway = world.gateway();
    let key = world.end_of(&gateway, &create(&world, &[1, 2, 3])).await.key.unwrap();
    drop(gateway);
    let later = world.directory.directory().next_version().finish().unwrap();
    let id = later.id();
    let later = world.directory.update_by_hand(later, id).unwrap();
    world.directory = later.record(|_| Ok::<_, String>(())).unwrap();
    world.each_node(|node| node.is_silent = true);
    let gateway = world.gateway();
    let refresh = world.administrator.request(&format!("/v1/keys/{key}/refresh"), "", 60);
    let refused = world.submit(&gateway, &refresh, 0).await.unwrap_err();
    assert_eq!((refused.reason, refused.is_retryable()), (Reason::KeyUnconfirmed, true));
    world.materials.keys.lock().unwrap().get_mut(&key).unwrap().certificate.directory = id;
    world.each_node(|node| node.is_silent = false);
    until(&gateway, "the key", |metrics| metrics.epochs.contains_key(&key)).await;
    let request = world.requester.sign_request(key, b"after", 60);
    verify_ed25519(&world.end_of(&gateway, &request).await, b"after");
}

#[tokio::test(flavor = "multi_thread")]
async fn key_that_waits_for_an_approval_is_made_after_it() {
    let world = World::new("made-approved", 3);
    let gateway = world.gateway();
    world.each_node(|node| node.approvals = 1);
    let waits = world.submit(&gateway, &create(&world, &[1, 2, 3]), 1).await.unwrap();
    assert_eq!(waits.state, RequestState::ApprovalsMissing);
    let body = format!(r#"{{"digest":"{}"}}"#, waits.digest);
    let target = format!("/v1/requests/{}/approve", waits.request);
    world.end_of(&gateway, &world.approver.request(&target, &body, 60)).await;
    assert_eq!(gateway.request(waits.request, 20).await.unwrap().state, RequestState::Done);
}

#[tokio::test(flavor = "multi_thread")]
async fn key_of_a_member_that_is_no_node_is_refused() {
    let world = World::new("stranger", 2);
    let gateway = world.gateway();
    let refused = world.submit(&gateway, &create(&world, &[1, 2, 3]), 0).await.unwrap_err();
    assert_eq!(refused.reason, Reason::Limit);
}

#[tokio::test(flavor = "multi_thread")]
async fn key_generation_continues_after_a_crash() {
    let world = World::new("made-crash", 3);
    let gateway = world.gateway();
    world.node(3, |node| node.is_silent = true);
    let request = create(&world, &[1, 2, 3]);
    world.submit(&gateway, &request, 1).await.unwrap();
    drop(gateway);
    world.node(3, |node| node.is_silent = false);
    let gateway = world.gateway();
    let made = gateway.request(world.id(&request), 20).await.unwrap();
    assert_eq!(made.state, RequestState::Done, "{made:?}");
    assert_eq!(world.materials.keys.lock().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn disabled_key_is_shown_and_nothing_is_made_ahead_for_it() {
    let world = World::new("disabled", 3);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    until(&gateway, "it is known", |metrics| metrics.stock.contains_key(&key)).await;
    let target = format!("/v1/keys/{key}/disable");
    let done = world.end_of(&gateway, &world.administrator.request(&target, "", 60)).await;
    assert_eq!(done.state, RequestState::Done);
    for _ in 0..100 {
        if gateway.key(key, None).await.unwrap().state == KeyCondition::Disabled {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("{:?}", gateway.key(key, None).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn shares_are_refreshed_and_presignatures_of_before_are_not_used() {
    let world = World::new("refreshed", 3);
    let key = deal(&world, Scheme::EcdsaSecp256k1);
    let gateway = world.gateway();
    until(&gateway, "a stock", |metrics| metrics.stock.get(&key) == Some(&3)).await;
    let target = format!("/v1/keys/{key}/refresh");
    let done = world.end_of(&gateway, &world.administrator.request(&target, "", 60)).await;
    assert_eq!(done.state, RequestState::Done, "{done:?}");
    assert_eq!(gateway.key(key, None).await.unwrap().epoch, 1);
    let request = world.requester.sign_hashed_at(key, b"after", "m");
    assert_eq!(world.end_of(&gateway, &request).await.state, RequestState::Done);
}

/// A node keeps a bounded number of presignatures, and runs of presigning keep nodes from the change itself.
#[tokio::test(flavor = "multi_thread")]
async fn little_is_made_ahead_while_the_certificate_of_new_shares_does_not_come() {
    let world = World::new("uncertified", 3);
    let key = deal(&world, Scheme::EcdsaSecp256k1);
    let gateway = world.gateway();
    until(&gateway, "a stock", |metrics| metrics.stock.get(&key) == Some(&3)).await;
    world.node(3, |node| node.withholds = true);
    let target = format!("/v1/keys/{key}/refresh");
    let request = world.administrator.request(&target, "", 60);
    world.submit(&gateway, &request, 0).await.unwrap();
    tokio::time::sleep(core::time::Duration::from_secs(4)).await;
    let mut presigned = 0;
    world.node(1, |node| presigned = node.orders["presign"]);
    assert!(presigned < 20, "{presigned} orders to presign within four seconds");
    world.node(3, |node| node.withholds = false);
    assert_eq!(world.end_of(&gateway, &request).await.state, RequestState::Done);
    let is_filled = |metrics: &Metrics| metrics.stock.get(&key).is_some_and(|count| *count >= 3);
    until(&gateway, "a stock of the new epoch", is_filled).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_node_that_claims_new_shares_does_not_stop_the_stock() {
    let world = World::new("leading", 3);
    let key = deal(&world, Scheme::EcdsaSecp256k1);
    world.node(1, |node| node.leads = true);
    let gateway = world.gateway();
    // More than a full stock of three.
    for number in 0..8 {
        let request = world.requester.sign_hashed_at(key, &[number], "m");
        let done = world.end_of(&gateway, &request).await;
        assert_eq!(done.state, RequestState::Done, "{number}: {done:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stock_is_replenished_as_an_administrator_asks() {
    let world = World::new("replenished", 3);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    until(&gateway, "a stock", |metrics| metrics.stock.get(&key) == Some(&16)).await;
    let target = format!("/v1/keys/{key}/replenish");
    let request = world.administrator.request(&target, r#"{"count":40}"#, 60);
    let done = world.end_of(&gateway, &request).await;
    assert_eq!((done.state, reason(&done).as_str()), (RequestState::Done, ""));
    assert!(gateway.metrics().await.unwrap().stock[&key] >= 40);
}

#[tokio::test(flavor = "multi_thread")]
async fn log_of_a_node_is_exported_for_the_caller_that_signed_for_it() {
    let world = World::new("audit", 3);
    let gateway = world.gateway();
    let request = world.administrator.request("/v1/keys/x/disable", "", 60);
    // The fake node verifies the signature of any request.
    let key = deal(&world, Scheme::Ed25519);
    let target = format!("/v1/keys/{key}/disable");
    let request = if request.body.is_empty() {
        world.administrator.request(&target, "", 60)
    } else {
        request
    };
    let lines = gateway.audit(party(2), request).await.unwrap();
    assert_eq!(lines, [r#"{"node":2}"#]);
}
