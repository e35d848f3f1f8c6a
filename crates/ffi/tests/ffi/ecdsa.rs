//! Threshold ECDSA, both curves.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use quorate_ffi::{
    AuxInfo, AuxSearch, AuxSecrets, ErrorKind, KeyShare, Level, MessageHash, Outcome, Presignature,
    PresignatureInfo, Received, Scheme, Task,
};

use crate::frost::{repair, reshare};
use crate::support::{Broken, Table, key, kind, run, seal_key};

const SCHEMES: [Scheme; 2] = [Scheme::EcdsaSecp256k1, Scheme::EcdsaP256];

/// Searches just before their end.
const SEARCHES: [&[u8]; 3] = [
    include_bytes!("../../python/fixtures/search-1.bin"),
    include_bytes!("../../python/fixtures/search-2.bin"),
    include_bytes!("../../python/fixtures/search-3.bin"),
];

fn secrets(sealed: &[u8]) -> Arc<AuxSecrets> {
    let search = AuxSearch::open(sealed.to_vec(), seal_key()).unwrap();
    loop {
        if let Some(secrets) = search.step(1).unwrap() {
            assert_eq!(kind(search.step(1)), ErrorKind::Consumed);
            return secrets;
        }
    }
}

/// Auxiliary information of parties 1, 2 and 3, made once, out of its seals.
pub(crate) static AUX: LazyLock<BTreeMap<u16, Arc<AuxInfo>>> = LazyLock::new(|| {
    let secrets = SEARCHES.map(secrets);
    assert!(secrets.iter().all(|one| one.level().unwrap() == Level::Bits112));
    let outcomes = run(40, &[1, 2, 3], |me| Task::MakeAuxInfo {
        secrets: Arc::clone(&secrets[usize::from(me) - 1]),
    });
    let opened = |(party, outcome)| {
        let Outcome::AuxInfoMade { aux } = outcome else { panic!("no auxiliary information") };
        assert!(aux.is_confirmed() && aux.id() == party);
        assert_eq!(aux.lacks(vec![2, 4, 5]).unwrap(), [4, 5]);
        (party, AuxInfo::open(aux.seal(seal_key()).unwrap(), seal_key()).unwrap())
    };
    outcomes.into_iter().map(opened).collect()
});

fn presigned(
    number: u8,
    shares: &BTreeMap<u16, Arc<KeyShare>>,
    signers: &[u16],
    count: u16,
) -> BTreeMap<u16, Vec<Arc<Presignature>>> {
    let outcomes = run(number, signers, |me| {
        let (share, aux) = (Arc::clone(&shares[&me]), Arc::clone(&AUX[&me]));
        if count == 1 {
            Task::Presign { share, aux }
        } else {
            Task::PresignMany { share, aux, count }
        }
    });
    let taken = |(party, outcome)| match outcome {
        Outcome::Presigned { presignatures } => (party, presignatures),
        _ => panic!("no presignatures"),
    };
    outcomes.into_iter().map(taken).collect()
}

/// A signature from one presignature of each signer.
pub(crate) fn signed(
    shares: &BTreeMap<u16, Arc<KeyShare>>,
    of: BTreeMap<u16, Arc<Presignature>>,
    at: &str,
) {
    let info = of.values().next().unwrap().info();
    let info = PresignatureInfo::from_bytes(shares[&1].scheme(), info.to_bytes().unwrap()).unwrap();
    let message = || b"message".to_vec();
    let share = |(party, one): (u16, Arc<Presignature>)| {
        let share = Arc::clone(&shares[&party]);
        let bytes = one.sign(share, at.into(), message(), MessageHash::Sha256, Table::new());
        Received { sender: party, bytes: bytes.unwrap() }
    };
    let sent: Vec<_> = of.into_iter().map(share).collect();
    let public = shares[&1].public().unwrap();
    let aggregate =
        |sent| info.aggregate(Arc::clone(&public), at.into(), message(), MessageHash::Sha256, sent);
    assert_eq!(kind(aggregate(sent[..1].to_vec())), ErrorKind::Missing);
    let signature = aggregate(sent).unwrap();
    let child = public.child(at.into()).unwrap();
    child.verify(message(), signature.bytes).unwrap();
    assert!(signature.der.is_some() && signature.recovery_id.is_some_and(|id| id < 4));
}

