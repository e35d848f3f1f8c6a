//! Objects that are used twice, from two threads, with the wrong partner, or altered.

use std::sync::Arc;
use std::thread;

use quorate_ffi::{
    Continuity, ErrorKind, FrameFate, KeyShare, Level, NonceStock, Outcome, Progress,
    PublicKeyPackage, QuorateError, Received, Scheme, SealKey, Session, ShareState, SigningPackage,
    SigningSession, Task,
};

use crate::frost::{SCHEMES, sign};
use crate::support::{Broken, Table, deliver, key, kind, round, run, seal_key, session_id, start};

const KEYGEN: Task = Task::Keygen { scheme: Scheme::FrostEd25519, threshold: 2 };

fn package(
    of: [&Arc<KeyShare>; 2],
    commitments: [Vec<u8>; 2],
    message: &[u8],
) -> Arc<SigningSession> {
    let sent = of.into_iter().zip(commitments);
    let sent = sent.map(|(share, bytes)| Received { sender: share.id().unwrap(), bytes });
    let public = of[0].public().unwrap();
    SigningSession::start(public, sent.collect(), message.to_vec()).unwrap()
}

#[test]
fn nonces_sign_once_from_however_many_threads() {
    let shares = key(60, Scheme::FrostEd25519);
    let (one, two) = (&shares[&1], &shares[&2]);
    for _ in 0..20 {
        let nonces = [one.commit().unwrap(), two.commit().unwrap()];
        let session =
            package([one, two], [nonces[0].commitments(), nonces[1].commitments()], b"once");
        let package = session.package().unwrap();
        let sign = || one.sign(Arc::clone(&package), Arc::clone(&nonces[0]));
        let results = thread::scope(|scope| {
            let threads = [0; 4].map(|_| scope.spawn(sign));
            threads.map(|thread| thread.join().unwrap())
        });
        assert_eq!(results.iter().filter(|one| one.is_ok()).count(), 1);
        for result in results.into_iter().filter(Result::is_err) {
            assert_eq!(kind(result), ErrorKind::Consumed);
        }
    }
}

#[test]
fn a_session_ends_once_from_however_many_threads() {
    let sessions = start(61, &[1, 2, 3], |_| KEYGEN);
    assert!(!round(&sessions) && !round(&sessions));
    deliver(&sessions);
    let results = thread::scope(|scope| {
        let threads = [0; 4].map(|_| scope.spawn(|| sessions[0].advance()));
        threads.map(|thread| thread.join().unwrap())
    });
    assert_eq!(results.iter().filter(|one| one.is_ok()).count(), 1);
    let outcome = sessions[0].outcome();
    assert!(matches!(outcome, Ok(Outcome::KeyMade { .. })));
    assert_eq!(kind(sessions[0].outcome()), ErrorKind::Consumed);
    assert_eq!(kind(sessions[0].advance()), ErrorKind::Consumed);
    assert_eq!(kind(sessions[0].give_up()), ErrorKind::Consumed);
    assert_eq!(kind(sessions[0].outgoing()), ErrorKind::Consumed);
    assert_eq!(kind(sessions[0].seal(seal_key())), ErrorKind::Consumed);
    assert_eq!(kind(sessions[0].receive(2, vec![])), ErrorKind::Consumed);
    assert_eq!(kind(sessions[1].outcome()), ErrorKind::NotYet);
    assert_eq!(kind(sessions[1].tombstone()), ErrorKind::NotYet);
}

