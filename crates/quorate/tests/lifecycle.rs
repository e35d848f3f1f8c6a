//! A key's life after it was made: refresh and resharing, over every suite. (Repair is in
//! `hostile/`, with the attacks on it.)
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::unwrap_in_result,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::type_complexity,
    clippy::integer_division_remainder_used,
    reason = "tests"
)]

#[path = "lifecycle/random.rs"]
mod random;

use std::collections::BTreeMap;

use chacha20::ChaCha20Rng;
use quorate::frost::generic::{
    AggregateError, Ciphersuite, Commitments, Committee, Coordinator, Dealing, DealtShare,
    DkgOutput, KeyShare, Mismatch, PackageError, PlanError, PublicKeyPackage, Reshare,
    ReshareParams, ResharePlan, Reshared, SignError, SigningPackage,
};
use quorate::session::sim::{Delivery, Network};
use quorate::session::{Check, Round};
use quorate::{Abort, Fault, Parties, PartyId, SessionId};
use quorate_testkit::lockstep::id;
use random::any_t_sign_and_nobody_else;

type Results<S> = BTreeMap<PartyId, Result<DkgOutput<S>, Abort>>;

struct Group<S: Ciphersuite> {
    parties: Parties,
    public: PublicKeyPackage<S>,
    shares: BTreeMap<PartyId, KeyShare<S>>,
}

fn rng() -> ChaCha20Rng {
    quorate_testkit::rng(23)
}

fn dealt<S: Ciphersuite>() -> Group<S> {
    let parties = Parties::new([1, 7, 300].map(id)).unwrap();
    let Dealing { shares, public } = Dealing::<S>::new(2, &parties, &mut rng()).unwrap();
    let accept = |share: DealtShare<S>| (share.id(), share.accept(2, &public).unwrap());
    let shares = shares.into_iter().map(accept).collect();
    Group { parties, public, shares }
}

fn refresh<'a, S: Ciphersuite>(group: &'a Group<S>, network: Network<'a>) -> Results<S> {
    let plan = ResharePlan::refresh(group.public.shared(), group.parties.clone()).unwrap();
    reshare(group, &plan, network)
        .into_iter()
        .map(|(party, result)| (party, result.map(both)))
        .collect()
}

/// The result of a party that has a share.
fn both<S: Ciphersuite>(one: Reshared<S>) -> DkgOutput<S> {
    DkgOutput { share: one.share.unwrap(), public: one.public }
}

fn reshare<'a, S: Ciphersuite>(
    group: &'a Group<S>,
    plan: &ResharePlan<S>,
    network: Network<'a>,
) -> BTreeMap<PartyId, Result<Reshared<S>, Abort>> {
    let params = |me: PartyId| match plan.dealers().contains(me) {
        true => ReshareParams::dealer(plan, group.shares[&me].secret_share()).unwrap(),
        false => ReshareParams::member(plan, me).unwrap(),
    };
    let sid = SessionId::new([9; 32]);
    network.run::<Reshare<S>>(sid, &plan.parties(), params).unwrap().results
}

/// Signs with two shares and aggregates by a package.
fn sign<S: Ciphersuite>(
    public: &PublicKeyPackage<S>,
    signers: [&KeyShare<S>; 2],
) -> Result<(), PackageError> {
    let (nonces, commitments): (Vec<_>, Vec<_>) =
        signers.iter().map(|share| share.commit(&mut rng())).unzip();
    let package = SigningPackage::new(public, commitments, b"message")?;
    let shares: Vec<_> = signers
        .iter()
        .zip(nonces)
        .map(|(share, nonces)| share.sign(&package, nonces).unwrap())
        .collect();
    let signature = public.aggregate(&package, &shares).unwrap();
    public.verifying_key().verify(b"message", &signature).unwrap();
    Ok(())
}

