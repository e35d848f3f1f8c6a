//! Every field of every message, altered in every way: no altered message is believed, and if somebody is named, it is the
//! sender alone.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use std::sync::Arc;

use common::{Shared, evaluate, id, rng, shared};
use quorate_frost::{Frost, PointBytes, ScalarBytes};
use quorate_keys::{Family, PackageId};
use quorate_prf::oprf::Blinding;
use quorate_prf::session::container::{HEADER, Kind, Label};
use quorate_prf::session::{Fault, Parties, PartyId};
use quorate_prf::vrf::{EcvrfEd25519Ell2, EcvrfP256Tai};
use quorate_prf::{
    AggregateError, Blinded, Contribution, EvaluationExchange, EvaluationExchangeParams,
    EvaluationShare, Kdf, KeyKind, Oprf, P256Sha256, ProofExchange, ProofExchangeParams,
    ProofPackage, ProofShare, Provable, Query, Ristretto255Sha512, Secp256k1Sha256, Voprf, Vrf,
};
use quorate_testkit::encodings::Encoding;
use quorate_testkit::lockstep::{Outcome, record, sid};
use quorate_testkit::mutation::{Case, Class, Field, cases};

const CHEATER: u16 = 2;

fn label<K: KeyKind>(code: u8, name: &'static str) -> Label {
    Frost::<K>::label(Kind { code, name, version: 1 })
}

/// The fields of an evaluation share.
fn share_fields<K: KeyKind>(elements: usize, offset: &mut usize) -> Vec<Field> {
    let (point, scalar) = (size_of::<PointBytes<K>>(), size_of::<ScalarBytes<K>>());
    let mut fields = vec![
        Field::next("id", Class::Id, 2, offset),
        Field::next("package", Class::Bytes, PackageId::LENGTH, offset),
        Field::next("query", Class::Bytes, 32, offset),
        Field::next("count", Class::Bytes, 2, offset),
    ];
    fields.extend((0..elements).map(|_| Field::next("F", Class::Point, point, offset)));
    fields.extend(["k·G", "k·M"].map(|name| Field::next(name, Class::Point, point, offset)));
    fields.push(Field::next("s", Class::Scalar, scalar, offset));
    fields
}

fn contribution_fields<K: KeyKind>(elements: usize, offset: &mut usize) -> Vec<Field> {
    let point = size_of::<PointBytes<K>>();
    let mut fields = share_fields::<K>(elements, offset);
    fields.extend(["D", "E"].map(|name| Field::next(name, Class::Point, point, offset)));
    for _ in 0..elements {
        fields.extend(["d·H", "e·H"].map(|name| Field::next(name, Class::Point, point, offset)));
    }
    fields
}

/// Every mutation of a container's body, with a digest that fits.
fn mutated<C: Encoding>(
    label: &Label,
    fields: &[Field],
    messages: [&[u8]; 3],
) -> Vec<(Case, Vec<u8>)> {
    let [message, party, session] = messages.map(|bytes| &bytes[..bytes.len() - 32]);
    let with_digest = |case: Case| {
        let mut bytes = case.bytes.clone();
        label.end(&mut bytes);
        (case, bytes)
    };
    cases::<C>(fields, message, party, session).into_iter().map(with_digest).collect()
}

/// An error that names the cheater, or nobody.
fn fair(case: &Case, error: &AggregateError) {
    let names = error.culprits();
    assert!(names.is_empty() || names == [id(CHEATER)], "{case:?}: {error}");
    let names_nobody = matches!(
        error,
        AggregateError::Mismatch { .. }
            | AggregateError::OtherQuery(_)
            | AggregateError::OtherPackage(_)
            | AggregateError::UnknownParty(_)
    );
    assert!(names_nobody || !names.is_empty(), "{case:?}: {error}");
}

