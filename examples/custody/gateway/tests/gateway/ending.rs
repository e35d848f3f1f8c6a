//! Requests that wait, expire, are cancelled and are forgotten.

use std::time::Duration;

use custody_core::{Answer, Page, Reason, RequestState, Scheme, Service as _};

use crate::common::{World, reason, until, verify_ed25519};
use crate::signing::deal;

#[tokio::test(flavor = "multi_thread")]
async fn request_waits_for_approvals_and_is_signed_with_them() {
    let world = World::new("approvals", 3);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    world.each_node(|node| node.approvals = 1);
    let request = world.requester.sign_request(key, b"large", 60);
    let waits = world.submit(&gateway, &request, 2).await.unwrap();
    let state = (waits.state, reason(&waits));
    assert_eq!(state, (RequestState::ApprovalsMissing, "approvals-missing".to_owned()));
    let approve = |digest: &str| {
        let body = format!(r#"{{"digest":"{digest}"}}"#);
        world.approver.request(&format!("/v1/requests/{}/approve", waits.request), &body, 60)
    };
    let other = world.submit(&gateway, &approve(&"ab".repeat(32)), 0).await.unwrap_err();
    assert_eq!(other.reason, Reason::RequestConflict);
    let approved = world.end_of(&gateway, &approve(&waits.digest.to_string())).await;
    assert_eq!(approved.state, RequestState::Done);
    let done = gateway.request(waits.request, 20).await.unwrap();
    verify_ed25519(&done, b"large");
    assert_eq!(done.approvals, ["risk"]);
    let late = world.submit(&gateway, &approve(&waits.digest.to_string()), 0).await.unwrap_err();
    assert_eq!(late.reason, Reason::RequestConflict);
}

#[tokio::test(flavor = "multi_thread")]
async fn approvals_outlive_the_process() {
    let world = World::new("approvals-stored", 3);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    world.each_node(|node| node.approvals = 2);
    let request = world.requester.sign_request(key, b"large", 60);
    let waits = world.submit(&gateway, &request, 1).await.unwrap();
    let body = format!(r#"{{"digest":"{}"}}"#, waits.digest);
    let target = format!("/v1/requests/{}/approve", waits.request);
    world.end_of(&gateway, &world.approver.request(&target, &body, 60)).await;
    drop(gateway);
    let gateway = world.gateway();
    let second = world.second_approver.request(&target, &body, 60);
    assert_eq!(world.end_of(&gateway, &second).await.state, RequestState::Done);
    let done = gateway.request(waits.request, 20).await.unwrap();
    verify_ed25519(&done, b"large");
    assert_eq!(done.approvals.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_approver_takes_one_place_however_often_it_approves() {
    let world = World::new("approvals-often", 3);
    let key = deal(&world, Scheme::Ed25519);
    let mut gateway = world.gateway();
    world.each_node(|node| node.approvals = 2);
    let request = world.requester.sign_request(key, b"large", 60);
    let waits = world.submit(&gateway, &request, 1).await.unwrap();
    let body = format!(r#"{{"digest":"{}"}}"#, waits.digest);
    let target = format!("/v1/requests/{}/approve", waits.request);
    for round in 0..20 {
        let again = world.approver.request(&target, &body, 60);
        assert_eq!(world.end_of(&gateway, &again).await.state, RequestState::Done, "{round}");
        let described = gateway.request(waits.request, 0).await.unwrap();
        assert_eq!(described.approvals, ["risk"]);
        if round == 10 {
            drop(gateway);
            gateway = world.gateway();
        }
    }
    let second = world.second_approver.request(&target, &body, 60);
    assert_eq!(world.end_of(&gateway, &second).await.state, RequestState::Done);
    let done = gateway.request(waits.request, 20).await.unwrap();
    verify_ed25519(&done, b"large");
    assert_eq!(done.approvals.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn request_without_a_result_expires_at_its_deadline() {
    let world = World::new("expired", 3);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    world.each_node(|node| node.keeps_shares = true);
    let request = world.requester.sign_request(key, b"never", 2);
    let expired = world.end_of(&gateway, &request).await;
    assert_eq!((expired.state, reason(&expired).as_str()), (RequestState::Expired, "expired"));
    let detail = expired.problem.unwrap().detail;
    assert!(detail.starts_with("no result in time: no answer from n"), "{detail}");
    world.each_node(|node| node.keeps_shares = false);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(gateway.request(expired.request, 0).await.unwrap().state, RequestState::Expired);
}

#[tokio::test(flavor = "multi_thread")]
async fn request_that_expires_for_want_of_approvals_says_so_and_names_the_nodes() {
    let world = World::new("unapproved", 3);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    world.each_node(|node| node.approvals = 2);
    let request = world.requester.sign_request(key, b"large", 2);
    let expired = world.end_of(&gateway, &request).await;
    assert_eq!(expired.state, RequestState::Expired);
    let detail = expired.problem.unwrap().detail;
    assert!(detail.starts_with("no result in time: approvals-missing: n"), "{detail}");
}

#[tokio::test(flavor = "multi_thread")]
async fn request_is_cancelled_while_no_share_has_come() {
    let world = World::new("cancelled", 3);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    world.each_node(|node| node.keeps_shares = true);
    let request = world.requester.sign_request(key, b"regretted", 60);
    let pending = world.submit(&gateway, &request, 1).await.unwrap();
    let target = format!("/v1/requests/{}/cancel", pending.request);
    let stranger = world.submit(&gateway, &world.approver.request(&target, "", 60), 0).await;
    assert_eq!(stranger.unwrap_err().reason, Reason::RoleMissing);
    let cancel = world.end_of(&gateway, &world.requester.request(&target, "", 60)).await;
    assert_eq!(cancel.state, RequestState::Done);
    let ended = gateway.request(pending.request, 0).await.unwrap();
    assert_eq!(ended.state, RequestState::Cancelled);
    let confirmed = world.behaviours.values();
    let confirmed = confirmed.filter(|node| !node.lock().unwrap().cancelled.is_empty()).count();
    assert!(confirmed >= 2, "{confirmed} nodes know of it");
}

#[tokio::test(flavor = "multi_thread")]
async fn request_of_which_shares_are_out_is_not_cancelled() {
    let world = World::new("not-cancelled", 2);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    world.node(2, |node| node.keeps_shares = true);
    let request = world.requester.sign_request(key, b"half", 60);
    let pending = world.submit(&gateway, &request, 2).await.unwrap();
    assert_eq!(pending.state, RequestState::Pending);
    let target = format!("/v1/requests/{}/cancel", pending.request);
    let refused = world.submit(&gateway, &world.requester.request(&target, "", 60), 0).await;
    assert_eq!(refused.unwrap_err().reason, Reason::RequestConflict);
    world.node(2, |node| node.keeps_shares = false);
    verify_ed25519(&gateway.request(pending.request, 20).await.unwrap(), b"half");
    let ended = world.submit(&gateway, &world.requester.request(&target, "", 60), 0).await;
    assert_eq!(ended.unwrap_err().reason, Reason::RequestConflict);
}

#[tokio::test(flavor = "multi_thread")]
async fn request_that_signers_have_begun_to_sign_together_is_not_cancelled() {
    let world = World::new("begun", 3);
    let key = deal(&world, Scheme::MlDsa65);
    // Attempts of all signers are not in the first version.
    world.each_node(|node| (node.announces, node.junk) = (true, Some(Answer::Pending)));
    let gateway = world.gateway();
    let request = world.requester.sign_request(key, b"half", 60);
    let id = world.submit(&gateway, &request, 0).await.unwrap().request;
    let is_asked =
        || world.behaviours.values().any(|it| it.lock().unwrap().asked.contains_key(&id));
    until(&gateway, "it is ordered", |_| is_asked()).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let target = format!("/v1/requests/{id}/cancel");
    let refused = world.submit(&gateway, &world.requester.request(&target, "", 60), 0).await;
    assert_eq!(refused.unwrap_err().reason, Reason::RequestConflict);
    world.each_node(|node| node.junk = None);
    assert_eq!(gateway.request(id, 30).await.unwrap().state, RequestState::Done);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_ended_are_forgotten_after_the_retention() {
    let mut world = World::new("retention", 3);
    world.config.retention = Duration::from_secs(1);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    let request = world.requester.sign_request(key, b"soon forgotten", 60);
    let done = world.end_of(&gateway, &request).await;
    for _ in 0..100 {
        match gateway.request(done.request, 0).await {
            Err(refusal) => return assert_eq!(refusal.reason, Reason::UnknownRequest),
            Ok(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
    panic!("the request is still there");
}

#[tokio::test(flavor = "multi_thread")]
async fn more_open_requests_than_the_limit_are_refused_as_busy() {
    let mut world = World::new("full", 3);
    world.config.max_open = 2;
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    until(&gateway, "a stock", |metrics| metrics.stock.get(&key) == Some(&16)).await;
    world.each_node(|node| node.keeps_shares = true);
    let requests = [b"one", b"two"].map(|message| world.requester.sign_request(key, message, 60));
    for request in &requests {
        world.submit(&gateway, request, 0).await.unwrap();
    }
    let third = world.requester.sign_request(key, b"three", 60);
    assert_eq!(world.submit(&gateway, &third, 0).await.unwrap_err().reason, Reason::Busy);
    let list = gateway.requests(Page { after: None, limit: 1 }).await.unwrap();
    assert!(list.more && list.requests.len() == 1);
    let after = Some(list.requests[0].request);
    let rest = gateway.requests(Page { after, limit: 10 }).await.unwrap();
    assert!(!rest.more && rest.requests.len() == 1);
    // The first two are found again, and are not counted twice.
    assert_eq!(world.submit(&gateway, &requests[0], 0).await.unwrap().state, RequestState::Pending);
    world.each_node(|node| node.keeps_shares = false);
    verify_ed25519(&world.end_of(&gateway, &requests[1]).await, b"two");
}
