//! Key generation without a dealer: keys that sign, and every wrong message that a party can send.

use crate::common::{sign_with, verified_by_all};
use quorate_mldsa::session::sim::{Delivery, Network};
use quorate_mldsa::session::{
    Abort, Check, Fault, ParamError, Parties, PartyId, Progress, Rejected, Session, To, frame,
};
use quorate_mldsa::{
    Dkg, DkgParams, KeyShare, Level, MessageRepresentative, Profile, Sign, SignParams,
};
use quorate_testkit::lockstep::{
    ECHO, Frames, HEADER, Halted, Outcome, Place, advance, context, give_up, id, in_lockstep,
    judged, parties, record, seal_key, sid, start,
};

const BODY: usize = HEADER + ECHO;

/// The shares of a key that its parties have made.
fn generate(profile: Profile, level: Level, threshold: u16, parties: &Parties) -> Vec<KeyShare> {
    let network = Network::new(7).reorder(20).duplicate(10);
    let params = DkgParams::with_profile(profile, level, threshold);
    let report = network.run::<Dkg>(sid(1), parties, |_| params).unwrap();
    let shares: Vec<KeyShare> = report.results.into_values().map(Result::unwrap).collect();
    for share in &shares {
        assert!(share.is_confirmed());
        assert_eq!((share.public(), share.public().profile()), (shares[0].public(), profile));
        // The stored form checks every secret against its public value.
        let again = KeyShare::from_bytes(level, &share.to_bytes()).unwrap();
        assert_eq!(again.to_bytes(), share.to_bytes());
    }
    shares
}

#[test]
fn keys_that_were_generated_sign() {
    let shapes = [
        (Profile::Published, Level::MlDsa44, 2, 2),
        (Profile::Strict, Level::MlDsa44, 3, 3),
        (Profile::Published, Level::MlDsa44, 2, 4),
        (Profile::Published, Level::MlDsa44, 4, 6),
        (Profile::Published, Level::MlDsa65, 2, 3),
        (Profile::Strict, Level::MlDsa87, 2, 5),
    ];
    for (profile, level, threshold, count) in shapes {
        // Numbers with gaps.
        let all = parties((0..count).map(|at| 3 * at + 2));
        let shares = generate(profile, level, threshold, &all);
        let key = shares[0].public().verifying_key();
        let mu = key.represent(b"message", b"context").unwrap();
        let last: Vec<&KeyShare> = shares.iter().rev().take(threshold.into()).rev().collect();
        let signature = sign_with(&last, mu);
        verified_by_all(key, b"message", b"context", &signature);
    }
}

#[test]
#[ignore = "minutes: every level and shape that is offered"]
fn keys_of_every_level_and_shape_are_generated() {
    let tables = Level::ALL.into_iter().flat_map(|l| Profile::ALL.map(|profile| (profile, l)));
    for (profile, level) in tables {
        for count in 2..=6 {
            let offered = |t: &u16| crate::common::is_offered(profile, level, *t, count);
            for threshold in (2..=count).filter(offered) {
                let shares = generate(profile, level, threshold, &parties(1..=count));
                let mu = MessageRepresentative::external([1; 64]);
                let first: Vec<&KeyShare> = shares.iter().take(threshold.into()).collect();
                let signature = sign_with(&first, mu);
                let key = shares[0].public().verifying_key();
                assert!(key.verify_representative(&mu, &signature).is_ok());
            }
        }
    }
}

#[test]
fn shapes_that_are_not_offered_do_not_start() {
    for (threshold, count) in [(0, 2), (1, 2), (3, 2), (2, 7), (2, 300), (u16::MAX, 3)] {
        let all = parties(1..=count);
        let params = DkgParams::new(Level::MlDsa44, threshold);
        let begun =
            Session::<Dkg>::start(sid(1), id(1), &all, params, &mut quorate_testkit::rng(1));
        assert!(matches!(begun.err(), Some(ParamError::Inconsistent(_))), "{threshold} of {count}");
    }
}

/// Parties that do not agree on the profile do not start.
#[test]
fn the_profile_is_bound_in_key_generation() {
    let begin = |profile, me| {
        let params = DkgParams::with_profile(profile, Level::MlDsa44, 2);
        start::<Dkg>(sid(1), id(me), &all(), params)
    };
    let published = || begin(Profile::Published, 1).session;
    for (theirs, expected) in [
        (Profile::Published, None),
        (Profile::Strict, Some(Rejected::OtherParameters { which: "profile" })),
    ] {
        let frame = begin(theirs, 2).outgoing[0].bytes.clone();
        assert_eq!(published().receive(id(2), &frame).err(), expected);
    }
    assert_eq!(PARAMS, DkgParams::with_profile(Profile::default(), Level::MlDsa44, 2));
}

