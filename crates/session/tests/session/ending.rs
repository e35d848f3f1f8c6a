//! The end of a run: done, stopped, given up; what the store keeps, and what two parties can show.

use crate::toy;

use core::error::Error;

use quorate_session::{
    Abort, Check, Ended, Fault, Parties, PartyId, Progress, Rejected, Rejection, Round, SealError,
    SealKey, Sealed, Session, SessionId, Step, Stopped, Unconfirmed, drive,
};
use toy::{
    ECHOED, Params, Stuck, Sum, advance_all, exchange, frame, id, params, round, start, start_all,
};

fn three() -> Parties {
    Parties::numbered(3).unwrap()
}

fn key() -> SealKey {
    SealKey::new([9; 32])
}

/// Party 1 in round 2, with the frames of these peers' steps altered.
fn in_round_2(alter: impl Fn(PartyId, bool, &mut Vec<u8>), from: &[u16]) -> Session<Sum> {
    let mut steps = advance_all(exchange(start_all(1, &three())));
    let mail: Vec<_> = from
        .iter()
        .flat_map(|from| [true, false].map(|kind| (*from, kind)))
        .map(|(from, kind)| {
            let mut bytes = frame(&steps[usize::from(from) - 1], id(1), kind);
            alter(id(from), kind, &mut bytes);
            (id(from), bytes)
        })
        .collect();
    let mut session = steps.remove(0).session;
    for (from, bytes) in mail {
        session.receive(from, &bytes).unwrap();
    }
    session
}

#[test]
fn giving_up_judges_what_has_arrived_before_it_lists_who_is_missing() {
    // Party 2 is silent, and party 3 has sent what does not verify.
    let wrong = |_, broadcast, bytes: &mut Vec<u8>| {
        if broadcast {
            bytes[ECHOED] ^= 1;
        }
    };
    let Abort::Misbehaviour(blames) = in_round_2(wrong, &[3]).give_up().unwrap_err().abort else {
        panic!("no blame")
    };
    assert_eq!(blames.len(), 1);
    assert_eq!((blames[0].party, blames[0].fault), (id(3), Fault::InvalidDecommitment));
    assert!(!blames[0].evidence.as_ref().unwrap().frames.is_empty());

    // An echo that differs is judged, too.
    let echo = |_, _, bytes: &mut Vec<u8>| bytes[ECHOED - 1] ^= 1;
    let abort = in_round_2(echo, &[3]).give_up().unwrap_err().abort;
    assert!(matches!(abort, Abort::Unattributed { check: Check::EchoMismatch, .. }));

    // With nothing wrong in what is there, the silent one is missing.
    let abort = in_round_2(|_, _, _| {}, &[3]).give_up().unwrap_err().abort;
    let missing = Abort::Missing { round: Round(2), parties: vec![id(2)], rejected: vec![] };
    assert_eq!(abort, missing);
}

#[test]
fn a_contradiction_is_blamed_when_the_run_is_given_up() {
    let steps = start_all(1, &three());
    let mut session = start(1, id(1), &three()).session;
    let good = frame(&steps[1], id(1), true);
    let mut other = good.clone();
    other[ECHOED] ^= 1;
    session.receive(id(2), &good).unwrap();
    session.receive(id(2), &other).unwrap();
    let Abort::Misbehaviour(blames) = session.give_up().unwrap_err().abort else {
        panic!("no blame")
    };
    assert_eq!((blames[0].party, blames[0].fault), (id(2), Fault::Equivocation));
}

#[test]
fn what_was_rejected_from_whom_is_told_with_who_is_missing() {
    let other = Params { threshold: 3, ..params(id(2)) };
    let sid = SessionId::new([1; 32]);
    let stranger = Session::<Sum>::start(sid, id(2), &three(), other, &mut Stuck::at(0)).unwrap();
    let mut session = start(1, id(1), &three()).session;
    let why = Rejected::OtherParameters { which: "threshold" };
    for _ in 0..3 {
        assert_eq!(session.receive(id(2), &frame(&stranger, id(1), true)), Err(why));
    }
    let Abort::Missing { rejected, .. } = session.give_up().unwrap_err().abort else {
        panic!("somebody blamed")
    };
    assert_eq!(rejected, [Rejection { from: id(2), count: 3, last: why }]);
    assert_eq!(
        rejected[0].to_string(),
        "3 frames rejected from party 2 (the last: the sender was started with another threshold: start all with the same)"
    );
}

/// The slots of a store, compared and swapped.
#[derive(Default)]
struct Store(Option<Sealed>);

impl Store {
    fn keep(&mut self, sealed: Sealed) -> bool {
        let greater = self.0.as_ref().is_none_or(|held| sealed.slot() > held.slot());
        if greater {
            self.0 = Some(sealed);
        }
        greater
    }
}

