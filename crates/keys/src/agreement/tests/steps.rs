//! The steps, in order and out of it.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use quorate_session::Continuity;

use super::{Disk, KEY, attempt, attempt_of, certificate, held, holder, id, names};
use crate::agreement::{
    ATTEMPTS_PER_EPOCH, Agreement, EPOCHS_AHEAD, Held, OpenError, Refused, Status, Stored,
};

#[test]
fn a_change_goes_through_its_four_states_and_supersedes_the_old_shares() {
    let (old, new) = (attempt(0, 0), attempt(1, 1));
    let (mut disk, mut agreement) = holder(&new);
    let status = |agreement: &Agreement| {
        agreement.statuses().find(|(name, _)| **name == new).map(|(_, status)| status)
    };
    assert_eq!(status(&agreement), Some(Status::Created));
    assert!(!agreement.may_sign(new.package_id()) && agreement.may_sign(old.package_id()));

    disk.vote(&mut agreement, &new);
    assert_eq!(status(&agreement), Some(Status::Prepared));
    assert!(agreement.may_sign(new.package_id()));

    let step = agreement.commit(&certificate(&new)).unwrap();
    assert_eq!(names(step.stores()), ["record", "backups"]);
    disk.write(step.stores());
    assert_eq!(step.stored().attempt(), &new);
    assert_eq!(status(&agreement), Some(Status::Committed));
    assert!(agreement.superseded().is_none() && agreement.may_sign(old.package_id()));

    let step = agreement.supersede(&certificate(&new)).unwrap();
    assert_eq!(names(step.stores()), ["record"]);
    disk.write(step.stores());
    let last = step.stored();
    assert!(last.covers(old.package_id()) && !last.covers(new.package_id()));
    assert!(last.covers(attempt(1, 2).package_id()) && !last.covers(attempt(2, 3).package_id()));
    assert!(!last.covers(attempt_of([8; 32], 0, 0, &[1, 2]).package_id()));
    assert!(!agreement.may_sign(old.package_id()) && agreement.may_sign(new.package_id()));
    // After a crash before the deletion, the permission is there again, and the old share does not count.
    let again = disk.open(Continuity::StayedUp);
    assert_eq!(again.superseded(), Some(last));
    assert_eq!(again.statuses().count(), 1);
}

#[test]
fn a_step_that_is_repeated_gives_the_same_answer() {
    let new = attempt(1, 1);
    let (mut disk, mut agreement) = holder(&new);
    disk.vote(&mut agreement, &new);
    let step = agreement.prepare(&held(1, &new)).unwrap();
    assert!(step.stores().is_empty());
    assert_eq!(step.stored().attempt(), &new);
    for _ in 0..2 {
        let step = agreement.commit(&certificate(&new)).unwrap();
        // The backups are required each time, because a crash may have come before they were made.
        assert_eq!(names(step.stores()).last(), Some(&"backups"));
        disk.write(step.stores());
        let _sent = step.stored();
    }
    for _ in 0..2 {
        let step = agreement.supersede(&certificate(&new)).unwrap();
        assert_eq!(step.stored().by(), new.package_id());
    }
    // The prepared statement can be made again after the end, because somebody may still wait for it.
    assert!(agreement.prepare(&held(1, &new)).unwrap().stores().is_empty());
}

#[test]
fn an_epoch_has_one_vote() {
    let (one, two) = (attempt(1, 1), attempt(1, 2));
    let (mut disk, mut agreement) = holder(&one);
    disk.vote(&mut agreement, &one);
    let refused = agreement.prepare(&held(1, &two)).map(drop);
    assert_eq!(refused, Err(Refused::Voted { epoch: 1, vote: one.package_id() }));
    // A later epoch does not depend on this one.
    drop(agreement.prepare(&held(1, &attempt(2, 3))).unwrap().stored());
}

#[test]
fn a_share_that_all_acknowledged_otherwise_gets_no_second_vote() {
    let (one, two) = (attempt(1, 1), attempt(1, 2));
    let (mut disk, mut agreement) = holder(&one);
    disk.vote(&mut agreement, &one);
    let settled = Held::invented(id(1), two.clone(), true);
    assert!(agreement.prepare(&settled).is_err());
    assert!(agreement.create(&settled).is_ok());
    assert!(agreement.prepare(&settled).is_err());
    assert!(agreement.may_sign(one.package_id()) && agreement.may_sign(two.package_id()));
}

#[test]
fn an_epoch_that_is_over_has_no_vote() {
    let (one, two) = (attempt(1, 1), attempt(2, 2));
    let (_, mut agreement) = holder(&one);
    let late = Refused::Over { epoch: 0, latest: 0 };
    let rival = Held::invented(id(1), attempt(0, 9), false);
    assert_eq!(agreement.prepare(&rival).map(drop), Err(late));
    agreement.create(&held(1, &two)).unwrap();
    let _permit = agreement.supersede(&certificate(&two)).unwrap().stored();
    for old in [one, attempt(2, 9)] {
        let late = Refused::Over { epoch: old.epoch(), latest: 2 };
        assert_eq!(agreement.create(&held(1, &old)), Err(late));
        assert_eq!(agreement.prepare(&held(1, &old)).map(drop), Err(late));
        let gone = Refused::NotHeld(old.package_id());
        assert_eq!(agreement.commit(&certificate(&old)).map(drop), Err(gone));
    }
}

