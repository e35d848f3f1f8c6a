//! The client at a service that is honest, lies, or fails.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::cast_possible_truncation
)]

mod common;

use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::sync::{Arc, Mutex};

use common::fake::Fake;
use common::{Lie, MINUTE, directory, opaque, spec, world, world_with};
use custody_client::{Asked, CallerSecret, Change, Client, ClientError, Endpoint, PinnedKey};
use custody_core::{
    Callers, CertificateError, Child, KeyCondition, KeyDescription, KeyId, KeyList, MerkleRoot,
    Operation, Page, PartyId, Reason, Refusal, Reply, RequestDescription, RequestId, RequestList,
    RequestState, ScheduleDeletion, Scheme, Service, SignedRequest, Verified,
};

fn at(path: &str) -> Asked {
    Asked { path: Some(path.parse().unwrap()), ..Asked::default() }
}

fn child_at(path: &str) -> Child {
    Child { path: path.parse().unwrap(), merkle_root: None }
}

#[tokio::test]
async fn keys_of_every_scheme_sign_and_their_signatures_verify() {
    let world = world().await;
    for scheme in Scheme::ALL {
        let key = world
            .administrator
            .create_key(&spec(scheme), &directory("test"), MINUTE)
            .await
            .unwrap();
        assert_eq!(world.requester.pin(key.id(), &directory("test")).await.as_ref(), Ok(&key));
        assert_eq!(key.cluster(), "test");
        for message in [b"one", b"two", b"six"] {
            let signature = world
                .requester
                .sign(&key, &opaque(scheme, message), &Asked::default())
                .await
                .unwrap();
            assert_eq!(signature.recovery_id.is_some(), scheme.is_presigned());
            assert_eq!(signature.public_key, key.public_key(&Child::default()).unwrap());
        }
        let child = world.requester.sign(&key, &opaque(scheme, b"one"), &at("m/0/5")).await;
        if scheme.is_presigned() || scheme == Scheme::Taproot {
            assert_eq!(child.unwrap().public_key, key.public_key(&child_at("m/0/5")).unwrap());
        } else {
            assert!(matches!(child, Err(ClientError::Key(_))), "{scheme}");
        }
    }
}

#[tokio::test]
async fn wrong_signatures_are_refused() {
    let world = world().await;
    for scheme in Scheme::ALL {
        *world.lie.lock().unwrap() = Lie::None;
        let key = world
            .administrator
            .create_key(&spec(scheme), &directory("test"), MINUTE)
            .await
            .unwrap();
        let asked = if scheme.is_presigned() { at("m/0/5") } else { Asked::default() };
        let of_all = [Lie::OtherMessage, Lie::OtherKey, Lie::OtherPublicKey, Lie::Short];
        let of_ecdsa = [Lie::HighS, Lie::RecoveryId].into_iter().filter(|_| scheme.is_presigned());
        for lie in of_all.into_iter().chain(of_ecdsa) {
            *world.lie.lock().unwrap() = lie;
            let refused = world.requester.sign(&key, &opaque(scheme, b"one"), &asked).await;
            assert!(
                matches!(refused, Err(ClientError::Signature(_))),
                "{scheme} {lie:?}: {refused:?}"
            );
        }
    }
}

#[tokio::test]
async fn context_of_a_signature_is_the_one_that_was_asked_for() {
    let world = world().await;
    let spec = spec(Scheme::MlDsa65);
    let key = world.administrator.create_key(&spec, &directory("test"), MINUTE).await.unwrap();
    let asked = Asked { context: b"releases".to_vec(), ..Asked::default() };
    let purpose = opaque(Scheme::MlDsa65, b"firmware 7");
    world.requester.sign(&key, &purpose, &asked).await.unwrap();
    *world.lie.lock().unwrap() = Lie::OtherContext;
    let refused = world.requester.sign(&key, &purpose, &asked).await;
    assert!(matches!(refused, Err(ClientError::Signature(_))), "{refused:?}");
}

