//! FROST, every suite.

use std::collections::BTreeMap;
use std::sync::Arc;

use quorate_ffi::{
    Continuity, ErrorKind, KeyShare, NonceStock, Outcome, PublicKeyPackage, Received, Scheme,
    ShareState, Signature, SigningPackage, SigningSession, Task,
};

use crate::support::{Table, key, kind, run, seal_key};

pub(crate) const SCHEMES: [Scheme; 6] = [
    Scheme::FrostEd25519,
    Scheme::FrostEd448,
    Scheme::FrostRistretto255,
    Scheme::FrostP256,
    Scheme::FrostSecp256k1,
    Scheme::FrostTaproot,
];

macro_rules! codes {
    ($($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {
        [$(($name, <$suite as quorate::frost::generic::KeySuite>::CODE)),*]
    };
}

#[test]
fn every_suite_is_a_scheme() {
    for (name, code) in quorate::for_each_frost_suite!(codes) {
        assert!(SCHEMES.iter().any(|scheme| *scheme as u8 == code), "no scheme for {name}");
    }
}

/// A signature with fresh nonces, through the sent forms.
pub(crate) fn sign(shares: &[&Arc<KeyShare>], message: &[u8]) -> Signature {
    let public = shares[0].public().unwrap();
    let nonces: Vec<_> = shares.iter().map(|share| share.commit().unwrap()).collect();
    let commitments = shares.iter().zip(&nonces);
    let commitments = commitments.map(|(share, nonces)| Received {
        sender: share.id().unwrap(),
        bytes: nonces.commitments(),
    });
    let session =
        SigningSession::start(Arc::clone(&public), commitments.collect(), message.to_vec())
            .unwrap();
    let sent = session.package().unwrap().to_bytes().unwrap();
    for (share, nonces) in shares.iter().zip(nonces) {
        let package = SigningPackage::from_bytes(public.scheme(), sent.clone()).unwrap();
        assert_eq!(package.message().unwrap(), message);
        let signed = share.sign(package, nonces).unwrap();
        session.receive(share.id().unwrap(), signed).unwrap();
    }
    session.aggregate().unwrap()
}

#[test]
fn a_key_of_every_suite_signs() {
    for scheme in SCHEMES {
        let shares = key(1, scheme);
        let public = shares[&1].public().unwrap();
        let signature = sign(&[&shares[&1], &shares[&3]], b"message");
        public.verify(b"message".to_vec(), signature.bytes.clone()).unwrap();
        let other = public.verify(b"another".to_vec(), signature.bytes);
        assert_eq!(kind(other), ErrorKind::InvalidSignature);
        let again = PublicKeyPackage::from_bytes(scheme, public.to_bytes().unwrap()).unwrap();
        assert_eq!(again.digest().unwrap(), public.digest().unwrap());
        assert_eq!((again.threshold().unwrap(), again.parties().unwrap()), (2, vec![1, 2, 3]));
    }
}

#[test]
fn a_child_key_signs_and_taproot_has_none() {
    for scheme in SCHEMES {
        let shares = key(2, scheme);
        let child = |party| shares[&party].child("m/0/7".into());
        if scheme == Scheme::FrostTaproot {
            assert_eq!(kind(child(1)), ErrorKind::Arguments);
            continue;
        }
        let signature = sign(&[&child(1).unwrap(), &child(2).unwrap()], b"child");
        let public = shares[&3].public().unwrap().child("m/0/7".into()).unwrap();
        public.verify(b"child".to_vec(), signature.bytes).unwrap();
    }
}

#[test]
fn stored_nonces_sign_and_shares_are_exchanged_without_a_coordinator() {
    for scheme in SCHEMES {
        let (shares, key) = (key(3, scheme), seal_key());
        let public = shares[&1].public().unwrap();
        let signers = [1_u16, 2];
        let stock = |party| {
            let stock = shares[&party].precompute(2).unwrap();
            let sealed = stock.seal(Arc::clone(&key)).unwrap();
            NonceStock::open(scheme, sealed, Arc::clone(&key), Continuity::StayedUp).unwrap()
        };
        let stocks: BTreeMap<_, _> = signers.map(|party| (party, stock(party))).into();
        let first = |(party, stock): (&u16, &Arc<NonceStock>)| Received {
            sender: *party,
            bytes: stock.commitments().unwrap().remove(0),
        };
        let commitments = stocks.iter().map(first).collect();
        let session =
            SigningSession::start(Arc::clone(&public), commitments, b"stored".to_vec()).unwrap();
        let package = session.package().unwrap();
        let signed = |party: u16| {
            let stock = &stocks[&party];
            let signed =
                stock.sign(Arc::clone(&shares[&party]), Arc::clone(&package), Table::new());
            assert_eq!(stock.commitments().unwrap().len(), 1);
            signed.unwrap()
        };
        let signed: BTreeMap<_, _> = signers.map(|party| (party, signed(party))).into();
        let outcomes = run(4, &signers, |me| Task::ExchangeShares {
            public: Arc::clone(&public),
            package: Arc::clone(&package),
            signature_share: signed[&me].clone(),
        });
        for outcome in outcomes.into_values() {
            let Outcome::Signed { signature } = outcome else { panic!("no signature") };
            public.verify(b"stored".to_vec(), signature.bytes).unwrap();
        }
    }
}

/// The shares after a resharing by parties 1 and 2 to a committee, read back from their seals and acknowledged.
pub(crate) fn reshare(
    number: u8,
    shares: &BTreeMap<u16, Arc<KeyShare>>,
    committee: &[u16],
) -> BTreeMap<u16, Arc<KeyShare>> {
    let public = shares[&1].public().unwrap();
    let mut parties: Vec<u16> = [1, 2].into_iter().chain(committee.iter().copied()).collect();
    parties.sort_unstable();
    parties.dedup();
    let outcomes = run(number, &parties, |me| Task::Reshare {
        public: Arc::clone(&public),
        share: [1, 2].contains(&me).then(|| Arc::clone(&shares[&me])),
        dealers: vec![1, 2],
        committee: committee.to_vec(),
        threshold: 2,
    });
    let mut stored = BTreeMap::new();
    for (party, outcome) in outcomes {
        let Outcome::Reshared { public: new, share } = outcome else { panic!("not reshared") };
        assert_eq!(new.epoch().unwrap(), public.epoch().unwrap() + 1);
        assert_eq!(new.verifying_key().unwrap(), public.verifying_key().unwrap());
        assert_eq!(share.is_some(), committee.contains(&party));
        if let Some(share) = share {
            assert_eq!(share.state().unwrap(), ShareState::Pending);
            stored.insert(party, share.seal(seal_key()).unwrap());
        }
    }
    let outcomes = run(number + 1, committee, |me| Task::Acknowledge {
        sealed: stored[&me].clone(),
        key: seal_key(),
    });
    let settled = |(party, outcome): (u16, Outcome)| {
        let Outcome::Acknowledged { by } = outcome else { panic!("not acknowledged") };
        let share = KeyShare::open(stored[&party].clone(), seal_key()).unwrap();
        let share = share.settled(Arc::clone(&by)).unwrap();
        assert_eq!(share.state().unwrap(), ShareState::Ready);
        assert!(by.permits_deleting(Arc::clone(&shares[&1])).unwrap());
        assert!(!by.permits_deleting(Arc::clone(&share)).unwrap());
        (party, share)
    };
    outcomes.into_iter().map(settled).collect()
}

/// The share of party 3, from parties 1 and 2.
pub(crate) fn repair(number: u8, shares: &BTreeMap<u16, Arc<KeyShare>>) -> Arc<KeyShare> {
    let public = shares[&1].public().unwrap();
    let mut outcomes = run(number, &[1, 2, 3], |me| Task::Repair {
        public: Arc::clone(&public),
        share: (me != 3).then(|| Arc::clone(&shares[&me])),
        helpers: vec![1, 2],
        target: 3,
    });
    let Some(Outcome::Repaired { share: Some(share) }) = outcomes.remove(&3) else {
        panic!("not repaired")
    };
    assert!(outcomes.values().all(|one| matches!(one, Outcome::Repaired { share: None })));
    share
}

#[test]
fn a_key_of_every_suite_is_refreshed_reshared_and_repaired() {
    for scheme in SCHEMES {
        let old = key(5, scheme);
        let refreshed = reshare(6, &old, &[1, 2, 3]);
        let lost = repair(8, &refreshed);
        let moved = reshare(10, &refreshed, &[2, 4]);
        let public = old[&1].public().unwrap();
        for signers in [[&refreshed[&1], &lost], [&moved[&2], &moved[&4]]] {
            let signature = sign(&signers, b"later");
            public.verify(b"later".to_vec(), signature.bytes).unwrap();
        }
        // A share of an older epoch cannot sign with the others.
        let nonces = [old[&1].commit().unwrap(), refreshed[&2].commit().unwrap()];
        let commitments = nonces.iter().zip([1, 2]);
        let commitments = commitments
            .map(|(nonces, sender)| Received { sender, bytes: nonces.commitments() })
            .collect();
        let mixed = SigningSession::start(Arc::clone(&public), commitments, b"mixed".to_vec());
        assert_eq!(kind(mixed), ErrorKind::Mismatch);
    }
}

#[test]
fn a_verifier_needs_the_key_alone() {
    for scheme in SCHEMES {
        let shares = key(9, scheme);
        let public = shares[&1].public().unwrap();
        let signature = sign(&[&shares[&1], &shares[&2]], b"by anybody").bytes;
        let verify = |key: Vec<u8>, message: &[u8], signature: &[u8]| {
            quorate_ffi::verify(scheme, key, message.to_vec(), signature.to_vec())
        };
        let own = || public.verifying_key().unwrap();
        verify(own(), b"by anybody", &signature).unwrap();
        assert_eq!(kind(verify(own(), b"by nobody", &signature)), ErrorKind::InvalidSignature);
        assert_eq!(kind(verify(own(), b"by anybody", &signature[1..])), ErrorKind::Encoding);
        assert_eq!(kind(verify(vec![2; 5], b"by anybody", &signature)), ErrorKind::Encoding);
    }
}
