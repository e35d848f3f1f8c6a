//! Rows as a runner's store, one runner of every task over them, and the numbers of schemes.

use core::panic::AssertUnwindSafe;
use core::sync::atomic::{AtomicBool, Ordering};
use std::collections::{BTreeMap, HashSet};
use std::panic::catch_unwind;
use std::sync::{Arc, Mutex};

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng as _;
use quorate::PartyId;
use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::generic::{Dkg, DkgParams};
use quorate::runner::{self, app_fn};
use quorate::session as inner;
use quorate::session::zeroize::Zeroizing;
use quorate_ffi::row_store::RowStore;
use quorate_ffi::{
    Continuity, ErrorKind, Job, KeyShare, MlDsaLevel, Outcome, QuorateError, Received, Rows,
    Runner, Scheme, SealKey, Session, ShareState, SigningSession, Started, Task, Tasks,
};
use quorate_runner::testing::{conformance, conformance_at_once};

use crate::ecdsa::{AUX, signed as signed_with};
use crate::network::{ALL, Memory, Network, job};
use crate::support::{Table, key, kind, seal_key};
use crate::{frost, mldsa};

#[test]
fn rows_keep_the_contract_of_a_store() {
    let rows: Mutex<Vec<Arc<Memory>>> = Mutex::default();
    let make = || {
        let new = Arc::new(Memory::default());
        rows.lock().unwrap().push(Arc::clone(&new));
        RowStore::new(new)
    };
    // Nothing is in memory but the rows.
    let reopen = |_| RowStore::new(rows.lock().unwrap().last().unwrap().clone());
    conformance(make, reopen).unwrap();
}

#[test]
fn several_callers_keep_the_contract_on_the_same_rows() {
    let make = || {
        let rows = Arc::new(Memory::default());
        move || RowStore::new(Arc::clone(&rows) as Arc<dyn Rows>)
    };
    conformance_at_once(make).unwrap();
}

#[test]
fn a_scheme_has_the_number_of_its_family_in_every_stored_form() {
    let mut numbers = HashSet::new();
    for scheme in frost::SCHEMES.into_iter().chain([Scheme::EcdsaP256, Scheme::EcdsaSecp256k1]) {
        let share = &key(80, scheme)[&1];
        // The eighth byte of a container is the code of the family.
        let public = share.public().unwrap().to_bytes().unwrap();
        assert_eq!(public[7], scheme as u8, "{scheme:?}");
        assert!(numbers.insert(scheme as u8));
    }
    let levels = [MlDsaLevel::MlDsa44, MlDsaLevel::MlDsa65, MlDsaLevel::MlDsa87];
    assert_eq!(levels.map(|level| level as u8), [44, 65, 87]);
}

fn shares(ends: BTreeMap<u16, Outcome>) -> BTreeMap<u16, Arc<KeyShare>> {
    let share = |(me, outcome)| match outcome {
        Outcome::KeyMade { share } => (me, share),
        _ => panic!("no key"),
    };
    ends.into_iter().map(share).collect()
}

/// The task of each signer that exchanges signature shares.
fn exchange(shares: &BTreeMap<u16, Arc<KeyShare>>, message: &[u8]) -> impl Fn(u16) -> Task {
    let nonces: BTreeMap<u16, _> = [1, 3].map(|me| (me, shares[&me].commit().unwrap())).into();
    let sent = nonces.iter().map(|(me, one)| Received { sender: *me, bytes: one.commitments() });
    let public = shares[&1].public().unwrap();
    let session =
        SigningSession::start(Arc::clone(&public), sent.collect(), message.to_vec()).unwrap();
    let package = session.package().unwrap();
    let shares = shares.clone();
    move |me| {
        let nonces = Arc::clone(&nonces[&me]);
        let signature_share = shares[&me].sign(Arc::clone(&package), nonces).unwrap();
        let (public, package) = (Arc::clone(&public), Arc::clone(&package));
        Task::ExchangeShares { public, package, signature_share }
    }
}