/// A key of parties 1 to 3, of which two sign: party 1 leads the sets 12 and 13, party 2 the set 23, party 3 none.
const PARAMS: DkgParams = DkgParams::new(Level::MlDsa44, 2);
/// Bytes of t_S.
const IMAGE: usize = 4 * 736;

fn all() -> Parties {
    parties([1, 2, 3])
}

fn honest() -> Frames {
    record::<Dkg>(&all(), sid(1), |_| PARAMS, |_, _, _| {}).0
}

const fn broadcast(from: PartyId, round: u8, to: PartyId) -> Place {
    (from, round, true, to)
}

/// The outcome for party 3 of a run in which one body of party 1 is altered.
fn sends(frames: &Frames, place: Place, alter: impl FnOnce(&mut Vec<u8>)) -> Outcome {
    let mut frames = frames.clone();
    let frame = frames.get_mut(&place).unwrap();
    let mut body = frame.split_off(BODY);
    alter(&mut body);
    frame.extend(body);
    judged::<Dkg>(place.3, (&all(), sid(1)), PARAMS, &frames, |blame| {
        assert!(blame.evidence.as_ref().is_some_and(|evidence| !evidence.frames.is_empty()));
    })
}

#[test]
fn wrong_lengths_are_named() {
    let frames = honest();
    for round in 1..=5 {
        let place = broadcast(id(1), round, id(3));
        let wrong = |alter: fn(&mut Vec<u8>)| sends(&frames, place, alter);
        let expected = Outcome::Blamed(round, vec![(id(1), Fault::WrongLength)]);
        assert_eq!(sends(&frames, place, |_| {}), Outcome::Done);
        assert_eq!(wrong(|body| body.truncate(body.len() - 1)), expected, "round {round}");
        assert_eq!(wrong(Vec::clear), expected, "round {round}");
    }
    let direct = (id(1), 1, false, id(3));
    let expected = Outcome::Blamed(1, vec![(id(1), Fault::WrongLength)]);
    assert_eq!(sends(&frames, direct, Vec::clear), expected);
    assert_eq!(sends(&frames, direct, |body| body.truncate(31)), expected);
    // Party 3 leads no set, so it has no key to send. Party 2 has no key for party 1.
    let expected = Outcome::Blamed(1, vec![(id(3), Fault::WrongLength)]);
    let key = |body: &mut Vec<u8>| body.extend([7; 32]);
    assert_eq!(sends(&frames, (id(3), 1, false, id(1)), key), expected);
    assert_eq!(
        sends(&frames, broadcast(id(3), 3, id(1)), key),
        Outcome::Blamed(3, vec![(id(3), Fault::WrongLength)])
    );
}

/// Parties that lead fewer sets than party 1 have unused room in their messages.
#[test]
fn bytes_beyond_what_a_party_has_to_say_are_named() {
    let frames = honest();
    let blamed = |round, from, place, alter: fn(&mut Vec<u8>)| {
        let expected = Outcome::Blamed(round, vec![(id(from), Fault::WrongLength)]);
        assert_eq!(sends(&frames, place, alter), expected, "{round} {from}");
    };
    for extend in
        [|body: &mut Vec<u8>| body.extend([7; 5]), |body: &mut Vec<u8>| body.extend([7; 32])]
    {
        for round in [1, 3, 4] {
            blamed(round, 2, broadcast(id(2), round, id(1)), extend);
            blamed(round, 3, broadcast(id(3), round, id(1)), extend);
        }
        blamed(1, 2, (id(2), 1, false, id(1)), extend);
        blamed(1, 3, (id(3), 1, false, id(1)), extend);
    }
    blamed(4, 2, broadcast(id(2), 4, id(1)), |body| body.extend([7; IMAGE]));
    // One hash too few, where two are due.
    for round in [1, 3] {
        blamed(round, 1, broadcast(id(1), round, id(3)), |body| body.truncate(body.len() - 32));
    }
}

