//! Every shape of committee, without incident.

use quorate_curve::{Curve, Ed448, Ed25519, Ristretto255};
use quorate_keys::session::sim::Network;
use quorate_keys::session::{Parties, Rejected};
use quorate_keys::{
    Committee, CommitteeError, Mismatch, PlanError, RepairParams, RepairPlan, Repaired,
    ReshareParams, ResharePlan, ShareState, SharedKey,
};

use crate::group::{Key, committee, copy, id, parties};

/// t and n of all committees of up to five.
fn shapes() -> impl Iterator<Item = (u16, u16)> + Clone {
    (2..=5).flat_map(|n| (2..=n).map(move |t| (t, n)))
}

/// The committees are equal, overlapping and disjoint. t goes up and down. The dealers are the fewest possible,
/// others, and all.
fn reshares<C: Curve>(every: usize) {
    let mut count = 0usize;
    for (t, n) in shapes() {
        let old: Vec<u16> = (1..=n).collect();
        let key = Key::<C>::dealt(&old, t, u64::from(16 * t + n));
        key.check();
        for (new_t, new_n) in shapes() {
            for first in [1, 3, 10] {
                count += 1;
                if !count.is_multiple_of(every) {
                    continue;
                }
                let to: Vec<u16> = (first..first + new_n).collect();
                let from = match count / every % 3 {
                    0 => &old[..usize::from(t)],
                    1 => &old[usize::from(n - t)..],
                    _ => &old,
                };
                let new = key.reshared(from, &to, new_t, 5);
                new.check();
                assert_eq!(new.public.epoch(), 1);
                assert_eq!(new.public.extra(), key.public.extra());
                assert_eq!(new.public.package_id().key_id(), key.public.package_id().key_id());
                assert!(new.shares.values().all(|share| share.state() == ShareState::Pending));
            }
        }
    }
    assert_eq!(count, 300);
}

#[test]
fn every_other_shape() {
    reshares::<Ed25519>(2);
}

fn some_shapes<C: Curve>() {
    reshares::<C>(17);
}

fn refresh_changes_every_share<C: Curve>() {
    let key = Key::<C>::dealt(&[1, 2, 5, 9], 3, 1);
    for dealers in [&[1, 2, 5][..], &[2, 5, 9], &[1, 2, 5, 9]] {
        let plan = ResharePlan::refresh(&key.public, parties(dealers)).unwrap();
        assert_eq!(plan.committee(), key.public.committee());
        let new = key.reshared(dealers, &[1, 2, 5, 9], 3, 4);
        new.check();
        for (party, share) in &new.shares {
            assert!(share.secret().expose() != key.shares[party].secret().expose());
        }
    }
}

fn repairs_every_share<C: Curve>() {
    for (numbers, t) in
        [(&[1, 2][..], 2), (&[1, 2, 3], 2), (&[3, 4, 7, 60_000], 3), (&[1, 2, 3, 4, 5], 4)]
    {
        if usize::from(t) == numbers.len() {
            continue;
        }
        let key = Key::<C>::dealt(numbers, t, 2);
        for target in numbers {
            let others: Vec<u16> = numbers.iter().copied().filter(|one| one != target).collect();
            for helpers in [&others[..], &others[..usize::from(t)]] {
                let report = key.repair(Network::new(1), helpers, *target);
                for (party, result) in report.results {
                    match result.unwrap() {
                        Repaired::Share(share) => {
                            assert_eq!(party, id(*target));
                            assert!(
                                share.secret().expose() == key.shares[target].secret().expose()
                            );
                            assert_eq!(share.state(), ShareState::Ready);
                        }
                        Repaired::Helped => assert_ne!(party, id(*target)),
                    }
                }
            }
        }
    }
}

fn a_repaired_share_of_a_later_epoch_is_pending<C: Curve>() {
    let key = Key::<C>::dealt(&[1, 2, 3], 2, 2).reshared(&[1, 2], &[1, 2, 3], 2, 1);
    let mut report = key.repair(Network::new(1), &[1, 3], 2);
    let Repaired::Share(share) = report.results.remove(&id(2)).unwrap().unwrap() else { panic!() };
    assert_eq!(share.state(), ShareState::Pending);
    share.check_belongs_to(&key.public).unwrap();
}