/// Each altered share, beside a good one. Returns the number of cases.
fn shares<K: KeyKind<Curve: Encoding>>(
    key: &Shared<K>,
    query: &Query<K>,
    other: &Query<K>,
) -> usize {
    let good = evaluate(key, query, &[1]).remove(0);
    let own = evaluate(key, query, &[CHEATER]).remove(0).to_bytes();
    let party = evaluate(key, query, &[3]).remove(0).to_bytes();
    let session = evaluate(key, other, &[CHEATER]).remove(0).to_bytes();
    let fields = share_fields::<K>(query.elements(), &mut HEADER.clone());
    let label = label::<K>(12, "an evaluation share");
    let all = mutated::<K::Curve>(&label, &fields, [&own, &party, &session]);
    for (case, bytes) in &all {
        let Ok(share) = EvaluationShare::from_bytes(id(CHEATER), bytes) else { continue };
        fair(case, &query.verify_share(&key.public, &share).unwrap_err());
        fair(case, &query.aggregate(&key.public, [&good, &share]).unwrap_err());
    }
    all.len()
}

fn blinded<M: Blinded>(key: &Shared<M>, elements: u8, seed: u8) -> Query<M> {
    let element =
        |at: u8| *Blinding::<M>::new(&[at], &mut rng(seed.wrapping_add(at))).unwrap().element();
    Query::blinded(&key.public, &(0..elements).map(element).collect::<Vec<_>>()).unwrap()
}

#[test]
fn altered_evaluation_shares_are_refused() {
    let key = shared::<Oprf<Ristretto255Sha512>>(2, 3, 1);
    let mut total = shares(&key, &blinded(&key, 1, 50), &blinded(&key, 1, 60));
    let key = shared::<Voprf<P256Sha256>>(2, 3, 2);
    total += shares(&key, &blinded(&key, 3, 50), &blinded(&key, 3, 60));
    let key = shared::<Kdf<Secp256k1Sha256>>(2, 3, 3);
    let query = |input| Query::derive(&key.public, b"tests", input).unwrap();
    total += shares(&key, &query(b"one"), &query(b"other"));
    let key = shared::<Vrf<EcvrfEd25519Ell2>>(2, 3, 4);
    let query = |input| Query::vrf(&key.public, input).unwrap();
    total += shares(&key, &query(b"one"), &query(b"other"));
    assert!(total > 200, "{total} cases");
}

/// The messages of both rounds of a joint proof.
struct Proving<K: Provable> {
    contributions: Vec<Contribution<K>>,
    package: ProofPackage<K>,
    shares: Vec<ProofShare<K>>,
}

fn proving<K: Provable>(key: &Shared<K>, query: &Query<K>, seed: u8) -> Proving<K> {
    let mut rng = rng(seed);
    let parties = [1, CHEATER, 3];
    let (nonces, contributions): (Vec<_>, Vec<_>) =
        parties.iter().map(|party| query.contribute(key.of(*party), &mut rng).unwrap()).unzip();
    let package = ProofPackage::new(&key.public, query, contributions.clone()).unwrap();
    let each = parties.iter().zip(nonces);
    let shares = each.map(|(party, nonces)| package.prove(key.of(*party), nonces).unwrap());
    let shares = shares.collect();
    Proving { contributions, package, shares }
}

/// A share of the cheater for another package than it was made for.
fn moved<K: Provable>(share: &ProofShare<K>, package: &ProofPackage<K>) -> ProofShare<K> {
    let at = HEADER + 2 + PackageId::LENGTH;
    let bytes = label::<K>(15, "a share of a joint proof")
        .altered(&share.to_bytes(), |body| body[at..at + 32].copy_from_slice(&package.digest()));
    ProofShare::from_bytes(id(share.id().get()), &bytes).unwrap()
}