#[test]
fn a_leader_of_two_wrong_keys_is_named_once() {
    let all = parties([1, 2, 3, 4]);
    let (mut frames, _) = record::<Dkg>(&all, sid(1), |_| PARAMS, |_, _, _| {});
    let frame = frames.get_mut(&(id(1), 1, false, id(2))).unwrap();
    assert_eq!(frame.len(), BODY + 2 * 32, "the sets 123 and 124");
    frame[BODY] ^= 1;
    frame[BODY + 32] ^= 1;
    let found = judged::<Dkg>(id(2), (&all, sid(1)), PARAMS, &frames, |_| {});
    assert_eq!(found, Outcome::Blamed(2, vec![(id(1), Fault::InvalidDecommitment)]));
}

#[test]
fn what_does_not_fit_its_commitment_is_named() {
    let frames = honest();
    for at in [0, 31] {
        let revealed = sends(&frames, broadcast(id(1), 2, id(3)), |body| body[at] ^= 1);
        assert_eq!(revealed, Outcome::Blamed(2, vec![(id(1), Fault::InvalidDecommitment)]));
    }
    for at in [0, IMAGE, 2 * IMAGE - 1] {
        let shown = sends(&frames, broadcast(id(1), 4, id(3)), |body| body[at] ^= 1);
        assert_eq!(shown, Outcome::Blamed(4, vec![(id(1), Fault::InvalidDecommitment)]));
    }
    // The key of another set, under the name of one's own.
    let swapped = sends(&frames, broadcast(id(1), 4, id(3)), |body| body.rotate_left(IMAGE));
    assert_eq!(swapped, Outcome::Blamed(4, vec![(id(1), Fault::InvalidDecommitment)]));
}

#[test]
fn complaints_about_what_is_not_ones_own_are_named() {
    let frames = honest();
    // Sets 12, 13, 23 are bits 0, 1, 2. Party 1 leads the first two, party 3 is in the other two.
    for (from, to, bits) in [(1, 3, 1), (1, 3, 2), (1, 3, 4), (3, 1, 1), (3, 1, 8), (2, 1, 4)] {
        for (round, at) in [(2, 32), (5, 32)] {
            let place = broadcast(id(from), round, id(to));
            let found = sends(&frames, place, |body| body[at] = bits);
            assert_eq!(found, Outcome::Blamed(round, vec![(id(from), Fault::Malformed)]));
        }
    }
}

/// A run in which the bodies of one party are altered for all recipients, with the echoes that the recipients
/// expect. When the session of that party has stopped, it continues with the messages of party 3.
fn run_with(
    cheater: PartyId,
    alter: impl FnMut(Place, &mut Vec<u8>),
) -> Vec<(PartyId, Result<KeyShare, Abort>)> {
    cheated(&[cheater], alter)
}

/// A run in which several parties cheat.
fn cheated(
    cheaters: &[PartyId],
    mut alter: impl FnMut(Place, &mut Vec<u8>),
) -> Vec<(PartyId, Result<KeyShare, Abort>)> {
    let all = all();
    let steps = all.iter().map(|me| start::<Dkg>(sid(1), me, &all, PARAMS)).collect();
    let results = in_lockstep::<Dkg>(steps, |mail, sessions| {
        let round = mail[0].round;
        // The others have stopped.
        let Some(honest) = mail.iter().find(|one| one.from == id(3)) else { return };
        let honest = honest.outgoing.iter().find(|message| message.to == To::Everyone).unwrap();
        for session in sessions {
            let me = session.party_id();
            for from in all.iter().filter(|from| *from != me) {
                let mut frames: Vec<(bool, Vec<u8>)> = Vec::new();
                for one in mail.iter().filter(|one| one.from == from) {
                    let each = one.to(me).map(|one| (one.to == To::Everyone, one.bytes.clone()));
                    frames.extend(each);
                }
                if frames.is_empty() {
                    let mut bytes = honest.bytes.clone();
                    bytes[3..5].copy_from_slice(&from.get().to_be_bytes());
                    frames.push((true, bytes));
                }
                for (to_all, mut bytes) in frames {
                    if cheaters.contains(&from) {
                        bytes[HEADER..BODY].copy_from_slice(&honest.bytes[HEADER..BODY]);
                        let mut body = bytes.split_off(BODY);
                        alter((from, round, to_all, me), &mut body);
                        bytes.extend(body);
                    }
                    session.receive(from, &bytes).unwrap();
                }
            }
        }
    });
    results.into_iter().filter(|(party, _)| !cheaters.contains(party)).collect()
}

