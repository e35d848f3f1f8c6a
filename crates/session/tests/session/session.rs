//! Sessions, and each kind of frame that can reach them.

use crate::toy;

use quorate_session::{
    Abort, Check, Fault, FrameFate, ParamError, Parties, PartyId, Progress, Rejected, Rejection,
    Round, SealKey, Session, SessionId, Stopped, Unconfirmed, drive,
};
use quorate_testkit::Lcg;
use toy::{
    ECHOED, HEADER, Params, Stuck, Sum, aborted, advance_all, exchange, frame, id, params, round,
    start, start_all,
};

fn three() -> Parties {
    Parties::numbered(3).unwrap()
}

fn start_with(sid: u8, me: u16, parties: &Parties, params: Params) -> toy_step::Step {
    Session::start(SessionId::new([sid; 32]), id(me), parties, params, &mut Stuck::at(0)).unwrap()
}

mod toy_step {
    pub(crate) type Step = quorate_session::Step<super::Sum>;
}

#[test]
fn honest_run_gives_the_sum() {
    let mut steps = start_all(1, &three());
    for _ in 0..2 {
        steps = advance_all(exchange(steps));
    }
    for session in exchange(steps) {
        assert_eq!(session.waiting_for().count(), 0);
        assert!(matches!(session.advance(), Ok(Progress::Done { output: 6000, .. })));
    }
}

#[test]
fn waiting_changes_nothing_and_names_who_is_missing() {
    let steps = start_all(1, &three());
    let (first, second) = (frame(&steps[0], id(2), true), frame(&steps[2], id(2), true));
    let session = start(1, id(2), &three()).session;
    let Ok(Progress::Waiting(mut session)) = session.advance() else { panic!("moved on alone") };
    assert_eq!(session.waiting_for().collect::<Vec<_>>(), [id(1), id(3)]);
    assert_eq!(session.receive(id(1), &first), Ok(FrameFate::Accepted));
    let Ok(Progress::Waiting(mut session)) = session.advance() else { panic!("moved on early") };
    assert_eq!(session.waiting_for().collect::<Vec<_>>(), [id(3)]);
    assert_eq!(session.receive(id(3), &second), Ok(FrameFate::Accepted));
    assert_eq!(round(session.advance()).session.round(), Round(2));
}

#[test]
fn se_03_every_component_of_the_session_is_bound() {
    let parties = three();
    let other = Parties::new([id(1), id(2), id(4)]).unwrap();
    let threshold = Params { threshold: 3, ..params(id(1)) };
    let strangers = [
        (start(2, id(1), &parties), Rejected::OtherSession),
        (start(1, id(1), &other), Rejected::OtherParameters { which: "parties" }),
        (
            start(1, id(1), &Parties::numbered(4).unwrap()),
            Rejected::OtherParameters { which: "parties" },
        ),
        (start_with(1, 1, &parties, threshold), Rejected::OtherParameters { which: "threshold" }),
    ];
    let mut session = start(1, id(2), &parties).session;
    let before = session.slot();
    for (stranger, why) in &strangers {
        assert_eq!(session.receive(id(1), &frame(stranger, id(2), true)), Err(*why));
    }
    let last = Rejected::OtherParameters { which: "threshold" };
    assert_eq!(session.rejections(), [Rejection { from: id(1), count: 4, last }]);
    assert_eq!(session.slot(), before);
    let honest = start(1, id(1), &parties);
    assert_eq!(session.receive(id(1), &frame(&honest, id(2), true)), Ok(FrameFate::Accepted));
}

#[test]
fn se_04_the_sender_is_the_transports_not_the_frames() {
    let steps = start_all(1, &three());
    let of_three = frame(&steps[2], id(1), true);
    let mut session = start(1, id(1), &three()).session;
    assert_eq!(session.receive(id(2), &of_three), Err(Rejected::OtherSender { named: id(3) }));
    // Reflected to its own author, it is not taken either.
    let own = frame(&steps[0], id(2), true);
    assert_eq!(session.receive(id(1), &own), Err(Rejected::UnknownSender(id(1))));
    assert_eq!(session.receive(id(2), &own), Err(Rejected::OtherSender { named: id(1) }));
    assert_eq!(session.receive(id(9), &of_three), Err(Rejected::UnknownSender(id(9))));
    assert_eq!(session.waiting_for().count(), 2);
}