#[tokio::test]
async fn signature_under_the_output_without_the_scripts_that_were_asked_for_is_refused() {
    let world = world().await;
    let of = async |scheme| {
        world.administrator.create_key(&spec(scheme), &directory("test"), MINUTE).await.unwrap()
    };
    let (key, purpose) = (of(Scheme::Taproot).await, opaque(Scheme::Taproot, b"one"));
    let merkle_root = Some(MerkleRoot([7; 32]));
    for path in ["m", "m/0/5"] {
        let asked = Asked { merkle_root, ..at(path) };
        *world.lie.lock().unwrap() = Lie::None;
        let signature = world.requester.sign(&key, &purpose, &asked).await.unwrap();
        let own = key.public_key(&Child { merkle_root, ..child_at(path) }).unwrap();
        assert_eq!(signature.public_key, own);
        assert_ne!(key.public_key(&child_at(path)).unwrap(), own);
        *world.lie.lock().unwrap() = Lie::NoScripts;
        let refused = world.requester.sign(&key, &purpose, &asked).await;
        assert!(matches!(refused, Err(ClientError::Signature(_))), "{refused:?}");
    }
    // Keys of other schemes are not even asked.
    for scheme in Scheme::ALL.into_iter().filter(|scheme| *scheme != Scheme::Taproot) {
        let asked = Asked { merkle_root, ..Asked::default() };
        let refused =
            world.requester.sign(&of(scheme).await, &opaque(scheme, b"one"), &asked).await;
        let Err(ClientError::Key(why)) = refused else { panic!("{scheme}: {refused:?}") };
        assert!(why.contains("commit to no scripts"), "{why}");
    }
}

#[tokio::test]
async fn certificates_that_not_all_members_signed_or_of_another_key_are_refused() {
    let world = world().await;
    let lies = [Lie::MemberMissing, Lie::OtherCertificate, Lie::OtherSpec, Lie::NoCertificate];
    for lie in lies {
        *world.lie.lock().unwrap() = lie;
        let made = world
            .administrator
            .create_key(&spec(Scheme::Ed25519), &directory("test"), MINUTE)
            .await;
        match lie {
            Lie::MemberMissing => {
                assert_eq!(
                    made,
                    Err(ClientError::Certificate(CertificateError::Missing(common::party(3))))
                );
            }
            Lie::NoCertificate => assert!(matches!(made, Err(ClientError::Answer(_)))),
            Lie::OtherSpec => assert_eq!(made, Err(ClientError::OtherKey("specification"))),
            _ => assert_eq!(made, Err(ClientError::OtherKey("key"))),
        }
    }
    *world.lie.lock().unwrap() = Lie::None;
    let key = world
        .administrator
        .create_key(&spec(Scheme::Ed25519), &directory("test"), MINUTE)
        .await
        .unwrap();
    let other = world.requester.pin(key.id(), &directory("other")).await;
    assert!(matches!(
        other,
        Err(ClientError::Certificate(CertificateError::OtherDirectory { .. }))
    ));
}

