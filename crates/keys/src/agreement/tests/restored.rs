//! Rules R1 to R4, after a restore from older copies.

use quorate_session::Continuity;

use super::{Disk, KEY, attempt, attempt_of, certificate, held, holder, id, names};
use crate::agreement::{Agreement, OpenError, Refused, Status};

#[test]
fn a_vote_survives_a_restored_database() {
    let (one, two) = (attempt(1, 1), attempt(1, 2));
    let (mut disk, mut agreement) = holder(&one);
    let before = disk.clone();
    disk.vote(&mut agreement, &one);
    // The copy has the other share, but not this one.
    let shares = Disk::with(&[&attempt(0, 0), &two]).shares;
    let mut restored = Disk { ledger: disk.ledger, shares, ..before };
    let opening = restored.opening(Continuity::Counter);
    assert_eq!(names(opening.stores()), ["record"]);
    let mut agreement = restored.open(Continuity::Counter);
    let voted = Refused::Voted { epoch: 1, vote: one.package_id() };
    assert_eq!(agreement.prepare(&held(1, &two)).map(drop), Err(voted));
    assert!(agreement.missing().eq([one.package_id()]));
    let lost = Refused::NotHeld(one.package_id());
    assert_eq!(agreement.commit(&certificate(&one)).map(drop), Err(lost));
    // A repair gives the same share again, and the vote stands.
    let step = agreement.prepare(&held(1, &one)).unwrap();
    assert!(step.stores().is_empty());
    let _sent = step.stored();
    assert_eq!(agreement.missing().count(), 0);
}

#[test]
fn a_vote_survives_a_restored_ledger_and_is_written_to_it_first() {
    let (one, two) = (attempt(1, 1), attempt(1, 2));
    let (mut disk, mut agreement) = holder(&one);
    disk.vote(&mut agreement, &one);
    disk.ledger.clear();
    let opening = disk.opening(Continuity::Counter);
    assert_eq!(names(opening.stores()), ["ledger"]);
    let mut agreement = disk.open(Continuity::Counter);
    assert_eq!(disk.ledger.len(), 1);
    let voted = Refused::Voted { epoch: 1, vote: one.package_id() };
    assert_eq!(agreement.prepare(&held(1, &two)).map(drop), Err(voted));
}

#[test]
fn with_both_restored_nothing_gets_a_vote_until_it_rejoins_above_all_epochs() {
    let (one, two) = (attempt(1, 1), attempt(1, 2));
    let (mut disk, _) = holder(&one);
    // The vote for `one` was given after the copy was made. A step that a crash interrupted resumes.
    let opening = disk.opening(Continuity::Unknown);
    assert_eq!(names(opening.stores()), ["ledger", "record"]);
    disk.write(&opening.stores()[..1]);
    let mut agreement = disk.open(Continuity::Unknown);
    assert!(!agreement.votes());
    for attempt in [&one, &two, &attempt(9, 9)] {
        let barred = agreement.prepare(&held(1, attempt)).map(drop);
        assert_eq!(barred, Err(Refused::Barred { floor: None }));
    }
    // It signs with the share that may have its vote, keeps that, and commits it with a certificate.
    assert!(agreement.may_sign(one.package_id()) && agreement.may_sign(attempt(0, 0).package_id()));
    let used = Refused::InUse(one.package_id());
    assert_eq!(agreement.discard(one.package_id()), Err(used));
    let step = agreement.commit(&certificate(&one)).unwrap();
    disk.write(step.stores());
    let _sent = step.stored();
    // Another start, this time with peers that vouch, does not end it.
    let mut agreement = disk.open(Continuity::Peers);
    assert!(!agreement.votes());
    let step = agreement.rejoin(4).unwrap();
    assert_eq!(names(step.stores()), ["ledger", "record"]);
    disk.write(step.stores());
    step.stored();
    for epoch in [2, 5] {
        let barred = agreement.prepare(&held(1, &attempt(epoch, 3))).map(drop);
        assert_eq!(barred, Err(Refused::Barred { floor: Some(5) }));
    }
    disk.vote(&mut agreement, &attempt(6, 4));
    // The state stays so, from either store alone.
    for (record, ledger) in [(true, false), (false, true)] {
        let mut half = disk.clone();
        half.record = half.record.filter(|_| record);
        half.ledger.retain(|_| ledger);
        let mut agreement = half.open(Continuity::Counter);
        let barred = agreement.prepare(&held(1, &attempt(5, 3))).map(drop);
        assert_eq!(barred, Err(Refused::Barred { floor: Some(5) }));
        assert_eq!(agreement.statuses().last().map(|(_, status)| status), Some(Status::Prepared));
    }
}

#[test]
fn a_floor_never_falls() {
    let mut disk = Disk::with(&[&attempt(0, 0)]);
    let mut agreement = disk.open(Continuity::Unknown);
    for (highest, floor) in [(7, 8), (3, 8), (u32::MAX, u32::MAX)] {
        let step = agreement.rejoin(highest).unwrap();
        disk.write(step.stores());
        step.stored();
        let barred = agreement.prepare(&held(1, &attempt(8, 1))).map(drop);
        assert_eq!(barred, Err(Refused::Barred { floor: Some(floor) }));
    }
    // A second restore of both stores starts the period again.
    let agreement = disk.open(Continuity::Unknown);
    assert!(!agreement.votes());
    // A party that lost nothing does not rejoin.
    let (_, mut whole) = holder(&attempt(1, 1));
    assert!(whole.rejoin(9).unwrap().stores().is_empty());
    assert!(whole.prepare(&held(1, &attempt(1, 1))).is_ok());
}

