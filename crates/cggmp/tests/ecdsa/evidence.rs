//! Evidence: the faults that it shows, and those that it does not. `hostile` and `red_alert` test that it shows every
//! fault.

use core::time::Duration;
use std::time::Instant;

use quorate_cggmp::evidence::PublicRun;
use quorate_cggmp::{
    AuxInfoGen, AuxInfoRun, DecodeError, Evidence, NotShown, Presign, Secp256k1, Sign, SignParams,
};
use quorate_session::container::ContainerError;
use quorate_session::{Abort, Fault, FrameFate, PartyId, Progress, Protocol, Session};

use crate::aux_info::resealed;
use crate::support::*;

type C = Secp256k1;

fn honest<P: Protocol>(params: impl FnMut(PartyId) -> P::Params) -> Frames {
    let all = parties(NUMBERS);
    let (frames, results) = record::<P>(&all, sid(SESSION), params, |_, _, _| {});
    assert!(results.values().all(Result::is_ok));
    frames
}

/// The frames of some rounds that a party has seen, its own broadcasts included.
fn seen(frames: &Frames, by: PartyId, rounds: u8) -> Vec<(PartyId, Vec<u8>)> {
    let hers = |place: &Place| place.3 == by || (place.0 == by && place.2);
    let seen = frames.iter().filter(|(place, _)| place.1 <= rounds && hers(place));
    seen.map(|(place, frame)| (place.0, frame.clone())).collect()
}

fn nothing(run: &impl PublicRun, frames: &[(PartyId, Vec<u8>)], what: &str) {
    let context = context(&frames[0].1);
    for accused in NUMBERS.map(id) {
        let list = quorate_session::Evidence::new(context, frames.to_vec());
        let evidence = Evidence::new(accused, list).unwrap();
        let verdict = evidence.verify(run);
        assert!(matches!(verdict, Err(why) if why != NotShown::Unclear), "{what} {accused}");
    }
}

/// An honest run shows nothing against any party: all of it, any beginning of it, with frames left
/// out, with frames under another sender's name, with frames that were sent to another.
fn shows_nothing(run: &impl PublicRun, frames: &Frames, rounds: u8) {
    for round in 1..=rounds {
        let all = seen(frames, id(2), round);
        nothing(run, &all, "all");
        for left_out in (0..all.len()).step_by(5) {
            let mut some = all.clone();
            some.remove(left_out);
            nothing(run, &some, "left out");
        }
        let rename = |(from, frame): &(PartyId, Vec<u8>)| {
            let other = if *from == id(7) { id(40) } else { id(7) };
            (other, frame.clone())
        };
        nothing(run, &all.iter().map(rename).collect::<Vec<_>>(), "renamed");
        // Made up by party 40 in the name of party 7.
        let mut made_up = all.clone();
        let last = |(from, frame): &&mut (PartyId, Vec<u8>)| *from == id(7) && frame[2] == round;
        for (from, frame) in made_up.iter_mut().filter(last) {
            *from = id(40);
            *frame.last_mut().unwrap() ^= 1;
        }
        nothing(run, &made_up, "made up");
        // Sent to party 7, and shown by party 2.
        let mut others = all.clone();
        others.retain(|(_, one)| one[2] != round || one[5..7] == [0, 0]);
        for (place, frame) in frames.iter().filter(|(place, _)| !place.2 && place.1 == round) {
            if place.3 == id(7) {
                others.push((place.0, frame.clone()));
            }
        }
        nothing(run, &others, "another's");
    }
}

#[test]
fn an_honest_signing_shows_nothing() {
    let group = Group::<C>::new(3);
    let digest = digest::<C>(b"message");
    let frames = honest::<Sign<C>>(|party| SignParams::new(group.params(party), digest));
    let run = group.public(&parties(NUMBERS), SigningGoal::Signature(digest));
    shows_nothing(&run, &frames, 4);
    // Nor does it show anything as a run with other terms.
    nothing(
        &group.public(&parties(NUMBERS), SigningGoal::Presignature),
        &seen(&frames, id(2), 4),
        "presigning",
    );
    let mut other = run.clone();
    other.sid = sid(1);
    nothing(&other, &seen(&frames, id(2), 4), "another session");
}