#[test]
fn a_run_that_has_ended_is_neither_continued_nor_started_again() {
    let (mut store, key) = (Store::default(), key());
    let mut steps = start_all(1, &three());
    let mut seals = Vec::new();
    let tombstone = loop {
        let mut sessions = exchange(steps);
        assert!(store.keep(sessions[0].seal(&key)));
        seals.push(sessions[0].seal(&key));
        if sessions[0].round() == Round(3) {
            match sessions.remove(0).advance() {
                Ok(Progress::Done { output: 6000, tombstone }) => break tombstone,
                other => panic!("{other:?}"),
            }
        }
        steps = advance_all(sessions);
    };
    assert!(tombstone.is_tombstone() && store.keep(tombstone.clone()));
    // Neither an old seal nor a start of the same session with another seed finds a place.
    assert!(seals.into_iter().all(|old| !store.keep(old)));
    assert!(!store.keep(start(1, id(1), &three()).session.seal(&key)));
    let parties = three();
    let context = Session::<Sum>::context_of(SessionId::new([1; 32]), &parties, &params(id(1)));
    assert_eq!(store.0.as_ref().unwrap().slot().session(), context);
    // It reads back as what it is, and does not open.
    let read = Sealed::from_bytes(tombstone.as_bytes()).unwrap();
    assert!(read == tombstone && read.is_tombstone());
    assert_eq!(Session::<Sum>::open(&read, params(id(1)), &key).unwrap_err(), SealError::Ended);
}

/// The last round, in which all confirm the sum: every party's step.
fn confirming() -> Vec<Step<Sum>> {
    advance_all(exchange(advance_all(exchange(start_all(1, &three())))))
}

/// Party 1, to which party 2 has confirmed another sum.
fn contested() -> Session<Sum> {
    let mut steps = confirming();
    let mut wrong = frame(&steps[1], id(1), false);
    *wrong.last_mut().unwrap() ^= 1;
    let right = frame(&steps[2], id(1), false);
    let mut session = steps.remove(0).session;
    session.receive(id(2), &wrong).unwrap();
    session.receive(id(3), &right).unwrap();
    session
}

#[test]
fn a_result_that_lacks_confirmation_is_handed_out_with_the_reason() {
    let Ok(Progress::Unconfirmed(unconfirmed)) = contested().advance() else { panic!("no result") };
    assert_eq!(unconfirmed.abort, Abort::unattributed(Round(3), Check::ResultMismatch));
    assert_eq!(unconfirmed.output, 6000);
    assert!(unconfirmed.tombstone.is_tombstone());
    // A confirmation that never comes takes nothing away, either.
    let unconfirmed = confirming().remove(0).session.give_up().unwrap();
    assert!(matches!(unconfirmed.abort, Abort::Missing { .. }));
    assert_eq!(unconfirmed.output, 6000);
}

