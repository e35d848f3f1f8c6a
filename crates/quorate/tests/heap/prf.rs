//! The threshold PRF: shares of evaluations and proofs, a client's input and output, derived bytes, hardened children.

use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::generic::{KeyShare, KeySuite, PublicKeyPackage};
use quorate::prf::oprf::Blinding;
use quorate::prf::{
    ChildTweak, Evaluation, Kdf, KeyKind, P256Sha256, PrfSuite, ProofPackage, Query,
    Ristretto255Sha512, Secp256k1Sha256, Voprf,
};
use quorate::session::Parties;
use quorate_testkit::heap::Watchlist;
use quorate_testkit::rng;

use crate::Report;
use crate::frost::{dealing, secret_of};
use crate::runs::watch_scalar;

const INPUT: &[u8] = b"correct horse battery staple";

type Dealt<K> = (Vec<KeyShare<K>>, PublicKeyPackage<K>);

/// A key of two of three parties, whose shares are watched.
fn watched<K: KeySuite>(list: &mut Watchlist) -> Dealt<K> {
    let dealt = dealing::<K>(&Parties::numbered(3).unwrap());
    for share in &dealt.0 {
        watch_scalar::<K::Curve>(list, "x_i", &secret_of(share));
    }
    dealt
}

/// The result of the shares of two parties.
fn evaluated<K: KeyKind>((shares, public): &Dealt<K>, query: &Query<K>) -> Evaluation<K> {
    let parts = [0, 2].map(|at| query.evaluate(&shares[at], &mut rng(61)).unwrap());
    query.aggregate(public, &parts).unwrap()
}

fn proved<S: PrfSuite>(report: &mut Report) {
    let mut list = Watchlist::new();
    list.bytes("the input", INPUT);
    let dealt = watched::<Voprf<S>>(&mut list);
    let (shares, public) = &dealt;
    let work = || {
        let blinding = Blinding::<Voprf<S>>::new(INPUT, &mut rng(62)).unwrap();
        let query = Query::blinded(public, &[*blinding.element()]).unwrap();
        let parts = [0, 2].map(|at| query.contribute(&shares[at], &mut rng(63)).unwrap());
        let sent = parts.each_ref().map(|(_, sent)| sent.clone());
        let package = ProofPackage::new(public, &query, sent).unwrap();
        let mut answers = Vec::new();
        for (at, (nonces, _)) in [0, 2].into_iter().zip(parts) {
            answers.push(package.prove(&shares[at], nonces).unwrap());
        }
        let proof = package.aggregate(&answers).unwrap();
        let [element] = package.evaluation().elements().try_into().unwrap();
        blinding.finalize(public.verifying_key(), &element, &proof).unwrap()
    };
    list.bytes("the output", (*work()).as_ref());
    report.watch(&format!("{} an output and its proof", S::IDENTIFIER), &list, work);
}

fn derived<S: PrfSuite>(report: &mut Report) {
    let mut list = Watchlist::new();
    let dealt = watched::<Kdf<S>>(&mut list);
    let work = || {
        let query = Query::derive(&dealt.1, b"a purpose", b"an input").unwrap();
        // Longer than one block of the hash.
        evaluated(&dealt, &query).bytes(b"a label", 100).unwrap()
    };
    for part in work().chunks(25) {
        list.bytes("derived bytes", part);
    }
    report.watch(&format!("{} derived bytes", S::IDENTIFIER), &list, work);
}

fn child<S: PrfSuite>(report: &mut Report) {
    let mut list = Watchlist::new();
    let dealt = watched::<Kdf<S>>(&mut list);
    let (parents, parent) = watched::<Ed25519Sha512>(&mut list);
    let key = parent.shared();
    let work = || {
        let query = Query::hardened(&dealt.1, key, &[44, 7]).unwrap();
        let result = evaluated(&dealt, &query);
        let tweak = ChildTweak::new(&dealt.1, &query, &result, key, &[44, 7]).unwrap();
        let secret = parents[0].secret_share();
        (tweak.key_share(key, secret, ()).unwrap(), tweak)
    };
    let (share, tweak): (KeyShare<Ed25519Sha512>, _) = work();
    list.bytes("the child's chain code", tweak.chain_code().as_slice());
    watch_scalar::<<Ed25519Sha512 as KeySuite>::Curve>(
        &mut list,
        "the tweak",
        &(secret_of(&share) - secret_of(&parents[0])),
    );
    watch_scalar::<<Ed25519Sha512 as KeySuite>::Curve>(
        &mut list,
        "the child's share",
        &secret_of(&share),
    );
    drop((share, tweak));
    report.watch(&format!("{} a hardened child", S::IDENTIFIER), &list, || drop(work()));
}

fn leaves_nothing<S: PrfSuite>() {
    let mut report = Report::default();
    proved::<S>(&mut report);
    derived::<S>(&mut report);
    child::<S>(&mut report);
}

#[test]
fn ristretto255_leaves_nothing() {
    leaves_nothing::<Ristretto255Sha512>();
}

#[test]
fn p256_leaves_nothing() {
    leaves_nothing::<P256Sha256>();
}

#[test]
fn secp256k1_leaves_nothing() {
    leaves_nothing::<Secp256k1Sha256>();
}