#[tokio::test]
async fn approver_verifies_what_it_approves_while_the_requester_waits() {
    let world = world().await;
    let mut spec = spec(Scheme::Taproot);
    spec.labels.insert("approvals".into(), "1".into());
    let key = world.administrator.create_key(&spec, &directory("test"), MINUTE).await.unwrap();
    let purpose = opaque(Scheme::Taproot, b"a large amount");
    let asked = Asked { on_behalf: Some("ann".into()), ..Asked::default() };
    let approve = async {
        let request = loop {
            let list = world.approver.requests(None).await.unwrap();
            if let Some(request) = list.requests.into_iter().next() {
                break request;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        let seen = request.signed.verify(&world.callers, common::now()).unwrap();
        let Operation::Sign(_, sign) = &seen.operation else { panic!() };
        assert_eq!((&sign.purpose, sign.on_behalf.as_deref()), (&purpose.to_bytes(), Some("ann")));
        world.approver.approve(&seen).await.unwrap()
    };
    let (signature, approved) = tokio::join!(world.requester.sign(&key, &purpose, &asked), approve);
    assert_eq!((signature.unwrap().bytes.len(), approved.operation.as_str()), (64, "approve"));
}

#[tokio::test]
async fn refusals_and_ends_are_errors() {
    let world = world().await;
    let mut waiting = spec(Scheme::Ed25519);
    waiting.labels.insert("approvals".into(), "1".into());
    let key = world.administrator.create_key(&waiting, &directory("test"), MINUTE).await.unwrap();
    let purpose = opaque(Scheme::Ed25519, b"one");
    let short = Asked {
        within: Duration::from_secs(2),
        nonce: Some("a-nonce-of-its-own".into()),
        ..Asked::default()
    };
    let (late, cancelled) = tokio::join!(world.requester.sign(&key, &purpose, &short), async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let id = RequestId::of(
            &world.callers.named("payments").unwrap().keys[0].id(),
            "a-nonce-of-its-own",
        );
        world.requester.cancel(id).await.unwrap();
        world.requester.request(id).await.unwrap().state
    });
    assert_eq!(
        (late, cancelled),
        (Err(ClientError::Ended(RequestState::Cancelled)), RequestState::Cancelled)
    );

    let key = world
        .administrator
        .create_key(&spec(Scheme::Ed25519), &directory("test"), MINUTE)
        .await
        .unwrap();
    let denied = Asked { on_behalf: Some("mallory".into()), ..Asked::default() };
    let Err(ClientError::Problem(problem)) = world.requester.sign(&key, &purpose, &denied).await
    else {
        panic!()
    };
    assert_eq!(
        (problem.reason(), problem.policy.as_deref()),
        (Some(Reason::PolicyDenied), Some("people"))
    );
    let Err(ClientError::Problem(problem)) =
        world.requester.change(key.id(), &Change::Disable, MINUTE).await
    else {
        panic!()
    };
    assert_eq!(problem.reason(), Some(Reason::RoleMissing));
    let wrong =
        world.requester.sign(&key, &opaque(Scheme::EcdsaP256, b"one"), &Asked::default()).await;
    assert!(matches!(wrong, Err(ClientError::Key(_))));
    let malformed = Asked { nonce: Some("short".into()), ..Asked::default() };
    assert!(matches!(
        world.requester.sign(&key, &purpose, &malformed).await,
        Err(ClientError::Request(_))
    ));
}

#[tokio::test]
async fn keys_are_changed_listed_and_audited() {
    let world = world().await;
    let key = world
        .administrator
        .create_key(&spec(Scheme::Ed25519), &directory("test"), MINUTE)
        .await
        .unwrap()
        .id();
    let deletion = ScheduleDeletion { at: 5 };
    let reshare =
        custody_core::Reshare { threshold: 3, members: (1..=4).map(common::party).collect() };
    let changes = [
        (Change::Disable, KeyCondition::Disabled),
        (Change::Enable, KeyCondition::Enabled),
        (Change::ScheduleDeletion(deletion), KeyCondition::DeletionScheduled),
        (Change::CancelDeletion, KeyCondition::Disabled),
        (Change::Refresh, KeyCondition::Disabled),
        (Change::Reshare(reshare), KeyCondition::Disabled),
        (Change::Replenish(custody_core::Replenish { count: 9 }), KeyCondition::Disabled),
    ];
    for (change, state) in changes {
        world.administrator.change(key, &change, MINUTE).await.unwrap();
        assert_eq!(world.administrator.key(key).await.unwrap().state, state, "{change:?}");
    }
    let list = world.requester.keys(None).await.unwrap();
    assert_eq!((list.keys[0].epoch, list.keys[0].stock, list.keys[0].spec.threshold), (2, 9, 3));
    assert!(world.requester.keys(Some(key)).await.unwrap().keys.is_empty());
    let log = world.administrator.audit(common::party(1), None).await.unwrap();
    assert_eq!(log.lines().count(), 8);
    assert_eq!(
        world.administrator.audit(common::party(1), Some(6)).await.unwrap().lines().count(),
        1
    );
}

/// A service that is busy at first, and remembers what came.
struct Flaky {
    fake: Arc<Fake>,
    failures: AtomicUsize,
    seen: Arc<Mutex<Vec<RequestId>>>,
}

impl Service for Flaky {
    fn callers(&self) -> Arc<Callers> {
        self.fake.callers()
    }
    fn now(&self) -> u64 {
        self.fake.now()
    }
    fn submit(&self, request: SignedRequest, verified: Verified) -> Reply<'_, RequestDescription> {
        self.seen.lock().unwrap().push(verified.id);
        if self
            .failures
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
            .is_ok()
        {
            return Box::pin(async { Err(Refusal::new(Reason::NotEnoughStock, "later")) });
        }
        self.fake.submit(request, verified)
    }
    fn keys(&self, page: Page<KeyId>) -> Reply<'_, KeyList> {
        self.fake.keys(page)
    }
    fn key(&self, key: KeyId, child: Option<Child>) -> Reply<'_, KeyDescription> {
        self.fake.key(key, child)
    }
    fn requests(&self, page: Page<RequestId>) -> Reply<'_, RequestList> {
        self.fake.requests(page)
    }
    fn request(&self, request: RequestId, wait: u16) -> Reply<'_, RequestDescription> {
        self.fake.request(request, wait)
    }
    fn audit(&self, node: PartyId, request: SignedRequest) -> Reply<'_, Vec<String>> {
        self.fake.audit(node, request)
    }
}