#[test]
fn an_honest_aux_info_shows_nothing() {
    let all = parties(NUMBERS);
    let params = |party| aux_params(FAST, all.position(party).unwrap());
    let frames = honest::<AuxInfoGen>(params);
    let run = AuxInfoRun { sid: sid(SESSION), parties: all.clone(), level: FAST };
    for round in 1..=4 {
        nothing(&run, &seen(&frames, id(40), round), "all");
    }
}

/// A broadcast of another party that the accused has not attested to is not taken.
#[test]
fn what_others_said_is_attested_by_the_accused() {
    let group = Group::<C>::new(3);
    let frames = honest::<Presign<C>>(|party| group.params(party));
    let all = parties(NUMBERS);
    let params = |party| group.params(party);
    let (elsewhere, _) = record::<Presign<C>>(&all, sid(61), params, |_, _, _| {});
    let other = &elsewhere[&(id(2), 1, true, id(7))];
    let mut shown = seen(&frames, id(2), 2);
    for (from, frame) in &mut shown {
        // Party 2's K of another session, under which the others' products are wrong.
        if *from == id(2) && frame[2] == 1 {
            frame.truncate(HEADER + ECHO);
            frame.extend_from_slice(&other[HEADER + ECHO..]);
        }
    }
    let run = group.public(&all, SigningGoal::Presignature);
    nothing(&run, &shown, "another K");
    // Frames of another session, called frames of this one.
    for round in 1..=3 {
        let frames = seen(&elsewhere, id(2), round);
        let list = quorate_session::Evidence::new(context(&shown[0].1), frames);
        for accused in NUMBERS.map(id) {
            let verdict = Evidence::new(accused, list.clone()).unwrap().verify(&run);
            assert_eq!(verdict, Err(NotShown::Incomplete), "{round} {accused}");
        }
    }
}

/// A culprit sends its message of the next round early. The evidence ends with the round that is at fault, so this does not spoil
/// it.
#[test]
fn a_message_that_comes_early_spoils_no_evidence() {
    let group = Group::<C>::new(3);
    let frames = honest::<Presign<C>>(|party| group.params(party));
    let (all, me, culprit) = (parties(NUMBERS), id(2), id(7));
    let run = group.public(&all, SigningGoal::Presignature);
    let of = |round| frames.iter().filter(move |(place, _)| (place.3, place.1) == (me, round));
    let mut session = start::<Presign<C>>(sid(SESSION), me, &all, group.params(me)).session;
    for (place, frame) in of(1) {
        session.receive(place.0, frame).unwrap();
    }
    let Ok(Progress::Round(step)) = advance(session) else { panic!("round 2") };
    let mut session = step.session;
    let early = &frames[&(culprit, 3, true, me)];
    assert_eq!(session.receive(culprit, early), Ok(FrameFate::Early));
    for (place, frame) in of(2) {
        let mut frame = frame.clone();
        if (place.0, place.2) == (culprit, false) {
            *frame.last_mut().unwrap() ^= 1;
        }
        session.receive(place.0, &frame).unwrap();
    }
    let Abort::Misbehaviour(blames) = halt(session).abort else { panic!("nobody is named") };
    let [blame] = &blames[..] else { panic!("{blames:?}") };
    assert_eq!((blame.party, blame.fault), (culprit, Fault::InvalidProof));
    let evidence = Evidence::from_blame(blame).unwrap();
    assert_eq!(evidence.verify(&run), Ok(blame.fault));
    // With the early message it is about round 3, before which broadcasts are missing.
    let mut frames = evidence.frames().clone();
    frames.frames.push((culprit, early.clone().into()));
    let evidence = Evidence::new(culprit, frames).unwrap();
    assert_eq!(evidence.verify(&run), Err(NotShown::Incomplete));
}

