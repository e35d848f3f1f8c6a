//! A committee in one process: questions that are asked again, refusals, and parts that are away.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::std_instead_of_core,
    reason = "a test fails by panicking"
)]

use std::path::PathBuf;
use std::time::Duration;

use custody_core::Scheme;
use ed25519_dalek::VerifyingKey;
use quorate::ecdsa::Level;
use quorate_purpose::comet::{BlockId, Place, Vote, VoteStep};
use quorate_purpose::{KeyKind, Kind, OpaqueMessage, Purpose, SshHash, SshSignature, Time};
use sockets_backend::committee::Trial;
use sockets_backend::{Asked, Backend as _, Committee, Failure, Key, KeyId, Signature};
use tokio::time::timeout;

/// The folder of a test, which ends with it.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let name = format!("sockets-backend-{}-{test}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    fn trial(&self) -> Trial {
        Trial { level: Level::Toy, ..Trial::new(&self.0) }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

const SSH: &[Kind] = &[Kind::SshSignature, Kind::SshUserAuth];

fn commit(number: u8) -> Asked {
    let signature = SshSignature::new("git", SshHash::Sha512([number; 64])).unwrap();
    Asked::new(signature).on_behalf("uid 1000")
}

fn vote(height: u64, block: u8, seconds: i64) -> Asked {
    let place = Place::new("chain-1", height, 0).unwrap();
    let block = BlockId { hash: [block; 32], parts: 1, parts_hash: [2; 32] };
    let time = Time::from_seconds(seconds);
    Asked::new(Vote::new(VoteStep::Prevote, place, Some(block), time).unwrap())
}

async fn ed25519(committee: &Committee, purposes: &[Kind]) -> Key {
    committee.create(&committee.spec("key", Scheme::Ed25519, purposes)).await.unwrap()
}

/// The number of signatures that the gateway has had made.
async fn made(committee: &Committee) -> u64 {
    let metrics = committee.gateway().unwrap().metrics().await.unwrap();
    metrics.signatures.values().sum()
}