/// A caller that hands every error up, and keeps what it is given.
fn kept(session: Session<Sum>) -> Result<u64, Box<dyn Error>> {
    match session.advance()? {
        Progress::Done { output, .. } => Ok(output),
        Progress::Unconfirmed(Unconfirmed { output, .. }) => Ok(output),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_share_that_lacks_confirmation_survives_the_question_mark() {
    assert_eq!(kept(contested()).unwrap(), 6000);
    let given_up = || Ok::<_, Box<dyn Error>>(confirming().remove(0).session.give_up()?.output);
    assert_eq!(given_up().unwrap(), 6000);
    let driven = || -> Result<Ended<u64>, Box<dyn Error>> {
        Ok(drive(confirming().remove(0), |_| (), || None)?)
    };
    assert!(matches!(driven().unwrap().abort(), Some(Abort::Missing { .. })));
    assert_eq!(driven().unwrap().into_output(), 6000);
}

/// In the last round with every confirmation there: the run is given up all the same, and says so.
#[test]
fn giving_up_a_complete_run_gives_its_result_with_nobody_missing() {
    let unconfirmed = exchange(confirming()).remove(0).give_up().unwrap();
    assert_eq!(unconfirmed.output, 6000);
    let missing = Abort::Missing { round: Round(3), parties: vec![], rejected: vec![] };
    assert_eq!(unconfirmed.abort, missing);
}

#[test]
fn the_error_of_a_run_is_small_and_says_what_to_do() {
    assert!(size_of::<Stopped>() <= 96, "{} bytes", size_of::<Stopped>());
    assert!(size_of::<Abort>() <= 64, "{} bytes", size_of::<Abort>());
    let silent = in_round_2(|_, _, _| {}, &[3]).give_up().unwrap_err();
    assert_eq!(
        silent.to_string(),
        "the run ended without a result: gave up in round 2, still waiting for party 2; check the network and the \
         parties' settings, and begin again under a new session id"
    );
    assert_eq!(silent.source().unwrap().to_string(), silent.abort.to_string());
    let wrong = |_, broadcast, bytes: &mut Vec<u8>| bytes[ECHOED] ^= u8::from(broadcast);
    let cheated = in_round_2(wrong, &[3]).give_up().unwrap_err();
    assert_eq!(
        cheated.to_string(),
        "the run ended without a result: aborted; party 3 in round 2: revealed value does not match its commitment; \
         keep the evidence, and begin again without the culprits under a new session id"
    );
}

#[test]
fn two_receivers_convict_the_sender_of_two_broadcasts() {
    let mut steps = start_all(1, &three());
    let good = frame(&steps[1], id(1), true);
    let mut other = good.clone();
    other[ECHOED] ^= 1;
    let (from_1, from_3) = (frame(&steps[0], id(3), true), frame(&steps[2], id(1), true));
    // Party 2 tells party 1 one thing and party 3 another.
    let (three, _, one) = (steps.remove(2), steps.remove(1), steps.remove(0));
    let (mut one, mut three) = (one.session, three.session);
    one.receive(id(2), &good).unwrap();
    one.receive(id(3), &from_3).unwrap();
    three.receive(id(2), &other).unwrap();
    three.receive(id(1), &from_1).unwrap();
    let (one, three) = (round(one.advance()), round(three.advance()));
    let (to_1, to_3) = (
        [frame(&three, id(1), true), frame(&three, id(1), false)],
        [frame(&one, id(3), true), frame(&one, id(3), false)],
    );
    let ended = [(one.session, id(3), to_1), (three.session, id(1), to_3)].map(
        |(mut session, from, frames)| {
            for frame in &frames {
                session.receive(from, frame).unwrap();
            }
            match session.give_up().unwrap_err().abort {
                Abort::Unattributed { check: Check::EchoMismatch, evidence, .. } => {
                    evidence.unwrap()
                }
                abort => panic!("{abort:?}"),
            }
        },
    );
    let [one, three] = ended;
    let convicted = one.equivocators(&three);
    assert_eq!(convicted.len(), 1);
    assert_eq!(convicted[0].0, id(2));
    assert!(convicted[0].1.proves_equivocation(id(2)));
    // Alone neither can, and two copies of the same broadcasts convict nobody.
    assert!(one.equivocators(&one).is_empty());
    assert!([1, 2, 3].iter().all(|party| !one.proves_equivocation(id(*party))));
}

/// Fed other frames, a run restored from an old seal draws other values afterwards; fed the same
/// ones, the same.
#[test]
fn streams_depend_on_the_frames_received_before() {
    use quorate_session::rand_core::Rng;
    use quorate_session::{Binding, Inbox, Limits, Next, Outbox, ParamError, Protocol, Run};

    struct Draws;
    impl Protocol for Draws {
        const NAME: &'static str = "draws";
        const CODE: u8 = 202;
        const FAMILY: &'static str = "";
        const ROUNDS: u8 = 3;
        type Params = ();
        type State = ();
        type Output = ();
        fn bind((): &(), _: &mut Binding) {}
        fn limits((): &(), _: usize, _: Round) -> Limits {
            Limits { broadcast: 8, direct: 0 }
        }
        fn start((): (), run: &Run) -> Result<((), Outbox), ParamError> {
            Ok(((), Outbox::broadcast(run.rng("draw").next_u64().to_be_bytes().to_vec())))
        }
        fn next((): (), run: &Run, _: Inbox) -> Result<Next<Self>, Abort> {
            let drawn = run.rng("draw").next_u64().to_be_bytes();
            Ok(Next::Round((), Outbox::broadcast(drawn.to_vec())))
        }
    }
    let parties = Parties::numbered(2).unwrap();
    let start = |me| {
        Session::<Draws>::start(SessionId::new([3; 32]), id(me), &parties, (), &mut Stuck::at(0))
            .unwrap()
    };
    let told = start(2).outgoing[0].bytes.clone();
    let sealed = start(1).session.seal(&key());
    let draw = |last: u8| {
        let mut session = Session::<Draws>::open(&sealed, (), &key()).unwrap().session;
        let mut frame = told.clone();
        *frame.last_mut().unwrap() ^= last;
        session.receive(id(2), &frame).unwrap();
        match session.advance() {
            Ok(Progress::Round(step)) => step.outgoing[0].bytes[ECHOED..].to_vec(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(draw(0), draw(0));
    assert_ne!(draw(0), draw(1));
    assert_ne!(draw(1), draw(2));
}
