//! Votes of a validator: every node knows how far the key has come, also one that gave no share.

use std::time::Duration;

use custody_core::{Answer, Order, Reason, RequestState, SignedRequest};
use quorate_purpose::comet::{BlockId, Place, Vote, VoteStep};
use quorate_purpose::{Purpose, Time};

use crate::cluster::Cluster;
use crate::common::reason;
use crate::lifecycle::NONE;

fn vote(height: u64, block: u8) -> Purpose {
    let place = Place::new("chain-1", height, 0).unwrap();
    let block = BlockId { hash: [block; 32], parts: 1, parts_hash: [2; 32] };
    Purpose::from(Vote::new(VoteStep::Prevote, place, Some(block), Time::from_seconds(1)).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn node_that_gave_no_share_of_a_vote_refuses_its_contradiction() {
    let mut cluster = Cluster::start("votes", 3, NONE).await;
    let gateway = cluster.gateway();
    let spec =
        r#"{"scheme":"ed25519","threshold":2,"members":[1,2,3],"purposes":["cometbft-vote"]}"#;
    let request = cluster.world.administrator.request("/v1/keys", spec, 120);
    let key = cluster.world.end_of(&gateway, &request).await.key.unwrap();
    let request = |cluster: &Cluster, height, block| -> SignedRequest {
        cluster.world.requester.sign_request_at(key, vote(height, block), "m", 60)
    };
    let done = cluster.world.end_of(&gateway, &request(&cluster, 5, 1)).await;
    assert_eq!(done.state, RequestState::Done, "{done:?}");
    // Each node knows it soon, whoever has signed: it refuses what is earlier.
    for number in 1..=3 {
        let earlier = request(&cluster, 4, 1);
        for tries in 0.. {
            let order = Order::Mark { request: earlier.clone(), approvals: vec![] };
            match cluster.order(number, order).await {
                Answer::Refused(why) if why.reason == Reason::Watermark => break,
                answer => assert!(tries < 100, "node {number}: {answer:?}"),
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    cluster.down(1).await;
    let refused = cluster.world.end_of(&gateway, &request(&cluster, 5, 3)).await;
    assert_eq!((refused.state, reason(&refused).as_str()), (RequestState::Refused, "watermark"));
    let next = cluster.world.end_of(&gateway, &request(&cluster, 6, 3)).await;
    assert_eq!(next.state, RequestState::Done, "{next:?}");
}