/// The only culprit of an abort, and its fault.
fn culprit(abort: &Abort) -> (PartyId, Fault) {
    match abort {
        Abort::Misbehaviour(blames) if blames.len() == 1 => (blames[0].party, blames[0].fault),
        other => panic!("{other}"),
    }
}

fn is_complaint(abort: &Abort, round: u8) -> bool {
    matches!(abort, Abort::Unattributed { round: found, check: Check::Complaint, .. } if found.get() == round)
}

#[test]
fn a_wrong_key_is_shown_by_its_receiver_and_a_dispute_to_others() {
    let results = run_with(id(1), |place, body| {
        if place == (id(1), 1, false, id(2)) {
            body[3] ^= 1;
        }
    });
    let [(two, Err(named)), (three, Err(dispute))] = &results[..] else { panic!("{results:?}") };
    assert_eq!((*two, *three), (id(2), id(3)));
    assert_eq!(culprit(named), (id(1), Fault::InvalidDecommitment));
    // The key, and the hash that it does not match.
    let Abort::Misbehaviour(blames) = named else { panic!() };
    let evidence = &blames[0].evidence.as_ref().unwrap().frames;
    assert!(evidence.iter().filter(|(from, frame)| *from == id(1) && frame[2] == 1).count() == 2);
    assert!(is_complaint(dispute, 2));
}

/// The session of a party that has received some altered frames of an honest run before the others fell silent.
fn given_up(
    me: PartyId,
    last: u8,
    mut alter: impl FnMut(Place, &mut Vec<u8>) -> bool,
) -> Halted<KeyShare> {
    let frames = honest();
    let mut session = start::<Dkg>(sid(1), me, &all(), PARAMS).session;
    loop {
        let round = session.round().get();
        for (place, frame) in frames.iter().filter(|(place, _)| (place.3, place.1) == (me, round)) {
            let mut bytes = frame.clone();
            let mut body = bytes.split_off(BODY);
            if alter(*place, &mut body) {
                session.receive(place.0, &[bytes, body].concat()).unwrap();
            }
        }
        if round == last {
            return give_up(session);
        }
        let Ok(Progress::Round(step)) = advance(session) else { panic!("round {round}") };
        session = step.session;
    }
}

fn faults(abort: &Abort) -> Vec<(PartyId, Fault)> {
    let Abort::Misbehaviour(blames) = abort else { return vec![] };
    assert!(blames.iter().all(|blame| blame.evidence.is_some()));
    blames.iter().map(|blame| (blame.party, blame.fault)).collect()
}

/// A silent party is named all the same.
#[test]
fn a_wrong_key_is_shown_whatever_its_leader_says_next() {
    let wrong = |place: Place, body: &mut Vec<u8>| {
        if place == (id(1), 1, false, id(2)) {
            body[3] ^= 1;
        }
    };
    let leader = (id(1), Fault::InvalidDecommitment);
    let silent = given_up(id(2), 2, |place, body| {
        wrong(place, body);
        (place.0, place.1) != (id(1), 2)
    });
    assert_eq!(faults(&silent.abort), [leader]);
    let Abort::Misbehaviour(blames) = &silent.abort else { panic!() };
    let evidence = &blames[0].evidence.as_ref().unwrap().frames;
    // The key, and the hash that it does not match.
    assert!(evidence.iter().filter(|(from, frame)| *from == id(1) && frame[2] == 1).count() == 2);
    // If another party cheats in the same round, both are named. A party that cheats twice is named once.
    for (from, expected) in [(1, vec![leader]), (3, vec![leader, (id(3), leader.1)])] {
        let stopped = given_up(id(2), 2, |place, body| {
            wrong(place, body);
            if (place.0, place.1) == (id(from), 2) {
                body[0] ^= 1;
            }
            true
        });
        assert_eq!(faults(&stopped.abort), expected);
    }
    // A peer complains, and the leader is silent.
    let disputed = given_up(id(3), 2, |place, body| {
        if (place.0, place.1) == (id(2), 2) {
            body[32] = 1;
        }
        (place.0, place.1) != (id(1), 2)
    });
    assert!(is_complaint(&disputed.abort, 2), "{}", disputed.abort);
}

