//! The loop of the documentation, over real sockets.
#![allow(
    missing_docs,
    unused_qualifications,
    clippy::expect_used,
    clippy::std_instead_of_core,
    clippy::unwrap_used,
    reason = "tests"
)]

include!("sockets/node.rs");

use quorate_session::{Parties, SessionId};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A connection between each two of three parties.
async fn mesh() -> BTreeMap<PartyId, Links> {
    let parties = Parties::numbered(3).unwrap();
    let mut links: BTreeMap<PartyId, Links> = BTreeMap::new();
    for one in parties.iter() {
        for other in parties.iter().filter(|other| *other > one) {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let dialled = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            let accepted = listener.accept().await.unwrap().0;
            links.entry(one).or_default().insert(other, dialled);
            links.entry(other).or_default().insert(one, accepted);
        }
    }
    links
}

#[tokio::test]
async fn three_parties_make_a_key_over_tcp_as_the_documentation_prints_it() {
    let folder = std::env::temp_dir().join(format!("quorate-tokio-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let deadline = SystemTime::now().duration_since(UNIX_EPOCH).unwrap() + Duration::from_secs(60);
    let job = Job {
        sid: SessionId::new([1; 32]),
        parties: Parties::numbered(3).unwrap(),
        body: Vec::new(),
        deadline: u64::try_from(deadline.as_millis()).unwrap(),
    };
    let nodes = mesh().await.into_iter().map(|(me, links)| {
        tokio::spawn(node(me, links, folder.join(format!("{me}.db")), job.clone()))
    });
    let mut keys = Vec::new();
    for node in nodes.collect::<Vec<_>>() {
        keys.push(node.await.unwrap().unwrap().expect("a key"));
    }
    assert!(keys.iter().all(|key| key.public == keys[0].public));
    assert_eq!(keys.iter().map(|key| key.share.id().get()).collect::<Vec<_>>(), [1, 2, 3]);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_printed_loop_has_forty_lines() {
    assert!(include_str!("sockets/node.rs").lines().count() <= 40);
}