/// Lets party 7's frames of a round be rewritten on their way to party 1.
fn tampered(
    round: u8,
    rewrite: impl Fn(&mut Vec<u8>) + 'static,
) -> impl FnMut(Delivery) -> Vec<Delivery> {
    move |mut delivery| {
        if delivery.from == id(7) && delivery.to == id(1) && delivery.round == Round(round) {
            rewrite(&mut delivery.bytes);
        }
        vec![delivery]
    }
}

fn blamed<S: Ciphersuite>(results: &Results<S>, party: u16) -> Vec<(u16, Fault)> {
    match &results[&id(party)] {
        Err(Abort::Misbehaviour(blames)) => {
            blames.iter().map(|blame| (blame.party.get(), blame.fault)).collect()
        }
        other => panic!("{other:?}"),
    }
}

fn new_shares_sign_and_old_ones_do_not_mix<S: Ciphersuite>() {
    let group = dealt::<S>();
    let results = refresh(&group, Network::new(1).reorder(5).duplicate(20).crash(10));
    let outputs: BTreeMap<_, _> =
        results.into_iter().map(|(party, result)| (party, result.unwrap())).collect();
    let new = &outputs[&id(1)].public;
    assert!(outputs.values().all(|output| output.public == *new));
    assert_eq!(new.verifying_key(), group.public.verifying_key());
    assert_eq!((new.epoch(), new.key_id()), (1, group.public.key_id()));
    // The package is valid by its own checks, and so is a share.
    assert_eq!(PublicKeyPackage::<S>::from_bytes(&new.to_bytes()).unwrap(), *new);
    let share = &outputs[&id(300)].share;
    assert_eq!(share.epoch(), 1);
    assert!(KeyShare::<S>::from_bytes(&share.to_bytes(), new).is_ok());
    assert_ne!(share.verifying_share(), group.shares[&id(300)].verifying_share());

    let (one, seven) = (&outputs[&id(1)].share, &outputs[&id(7)].share);
    assert_eq!(sign(new, [one, seven]), Ok(()));
    assert_eq!(sign(new, [one, share]), Ok(()));
    // The old ones still sign with each other, but not with the new.
    let old = (&group.shares[&id(1)], &group.shares[&id(7)]);
    assert_eq!(sign(&group.public, [old.0, old.1]), Ok(()));
    mixed_epochs_blame_nobody(new, one, &group.public, old.1);
}

/// A coordinator and party 1 in epoch 1, party 7 in epoch 0, at every step of signing.
fn mixed_epochs_blame_nobody<S: Ciphersuite>(
    new: &PublicKeyPackage<S>,
    one: &KeyShare<S>,
    old: &PublicKeyPackage<S>,
    seven: &KeyShare<S>,
) {
    let late = Mismatch::WrongEpoch { expected: 1, got: 0 };
    let early = Mismatch::WrongEpoch { expected: 0, got: 1 };
    // Commitments: the package is not even made, from either side.
    let (ones, sevens) = (one.commit(&mut rng()), seven.commit(&mut rng()));
    let made = SigningPackage::new(new, [ones.1, sevens.1], b"m").unwrap_err();
    assert_eq!(made, PackageError::Mismatch { party: id(7), why: late });
    let made = SigningPackage::new(old, [ones.1, sevens.1], b"m").unwrap_err();
    assert_eq!(made, PackageError::Mismatch { party: id(1), why: early });
    let sent = [ones.1, sevens.1].map(|one| (one.id(), one.to_bytes()));
    let error = Coordinator::new(new.clone()).start(sent, b"m").unwrap_err();
    assert_eq!(error, PackageError::Mismatch { party: id(7), why: late });
    assert_eq!(error.culprits().count(), 0);
    // The signing package: a signer refuses one of another epoch, whoever made it.
    let relabel = |commitments: &Commitments<S>, public: &PublicKeyPackage<S>| {
        let [d, e] = [commitments.hiding().as_ref(), commitments.binding().as_ref()];
        Commitments::from_parts(commitments.id(), public.package_id(), d, e).unwrap()
    };
    let forged = [ones.1, relabel(&sevens.1, new)];
    let package = SigningPackage::new(new, forged, b"m").unwrap();
    assert_eq!(seven.sign(&package, sevens.0).unwrap_err(), SignError::Mismatch(early));
    // Its share, if it signs all the same and says truly what it is.
    let forged = [relabel(&ones.1, old), sevens.1];
    let olds = SigningPackage::new(old, forged, b"m").unwrap();
    let (sevens, _) = seven.commit(&mut rng());
    let stray = seven.sign(&olds, sevens).unwrap();
    let right = one.sign(&package, ones.0).unwrap();
    let error = new.aggregate(&package, &[right, stray]).unwrap_err();
    assert_eq!(error, AggregateError::Mismatch { party: Some(id(7)), why: late });
    assert!(error.culprits().is_empty());
    let error = new.verify_share(&package, &stray).unwrap_err();
    assert_eq!(error, AggregateError::Mismatch { party: Some(id(7)), why: late });
    // A coordinator with the package of another epoch.
    let error = old.aggregate(&package, &[right, stray]).unwrap_err();
    assert_eq!(error, AggregateError::Mismatch { party: None, why: early });
}