#[test]
fn se_05_first_wins_identical_is_ignored_conflicting_is_blamed() {
    let steps = start_all(1, &three());
    let good = frame(&steps[1], id(1), true);
    let mut bad = good.clone();
    *bad.last_mut().unwrap() ^= 1;
    let mut session = start(1, id(1), &three()).session;
    assert_eq!(session.receive(id(2), &good), Ok(FrameFate::Accepted));
    let before = session.slot();
    assert_eq!(session.receive(id(2), &good), Ok(FrameFate::Duplicate));
    assert_eq!(session.slot(), before);
    assert_eq!(session.receive(id(2), &bad), Ok(FrameFate::Conflicting));
    let kept = session.slot();
    // A third version is not kept: memory stays bounded.
    bad[ECHOED] ^= 1;
    assert_eq!(session.receive(id(2), &bad), Ok(FrameFate::Conflicting));
    assert_eq!(session.slot(), kept);
    let Abort::Misbehaviour(blames) = aborted(session.advance()) else { panic!("no blame") };
    assert_eq!(blames.len(), 1);
    assert_eq!((blames[0].party, blames[0].fault), (id(2), Fault::Equivocation));
    let evidence = blames[0].evidence.as_ref().unwrap();
    assert!(evidence.proves_equivocation(id(2)));
    assert!(!evidence.proves_equivocation(id(1)) && !evidence.proves_equivocation(id(3)));
}

#[test]
fn early_frames_wait_for_their_round_late_ones_are_rejected() {
    let first = start_all(1, &three());
    let of_round_1 = frame(&first[1], id(1), true);
    let second = advance_all(exchange(first));
    let early = [frame(&second[1], id(1), true), frame(&second[1], id(1), false)];
    let third = advance_all(exchange(second));
    let too_early = frame(&third[1], id(1), false);

    let mut session = start(1, id(1), &three()).session;
    assert_eq!(session.receive(id(2), &early[0]), Ok(FrameFate::Early));
    assert_eq!(session.receive(id(2), &early[0]), Ok(FrameFate::Duplicate));
    assert_eq!(session.receive(id(2), &early[1]), Ok(FrameFate::Early));
    assert_eq!(session.receive(id(2), &too_early), Err(Rejected::BadFrame));
    assert_eq!(session.waiting_for().count(), 2);

    let steps = start_all(1, &three());
    session.receive(id(2), &of_round_1).unwrap();
    session.receive(id(3), &frame(&steps[2], id(1), true)).unwrap();
    let mut session = round(session.advance()).session;
    // What came early counts now; only party 3 is missing.
    assert_eq!(session.waiting_for().collect::<Vec<_>>(), [id(3)]);
    assert_eq!(session.receive(id(2), &of_round_1), Ok(FrameFate::Duplicate));
    let mut late = of_round_1;
    late[ECHOED] ^= 1;
    // A contradiction that comes a round late convicts its sender all the same, once it is sealed
    // and opened again, too.
    assert_eq!(session.receive(id(2), &late), Ok(FrameFate::Conflicting));
    let key = SealKey::new([1; 32]);
    let opened = Session::<Sum>::open(&session.seal(&key), params(id(1)), &key).unwrap();
    for session in [session, opened.session] {
        let Abort::Misbehaviour(blames) = aborted(session.advance()) else { panic!("no blame") };
        assert_eq!((blames[0].party, blames[0].round), (id(2), Round(1)));
        assert_eq!(blames[0].fault, Fault::Equivocation);
        assert!(blames[0].evidence.as_ref().unwrap().proves_equivocation(id(2)));
    }
}

