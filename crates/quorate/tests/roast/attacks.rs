//! A coordinator that lies, signers that work together, states that are restored.

use std::collections::BTreeSet;

use quorate::frost::generic::roast::{AnswerOutcome, AnswerRejected, Refused, SignerFault};
use quorate::frost::generic::{
    Ciphersuite, Commitments, RoastCoordinator, RoastSigner, SignError, SigningPackage,
};
use quorate::session::container::HEADER;
use quorate::session::{RecordError, SpentTable, TableEntry};
use quorate_testkit::lockstep::{id, sid};
use quorate_testkit::{Stuck, rng, suite_tests};

use super::faults::Bench;
use super::outside::Outside;
use super::world::{
    Bad, Layout, TEXT, World, forged, key, layout, package_of, run_id, with_wrong_share,
};

/// The commitments in a signer's message.
fn published<S: Ciphersuite>(bench: &Bench<S>, at: usize) -> Commitments<S> {
    let Layout { hiding, session, .. } = layout::<S>();
    let points = &bench.signers[at].message()[hiding..session];
    let (d, e) = points.split_at(points.len() / 2);
    Commitments::from_parts(id(at as u16 + 1), bench.public.package_id(), d, e).unwrap()
}

/// A request that the coordinator has not made.
pub(crate) fn request<S: Ciphersuite>(
    like: &[u8],
    session: u16,
    package: &SigningPackage<S>,
    run: u8,
) -> Vec<u8> {
    let form = package.to_bytes();
    forged::<S>(like, |bytes| {
        bytes.truncate(HEADER);
        bytes.extend_from_slice(sid(run).as_bytes());
        bytes.extend_from_slice(&session.to_be_bytes());
        bytes.extend_from_slice(&form[HEADER..form.len() - 32]);
    })
}

/// A coordinator shows one signer two packages for the same commitments, in one session or in two, with another partner
/// or another message: the second one is refused, whatever was restored in between.
fn one_pair_signs_once<S: Ciphersuite>() {
    let mut bench = Bench::<S>::new(2, 4);
    let mine = published(&bench, 0);
    let stored = bench.signers[0].seal(&key());
    let first = bench.join(&[0, 1]);
    let answer = bench.answer(0, &first).unwrap();
    let partner = published(&bench, 2);
    let package = SigningPackage::new(&bench.public, [mine, partner], TEXT).unwrap();
    let again = request(&first, 1, &package, super::world::RUN);
    assert_eq!(bench.answer(0, &again).unwrap_err(), Refused::NotNext { got: 1, answered: 1 });
    let later = request(&first, 2, &package, super::world::RUN);
    let mismatch = Refused::Sign(SignError::CommitmentMismatch);
    assert_eq!(bench.answer(0, &later).unwrap_err(), mismatch);

    // The state from before the answer is restored: the same request gives the same share, another one none.
    let Layout { session, end, .. } = layout::<S>();
    for request in [&again, &later] {
        bench.signers[0] = RoastSigner::open(&stored, &key()).unwrap();
        let Refused::Record(RecordError::Spent { on, .. }) = bench.answer(0, request).unwrap_err()
        else {
            panic!("signed twice");
        };
        assert_eq!(on, package_of::<S>(&first).digest(None));
        // The request that the pair was spent on is still answered.
        let restored = bench.answer(0, &first).unwrap();
        assert_eq!(restored[session..end], answer[session..end]);
        assert_eq!(bench.tables[0].len(), 1);
    }
}

/// A pair that was published in one run is asked for in another.
fn runs_do_not_mix<S: Ciphersuite>() {
    let mut bench = Bench::<S>::new(2, 3);
    let first = bench.join(&[0, 1]);
    let package = package_of::<S>(&first);
    let other = request(&first, 1, &package, 1);
    assert_eq!(bench.answer(0, &other).unwrap_err(), Refused::OtherRun);
    let text =
        SigningPackage::new(&bench.public, [published(&bench, 0), published(&bench, 1)], b"other");
    let text = request(&first, 1, &text.unwrap(), super::world::RUN);
    assert_eq!(bench.answer(0, &text).unwrap_err(), Refused::OtherMessage);
    let all = SigningPackage::new(
        &bench.public,
        [published(&bench, 0), published(&bench, 1), published(&bench, 2)],
        TEXT,
    );
    // More signers than t are no harm: any t or more can sign.
    let more = request(&first, 1, &all.unwrap(), super::world::RUN);
    assert!(bench.answer(0, &more).is_ok());
}

