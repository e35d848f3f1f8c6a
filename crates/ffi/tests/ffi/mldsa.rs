//! Threshold ML-DSA: keys, attempts, and the table that counts them.

use std::collections::BTreeMap;
use std::sync::Arc;

use quorate_ffi::{
    ErrorKind, MlDsaAttempt, MlDsaKeyShare, MlDsaLevel, MlDsaPublicKeyPackage, Outcome,
    QuorateError, Session, SpentTable, Task,
};

use crate::support::{Broken, Table, deliver, kind, round, run, seal_key, session_id, start};

pub(crate) type Shares = BTreeMap<u16, Arc<MlDsaKeyShare>>;

/// A 2-of-3 key.
pub(crate) fn key(number: u8, level: MlDsaLevel) -> Shares {
    let made = run(number, &[1, 2, 3], |_| Task::MlDsaKeygen { level, threshold: 2 });
    let share = |(party, outcome)| match outcome {
        Outcome::MlDsaKeyMade { share } => (party, share),
        _ => panic!("no key"),
    };
    made.into_iter().map(share).collect()
}

/// An attempt of this number by parties 1 and 3, in a session of this name.
pub(crate) fn attempt(
    share: &MlDsaKeyShare,
    number: u64,
    session: u8,
    message: &[u8],
    table: Arc<dyn SpentTable>,
) -> Result<Arc<MlDsaAttempt>, QuorateError> {
    share.attempt(
        number,
        session_id(session),
        vec![1, 3],
        message.to_vec(),
        b"test".to_vec(),
        table,
    )
}

/// A signature by as many attempts as it takes, and the number of attempts.
fn sign(shares: &Shares, tables: &BTreeMap<u16, Arc<Table>>, message: &[u8]) -> (Vec<u8>, u8) {
    for number in 0..60 {
        let outcomes = run(100 + number, &[1, 3], |me| {
            let table = Arc::clone(&tables[&me]) as Arc<dyn SpentTable>;
            let attempt =
                attempt(&shares[&me], number.into(), 100 + number, message, table).unwrap();
            assert_eq!(attempt.number(), u64::from(number));
            Task::MlDsaSign { attempt }
        });
        let signed = outcomes.into_values().map(|outcome| match outcome {
            Outcome::MlDsaAttempted { signature, accepted } => {
                let parties: Vec<u16> = accepted.iter().map(|one| one.party).collect();
                assert_eq!(parties, [1, 3]);
                assert!(signature.is_none() || accepted.iter().all(|one| one.slots > 0));
                signature.map(|signature| signature.bytes)
            }
            _ => panic!("no attempt"),
        });
        let signed: Vec<_> = signed.collect();
        assert_eq!(signed[0], signed[1]);
        if let Some(signature) = &signed[0] {
            return (signature.clone(), number + 1);
        }
    }
    panic!("no luck in 60 attempts")
}

fn tables() -> BTreeMap<u16, Arc<Table>> {
    [1, 3].map(|party| (party, Table::new())).into()
}

#[test]
fn a_key_of_every_level_signs_from_its_seals() {
    for (level, key_len, signature_len) in [
        (MlDsaLevel::MlDsa44, 1312, 2420),
        (MlDsaLevel::MlDsa65, 1952, 3309),
        (MlDsaLevel::MlDsa87, 2592, 4627),
    ] {
        let shares = key(1, level);
        let again = |(party, share): (&u16, &Arc<MlDsaKeyShare>)| {
            assert!(share.is_confirmed() && share.id() == *party);
            (*party, MlDsaKeyShare::open(share.seal(seal_key()), seal_key()).unwrap())
        };
        let shares: Shares = shares.iter().map(again).collect();
        let public = shares[&2].public();
        let public = MlDsaPublicKeyPackage::from_bytes(public.to_bytes()).unwrap();
        assert_eq!(public.digest(), shares[&1].public().digest());
        assert_eq!((public.level(), public.threshold()), (level, 2));
        assert_eq!((public.parties(), public.verifying_key().len()), (vec![1, 2, 3], key_len));
        assert!(public.pem().starts_with("-----BEGIN PUBLIC KEY-----\n"));
        let (signature, _) = sign(&shares, &tables(), b"message");
        assert_eq!(signature.len(), signature_len);
        let verify = |message: &[u8], context: &[u8], signature: &[u8]| {
            public.verify(message.to_vec(), context.to_vec(), signature.to_vec())
        };
        verify(b"message", b"test", &signature).unwrap();
        let invalid = ErrorKind::InvalidSignature;
        assert_eq!(kind(verify(b"another", b"test", &signature)), invalid);
        assert_eq!(kind(verify(b"message", b"", &signature)), invalid);
        assert_eq!(kind(verify(b"message", b"test", &signature[1..])), ErrorKind::Encoding);
    }
}

