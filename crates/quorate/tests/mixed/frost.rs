//! FROST in every suite: parties 1 and 300 in Rust, party 2 in Python, and any two of them sign.

use quorate::frost::generic::{
    Ciphersuite, Commitments, Dkg, DkgParams, KeyShare, PublicKeyPackage, Reshare, ReshareParams,
    ResharePlan, SignatureShare, SigningPackage,
};
use quorate_testkit::lockstep::{id, parties, sid, start};
use quorate_testkit::{hex, rng, unhex};

use super::python::Python;

const NUMBERS: [u16; 3] = [1, 2, 300];
const RUST: [u16; 2] = [1, 300];

/// The signature of a party in Rust and of the one in Python verifies.
fn sign<S: Ciphersuite>(python: &mut Python, share: &KeyShare<S>, public: &PublicKeyPackage<S>) {
    let (nonces, ours) = share.commit(&mut rng(7));
    python.tell("commit");
    let theirs = Commitments::from_bytes(id(2), &python.sent().1).unwrap();
    let package = SigningPackage::new(public, [theirs, ours], b"a message of both").unwrap();
    let ours = share.sign(&package, nonces).unwrap();
    python.tell(&format!("sign {}", hex(&package.to_bytes())));
    let theirs = SignatureShare::from_bytes(id(2), &python.sent().1).unwrap();
    let signature = public.aggregate(&package, &[ours, theirs]).unwrap();
    public.verifying_key().verify(b"a message of both", &signature).unwrap();
}

/// A key is made, signs, is refreshed, and signs again.
fn life<S: Ciphersuite>() {
    let Some(mut python) = Python::start("party.py", S::CODE, 2, 9) else { return };
    let all = parties(NUMBERS);
    let steps = RUST.map(|me| start::<Dkg<S>>(sid(1), id(me), &all, DkgParams::new(2)));
    let command = format!("dkg {} 1,2,300 2", hex(&[1; 32]));
    let (made, theirs) = python.run(&command, steps.into());
    let public = &made[0].public;
    assert_eq!(unhex(&theirs[0]), public.to_bytes());
    for one in &made {
        sign(&mut python, &one.share, public);
    }

    let plan = ResharePlan::<S>::refresh(public.shared(), all.clone()).unwrap();
    let params = |at: usize| ReshareParams::dealer(&plan, made[at].share.secret_share()).unwrap();
    let steps = [0, 1].map(|at| start::<Reshare<S>>(sid(2), id(RUST[at]), &all, params(at)));
    let command = format!("reshare {} 1,2,300 2 1,2,300", hex(&[2; 32]));
    let (refreshed, theirs) = python.run(&command, steps.into());
    let public = PublicKeyPackage::<S>::from_bytes(&unhex(&theirs[0])).unwrap();
    for one in &refreshed {
        assert_eq!(one.public.to_bytes(), public.to_bytes());
        let share = one.share.as_ref().unwrap();
        sign(&mut python, share, &public);
    }
}

quorate_testkit::suite_tests!(life);