/// Altered contributions: the share of the evaluation is refused, and wrong commitments show in the second round.
fn contributions<K: Provable<Curve: Encoding>>(
    key: &Shared<K>,
    query: &Query<K>,
    other: &Query<K>,
) -> usize {
    let (run, session) = (proving(key, query, 70), proving(key, other, 80));
    let [one, own, party] = run.contributions.as_slice() else { panic!() };
    let fields = contribution_fields::<K>(query.elements(), &mut HEADER.clone());
    let label = label::<K>(13, "a contribution to a joint proof");
    let messages = [own.to_bytes(), party.to_bytes(), session.contributions[1].to_bytes()];
    let all = mutated::<K::Curve>(&label, &fields, messages.each_ref().map(Vec::as_slice));
    for (case, bytes) in &all {
        let Ok(altered) = Contribution::from_bytes(id(CHEATER), bytes) else { continue };
        let contributed = [one.clone(), altered, party.clone()];
        let package = match ProofPackage::new(&key.public, query, contributed) {
            Ok(package) => package,
            Err(AggregateError::IdentityCommitment) => continue,
            Err(error) => {
                fair(case, &error);
                continue;
            }
        };
        assert!(["D", "E", "d·H", "e·H"].contains(&case.field), "{case:?}");
        // The others answer honestly; they have nonces of their own for this package.
        let mut rng = rng(90);
        let (a, b) =
            ([1, 3]).map(|party| query.contribute(key.of(party), &mut rng).unwrap()).into();
        let contributed = [a.1, Contribution::from_bytes(id(CHEATER), bytes).unwrap(), b.1];
        let package_of_all = ProofPackage::new(&key.public, query, contributed).unwrap();
        let shares = [
            package_of_all.prove(key.of(1), a.0).unwrap(),
            moved(&run.shares[1], &package_of_all),
            package_of_all.prove(key.of(3), b.0).unwrap(),
        ];
        let error = package_of_all.aggregate(&shares).unwrap_err();
        assert_eq!(error, AggregateError::Cheaters(vec![id(CHEATER)]), "{case:?}");
        assert!(package.digest() != run.package.digest());
    }
    all.len()
}

/// Altered answers.
fn answers<K: Provable<Curve: Encoding>>(
    key: &Shared<K>,
    query: &Query<K>,
    other: &Query<K>,
) -> usize {
    let (run, session) = (proving(key, query, 70), proving(key, other, 80));
    let scalar = size_of::<ScalarBytes<K>>();
    let offset = &mut HEADER.clone();
    let fields = [
        Field::next("id", Class::Id, 2, offset),
        Field::next("package", Class::Bytes, PackageId::LENGTH, offset),
        Field::next("contributions", Class::Bytes, 32, offset),
        Field::next("s", Class::Scalar, scalar, offset),
    ];
    let label = label::<K>(15, "a share of a joint proof");
    let messages = [&run.shares[1], &run.shares[2], &session.shares[1]].map(ProofShare::to_bytes);
    let all = mutated::<K::Curve>(&label, &fields, messages.each_ref().map(Vec::as_slice));
    for (case, bytes) in &all {
        let Ok(altered) = ProofShare::from_bytes(id(CHEATER), bytes) else { continue };
        fair(case, &run.package.verify_share(&altered).unwrap_err());
        let shares = [run.shares[0], altered, run.shares[2]];
        fair(case, &run.package.aggregate(&shares).map(drop).unwrap_err());
    }
    all.len()
}

#[test]
fn altered_messages_of_a_joint_proof_are_refused() {
    let key = shared::<Voprf<Ristretto255Sha512>>(2, 3, 5);
    let (query, other) = (blinded(&key, 2, 50), blinded(&key, 2, 60));
    let mut total = contributions(&key, &query, &other) + answers(&key, &query, &other);
    let key = shared::<Vrf<EcvrfP256Tai>>(3, 3, 6);
    let query = |input| Query::vrf(&key.public, input).unwrap();
    let (query, other) = (query(b"one"), query(b"other"));
    total += contributions(&key, &query, &other) + answers(&key, &query, &other);
    assert!(total > 250, "{total} cases");
}

/// The frame of a party with another body.
fn frame(frame: &[u8], body: usize, altered: &[u8]) -> Vec<u8> {
    [&frame[..frame.len() - body], altered].concat()
}