#[test]
fn a_sealed_session_resumes_and_its_tombstone_does_not() {
    let mut sessions = start(62, &[1, 2, 3], |_| KEYGEN);
    let mut length = 0;
    loop {
        let before = sessions[0].outgoing().unwrap();
        let sealed = sessions[0].seal(seal_key()).unwrap();
        assert!(sealed.length >= length);
        length = sealed.length;
        let other = SealKey::new(&[8; 32]).unwrap();
        assert_eq!(kind(Session::open(sealed.bytes.clone(), other, KEYGEN)), ErrorKind::Seal);
        let task = Task::Keygen { scheme: Scheme::FrostP256, threshold: 2 };
        assert_eq!(kind(Session::open(sealed.bytes.clone(), seal_key(), task)), ErrorKind::Seal);
        sessions[0] = Session::open(sealed.bytes, seal_key(), KEYGEN).unwrap();
        assert_eq!(sessions[0].outgoing().unwrap(), before);
        if round(&sessions) {
            break;
        }
    }
    let tombstone = sessions[0].tombstone().unwrap();
    assert_eq!((tombstone.length, tombstone.run.len()), (u32::MAX, 32));
    assert_eq!(kind(Session::open(tombstone.bytes, seal_key(), KEYGEN)), ErrorKind::Seal);
}

fn culprits(error: QuorateError) -> (ErrorKind, Vec<u16>) {
    let QuorateError::Failed { kind, culprits, check } = error;
    assert!(!check.is_empty());
    (kind, culprits)
}

#[test]
fn who_alters_or_contradicts_a_message_is_named() {
    for contradicts in [false, true] {
        let sessions = start(63, &[1, 2, 3], |_| KEYGEN);
        let sent = sessions[1].outgoing().unwrap().remove(0);
        let mut altered = sent.bytes.clone();
        *altered.last_mut().unwrap() ^= 1;
        sessions[0].receive(2, altered).unwrap();
        if contradicts {
            assert_eq!(sessions[0].receive(2, sent.bytes), Ok(FrameFate::Conflicting));
        }
        let other = sessions[2].outgoing().unwrap().remove(0);
        sessions[0].receive(3, other.bytes).unwrap();
        let error = sessions[0].advance().unwrap_err();
        assert_eq!(culprits(error), (ErrorKind::Misbehaviour, vec![2]));
        // The reason stays, and nothing came out.
        assert_eq!(culprits(sessions[0].outcome().err().unwrap()).1, [2]);
        let blames = sessions[0].blames().unwrap();
        assert_eq!((blames.len(), blames[0].party, blames[0].round), (1, 2, 1));
        assert_eq!(blames[0].frames.len(), if contradicts { 2 } else { 1 });
    }
}

/// A wrong confirmation: `advance` does not throw, so that no caller loses the share.
#[test]
fn a_share_that_lacks_confirmation_is_progress_and_no_error() {
    let sessions = start(67, &[1, 2, 3], |_| KEYGEN);
    assert!(!round(&sessions) && !round(&sessions));
    let mut wrong = sessions[1].outgoing().unwrap().remove(0).bytes;
    *wrong.last_mut().unwrap() ^= 1;
    sessions[0].receive(2, wrong).unwrap();
    sessions[0].receive(3, sessions[2].outgoing().unwrap().remove(0).bytes).unwrap();
    assert_eq!(sessions[0].advance(), Ok(Progress::Unconfirmed));
    let Ok(Outcome::KeyMade { share }) = sessions[0].outcome() else { panic!("no key") };
    assert_eq!(share.state().unwrap(), ShareState::Unconfirmed);
    let reason = sessions[0].reason().unwrap().unwrap();
    assert_eq!(culprits(reason), (ErrorKind::Misbehaviour, vec![2]));
    assert_eq!(sessions[0].blames().unwrap()[0].party, 2);
}

