//! A requester at a gateway that lies about keys.
#![allow(
    clippy::unwrap_used,
    clippy::integer_division_remainder_used,
    clippy::unwrap_in_result,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[path = "common/world.rs"]
mod world;

use core::net::{Ipv4Addr, SocketAddr};
use core::time::Duration;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, LazyLock};
use std::thread;

use ed25519_dalek::SigningKey;
use quorate::PartyId;
use quorate_cggmp::{DerivationPath, PublicKeyPackage, Secp256k1};
use quorate_custody::caller::{Caller, Signer};
use quorate_custody::directory::Directory;
use quorate_custody::gateway::ask::{Ask, KeyView, Snapshot, State, Submitted};
use quorate_custody::http::api::Api;
use quorate_custody::http::form::hex;
use quorate_custody::http::keys::{KeyForm, StatementForm};
use quorate_custody::http::probes::Probes;
use quorate_custody::http::{Listen, Server};
use quorate_custody::metrics::{Health, Metrics};
use quorate_custody::node::Node;
use quorate_custody::orders::{KINDS, Kind};
use quorate_custody::request::Scheme;
use quorate_custody::trust::{Doubt, KnownKey, Proof, Trust};
use world::{World, id, signature};

const MESSAGE: &[u8] = b"pay 3 to Alice";

/// Keys of both schemes that three nodes hold, with their statements.
struct Keys {
    ecdsa: KeyView,
    ed25519: KeyView,
    directory: Directory,
    /// A signature of [`MESSAGE`] with the key for Ed25519.
    signature: Vec<u8>,
}

impl Keys {
    fn make(name: &str) -> Self {
        let mut world = World::new(name, &[]);
        // Keys need no primes.
        for node in 1..=3 {
            let rules = Box::new(world.rules.clone());
            let started = Node::start(world.node_config(node), rules).unwrap();
            let kinds = KINDS.into_iter().filter(|kind| *kind != Kind::AuxInfo);
            world.nodes.insert(id(node), Some(started.work_on(kinds)));
        }
        world.config.keys = Scheme::ALL.to_vec();
        world.open_gateway();
        world.until("keys that all nodes state", |world| {
            let keys = world.keys();
            keys.len() == 2 && keys.iter().all(|key| key.stated.len() == 3)
        });
        let key = world.key(Scheme::Ed25519);
        let signature = signature(world.sign(1, &key, MESSAGE));
        let (ecdsa, ed25519) = (world.key(Scheme::Ecdsa), world.key(Scheme::Ed25519));
        Self { ecdsa, ed25519, directory: world.directory(), signature }
    }

    fn of(&self, scheme: Scheme) -> &KeyView {
        match scheme {
            Scheme::Ecdsa => &self.ecdsa,
            Scheme::Ed25519 => &self.ed25519,
        }
    }

    fn trust(&self) -> Trust {
        Trust::directory(self.directory.clone(), 2)
    }

    fn known(&self, scheme: Scheme) -> KnownKey {
        self.trust().believe(&KeyForm::new(self.of(scheme))).unwrap()
    }
}

/// The nodes of the directory, and others that the gateway has at hand.
static OURS: LazyLock<Keys> = LazyLock::new(|| Keys::make("caller"));
static THEIRS: LazyLock<Keys> = LazyLock::new(|| Keys::make("stranger"));

fn path(text: &str) -> DerivationPath {
    text.parse().unwrap()
}

/// The number of nodes that state the key, the number that have to, and the faults of the others.
fn too_few(doubt: &Doubt) -> (usize, usize, String) {
    let Doubt::TooFew { stated, need, differ, .. } = doubt else { panic!("{doubt}") };
    (*stated, *need, differ.join("; "))
}

#[test]
fn a_key_that_the_nodes_state_is_believed_and_its_children_are_derived() {
    for scheme in Scheme::ALL {
        let (shown, known) = (OURS.of(scheme), OURS.known(scheme));
        assert_eq!((known.key.key, &known.key.public_key), (shown.id, &shown.public_key));
        assert_eq!(known.proof, Proof::Nodes((1..=3).map(id).collect::<Vec<PartyId>>()));
        assert!(known.verified_by().contains("nodes 1, 2, 3 of the directory"));
        assert_eq!(known.doubts, Vec::<String>::new());
    }
    let info = PublicKeyPackage::<Secp256k1>::from_bytes(&OURS.ecdsa.public).unwrap();
    let child = info.derive(&path("m/0/7")).unwrap();
    let signer = OURS.known(Scheme::Ecdsa).signer(&path("m/0/7")).unwrap();
    assert_eq!(signer.public_key, child.verifying_key().as_bytes());
    let none = OURS.known(Scheme::Ed25519).signer(&path("m/0/7"));
    assert_eq!(none, Err(Doubt::NoChild(path("m/0/7"))));
}