fn misbehaviour_is_named_and_changes_nothing<S: Ciphersuite>() {
    let group = dealt::<S>();
    let body = 71;
    // A commitment to a polynomial of another degree, an invalid point, a share that is off.
    let longer = |frame: &mut Vec<u8>| frame.push(0);
    let shorter = |frame: &mut Vec<u8>| frame.truncate(frame.len() - 1);
    let garbage = move |frame: &mut Vec<u8>| frame[body..].fill(0xff);
    let flipped = |frame: &mut Vec<u8>| *frame.get_mut(71 + 2).unwrap() ^= 1;
    let cases: [(u8, Box<dyn Fn(&mut Vec<u8>)>, Option<Fault>); 4] = [
        (1, Box::new(longer), None),
        (1, Box::new(shorter), Some(Fault::WrongLength)),
        (1, Box::new(garbage), Some(Fault::InvalidPoint)),
        (2, Box::new(flipped), None),
    ];
    for (round, rewrite, fault) in cases {
        let results = refresh(&group, Network::new(2).tamper(tampered(round, rewrite)));
        match fault {
            Some(fault) => assert_eq!(blamed(&results, 1), [(7, fault)]),
            // Longer than any message of the round: the frame is not taken, and its sender counts as silent.
            None if round == 1 => assert!(matches!(&results[&id(1)], Err(Abort::Missing { .. }))),
            // Another point, or none: the proof covers all of a deal.
            None => {
                let found = blamed(&results, 1);
                let faults = [Fault::InvalidPoint, Fault::InvalidProofOfPossession];
                assert!(found.len() == 1 && found[0].0 == 7 && faults.contains(&found[0].1));
            }
        }
        assert!(results.values().all(|result| result.is_err()), "nobody goes on alone");
        assert_eq!(sign(&group.public, [&group.shares[&id(1)], &group.shares[&id(7)]]), Ok(()));
    }
}

fn a_split_view_is_noticed_and_nobody_is_blamed<S: Ciphersuite>() {
    let group = dealt::<S>();
    // Party 7 runs twice, and shows party 1 the announcement of the other run.
    let other = core::cell::RefCell::new(None);
    let _ = refresh(
        &group,
        Network::new(3).tamper(|delivery| {
            if delivery.from == id(300) && delivery.round == Round(1) {
                other.replace(Some(delivery.bytes.clone()));
            }
            vec![delivery]
        }),
    );
    let body = other.take().unwrap().split_off(71);
    let results = refresh(
        &group,
        Network::new(3).tamper(tampered(1, move |frame| {
            frame.truncate(71);
            frame.extend_from_slice(&body);
        })),
    );
    let unattributed = |result: &Result<_, Abort>| {
        matches!(result, Err(Abort::Unattributed { check: Check::EchoMismatch, .. }))
    };
    assert!(results.values().any(unattributed));
    assert!(
        results.values().all(|result| {
            result.as_ref().is_err_and(|abort| abort.culprits().next().is_none())
        })
    );
}