#[test]
fn silence_is_nobodys_fault_and_strangers_are_rejected() {
    let sessions = start(64, &[1, 2, 3], |_| KEYGEN);
    assert_eq!(sessions[0].waiting_for().unwrap(), [2, 3]);
    assert_eq!(sessions[0].round().unwrap(), 1);
    assert_eq!(kind(sessions[0].receive(4, vec![1])), ErrorKind::Rejected);
    assert_eq!(kind(sessions[0].receive(0, vec![1])), ErrorKind::Arguments);
    assert_eq!(kind(sessions[0].receive(2, vec![])), ErrorKind::Rejected);
    let other = start(65, &[1, 2, 3], |_| KEYGEN)[1].outgoing().unwrap().remove(0);
    assert_eq!(kind(sessions[0].receive(2, other.bytes)), ErrorKind::Rejected);
    let rejections = sessions[0].rejections().unwrap();
    assert_eq!((rejections.len(), rejections[0].party, rejections[0].count), (1, 2, 2));
    sessions[0].give_up().unwrap();
    assert_eq!(culprits(sessions[0].outcome().err().unwrap()), (ErrorKind::Missing, vec![]));
    assert!(sessions[0].blames().unwrap().is_empty());
}

#[test]
fn a_key_that_lacks_a_confirmation_is_kept_and_does_not_sign() {
    let sessions = start(66, &[1, 2, 3], |_| KEYGEN);
    assert!(!round(&sessions) && !round(&sessions));
    let shares = [0, 1].map(|at: usize| {
        sessions[at].give_up().unwrap();
        let Ok(Outcome::KeyMade { share }) = sessions[at].outcome() else { panic!("no key") };
        assert_eq!(share.state().unwrap(), ShareState::Unconfirmed);
        share
    });
    let reason = sessions[0].reason().unwrap().unwrap();
    assert_eq!(culprits(reason), (ErrorKind::Missing, vec![]));
    let nonces = shares.each_ref().map(|share| share.commit().unwrap());
    let commitments = nonces.each_ref().map(|one| one.commitments());
    let session = package([&shares[0], &shares[1]], commitments, b"unconfirmed");
    let [first, _] = nonces;
    let refused = shares[0].sign(session.package().unwrap(), first);
    assert_eq!(kind(refused), ErrorKind::Unconfirmed);
    let confirmed = shares.map(|share| share.confirmed().unwrap());
    let signature = sign(&[&confirmed[0], &confirmed[1]], b"confirmed");
    let public = confirmed[0].public().unwrap();
    public.verify(b"confirmed".to_vec(), signature.bytes).unwrap();
}

#[test]
fn things_of_two_schemes_do_not_mix() {
    let (one, other) = (key(67, Scheme::FrostEd25519), key(68, Scheme::FrostP256));
    let nonces = [one[&1].commit().unwrap(), one[&2].commit().unwrap()];
    let session =
        package([&one[&1], &one[&2]], [nonces[0].commitments(), nonces[1].commitments()], b"mixed");
    let package = session.package().unwrap();
    let mixed = other[&1].sign(Arc::clone(&package), Arc::clone(&nonces[0]));
    assert_eq!(kind(mixed), ErrorKind::Mismatch);
    let read = |scheme, bytes| SigningPackage::from_bytes(scheme, bytes);
    assert_eq!(kind(read(Scheme::FrostP256, package.to_bytes().unwrap())), ErrorKind::Encoding);
    assert_eq!(kind(read(Scheme::EcdsaP256, package.to_bytes().unwrap())), ErrorKind::Arguments);
    let public = one[&1].public().unwrap().to_bytes().unwrap();
    assert_eq!(kind(PublicKeyPackage::from_bytes(Scheme::FrostP256, public)), ErrorKind::Encoding);
    let stock = one[&1].precompute(1).unwrap().seal(seal_key()).unwrap();
    assert_eq!(
        kind(NonceStock::open(Scheme::FrostEd448, stock, seal_key(), Continuity::StayedUp)),
        ErrorKind::Seal
    );
    let task = Task::Repair {
        public: one[&1].public().unwrap(),
        share: Some(Arc::clone(&other[&1])),
        helpers: vec![1, 2],
        target: 3,
    };
    assert_eq!(kind(Session::start(session_id(69), 1, vec![1, 2, 3], task)), ErrorKind::Mismatch);
}