#[test]
fn one_runner_makes_every_key_presigns_and_signs_through_restarts() {
    let mut network = Network::new();
    let schemes = [Scheme::FrostEd25519, Scheme::FrostTaproot, Scheme::EcdsaSecp256k1];
    let number = |scheme: Scheme| 100 + scheme as u8;
    let keygen =
        |scheme| network.order(number(scheme), &ALL, |_| Task::Keygen { scheme, threshold: 2 });
    let jobs = schemes.map(keygen);
    // Every party may stop between any two turns.
    let [ed25519, taproot, ecdsa] = network.run(jobs, Network::restart).map(shares);
    for (share, scheme) in [&ed25519, &taproot, &ecdsa].into_iter().zip(schemes) {
        let share = &share[&2];
        assert_eq!(
            (share.scheme(), share.id(), share.state()),
            (scheme, Ok(2), Ok(ShareState::Ready))
        );
    }

    let presign = network.order(90, &[1, 3], |me| Task::PresignMany {
        share: Arc::clone(&ecdsa[&me]),
        aux: Arc::clone(&AUX[&me]),
        count: 2,
    });
    let signed = [&ed25519, &taproot];
    let sign = [91, 92].map(|number| {
        let shares = signed[usize::from(number) - 91];
        network.order(number, &[1, 3], exchange(shares, b"message"))
    });
    let [first, second] = sign;
    network.turn();
    network.restart();
    let [presigned, first, second] = network.run([presign, first, second], |_| {});
    for (shares, ends) in signed.into_iter().zip([first, second]) {
        for outcome in ends.into_values() {
            let Outcome::Signed { signature } = outcome else { panic!("no signature") };
            shares[&2].public().unwrap().verify(b"message".to_vec(), signature.bytes).unwrap();
        }
    }
    let presignature = |(me, outcome)| match outcome {
        Outcome::Presigned { presignatures } => (me, Arc::clone(&presignatures[1])),
        _ => panic!("no presignatures"),
    };
    signed_with(&ecdsa, presigned.into_iter().map(presignature).collect(), "m/0/7");
}

/// Tasks of every kind for party 1 of a key.
fn life_of(share: &Arc<KeyShare>) -> Vec<(Vec<u16>, Task)> {
    let public = || share.public().unwrap();
    let (dealers, committee, threshold) = (vec![1, 2], ALL.to_vec(), 2);
    let (share, helpers) = (Some(Arc::clone(share)), vec![1, 2]);
    vec![
        (ALL.to_vec(), Task::Keygen { scheme: public().scheme(), threshold: 2 }),
        (
            ALL.to_vec(),
            Task::Reshare { public: public(), share: share.clone(), dealers, committee, threshold },
        ),
        (ALL.to_vec(), Task::Repair { public: public(), share: share.clone(), helpers, target: 3 }),
        (
            ALL.to_vec(),
            Task::Acknowledge { sealed: share.unwrap().seal(seal_key()).unwrap(), key: seal_key() },
        ),
    ]
}