#[test]
fn a_strangers_key_under_the_name_of_another_is_caught() {
    for scheme in Scheme::ALL {
        let (ours, theirs) = (OURS.of(scheme), THEIRS.of(scheme));
        let form = KeyForm { id: hex(&ours.id.0), ..KeyForm::new(theirs) };
        for trust in [OURS.trust(), Trust::name(ours.id)] {
            let doubt = trust.believe(&form).unwrap_err();
            assert_eq!(doubt, Doubt::Name { shown: ours.id, got: theirs.id });
            let text = doubt.to_string();
            assert!(text.contains(&hex(&ours.id.0)) && text.contains(&hex(&theirs.id.0)), "{text}");
        }
    }
}

#[test]
fn a_strangers_key_under_its_own_name_is_not_believed() {
    for scheme in Scheme::ALL {
        let (ours, theirs) = (OURS.of(scheme), THEIRS.of(scheme));
        // With the statements of strangers. They have the numbers of the nodes but not their keys.
        let form = KeyForm::new(theirs);
        let (stated, need, differ) = too_few(&OURS.trust().believe(&form).unwrap_err());
        assert_eq!((stated, need), (0, 2));
        assert!(differ.contains("node 3 has not signed the statement under its name"), "{differ}");
        // With the nodes' statements of their own key.
        let form = KeyForm { stated: KeyForm::new(ours).stated, ..form };
        let (stated, _, differ) = too_few(&OURS.trust().believe(&form).unwrap_err());
        let [own, other] = [hex(&ours.public_key), hex(&theirs.public_key)];
        let said = format!("node 1 states the public key {own}, the gateway shows {other}");
        assert!(stated == 0 && differ.contains(&said), "{differ}");
        // With statements that name the stranger's key and bear the nodes' signatures of theirs.
        let forged = |one: &StatementForm| StatementForm {
            key_id: hex(&theirs.id.0),
            public_key: other.clone(),
            ..one.clone()
        };
        let stated = form.stated.iter().map(forged).collect();
        let doubt = OURS.trust().believe(&KeyForm { stated, ..form.clone() }).unwrap_err();
        assert_eq!(too_few(&doubt).0, 0);
        // Nor is it the one that is meant.
        let doubt = Trust::name(ours.id).believe(&form).unwrap_err();
        assert_eq!(doubt, Doubt::Other { expected: ours.id, got: theirs.id });
    }
}

/// A key with another chain code has the same name.
#[test]
fn another_chain_code_is_caught_and_children_need_statements() {
    let info = PublicKeyPackage::<Secp256k1>::from_bytes(&OURS.ecdsa.public).unwrap();
    let other = info.shift(&Default::default(), [9; 32]).unwrap();
    let form = KeyForm { public: hex(&other.to_bytes()), ..KeyForm::new(&OURS.ecdsa) };
    let (stated, _, differ) = too_few(&OURS.trust().believe(&form).unwrap_err());
    assert!(stated == 0 && differ.contains(&format!("the gateway shows {}", "09".repeat(32))));
    assert!(differ.contains("node 2 states the chain code"), "{differ}");

    let known = Trust::name(OURS.ecdsa.id).believe(&form).unwrap();
    assert_eq!(known.proof, Proof::Name);
    assert!(known.verified_by().contains("its name alone, without a directory"));
    assert_eq!(known.signer(&path("m")).unwrap().public_key, OURS.ecdsa.public_key);
    assert_eq!(known.signer(&path("m/0")), Err(Doubt::ChildByName));
}

#[test]
fn fewer_nodes_than_a_threshold_are_not_enough() {
    let all = KeyForm::new(&OURS.ed25519);
    let some =
        |stated: Vec<StatementForm>| OURS.trust().believe(&KeyForm { stated, ..all.clone() });
    let [one, two, three] = [0, 1, 2].map(|at| all.stated[at].clone());
    assert_eq!(
        some(vec![one.clone(), three.clone()]).unwrap().proof,
        Proof::Nodes(vec![id(1), id(3)])
    );
    // One node twice, under its own number or another's, is one node.
    let renamed = StatementForm { node: 2, ..one.clone() };
    for stated in [
        vec![],
        vec![one.clone()],
        vec![one.clone(), one.clone()],
        vec![one.clone(), renamed.clone()],
    ] {
        let few = stated.len().min(1);
        assert_eq!(too_few(&some(stated).unwrap_err()).0, few);
    }
    let unknown = StatementForm { node: 9, ..one.clone() };
    let text = some(vec![one.clone(), unknown]).unwrap_err().to_string();
    assert!(text.contains("1 nodes of the directory state"), "{text}");
    assert!(text.contains("2 have to; node 9 is not in the directory"), "{text}");
    // One that lies does not stand in the others' way, and is named.
    let known = some(vec![one.clone(), renamed, three.clone()]).unwrap();
    assert_eq!(known.doubts.len(), 1);
    assert!(known.doubts[0].starts_with("node 2 has not signed"), "{:?}", known.doubts);
    // The requester's own threshold, if it is higher than the key's.
    let four = Trust::directory(OURS.directory.clone(), 4);
    let doubt = four.believe(&KeyForm { stated: vec![one, two, three], ..all }).unwrap_err();
    assert_eq!((too_few(&doubt).0, too_few(&doubt).1), (3, 4));
}

