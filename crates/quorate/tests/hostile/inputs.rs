//! Inputs that are not messages: thresholds, parties, messages, signers, generators.

use quorate::frost::generic::dkg::parts::part1;
use quorate::frost::generic::{DealError, Dealing, DealtShare, Dkg, DkgParams, KeyShare};
use quorate::session::ParamError;
use quorate::{Parties, Session, SessionId};
use quorate_testkit::Stuck;

use super::cheat::scalar_bytes;
use super::dkg::assert_one_key;
use super::harness::Hostile;
use super::harness::{Key, MUTATOR, PARTIES, id, parties, rng};
use super::reference::nonces;
use quorate_testkit::encodings::order_plus;

fn thresholds<S: Hostile>() {
    let all = parties(PARTIES);
    for threshold in [0, 1, 4, 65535] {
        let error = DealError::BadThreshold { threshold, parties: 3 };
        assert_eq!(Dealing::<S>::new(threshold, &all, &mut rng(1)).unwrap_err(), error);
        let one = scalar_bytes::<S>(&1.into());
        let dealt = Dealing::<S>::import(&one, threshold, &all, &mut rng(1));
        assert_eq!(dealt.unwrap_err(), error);
        let started = Session::<Dkg<S>>::start(
            SessionId::new([1; 32]),
            id(1),
            &all,
            DkgParams::new(threshold),
            &mut rng(1),
        );
        assert_eq!(started.unwrap_err(), ParamError::Threshold);
    }
    let stranger = Session::<Dkg<S>>::start(
        SessionId::new([1; 32]),
        id(4),
        &all,
        DkgParams::new(2),
        &mut rng(1),
    );
    assert_eq!(stranger.unwrap_err(), ParamError::NotAParty(id(4)));
    for n in [0, 1] {
        assert_eq!(Parties::numbered(n), Err(ParamError::TooFewParties));
    }
    for (bytes, seed) in [(scalar_bytes::<S>(&0.into()), 1), (order_plus::<S::Curve>(0), 2)] {
        let dealt = Dealing::<S>::import(&bytes, 2, &all, &mut rng(seed));
        assert_eq!(dealt.unwrap_err(), DealError::BadKey);
    }
    // t = n, and every key that a key generation gives is one that all hold.
    let report = super::dkg::keygen_among::<S>(3, &all, 1, |one| vec![one]);
    assert_one_key(&report);
    let threshold = |share: &KeyShare<S>| share.threshold();
    assert!(report.results.values().all(|one| threshold(&one.as_ref().unwrap().share) == 3));
}

#[test]
fn inputs_thresholds_and_parties_that_cannot_be() {
    quorate_testkit::for_every_suite!(thresholds);
}

/// Any message of any length, and any signers that are enough.
fn messages_and_signers<S: Hostile>() {
    let key = Key::<S>::new(1);
    let megabyte = vec![7; 1 << 20];
    let messages: [&[u8]; 6] = [b"", &[0], &[0; 31], &[0; 32], &[255; 33], &megabyte];
    for message in messages {
        for signers in [&[1, MUTATOR][..], &[MUTATOR, 5], &[1, 5], &PARTIES] {
            if message.len() > 100 && signers.len() == 2 {
                continue;
            }
            let signed = key.sign(signers, message, 3);
            let signature = key.public.aggregate(&signed.package, &signed.shares).unwrap();
            key.public.verifying_key().verify(message, &signature).unwrap();
            let other = [message, &[0]].concat();
            assert!(key.public.verifying_key().verify(&other, &signature).is_err());
        }
    }
}

#[test]
fn inputs_messages_and_signers() {
    quorate_testkit::for_every_suite!(messages_and_signers);
}

/// With a constant generator nothing panics. Messages of different parties and sessions still differ, and so
/// do nonces of different keys, since each is hashed with values of its own.
fn broken_generators<S: Hostile>() {
    let all = parties(PARTIES);
    let first = |me: u16, sid: u8, byte: u8| {
        let sid = SessionId::new([sid; 32]);
        let step =
            Session::<Dkg<S>>::start(sid, id(me), &all, DkgParams::new(2), &mut Stuck::at(byte));
        step.unwrap().outgoing[0].bytes[super::dkg::BODY[0]..].to_vec()
    };
    let said = [first(1, 1, 0), first(2, 1, 0), first(1, 2, 0), first(1, 1, 255)];
    for (at, one) in said.iter().enumerate() {
        assert!(said[..at].iter().all(|other| other != one));
    }
    assert_eq!(first(1, 1, 0), said[0], "the same inputs, the same bytes");
    let key = Key::<S>::new(1);
    let of = |party| nonces(&key.share(party).precompute(1, &mut Stuck::at(0)));
    assert!(of(1) != of(5));
    let dealt = Dealing::<S>::new(2, &all, &mut Stuck::at(255)).unwrap();
    let accepted = |share: DealtShare<S>| share.accept(2, &dealt.public).is_ok();
    assert!(dealt.shares.into_iter().all(accepted));
    // With zeros every share would be the key itself.
    let zeros = &mut Stuck::at(0);
    assert_eq!(Dealing::<S>::new(2, &all, zeros).unwrap_err(), DealError::Randomness);
    let one = scalar_bytes::<S>(&1.into());
    assert_eq!(Dealing::<S>::import(&one, 2, &all, zeros).unwrap_err(), DealError::Randomness);
    assert!(part1::<S>(id(1), 2, &[0; 32], zeros).is_err());
}

#[test]
fn inputs_broken_generators() {
    quorate_testkit::for_every_suite!(broken_generators);
}
