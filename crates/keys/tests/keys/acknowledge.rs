//! Storing beside, acknowledging, deleting.

use quorate_curve::{Curve, Secp256k1};
use quorate_keys::derive::Derivable;
use quorate_keys::session::sim::{Delivery, Network, Report};
use quorate_keys::session::{Abort, ParamError, Parties, Rejected};
use quorate_keys::{
    Acknowledge, AcknowledgeParams, DecodeError, Mismatch, PlanError, Repaired, SecretShare,
    ShareState, StoredByAll,
};

use crate::group::{Key, Of, copy, id, interpolated, parties, sid};

fn stored<C: Curve>(key: &Key<C>, me: u16) -> AcknowledgeParams<Of<C>> {
    let bytes = (key.shares[&me].to_bytes(), key.public.to_bytes());
    AcknowledgeParams::from_stored(&bytes.0, &bytes.1).unwrap()
}

fn acknowledge<C: Curve>(
    network: Network<'_>,
    key: &Key<C>,
    all: &Parties,
) -> Report<StoredByAll<Of<C>>> {
    let all = Box::leak(Box::new(all.clone()));
    let run = network.run::<Acknowledge<Of<C>>>(sid(9), all, |me| {
        if key.shares.contains_key(&me.get()) {
            stored(key, me.get())
        } else {
            AcknowledgeParams::listener(me, &key.public).unwrap()
        }
    });
    run.unwrap()
}

/// Both epochs load, both are marked, and each share names its epoch. After the acknowledgement the old shares
/// may be deleted, including that of a party that has left.
fn two_phases<C: Curve>() {
    let old = Key::<C>::dealt(&[1, 2, 3], 2, 6);
    let mut new = old.reshared(&[1, 3], &[2, 3, 4], 2, 1);
    let (before, after) = (copy(&old.shares[&2]), copy(&new.shares[&2]));
    assert_eq!((before.state(), after.state()), (ShareState::Ready, ShareState::Pending));
    before.check_belongs_to(&old.public).unwrap();
    after.check_belongs_to(&new.public).unwrap();
    let why = Mismatch::WrongEpoch { expected: 1, got: 0 };
    assert_eq!(before.check_belongs_to(&new.public), Err(why));
    let mut report = acknowledge(Network::new(1), &new, &parties(&[1, 2, 3, 4]));
    for (party, result) in &report.results {
        let by = result.as_ref().unwrap();
        assert_eq!(by.package_id(), new.public.package_id());
        if let Some(share) = old.shares.get(&party.get()) {
            assert!(by.permits_deleting(share));
        }
        if let Some(share) = new.shares.get(&party.get()) {
            assert!(!by.permits_deleting(share));
        }
    }
    let by = report.results.remove(&id(2)).unwrap().unwrap();
    let share = new.shares.get_mut(&2).unwrap();
    share.settle(&by).unwrap();
    assert_eq!(copy(share).state(), ShareState::Ready);
    let mut before = before;
    assert_eq!(before.settle(&by), Err(Mismatch::WrongEpoch { expected: 1, got: 0 }));
    assert_eq!(before.state(), ShareState::Ready);
}

/// Without the message of every party there is no permission.
fn a_withheld_word_permits_nothing<C: Curve>() {
    let new = Key::<C>::dealt(&[1, 2, 3], 2, 6).reshared(&[1, 3], &[2, 3, 4], 2, 1);
    for silent in [1, 2, 3, 4] {
        let network = Network::new(1).tamper(move |delivery: Delivery| {
            if delivery.from == id(silent) { vec![] } else { vec![delivery] }
        });
        let report = acknowledge(network, &new, &parties(&[1, 2, 3, 4]));
        for (party, result) in report.results {
            if party == id(silent) {
                assert!(result.is_ok());
            } else {
                assert!(matches!(result, Err(Abort::Missing { .. })));
                assert!(!report.unconfirmed.contains_key(&party));
            }
        }
    }
}

