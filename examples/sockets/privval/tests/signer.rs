//! The signer between nodes that a test plays, and keys in memory or a committee.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::std_instead_of_core,
    clippy::mod_module_files,
    reason = "a test fails by panicking"
)]

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{CHAIN, Node, prevote, proposal, verifies, vote};
use quorate::ecdsa::Level;
use quorate_purpose::Kind;
use quorate_purpose::comet::{VoteExtension, VoteStep};
use sockets_backend::committee::Trial;
use sockets_backend::{Backend, Committee, Failure, Limits, Scheme};
use sockets_privval::{
    Address, Answer, Malformed, RemoteError, Request, SecretConnection, Signer, serve,
};
use sockets_testkit::{Folder, Local, mutations};
use tokio::net::{TcpListener, UnixListener};
use tokio::task::JoinHandle;

const KINDS: &[Kind] = &[Kind::CometVote, Kind::CometProposal, Kind::CometVoteExtension];

fn local() -> Arc<Local> {
    let local = Local::new().with("validator", Scheme::Ed25519, 1, KINDS);
    Arc::new(local.with("ssh", Scheme::Ed25519, 2, &[Kind::SshSignature]))
}

/// Connects a signer to a node that listens at a path, and to one that listens at a port.
async fn connected(signer: Signer) -> (Folder, Node, Node, JoinHandle<()>) {
    let folder = Folder::new();
    let unix = UnixListener::bind(folder.join("node")).unwrap();
    let tcp = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let nodes = [
        format!("unix://{}", folder.join("node").display()),
        format!("tcp://{}", tcp.local_addr().unwrap()),
    ];
    let nodes = nodes.iter().map(|node| node.parse::<Address>().unwrap()).collect();
    let serving = tokio::spawn(serve(nodes, Arc::new(signer), Limits::default()));
    let (first, second) = tokio::join!(Node::unix(&unix), Node::tcp(&tcp));
    (folder, first, second, serving)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_request_is_answered_over_both_kinds_of_sockets() {
    let local = local();
    let signer = Signer::new(local.clone(), "validator");
    let key = signer.public_key().await.unwrap();
    let (_folder, unix, tcp, _serving) = connected(signer).await;
    for (mut node, height) in [(unix, 10), (tcp, 20)] {
        assert_eq!(node.ask(&Request::Ping).await, Answer::Ping);
        let chain = CHAIN.to_owned();
        assert_eq!(node.ask(&Request::PubKey { chain }).await, Answer::PubKey(Ok(key)));
        // A prevote, a precommit for a block with its extension, and one for none.
        for (step, block, is_extended) in [
            (VoteStep::Prevote, Some(1), false),
            (VoteStep::Precommit, Some(1), true),
            (VoteStep::Precommit, None, false),
        ] {
            let mut asked = vote(step, height, block, 5);
            if is_extended {
                asked.extension = b"of the application".to_vec();
            }
            let signed = node.vote(asked.clone()).await.unwrap();
            assert_eq!(signed.request, asked);
            assert!(verifies(&key, &asked.vote.sign_bytes(), &signed.signature));
            let place = asked.vote.place().clone();
            let extension = VoteExtension::new(place, asked.extension.clone()).unwrap();
            let of_extension = &signed.extension_signature;
            assert_eq!(verifies(&key, &extension.sign_bytes(), of_extension), is_extended);
            assert_eq!(of_extension.is_empty(), !is_extended);
            // CometBFT 1.0 asks for no signature of an extension that the chain does not have.
            let signed = node.vote(sockets_privval::VoteRequest { skip_extension: true, ..asked });
            assert!(signed.await.unwrap().extension_signature.is_empty());
        }
        let asked = proposal(height, 1, 5);
        let Answer::Proposal(Ok(signed)) =
            node.ask(&Request::SignProposal(Box::new(asked.clone()))).await
        else {
            panic!("no proposal")
        };
        assert_eq!(signed.proposal, asked);
        assert!(verifies(&key, &asked.sign_bytes(), &signed.signature));
        assert!(matches!(node.ask(&Request::SignBytes).await, Answer::Bytes(_)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn refusal_is_an_answer_with_its_reason() {
    let local = local();
    let signer = Signer::new(local.clone(), "validator").for_chain("another-chain");
    let (_folder, mut node, _tcp, _serving) = connected(signer).await;
    let why = node.vote(prevote(1, Some(1), 1)).await.unwrap_err();
    assert!(why.contains("another-chain"), "{why}");
    let chain = CHAIN.to_owned();
    let answer = node.ask(&Request::PubKey { chain }).await;
    assert!(matches!(answer, Answer::PubKey(Err(_))), "{answer:?}");
    assert_eq!(local.signed(), 0);
    for (key, why) in [("none", "there is no key"), ("ssh", "signs votes")] {
        let signer = Signer::new(local.clone(), key);
        let answer = signer.answer(Request::PubKey { chain: String::new() }).await;
        let Answer::PubKey(Err(RemoteError { description, .. })) = answer else { panic!() };
        assert!(description.contains(why), "{description}");
    }
    local.fail(Some(Failure::Unavailable("nobody is there".to_owned())));
    let request = Request::SignVote(Box::new(prevote(1, Some(1), 1)));
    let answer = Signer::new(local, "validator").answer(request).await;
    let Answer::Vote(Err(RemoteError { code: 4, description })) = answer else { panic!() };
    assert!(description.contains("nobody is there"), "{description}");
}

#[tokio::test(flavor = "multi_thread")]
async fn signer_connects_again_when_a_node_restarts_and_after_malformed_messages() {
    let folder = Folder::new();
    let path = folder.join("node");
    let nodes = vec![Address::Unix(path.clone())];
    let signer = Arc::new(Signer::new(local(), "validator"));
    let serving = tokio::spawn(serve(nodes, signer, Limits::default()));
    for malformed in [&[][..], &[0x0a], &[0x3a, 0, 0x3a, 0], &[0x1a, 0], &[0x12, 0]] {
        let listener = UnixListener::bind(&path).unwrap();
        let mut node = Node::unix(&listener).await;
        assert_eq!(node.ask(&Request::Ping).await, Answer::Ping);
        assert_eq!(node.exchange(malformed).await, None, "{malformed:?}");
        drop((node, listener));
        std::fs::remove_file(&path).unwrap();
    }
    serving.abort();
}

/// A damaged request is refused, or is still a whole request.
#[tokio::test]
async fn damaged_requests_are_refused_or_mean_something_else() {
    let mut asked = vote(VoteStep::Precommit, 3, Some(1), 5);
    asked.extension = b"extension".to_vec();
    for request in [
        Request::SignVote(Box::new(asked)),
        Request::SignProposal(Box::new(proposal(3, 1, 5))),
        Request::PubKey { chain: CHAIN.to_owned() },
    ] {
        let bytes = request.to_bytes();
        assert_eq!(Request::from_bytes(&bytes), Ok(request.clone()));
        let mut read = 0;
        for damaged in mutations(&bytes) {
            if let Ok(other) = Request::from_bytes(&damaged) {
                read += 1;
                assert_eq!(Request::from_bytes(&other.to_bytes()), Ok(other));
            }
        }
        assert!(read > 0, "texts may be others");
    }
    let long = vec![0; sockets_privval::MAX_LENGTH + 1];
    assert!(matches!(Request::from_bytes(&long), Err(Malformed { .. })));
}

#[tokio::test]
async fn secret_connection_refuses_a_side_that_does_not_keep_to_the_protocol() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    // A key of small order, no key, and a side that does not know the challenge.
    let hello = |key: [u8; 32]| [&[34, 0x0a, 32][..], &key].concat();
    for (first, then) in [
        (hello([0; 32]), vec![]),
        (hello([1; 32])[1..].to_vec(), vec![0; 1]),
        (hello([9; 32]), vec![7; 1044]),
    ] {
        let (ours, mut theirs) = tokio::io::duplex(4096);
        let opening = tokio::spawn(SecretConnection::open(ours));
        theirs.write_all(&first).await.unwrap();
        theirs.write_all(&then).await.unwrap();
        let mut received = [0; 35];
        theirs.read_exact(&mut received).await.unwrap();
        let why = opening.await.unwrap().unwrap_err();
        assert_eq!(why.kind(), std::io::ErrorKind::InvalidData, "{why}");
    }
}

#[tokio::test]
async fn secret_connection_carries_messages_of_any_length() {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (a, b) = tokio::join!(SecretConnection::open(ours), SecretConnection::open(theirs));
    let (mut a, mut b) = (a.unwrap(), b.unwrap());
    assert_ne!(a.peer(), b.peer());
    let long: Vec<u8> = (0..5000_u32).flat_map(u32::to_le_bytes).collect();
    for message in [&b""[..], b"short", &long] {
        let mut delimited = vec![];
        let mut length = message.len();
        while length > 0x7f {
            delimited.push(u8::try_from(length & 0x7f).unwrap() | 0x80);
            length >>= 7;
        }
        delimited.push(u8::try_from(length).unwrap());
        delimited.extend_from_slice(message);
        a.send(&delimited).await.unwrap();
        assert_eq!(b.receive(1 << 16).await.unwrap(), message);
    }
    a.send(&[0xff, 0xff, 0x7f]).await.unwrap();
    assert!(b.receive(1 << 16).await.is_err());
}

async fn committee(folder: &Folder, nodes: u16) -> Committee {
    let trial = Trial { nodes, level: Level::Toy, ..Trial::new(folder.join("committee")) };
    Committee::start(trial).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn committee_signs_one_vote_at_a_place_whatever_a_node_asks_for() {
    let folder = Folder::new();
    let committee = Arc::new(committee(&folder, 3).await);
    committee.create(&committee.spec("validator", Scheme::Ed25519, KINDS)).await.unwrap();
    let signer = Signer::new(committee.clone(), "validator");
    let key = signer.public_key().await.unwrap();
    let (_folder, mut honest, mut hostile, _serving) = connected(signer).await;
    let first = honest.vote(prevote(5, Some(1), 10)).await.unwrap();
    assert!(verifies(&key, &first.request.vote.sign_bytes(), &first.signature));
    // The same vote at another time: the stored signature, with its time stamp.
    assert_eq!(hostile.vote(prevote(5, Some(1), 11)).await.unwrap(), first);
    // Another block, none after a block, an earlier height, an earlier step.
    for refused in [prevote(5, Some(2), 12), prevote(5, None, 12), prevote(4, Some(1), 12)] {
        let why = hostile.vote(refused).await.unwrap_err();
        assert!(why.contains("contradicts"), "{why}");
    }
    let earlier = Request::SignProposal(Box::new(proposal(5, 1, 12)));
    let answer = hostile.ask(&earlier).await;
    assert!(matches!(answer, Answer::Proposal(Err(_))), "{answer:?}");
    // Both at once, with contradicting votes: one of them is signed.
    for height in 6..10 {
        let (a, b) = tokio::join!(
            honest.vote(prevote(height, Some(1), 1)),
            hostile.vote(prevote(height, Some(2), 1))
        );
        assert_ne!(a.is_ok(), b.is_ok(), "{a:?} {b:?}");
    }
    let next = honest.vote(vote(VoteStep::Precommit, 10, Some(3), 13)).await.unwrap();
    assert!(verifies(&key, &next.request.vote.sign_bytes(), &next.signature));
}

#[tokio::test(flavor = "multi_thread")]
async fn key_that_two_disjoint_sets_of_signers_could_use_is_refused() {
    let folder = Folder::new();
    let committee = committee(&folder, 4).await;
    let mut spec = committee.spec("validator", Scheme::Ed25519, KINDS);
    spec.threshold = 2;
    let why = committee.create(&spec).await.unwrap_err();
    assert!(matches!(&why, Failure::Malformed(text) if text.contains("half")), "{why}");
    // A key without a list signs no votes then, either.
    spec.purposes = vec![];
    let key = committee.create(&spec).await.unwrap();
    let signer = Signer::new(Arc::new(committee), key.name);
    let request = Request::SignVote(Box::new(prevote(1, Some(1), 1)));
    let Answer::Vote(Err(why)) = signer.within(Duration::from_secs(10)).answer(request).await
    else {
        panic!("it was signed")
    };
    assert!(why.description.contains("purpose"), "{why:?}");
}
