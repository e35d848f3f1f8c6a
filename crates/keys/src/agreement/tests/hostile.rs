//! Statements and certificates that prove nothing.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use quorate_session::Continuity;
use quorate_session::container::{DIGEST, HEADER, Kind, Label, NO_CURVE};

use super::{KEY, attempt, attempt_of, certificate, held, holder, id, identities, sign};
use crate::agreement::{
    Attempt, Certificate, Committed, Entry, MAX_SIGNATURE, Prepared, Record, Refused, Signed,
    Stage, StatementError, Tally, Unsigned,
};
use crate::error::{DecodeError, Mismatch};
use crate::{Committee, PackageId};

fn signed<S: Stage>(party: u16, attempt: &Attempt) -> Signed<S> {
    Unsigned::<S>::new(id(party), attempt.clone()).sign(sign(party)).unwrap()
}

fn add(signed: Signed<Prepared>) -> Result<(), StatementError> {
    Tally::new(attempt(1, 1)).add(signed, &identities)
}

#[test]
fn a_statement_of_a_member_counts_once() {
    let mut tally = Tally::<Prepared>::new(attempt(1, 1));
    for party in [1, 2, 2, 1] {
        tally.add(signed(party, &attempt(1, 1)), &identities).unwrap();
        assert!(tally.certificate().is_none());
    }
    assert!(tally.missing().eq([id(3)]));
    tally.add(signed(3, &attempt(1, 1)), &identities).unwrap();
    assert_eq!(tally.certificate().unwrap().attempt(), &attempt(1, 1));
}

#[test]
fn a_statement_about_something_else_is_rejected() {
    let other = |why| Err(StatementError::OtherAttempt(why));
    let of_key = attempt_of([8; 32], 1, 1, &[1, 2, 3]);
    assert_eq!(add(signed(1, &of_key)), other(Mismatch::WrongKey));
    let why = Mismatch::WrongEpoch { expected: 1, got: 2 };
    assert_eq!(add(signed(1, &attempt(2, 1))), other(why));
    assert_eq!(add(signed(1, &attempt(1, 2))), other(Mismatch::WrongPackage { epoch: 1 }));
    // The same name with other members, or with another threshold, signs other bytes.
    let bad = Err(StatementError::BadSignature(id(1)));
    assert_eq!(add(signed(1, &attempt_of(KEY, 1, 1, &[1, 2, 4]))), bad);
    let threshold = Committee::new(attempt(1, 1).committee().parties().clone(), 3).unwrap();
    assert_eq!(add(signed(1, &Attempt::invented(KEY, 1, [1; 32], threshold))), bad);
}

#[test]
fn a_statement_of_somebody_else_is_rejected() {
    assert_eq!(add(signed(4, &attempt(1, 1))), Err(StatementError::NotAMember(id(4))));
    // Party 2's vote under party 1's number, and a signature that is none.
    let stolen = Unsigned::<Prepared>::new(id(1), attempt(1, 1)).sign(sign(2)).unwrap();
    assert_eq!(add(stolen), Err(StatementError::BadSignature(id(1))));
    let mut bytes = signed::<Prepared>(2, &attempt(1, 1)).to_bytes();
    bytes[70] = 1;
    let renamed = Signed::from_bytes(&bytes).unwrap();
    assert_eq!(renamed.id(), id(1));
    assert_eq!(add(renamed), Err(StatementError::BadSignature(id(1))));
}

#[test]
fn a_prepared_does_not_count_as_committed() {
    let bytes = signed::<Prepared>(1, &attempt(1, 1)).to_bytes();
    let wrong = StatementError::WrongStage { expected: 2, got: 1 };
    assert_eq!(Signed::<Committed>::from_bytes(&bytes), Err(wrong));
    let mut altered = bytes;
    altered[0] = 2;
    let altered = Signed::<Committed>::from_bytes(&altered).unwrap();
    let mut tally = Tally::new(attempt(1, 1));
    assert_eq!(tally.add(altered, &identities), Err(StatementError::BadSignature(id(1))));
    let bytes = certificate::<Prepared>(&attempt(1, 1)).to_bytes();
    assert_eq!(Certificate::<Committed>::from_bytes(&bytes, &identities), Err(wrong));
    let mut altered = bytes;
    altered[0] = 2;
    let bad = StatementError::BadSignature(id(1));
    assert_eq!(Certificate::<Committed>::from_bytes(&altered, &identities), Err(bad));
}

