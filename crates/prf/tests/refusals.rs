//! Honest messages in the wrong place: another query, key, epoch, kind or package, twice, or too few; and the errors, each
//! reached once.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use common::{Shared, evaluate, id, made, prove, reshared, rng, shared};
use quorate_curve::Secret;
use quorate_frost::{DecodeError, KeyShare};
use quorate_keys::Mismatch;
use quorate_prf::joint::PackageReadError;
use quorate_prf::oprf::{BlindedElement, Blinding, BlindingError, EvaluatedElement, Proof};
use quorate_prf::session::container::ContainerError;
use quorate_prf::vrf::{EcvrfEd25519Tai, EcvrfP256Swu, VrfProof};
use quorate_prf::{
    AggregateError, Contribution, EvaluateError, Evaluation, EvaluationShare, Kdf, KeyKind, Oprf,
    P256Sha256, ProofPackage, ProveError, Query, QueryError, Ristretto255Sha512, Secp256k1Sha256,
    Voprf, Vrf,
};

type Ristretto = Oprf<Ristretto255Sha512>;

fn element<M: quorate_prf::Blinded>(input: &[u8]) -> BlindedElement<M> {
    *Blinding::<M>::new(input, &mut rng(40)).unwrap().element()
}

fn query<M: quorate_prf::Blinded>(key: &Shared<M>, input: &[u8]) -> Query<M> {
    Query::blinded(&key.public, &[element(input)]).unwrap()
}

#[test]
fn a_share_for_another_query_is_refused_and_blames_nobody() {
    let key = shared::<Ristretto>(2, 3, 1);
    let (one, other) = (query(&key, b"one"), query(&key, b"other"));
    let replayed = evaluate(&key, &other, &[2]).remove(0);
    let mut shares = evaluate(&key, &one, &[1]);
    shares.push(replayed);
    let error = one.aggregate(&key.public, &shares).unwrap_err();
    assert_eq!(error, AggregateError::OtherQuery(id(2)));
    assert!(error.culprits().is_empty());
}

#[test]
fn a_share_for_another_key_is_refused_and_blames_nobody() {
    let (key, other) = (shared::<Ristretto>(2, 3, 1), shared::<Ristretto>(2, 3, 2));
    let shares = evaluate(&other, &query(&other, b"one"), &[1, 2]);
    let error = query(&key, b"one").aggregate(&key.public, &shares).unwrap_err();
    assert!(matches!(error, AggregateError::Mismatch { party: Some(_), why: Mismatch::WrongKey }));
    let error = query(&key, b"one").aggregate(&other.public, &shares).unwrap_err();
    assert!(matches!(error, AggregateError::Mismatch { party: None, why: Mismatch::WrongKey }));
    let error = query(&key, b"one").evaluate(other.of(1), &mut rng(1)).unwrap_err();
    assert_eq!(error, EvaluateError::Mismatch(Mismatch::WrongKey));
}

#[test]
fn a_share_of_another_kind_of_key_is_another_family() {
    let key = shared::<Ristretto>(2, 3, 1);
    let bytes = evaluate(&key, &query(&key, b"one"), &[1]).remove(0).to_bytes();
    let read = EvaluationShare::<Voprf<Ristretto255Sha512>>::from_bytes(id(1), &bytes);
    assert!(matches!(read, Err(DecodeError::Container(ContainerError::WrongFamily { .. }))));
    let stored = key.of(1).to_bytes();
    let as_kdf = shared::<Kdf<Ristretto255Sha512>>(2, 3, 1);
    assert!(KeyShare::<Kdf<Ristretto255Sha512>>::from_bytes(&stored, &as_kdf.public).is_err());
}

#[test]
fn too_few_repeated_and_unknown_shares_are_refused() {
    let (key, larger) = (shared::<Ristretto>(3, 4, 1), shared::<Ristretto>(3, 4, 1));
    let query = query(&key, b"one");
    let shares = evaluate(&key, &query, &[1, 2]);
    let error = query.aggregate(&key.public, &shares).unwrap_err();
    assert_eq!(error, AggregateError::TooFewShares { got: 2, need: 3 });
    let twice = evaluate(&larger, &query, &[1, 2, 3, 2]);
    let error = query.aggregate(&key.public, &twice).unwrap_err();
    assert_eq!(error, AggregateError::DuplicateParty(id(2)));
}

#[test]
fn a_share_in_the_name_of_another_party_is_refused() {
    let key = shared::<Ristretto>(2, 3, 1);
    let bytes = evaluate(&key, &query(&key, b"one"), &[1]).remove(0).to_bytes();
    assert_eq!(
        EvaluationShare::<Ristretto>::from_bytes(id(2), &bytes).unwrap_err(),
        DecodeError::NotTheSenders { sender: id(2), named: id(1) }
    );
}