#[test]
fn every_task_starts_on_one_runner() {
    let network = Network::new();
    let mut tasks = vec![
        (vec![1, 2], Task::CarryAuxInfo { aux: Arc::clone(&AUX[&1]) }),
        (ALL.to_vec(), Task::MlDsaKeygen { level: MlDsaLevel::MlDsa44, threshold: 2 }),
    ];
    for scheme in frost::SCHEMES {
        let shares = key(110, scheme);
        tasks.extend(life_of(&shares[&1]));
        tasks.push((vec![1, 3], exchange(&shares, b"message")(1)));
    }
    for scheme in [Scheme::EcdsaP256, Scheme::EcdsaSecp256k1] {
        let share = &key(110, scheme)[&1];
        tasks.extend(life_of(share));
        let parts = || (Arc::clone(share), Arc::clone(&AUX[&1]));
        let (share, aux) = parts();
        tasks.push((vec![1, 2], Task::Presign { share, aux }));
        let (share, aux) = parts();
        tasks.push((vec![1, 2], Task::PresignMany { share, aux, count: 2 }));
        let (share, aux) = parts();
        tasks.push((vec![1, 2], Task::SignDigest { share, aux, digest: vec![5; 32] }));
    }
    let number = u8::try_from(tasks.len()).unwrap();
    let shares = mldsa::key(111, MlDsaLevel::MlDsa44);
    let attempt = mldsa::attempt(&shares[&1], 0, number, b"message", Table::new()).unwrap();
    tasks.push((vec![1, 3], Task::MlDsaSign { attempt }));
    for (number, (parties, task)) in (0..).zip(tasks) {
        network.knows(0, number, task);
        let job = job(number, &parties, number);
        let started = network.runners[0].start(job.clone(), network.now);
        assert!(matches!(started, Ok(Started::Begun)), "task {number}");
        // What is known to have started needs no task.
        network.forgets(0, number);
        let started = network.runners[0].start(job, network.now);
        assert!(matches!(started, Ok(Started::Running)), "task {number}");
    }
}

const KEYGEN: Task = Task::Keygen { scheme: Scheme::FrostEd25519, threshold: 2 };

#[test]
fn a_refused_start_under_the_name_of_an_open_run_loses_no_result() {
    let mut network = Network::new();
    let order = network.order(83, &ALL, |_| KEYGEN);
    for at in 0..3 {
        network.knows(at, 84, Task::Keygen { scheme: Scheme::EcdsaP256, threshold: 2 });
        let other = network.runners[at].start(job(83, &ALL, 84), network.now);
        assert_eq!(kind(other), ErrorKind::Arguments);
    }
    let [ends] = network.run([order], |_| {});
    assert_eq!(shares(ends).len(), 3);
}

#[test]
fn a_job_without_a_task_or_past_its_deadline_is_refused() {
    let network = Network::new();
    let start = |body, now| network.runners[0].start(job(85, &ALL, body), now);
    assert_eq!(kind(start(1, 1)), ErrorKind::Arguments);
    network.knows(0, 1, KEYGEN);
    assert_eq!(kind(start(1, 50_000)), ErrorKind::Arguments);
    assert!(matches!(start(1, 1), Ok(Started::Begun)));
    assert!(matches!(start(1, 1), Ok(Started::Running)));
    let junk = vec![Received { sender: 2, bytes: vec![250, 250, 0, 1] }];
    assert_eq!(network.runners[0].turn(junk, 1).unwrap().refused.len(), 1);
}

#[test]
fn a_task_that_panics_leaves_the_runner_usable() {
    struct Panics(AtomicBool);
    impl Tasks for Panics {
        fn task(&self, _: Job) -> Result<Option<Task>, QuorateError> {
            assert!(self.0.swap(true, Ordering::Relaxed), "the first time");
            Ok(Some(KEYGEN))
        }
    }
    let (rows, tasks) = (Arc::new(Memory::default()), Arc::new(Panics(AtomicBool::new(false))));
    let runner = Runner::open(1, seal_key(), rows, tasks, Continuity::NewStore).unwrap();
    let start = || runner.start(job(89, &ALL, 1), 1);
    catch_unwind(AssertUnwindSafe(start)).err().unwrap();
    assert!(matches!(start(), Ok(Started::Begun)));
}