#[test]
fn encodings_are_read_back_and_have_no_second_form() {
    let statement = signed::<Prepared>(2, &attempt(1, 1));
    assert_eq!(Signed::from_bytes(&statement.to_bytes()), Ok(statement.clone()));
    cut_and_lengthened(&statement.to_bytes(), |bytes| {
        Signed::<Prepared>::from_bytes(bytes).is_ok()
    });
    let whole = certificate::<Committed>(&attempt(1, 1));
    assert_eq!(Certificate::from_bytes(&whole.to_bytes(), &identities), Ok(whole.clone()));
    cut_and_lengthened(&whole.to_bytes(), |bytes| {
        Certificate::<Committed>::from_bytes(bytes, &identities).is_ok()
    });
    let (mut disk, mut agreement) = holder(&attempt(1, 1));
    disk.vote(&mut agreement, &attempt(1, 1));
    disk.write(agreement.commit(&certificate(&attempt(1, 1))).unwrap().stores());
    let record = disk.record.clone().unwrap();
    assert_eq!(Record::from_bytes(&record).unwrap().to_bytes(), record);
    cut_and_lengthened(&record, |bytes| Record::from_bytes(bytes).is_ok());
    cut_and_lengthened(&disk.ledger[0], |bytes| Entry::from_bytes(bytes).is_ok());
}

/// A record with every part, and the label of its container.
fn full_record() -> (Vec<u8>, Label) {
    let (mut disk, mut agreement) = holder(&attempt(1, 1));
    disk.vote(&mut agreement, &attempt(1, 1));
    disk.write(agreement.commit(&certificate(&attempt(1, 1))).unwrap().stores());
    let mut agreement = disk.open(Continuity::StayedUp);
    disk.write(agreement.supersede(&certificate(&attempt(1, 1))).unwrap().stores());
    let label = Label {
        kind: Kind { code: 72, name: "the record of an agreement about shares", version: 1 },
        curve: NO_CURVE,
        family: "quorate-keys agreement",
        family_code: 0,
    };
    (disk.record.unwrap(), label)
}

#[test]
fn a_record_with_an_altered_byte_under_a_right_digest_has_one_form_or_none() {
    let (record, label) = full_record();
    let body = &record[HEADER..record.len() - DIGEST];
    let mut read = 0;
    for at in 0..body.len() {
        for change in [1, 0x80, 0xff] {
            let mut altered = label.start(body.len());
            altered.extend_from_slice(body);
            altered[HEADER + at] ^= change;
            let altered = label.end_public(altered);
            if let Ok(record) = Record::from_bytes(&altered) {
                assert_eq!(record.to_bytes(), altered, "byte {at}");
                read += 1;
            }
        }
    }
    assert!(read > 0 && Record::from_bytes(&record).is_ok());
}

fn cut_and_lengthened(bytes: &[u8], opens: impl Fn(&[u8]) -> bool) {
    assert!(opens(bytes));
    for length in 0..bytes.len() {
        assert!(!opens(&bytes[..length]), "{length} of {} bytes open", bytes.len());
    }
    let longer: Vec<u8> = bytes.iter().copied().chain([0]).collect();
    assert!(!opens(&longer));
}

#[test]
fn a_certificate_with_an_altered_byte_is_rejected() {
    let bytes = certificate::<Prepared>(&attempt(1, 1)).to_bytes();
    for at in 0..bytes.len() {
        let mut altered = bytes.clone();
        altered[at] ^= 1;
        assert!(Certificate::<Prepared>::from_bytes(&altered, &identities).is_err(), "byte {at}");
    }
}

#[test]
fn a_certificate_with_a_member_twice_or_out_of_order_is_rejected() {
    let bytes = certificate::<Prepared>(&attempt(1, 1)).to_bytes();
    // stage (1), package (68), threshold (2), number (2), parties from 73.
    for (at, party) in [(78, 2), (76, 1), (76, 3), (74, 0)] {
        let mut altered = bytes.clone();
        altered[at] = party;
        let found = Certificate::<Prepared>::from_bytes(&altered, &identities);
        assert_eq!(found, Err(StatementError::Malformed(DecodeError::BadOrder)));
    }
}

