//! Attempts to sign: every level, shape and set of signers; every signature by three verifiers.

use std::sync::Arc;

use crate::common::{deal, params, sign, verified_by_all};
use quorate_mldsa::session::{ParamError, Parties, Rejected, Session, SpentInMemory};
use quorate_mldsa::{Level, MessageRepresentative, PreHash, Profile, Sign, SignParams};
use quorate_testkit::lockstep::{honest, id, parties, sid, start};

/// The sets of `size` of the first parties.
fn signer_sets(count: u16, size: u32) -> impl Iterator<Item = Parties> {
    (0..1_u16 << count)
        .filter(move |bits| bits.count_ones() == size)
        .map(move |bits| parties((0..count).filter(|at| bits >> at & 1 == 1).map(|at| at + 1)))
}

/// Signs with every set of signers of every given shape.
fn every_set(profile: Profile, level: Level, shapes: impl IntoIterator<Item = (u16, u16)>) {
    for (threshold, count) in shapes {
        let dealt = crate::common::deal_if_offered(profile, level, threshold, count).unwrap();
        assert_eq!(dealt.public.profile(), profile);
        for (at, signers) in (0..).zip(signer_sets(count, threshold.into())) {
            let (message, context) = ([at, 3], [at; 5]);
            let mu = dealt.public.verifying_key().represent(&message, &context).unwrap();
            let signature = sign(&dealt, &signers, mu);
            verified_by_all(dealt.public.verifying_key(), &message, &context, &signature);
        }
    }
}

#[test]
fn ml_dsa_44_with_every_set_of_signers() {
    let shapes = [(2, 2), (2, 3), (3, 3), (2, 4), (3, 4), (4, 4), (2, 5), (2, 6)];
    every_set(Profile::Published, Level::MlDsa44, shapes);
}

#[test]
fn ml_dsa_65_with_every_set_of_signers() {
    every_set(Profile::Published, Level::MlDsa65, [(2, 2), (2, 3), (3, 3), (2, 4)]);
}

#[test]
fn ml_dsa_87_with_every_set_of_signers() {
    every_set(Profile::Published, Level::MlDsa87, [(2, 2), (2, 3), (3, 3), (2, 4)]);
}

#[test]
fn strict_keys_with_every_set_of_signers() {
    // The least ν, 2.5, in the first and a half in the others.
    every_set(Profile::Strict, Level::MlDsa44, [(2, 2), (3, 5)]);
    every_set(Profile::Strict, Level::MlDsa65, [(2, 3)]);
    every_set(Profile::Strict, Level::MlDsa87, [(2, 3)]);
}

#[test]
#[ignore = "minutes: every set of signers of every shape that is offered"]
fn every_profile_level_shape_and_set_of_signers() {
    for level in Level::ALL {
        for (profile, count) in Profile::ALL.into_iter().flat_map(|p| (2..=6).map(move |n| (p, n)))
        {
            let offered =
                |threshold: &u16| crate::common::is_offered(profile, level, *threshold, count);
            let offered = (2..=count).filter(offered);
            every_set(profile, level, offered.map(|threshold| (threshold, count)));
        }
    }
}

/// A share whose profile was altered does not form a session with the shares of others.
#[test]
fn the_profile_is_bound_in_signing() {
    let dealt = Profile::ALL
        .map(|profile| crate::common::deal_if_offered(profile, Level::MlDsa44, 2, 2).unwrap());
    let signers = parties([1, 2]);
    let mu = MessageRepresentative::external([1; 64]);
    let begin = |of: usize, me| {
        let params = params(&dealt[of], id(me), &signers, mu, sid(1), 0);
        start::<Sign>(sid(1), id(me), &signers, params)
    };
    for (theirs, expected) in [(0, None), (1, Some(Rejected::OtherParameters { which: "profile" }))]
    {
        let frame = begin(theirs, 2).outgoing[0].bytes.clone();
        assert_eq!(begin(0, 1).session.receive(id(2), &frame).err(), expected);
    }
}

#[test]
fn digests_and_external_representatives_are_signed() {
    let dealt = deal(Level::MlDsa44, 2, 3);
    let key = dealt.public.verifying_key();
    let signers = parties([1, 3]);
    let mu = key.represent_digest(PreHash::Sha512, &[5; 64], b"context").unwrap();
    let signature = sign(&dealt, &signers, mu);
    assert!(key.verify_representative(&mu, &signature).is_ok());
    crate::common::digest_verified(key, &[5; 64], b"context", &signature);
    // The same representative, computed elsewhere.
    let external = MessageRepresentative::external(*mu.as_bytes());
    assert!(key.verify_representative(&external, &sign(&dealt, &signers, external)).is_ok());
    let other = MessageRepresentative::external([9; 64]);
    assert!(key.verify_representative(&other, &signature).is_err());
}