/// A party that still has the old epoch is told so, and is not taken for silent.
fn mixed_epochs_are_told<C: Curve>() {
    let old = Key::<C>::dealt(&[1, 2, 3], 2, 6);
    let new = old.reshared(&[1, 3], &[1, 2, 3], 2, 1);
    let other = old.reshared(&[1, 3], &[1, 2, 3], 2, 2);
    for (late, which) in [(&old, "epoch"), (&other, "package")] {
        let all = parties(&[1, 2, 3]);
        let run = Network::new(1).run::<Acknowledge<Of<C>>>(sid(9), &all, |me| {
            stored(if me == id(3) { late } else { &new }, me.get())
        });
        let report = run.unwrap();
        assert!(report.results.values().all(|one| matches!(one, Err(Abort::Missing { .. }))));
        let why = Rejected::OtherParameters { which };
        assert!(report.stats.rejected.iter().all(|(_, _, found)| *found == why));
    }
}

fn what_may_be_acknowledged<C: Curve>() {
    let old = Key::<C>::dealt(&[1, 2, 3], 2, 6);
    let mut new = old.reshared(&[1, 3], &[2, 3, 4], 2, 1);
    // A share and a public value of two epochs.
    let mixed =
        AcknowledgeParams::<Of<C>>::from_stored(&old.shares[&2].to_bytes(), &new.public.to_bytes());
    assert!(matches!(mixed, Err(DecodeError::Inconsistent(_))));
    let member = AcknowledgeParams::<Of<C>>::listener(id(2), &new.public).map(drop);
    assert_eq!(member, Err(PlanError::OtherPart(id(2))));
    // Everybody in the committee has to be present.
    let (all, few) = (parties(&[2, 3, 4]), parties(&[2, 3]));
    let run = |all: &Parties| {
        let all = Box::leak(Box::new(all.clone()));
        Network::new(1)
            .run::<Acknowledge<Of<C>>>(sid(9), all, |me| stored(&new, me.get()))
            .map(drop)
    };
    assert_eq!(run(&all), Ok(()));
    assert_eq!(run(&few), Err(ParamError::NotAParty(id(4))));
    // An unconfirmed share is not acknowledged, and deletes nothing.
    let share = unconfirmed(&old, &mut new);
    let refused =
        AcknowledgeParams::<Of<C>>::from_stored(&share.to_bytes(), &new.public.to_bytes());
    assert!(matches!(refused, Err(DecodeError::Inconsistent(_))));
    let mut share = share;
    share.confirm();
    assert_eq!(share.state(), ShareState::Pending);
    AcknowledgeParams::<Of<C>>::from_stored(&share.to_bytes(), &new.public.to_bytes()).unwrap();
}

/// The share of party 2 of a run in which party 4 withheld its last message from it, and the key of that run.
fn unconfirmed<C: Curve>(old: &Key<C>, new: &mut Key<C>) -> SecretShare<Of<C>> {
    let plan = old.plan(&[1, 3], &[2, 3, 4], 2);
    let network = Network::new(3).tamper(|delivery: Delivery| {
        let withheld = delivery.from == id(4) && delivery.to == id(2) && delivery.round.get() == 3;
        if withheld { vec![] } else { vec![delivery] }
    });
    let mut report = old.run(network, &plan);
    assert!(matches!(report.results[&id(2)], Err(Abort::Missing { .. })));
    let kept = report.unconfirmed.remove(&id(2)).unwrap();
    new.public = kept.public;
    let share = kept.share.unwrap();
    assert_eq!(share.state(), ShareState::Unconfirmed);
    share
}

/// The shares that may be deleted: older ones, and those of which nobody can have heard. A share on which
/// somebody may rely stays.
fn what_may_be_deleted<C: Curve>() {
    let old = Key::<C>::dealt(&[1, 2, 3], 2, 6);
    let one = old.reshared(&[1, 3], &[1, 2, 3], 2, 1);
    let two = old.reshared(&[1, 3], &[1, 2, 3], 2, 2);
    let three = two.reshared(&[1, 3], &[1, 2, 3], 2, 2);
    let stranger = Key::<C>::dealt(&[1, 2, 3], 2, 7);
    let mut key = Key::<C>::dealt(&[1, 2, 3], 2, 6);
    let ghost = unconfirmed(&old, &mut key);
    let all = parties(&[1, 2, 3]);
    let by = |key: &Key<C>| {
        acknowledge(Network::new(1), key, &all).results.remove(&id(2)).unwrap().unwrap()
    };
    let by_two = by(&two);
    let may = |by: &StoredByAll<Of<C>>, key: &Key<C>| by.permits_deleting(&key.shares[&2]);
    assert!(
        may(&by_two, &old) && !may(&by_two, &one) && !may(&by_two, &two) && !may(&by_two, &three)
    );
    assert!(!may(&by_two, &stranger) && by_two.permits_deleting(&ghost));
    let by_three = by(&three);
    assert!(
        may(&by_three, &old)
            && may(&by_three, &one)
            && may(&by_three, &two)
            && !may(&by_three, &three)
    );
    // A share that is unconfirmed, but of the package that all have stored.
    let marked =
        crate::stored::altered::<C>(&two.shares[&2].to_bytes(), crate::stored::STATE, &[2]);
    let marked = SecretShare::<Of<C>>::from_bytes(&marked).unwrap();
    assert_eq!(marked.state(), ShareState::Unconfirmed);
    assert!(!by_two.permits_deleting(&marked));
    // An unconfirmed new key is not an older share of anything.
    let mut first = Key::<C>::dealt(&[1, 2, 3], 2, 6);
    let by_first = by(&first);
    assert!(!may(&by_first, &first));
    first = first.reshared(&[1, 2], &[1, 2, 3], 2, 9);
    assert!(!may(&by_first, &first));
}