#[test]
fn a_key_over_either_curve_presigns_signs_and_lives() {
    for scheme in SCHEMES {
        let shares = key(41, scheme);
        let many = presigned(42, &shares, &[1, 3], 2);
        for (at, path) in [(0, "m"), (1, "m/0/7")] {
            let of = many.iter().map(|(party, all)| (*party, Arc::clone(&all[at]))).collect();
            signed(&shares, of, path);
        }
        let refreshed = reshare(43, &shares, &[1, 2, 3]);
        let lost = repair(45, &refreshed);
        let now = BTreeMap::from([(1, Arc::clone(&refreshed[&1])), (3, lost)]);
        let one = presigned(46, &now, &[1, 3], 1);
        signed(&now, one.into_iter().map(|(party, mut all)| (party, all.remove(0))).collect(), "m");
        // One of the epoch before is refused by name, and gone.
        let old = presigned(47, &shares, &[1, 3], 1).remove(&1).unwrap().remove(0);
        let refused = |share: &Arc<KeyShare>| {
            old.sign(Arc::clone(share), "m".into(), vec![1], MessageHash::Sha256d, Table::new())
        };
        assert_eq!(kind(refused(&refreshed[&1])), ErrorKind::Mismatch);
        assert_eq!(kind(refused(&shares[&1])), ErrorKind::Consumed);
    }
}

#[test]
fn a_digest_is_signed_in_one_go() {
    let shares = key(50, Scheme::EcdsaP256);
    let outcomes = run(51, &[2, 3], |me| Task::SignDigest {
        share: Arc::clone(&shares[&me]),
        aux: Arc::clone(&AUX[&me]),
        // SHA-256 of "abc" (FIPS 180-4).
        digest: vec![
            0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40, 0xde, 0x5d, 0xae,
            0x22, 0x23, 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61,
            0xf2, 0x00, 0x15, 0xad,
        ],
    });
    for outcome in outcomes.into_values() {
        let Outcome::Signed { signature } = outcome else { panic!("no signature") };
        shares[&1].public().unwrap().verify(b"abc".to_vec(), signature.bytes).unwrap();
    }
}

#[test]
fn auxiliary_information_is_carried_over() {
    let outcomes = run(52, &[1, 2], |me| Task::CarryAuxInfo { aux: Arc::clone(&AUX[&me]) });
    for (party, outcome) in outcomes {
        let Outcome::AuxInfoMade { aux } = outcome else { panic!("no auxiliary information") };
        assert_eq!((aux.id(), aux.parties()), (party, vec![1, 2]));
        assert_ne!(aux.digest(), AUX[&party].digest());
        assert_eq!(aux.confirmed().unwrap().digest(), aux.digest());
    }
}

#[test]
fn a_presignature_is_spent_once_whatever_was_restored() {
    let shares = key(53, Scheme::EcdsaSecp256k1);
    let one = presigned(54, &shares, &[1, 2], 1).remove(&1).unwrap().remove(0);
    let sealed = one.seal(seal_key()).unwrap();
    let open = || Presignature::open(Scheme::EcdsaSecp256k1, sealed.clone(), seal_key()).unwrap();
    let table = Table::new();
    let sign = |one: &Arc<Presignature>, message: &[u8]| {
        let table = Arc::clone(&table);
        one.sign(Arc::clone(&shares[&1]), "m".into(), message.to_vec(), MessageHash::Sha256, table)
    };
    let first = sign(&one, b"first").unwrap();
    assert_eq!(kind(sign(&one, b"first")), ErrorKind::Consumed);
    assert_eq!(kind(one.seal(seal_key())), ErrorKind::Consumed);
    // A copy that was restored gives the same share again, and no other.
    assert_eq!(sign(&open(), b"first").unwrap(), first);
    assert_eq!(kind(sign(&open(), b"second")), ErrorKind::Spent);
    for broken in [Broken(None), Broken(Some(vec![0; 31]))] {
        let failed = open().sign(
            Arc::clone(&shares[&1]),
            "m".into(),
            vec![1],
            MessageHash::Sha256,
            Arc::new(broken),
        );
        assert_eq!(kind(failed), ErrorKind::Table);
    }
}