/// Verifies a signature of Ed25519 by another library.
fn verify(key: &Key, signature: &Signature) {
    let public = VerifyingKey::from_bytes(key.public_key.as_slice().try_into().unwrap()).unwrap();
    let message = signature.signed.message(KeyKind::Ed25519).unwrap();
    let signature = signature.bytes.as_slice().try_into().unwrap();
    public.verify_strict(message.raw().unwrap(), &signature).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn question_that_is_asked_again_gets_the_same_signature_and_spends_one() {
    let folder = Folder::new("again");
    let committee = Committee::start(folder.trial()).await.unwrap();
    let key = ed25519(&committee, SSH).await;
    assert_eq!(committee.keys().await.unwrap(), std::slice::from_ref(&key));
    let asked = commit(1);
    // Three times at once, and once after.
    let (a, b, c) = tokio::join!(
        committee.sign(key.id, &asked),
        committee.sign(key.id, &asked),
        committee.sign(key.id, &asked)
    );
    let first = a.unwrap();
    for other in [b, c, committee.sign(key.id, &asked).await] {
        assert_eq!(other.unwrap(), first);
    }
    verify(&key, &first);
    assert_eq!(made(&committee).await, 1);
    // Another content, and another user, are other questions.
    let other = committee.sign(key.id, &commit(2)).await.unwrap();
    let user = committee.sign(key.id, &asked.clone().on_behalf("uid 1001")).await.unwrap();
    assert!(other.bytes != first.bytes && user.bytes != first.bytes);
    assert_eq!(made(&committee).await, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn vote_with_another_time_gets_the_stored_signature_and_its_time() {
    let folder = Folder::new("votes");
    let committee = Committee::start(folder.trial()).await.unwrap();
    let key = ed25519(&committee, &[Kind::CometVote]).await;
    let first = committee.sign(key.id, &vote(5, 1, 10)).await.unwrap();
    let later = committee.sign(key.id, &vote(5, 1, 11)).await.unwrap();
    assert_eq!((&later, made(&committee).await), (&first, 1));
    assert_eq!(later.signed, vote(5, 1, 10).purpose);
    verify(&key, &later);
    let conflict = committee.sign(key.id, &vote(5, 2, 12)).await.unwrap_err();
    assert!(matches!(conflict, Failure::Conflict(_)), "{conflict}");
    let earlier = committee.sign(key.id, &vote(4, 1, 13)).await.unwrap_err();
    assert!(matches!(earlier, Failure::Conflict(_)), "{earlier}");
    drop(committee);
    // The same folder again, as after a crash: the key is there, and what was signed is known.
    let committee = Committee::start(folder.trial()).await.unwrap();
    assert_eq!(committee.keys().await.unwrap(), std::slice::from_ref(&key));
    assert_eq!(committee.sign(key.id, &vote(5, 1, 14)).await.unwrap(), first);
    let conflict = committee.sign(key.id, &vote(5, 2, 15)).await.unwrap_err();
    assert!(matches!(conflict, Failure::Conflict(_)), "{conflict}");
    committee.sign(key.id, &vote(6, 2, 16)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn purpose_that_is_not_the_keys_and_unknown_key_are_refused() {
    let folder = Folder::new("purposes");
    let committee = Committee::start(folder.trial()).await.unwrap();
    let key = ed25519(&committee, SSH).await;
    let refused = committee.sign(key.id, &vote(5, 1, 10)).await.unwrap_err();
    assert!(matches!(refused, Failure::WrongPurpose(_)), "{refused}");
    let bytes = Asked::new(OpaqueMessage::raw(b"who knows".to_vec()).unwrap());
    let refused = committee.sign(key.id, &bytes).await.unwrap_err();
    assert!(matches!(refused, Failure::WrongPurpose(_)), "{refused}");
    let nobodys = KeyId::new([1; 32]);
    assert_eq!(committee.sign(nobodys, &commit(1)).await, Err(Failure::UnknownKey(nobodys)));
    assert_eq!(made(&committee).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn policy_refuses_and_the_failure_says_so() {
    let folder = Folder::new("policy");
    let rules = r#"
        @id("keys") permit (principal, action == Action::"create-key", resource);
        @id("git") permit (principal, action == Action::"ssh-signature", resource)
        when { context.namespace == "git" };"#;
    let trial = Trial { policies: vec![("rules".into(), rules.into())], ..folder.trial() };
    let committee = Committee::start(trial).await.unwrap();
    let key = ed25519(&committee, SSH).await;
    let file = Asked::new(SshSignature::new("file", SshHash::Sha256([1; 32])).unwrap());
    // A refused question is asked anew each time: the policy may have changed.
    for _ in 0..2 {
        let refused = committee.sign(key.id, &file).await.unwrap_err();
        assert!(matches!(&refused, Failure::Refused(why) if why.contains("git")), "{refused}");
    }
    verify(&key, &committee.sign(key.id, &commit(1)).await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn gateway_that_is_away_is_unavailable_until_it_is_back() {
    let folder = Folder::new("away");
    let mut committee = Committee::start(folder.trial()).await.unwrap();
    let key = ed25519(&committee, SSH).await;
    let first = committee.sign(key.id, &commit(1)).await.unwrap();
    let address = committee.stop_gateway().await.unwrap();
    let away = commit(1).within(Duration::from_millis(1500));
    let failure = committee.sign(key.id, &away).await.unwrap_err();
    assert!(matches!(failure, Failure::Unavailable(_)) && failure.is_retryable(), "{failure}");
    committee.start_gateway(address).await.unwrap();
    assert_eq!(committee.sign(key.id, &commit(1)).await.unwrap(), first);
}

#[tokio::test(flavor = "multi_thread")]
async fn question_that_expired_is_asked_again_under_the_next_nonce() {
    let folder = Folder::new("expired");
    let mut committee = Committee::start(folder.trial()).await.unwrap();
    let key = ed25519(&committee, SSH).await;
    committee.sign(key.id, &commit(1)).await.unwrap();
    committee.stop_node(1).await;
    committee.stop_node(2).await;
    let asked = commit(2).within(Duration::from_secs(2));
    let failure = committee.sign(key.id, &asked).await.unwrap_err();
    assert!(failure.is_retryable(), "{failure}");
    committee.start_node(2).await.unwrap();
    tokio::time::sleep(Duration::from_secs(2)).await;
    verify(&key, &committee.sign(key.id, &commit(2)).await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn ecdsa_signature_is_the_same_again_and_verifies() {
    let folder = Folder::new("ecdsa");
    let committee = Committee::start(folder.trial()).await.unwrap();
    let spec = committee.spec("p256", Scheme::EcdsaP256, SSH);
    let key = committee.create(&spec).await.unwrap();
    let asked = commit(1).within(Duration::from_secs(120));
    let first = committee.sign(key.id, &asked).await.unwrap();
    assert_eq!(committee.sign(key.id, &asked).await.unwrap(), first);
    assert_eq!((made(&committee).await, first.bytes.len()), (1, 64));
    let digest =
        Purpose::message(&first.signed, KeyKind::EcdsaP256).unwrap().ecdsa_digest().unwrap();
    let public = p256::ecdsa::VerifyingKey::from_sec1_bytes(&key.public_key).unwrap();
    let signature = p256::ecdsa::Signature::from_slice(&first.bytes).unwrap();
    use p256::ecdsa::signature::hazmat::PrehashVerifier as _;
    public.verify_prehash(&digest, &signature).unwrap();
}

/// Copies the database of the gateway, with what stands beside it.
fn copy_gateway(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).unwrap();
    for end in ["gateway.db", "gateway.db-wal", "gateway.db-shm"] {
        std::fs::remove_file(to.join(end)).ok();
        if from.join(end).is_file() {
            std::fs::copy(from.join(end), to.join(end)).unwrap();
        }
    }
}

/// The disk of the gateway goes back to a copy from before the vote. The nodes know of it.
#[tokio::test(flavor = "multi_thread")]
async fn gateway_that_has_forgotten_a_vote_has_nothing_signed_that_contradicts_it() {
    let folder = Folder::new("forgotten");
    let mut committee = Committee::start(folder.trial()).await.unwrap();
    let key = ed25519(&committee, &[Kind::CometVote]).await;
    committee.sign(key.id, &vote(4, 1, 9)).await.unwrap();
    let address = committee.stop_gateway().await.unwrap();
    let copy = folder.0.join("copy");
    copy_gateway(&folder.0, &copy);
    committee.start_gateway(address).await.unwrap();
    let first = committee.sign(key.id, &vote(5, 1, 10)).await.unwrap();
    committee.stop_gateway().await.unwrap();
    copy_gateway(&copy, &folder.0);
    committee.start_gateway(address).await.unwrap();
    let conflict = committee.sign(key.id, &vote(5, 2, 11)).await.unwrap_err();
    assert!(matches!(conflict, Failure::Conflict(_)), "{conflict}");
    // The vote that was signed, asked for with another time stamp: the stored one, or none.
    match committee.sign(key.id, &vote(5, 1, 12)).await {
        Ok(again) => assert_eq!(again, first),
        Err(why) => assert!(matches!(why, Failure::Conflict(_)), "{why}"),
    }
    verify(&key, &committee.sign(key.id, &vote(6, 1, 13)).await.unwrap());
}

/// A consumer asks, hangs up, and asks something else. Its questions stay open, here since the gateway is away.
#[tokio::test(flavor = "multi_thread")]
async fn consumer_that_asks_and_hangs_up_leaves_room_for_others() {
    let folder = Folder::new("hang-up");
    let mut committee = Committee::start(folder.trial()).await.unwrap();
    let key = ed25519(&committee, &[Kind::SshSignature]).await;
    let address = committee.stop_gateway().await.unwrap();
    let asked = |number: u64, user: &str| {
        let mut hash = [7; 64];
        hash[..8].copy_from_slice(&number.to_be_bytes());
        Asked::new(SshSignature::new("git", SshHash::Sha512(hash)).unwrap()).on_behalf(user)
    };
    for number in 0..512 {
        let question = asked(number, "uid 33");
        let hung_up = timeout(Duration::ZERO, committee.sign(key.id, &question)).await;
        assert!(hung_up.is_err(), "{number}");
    }
    let question = asked(512, "uid 33").within(Duration::from_secs(1));
    let refused = committee.sign(key.id, &question).await.unwrap_err();
    assert!(refused.to_string().contains("512 questions"), "{refused}");
    committee.start_gateway(address).await.unwrap();
    // Others ask, and the consumer gets the answers to what it has asked. Each makes room for another question.
    for (number, user) in [(512, "uid 34"), (0, "uid 33"), (512, "uid 33")] {
        verify(&key, &committee.sign(key.id, &asked(number, user)).await.unwrap());
    }
    // A question whose time is over is no longer open.
    let short = |number| asked(number, "uid 35").within(Duration::from_millis(300));
    for number in 0..512 {
        timeout(Duration::ZERO, committee.sign(key.id, &short(number))).await.ok();
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    verify(&key, &committee.sign(key.id, &asked(512, "uid 35")).await.unwrap());
}