#[test]
fn conflict_in_an_early_frame_is_blamed_in_its_round() {
    let second = advance_all(exchange(start_all(1, &three())));
    let early = frame(&second[1], id(1), true);
    let mut other = early.clone();
    other[ECHOED] ^= 1;
    let steps = start_all(1, &three());
    let mut session = start(1, id(1), &three()).session;
    assert_eq!(session.receive(id(2), &early), Ok(FrameFate::Early));
    assert_eq!(session.receive(id(2), &other), Ok(FrameFate::Conflicting));
    session.receive(id(2), &frame(&steps[1], id(1), true)).unwrap();
    session.receive(id(3), &frame(&steps[2], id(1), true)).unwrap();
    let session = round(session.advance()).session;
    let abort = aborted(session.advance());
    assert_eq!(abort.culprits().collect::<Vec<_>>(), [id(2)]);
}

#[test]
fn se_06_other_protocol_version_kind_and_recipient_are_refused() {
    let second = advance_all(exchange(start_all(1, &three())));
    let direct = frame(&second[1], id(1), false);
    let to_three = frame(&second[1], id(3), false);
    let mut session = advance_all(exchange(start_all(1, &three()))).remove(0).session;
    assert_eq!(session.receive(id(2), &to_three), Err(Rejected::OtherRecipient(id(3))));
    for (place, value, reason) in [
        (0, 2, Rejected::OtherVersion { expected: 1, found: 2 }),
        (1, 201, Rejected::OtherProtocol { expected: 200, found: 201 }),
        (2, 0, Rejected::BadFrame), // round
        (2, 4, Rejected::BadFrame),
        (2, 255, Rejected::BadFrame),
        (4, 3, Rejected::OtherSender { named: id(3) }),
        (4, 0, Rejected::BadFrame),
        (6, 2, Rejected::OtherRecipient(id(2))),
        (7, direct[7] ^ 1, Rejected::OtherSession),
        (38, direct[38] ^ 1, Rejected::OtherSession),
    ] {
        let mut altered = direct.clone();
        altered[place] = value;
        assert_eq!(session.receive(id(2), &altered), Err(reason), "byte {place} := {value}");
    }
    assert_eq!(session.receive(id(2), &direct), Ok(FrameFate::Accepted));
    // Round 3 has no broadcast: the same frame without a recipient is out of place.
    let third = advance_all(exchange(second));
    let mut broadcast = frame(&third[1], id(1), false);
    broadcast[6] = 0;
    assert_eq!(session.receive(id(2), &broadcast), Err(Rejected::BadFrame));
}

#[test]
fn en_07_truncated_frames_are_refused_and_trailing_bytes_are_blamed() {
    let steps = start_all(1, &three());
    let good = frame(&steps[1], id(1), true);
    let mut session = start(1, id(1), &three()).session;
    for length in 0..ECHOED {
        assert_eq!(session.receive(id(2), &good[..length]), Err(Rejected::BadFrame));
    }
    let mut long = good;
    long.push(0);
    let oversized = Rejected::Oversized { limit: 64, got: 65 };
    assert_eq!(session.receive(id(2), &long), Err(oversized));

    // Within the size bound, a short body is the protocol's to judge.
    let mut session = start(1, id(1), &three()).session;
    session.receive(id(2), &long[..ECHOED + 63]).unwrap();
    session.receive(id(3), &frame(&steps[2], id(1), true)).unwrap();
    let Abort::Misbehaviour(blames) = aborted(session.advance()) else { panic!("no blame") };
    assert_eq!((blames[0].party, blames[0].fault), (id(2), Fault::WrongLength));
}

#[test]
fn rb_02_oversize_is_refused_and_nothing_is_kept() {
    let mut huge = frame(&start_all(1, &three())[1], id(1), true);
    huge.resize(1 << 20, 0);
    let mut session = start(1, id(1), &three()).session;
    let before = session.slot();
    for _ in 0..1000 {
        let refused = session.receive(id(2), &huge).unwrap_err();
        assert!(matches!(refused, Rejected::Oversized { limit: 64, .. }));
    }
    assert_eq!(session.slot(), before);
}