/// A gateway with these keys, which answers every request with this signature and public key.
fn serve(keys: Vec<KeyView>, signature: &[u8], public_key: &[u8]) -> Server {
    let (send, asks) = channel();
    let snapshot = Snapshot { keys, ready: true, ..Snapshot::default() };
    let signed = State::Signed { signature: signature.into(), public_key: public_key.into() };
    thread::spawn(move || core(&asks, &snapshot, &signed));
    let (health, metrics) = (Arc::new(Health::new()), Arc::new(Metrics::new()));
    let api = Api::new(Arc::new(move |ask| send.send(ask).is_ok()), Probes { metrics, health });
    let here = Listen {
        address: SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 0),
        beyond_this_machine: false,
    };
    Server::start(here, api.router(), api.watch()).unwrap()
}

fn core(asks: &Receiver<Ask>, snapshot: &Snapshot, signed: &State) {
    for ask in asks {
        match ask {
            Ask::Snapshot(reply) => reply.send(Box::new(snapshot.clone())),
            Ask::Submit(_, reply) => reply.send(Submitted::Taken(signed.clone())),
            _ => {}
        }
    }
}

/// The answer to a requester that has this signed.
fn ask(server: &Server, signer: &Signer, verify: bool) -> Result<Vec<u8>, String> {
    let mut caller = Caller::new(server.address(), &SigningKey::from_bytes(&[3; 32]));
    let signed = run(caller.sign(signer, MESSAGE, verify));
    signed.map(|signed| signed.public_key).map_err(|why| why.to_string())
}

fn run<T>(task: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(task)
}

#[test]
fn a_signature_under_another_key_than_the_derived_one_is_refused() {
    let root = OURS.known(Scheme::Ed25519).signer(&path("m")).unwrap();
    let server = serve(vec![], &OURS.signature, &root.public_key);
    assert_eq!(ask(&server, &root, true), Ok(root.public_key.clone()));
    server.stop();

    // A good signature of a stranger, for a key and for a child key.
    let stranger = &THEIRS.ed25519.public_key;
    let child = OURS.known(Scheme::Ecdsa).signer(&path("m/0/7")).unwrap();
    for (signer, shown) in [(&root, stranger), (&child, &OURS.ecdsa.public_key), (&child, stranger)]
    {
        let server = serve(vec![], &THEIRS.signature, shown);
        for verify in [true, false] {
            let why = ask(&server, signer, verify).unwrap_err();
            let [expected, got] = [hex(&signer.public_key), hex(shown)];
            assert_eq!(why, format!("another key has signed: expected {expected}, got {got}"));
        }
        server.stop();
    }
    let server = serve(vec![], &THEIRS.signature, &root.public_key);
    assert_eq!(ask(&server, &root, true), Err("the signature does not verify".to_owned()));
    server.stop();
}

#[test]
fn a_requester_takes_no_key_from_a_gateway_that_lies() {
    let known = |keys: Vec<KeyView>, trust: &Trust| {
        let server = serve(keys, &[], &[]);
        let mut caller = Caller::new(server.address(), &SigningKey::from_bytes(&[3; 32]));
        // The gateway shows nothing before it has looked at its core for the first time.
        let known = run(async {
            loop {
                match caller.known(trust, |scheme| scheme == Scheme::Ed25519).await {
                    Ok(none) if none.is_empty() => {
                        tokio::time::sleep(Duration::from_millis(5)).await
                    }
                    known => return known,
                }
            }
        });
        server.stop();
        known.map_err(|why| why.to_string())
    };
    let trust = OURS.trust().waiting(Duration::ZERO);
    let both = vec![OURS.ecdsa.clone(), OURS.ed25519.clone()];
    assert_eq!(known(both, &trust).unwrap()[0].key.key, OURS.ed25519.id);
    let why = known(vec![THEIRS.ed25519.clone()], &trust).unwrap_err();
    assert!(why.contains("0 nodes of the directory state the key"), "{why}");
    let renamed = KeyView { id: OURS.ed25519.id, ..THEIRS.ed25519.clone() };
    for trust in [trust, Trust::name(OURS.ed25519.id)] {
        let why = known(vec![renamed.clone()], &trust).unwrap_err();
        assert!(why.contains("shows another key under the name"), "{why}");
    }
}
