//! SE-14, SE-15: the cost of a failure in the last round of a key generation, and the parties that are named
//! when a party gives up.

use quorate::frost::generic::{
    DkgOutput, KeyShare, PlanError, PublicKeyPackage, Repair, RepairParams, RepairPlan, Reshare,
    ReshareParams, ResharePlan, Reshared, RoastSigner, ShareState, SignError, SigningPackage,
};
use quorate::session::sim::{Delivery, Network, Report};
use quorate::{Abort, Fault, PartyId, SessionId};

use super::dkg::{Frames, Verdict, judged as ended, keygen, verdict};
use super::harness::Hostile;
use super::harness::{Key, MUTATOR, copy, id, parties, rng};

/// The fate of the mutator's confirmation to party 5.
type Spoil<'a> = &'a dyn Fn(Delivery) -> Frames;

/// Confirmations that are wrong, withheld, too short, or two different ones, each with the fault that is blamed.
fn spoilt() -> [(Option<Fault>, Spoil<'static>); 4] {
    fn altered(mut one: Delivery) -> Delivery {
        *one.bytes.last_mut().unwrap() ^= 1;
        one
    }
    [
        (Some(Fault::InvalidConfirmation), &|one| vec![altered(one)]),
        (None, &|_| vec![]),
        (Some(Fault::WrongLength), &|mut one| {
            one.bytes.pop();
            vec![one]
        }),
        (Some(Fault::Equivocation), &|one| vec![altered(one.clone()), one]),
    ]
}

/// Spoils every frame from the mutator to 5 in the last round.
fn to_five(one: Delivery, spoil: Spoil<'_>) -> Frames {
    match (one.from, one.to, one.round.get()) == (id(MUTATOR), id(5), 3) {
        true => spoil(one),
        false => vec![one],
    }
}

/// Party 5 has its share, which is marked and does not sign, until the owner decides that it may.
fn kept<S: Hostile>(report: Report<DkgOutput<S>>, confirmed: ShareState) {
    let Report { mut results, mut unconfirmed, .. } = report;
    let one = results.remove(&id(1)).unwrap().unwrap();
    let DkgOutput { share, public, .. } = unconfirmed.remove(&id(5)).unwrap();
    assert_eq!((one.share.state(), share.state()), (confirmed, ShareState::Unconfirmed));
    assert!(public == one.public && share.package_id() == one.share.package_id());
    // The mark is part of what is stored.
    let mut share = KeyShare::<S>::from_bytes(&share.to_bytes(), &public).unwrap();
    assert_eq!(share.state(), ShareState::Unconfirmed);
    let sign = |share: &KeyShare<S>| {
        let mut rng = rng(9);
        let (ones, ones_commitments) = one.share.commit(&mut rng);
        let (fives, fives_commitments) = share.commit(&mut rng);
        let all = [ones_commitments, fives_commitments];
        let package = SigningPackage::new(&public, all, b"m").unwrap();
        let shares = [one.share.sign(&package, ones).unwrap(), share.sign(&package, fives)?];
        public.aggregate(&package, &shares).unwrap();
        Ok(())
    };
    assert_eq!(sign(&share), Err(SignError::Unconfirmed));
    let start = RoastSigner::start(&share, SessionId::new([2; 32]), b"m", &mut rng(9));
    assert_eq!(start.err(), Some(SignError::Unconfirmed));
    refused(&share, &public);
    share.confirm();
    assert_eq!(share.state(), confirmed);
    assert_eq!(copy(&share, &public).state(), confirmed);
    assert_eq!(sign(&share), Ok(()));
}

/// An unconfirmed share cannot be refreshed, and cannot help to repair another.
fn refused<S: Hostile>(share: &KeyShare<S>, public: &PublicKeyPackage<S>) {
    let (shared, share) = (public.shared(), share.secret_share());
    let plan = ResharePlan::refresh(shared, public.parties().clone()).unwrap();
    assert_eq!(ReshareParams::dealer(&plan, share).err(), Some(PlanError::Unconfirmed));
    let plan = RepairPlan::new(shared, parties([MUTATOR, 5]), id(1)).unwrap();
    assert_eq!(RepairParams::helper(&plan, share).err(), Some(PlanError::Unconfirmed));
}

fn verdict_of(fault: Option<Fault>) -> Verdict {
    fault.map_or(Verdict::Missing, Verdict::Blamed)
}

fn key_generation<S: Hostile>() {
    for (fault, spoil) in spoilt() {
        let report = keygen::<S>(1, |one| to_five(one, spoil));
        assert_eq!([verdict(&report, 1), verdict(&report, 5)], [Verdict::Done, verdict_of(fault)]);
        kept(report, ShareState::Ready);
    }
}

#[test]
fn se_14_a_failed_confirmation_keeps_the_share_of_a_key_generation() {
    quorate_testkit::for_every_suite!(key_generation);
}

fn refresh<S: Hostile>() {
    let key = Key::<S>::new(1);
    for (fault, spoil) in spoilt() {
        let report = refreshed(&key, |one| to_five(one, spoil));
        let verdicts = [1, 5].map(|party| ended(&report, party, |_, _| ()));
        assert_eq!(verdicts, [Verdict::Done, verdict_of(fault)]);
        kept(outputs(report), ShareState::Pending);
    }
}

fn refreshed<S: Hostile>(
    key: &Key<S>,
    hook: impl FnMut(Delivery) -> Frames,
) -> Report<Reshared<S>> {
    let plan = key.refresh();
    let network = Network::new(1).tamper(hook);
    let params = |me: PartyId| key.dealer(&plan, me);
    network.run::<Reshare<S>>(SessionId::new([1; 32]), &plan.parties(), params).unwrap()
}

/// The results of a refresh, in which everybody has a share.
fn outputs<S: Hostile>(report: Report<Reshared<S>>) -> Report<DkgOutput<S>> {
    let output = |one: Reshared<S>| DkgOutput { share: one.share.unwrap(), public: one.public };
    let Report { results, unconfirmed, stats, .. } = report;
    let results = results.into_iter().map(|(party, result)| (party, result.map(output))).collect();
    let unconfirmed = unconfirmed.into_iter().map(|(party, one)| (party, output(one))).collect();
    Report { results, unconfirmed, stats }
}

#[test]
fn se_14_a_failed_confirmation_keeps_the_share_of_a_refresh() {
    quorate_testkit::for_every_suite!(refresh);
}

/// The mutator spoils its message of a round, and party 5 is silent in that round. A party that gives up names
/// the mutator, and does not list the party that is merely silent.
fn give_up(one: Delivery, round: u8) -> Frames {
    let mut one = one;
    match one.from {
        from if from == id(5) && one.round.get() == round => return vec![],
        from if from == id(MUTATOR) && one.round.get() == round => {
            let last = one.bytes.last_mut().unwrap();
            *last ^= 1;
        }
        _ => {}
    }
    vec![one]
}

fn judged<S: Hostile>() {
    let key = Key::<S>::new(1);
    for (round, fault) in [
        (1, Fault::InvalidProofOfPossession),
        (2, Fault::InvalidShare),
        (3, Fault::InvalidConfirmation),
    ] {
        let report = keygen::<S>(1, |one| give_up(one, round));
        let found = verdict(&report, 1);
        // With its last byte altered, the scalar may be invalid.
        let scalar = Verdict::Blamed(Fault::InvalidScalar);
        assert!([Verdict::Blamed(fault), scalar].contains(&found), "round {round}: {found:?}");
        assert_eq!(report.unconfirmed.contains_key(&id(1)), round == 3);
        let report = refreshed(&key, |one| give_up(one, round));
        let found = ended(&report, 1, |_, _| ());
        // In a refresh an opening key is altered, which is another one or none, or a sealed share,
        // which the proof of round 2 covers.
        let expected = match round {
            1 => [Verdict::Missing, Verdict::Blamed(Fault::InvalidPoint)],
            2 => [Verdict::Blamed(Fault::InvalidProofOfPossession), scalar],
            _ => [Verdict::Blamed(fault), scalar],
        };
        assert!(expected.contains(&found), "refresh, round {round}: {found:?}");
    }
}

#[test]
fn se_15_who_gives_up_judges_what_has_arrived() {
    quorate_testkit::for_every_suite!(judged);
}

/// As above, in a repair: a body that is no scalar, from the helper that the other one waits for.
fn judged_in_repair<S: Hostile>() {
    for (round, to) in [(1, 1), (2, 7), (3, 7)] {
        let all = parties([1, MUTATOR, 5, 7]);
        let key = Key::<S>::among(3, &all, 2);
        let plan = key.repair(&[1, MUTATOR, 5], 7);
        let params = |me: PartyId| key.part(&plan, me);
        let hook = |mut one: Delivery| {
            let here = one.round.get() == round && one.to == id(to);
            match one.from {
                from if here && from == id(5) => vec![],
                from if here && from == id(MUTATOR) => {
                    one.bytes.pop();
                    vec![one]
                }
                _ => vec![one],
            }
        };
        let network = Network::new(1).tamper(hook);
        let report = network.run::<Repair<S>>(SessionId::new([1; 32]), &all, params).unwrap();
        match report.results.get(&id(to)).unwrap() {
            Err(Abort::Misbehaviour(blames)) => {
                let named: Vec<_> = blames.iter().map(|one| (one.party, one.fault)).collect();
                assert_eq!(named, [(id(MUTATOR), Fault::WrongLength)]);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn se_15_who_gives_up_a_repair_judges_what_has_arrived() {
    quorate_testkit::for_every_suite!(judged_in_repair);
}