/// Frames are late, repeated, lost and sent again. Every party is sealed, dropped and opened after every frame.
fn any_network<C: Curve>() {
    let key = Key::<C>::dealt(&[1, 2, 3], 2, 3);
    let plan = key.plan(&[1, 3], &[2, 3, 4], 3);
    let rough = |seed| Network::new(seed).reorder(9).duplicate(30).lose(30).crash(100);
    let report = key.run(rough(1), &plan);
    assert!(report.results.values().all(Result::is_ok));
    assert!(report.stats.resumed > 0 && report.stats.diverged == 0 && report.stats.lost > 0);
    let report = key.repair(rough(2), &[1, 3], 2);
    assert!(report.results.values().all(Result::is_ok));
    assert!(report.stats.resumed > 0 && report.stats.diverged == 0);
}

every_curve! {
    some_shapes refresh_changes_every_share repairs_every_share a_repaired_share_of_a_later_epoch_is_pending
    any_network plans_that_cannot_be
}

/// Other widths: a scalar of 57 bytes, a group without a curve's points.
#[test]
fn the_other_groups() {
    fn check<C: Curve>() {
        let key = Key::<C>::dealt(&[1, 2, 3], 2, 3).reshared(&[1, 3], &[2, 3, 4, 5], 3, 1);
        key.check();
        let report = key.repair(Network::new(1), &[2, 4, 5], 3);
        assert!(report.results.values().all(Result::is_ok));
    }
    check::<Ed448>();
    check::<Ristretto255>();
}

fn plans_that_cannot_be<C: Curve>() {
    let key = Key::<C>::dealt(&[1, 2, 3], 2, 3);
    let other = Key::<C>::dealt(&[1, 2, 3], 2, 4);
    let new = key.reshared(&[1, 2], &[1, 2, 3], 2, 1);
    let to = || committee(&[3, 4], 2);
    let three = Key::<C>::dealt(&[1, 2, 3, 4], 3, 3);
    let plan = ResharePlan::new(&three.public, parties(&[1, 2]), to());
    assert_eq!(plan, Err(PlanError::TooFew { need: 3, got: 2 }));
    let plan = ResharePlan::new(&key.public, parties(&[1, 4]), to());
    assert_eq!(plan, Err(PlanError::NotAHolder(id(4))));
    for t in [0, 1, 4] {
        let why = CommitteeError::Threshold { threshold: t, parties: 3 };
        assert_eq!(Committee::new(parties(&[1, 2, 3]), t), Err(why));
    }
    let crowd = Committee::new(Parties::numbered(101).unwrap(), 2).unwrap();
    let why = CommitteeError::TooMany { most: 100, got: 101 };
    let plan = ResharePlan::new(&key.public, parties(&[1, 2]), crowd);
    assert_eq!(plan, Err(PlanError::Committee(why)));
    let last = key.public.commitment().clone();
    let last = SharedKey::<crate::group::Of<C>>::new(
        key.public.committee().clone(),
        u32::MAX,
        last,
        [9; 32],
    )
    .unwrap();
    assert_eq!(ResharePlan::refresh(&last, parties(&[1, 2])), Err(PlanError::LastEpoch));

    let plan = key.plan(&[1, 2], &[2, 3, 4], 2);
    let refused = |share| ReshareParams::dealer(&plan, share).unwrap_err();
    assert_eq!(refused(&key.shares[&3]), PlanError::OtherPart(id(3)));
    assert_eq!(refused(&other.shares[&1]), PlanError::Mismatch(Mismatch::WrongKey));
    let why = Mismatch::WrongEpoch { expected: 0, got: 1 };
    assert_eq!(refused(&new.shares[&1]), PlanError::Mismatch(why));
    let member = |me| ReshareParams::member(&plan, id(me)).map(drop);
    assert_eq!(member(3), Ok(()));
    assert_eq!(member(1), Err(PlanError::OtherPart(id(1))));
    assert_eq!(member(2), Err(PlanError::OtherPart(id(2))));
    assert_eq!(member(5), Err(PlanError::OtherPart(id(5))));

    let repair =
        |helpers: &[u16], target| RepairPlan::new(&key.public, parties(helpers), id(target));
    assert_eq!(repair(&[1, 3], 3), Err(PlanError::OtherPart(id(3))));
    assert_eq!(repair(&[1, 2], 4), Err(PlanError::NotAHolder(id(4))));
    assert_eq!(repair(&[1, 4], 3), Err(PlanError::NotAHolder(id(4))));
    let few = RepairPlan::new(&three.public, parties(&[1, 2]), id(3));
    assert_eq!(few, Err(PlanError::TooFew { need: 3, got: 2 }));
    let plan = repair(&[1, 2], 3).unwrap();
    let helper = |share| RepairParams::helper(&plan, share).map(drop);
    assert_eq!(helper(&key.shares[&1]), Ok(()));
    assert_eq!(helper(&key.shares[&3]), Err(PlanError::OtherPart(id(3))));
    assert_eq!(helper(&other.shares[&1]), Err(PlanError::Mismatch(Mismatch::WrongKey)));
    assert_eq!(helper(&new.shares[&1]), Err(PlanError::Mismatch(why)));
}