/// A table that fails spends nothing, and the call may be repeated.
fn a_table_that_fails<S: Ciphersuite>() {
    struct Fails;
    impl SpentTable for Fails {
        type Error = &'static str;
        fn record(&mut self, _: &[u8; 32], _: &[u8; 32]) -> Result<TableEntry, &'static str> {
            Err("no disk")
        }
    }
    let mut bench = Bench::<S>::new(2, 3);
    let request = bench.join(&[0, 1]);
    let (signer, share) = (&mut bench.signers[0], &bench.shares[0]);
    let before = signer.seal(&key());
    let refused = signer.answer(share, &request, &mut Fails, &mut rng(1)).unwrap_err();
    assert_eq!(refused, Refused::Record(RecordError::Table("no disk")));
    assert_eq!(signer.seal(&key()), before);
    let answer = bench.answer(0, &request).unwrap();
    assert!(matches!(bench.receive(0, &answer), Ok(AnswerOutcome::Waiting)));
}

/// A generator that is stuck publishes a pair twice: it is not spent twice.
fn a_generator_that_is_stuck<S: Ciphersuite>() {
    let mut bench = Bench::<S>::new(2, 4);
    let request = bench.join(&[0, 1]);
    let stuck = |bench: &mut Bench<S>, request: &[u8]| {
        let (signer, table) = (&mut bench.signers[0], &mut bench.tables[0]);
        let answer = signer.answer(&bench.shares[0], request, table, &mut Stuck::at(3));
        answer.map(<[u8]>::to_vec)
    };
    let first = stuck(&mut bench, &request).unwrap();
    assert!(matches!(bench.receive(0, &first), Ok(AnswerOutcome::Waiting)));
    let request = bench.join(&[2]);
    let second = stuck(&mut bench, &request).unwrap();
    let Layout { hiding, session, .. } = layout::<S>();
    assert_eq!(first[hiding..session], second[hiding..session], "one pair, published twice");
    assert!(matches!(bench.receive(0, &second), Ok(AnswerOutcome::Waiting)));
    let request = bench.join(&[3]);
    let refused = stuck(&mut bench, &request).unwrap_err();
    assert!(matches!(refused, Refused::Record(RecordError::Spent { .. })), "{refused:?}");
}

/// A crash after the record and before the new state was stored: the old state answers once more, and the coordinator,
/// which has seen nothing, takes it.
fn a_crash_before_sending<S: Outside>() {
    let mut bench = Bench::<S>::new(2, 3);
    let stored = bench.signers[0].seal(&key());
    let request = bench.join(&[0, 1]);
    let lost = bench.answer(0, &request).unwrap();
    bench.signers[0] = RoastSigner::open(&stored, &key()).unwrap();
    let random = &mut rng(9);
    let (signer, table) = (&mut bench.signers[0], &mut bench.tables[0]);
    let again = signer.answer(&bench.shares[0], &request, table, random).unwrap().to_vec();
    let Layout { hiding, session, end, .. } = layout::<S>();
    assert_eq!(again[session..end], lost[session..end], "the very same share");
    assert_ne!(again[hiding..session], lost[hiding..session], "other nonces for the next one");
    assert!(matches!(bench.receive(0, &again), Ok(AnswerOutcome::Waiting)));
    let second = bench.answer(1, &request).unwrap();
    let Ok(AnswerOutcome::Done(signature)) = bench.receive(1, &second) else { panic!("not done") };
    let verifying = bench.public.verifying_key();
    assert!(S::holds(verifying.as_bytes().as_ref(), TEXT, signature.to_bytes().as_ref()));
}