#[tokio::test]
async fn request_is_repeated_under_the_same_nonce() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let remember = Arc::clone(&seen);
    let world =
        world_with(|fake| Arc::new(Flaky { fake, failures: AtomicUsize::new(2), seen: remember }))
            .await;
    let key = world
        .administrator
        .create_key(&spec(Scheme::Ed25519), &directory("test"), MINUTE)
        .await
        .unwrap();
    let made = seen.lock().unwrap().clone();
    assert_eq!((made.len(), made.iter().all(|id| *id == made[0])), (3, true));
    world.requester.sign(&key, &opaque(Scheme::Ed25519, b"one"), &Asked::default()).await.unwrap();
    assert_eq!(seen.lock().unwrap().len(), 4);
    let log = world.administrator.audit(common::party(1), None).await.unwrap();
    assert_eq!(log.lines().count(), 2, "one key, one signature");
}

#[tokio::test]
async fn unreachable_service_is_an_error_at_the_deadline() {
    let world = world().await;
    let address = world.server.address();
    world.server.stop().await;
    let client = Client::new(
        Endpoint::plain(&format!("http://{address}")).unwrap(),
        CallerSecret::generate().unwrap(),
        "test",
    );
    static TOLD: AtomicUsize = AtomicUsize::new(0);
    let client = client.on_delay(|why| {
        assert!(why.to_string().contains("Connection refused"), "{why}");
        TOLD.fetch_add(1, Ordering::Relaxed);
    });
    let refused =
        client.change(KeyId::new([1; 32]), &Change::Refresh, Duration::from_millis(1500)).await;
    assert!(matches!(refused, Err(ClientError::Unreachable(_))), "{refused:?}");
    assert_eq!(TOLD.load(Ordering::Relaxed), 1, "once, and at once");
}

#[tokio::test]
async fn error_page_of_a_proxy_is_no_answer_of_the_service() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            assert!(stream.read(&mut [0; 4096]).await.unwrap() > 0);
            let page =
                b"HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\ncontent-length: 4\r\n\r\noops";
            stream.write_all(page).await.unwrap();
        }
    });
    let secret = CallerSecret::generate().unwrap();
    let client = Client::new(Endpoint::plain(&base).unwrap(), secret, "test");
    let refused =
        client.change(KeyId::new([1; 32]), &Change::Refresh, Duration::from_secs(1)).await;
    assert_eq!(refused, Err(ClientError::Unreachable("status 502 Bad Gateway".into())));
}