/// Party 1 shows another t to party 2, which party 3 hides with a wrong confirmation.
#[test]
fn a_wrong_value_is_shown_beside_a_wrong_confirmation() {
    let honest = honest();
    let mut image = honest[&broadcast(id(1), 4, id(3))][BODY..BODY + IMAGE].to_vec();
    image[0] ^= 1;
    let hash = hash_of(&honest, &image, 0b011);
    let results = cheated(&[id(1), id(3)], |place, body| match (place.0.get(), place.1) {
        (1, 3) => body[..32].copy_from_slice(&hash),
        (1, 4) => body[..IMAGE].copy_from_slice(&image),
        (3, 5) => body[0] ^= 1,
        _ => {}
    });
    let [(two, Err(named))] = &results[..] else { panic!("{results:?}") };
    assert_eq!(*two, id(2));
    assert_eq!(faults(named), [(id(1), Fault::InvalidShare), (id(3), Fault::InvalidConfirmation)]);
}

#[test]
fn a_false_complaint_is_a_dispute() {
    let results = run_with(id(2), |place, body| {
        if place.1 == 2 {
            body[32] = 1;
        }
    });
    assert_eq!(results.len(), 2);
    assert!(results.iter().all(|(_, result)| is_complaint(result.as_ref().unwrap_err(), 2)));
}

/// The hash e_S of an image t_S, in the run of these frames.
fn hash_of(frames: &Frames, image: &[u8], subset: u64) -> [u8; 32] {
    let place = broadcast(id(1), 2, id(3));
    let mut parts = frames[&place][BODY..BODY + 32].to_vec();
    for from in [2, 3] {
        parts.extend_from_slice(&frames[&broadcast(id(from), 2, id(1))][BODY..BODY + 32]);
    }
    let context = context(&frames[&place]);
    let mut transcript = frame::transcript(&context, "quorate-mldsa dkg image");
    transcript.append("R", &parts);
    transcript.append_u64("subset", subset);
    transcript.append("t", image);
    transcript.finish32()
}

/// Party 1 commits to another t of the set 12, and shows it.
fn shows(alter: impl Fn(&mut [u8])) -> Vec<(PartyId, Result<KeyShare, Abort>)> {
    let frames = honest();
    let mut image = frames[&broadcast(id(1), 4, id(3))][BODY..BODY + IMAGE].to_vec();
    // The hash as the protocol makes it.
    let committed = &frames[&broadcast(id(1), 3, id(3))][BODY..BODY + 32];
    assert_eq!(hash_of(&frames, &image, 0b011), committed);
    alter(&mut image);
    let hash = hash_of(&frames, &image, 0b011);
    run_with(id(1), |place, body| match place.1 {
        3 => body[..32].copy_from_slice(&hash),
        4 => body[..IMAGE].copy_from_slice(&image),
        _ => {}
    })
}

#[test]
fn a_value_that_is_not_that_of_its_secret_is_shown_by_a_member() {
    // The member of the set names the leader. The other party keeps its share as not confirmed.
    for at in [0, 1000, IMAGE - 1] {
        let results = shows(|image| image[at] ^= 1);
        let [(_, Err(named)), (_, Err(dispute))] = &results[..] else { panic!("{results:?}") };
        assert_eq!(culprit(named), (id(1), Fault::InvalidShare));
        assert!(is_complaint(dispute, 5));
    }
}

#[test]
fn a_coefficient_that_is_not_below_q_is_named() {
    let results = shows(|image| image[..3].fill(0xff));
    assert_eq!(results.len(), 2);
    for (_, result) in results {
        assert_eq!(culprit(&result.unwrap_err()), (id(1), Fault::Malformed));
    }
}

/// A run over a network in which party 1 receives an altered round 5 of party 2, or none.
fn last_round(alter: impl Fn(&mut Vec<u8>)) -> (Option<Abort>, Option<KeyShare>) {
    let tamper = |mut delivery: Delivery| {
        if (delivery.from, delivery.to, delivery.round.get()) == (id(2), id(1), 5) {
            alter(&mut delivery.bytes);
        }
        Vec::from([delivery])
    };
    let network = Network::new(7).tamper(tamper);
    let mut report = network.run::<Dkg>(sid(1), &all(), |_| PARAMS).unwrap();
    assert!([2, 3].iter().all(|party| report.results[&id(*party)].is_ok()));
    let mine = report.results.remove(&id(1));
    (mine.and_then(Result::err), report.unconfirmed.remove(&id(1)))
}