/// The exchange of evaluation shares with one altered body: every honest party names its sender, or lacks a frame.
fn evaluations<K: KeyKind<Curve: Encoding>>(key: &Shared<K>, query: Query<K>, other: Query<K>) {
    let all = Parties::numbered(3).unwrap();
    let (public, query) = (Arc::new(key.public.clone()), Arc::new(query));
    let bodies = [(&*query, CHEATER), (&*query, 3), (&other, CHEATER)].map(|(query, party)| {
        let bytes = evaluate(key, query, &[party]).remove(0).to_bytes();
        bytes[HEADER..bytes.len() - 32].to_vec()
    });
    let fields = share_fields::<K>(query.elements(), &mut 0);
    let [own, party, session] = bodies.each_ref().map(Vec::as_slice);
    let run = |case: Option<&Case>| {
        let params = |me: PartyId| {
            let own = evaluate(key, &query, &[me.get()]).remove(0);
            EvaluationExchangeParams::new(public.clone(), query.clone(), own)
        };
        record::<EvaluationExchange<K>>(&all, sid(1), params, |place, bytes, _| {
            if let (Some(case), true) = (case, place.0 == id(CHEATER)) {
                *bytes = frame(bytes, own.len(), &case.bytes);
            }
        })
        .1
    };
    assert!(run(None).values().all(Result::is_ok));
    for case in cases::<K::Curve>(&fields, own, party, session) {
        // A body that is longer than the limit is rejected as it comes in.
        if case.bytes.len() > own.len() {
            continue;
        }
        let results = run(Some(&case));
        for (me, result) in results.into_iter().filter(|(me, _)| *me != id(CHEATER)) {
            let Err(abort) = result else { panic!("{me} believes {case:?}") };
            let Outcome::Blamed(1, culprits) = Outcome::from(abort) else { panic!("{case:?}") };
            let [(culprit, fault)] = culprits.as_slice() else { panic!("{case:?}") };
            assert_eq!(*culprit, id(CHEATER), "{case:?}");
            let expected = [Fault::Malformed, Fault::WrongLength, Fault::InvalidProof];
            assert!(expected.contains(fault), "{case:?}: {fault}");
        }
    }
}

#[test]
fn altered_bodies_of_an_exchange_of_evaluations_name_their_sender() {
    let key = shared::<Oprf<P256Sha256>>(2, 3, 7);
    evaluations(&key, blinded(&key, 1, 50), blinded(&key, 1, 60));
    // Shares of a secret result go to each party alone.
    let key = shared::<Kdf<Ristretto255Sha512>>(2, 3, 8);
    let query = |input| Query::derive(&key.public, b"tests", input).unwrap();
    evaluations(&key, query(b"one"), query(b"other"));
}

#[test]
fn altered_bodies_of_an_exchange_of_proof_shares_name_their_sender() {
    type Key = Vrf<EcvrfEd25519Ell2>;
    let key = shared::<Key>(2, 3, 9);
    let query = Query::vrf(&key.public, b"round 7").unwrap();
    let run = proving(&key, &query, 70);
    let session = proving(&key, &query, 80);
    let (all, package) = (Parties::numbered(3).unwrap(), Arc::new(run.package));
    let body = |share: &ProofShare<Key>| {
        let bytes = share.to_bytes();
        bytes[bytes.len() - 64..bytes.len() - 32].to_vec()
    };
    let [own, party, other] = [&run.shares[1], &run.shares[2], &session.shares[1]].map(body);
    let field = Field::next("s", Class::Scalar, 32, &mut 0);
    for case in cases::<quorate_curve::Ed25519>(&[field], &own, &party, &other) {
        if case.bytes.len() > own.len() {
            continue;
        }
        let params = |me: PartyId| {
            ProofExchangeParams::new(package.clone(), run.shares[usize::from(me.get()) - 1])
        };
        let (_, results) = record::<ProofExchange<Key>>(&all, sid(2), params, |place, bytes, _| {
            if place.0 == id(CHEATER) {
                *bytes = frame(bytes, own.len(), &case.bytes);
            }
        });
        for (_, result) in results.into_iter().filter(|(me, _)| *me != id(CHEATER)) {
            let Outcome::Blamed(1, culprits) = Outcome::from(result.unwrap_err()) else { panic!() };
            assert_eq!(culprits.iter().map(|one| one.0).collect::<Vec<_>>(), [id(CHEATER)]);
        }
    }
}