/// n − t signers, each of which holds up a session of its own: the bound is reached, and no more.
fn the_worst_of_all_orders<S: Outside>() {
    let (threshold, parties) = (3usize, 6usize);
    let mut bench = Bench::<S>::new(threshold as u16, parties as u16);
    // The honest ones are 0 to 2; one of the others joins two of them each time, and the third comes late.
    let mut request = bench.join(&[3, 0, 1]);
    for (session, bad) in [(2, 4), (3, 5)] {
        for at in [0, 1] {
            let answer = bench.answer(at, &request).unwrap();
            assert!(matches!(bench.receive(at, &answer), Ok(AnswerOutcome::Waiting)));
        }
        request = bench.join(&[bad]);
        assert_eq!(bench.coordinator.sessions(), session);
    }
    for at in [0, 1] {
        let answer = bench.answer(at, &request).unwrap();
        assert!(matches!(bench.receive(at, &answer), Ok(AnswerOutcome::Waiting)));
    }
    request = bench.join(&[2]);
    assert_eq!(bench.coordinator.sessions(), bench.coordinator.most_sessions());
    assert_eq!(bench.coordinator.most_sessions(), parties - threshold + 1);
    let mut done = None;
    for at in 0..3 {
        let answer = bench.answer(at, &request).unwrap();
        if let Ok(AnswerOutcome::Done(signature)) = bench.receive(at, &answer) {
            done = Some(signature);
        }
    }
    let verifying = bench.public.verifying_key();
    assert!(S::holds(verifying.as_bytes().as_ref(), TEXT, done.unwrap().to_bytes().as_ref()));
    assert_eq!(bench.coordinator.marked().count(), 0, "silence marks nobody");
    assert_eq!(bench.coordinator.sessions(), 4);
}

/// One answer, sent for every session: it counts once.
fn one_answer_in_many_sessions<S: Ciphersuite>() {
    let mut bench = Bench::<S>::new(2, 4);
    let first = bench.join(&[0, 1]);
    let answer = bench.answer(0, &first).unwrap();
    assert!(matches!(bench.receive(0, &answer), Ok(AnswerOutcome::Waiting)));
    let second = bench.join(&[2]);
    assert_eq!(package_of::<S>(&second).signers(), [id(1), id(3)]);
    // The old one again is a repetition; renumbered, it is for another package, or another share.
    assert_eq!(bench.receive(0, &answer).unwrap_err(), AnswerRejected::Duplicate);
    let Layout { session, digest, .. } = layout::<S>();
    let name = package_of::<S>(&second).digest(None);
    let renamed = forged::<S>(&answer, |bytes| {
        bytes[session + 1] = 2;
        bytes[digest..digest + 32].copy_from_slice(&name);
    });
    let fault = SignerFault::WrongShare { session: 2 };
    assert_eq!(bench.receive(0, &renamed).unwrap_err(), AnswerRejected::Marked(fault));
}

/// A right share of an earlier session, with unseen commitments, does not make a signer available again: it would hold up
/// two sessions.
fn an_old_share_in_new_clothes<S: Ciphersuite>() {
    let mut bench = Bench::<S>::new(2, 4);
    let first = bench.join(&[0, 1]);
    let answer = bench.answer(0, &first).unwrap();
    assert!(matches!(bench.receive(0, &answer), Ok(AnswerOutcome::Waiting)));
    bench.join(&[2]);
    let Layout { hiding, session, .. } = layout::<S>();
    let clothes = bench.shares[0].commit(&mut rng(50)).1;
    let points = [clothes.hiding().as_ref(), clothes.binding().as_ref()].concat();
    let dressed = forged::<S>(&answer, |bytes| bytes[hiding..session].copy_from_slice(&points));
    let fault = SignerFault::Unsolicited { got: 1, expected: 2 };
    assert_eq!(bench.receive(0, &dressed).unwrap_err(), AnswerRejected::Marked(fault));
}