#[test]
fn two_messages_in_one_round() {
    let group = Group::<C>::new(3);
    let frames = honest::<Presign<C>>(|party| group.params(party));
    let mut all = seen(&frames, id(2), 1);
    let (from, mut frame) = all.iter().find(|(from, _)| *from == id(7)).unwrap().clone();
    frame[HEADER + ECHO] ^= 1;
    all.push((from, frame));
    let list = quorate_session::Evidence::new(context(&all[0].1), all);
    let run = group.public(&parties(NUMBERS), SigningGoal::Presignature);
    let evidence = Evidence::new(id(7), list).unwrap();
    assert_eq!(evidence.verify(&run), Ok(Fault::Equivocation));
    let bytes = evidence.to_bytes();
    assert!(Evidence::from_bytes(&bytes) == Ok(evidence));
    let (expected, got) = (bytes.len(), bytes.len() - 1);
    let truncated = DecodeError::Container(ContainerError::Truncated { expected, got });
    assert_eq!(Evidence::from_bytes(&bytes[..got]), Err(truncated));
    let cut = resealed(&bytes[..bytes.len() - 1]);
    assert_eq!(Evidence::from_bytes(&cut), Err(DecodeError::Truncated));
}

/// A broadcast of this party in round 1 of an aux-info run, cut to this length, and the run.
fn begun(party: PartyId, length: usize) -> (AuxInfoRun, Vec<u8>) {
    let all = parties(NUMBERS);
    let params = aux_params(FAST, all.position(party).unwrap());
    let rng = &mut seeded(1);
    let step = Session::<AuxInfoGen>::start(sid(SESSION), party, &all, params, rng).unwrap();
    let frame = step.outgoing[0].bytes[..length].to_vec();
    (AuxInfoRun { sid: sid(SESSION), parties: all, level: FAST }, frame)
}

/// The shorter time of two: the machine may be busy with something else.
fn at_best(work: impl Fn()) -> Duration {
    let time = || {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    time().min(time())
}

/// Nine megabytes of frames that hold nothing but a header.
#[test]
fn megabytes_of_headers_end_at_once() {
    let (run, frame) = begun(id(7), HEADER);
    for number in [1, 0] {
        // All alike, or each of a round of its own.
        let frames: Vec<_> = (0..200_000u32)
            .map(|index| {
                let mut frame = frame.clone();
                frame[2] = if number == 1 { 1 } else { index.to_be_bytes()[3] };
                (id(7), frame)
            })
            .collect();
        let list = quorate_session::Evidence::new(context(&frame), frames);
        assert!(!list.proves_equivocation(id(7)));
        let evidence = Evidence::new(id(7), list).unwrap();
        let bytes = evidence.to_bytes();
        assert!(bytes.len() > 9_000_000);
        let time = at_best(|| {
            assert_eq!(Evidence::from_bytes(&bytes), Err(DecodeError::TooLong));
            let verdict = evidence.verify(&run);
            assert_eq!(verdict, Err(NotShown::TooLarge));
            assert!(!evidence.frames().proves_equivocation(id(7)));
        });
        // Work that is quadratic in their number takes minutes.
        assert!(time < Duration::from_secs(10), "{time:?}");
    }
}

/// The most frames that two parties together can have are accepted, and one more is refused: by the largest
/// run when evidence is read, and by this run when it is judged.
#[test]
fn no_more_frames_than_a_run_has() {
    let (run, frame) = begun(id(7), HEADER + ECHO);
    let of = |count: usize| {
        let frames = vec![(id(7), frame.clone()); count];
        Evidence::new(id(7), quorate_session::Evidence::new(context(&frame), frames)).unwrap()
    };
    let most = of(2 * 5 * (128 + 1));
    assert_eq!(Evidence::from_bytes(&most.to_bytes()), Ok(most));
    let more = of(2 * 5 * (128 + 1) + 1);
    assert_eq!(Evidence::from_bytes(&more.to_bytes()), Err(DecodeError::TooLong));
    // A body of no bytes is no V.
    assert_eq!(of(2 * 4 * (3 + 1)).verify(&run), Ok(Fault::WrongLength));
    assert_eq!(of(2 * 4 * (3 + 1) + 1).verify(&run), Err(NotShown::TooLarge));
}