#[test]
fn a_share_that_not_all_have_confirmed_is_kept_and_does_not_sign() {
    let (abort, _) = last_round(|bytes| bytes[BODY + 31] ^= 1);
    assert_eq!(culprit(&abort.unwrap()), (id(2), Fault::InvalidConfirmation));
    let (abort, share) = last_round(|bytes| bytes[BODY] ^= 1);
    assert_eq!(culprit(&abort.unwrap()), (id(2), Fault::InvalidConfirmation));
    let mut share = share.unwrap();
    assert!(!share.is_confirmed());
    // A complaint, which may be false.
    let (abort, disputed) = last_round(|bytes| bytes[BODY + 32] = 1);
    assert!(is_complaint(&abort.unwrap(), 5) && !disputed.unwrap().is_confirmed());

    let mu = MessageRepresentative::external([1; 64]);
    let begin = |share: &KeyShare| {
        let share = KeyShare::from_bytes(Level::MlDsa44, &share.to_bytes()).unwrap();
        let signers = parties([1, 2]);
        let record = share.attempt(0, sid(9), &signers, &mu).unwrap();
        let receipt = record.store(&mut quorate_mldsa::session::SpentInMemory::new()).unwrap();
        let params = SignParams::new(std::sync::Arc::new(share), mu, 0, receipt);
        let rng = &mut quorate_testkit::rng(1);
        Session::<Sign>::start(sid(9), id(1), &signers, params, rng).err()
    };
    assert_eq!(begin(&share), Some(ParamError::Inconsistent("the share is not confirmed")));
    share.confirm();
    assert_eq!(begin(&share), None);
}

#[test]
fn a_confirmation_that_never_comes_leaves_the_share() {
    let frames = honest();
    let mut session = start::<Dkg>(sid(1), id(1), &all(), PARAMS).session;
    for round in 1..=4 {
        for (place, frame) in
            frames.iter().filter(|(place, _)| (place.3, place.1) == (id(1), round))
        {
            session.receive(place.0, frame).unwrap();
        }
        let Progress::Round(step) = advance(session).unwrap() else { panic!("round {round}") };
        session = step.session;
    }
    let unconfirmed = session.give_up().unwrap();
    assert!(matches!(unconfirmed.abort, Abort::Missing { .. }));
    assert!(!unconfirmed.output.is_confirmed());
}

#[test]
fn a_session_that_is_opened_goes_on_byte_for_byte() {
    let mut steps: Vec<_> =
        all().iter().map(|me| start::<Dkg>(sid(1), me, &all(), PARAMS)).collect();
    let honest = honest();
    for round in 1..=5 {
        for step in &mut steps {
            let sealed = step.session.seal(&seal_key());
            let again = Session::<Dkg>::open(&sealed, PARAMS, &seal_key()).unwrap();
            assert_eq!(again.outgoing, step.outgoing, "round {round}");
            let audited = Session::<Dkg>::audit(&sealed, PARAMS, &seal_key()).unwrap();
            assert_eq!(audited.outgoing, step.outgoing);
            *step = again;
        }
        let mut next = Vec::new();
        for step in steps {
            let mut session = step.session;
            let me = session.party_id();
            for (place, frame) in
                honest.iter().filter(|(place, _)| (place.3, place.1) == (me, round))
            {
                session.receive(place.0, frame).unwrap();
            }
            match advance(session).unwrap() {
                Progress::Round(step) => next.push(step),
                Progress::Done { output, .. } => assert!(round == 5 && output.is_confirmed()),
                _ => panic!("round {round}"),
            }
        }
        steps = next;
    }
    assert!(steps.is_empty());
}

/// Other runs give other keys, and every party affects the key.
#[test]
fn the_key_depends_on_every_party() {
    let run = |session, seeds: [u8; 3]| {
        let all = all();
        let steps = all.iter().zip(seeds).map(|(me, seed)| {
            quorate_testkit::lockstep::start_seeded::<Dkg>(sid(session), me, &all, PARAMS, seed)
        });
        let shares = quorate_testkit::lockstep::honest::<Dkg>(steps.collect(), |_| {});
        shares[0].public().verifying_key().to_bytes()
    };
    let keys = [
        run(1, [1, 2, 3]),
        run(2, [1, 2, 3]),
        run(1, [4, 2, 3]),
        run(1, [1, 4, 3]),
        run(1, [1, 2, 4]),
    ];
    assert_eq!(keys[0], run(1, [1, 2, 3]));
    for (at, key) in keys.iter().enumerate() {
        // ρ differs too.
        assert!(
            keys[..at].iter().all(|other| other[..32] != key[..32] && other[32..] != key[32..])
        );
    }
}
