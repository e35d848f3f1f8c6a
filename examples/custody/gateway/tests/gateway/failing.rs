//! Nodes that fail, stall, lie and refuse; a gateway that crashes.

use core::time::Duration;

use custody_core::{Answer, Reason, RequestState, Scheme, Service as _};
use custody_gateway::{Database, Metrics};
use custody_nats::memory::Faults;

use crate::common::{World, party, reason, until, verify_ed25519};
use crate::signing::deal;

#[tokio::test(flavor = "multi_thread")]
async fn silent_node_is_replaced_by_another_one() {
    let world = World::new("silent", 3);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    until(&gateway, "nonces of all", |metrics| metrics.stock.get(&key) == Some(&16)).await;
    world.node(1, |node| node.keeps_shares = true);
    for number in 0..4_u8 {
        let request = world.requester.sign_request(key, &[number], 60);
        verify_ed25519(&world.end_of(&gateway, &request).await, &[number]);
    }
    let metrics = gateway.metrics().await.unwrap();
    assert!(metrics.nodes.values().all(|node| node.cheated.is_none()));
}

#[tokio::test(flavor = "multi_thread")]
async fn ecdsa_goes_to_another_set_when_a_signer_is_cut_off() {
    let world = World::new("another-set", 3);
    let key = deal(&world, Scheme::EcdsaSecp256k1);
    let gateway = world.gateway();
    until(&gateway, "a stock", |metrics| metrics.stock.get(&key) == Some(&3)).await;
    world.network.cut_off(&"n1".parse().unwrap(), true);
    let request = world.requester.sign_hashed_at(key, b"pay", "m");
    assert_eq!(world.end_of(&gateway, &request).await.state, RequestState::Done);
    // A signer is replaced before it is taken to be down.
    let seen =
        |metrics: &Metrics| !metrics.nodes[&party(1)].is_up && metrics.nodes[&party(2)].is_up;
    until(&gateway, "node 1 is down", seen).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn run_of_a_node_that_was_down_does_not_hold_up_the_next_one() {
    let world = World::new("back", 2);
    let key = deal(&world, Scheme::EcdsaSecp256k1);
    world.node(2, |node| node.stalls = true);
    let gateway = world.gateway();
    let stalled = || world.behaviours[&party(2)].lock().unwrap().stalled.len();
    until(&gateway, "a run", |_| stalled() == 1).await;
    world.node(2, |node| node.is_silent = true);
    until(&gateway, "node 2 is down", |metrics| !metrics.nodes[&party(2)].is_up).await;
    world.node(2, |node| (node.is_silent, node.stalls) = (false, false));
    // The run itself is given up only after a minute.
    let begun = std::time::Instant::now();
    until(&gateway, "a stock", |metrics| metrics.stock.get(&key) == Some(&3)).await;
    assert!(begun.elapsed() < world.config.times.presigning, "{:?}", begun.elapsed());
    assert_eq!(stalled(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn presignatures_are_made_without_a_node_that_spoils_every_run() {
    for spoiler in 1..=3 {
        let world = World::new("spoiler", 3);
        let key = deal(&world, Scheme::EcdsaSecp256k1);
        world.each_node(|node| node.spoiler = Some(party(spoiler)));
        let gateway = world.gateway();
        for number in 0..4_u8 {
            let request = world.requester.sign_hashed_at(key, &[number], "m");
            assert_eq!(world.end_of(&gateway, &request).await.state, RequestState::Done);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn node_whose_share_fails_verification_is_named_and_left_out_for_good() {
    let world = World::new("liar", 3);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    until(&gateway, "nonces of all", |metrics| metrics.stock.get(&key) == Some(&16)).await;
    world.node(2, |node| node.lies = true);
    for number in 0..6_u8 {
        let request = world.requester.sign_request(key, &[number], 60);
        verify_ed25519(&world.end_of(&gateway, &request).await, &[number]);
    }
    let metrics = gateway.metrics().await.unwrap();
    let named = |number| metrics.nodes[&party(number)].cheated.is_some();
    assert_eq!([1, 2, 3].map(named), [false, true, false]);
    // The finding outlives the process.
    drop(gateway);
    let gateway = world.gateway();
    let metrics = until(&gateway, "it is loaded", |metrics| metrics.nodes[&party(1)].is_up).await;
    assert!(metrics.nodes[&party(2)].cheated.is_some() && !metrics.nodes[&party(2)].is_up);
}

#[tokio::test(flavor = "multi_thread")]
async fn node_whose_share_is_for_something_else_is_not_named() {
    let world = World::new("confused", 3);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    until(&gateway, "nonces of all", |metrics| metrics.stock.get(&key) == Some(&16)).await;
    world.node(1, |node| node.confuses = true);
    let mut failed = 0;
    for number in 0..6_u8 {
        let request = world.requester.sign_request(key, &[number], 60);
        verify_ed25519(&world.end_of(&gateway, &request).await, &[number]);
        failed = gateway.metrics().await.unwrap().failed_attempts;
    }
    let metrics = gateway.metrics().await.unwrap();
    assert!(failed > 0 && metrics.nodes.values().all(|node| node.cheated.is_none()), "{metrics:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn node_that_answers_what_was_not_asked_costs_one_attempt() {
    for (scheme, junk) in [
        (Scheme::Ed25519, Answer::Done),
        (Scheme::Ed25519, Answer::Keys(vec![])),
        (Scheme::Ed25519, Answer::Pending),
        (Scheme::EcdsaSecp256k1, Answer::Done),
        (Scheme::MlDsa65, Answer::Keys(vec![])),
    ] {
        let mut world = World::new("junk", 3);
        // A slow machine must not make honest nodes look silent: each of those costs an attempt too.
        world.config.times.patience = Duration::from_secs(2);
        let key = deal(&world, scheme);
        world.each_node(|node| node.announces = true);
        let gateway = world.gateway();
        let full = match scheme {
            Scheme::Ed25519 => Some(16),
            Scheme::EcdsaSecp256k1 => Some(3),
            _ => None,
        };
        let is_ready = |metrics: &Metrics| {
            metrics.epochs.contains_key(&key) && metrics.stock.get(&key).copied() == full
        };
        until(&gateway, "it is ready", is_ready).await;
        world.node(1, |node| node.junk = Some(junk.clone()));
        let request = match scheme {
            Scheme::EcdsaSecp256k1 => world.requester.sign_hashed_at(key, b"m", "m"),
            _ => world.requester.sign_request(key, b"m", 60),
        };
        let done = world.end_of(&gateway, &request).await;
        assert_eq!(done.state, RequestState::Done, "{scheme} {junk:?}: {done:?}");
        let asked = |number| {
            let node = world.behaviours[&party(number)].lock().unwrap();
            node.asked.get(&done.request).map_or(0, Vec::len)
        };
        // Presignatures of the other set are made when those of this one are spent.
        let most = if scheme == Scheme::EcdsaSecp256k1 { 4 } else { 2 };
        assert!([1, 2, 3].map(asked).iter().all(|asked| *asked <= most), "{scheme} {junk:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn signer_that_gives_up_at_once_is_left_out_and_not_the_one_that_waits() {
    let mut world = World::new("gives-up", 3);
    // A slow machine must not make honest nodes look silent.
    world.config.times.patience = Duration::from_secs(2);
    let key = deal(&world, Scheme::MlDsa65);
    // Attempts of all signers are not in the first version.
    world.each_node(|node| node.announces = true);
    let gateway = world.gateway();
    world.node(1, |node| node.junk = Some(Answer::Done));
    world.materials.spoilers.lock().unwrap().insert(party(1));
    for number in 0..3_u8 {
        let request = world.requester.sign_request(key, &[number], 60);
        let done = world.end_of(&gateway, &request).await;
        assert_eq!(done.state, RequestState::Done, "{done:?}");
    }
    let asked = |number| world.behaviours[&party(number)].lock().unwrap().asked.len();
    // The first request has been at node 1, perhaps, and has ended with the two others.
    let [first, second, third] = [1, 2, 3].map(asked);
    assert!(first <= 1 && second == 3 && third == 3, "{first} {second} {third}");
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_signer_does_not_hold_up_those_whose_attempt_took_too_long() {
    let world = World::new("took-too-long", 3);
    let key = deal(&world, Scheme::MlDsa65);
    world.each_node(|node| node.announces = true);
    let gateway = world.gateway();
    // The first attempt never ends: node 1 answers nothing. The second one, of the two others, is given up after a while.
    world.node(1, |node| node.keeps_shares = true);
    world.materials.spoilers.lock().unwrap().extend([party(1), party(2)]);
    let request = world.requester.sign_request(key, b"m", 60);
    world.submit(&gateway, &request, 0).await.unwrap();
    until(&gateway, "given up", |metrics| metrics.failed_attempts > 0).await;
    world.materials.spoilers.lock().unwrap().remove(&party(2));
    let done = world.end_of(&gateway, &request).await;
    assert_eq!(done.state, RequestState::Done, "{done:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn node_that_answers_junk_at_once_does_not_use_the_attempts_up_while_another_is_away() {
    let world = World::new("used-up", 3);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    until(&gateway, "nonces of all", |metrics| metrics.stock.get(&key) == Some(&16)).await;
    world.node(1, |node| node.is_silent = true);
    world.node(3, |node| node.junk = Some(Answer::Done));
    let request = world.requester.sign_request(key, b"m", 60);
    let pending = world.submit(&gateway, &request, 3).await.unwrap();
    assert_eq!(pending.state, RequestState::Pending, "{pending:?}");
    let node = world.behaviours[&party(2)].lock().unwrap().asked[&pending.request].len();
    assert!((2..=6).contains(&node), "{node}");
    world.node(1, |node| node.is_silent = false);
    verify_ed25519(&world.end_of(&gateway, &request).await, b"m");
}

#[tokio::test(flavor = "multi_thread")]
async fn signer_that_has_said_nothing_is_not_on_record() {
    let world = World::new("said-nothing", 3);
    let key = deal(&world, Scheme::MlDsa65);
    world.each_node(|node| node.announces = true);
    let gateway = world.gateway();
    world.node(1, |node| node.keeps_shares = true);
    let request = world.requester.sign_request(key, b"m", 60);
    assert_eq!(world.end_of(&gateway, &request).await.state, RequestState::Done);
    drop(gateway);
    let made = Database::sqlite(world.database.clone()).signatures().unwrap();
    let signers: Vec<_> = made.iter().flat_map(|made| &made.signers).cloned().collect();
    assert_eq!((made.len(), signers), (1, vec!["n2".to_owned()]));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_refusal_is_not_enough_and_two_of_three_end_the_request() {
    let world = World::new("refusals", 3);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    world.node(1, |node| node.refuses = Some(Reason::PolicyDenied));
    let request = world.requester.sign_request(key, b"one", 60);
    verify_ed25519(&world.end_of(&gateway, &request).await, b"one");
    world.node(3, |node| node.refuses = Some(Reason::PolicyDenied));
    let request = world.requester.sign_request(key, b"two", 60);
    let refused = world.end_of(&gateway, &request).await;
    assert_eq!(
        (refused.state, reason(&refused).as_str()),
        (RequestState::Refused, "policy-denied")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn node_that_cannot_sign_now_is_asked_again() {
    let world = World::new("busy", 2);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    world.node(1, |node| node.refuses = Some(Reason::NotVouched));
    let request = world.requester.sign_request(key, b"later", 60);
    let delayed = world.submit(&gateway, &request, 1).await.unwrap();
    assert_eq!((delayed.state, reason(&delayed).as_str()), (RequestState::Pending, "not-vouched"));
    world.node(1, |node| node.refuses = None);
    verify_ed25519(&world.end_of(&gateway, &request).await, b"later");
}

#[tokio::test(flavor = "multi_thread")]
async fn certificate_that_one_member_alone_sends_is_not_used() {
    let world = World::new("forged", 3);
    let key = deal(&world, Scheme::Ed25519);
    world.node(2, |node| node.forges = true);
    let gateway = world.gateway();
    tokio::time::sleep(Duration::from_millis(800)).await;
    assert_eq!(gateway.key(key, None).await.unwrap_err().reason, Reason::UnknownKey);
    world.node(2, |node| node.forges = false);
    until(&gateway, "it is certified", |metrics| metrics.stock.contains_key(&key)).await;
    let described = gateway.key(key, None).await.unwrap();
    let bytes = described.certificate.unwrap();
    let signed = custody_core::SignedCertificate::from_bytes(&bytes).unwrap();
    assert_eq!(signed.verify(world.directory.directory()).unwrap().epoch, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn gateway_continues_from_its_database_with_the_same_nonces() {
    let world = World::new("crash", 3);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    until(&gateway, "nonces of all", |metrics| metrics.stock.get(&key) == Some(&16)).await;
    world.each_node(|node| node.keeps_shares = true);
    let request = world.requester.sign_request(key, b"through a crash", 60);
    world.submit(&gateway, &request, 0).await.unwrap();
    until(&gateway, "it is ordered", |metrics| metrics.pending_orders >= 2).await;
    drop(gateway);
    world.each_node(|node| node.keeps_shares = false);
    let gateway = world.gateway();
    verify_ed25519(&gateway.request(world.id(&request), 30).await.unwrap(), b"through a crash");
    // One attempt was enough: the one that was stored.
    let given = world.materials.given.lock().unwrap();
    let materials: std::collections::BTreeSet<_> = given.keys().map(|(_, _, name)| name).collect();
    assert_eq!(materials.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn gateway_whose_database_another_one_has_taken_over_sends_and_stores_nothing() {
    let world = World::new("taken-over", 3);
    let key = deal(&world, Scheme::Ed25519);
    let first = world.gateway();
    until(&first, "a stock", |metrics| metrics.stock.get(&key) == Some(&16)).await;
    let second = world.gateway();
    until(&second, "a stock", |metrics| metrics.stock.get(&key) == Some(&16)).await;
    let request = world.requester.sign_request(key, b"by the first", 60);
    let refused = world.submit(&first, &request, 0).await.unwrap_err();
    assert_eq!(refused.reason, Reason::Internal);
    // The first does not take it back.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let request = world.requester.sign_request(key, b"by the second", 60);
    verify_ed25519(&world.end_of(&second, &request).await, b"by the second");
    assert!(first.metrics().await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_that_come_back_are_asked_at_once() {
    let world = World::with_faults("come-back", 2, Faults::default());
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    until(&gateway, "a stock", |metrics| metrics.stock.get(&key) == Some(&16)).await;
    world.each_node(|node| node.is_silent = true);
    let request = world.requester.sign_request(key, b"later", 60);
    let pending = world.submit(&gateway, &request, 2).await.unwrap();
    assert_eq!(pending.state, RequestState::Pending);
    world.each_node(|node| node.is_silent = false);
    verify_ed25519(&gateway.request(world.id(&request), 10).await.unwrap(), b"later");
}

#[tokio::test(flavor = "multi_thread")]
async fn node_that_has_lost_its_nonces_costs_one_attempt() {
    let world = World::new("lost-nonces", 2);
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    until(&gateway, "a stock", |metrics| metrics.stock.get(&key) == Some(&16)).await;
    world.materials.keys.lock().unwrap().get_mut(&key).unwrap().ready.remove(&party(1));
    let request = world.requester.sign_request(key, b"after a restart", 60);
    verify_ed25519(&world.end_of(&gateway, &request).await, b"after a restart");
    assert_eq!(gateway.metrics().await.unwrap().failed_attempts, 1);
}

/// Runs a gateway until it is killed. The parent test starts it.
#[tokio::test(flavor = "multi_thread")]
async fn gateway_that_is_killed() {
    let Some(folder) = std::env::var_os("GATEWAY_TO_KILL").map(std::path::PathBuf::from) else {
        return;
    };
    let mut world = World::new("killed", 2);
    world.database = folder.join("gateway.db");
    let key = deal(&world, Scheme::Ed25519);
    let gateway = world.gateway();
    until(&gateway, "a stock", |metrics| metrics.stock.get(&key) == Some(&16)).await;
    world.each_node(|node| node.keeps_shares = true);
    for number in 0_u8.. {
        let request = world.requester.sign_request(key, &[number], 600);
        let accepted = world.submit(&gateway, &request, 0).await.unwrap();
        // Each line is a promise.
        println!("accepted {}", accepted.request);
        tokio::time::sleep(Duration::from_millis(5)).await;
        if number == 250 {
            std::future::pending::<()>().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_were_accepted_outlive_a_kill() {
    use std::io::BufRead as _;
    let folder = std::env::temp_dir().join(format!("custody-gateway-kill-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "failing::gateway_that_is_killed", "--nocapture"])
        .env("GATEWAY_TO_KILL", &folder)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut accepted = Vec::new();
    for line in std::io::BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        if let Some((_, id)) = line.split_once("accepted ") {
            accepted.push(id.parse::<custody_core::RequestId>().unwrap());
        }
        if accepted.len() == 30 {
            child.kill().unwrap();
            break;
        }
    }
    child.wait().unwrap();
    assert_eq!(accepted.len(), 30);
    // Nobody is reached, so that nothing can happen to the requests.
    let mut world = World::new("killed-after", 2);
    for node in ["n1", "n2"] {
        world.network.cut_off(&node.parse().unwrap(), true);
    }
    world.database = folder.join("gateway.db");
    let gateway = world.gateway();
    for id in accepted {
        assert_eq!(gateway.request(id, 0).await.unwrap().state, RequestState::Pending);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn node_that_lists_keys_of_nobody_does_not_keep_the_gateway_from_new_ones() {
    let mut world = World::new("invented", 3);
    world.config.times.listing = Duration::from_millis(200);
    deal(&world, Scheme::Ed25519);
    world.node(3, |node| node.invents = 60);
    let gateway = world.gateway();
    // Each list has others.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let body = serde_json::to_string(&crate::signing::spec(Scheme::Ed25519, &[1, 2, 3])).unwrap();
    let request = world.administrator.request("/v1/keys", &body, 60);
    assert_eq!(world.end_of(&gateway, &request).await.state, RequestState::Done);
}

#[tokio::test(flavor = "multi_thread")]
async fn gateway_stops_at_a_database_of_the_format_before() {
    let world = World::new("format", 3);
    let key = deal(&world, Scheme::Ed25519);
    // Spaces of requests, open requests, approvals and attempts.
    for space in [2, 3, 5, 6] {
        let mut store = quorate_store::SqliteStore::open(&world.database).unwrap();
        store.records(|rows| rows.put(space, &[7; 32], &[])).unwrap();
        drop(store);
        let gateway = world.gateway();
        let request = world.requester.sign_request(key, b"m", 60);
        let refused = world.submit(&gateway, &request, 0).await.unwrap_err();
        assert_eq!(refused.reason, Reason::Internal, "{space}");
        assert!(gateway.metrics().await.is_err(), "{space}");
        drop(gateway);
        let mut store = quorate_store::SqliteStore::open(&world.database).unwrap();
        store.records(|rows| rows.remove(space, &[7; 32]).map(drop)).unwrap();
        // It has not taken the database over.
        assert_eq!(store.read_records(|rows| rows.list(1, &[], None, 9)).unwrap(), []);
    }
    let gateway = world.gateway();
    let request = world.requester.sign_request(key, b"m", 60);
    verify_ed25519(&world.end_of(&gateway, &request).await, b"m");
}