/// Two wrong shares that cancel each other are two wrong shares.
fn shares_that_cancel<S: Ciphersuite>() {
    let mut bench = Bench::<S>::new(2, 3);
    let request = bench.join(&[0, 1]);
    let one = with_wrong_share::<S>(&bench.answer(0, &request).unwrap());
    let fault = AnswerRejected::Marked(SignerFault::WrongShare { session: 1 });
    assert_eq!(bench.receive(0, &one).unwrap_err(), fault);
    let two = with_wrong_share::<S>(&bench.answer(1, &request).unwrap());
    assert_eq!(bench.receive(1, &two).unwrap_err(), fault);
    assert!(!bench.coordinator.can_finish());
}

/// A coordinator that has forgotten all and gets its log again says the same.
fn a_log_restores_the_coordinator<S: Outside>() {
    let kinds = [Bad::WrongShare, Bad::StallsAfterOne];
    let mut world = World::<S>::new(3, 5, &kinds, 4);
    let signature = world.play().unwrap();
    let log = world.log;
    let mut again = RoastCoordinator::start(world.public.clone(), run_id(), TEXT).unwrap();
    let mut done = None;
    for (from, bytes) in &log {
        if let Ok(AnswerOutcome::Done(signature)) = again.receive(*from, bytes) {
            done = Some(signature);
        }
    }
    assert!(done == Some(signature));
    assert!(again.marked().eq(world.coordinator.marked()));
    assert_eq!(again.sessions(), world.coordinator.sessions());
}

/// No pair of nonces of an honest signer is published twice, over all its messages.
fn nonces_are_fresh<S: Ciphersuite>() {
    for seed in 0..4 {
        let mut world = World::<S>::new(2, 5, &[Bad::StallsWhenAsked; 3], seed);
        world.play().unwrap();
        let Layout { hiding, session, .. } = layout::<S>();
        let sent: BTreeSet<_> = world.log.iter().cloned().collect();
        let pairs: BTreeSet<_> =
            sent.iter().map(|(_, one)| one[hiding..session].to_vec()).collect();
        assert_eq!(sent.len(), pairs.len());
    }
}

/// Requests to strangers, or with strangers in them.
fn a_package_with_a_stranger<S: Ciphersuite>() {
    let mut bench = Bench::<S>::new(2, 3);
    let larger = super::world::dealt::<S>(2, 4);
    let stranger = larger.1[3].commit(&mut rng(3)).1;
    let points = [stranger.hiding().as_ref(), stranger.binding().as_ref()];
    let of = bench.public.package_id();
    let stranger = Commitments::<S>::from_parts(id(4), of, points[0], points[1]).unwrap();
    let honest = bench.join(&[0, 1]);
    // Made for a key that has a fourth party, and renamed.
    let form = package_of::<S>(&honest).to_bytes();
    let with_stranger = forged::<S>(&form, |bytes| {
        let points = stranger.to_bytes();
        let size = points.len() - HEADER - 32 - 70;
        let second = HEADER + 70 + (2 + size);
        bytes[second..second + 2].copy_from_slice(&4u16.to_be_bytes());
        bytes[second + 2..second + 2 + size]
            .copy_from_slice(&points[HEADER + 70..HEADER + 70 + size]);
    });
    let package = SigningPackage::<S>::from_bytes(&with_stranger).unwrap();
    let request = request(&honest, 1, &package, super::world::RUN);
    let unknown = Refused::Sign(SignError::UnknownParty(id(4)));
    assert_eq!(bench.answer(0, &request).unwrap_err(), unknown);
    assert!(bench.tables[0].is_empty());
    let Ok(answer) = bench.answer(0, &honest) else { panic!("it is not worn out") };
    assert!(matches!(bench.receive(0, &answer), Ok(AnswerOutcome::Waiting)));
}

suite_tests!(
    one_pair_signs_once,
    runs_do_not_mix,
    a_table_that_fails,
    a_crash_before_sending,
    a_generator_that_is_stuck,
    the_worst_of_all_orders,
    an_old_share_in_new_clothes,
    one_answer_in_many_sessions,
    shares_that_cancel,
    a_log_restores_the_coordinator,
    nonces_are_fresh,
    a_package_with_a_stranger,
);