/// A party that multiplies by another number, and proves what it can.
#[test]
fn wrong_multiples_are_named_alone_and_in_a_batch() {
    let key = shared::<Voprf<P256Sha256>>(3, 5, 1);
    let query = query(&key, b"one");
    let mut shares = evaluate(&key, &query, &[1, 2, 3, 4, 5]);
    for party in [2usize, 4] {
        let wrong = Secret::new(7.into());
        let share = query.evaluate_wrongly(&key.shares[party - 1], &wrong, &mut rng(1));
        let error = query.verify_share(&key.public, &share).unwrap_err();
        assert_eq!(error, AggregateError::Cheaters(vec![share.id()]));
        shares[party - 1] = share;
    }
    let error = query.aggregate(&key.public, &shares).unwrap_err();
    assert_eq!(error, AggregateError::Cheaters(vec![id(2), id(4)]));
    shares.remove(3);
    shares.remove(1);
    assert!(query.aggregate(&key.public, &shares).is_ok());
}

#[test]
fn no_elements_and_long_inputs_are_refused() {
    let key = shared::<Ristretto>(2, 3, 1);
    let none = Query::blinded(&key.public, &[]).unwrap_err();
    assert_eq!(none, QueryError::Elements { got: 0 });
    let many = vec![element::<Ristretto>(b"one"); 65_536];
    let many = Query::blinded(&key.public, &many).unwrap_err();
    assert_eq!(many, QueryError::Elements { got: 65_536 });
    let long = Blinding::<Ristretto>::new(&[0; 65_536], &mut rng(1)).unwrap_err();
    assert_eq!(long, BlindingError::InputTooLong { got: 65_536 });
    let key = shared::<Kdf<Ristretto255Sha512>>(2, 3, 1);
    let long = Query::derive(&key.public, &[0; 65_536], b"").unwrap_err();
    assert_eq!(long, QueryError::PurposeTooLong { got: 65_536 });
}

#[test]
fn elements_are_read_strictly() {
    assert!(BlindedElement::<Ristretto>::from_bytes(&[0; 32]).is_err(), "the identity");
    assert!(BlindedElement::<Ristretto>::from_bytes(&[255; 32]).is_err());
    let good = element::<Ristretto>(b"one").to_bytes();
    assert!(BlindedElement::<Ristretto>::from_bytes(&good[..31]).is_err());
    assert!(EvaluatedElement::<Ristretto>::from_bytes(&[good.as_slice(), &[0]].concat()).is_err());
    assert!(BlindedElement::<Oprf<P256Sha256>>::from_bytes(&[0; 33]).is_err(), "the identity");
    // A point outside the subgroup: y = −1 has order two.
    let mut low = [0xff; 32];
    (low[0], low[31]) = (0xec, 0x7f);
    let proof = [low.as_slice(), &[0; 48]].concat();
    assert!(VrfProof::<EcvrfEd25519Tai>::from_bytes(&proof).is_err());
}

/// Contributions, nonces and answers of two concurrent proofs, mixed up.
#[test]
fn nonces_answer_for_their_own_contribution_alone() {
    let key = shared::<Voprf<Ristretto255Sha512>>(2, 3, 1);
    let query = query(&key, b"one");
    let mut rng = rng(2);
    let mut contribute = |party| query.contribute(key.of(party), &mut rng).unwrap();
    let ((a, of_a), (b, of_b), (_, of_c)) = (contribute(1), contribute(1), contribute(2));
    let package = |one: &Contribution<_>| {
        ProofPackage::new(&key.public, &query, [one.clone(), of_c.clone()]).unwrap()
    };
    let (first, second) = (package(&of_a), package(&of_b));
    assert_eq!(first.prove(key.of(1), b).unwrap_err(), ProveError::OtherContribution);
    let share = first.prove(key.of(1), a).unwrap();
    let error = second.verify_share(&share).unwrap_err();
    assert_eq!(error, AggregateError::OtherPackage(id(1)));
    assert_eq!(first.aggregate(&[share]).unwrap_err(), AggregateError::MissingShares(vec![id(2)]));
    assert_eq!(
        first.aggregate(&[share, share]).unwrap_err(),
        AggregateError::DuplicateParty(id(1))
    );
    let (d, of_d) = contribute(3);
    assert_eq!(first.prove(key.of(3), d).unwrap_err(), ProveError::NotAContributor);
    let both = [of_a.clone(), of_d];
    let third = ProofPackage::new(&key.public, &query, both).unwrap();
    let error = ProofPackage::new(&key.public, &query, [of_a.clone(), of_a]).unwrap_err();
    assert_eq!(error, AggregateError::DuplicateParty(id(1)));
    assert!(third.digest() != first.digest());
}

#[test]
fn a_package_is_read_strictly() {
    let key = shared::<Vrf<EcvrfP256Swu>>(2, 3, 1);
    let (query, other) =
        (Query::vrf(&key.public, b"one").unwrap(), Query::vrf(&key.public, b"other").unwrap());
    let mut rng = rng(3);
    let contributed = [2, 1].map(|party| query.contribute(key.of(party), &mut rng).unwrap().1);
    let package = ProofPackage::new(&key.public, &query, contributed).unwrap();
    let bytes = package.to_bytes();
    assert!(ProofPackage::from_bytes(&key.public, &query, &bytes).is_ok());
    assert_eq!(
        ProofPackage::from_bytes(&key.public, &other, &bytes).unwrap_err(),
        PackageReadError::Refused(AggregateError::OtherQuery(id(1)))
    );
    for length in 0..bytes.len() {
        let read = ProofPackage::from_bytes(&key.public, &query, &bytes[..length]);
        assert!(matches!(read, Err(PackageReadError::Malformed(_))));
    }
}

