//! An attempt that is sealed, and opened again, at every point.

use std::collections::BTreeSet;

use crate::common::{deal, params};
use quorate_mldsa::session::{Progress, Protocol, SealError, Session, Step};
use quorate_mldsa::{Level, MessageRepresentative, Sign};
use quorate_testkit::lockstep::{advance, id, parties, seal_key, sid, start};

#[test]
fn a_session_that_is_opened_goes_on_byte_for_byte() {
    for level in Level::ALL {
        let dealt = deal(level, 2, 3);
        let signers = parties([1, 3]);
        let mu = MessageRepresentative::external([4; 64]);
        let given = |me| params(&dealt, id(me), &signers, mu, sid(1), 0);
        let mut steps = [1, 3].map(|me| start::<Sign>(sid(1), id(me), &signers, given(me)));
        let mut slots = Vec::new();
        for round in 1..=3 {
            // Party 1 is stopped after it has sent, and again when all messages have arrived.
            let sealed = steps[0].session.seal(&seal_key());
            let again = Session::<Sign>::open(&sealed, given(1), &seal_key()).unwrap();
            assert_eq!(again.outgoing, steps[0].outgoing, "{level}, round {round}");
            let audited = Session::<Sign>::audit(&sealed, given(1), &seal_key()).unwrap();
            assert_eq!(audited.outgoing, again.outgoing);
            let other = params(
                &dealt,
                id(1),
                &signers,
                MessageRepresentative::external([5; 64]),
                sid(1),
                0,
            );
            let refused = Session::<Sign>::open(&sealed, other, &seal_key());
            assert!(matches!(refused, Err(SealError::OtherParams)));
            slots.push(again.session.slot());
            let [_, other] = steps;
            let (mut mine, mut theirs) = (again.session, other.session);
            for message in &other.outgoing {
                mine.receive(id(3), &message.bytes).unwrap();
            }
            for message in &again.outgoing {
                theirs.receive(id(1), &message.bytes).unwrap();
            }
            let sealed = mine.seal(&seal_key());
            let mine = Session::<Sign>::open(&sealed, given(1), &seal_key()).unwrap().session;
            let both = [mine, theirs].map(|session| advance(session).unwrap());
            steps = match both {
                [Progress::Round(mine), Progress::Round(theirs)] => [mine, theirs],
                [Progress::Done { output: mine, .. }, Progress::Done { output: theirs, .. }] => {
                    assert_eq!((round, &mine), (3, &theirs));
                    break;
                }
                _ => panic!("out of step"),
            };
        }
        // The store compares and swaps by these slots: that of an older seal is never the greater.
        assert!(slots.len() == 3 && slots.windows(2).all(|two| two[0] < two[1]));
    }
}

/// The opening of party 1 in a session.
fn opening(session: u8, seed: u8) -> Vec<u8> {
    let dealt = deal(Level::MlDsa44, 2, 3);
    let signers = parties([1, 3]);
    let mu = MessageRepresentative::external([4; 64]);
    let begin = |me| {
        let params = params(&dealt, id(me), &signers, mu, sid(session), 0);
        quorate_testkit::lockstep::start_seeded::<Sign>(
            sid(session),
            id(me),
            &signers,
            params,
            seed,
        )
    };
    let Step { mut session, .. } = begin(1);
    session.receive(id(3), &begin(3).outgoing[0].bytes).unwrap();
    let Progress::Round(step) = advance(session).unwrap() else { panic!("round 2") };
    step.outgoing[0].bytes[71..].to_vec()
}

/// Two challenges for one mask give the secret away.
#[test]
fn every_slot_of_every_session_has_a_mask_of_its_own() {
    let openings = [opening(1, 7), opening(1, 8), opening(2, 7)].concat();
    let slots: BTreeSet<&[u8]> = openings.chunks(4 * 736).collect();
    assert_eq!(slots.len(), 3 * 3);
    assert!(opening(1, 7) == opening(1, 7));
}

/// A broken generator alone does not make masks predictable.
#[test]
fn the_run_is_hedged_with_the_secrets_of_the_share() {
    let dealt = deal(Level::MlDsa44, 2, 3);
    let signers = parties([1, 3]);
    let mu = MessageRepresentative::external([4; 64]);
    let hedge =
        |me, number| Sign::hedge(&params(&dealt, id(me), &signers, mu, sid(1), number)).unwrap();
    // Two of the three subsets, 64 bytes each, and the number of the attempt.
    let first = hedge(1, 0);
    assert_eq!(first.len(), 128 + 8);
    assert_ne!(first, hedge(3, 0));
    assert!(dealt.shares[0].to_bytes().windows(128).any(|bytes| bytes == &first[..128]));
    assert_eq!(hedge(1, 0x0102)[..], [&first[..128], &[0, 0, 0, 0, 0, 0, 1, 2]].concat());
}