#[test]
fn a_dropped_step_has_to_be_opened_again() {
    let new = attempt(1, 1);
    let (disk, mut agreement) = holder(&new);
    drop(agreement.prepare(&held(1, &new)).unwrap());
    assert_eq!(agreement.create(&held(1, &new)), Err(Refused::NotStored));
    assert_eq!(agreement.prepare(&held(1, &new)).map(drop), Err(Refused::NotStored));
    assert_eq!(agreement.commit(&certificate(&new)).map(drop), Err(Refused::NotStored));
    assert!(format!("{}", Refused::NotStored).contains("open the agreement again"));
    // A step with nothing to store may be dropped.
    let mut again = disk.opening(Continuity::StayedUp).stored();
    drop(again.rejoin(3).unwrap());
    again.create(&held(1, &new)).unwrap();
}

#[test]
fn attempts_of_one_epoch_are_bounded_and_make_room_if_they_have_no_vote() {
    let (mut disk, mut agreement) = holder(&attempt(1, 0));
    disk.vote(&mut agreement, &attempt(1, 0));
    for name in 1..u8::try_from(ATTEMPTS_PER_EPOCH).unwrap() {
        agreement.create(&held(1, &attempt(1, name))).unwrap();
    }
    let full = Refused::TooManyAttempts { most: ATTEMPTS_PER_EPOCH, epoch: 1 };
    assert_eq!(agreement.create(&held(1, &attempt(1, 99))), Err(full));
    agreement.create(&held(1, &attempt(2, 99))).unwrap();
    let voted = attempt(1, 0).package_id();
    assert_eq!(agreement.discard(voted), Err(Refused::InUse(voted)));
    let first = attempt(0, 0).package_id();
    assert_eq!(agreement.discard(first), Err(Refused::InUse(first)));
    let unknown = attempt(1, 77).package_id();
    assert_eq!(agreement.discard(unknown), Err(Refused::NotHeld(unknown)));
    let _permit = agreement.discard(attempt(1, 3).package_id()).unwrap();
    agreement.create(&held(1, &attempt(1, 99))).unwrap();
}

#[test]
fn an_epoch_far_above_all_others_is_refused() {
    let (_, mut agreement) = holder(&attempt(1, 1));
    let most = 1 + EPOCHS_AHEAD;
    let far = Refused::TooFarAhead { most, got: most + 1 };
    assert_eq!(agreement.create(&held(1, &attempt(most + 1, 2))), Err(far));
    agreement.create(&held(1, &attempt(most, 2))).unwrap();
    // A party that joins knows no epoch yet.
    let fresh = Agreement::open(id(4), KEY, Stored::default(), Continuity::NewStore).unwrap();
    let mut fresh = fresh.stored();
    let joined = attempt_of(KEY, 900_000, 1, &[2, 3, 4]);
    fresh.create(&held(4, &joined)).unwrap();
    // The last epoch.
    let mut last = Disk::with(&[&attempt(u32::MAX - 1, 0)]).open(Continuity::StayedUp);
    last.create(&held(1, &attempt(u32::MAX, 1))).unwrap();
}

#[test]
fn a_share_of_another_key_or_party_is_refused() {
    let (_, mut agreement) = holder(&attempt(1, 1));
    let stranger = attempt_of([8; 32], 1, 1, &[1, 2, 3]);
    assert_eq!(agreement.create(&held(1, &stranger)), Err(Refused::WrongKey));
    assert_eq!(agreement.prepare(&held(1, &stranger)).map(drop), Err(Refused::WrongKey));
    assert_eq!(agreement.commit(&certificate(&stranger)).map(drop), Err(Refused::WrongKey));
    assert_eq!(agreement.supersede(&certificate(&stranger)).map(drop), Err(Refused::WrongKey));
    let other = Refused::OtherParty { expected: id(1), got: id(2) };
    assert_eq!(agreement.prepare(&held(2, &attempt(1, 1))).map(drop), Err(other));
}

#[test]
fn stores_of_another_key_or_party_do_not_open() {
    let new = attempt(1, 1);
    let (mut disk, mut agreement) = holder(&new);
    disk.vote(&mut agreement, &new);
    let open =
        |me, key, stored| Agreement::open(id(me), key, stored, Continuity::StayedUp).map(drop);
    let other = OpenError::OtherParty { expected: id(2), got: id(1) };
    assert_eq!(open(2, KEY, disk.stored()), Err(other));
    let parts: Vec<Stored> = vec![
        Stored { record: disk.stored().record, ..Stored::default() },
        Stored { held: disk.stored().held, ..Stored::default() },
        Stored { ledger: disk.stored().ledger, ..Stored::default() },
    ];
    for part in parts {
        assert_eq!(open(1, [8; 32], part.clone()), Err(OpenError::WrongKey));
        let new_store = Agreement::open(id(1), KEY, part, Continuity::NewStore).map(drop);
        assert_eq!(new_store, Err(OpenError::NotEmpty));
    }
}
