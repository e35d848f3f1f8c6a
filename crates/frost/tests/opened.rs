//! A sealed key generation that is opened is rebuilt from what it sent. It is the same run as the sealed one, and
//! no proof is made or verified for it.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use quorate_curve::Ed25519;
use quorate_frost::{Dkg, DkgOutput, DkgParams, KeySuite};
use quorate_session::{PartyId, Progress, Session};
use quorate_testkit::counting::{Counting, Multiplications, counted};
use quorate_testkit::lockstep::{parties, record, seal_key, sid, start};
use quorate_testkit::opened::Opened;
use quorate_testkit::schedules::Schedules;

const NUMBERS: [u16; 3] = [1, 7, 300];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Suite;

impl KeySuite for Suite {
    type Curve = Counting<Ed25519>;
    type Hash = quorate_frost::hash::WideSha512;

    const CONTEXT: &'static str = "a suite that counts";
    const CODE: u8 = 200;
}

fn params(_: PartyId) -> DkgParams<Suite> {
    DkgParams::new(2)
}

fn stored(output: DkgOutput<Suite>) -> Vec<u8> {
    [&*output.share.to_bytes(), output.public.to_bytes().as_slice()].concat()
}

#[test]
fn an_opened_key_generation_is_the_one_that_was_sealed() {
    let all = parties(NUMBERS);
    let (frames, _) = record::<Dkg<Suite>>(&all, sid(4), params, |_, _, _| {});
    let opened = Opened::<Dkg<Suite>> { parties: &all, params: &params, stored: &stored };
    for me in all.iter() {
        // Two broadcasts, two shares, two confirmations, and the ends of the rounds.
        assert_eq!(opened.at_every_slot(4, me, &frames), 3 * 2 + 3);
    }
    // Shares that do not fit and announcements that cannot be proved, from the start to the abort.
    for round in 1..=3 {
        let from = all.iter().next().unwrap();
        let (frames, _) = record::<Dkg<Suite>>(&all, sid(4), params, |place, frame, _| {
            if (place.0, place.1) == (from, round) {
                *frame.last_mut().unwrap() ^= 1;
            }
        });
        for me in all.iter().filter(|me| *me != from) {
            opened.at_every_slot(4, me, &frames);
        }
    }
}

/// Frames in any order, and a party that sends arbitrary messages.
#[test]
fn an_opened_key_generation_goes_on_alike_by_any_schedule() {
    let all = parties([1, 7, 9, 300]);
    let ends = all.iter().map(|corrupt| {
        let schedules =
            Schedules::<Dkg<Suite>> { parties: &all, corrupt, params: &params, stored: &stored };
        schedules.all(30)
    });
    let ends: Vec<_> = ends.collect();
    assert!(ends.iter().all(|ends| ends.stopped > 0 && ends.given_up > 0), "{ends:?}");
    assert!(ends.iter().any(|ends| ends.done > 0), "{ends:?}");
}

#[test]
fn opening_neither_proves_nor_verifies() {
    let all = parties(NUMBERS);
    let me = all.iter().next().unwrap();
    let (frames, _) = record::<Dkg<Suite>>(&all, sid(4), params, |_, _, _| {});
    let mut session = start::<Dkg<Suite>>(sid(4), me, &all, params(me)).session;
    for round in 1..=3 {
        let sealed = session.seal(&seal_key());
        let opened = counted(|| Session::<Dkg<Suite>>::open(&sealed, params(me), &seal_key()));
        let audited = counted(|| Session::<Dkg<Suite>>::audit(&sealed, params(me), &seal_key()));
        // Of the generator, in the last round: the share that is noted.
        let fixed = usize::from(round == 3);
        assert_eq!(
            opened.1,
            Multiplications { fixed, ..Multiplications::default() },
            "round {round}"
        );
        assert!(audited.1.fixed >= 3 && (audited.1.random > 0 || round == 1));
        session = opened.0.unwrap().session;
        for (place, frame) in frames.iter().filter(|(place, _)| (place.3, place.1) == (me, round)) {
            session.receive(place.0, frame).unwrap();
        }
        match session.advance() {
            Ok(Progress::Round(step)) => session = step.session,
            end => return assert!(matches!(end, Ok(Progress::Done { .. })) && round == 3),
        }
    }
}