#[test]
fn a_signature_that_is_too_long_is_rejected() {
    let long = |length: usize| {
        let signed = Unsigned::<Prepared>::new(id(1), attempt(1, 1)).sign(|_| vec![0; length]);
        signed.map(|signed| signed.to_bytes())
    };
    let mut bytes = long(MAX_SIGNATURE).unwrap();
    assert!(Signed::<Prepared>::from_bytes(&bytes).is_ok());
    let refused = |got| StatementError::TooLong { most: MAX_SIGNATURE, got };
    for got in [MAX_SIGNATURE + 1, (1 << 16) + 1] {
        assert_eq!(long(got), Err(refused(got)));
    }
    // The same of a peer: the length is in front of the signature.
    let at = bytes.len() - MAX_SIGNATURE - 2;
    bytes[at + 1] += 1;
    bytes.push(0);
    let found = Signed::<Prepared>::from_bytes(&bytes).map(drop);
    assert_eq!(found, Err(refused(MAX_SIGNATURE + 1)));
}

#[test]
fn a_committee_that_claims_many_members_makes_no_room_for_them() {
    let mut bytes = vec![1];
    PackageId::invented(KEY, 1, [1; 32]).put(&mut bytes);
    bytes.extend_from_slice(&[0, 2, 255, 255]);
    let found = Certificate::<Prepared>::from_bytes(&bytes, &identities);
    assert!(matches!(found, Err(StatementError::Malformed(DecodeError::Body(_)))));
}

#[test]
fn a_certificate_that_names_another_committee_than_the_share_commits_nothing() {
    let new = attempt(1, 1);
    let (mut disk, mut agreement) = holder(&new);
    disk.vote(&mut agreement, &new);
    let other = Refused::OtherCommittee(new.package_id());
    // Without the honest members, liars can sign it.
    let forged = attempt_of(KEY, 1, 1, &[3, 9]);
    assert_eq!(agreement.commit(&certificate(&forged)).map(drop), Err(other));
    let unknown = Refused::UnknownCommittee(new.package_id());
    assert_eq!(agreement.supersede(&certificate(&forged)).map(drop), Err(unknown));
}

#[test]
fn a_committee_of_strangers_supersedes_nothing() {
    let (_, mut agreement) = holder(&attempt(1, 1));
    for members in [&[3, 9][..], &[8, 9], &[3, 7, 8, 9]] {
        let forged = attempt_of(KEY, 5, 6, members);
        let unknown = Refused::UnknownCommittee(forged.package_id());
        assert_eq!(agreement.supersede(&certificate(&forged)).map(drop), Err(unknown));
    }
    assert!(agreement.superseded().is_none());
    // Two of three are known, and at most one of them lies.
    let known = attempt_of(KEY, 5, 6, &[2, 3, 9]);
    let _permit = agreement.supersede(&certificate(&known)).unwrap().stored();
}

#[test]
fn a_replayed_certificate_changes_nothing() {
    let (one, two) = (attempt(1, 1), attempt(2, 2));
    let (mut disk, mut agreement) = holder(&one);
    for new in [&one, &two] {
        disk.vote(&mut agreement, new);
        let _sent = agreement.commit(&certificate(new)).unwrap().stored();
        let _permit = agreement.supersede(&certificate(new)).unwrap().stored();
    }
    let gone = Refused::NotHeld(one.package_id());
    assert_eq!(agreement.commit(&certificate(&one)).map(drop), Err(gone));
    let step = agreement.supersede(&certificate(&one)).unwrap();
    assert!(step.stores().is_empty());
    assert_eq!(step.stored().by(), two.package_id());
    assert!(agreement.may_sign(two.package_id()));
    assert!(agreement.prepare(&held(1, &two)).is_ok());
}

#[test]
fn errors_say_what_to_do() {
    let texts = [
        format!("{}", StatementError::BadSignature(id(2))),
        format!("{}", Refused::Barred { floor: Some(4) }),
        format!("{}", Refused::UnknownCommittee(attempt(1, 1).package_id())),
        format!("{}", StatementError::TooLong { most: 5, got: 6 }),
    ];
    for (text, part) in
        texts.iter().zip(["ask that party", "without this party", "trusted source", "got 6"])
    {
        assert!(text.contains(part), "{text}");
    }
}