#[test]
fn rb_05_the_run_survives_any_number_of_rejections() {
    let parties = three();
    let mut steps = start_all(1, &parties);
    let mut random = Lcg(7);
    for _ in 0..2 {
        for step in &mut steps {
            for _ in 0..500 {
                let length = random.below(200);
                assert!(
                    step.session
                        .receive(id(1 + step.session.party_id().get() % 3), &random.bytes(length))
                        .is_err()
                );
            }
        }
        steps = advance_all(exchange(steps));
    }
    for session in exchange(steps) {
        assert!(matches!(session.advance(), Ok(Progress::Done { output: 6000, .. })));
    }
}

#[test]
fn rb_01_mutated_frames_never_panic_and_blame_only_the_sender() {
    let mut random = Lcg(11);
    for case in 0..1500 {
        let mut steps = start_all(1, &three());
        for _ in 0..case % 3 {
            steps = advance_all(exchange(steps));
        }
        let broadcast = case % 3 != 2 && random.below(2) == 0 || case % 3 == 0;
        let mut mutated = frame(&steps[1], id(1), broadcast);
        match random.below(4) {
            0 => mutated.truncate(random.below(mutated.len())),
            1 => mutated.extend(random.bytes(3)),
            2 => {
                let place = random.below(mutated.len());
                mutated[place] ^= 1 << random.below(8);
            }
            _ => {
                let place = random.below(mutated.len());
                mutated.truncate(place);
                mutated.extend(random.bytes(40));
            }
        }
        let others: Vec<_> = steps[1..]
            .iter()
            .map(|step| (step.session.party_id(), step.outgoing.clone()))
            .collect();
        let mut session = steps.remove(0).session;
        session.receive(id(2), &mutated).ok();
        for (from, outgoing) in others {
            for message in outgoing {
                session.receive(from, &message.bytes).ok();
            }
        }
        match session.advance() {
            Err(Stopped { abort: Abort::Unattributed { .. }, .. }) => {}
            Ok(Progress::Unconfirmed(Unconfirmed { abort, .. })) | Err(Stopped { abort, .. }) => {
                assert_eq!(abort.culprits().collect::<Vec<_>>(), [id(2)], "{abort}")
            }
            Ok(_) => {}
        }
    }
}

#[test]
fn every_culprit_of_a_round_is_named() {
    let parties = Parties::numbered(4).unwrap();
    let mut steps: Vec<_> = parties
        .iter()
        .map(|me| {
            let cheat = (me.get() % 2 == 0).then(|| id(1));
            start_with(1, me.get(), &parties, Params { cheat, ..params(me) })
        })
        .collect();
    steps = advance_all(exchange(steps));
    let mut sessions = exchange(steps);
    let abort = aborted(sessions.remove(0).advance());
    assert_eq!(abort.culprits().collect::<Vec<_>>(), [id(2), id(4)]);
    let Abort::Misbehaviour(blames) = abort else { panic!("no blame") };
    for blame in blames {
        assert_eq!((blame.fault, blame.round), (Fault::InvalidShare, Round(2)));
        // Round 1: broadcast; round 2: broadcast and direct.
        let evidence = blame.evidence.unwrap();
        assert_eq!(evidence.frames.len(), 3);
        assert!(evidence.frames.iter().all(|(from, _)| *from == blame.party));
        assert!(!evidence.proves_equivocation(blame.party));
    }
    // Party 3 got a good tag from everybody.
    assert!(sessions.remove(1).advance().is_ok());
}

#[test]
fn se_02_a_false_echo_is_pinned_on_nobody() {
    let mut steps = advance_all(exchange(start_all(1, &three())));
    let [altered, direct] = [true, false].map(|broadcast| {
        let mut altered = frame(&steps[1], id(1), broadcast);
        altered[HEADER] ^= 1;
        altered
    });
    let (broadcast_3, direct_3) = (frame(&steps[2], id(1), true), frame(&steps[2], id(1), false));
    let mut session = steps.remove(0).session;
    session.receive(id(2), &altered).unwrap();
    session.receive(id(2), &direct).unwrap();
    session.receive(id(3), &broadcast_3).unwrap();
    session.receive(id(3), &direct_3).unwrap();
    let abort = aborted(session.advance());
    let Abort::Unattributed { round, check, evidence: Some(evidence) } = abort else {
        panic!("{abort:?}")
    };
    assert_eq!((round, check), (Round(2), Check::EchoMismatch));
    // The broadcasts of round 1, and what the one that saw others sent.
    let senders: Vec<_> = evidence.frames.iter().map(|(from, _)| *from).collect();
    assert_eq!(senders, [id(2), id(3), id(2)]);
}