#[test]
fn what_fits_nothing_is_refused() {
    let start = |sid: usize, me, parties: &[u16], threshold| {
        let task = Task::Keygen { scheme: Scheme::FrostEd25519, threshold };
        kind(Session::start(vec![1; sid], me, parties.to_vec(), task))
    };
    assert_eq!(start(31, 1, &[1, 2], 2), ErrorKind::Arguments);
    assert_eq!(start(32, 3, &[1, 2], 2), ErrorKind::Arguments);
    assert_eq!(start(32, 0, &[0, 1], 2), ErrorKind::Arguments);
    assert_eq!(start(32, 1, &[1, 1], 2), ErrorKind::Arguments);
    assert_eq!(start(32, 1, &[1], 1), ErrorKind::Arguments);
    assert_eq!(start(32, 1, &[1, 2], 3), ErrorKind::Arguments);
    assert_eq!(kind(SealKey::new(&[1; 31])), ErrorKind::Arguments);
    assert_eq!(kind(Session::open(vec![1, 2], seal_key(), KEYGEN)), ErrorKind::Seal);
    assert_eq!(kind(KeyShare::open(vec![], seal_key())), ErrorKind::Seal);
    let shares = key(70, Scheme::FrostEd25519);
    assert_eq!(kind(shares[&1].child("m/x".into())), ErrorKind::Arguments);
    assert_eq!(kind(shares[&1].child("m/0'".into())), ErrorKind::Arguments);
    assert_eq!(kind(shares[&1].precompute(0)), ErrorKind::Arguments);
    assert_eq!(kind(shares[&1].precompute(65_537)), ErrorKind::Arguments);
    assert_eq!(kind(shares[&1].public().unwrap().pem()), ErrorKind::Arguments);
    let ecdsa = key(71, Scheme::EcdsaP256);
    assert_eq!(kind(ecdsa[&1].commit()), ErrorKind::Arguments);
    assert_eq!(kind(ecdsa[&1].precompute(1)), ErrorKind::Arguments);
    assert!(ecdsa[&1].public().unwrap().pem().unwrap().starts_with("-----BEGIN PUBLIC KEY"));
}

#[test]
fn every_kind_of_share_opens_from_its_seal_and_altered_bytes_do_not() {
    for scheme in SCHEMES.into_iter().chain([Scheme::EcdsaSecp256k1, Scheme::EcdsaP256]) {
        let share = &key(72, scheme)[&2];
        let sealed = share.seal(seal_key()).unwrap();
        let again = KeyShare::open(sealed.clone(), seal_key()).unwrap();
        assert_eq!((again.scheme(), again.id().unwrap()), (scheme, 2));
        assert_eq!(again.state().unwrap(), ShareState::Ready);
        assert_eq!(again.confirmed().unwrap().state().unwrap(), ShareState::Ready);
        let digest = |share: &KeyShare| share.public().unwrap().digest().unwrap();
        assert_eq!(digest(&again), digest(share));
        for at in [0, 20, sealed.len() - 1] {
            let mut altered = sealed.clone();
            altered[at] ^= 1;
            assert_eq!(kind(KeyShare::open(altered, seal_key())), ErrorKind::Seal);
        }
    }
}

#[test]
fn stored_nonces_are_spent_once_whatever_was_restored() {
    let shares = key(73, Scheme::FrostEd25519);
    let (one, two) = (&shares[&1], &shares[&2]);
    let stock = one.precompute(1).unwrap();
    let sealed = stock.seal(seal_key()).unwrap();
    let open = |continuity| {
        NonceStock::open(Scheme::FrostEd25519, sealed.clone(), seal_key(), continuity).unwrap()
    };
    let restored = || open(Continuity::Peers);
    assert!(open(Continuity::Unknown).commitments().unwrap().is_empty());
    let mine = stock.commitments().unwrap().remove(0);
    let asked = |message| {
        let others = two.commit().unwrap().commitments();
        package([one, two], [mine.clone(), others], message).package().unwrap()
    };
    let (first, second, table) = (asked(b"first"), asked(b"second"), Table::new());
    let share = stock.sign(Arc::clone(one), Arc::clone(&first), table.clone()).unwrap();
    let twice = stock.sign(Arc::clone(one), Arc::clone(&first), table.clone());
    assert_eq!(kind(twice), ErrorKind::Consumed);
    assert_eq!(stock.generation().unwrap(), 2);
    let again = restored().sign(Arc::clone(one), first, table.clone()).unwrap();
    assert_eq!(again, share);
    let other = restored().sign(Arc::clone(one), Arc::clone(&second), table);
    assert_eq!(kind(other), ErrorKind::Spent);
    let failed = restored().sign(Arc::clone(one), second, Arc::new(Broken(None)));
    assert_eq!(kind(failed), ErrorKind::Table);
}