/// Outputs of all kinds stay over a resharing, and shares of the two epochs do not mix.
#[test]
fn outputs_are_the_same_after_a_resharing_and_epochs_do_not_mix() {
    fn each<K: KeyKind>(
        query: impl Fn(&Shared<K>) -> Query<K>,
        same: impl Fn(Evaluation<K>) -> Vec<u8>,
    ) {
        let made = made::<K>(5);
        let new = reshared(&made);
        let public = made[0].public.clone();
        let old = Shared { public, shares: made.into_iter().map(|one| one.share).collect() };
        let (before, after) = (query(&old), query(&new));
        let result = |key: &Shared<K>, query: &Query<K>, parties: &[u16]| {
            same(query.aggregate(&key.public, &evaluate(key, query, parties)).unwrap())
        };
        let expected = result(&old, &before, &[1, 2]);
        assert_eq!(result(&old, &before, &[2, 3]), expected);
        assert_eq!(result(&new, &after, &[2, 4]), expected);
        assert_eq!(result(&new, &after, &[3, 4]), expected);

        let error = before.evaluate(new.of(2), &mut rng(1)).unwrap_err();
        assert!(matches!(error, EvaluateError::Mismatch(Mismatch::WrongEpoch { .. })), "{error}");
        let mut mixed = evaluate(&old, &before, &[3]);
        mixed.extend(evaluate(&new, &after, &[2]));
        let error = before.aggregate(&old.public, &mixed).unwrap_err();
        assert!(matches!(
            error,
            AggregateError::Mismatch { party: Some(_), why: Mismatch::WrongEpoch { .. } }
        ));
    }
    each::<Vrf<EcvrfEd25519Tai>>(
        |key| Query::vrf(&key.public, b"input").unwrap(),
        |result| result.output().unwrap().to_vec(),
    );
    each::<Kdf<Secp256k1Sha256>>(
        |key| Query::derive(&key.public, b"backups", b"tenant 7").unwrap(),
        |result| result.bytes(b"disk", 32).unwrap().to_vec(),
    );
    each::<Ristretto>(
        |key| query(key, b"input"),
        |result| result.elements()[0].to_bytes().to_vec(),
    );
}

#[test]
fn derived_bytes_differ_by_purpose_input_and_label() {
    let key = shared::<Kdf<Ristretto255Sha512>>(2, 3, 1);
    let derive = |purpose: &[u8], input: &[u8], label: &[u8]| {
        let query = Query::derive(&key.public, purpose, input).unwrap();
        let result = query.aggregate(&key.public, &evaluate(&key, &query, &[1, 3])).unwrap();
        result.bytes(label, 48).unwrap().to_vec()
    };
    let all = [
        derive(b"a", b"bc", b"d"),
        derive(b"ab", b"c", b"d"),
        derive(b"a", b"bc", b"e"),
        derive(b"", b"abc", b"d"),
    ];
    for (at, one) in all.iter().enumerate() {
        assert!(!all[at + 1..].contains(one));
    }
    let query = Query::derive(&key.public, b"a", b"b").unwrap();
    let result = query.aggregate(&key.public, &evaluate(&key, &query, &[1, 3])).unwrap();
    assert!(result.bytes(b"", Evaluation::<Kdf<Ristretto255Sha512>>::MOST_BYTES + 1).is_none());
}

#[test]
fn a_proof_for_other_elements_or_another_key_is_refused() {
    type Key = Voprf<Ristretto255Sha512>;
    let (key, other) = (shared::<Key>(2, 3, 1), shared::<Key>(2, 3, 2));
    let elements = [element::<Key>(b"one"), element::<Key>(b"two")];
    let query = Query::blinded(&key.public, &elements).unwrap();
    let results =
        query.aggregate(&key.public, &evaluate(&key, &query, &[1, 2])).unwrap().elements();
    let proof = prove(&key, &query, &[1, 2]);
    let public = key.public.verifying_key();
    assert!(proof.verify(public, &elements, &results).is_ok());
    assert!(proof.verify(other.public.verifying_key(), &elements, &results).is_err());
    let swapped = [results[1], results[0]];
    assert!(proof.verify(public, &elements, &swapped).is_err());
    assert!(proof.verify(public, &elements[..1], &results[..1]).is_err());
    assert!(proof.verify(public, &elements, &results[..1]).is_err());
    assert!(proof.verify(public, &[], &[]).is_err());
    let mut bytes = proof.to_bytes();
    for at in 0..bytes.len() {
        bytes[at] ^= 1;
        let altered = Proof::from_bytes(&bytes);
        assert!(altered.is_err() || altered.unwrap().verify(public, &elements, &results).is_err());
        bytes[at] ^= 1;
    }
}