/// Unless it says something else itself, in the other frame of the round.
#[test]
fn two_echoes_in_one_round_are_their_senders() {
    for broadcast in [true, false] {
        let mut steps = advance_all(exchange(start_all(1, &three())));
        let mut frames =
            [2, 3].map(|from| [true, false].map(|kind| frame(&steps[from - 1], id(1), kind)));
        frames[0][usize::from(!broadcast)][HEADER] ^= 1;
        let mut session = steps.remove(0).session;
        for (from, frames) in [2, 3].map(id).into_iter().zip(&frames) {
            for frame in frames {
                session.receive(from, frame).unwrap();
            }
        }
        let Abort::Misbehaviour(blames) = aborted(session.advance()) else { panic!("no blame") };
        assert_eq!((blames[0].party, blames[0].fault), (id(2), Fault::Equivocation));
        let shown = blames[0].evidence.as_ref().unwrap().frames.clone();
        assert!(shown.into_iter().map(|(_, frame)| frame.to_vec()).eq(frames[0].clone()));
    }
}

#[test]
fn en_06_extreme_identifiers() {
    let parties = Parties::new([id(65_535), id(1), id(65_534)]).unwrap();
    assert_eq!(parties.position(id(65_535)), Some(2));
    let mut steps = start_all(3, &parties);
    for _ in 0..2 {
        steps = advance_all(exchange(steps));
    }
    for session in exchange(steps) {
        assert!(matches!(session.advance(), Ok(Progress::Done { output: 131_070_000, .. })));
    }
    let all = Parties::numbered(u16::MAX).unwrap();
    assert_eq!(all.len(), 65_535);
    let session = start(1, id(65_535), &all).session;
    assert_eq!(session.waiting_for().count(), 65_534);
}

#[test]
fn parameters_are_checked() {
    assert_eq!(PartyId::new(0), None);
    assert_eq!(PartyId::try_from(0), Err(ParamError::ZeroParty));
    assert_eq!(Parties::numbered(1), Err(ParamError::TooFewParties));
    assert_eq!(Parties::new([]), Err(ParamError::TooFewParties));
    assert_eq!(Parties::new([id(1), id(2), id(1)]), Err(ParamError::DuplicateParty(id(1))));
    assert_eq!(Parties::new([id(2), id(1)]), Parties::numbered(2));
    let sid = SessionId::new([0; 32]);
    let stranger = Session::<Sum>::start(sid, id(4), &three(), params(id(4)), &mut Stuck::at(0));
    assert_eq!(stranger.unwrap_err(), ParamError::NotAParty(id(4)));
}

#[test]
fn ec_08_a_broken_generator_still_gives_distinct_values() {
    let parties = three();
    let bodies: Vec<Vec<u8>> = [
        start(1, id(1), &parties),
        start(2, id(1), &parties),
        start(1, id(2), &parties),
        start_with(1, 1, &parties, Params { secret: Some([99; 32]), ..params(id(1)) }),
        start_with(1, 1, &parties, Params { secret: None, ..params(id(1)) }),
    ]
    .iter()
    .map(|step| frame(step, id(3), true)[ECHOED..].to_vec())
    .collect();
    for (index, body) in bodies.iter().enumerate() {
        assert!(!bodies[..index].contains(body));
    }
}

#[test]
fn drive_gives_up_when_told_to() {
    let step = start(1, id(1), &three());
    let mut sent = 0;
    let result = drive(step, |_| sent += 1, || None);
    let parties = vec![id(2), id(3)];
    let missing = Abort::Missing { round: Round(1), parties, rejected: Vec::new() };
    assert_eq!(result.unwrap_err().abort, missing);
    assert_eq!(sent, 1);
}