/// The table alone decides whether a number may be used, whatever objects there are.
#[test]
fn a_number_is_for_one_session() {
    let shares = key(2, MlDsaLevel::MlDsa44);
    let tables = tables();
    let (_, used) = sign(&shares, &tables, b"message");
    let share = MlDsaKeyShare::open(shares[&1].seal(seal_key()), seal_key()).unwrap();
    let table = || Arc::clone(&tables[&1]) as Arc<dyn SpentTable>;
    for number in 0..used {
        let number = number.into();
        assert_eq!(kind(attempt(&share, number, 99, b"message", table())), ErrorKind::Spent);
    }
    // Another message in the same session.
    assert_eq!(kind(attempt(&share, 0, 100, b"another", table())), ErrorKind::Spent);
    // The same attempt once more is for opening its session: it starts none.
    let begin = |attempt: &Arc<MlDsaAttempt>, session| {
        let task = Task::MlDsaSign { attempt: Arc::clone(attempt) };
        Session::start(session_id(session), 1, vec![1, 3], task)
    };
    let again = attempt(&share, 0, 100, b"message", table()).unwrap();
    assert_eq!(kind(begin(&again, 100)), ErrorKind::Spent);
    // A new one starts one session, and its seal opens by the number's second record.
    let number = used.into();
    let once = attempt(&share, number, 97, b"message", table()).unwrap();
    let sealed = begin(&once, 97).unwrap().seal(seal_key()).unwrap();
    assert_eq!(kind(begin(&once, 97)), ErrorKind::Consumed);
    let again = attempt(&share, number, 97, b"message", table()).unwrap();
    Session::open(sealed.bytes, seal_key(), Task::MlDsaSign { attempt: again }).unwrap();
    // A recorded attempt is for its session and its signers alone.
    for (session, signers) in [(101, vec![1, 3]), (100, vec![1, 2]), (100, vec![1, 2, 3])] {
        let attempt = attempt(&share, 0, 100, b"message", table()).unwrap();
        let task = Task::MlDsaSign { attempt };
        let started = Session::start(session_id(session), 1, signers, task);
        assert_eq!(kind(started), ErrorKind::Arguments);
    }
    let beyond = share.public().attempts();
    assert_eq!(kind(attempt(&share, beyond, 98, b"message", table())), ErrorKind::Consumed);
    attempt(&share, beyond - 1, 98, b"message", table()).unwrap();
}

#[test]
fn a_table_that_fails_begins_nothing() {
    let shares = key(3, MlDsaLevel::MlDsa44);
    for broken in [None, Some(vec![1]), Some(vec![1; 32])] {
        let expected =
            if broken == Some(vec![1; 32]) { ErrorKind::Spent } else { ErrorKind::Table };
        let broken = Arc::new(Broken(broken));
        assert_eq!(kind(attempt(&shares[&1], 0, 50, b"message", broken)), expected);
    }
    let long = vec![0; 256];
    let refused =
        shares[&1].attempt(0, session_id(50), vec![1, 3], b"m".to_vec(), long, Table::new());
    assert_eq!(kind(refused), ErrorKind::Arguments);
}

/// A process dies after it has stored its second round.
#[test]
fn a_session_resumes_from_its_seal_with_the_same_attempt() {
    let shares = key(4, MlDsaLevel::MlDsa44);
    let (tables, key) = (tables(), seal_key());
    let task = |me: u16| {
        let table = Arc::clone(&tables[&me]) as Arc<dyn SpentTable>;
        let attempt = attempt(&shares[&me], 7, 60, b"message", table).unwrap();
        Task::MlDsaSign { attempt }
    };
    let mut sessions = start(60, &[1, 3], task);
    assert!(!round(&sessions));
    let sealed = sessions[0].seal(Arc::clone(&key)).unwrap();
    let sent = sessions[0].outgoing().unwrap();
    sessions[0] = Session::open(sealed.bytes, Arc::clone(&key), task(1)).unwrap();
    assert_eq!(sessions[0].outgoing().unwrap(), sent);
    while !round(&sessions) {}
    let outcomes = sessions.iter().map(|session| session.outcome().unwrap());
    let accepted = outcomes.map(|outcome| match outcome {
        Outcome::MlDsaAttempted { accepted, .. } => accepted,
        _ => panic!("no attempt"),
    });
    let accepted: Vec<_> = accepted.collect();
    assert_eq!(accepted[0], accepted[1]);
}

#[test]
fn a_share_that_is_not_confirmed_does_not_sign() {
    let task = |_| Task::MlDsaKeygen { level: MlDsaLevel::MlDsa44, threshold: 2 };
    let sessions = start(5, &[1, 2, 3], task);
    for _ in 0..4 {
        assert!(!round(&sessions));
    }
    // Party 3's last message does not come.
    deliver(&sessions[..2]);
    sessions[0].give_up().unwrap();
    let Outcome::MlDsaKeyMade { share } = sessions[0].outcome().unwrap() else { panic!("no key") };
    assert!(!share.is_confirmed());
    let refused = |share: &MlDsaKeyShare| attempt(share, 0, 70, b"message", Table::new());
    assert_eq!(kind(refused(&share)), ErrorKind::Unconfirmed);
    let share = MlDsaKeyShare::open(share.seal(seal_key()), seal_key()).unwrap();
    assert_eq!(kind(refused(&share)), ErrorKind::Unconfirmed);
    let confirmed = share.confirmed().unwrap();
    assert!(confirmed.is_confirmed());
    attempt(&confirmed, 0, 70, b"message", Table::new()).unwrap();
}

#[test]
fn what_is_none_is_refused() {
    for (level, threshold, parties) in
        [(MlDsaLevel::MlDsa44, 4, 3), (MlDsaLevel::MlDsa44, 2, 7), (MlDsaLevel::MlDsa65, 5, 6)]
    {
        let task = Task::MlDsaKeygen { level, threshold };
        let started = Session::start(session_id(80), 1, (1..=parties).collect(), task);
        assert_eq!(kind(started), ErrorKind::Arguments);
    }
    let shares = key(6, MlDsaLevel::MlDsa44);
    let public = shares[&1].public().to_bytes();
    for at in [0, 7, 20, public.len() - 1] {
        let mut altered = public.clone();
        altered[at] ^= 1;
        assert_eq!(kind(MlDsaPublicKeyPackage::from_bytes(altered)), ErrorKind::Encoding);
    }
    assert_eq!(kind(MlDsaPublicKeyPackage::from_bytes(public[..30].to_vec())), ErrorKind::Encoding);
    let sealed = shares[&1].seal(seal_key());
    assert_eq!(kind(MlDsaKeyShare::open(sealed[1..].to_vec(), seal_key())), ErrorKind::Seal);
}