#[tokio::test]
async fn service_that_does_not_answer_is_an_error_at_the_deadline() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let secret = CallerSecret::generate().unwrap();
    let client = Client::new(Endpoint::plain(&base).unwrap(), secret, "test");
    let change = client.change(KeyId::new([1; 32]), &Change::Refresh, Duration::from_secs(1));
    let refused = tokio::time::timeout(Duration::from_secs(5), change).await.unwrap();
    assert!(matches!(refused, Err(ClientError::Unreachable(_))), "{refused:?}");
}

#[test]
fn secrets_survive_pem_and_are_not_printed() {
    let p256 = "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgv7zxW56ojrWwmSo1\n\
        4uOdbVhUfj9Jd+5aZIB9u8gtWnihRANCAARGYsMe0CT6pIypwRvoJlLNs4+cTh2K\nL7fUNb5i6WbKxkpAoO+6T3pMBG5Yw7+8NuGTvvtrZAXduA2giPxQ8zCf\n\
        -----END PRIVATE KEY-----\n";
    for secret in [CallerSecret::generate().unwrap(), CallerSecret::from_pem(p256).unwrap()] {
        let again = CallerSecret::from_pem(&secret.to_pem().unwrap()).unwrap();
        assert_eq!(again.public(), secret.public());
        assert_eq!(format!("{secret:?}"), format!("CallerSecret({})", secret.public().id()));
    }
    let public = CallerSecret::generate().unwrap().public().to_pem();
    for pem in ["", &public] {
        assert!(matches!(CallerSecret::from_pem(pem), Err(ClientError::Secret(_))));
    }
}

#[test]
fn addresses_with_a_path_or_another_scheme_are_refused() {
    for base in [
        "",
        "custody.example",
        "https://custody.example",
        "http://custody.example/v1",
        "http://a?b=c",
    ] {
        assert!(matches!(Endpoint::plain(base), Err(ClientError::Endpoint(_))), "{base}");
    }
    assert!(Endpoint::plain("http://localhost:8080/").is_ok());
    assert!(Endpoint::tls("http://custody.example", b"").is_err());
    assert!(
        Endpoint::tls(
            "https://custody.example",
            b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
        )
        .is_err()
    );
}

#[tokio::test]
async fn pinned_key_survives_json() {
    let world = world().await;
    let key = world
        .administrator
        .create_key(&spec(Scheme::EcdsaP256), &directory("test"), MINUTE)
        .await
        .unwrap();
    let json = serde_json::to_string(&key).unwrap();
    assert_eq!(serde_json::from_str::<PinnedKey>(&json).unwrap(), key);
}

#[tokio::test]
async fn service_is_reached_over_tls_and_under_its_roots_alone() {
    let [own, other] =
        [(); 2].map(|()| rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap());
    let pem = |certified: &rcgen::CertifiedKey<rcgen::KeyPair>| certified.cert.pem();
    let config =
        custody_http::tls(pem(&own).as_bytes(), own.signing_key.serialize_pem().as_bytes(), None)
            .unwrap();
    let ([requester, ..], callers) = common::secrets();
    let server =
        common::serve(Fake::at(common::now, callers, common::Real::new().0), Some(config)).await;
    let base = format!("https://localhost:{}", server.address().port());
    let pem_of_caller = requester.to_pem().unwrap();
    let client = |roots: &str| {
        let secret = CallerSecret::from_pem(&pem_of_caller).unwrap();
        Client::new(Endpoint::tls(&base, roots.as_bytes()).unwrap(), secret, "test")
    };
    assert!(client(&pem(&own)).keys(None).await.unwrap().keys.is_empty());
    let stranger = client(&pem(&other));
    // At once: a certificate that is not trusted stays so.
    let refused = tokio::time::timeout(Duration::from_secs(10), stranger.keys(None)).await;
    let why = refused.unwrap().unwrap_err();
    assert!(matches!(&why, ClientError::Endpoint(why) if why.contains("certificate")), "{why}");
}