#[test]
fn a_runner_of_the_crate_makes_a_key_with_two_of_the_binding() {
    let mut network = Network::new();
    network.runners.truncate(2);
    let (key, three) = (inner::SealKey::new([9; 32]), PartyId::new(3).unwrap());
    let keygen = app_fn::<Dkg<Ed25519Sha512>, Zeroizing<Vec<u8>>>(
        |_| Some(DkgParams::new(2)),
        |_, end| {
            let key = end.into_output().unwrap();
            Zeroizing::new(key.public.verifying_key().as_bytes().to_vec())
        },
    );
    let builder = runner::Runner::builder(three, Arc::new(key), inner::Continuity::NewStore);
    let builder = builder.protocol::<Dkg<Ed25519Sha512>>();
    let mut rust = builder.open(runner::MemoryStore::new(), keygen).unwrap();
    let order = job(86, &ALL, 86);
    for at in 0..2 {
        network.knows(at, 86, KEYGEN);
        network.runners[at].start(order.clone(), network.now).unwrap();
    }
    let sid = inner::SessionId::new([86; 32]);
    let parties = inner::Parties::numbered(3).unwrap();
    let job = runner::Job { sid, parties, body: Vec::new(), deadline: 50_000 };
    let rng = &mut ChaCha20Rng::from_seed([3; 32]);
    rust.start::<Dkg<Ed25519Sha512>>(&job, network.now, rng).unwrap();
    for _ in 0..20 {
        network.turn();
        for Received { sender, bytes } in core::mem::take(&mut network.mail[2]) {
            let sender = PartyId::new(sender).unwrap();
            let fate = rust.receive(sender, &bytes, network.now).unwrap();
            assert!(!matches!(fate, runner::ReceiveOutcome::Refused(_)), "{fate:?}");
        }
        rust.work(network.now).unwrap();
        for packet in rust.outgoing(network.now, 100).unwrap() {
            let to = usize::from(packet.to.get()) - 1;
            network.mail[to].push(Received { sender: 3, bytes: packet.bytes.to_vec() });
        }
    }
    let theirs = rust.outcome(&job).unwrap().unwrap();
    let two = Job { parties: vec![1, 2], ..order };
    let ours = shares(network.ends(&two).unwrap());
    let verifying_key = ours[&1].public().unwrap().verifying_key().unwrap();
    assert_eq!(*theirs.record_bytes, verifying_key);
}

#[test]
fn rows_that_are_not_known_to_be_the_latest_end_their_runs() {
    let network = Network::new();
    let rows = Arc::new(Memory::default());
    let rows = || Arc::clone(&rows) as Arc<dyn Rows>;
    let tasks = || Arc::clone(&network.tasks[0]) as Arc<dyn Tasks>;
    network.knows(0, 1, KEYGEN);
    network.knows(0, 2, Task::Keygen { scheme: Scheme::EcdsaP256, threshold: 2 });
    let open = |me, key, how| Runner::open(me, key, rows(), tasks(), how);
    let runner = open(1, seal_key(), Continuity::NewStore).unwrap();
    assert!(matches!(runner.start(job(87, &ALL, 1), 1), Ok(Started::Begun)));
    drop(runner);
    assert_eq!(kind(open(1, seal_key(), Continuity::NewStore)), ErrorKind::Arguments);
    assert_eq!(kind(open(2, seal_key(), Continuity::Peers)), ErrorKind::Mismatch);
    let other = SealKey::new(&[1; 32]).unwrap();
    assert_eq!(kind(open(1, other, Continuity::Peers)), ErrorKind::Seal);

    let runner = open(1, seal_key(), Continuity::Unknown).unwrap();
    let turn = runner.turn(Vec::new(), 2).unwrap();
    let [run] = &turn.ended[..] else { panic!("{} runs have ended", turn.ended.len()) };
    let stored = runner.outcome(job(87, &ALL, 1)).unwrap().unwrap();
    for end in [&run.end, &stored] {
        assert!(end.outcome.is_none());
        assert_eq!(kind(Err::<(), _>(end.error.clone().unwrap())), ErrorKind::Discontinued);
        // It still opens, under the same key and for the same task.
        Session::open(end.unopened.clone().unwrap(), seal_key(), KEYGEN).unwrap();
    }
    // A run that begins afterwards continues.
    assert!(matches!(runner.start(job(88, &ALL, 2), 3), Ok(Started::Begun)));
    assert!(matches!(runner.start(job(88, &ALL, 2), 3), Ok(Started::Running)));
}
