//! FROST: keys dealt and generated, nonces, shares of signatures.

use chacha20::rand_core::Rng as _;
use quorate::frost::generic::roast::AnswerOutcome;
use quorate::frost::generic::{
    Ciphersuite, Dealing, DealtShare, Dkg, DkgParams, KeyShare, KeySuite, NonceBatch,
    PublicKeyPackage, RoastCoordinator, RoastSigner, Scalar, SigningPackage,
};
use quorate::session::{Continuity, Parties, SealKey, SessionId, SpentInMemory, To};
use quorate_curve::Curve;
use quorate_testkit::heap::Watchlist;

use crate::Report;
use crate::runs::{line, recorded, run, watch_scalar};
use quorate_testkit::rng;

/// The signing share.
pub(crate) fn secret_of<S: KeySuite>(share: &KeyShare<S>) -> Scalar<S> {
    *share.secret_share().secret().expose()
}

pub(crate) fn dealing<S: KeySuite>(parties: &Parties) -> (Vec<KeyShare<S>>, PublicKeyPackage<S>) {
    let Dealing { shares, public } = Dealing::<S>::new(2, parties, &mut rng(40)).unwrap();
    let mut kept = Vec::with_capacity(shares.len());
    for share in shares {
        let sent = DealtShare::<S>::from_bytes(&share.to_bytes()).unwrap();
        kept.push(sent.accept(2, &public).unwrap());
    }
    (kept, public)
}

/// A polynomial and its values, of which two were dealt to others.
fn watch_polynomial<S: KeySuite>(list: &mut Watchlist, parties: &Parties, [a, b]: [Scalar<S>; 2]) {
    for (name, value) in [("a_0", a), ("a_1", b)] {
        watch_scalar::<S::Curve>(list, name, &value);
        watch_scalar::<S::Curve>(list, name, &-value);
    }
    for party in parties.iter() {
        let share = a + b * Scalar::<S>::from(u64::from(party.get()));
        watch_scalar::<S::Curve>(list, "f(j)", &share);
        watch_scalar::<S::Curve>(list, "f(j)", &-share);
    }
}

fn dealt<S: KeySuite>(report: &mut Report) {
    let parties = Parties::numbered(3).unwrap();
    let (shares, _) = dealing::<S>(&parties);
    let mut list = Watchlist::new();
    let two = [0, 1].map(|at| (shares[at].id(), secret_of(&shares[at])));
    watch_polynomial::<S>(&mut list, &parties, line::<S::Curve>(two));
    report.watch(&format!("{} dealing", S::CONTEXT), &list, || drop(dealing::<S>(&parties)));
}

fn generated<S: KeySuite>(report: &mut Report) {
    let parties = Parties::numbered(3).unwrap();
    let params = |_| DkgParams::<S>::new(2);
    let (outputs, frames) = recorded::<Dkg<S>>(50, &parties, params);
    let mut list = Watchlist::new();
    let len = S::Curve::encode_scalar(&Scalar::<S>::default()).as_ref().len();
    for dealer in parties.iter() {
        let mut values = Vec::new();
        for frame in frames.iter().filter(|frame| frame.from == dealer && frame.round == 2) {
            let To::Only(to) = frame.to else { continue };
            values.push((to, S::Curve::decode_scalar(frame.end(len)).unwrap()));
        }
        watch_polynomial::<S>(
            &mut list,
            &parties,
            line::<S::Curve>(values.try_into().ok().unwrap()),
        );
    }
    for output in &outputs {
        watch_scalar::<S::Curve>(&mut list, "s_i", &secret_of(&output.share));
    }
    report.watch(&format!("{} key generation", S::CONTEXT), &list, || {
        for output in run::<Dkg<S>>(50, &parties, params, |_, _, _| ()) {
            drop(KeyShare::<S>::from_bytes(&output.share.to_bytes(), &output.public).unwrap());
        }
    });
}