fn another_package_is_another_run<S: Ciphersuite>() {
    let (group, mut other) = (dealt::<S>(), dealt::<S>());
    other.public = {
        let results = refresh(&group, Network::new(4));
        results.into_values().next().unwrap().unwrap().public
    };
    // Party 1 has a share of the old epoch, the others of the new one: its session does not even start.
    let plan = ResharePlan::refresh(other.public.shared(), group.parties.clone()).unwrap();
    let late = PlanError::Mismatch(Mismatch::WrongEpoch { expected: 1, got: 0 });
    let share = group.shares[&id(1)].secret_share();
    assert_eq!(ReshareParams::dealer(&plan, share).err(), Some(late));
    // Nor with a part of the parties.
    let plan = ResharePlan::refresh(group.public.shared(), group.parties.clone()).unwrap();
    let params = ReshareParams::dealer(&plan, share).unwrap();
    let two = Parties::new([1, 7].map(id)).unwrap();
    let sid = SessionId::new([9; 32]);
    assert!(quorate::Session::<Reshare<S>>::start(sid, id(1), &two, params, &mut rng()).is_err());
}

/// The key goes to 7, 8, 9 and 10 with threshold 3; 1 and 300 deal, and one of them stays away.
fn another_committee_signs<S: Ciphersuite>() {
    let group = dealt::<S>();
    let dealers = Parties::new([1, 300].map(id)).unwrap();
    let committee = Committee::new(Parties::new([7, 8, 9, 10].map(id)).unwrap(), 3).unwrap();
    let plan = ResharePlan::new(group.public.shared(), dealers, committee).unwrap();
    let results = reshare(&group, &plan, Network::new(6).reorder(3));
    let (with, without): (Vec<_>, Vec<_>) =
        results.into_values().map(Result::unwrap).partition(|one| one.share.is_some());
    assert_eq!((with.len(), without.len()), (4, 2));
    let public = &with[0].public;
    assert!(with.iter().chain(&without).all(|one| one.public == *public));
    assert_eq!(public.verifying_key(), group.public.verifying_key());
    assert_eq!((public.threshold(), public.epoch()), (3, 1));
    let shares: Vec<_> = with.iter().map(|one| one.share.as_ref().unwrap()).collect();
    for away in 0..4 {
        let signers: Vec<_> = (0..4)
            .filter(|at| *at != away)
            .map(|at| (shares[at], shares[at].commit(&mut rng())))
            .collect();
        let sent: Vec<_> = signers.iter().map(|(_, (_, sent))| *sent).collect();
        let package = SigningPackage::new(public, sent, b"message").unwrap();
        let sign =
            |(share, (nonces, _)): (&KeyShare<S>, (_, _))| share.sign(&package, nonces).unwrap();
        let signed: Vec<_> = signers.into_iter().map(sign).collect();
        let signature = public.aggregate(&package, &signed).unwrap();
        group.public.verifying_key().verify(b"message", &signature).unwrap();
    }
    // Party 7 has a share of each epoch, and tells them apart.
    let early = Mismatch::WrongEpoch { expected: 1, got: 0 };
    assert_eq!(group.shares[&id(7)].secret_share().check_belongs_to(public.shared()), Err(early));
}

quorate_testkit::suite_tests!(
    new_shares_sign_and_old_ones_do_not_mix,
    misbehaviour_is_named_and_changes_nothing,
    a_split_view_is_noticed_and_nobody_is_blamed,
    another_package_is_another_run,
    another_committee_signs,
    any_t_sign_and_nobody_else,
);