#[test]
fn the_number_of_signers_is_the_threshold() {
    let dealt = deal(Level::MlDsa44, 2, 4);
    let mu = MessageRepresentative::external([1; 64]);
    let refused = |signers: &Parties, me, params| {
        let rng = &mut quorate_testkit::rng(1);
        Session::<Sign>::start(sid(1), id(me), signers, params, rng).err()
    };
    let three = parties([1, 2, 3]);
    let inconsistent = |why| Some(ParamError::Inconsistent(why));
    let expected = inconsistent("as many parties sign as the threshold says");
    assert_eq!(refused(&three, 1, params(&dealt, id(1), &three, mu, sid(1), 0)), expected);
    // Too few signers.
    let three_of_four = deal(Level::MlDsa44, 3, 4);
    let few = parties([1, 2]);
    let given = params(&three_of_four, id(1), &few, mu, sid(1), 0);
    assert_eq!(refused(&few, 1, given), expected);
    let stranger = parties([1, 5]);
    let given = params(&dealt, id(1), &stranger, mu, sid(1), 0);
    assert_eq!(refused(&stranger, 1, given), Some(ParamError::NotAParty(id(5))));
    let two = parties([1, 2]);
    let given = params(&dealt, id(1), &two, mu, sid(1), 0);
    assert_eq!(refused(&two, 2, given), inconsistent("the share is another party's"));
}

#[test]
fn an_attempt_takes_the_receipt_of_its_own_record() {
    let dealt = deal(Level::MlDsa44, 2, 3);
    let share = || Arc::new(crate::common::copy(&dealt.shares[0]));
    let signers = parties([1, 2]);
    let [mu, other] = [1, 2].map(|byte| MessageRepresentative::external([byte; 64]));
    let mut table = SpentInMemory::new();
    let record = share().attempt(7, sid(1), &signers, &mu).unwrap();
    let mut begin = |session, mu, number, record: quorate_mldsa::session::ClaimRecord| {
        let receipt = record.store(&mut table).unwrap();
        let params = SignParams::new(share(), mu, number, receipt);
        Session::<Sign>::start(session, id(1), &signers, params, &mut quorate_testkit::rng(1)).err()
    };
    let refused = Some(ParamError::Inconsistent("the receipt is for another attempt"));
    assert_eq!(begin(sid(1), mu, 7, record), None);
    assert_eq!(begin(sid(2), mu, 7, record), refused);
    assert_eq!(begin(sid(1), other, 7, record), refused);
    assert_eq!(begin(sid(1), mu, 8, record), refused);
    // A number is for one session, one message and one set of signers.
    for (session, signers, mu) in
        [(sid(2), &signers, mu), (sid(1), &parties([1, 3]), mu), (sid(1), &signers, other)]
    {
        assert!(share().attempt(7, session, signers, &mu).unwrap().store(&mut table).is_err());
    }
    // Other shares count their own attempts.
    let theirs = dealt.shares[1].attempt(7, sid(2), &signers, &mu).unwrap();
    assert!(theirs.store(&mut table).is_ok());
}

#[test]
fn a_share_is_used_up_after_its_attempts() {
    let dealt = deal(Level::MlDsa44, 2, 3);
    let attempts = dealt.public.attempts();
    // 2^32.3 over three parties.
    assert!((1_700_000_000..1_800_000_000).contains(&attempts));
    let mu = MessageRepresentative::external([1; 64]);
    let signers = parties([1, 2]);
    assert!(dealt.shares[0].attempt(attempts - 1, sid(1), &signers, &mu).is_ok());
    let refused = dealt.shares[0].attempt(attempts, sid(1), &signers, &mu);
    assert_eq!(refused.unwrap_err().attempts, attempts);
    let receipt = dealt.shares[0].attempt(attempts - 1, sid(1), &signers, &mu).unwrap();
    let receipt = receipt.store(&mut SpentInMemory::new()).unwrap();
    let share = Arc::new(crate::common::copy(&dealt.shares[0]));
    let params = SignParams::new(share, mu, attempts, receipt);
    let begun =
        Session::<Sign>::start(sid(1), id(1), &signers, params, &mut quorate_testkit::rng(1));
    assert_eq!(begun.err(), Some(ParamError::Inconsistent("the share is used up")));
}

#[test]
fn no_luck_is_no_error_and_all_agree_on_it() {
    let dealt = deal(Level::MlDsa44, 3, 4);
    let mu = dealt.public.verifying_key().represent(b"message", b"").unwrap();
    let signers = parties([1, 2, 4]);
    let (mut good, mut none) = (0, 0);
    for byte in 0..40 {
        let steps = signers.iter().map(|me| {
            let params = params(&dealt, me, &signers, mu, sid(byte), byte.into());
            start::<Sign>(sid(byte), me, &signers, params)
        });
        let results = honest::<Sign>(steps.collect(), |_| {});
        assert!(results.windows(2).all(|two| two[0] == two[1]));
        assert!(results[0].accepted.values().all(|count| *count <= 7));
        *(if results[0].signature.is_some() { &mut good } else { &mut none }) += 1;
    }
    // About every second attempt: by the model 1 − (1 − 0.103)^7 = 0.53.
    assert!(good >= 8 && none >= 8, "{good} good, {none} without luck");
}