/// Two resharings of one epoch have the same key and the same epoch, and do not fit each other.
#[test]
fn two_packages_of_one_epoch() {
    let key = Key::<Ed25519>::dealt(&[1, 2, 3], 2, 3);
    let one = key.reshared(&[1, 2], &[1, 2, 3], 2, 1);
    let two = key.reshared(&[1, 2], &[1, 2, 3], 2, 2);
    let why = one.shares[&1].check_belongs_to(&two.public);
    assert_eq!(why, Err(Mismatch::WrongPackage { epoch: 1 }));
    assert_eq!(copy(&one.shares[&1]).check_belongs_to(&one.public), Ok(()));
    // Sessions with different packages report this to each other.
    let plan = |key: &Key<Ed25519>| ResharePlan::refresh(&key.public, parties(&[1, 2])).unwrap();
    let which = |at: &Key<Ed25519>, other: &Key<Ed25519>| {
        let all = parties(&[1, 2, 3]);
        let all = Box::leak(Box::new(all));
        let report =
            Network::new(1).run::<quorate_keys::Reshare<_>>(crate::group::sid(1), all, |me| {
                let key = if me == id(1) { at } else { other };
                key.part(&plan(key), me)
            });
        let mut rejected = report.unwrap().stats.rejected.into_iter().map(|(_, _, why)| why);
        rejected.next().unwrap()
    };
    assert_eq!(which(&one, &two), Rejected::OtherParameters { which: "package" });
    assert_eq!(which(&key, &two), Rejected::OtherParameters { which: "epoch" });
    let other = Key::<Ed25519>::dealt(&[1, 2, 3], 2, 4);
    assert_eq!(which(&key, &other), Rejected::OtherParameters { which: "key" });
}

/// A party that was started with another plan is told what differs.
#[test]
fn other_plans_are_told() {
    let key = Key::<Ed25519>::dealt(&[1, 2, 3], 2, 3);
    let reshare = |one: (&[u16], u16), other: (&[u16], u16)| {
        let all = Box::leak(Box::new(parties(&[1, 2, 3])));
        let report =
            Network::new(1).run::<quorate_keys::Reshare<_>>(crate::group::sid(1), all, |me| {
                let (dealers, t) = if me == id(1) { one } else { other };
                key.part(&key.plan(dealers, &[1, 2, 3], t), me)
            });
        report.unwrap().stats.rejected[0].2
    };
    let which = |which| Rejected::OtherParameters { which };
    assert_eq!(reshare((&[1, 2], 2), (&[1, 3], 2)), which("dealers"));
    assert_eq!(reshare((&[1, 2], 2), (&[1, 2], 3)), which("new committee"));
    let all = Box::leak(Box::new(parties(&[1, 2, 3])));
    let report = Network::new(1).run::<quorate_keys::Repair<_>>(crate::group::sid(1), all, |me| {
        let (helpers, target) = if me == id(1) { (&[1, 2], 3) } else { (&[1, 3], 2) };
        key.repair_part(helpers, target, me)
    });
    assert_eq!(report.unwrap().stats.rejected[0].2, which("target"));
}
