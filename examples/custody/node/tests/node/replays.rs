//! Gateways that bring requests again after others have ended what they did.

use custody_core::{Answer, KeyId, KeyState, Order, Reason, SignedRequest};

use crate::common::{Cluster, administrator, now};
use crate::moves::{key_of_three, reshare};
use crate::refresh::{agree, change};

fn request(key: KeyId, operation: &str, body: &str) -> SignedRequest {
    administrator().request(&format!("/v1/keys/{key}/{operation}"), body)
}

/// The state of the key at node 1 after these requests.
async fn state_after(cluster: &Cluster, key: KeyId, requests: &[&SignedRequest]) -> KeyState {
    for request in requests {
        assert_eq!(cluster.order(1, change((*request).clone())).await, Answer::Done);
    }
    cluster.info(1, key).await.state
}

#[tokio::test(flavor = "multi_thread")]
async fn state_of_a_key_is_set_once_by_a_request() {
    let mut cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let at = now() + 1000;
    let schedule = request(key, "schedule-deletion", &format!(r#"{{"at":{at}}}"#));
    let cancel = request(key, "cancel-deletion", "");
    let (enable, disable) = (request(key, "enable", ""), request(key, "disable", ""));
    let scheduled = KeyState::DeletionScheduled { at };
    assert_eq!(state_after(&cluster, key, &[&schedule]).await, scheduled);
    assert_eq!(state_after(&cluster, key, &[&cancel, &enable]).await, KeyState::Enabled);
    cluster.down(1).await;
    cluster.up(1).await.unwrap();
    assert_eq!(state_after(&cluster, key, &[&schedule]).await, KeyState::Enabled);
    assert_eq!(state_after(&cluster, key, &[&disable, &enable]).await, KeyState::Disabled);
    let again = request(key, "enable", "");
    assert_eq!(state_after(&cluster, key, &[&again, &disable, &cancel]).await, KeyState::Enabled);
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_change_of_a_state_is_refused_for_good() {
    let cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let schedule = request(key, "schedule-deletion", &format!(r#"{{"at":{}}}"#, now() + 1000));
    let (enable, cancel) = (request(key, "enable", ""), request(key, "cancel-deletion", ""));
    state_after(&cluster, key, &[&schedule]).await;
    for before in [None, Some(&cancel)] {
        if let Some(request) = before {
            assert_eq!(state_after(&cluster, key, &[request]).await, KeyState::Disabled);
        }
        let refused = cluster.order(1, change(enable.clone())).await;
        assert!(
            matches!(&refused, Answer::Refused(why) if why.reason == Reason::KeyDisabled),
            "{refused:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn disabling_does_not_cancel_a_deletion() {
    let cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let at = now() + 1000;
    let schedule = request(key, "schedule-deletion", &format!(r#"{{"at":{at}}}"#));
    let disable = request(key, "disable", "");
    let state = state_after(&cluster, key, &[&schedule, &disable]).await;
    assert_eq!(state, KeyState::DeletionScheduled { at });
}

#[tokio::test(flavor = "multi_thread")]
async fn change_that_is_over_does_not_hinder_another_one() {
    let cluster = Cluster::start(5).await;
    let key = key_of_three(&cluster, "opaque-message").await;
    let first = reshare(&cluster, key, 2, &[1, 2]).await;
    assert_eq!(cluster.until(&[1, 2], &first).await, [Answer::Done, Answer::Done]);
    assert_eq!(agree(&cluster, key, &[1, 2, 3]).await, 1);
    // A committee of the epoch that is over, in the present one.
    assert_eq!(cluster.order(1, first).await, Answer::Done);
    let body = r#"{"threshold":2,"members":[1,4,5]}"#;
    let next = change(request(key, "reshare", body));
    assert_eq!(cluster.order(1, next).await, Answer::Pending);
}

#[tokio::test(flavor = "multi_thread")]
async fn disabled_key_does_not_move_to_nodes_that_do_not_know_it() {
    let cluster = Cluster::start(4).await;
    let key = key_of_three(&cluster, "opaque-message").await;
    let order = reshare(&cluster, key, 2, &[2, 3, 4]).await;
    cluster.order(1, change(request(key, "disable", ""))).await;
    let refused = cluster.order(1, order).await;
    assert!(matches!(refused, Answer::Refused(why) if why.reason == Reason::KeyDisabled));
    // New shares for the members that know it are allowed.
    assert_eq!(cluster.order(1, change(request(key, "refresh", ""))).await, Answer::Pending);
}

#[tokio::test(flavor = "multi_thread")]
async fn request_of_another_kind_under_a_decided_id_is_refused() {
    let cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let signed = |operation: &str| {
        let target = format!("/v1/keys/{key}/{operation}");
        administrator().request_with(&target, "", "the-same-nonce-0", now() + 60)
    };
    assert_eq!(state_after(&cluster, key, &[&signed("disable")]).await, KeyState::Disabled);
    let refused = cluster.order(1, change(signed("enable"))).await;
    assert!(matches!(refused, Answer::Refused(why) if why.reason == Reason::RequestConflict));
    let refused = cluster.order(1, Order::Cancel { request: signed("disable") }).await;
    assert!(matches!(refused, Answer::Refused(why) if why.reason == Reason::Malformed));
}