/// Nonces as RFC 9591 §4.1 makes them.
fn nonces<S: Ciphersuite>(share: &KeyShare<S>, seed: u8, count: usize) -> Vec<Scalar<S>> {
    let secret = S::Curve::encode_scalar(&secret_of(share));
    let mut rng = rng(seed);
    let mut draw = || {
        let mut random = [0; 32];
        rng.fill_bytes(&mut random);
        S::h3(&random, secret.as_ref())
    };
    (0..count).map(|_| draw()).collect()
}

fn signed<S: Ciphersuite>(report: &mut Report) {
    let (shares, public) = dealing::<S>(&Parties::numbered(3).unwrap());
    let mut list = Watchlist::new();
    for share in &shares {
        watch_scalar::<S::Curve>(&mut list, "s_i", &secret_of(share));
        for nonce in nonces(share, 60, 60) {
            watch_scalar::<S::Curve>(&mut list, "d, e", &nonce);
            watch_scalar::<S::Curve>(&mut list, "d, e", &-nonce);
        }
    }
    report.watch(&format!("{} signing", S::CONTEXT), &list, || {
        let (alice, bob) = (&shares[0], &shares[2]);
        let (ours, theirs) = (alice.commit(&mut rng(60)), bob.commit(&mut rng(60)));
        let package = SigningPackage::new(&public, [ours.1, theirs.1], b"message").unwrap();
        let parts = [alice.sign(&package, ours.0).unwrap(), bob.sign(&package, theirs.0).unwrap()];
        public.aggregate(&package, &parts).unwrap();
    });
    report.watch(&format!("{} a robust run", S::CONTEXT), &list, || {
        let (key, run) = (SealKey::new([7; 32]), SessionId::new([7; 32]));
        let mut coordinator = RoastCoordinator::start(public.clone(), run, b"message").unwrap();
        let mut ask = None;
        let start = |share| RoastSigner::start(share, run, b"message", &mut rng(60)).unwrap();
        let signers = [&shares[0], &shares[2]].map(|share| (share, start(share)));
        for (share, signer) in &signers {
            if let Ok(AnswerOutcome::Ask(new)) = coordinator.receive(share.id(), signer.message()) {
                ask = Some(new.bytes);
            }
        }
        for (share, signer) in signers {
            let mut signer = RoastSigner::open(&signer.seal(&key), &key).unwrap();
            let (table, request) = (&mut SpentInMemory::new(), ask.as_ref().unwrap());
            signer.answer(share, request, table, &mut rng(60)).unwrap();
            drop(signer.seal(&key));
            assert!(coordinator.receive(share.id(), signer.message()).is_ok());
        }
    });
    report.watch(&format!("{} signing from a batch", S::CONTEXT), &list, || {
        let key = SealKey::new([7; 32]);
        let mut parts = Vec::new();
        let mut batches: Vec<_> = [&shares[0], &shares[2]]
            .map(|share| (share, share.precompute(30, &mut rng(60))))
            .into();
        let listed: Vec<_> =
            batches.iter().filter_map(|(_, one)| one.commitments().next()).collect();
        let package = SigningPackage::new(&public, listed, b"message").unwrap();
        for (share, batch) in &mut batches {
            let mut batch =
                NonceBatch::open(&batch.seal(&key), &key, Continuity::StayedUp).unwrap();
            let claim = batch.claim_for(share, &package).unwrap();
            let receipt = claim.record().store(&mut SpentInMemory::new()).unwrap();
            let nonces = claim.release(receipt).unwrap();
            parts.push(share.sign(&package, nonces).unwrap());
        }
        public.aggregate(&package, &parts).unwrap();
    });
}

fn leaves_nothing<S: Ciphersuite>() {
    let mut report = Report::default();
    dealt::<S>(&mut report);
    generated::<S>(&mut report);
    signed::<S>(&mut report);
}

quorate_testkit::suite_tests!(leaves_nothing);