/// t stored shares of a child give the parent's key even after its refresh. They may be deleted when the parent's
/// old share may.
fn shares_of_children_outlive_a_refresh<C: Curve + Derivable>() {
    let old = Key::<C>::dealt(&[1, 2, 3], 2, 6);
    let new = old.reshared(&[1, 3], &[1, 2, 3], 2, 1);
    let root = old.public.extended_key([4; 32]);
    let path = "m/0/7".parse().unwrap();
    let children = |key: &Key<C>| {
        let child = key.public.derive::<Of<C>>(&root, &path, [4; 32]).unwrap();
        let shares = key.shares.iter().map(|(party, share)| (*party, share.shift(&child).unwrap()));
        let x = key.x + root.derivation(&path).unwrap().tweak;
        Key { shares: shares.collect(), public: child.into_key(), x }
    };
    let (theirs, fresh) = (children(&old), children(&new));
    let stolen = interpolated(&[&theirs.shares[&1], &theirs.shares[&3]]);
    let tweak = root.derivation(&path).unwrap().tweak;
    assert!(C::mul_base(&(stolen - tweak)) == *new.public.key());

    let mut report = acknowledge(Network::new(1), &new, &parties(&[1, 2, 3]));
    let by = report.results.remove(&id(2)).unwrap().unwrap();
    let child = &theirs.shares[&2];
    assert!(!by.permits_deleting(child));
    assert!(by.permits_deleting_child(child, &theirs.public, &old.public));
    assert!(!by.permits_deleting_child(&fresh.shares[&2], &fresh.public, &new.public));
    // Claimed to be of another child, of another epoch, of another parent.
    let stranger = Key::<C>::dealt(&[1, 2, 3], 2, 7);
    assert!(!by.permits_deleting_child(child, &fresh.public, &old.public));
    assert!(!by.permits_deleting_child(child, &theirs.public, &new.public));
    assert!(!by.permits_deleting_child(&fresh.shares[&2], &fresh.public, &old.public));
    assert!(!by.permits_deleting_child(&stranger.shares[&2], &stranger.public, &old.public));
    assert!(!by.permits_deleting_child(child, &theirs.public, &stranger.public));
}

every_curve! {
    two_phases a_withheld_word_permits_nothing mixed_epochs_are_told what_may_be_acknowledged what_may_be_deleted
    shares_of_children_outlive_a_refresh
}

/// A share repaired in a later epoch is pending, whatever it was before. Acknowledging again settles it.
#[test]
fn a_repaired_share_is_acknowledged_again() {
    let mut key = Key::<Secp256k1>::dealt(&[1, 2, 3], 2, 6).reshared(&[1, 3], &[1, 2, 3], 2, 1);
    let mut report = key.repair(Network::new(1), &[1, 3], 2);
    let Repaired::Share(share) = report.results.remove(&id(2)).unwrap().unwrap() else { panic!() };
    key.shares.insert(2, share);
    let by = acknowledge(Network::new(1), &key, &parties(&[1, 2, 3]))
        .results
        .remove(&id(2))
        .unwrap()
        .unwrap();
    let share = key.shares.get_mut(&2).unwrap();
    share.settle(&by).unwrap();
    assert_eq!(share.state(), ShareState::Ready);
}
