//! Votes of a validator: every node knows how far the key has come, also one that gave no share.

use std::time::Duration;

use custody_core::{
    Answer, KeyId, Material, Order, Reason, RequestDescription, RequestState, Sign, SignedRequest,
};
use custody_gateway::Gateway;
use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::generic::{Commitments, PublicKeyPackage, SigningPackage};
use quorate_purpose::comet::{BlockId, Place, Vote, VoteStep};
use quorate_purpose::{KeyKind, Purpose, Time};

use crate::cluster::Cluster;
use crate::common::{party, reason, until, verify_ed25519};
use crate::lifecycle::NONE;

fn vote(height: u64, block: u8) -> Purpose {
    vote_at(height, block, 1)
}

fn vote_at(height: u64, block: u8, seconds: i64) -> Purpose {
    let place = Place::new("chain-1", height, 0).unwrap();
    let block = BlockId { hash: [block; 32], parts: 1, parts_hash: [2; 32] };
    let time = Time::from_seconds(seconds);
    Purpose::from(Vote::new(VoteStep::Prevote, place, Some(block), time).unwrap())
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

/// Two gateways, and a key for votes.
struct Two {
    cluster: Cluster,
    gateways: [Gateway; 2],
    key: KeyId,
}

impl Two {
    async fn start(test: &str, nodes: u16, threshold: u16) -> Self {
        let mut cluster = Cluster::start(test, nodes, NONE).await;
        // An attempt that is given up for a slow node, and ends later, is another signature of the same bytes.
        cluster.world.config.times.patience = Duration::from_secs(20);
        let gateways = [cluster.gateway(), cluster.second_gateway()];
        let members: Vec<u16> = (1..=nodes).collect();
        let spec = format!(
            r#"{{"scheme":"ed25519","threshold":{threshold},"members":{members:?},"purposes":["cometbft-vote"]}}"#
        );
        let request = cluster.world.administrator.request("/v1/keys", &spec, 120);
        let key = cluster.world.end_of(&gateways[0], &request).await.key.unwrap();
        for gateway in &gateways {
            until(gateway, "nonces", |metrics| metrics.stock.get(&key).is_some_and(|one| *one > 3))
                .await;
        }
        Self { cluster, gateways, key }
    }

    /// Asks both gateways at once for one vote, with two time stamps.
    async fn ask_both(&self, height: u64) -> [RequestDescription; 2] {
        let request = |seconds| {
            let vote = vote_at(height, 1, seconds);
            self.cluster.world.requester.sign_request_at(self.key, vote, "m", 60)
        };
        let ([first, second], [a, b]) = (&self.gateways, [request(1), request(2)]);
        let world = &self.cluster.world;
        let (a, b) = tokio::join!(world.end_of(first, &a), world.end_of(second, &b));
        [a, b]
    }
}

/// The purpose that a description says was signed.
fn signed(description: &RequestDescription) -> Purpose {
    let body: Sign = serde_json::from_slice(&description.signed.body).unwrap();
    Purpose::from_bytes(&body.purpose).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_gateways_that_are_asked_at_once_have_one_signature_of_a_vote() {
    for (nodes, threshold) in [(3, 2), (5, 3)] {
        let two = Two::start(&format!("two-of-{nodes}"), nodes, threshold).await;
        let mut times = [0; 2];
        for height in 1..=15 {
            let [a, b] = two.ask_both(height).await;
            let (of_a, of_b) = (signed(&a), signed(&b));
            assert_eq!((a.state, b.state), (RequestState::Done, RequestState::Done), "{a:?} {b:?}");
            assert_eq!((of_a.clone(), &a.signature), (of_b, &b.signature), "{height}");
            verify_ed25519(&a, of_a.message(KeyKind::Ed25519).unwrap().raw().unwrap());
            times[usize::from(of_a == vote_at(height, 1, 2))] += 1;
        }
        let made = async |gateway: &Gateway| -> u64 {
            gateway.metrics().await.unwrap().signatures.values().sum()
        };
        // A gateway counts the signatures that it has made, and each was made once.
        let all = made(&two.gateways[0]).await + made(&two.gateways[1]).await;
        assert_eq!((all, times[0] + times[1]), (15, 15), "{times:?}");
        // Later, the second gateway learns of what the first has done, and both refuse what contradicts it.
        let world = &two.cluster.world;
        let ask = |block, seconds| {
            world.requester.sign_request_at(two.key, vote_at(15, block, seconds), "m", 60)
        };
        for gateway in &two.gateways {
            let again = world.end_of(gateway, &ask(1, 9)).await;
            assert_eq!(again.state, RequestState::Done, "{again:?}");
            assert_ne!(signed(&again), vote_at(15, 1, 9));
            let refused = world.end_of(gateway, &ask(2, 9)).await;
            assert_eq!(reason(&refused), "watermark", "{refused:?}");
        }
    }
}

/// With an even number of signers that are all needed, the time stamps can be split: then there is no signature, and never two.
#[tokio::test(flavor = "multi_thread")]
async fn two_gateways_never_have_two_signatures_of_a_vote_whose_times_are_split() {
    let two = Two::start("split", 2, 2).await;
    for height in 1..=10 {
        let [a, b] = two.ask_both(height).await;
        match (&a.signature, &b.signature) {
            (Some(_), Some(_)) => {
                assert_eq!((&a.signature, signed(&a)), (&b.signature, signed(&b)))
            }
            (None, None) => {
                assert_eq!((reason(&a).as_str(), reason(&b).as_str()), ("watermark", "watermark"))
            }
            // The one was refused before the other had its last share.
            (Some(_), None) => assert_eq!(reason(&b), "watermark"),
            (None, Some(_)) => assert_eq!(reason(&a), "watermark"),
        }
    }
}

/// A signing package of nodes, as a gateway makes it.
async fn package(two: &Two, signers: &[u16], message: &[u8]) -> Vec<u8> {
    let Answer::Keys(keys) = two.cluster.order(1, Order::Keys { after: None }).await else {
        panic!("no keys")
    };
    let public = PublicKeyPackage::<Ed25519Sha512>::from_bytes(&keys[0].package).unwrap();
    let mut commitments = vec![];
    for signer in signers {
        two.cluster.order(*signer, Order::Nonces { key: two.key, count: 16 }).await;
        let order = Order::Stock { key: two.key, after: None };
        let Answer::Stock(stock) = two.cluster.order(*signer, order).await else {
            panic!("no stock")
        };
        let made = Commitments::from_bytes(party(*signer), &stock.material[0]).unwrap();
        commitments.push(made.for_child(made.package_id(), &public).unwrap());
    }
    SigningPackage::new(&public, commitments, message).unwrap().to_bytes()
}

#[tokio::test(flavor = "multi_thread")]
async fn signature_that_a_dead_gateway_has_begun_is_finished_by_another() {
    let two = Two::start("dead", 3, 2).await;
    // A gateway has died between two attempts: nodes 1 and 3 have given shares, and not of one package.
    let vote = vote_at(1, 1, 1);
    let message = vote.message(KeyKind::Ed25519).unwrap();
    let request = two.cluster.world.requester.sign_request_at(two.key, vote.clone(), "m", 60);
    for (node, signers) in [(1, [1, 2]), (3, [1, 3])] {
        let package = package(&two, &signers, message.raw().unwrap()).await;
        let material = Material::Nonces { package };
        let order = Order::Sign { request: request.clone(), approvals: vec![], material };
        let answer = two.cluster.order(node, order).await;
        assert!(matches!(answer, Answer::Share { .. }), "{answer:?}");
    }
    let ask = two.cluster.world.requester.sign_request_at(two.key, vote_at(1, 1, 2), "m", 60);
    let done = two.cluster.world.end_of(&two.gateways[1], &ask).await;
    assert_eq!((done.state, signed(&done)), (RequestState::Done, vote), "{done:?}");
    verify_ed25519(&done, message.raw().unwrap());
}