#[test]
fn a_restored_database_deletes_again_when_it_hears_the_evidence_again() {
    let (old, new) = (attempt(0, 0), attempt(1, 1));
    let (mut disk, mut agreement) = holder(&new);
    disk.vote(&mut agreement, &new);
    let copy = disk.clone();
    let step = agreement.supersede(&certificate(&new)).unwrap();
    disk.write(step.stores());
    let _permit = step.stored();
    let mut restored = Disk { ledger: disk.ledger, ..copy };
    let mut agreement = restored.open(Continuity::Peers);
    assert!(agreement.superseded().is_none() && agreement.may_sign(old.package_id()));
    let last = agreement.supersede(&certificate(&new)).unwrap().stored();
    assert!(last.covers(old.package_id()));
}

/// A whole snapshot of a party is restored. The party starts in an epoch that is over elsewhere, does not vote in
/// it, and catches up.
#[test]
fn a_party_that_slept_through_two_changes_catches_up_with_one_certificate() {
    let (old, later) = (attempt(0, 0), attempt(2, 2));
    let mut disk = Disk::with(&[&old, &attempt(1, 1)]);
    let mut agreement = disk.open(Continuity::Unknown);
    let step = agreement.supersede(&certificate(&later)).unwrap();
    disk.write(step.stores());
    let last = step.stored();
    assert!(last.covers(old.package_id()) && last.covers(attempt(1, 1).package_id()));
    assert_eq!(agreement.highest_epoch(), Some(2));
    assert_eq!(agreement.statuses().count(), 0);
    // The permission of the change before restores nothing.
    let again = agreement.supersede(&certificate(&attempt(1, 1))).unwrap().stored();
    assert_eq!(again.by(), later.package_id());
}

#[test]
fn two_votes_of_one_epoch_in_the_stores_are_an_error() {
    let (one, two) = (attempt(1, 1), attempt(1, 2));
    let (mut disk, mut agreement) = holder(&one);
    let (mut other, mut agreement2) = holder(&two);
    disk.vote(&mut agreement, &one);
    other.vote(&mut agreement2, &two);
    let mixed = Disk { record: disk.record.clone(), ..other.clone() };
    let open =
        |disk: &Disk, continuity| Agreement::open(id(1), KEY, disk.stored(), continuity).map(drop);
    assert_eq!(open(&mixed, Continuity::Counter), Err(OpenError::TwoVotes { epoch: 1 }));
    let mut both = other.clone();
    both.ledger.extend(disk.ledger);
    assert_eq!(open(&both, Continuity::Counter), Err(OpenError::TwoVotes { epoch: 1 }));
    // If nobody vouches for either store, it opens and does not vote.
    assert_eq!(open(&mixed, Continuity::Unknown), Ok(()));
}

#[test]
fn a_vote_of_an_epoch_that_ended_survives_one_restore_after_the_other() {
    let (one, two) = (attempt(1, 1), attempt(1, 2));
    let (mut disk, mut agreement) = holder(&one);
    // A backup with the new share, which R3 permits, and a copy of the ledger, both from before the vote.
    let before = disk.clone();
    disk.vote(&mut agreement, &one);
    disk.write(agreement.commit(&certificate(&one)).unwrap().stores());
    let mut agreement = disk.open(Continuity::StayedUp);
    disk.write(agreement.supersede(&certificate(&one)).unwrap().stores());
    // The ledger is restored, and the database is the latest. The entries that the ledger lost are written to it.
    disk.ledger = before.ledger;
    let _agreement = disk.open(Continuity::Counter);
    // Then the database is restored, and the ledger is the latest.
    let mut restored = Disk { ledger: disk.ledger, ..before };
    let mut agreement = restored.open(Continuity::Counter);
    let voted = Refused::Voted { epoch: 1, vote: one.package_id() };
    assert_eq!(agreement.prepare(&held(1, &two)).map(drop), Err(voted));
}

#[test]
fn a_party_with_two_votes_of_an_epoch_in_which_it_votes_no_more_starts_again() {
    let (one, two) = (attempt(1, 1), attempt(1, 2));
    let (mut disk, mut agreement) = holder(&one);
    let (mut other, mut agreement2) = holder(&two);
    disk.vote(&mut agreement, &one);
    other.vote(&mut agreement2, &two);
    let shares = Disk::with(&[&attempt(0, 0), &one, &two]).shares;
    let mut mixed = Disk { record: disk.record.clone(), shares, ..other };
    let _agreement = mixed.open(Continuity::Unknown);
    // The restart that follows is like any other.
    let mut agreement = mixed.open(Continuity::StayedUp);
    assert!(!agreement.votes());
    mixed.write(agreement.rejoin(1).unwrap().stores());
    let mut agreement = mixed.open(Continuity::StayedUp);
    // It signs with both. No attempt of that epoch or the next gets a vote.
    assert!(agreement.may_sign(one.package_id()) && agreement.may_sign(two.package_id()));
    for rival in [attempt(1, 3), attempt(2, 3)] {
        assert!(agreement.prepare(&held(1, &rival)).is_err());
    }
    assert!(agreement.prepare(&held(1, &attempt(3, 4))).is_ok());
}

#[test]
fn a_party_that_left_hears_when_its_share_may_go() {
    let mut disk = Disk::with(&[&attempt(0, 0)]);
    let mut agreement = disk.open(Continuity::StayedUp);
    let moved = attempt_of(KEY, 1, 5, &[2, 3, 4]);
    let last = agreement.supersede(&certificate(&moved)).unwrap().stored();
    assert!(last.covers(attempt(0, 0).package_id()));
}