#[test]
fn a_coordinator_waits_for_all_and_finishes_once() {
    let shares = key(74, Scheme::FrostEd25519);
    let (one, two) = (&shares[&1], &shares[&2]);
    let nonces = [one.commit().unwrap(), two.commit().unwrap()];
    let session = package([one, two], [nonces[0].commitments(), nonces[1].commitments()], b"all");
    let [first, second] = nonces;
    let package = session.package().unwrap();
    let mine = one.sign(Arc::clone(&package), first).unwrap();
    session.receive(1, mine.clone()).unwrap();
    assert_eq!(session.waiting_for().unwrap(), [2]);
    assert_eq!(kind(session.aggregate()), ErrorKind::Missing);
    // In another's name, or unreadable: the sender is at fault. From a stranger: no culprit.
    for (sender, bytes, blamed) in [(2, mine.clone(), vec![2]), (3, mine.clone(), vec![])] {
        let error = session.receive(sender, bytes).unwrap_err();
        assert_eq!(culprits(error), (ErrorKind::Rejected, blamed));
    }
    let mut damaged = mine;
    damaged.pop();
    assert_eq!(kind(session.receive(2, damaged)), ErrorKind::Rejected);
    session.receive(2, two.sign(package, second).unwrap()).unwrap();
    session.aggregate().unwrap();
    assert_eq!(kind(session.aggregate()), ErrorKind::Consumed);
    assert_eq!(kind(session.package()), ErrorKind::Consumed);
}

#[test]
fn a_listener_hears_that_old_shares_may_go() {
    let shares = key(75, Scheme::FrostEd25519);
    let public = shares[&1].public().unwrap();
    let outcomes = run(76, &[1, 2, 4], |me| Task::Reshare {
        public: Arc::clone(&public),
        share: (me < 3).then(|| Arc::clone(&shares[&me])),
        dealers: vec![1, 2],
        committee: vec![2, 4],
        threshold: 2,
    });
    let Some(Outcome::Reshared { public: new, .. }) = outcomes.get(&1) else { panic!("no key") };
    let outcomes = run(77, &[1, 2, 4], |me| match outcomes.get(&me) {
        Some(Outcome::Reshared { share: Some(share), .. }) => {
            Task::Acknowledge { sealed: share.seal(seal_key()).unwrap(), key: seal_key() }
        }
        _ => Task::Listen { public: Arc::clone(new) },
    });
    let Some(Outcome::Acknowledged { by }) = outcomes.get(&1) else { panic!("nothing heard") };
    assert!(by.permits_deleting(Arc::clone(&shares[&1])).unwrap());
}

#[test]
fn a_sealed_search_resumes() {
    let search = quorate_ffi::AuxSearch::start(Level::Bits112).unwrap();
    assert!(search.step(1).unwrap().is_none());
    let sealed = search.seal(seal_key()).unwrap();
    let again = quorate_ffi::AuxSearch::open(sealed.clone(), seal_key()).unwrap();
    assert_eq!(again.progress(), search.progress());
    let other = SealKey::new(&[8; 32]).unwrap();
    assert_eq!(kind(quorate_ffi::AuxSearch::open(sealed, other)), ErrorKind::Seal);
}
