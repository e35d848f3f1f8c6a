//! Rounds whose work comes in steps: neither frames nor seals nor results show it.

use quorate_session::rand_core::Rng;
use quorate_session::{
    Abort, Binding, Fault, FrameFate, Inbox, Judgement, Limits, Next, Outbox, Outgoing, ParamError,
    Parties, Progress, Protocol, Round, Run, SealKey, Session, SessionId, Step, drive,
};

use quorate_testkit::lockstep::{halt, id};
use quorate_testkit::rng;

/// Two rounds of a number from everybody. The first is worked on in steps, a peer in each, or not;
/// after it a random number is added.
struct Slow;

#[derive(Clone, Copy)]
struct Params {
    steps: bool,
}

struct State {
    params: Params,
    sum: u64,
    done: usize,
    last: bool,
}

fn number(body: &[u8]) -> Result<u64, Fault> {
    body.try_into().map(u64::from_be_bytes).map_err(|_| Fault::WrongLength)
}

impl Protocol for Slow {
    const NAME: &'static str = "slow sum";
    const CODE: u8 = 201;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 2;
    type Params = Params;
    type State = State;
    type Output = u64;

    fn bind(_: &Params, _: &mut Binding) {}

    fn limits(_: &Params, _: usize, _: Round) -> Limits {
        Limits { broadcast: 8, direct: 0 }
    }

    fn start(params: Params, run: &Run) -> Result<(State, Outbox), ParamError> {
        let own = u64::from(run.party_id().get());
        let state = State { params, sum: own, done: 0, last: false };
        Ok((state, Outbox::broadcast(own.to_be_bytes().to_vec())))
    }

    fn next(mut state: State, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        for message in inbox.each().skip(state.done) {
            let fault = |fault| inbox.blame(vec![(message.from, fault)]);
            state.sum = state.sum.wrapping_add(number(message.broadcast).map_err(fault)?);
            state.done += 1;
            if state.params.steps && !state.last {
                return Ok(Next::Work(state));
            }
        }
        if state.last {
            return Ok(Next::Done(state.sum));
        }
        let noise = run.rng("noise").next_u64();
        let sum = state.sum.wrapping_add(noise);
        let outbox = Outbox::broadcast(sum.to_be_bytes().to_vec());
        Ok(Next::Round(State { sum, done: 0, last: true, ..state }, outbox))
    }

    fn judge(state: State, _: &Run, _: Inbox<'_>) -> Judgement<u64> {
        Judgement { abort: None, unconfirmed: Some(state.sum) }
    }
}

fn key() -> SealKey {
    SealKey::new([7; 32])
}

fn start(me: u16, params: Params) -> Step<Slow> {
    let rng = &mut rng(1);
    let parties = Parties::numbered(4).unwrap();
    Session::start(SessionId::new([1; 32]), id(me), &parties, params, rng).unwrap()
}

const STEPS: Params = Params { steps: true };
const WHOLE: Params = Params { steps: false };

fn frame(outgoing: &[Outgoing]) -> &[u8] {
    &outgoing.first().unwrap().bytes
}

/// Party 1 with the frames of round 1 of all others.
fn complete(params: Params) -> Session<Slow> {
    let mut session = start(1, params).session;
    for from in 2..=4 {
        session.receive(id(from), frame(&start(from, params).outgoing)).unwrap();
    }
    session
}

fn working(progress: Progress<Slow>) -> Session<Slow> {
    match progress {
        Progress::Working(session) => session,
        other => panic!("{other:?}"),
    }
}

fn round(progress: Progress<Slow>) -> Step<Slow> {
    match progress {
        Progress::Round(step) => step,
        other => panic!("{other:?}"),
    }
}

/// How many steps it takes to the next round.
fn to_next(mut session: Session<Slow>) -> (u8, Step<Slow>) {
    for steps in 0.. {
        match session.advance().unwrap() {
            Progress::Working(more) => session = more,
            progress => return (steps, round(progress)),
        }
    }
    panic!("never moves on");
}

/// A round takes one step for each peer, with no frames between them, and sends what it sends without steps.
#[test]
fn steps_change_nothing() {
    let (steps, step) = to_next(complete(STEPS));
    let (none, whole) = to_next(complete(WHOLE));
    assert_eq!((steps, none), (3, 0));
    assert_eq!(step.outgoing, whole.outgoing);
    assert_eq!(step.session.round(), Round(2));
    let session = working(complete(STEPS).advance().unwrap());
    assert_eq!((session.round(), session.waiting_for().count()), (Round(1), 0));
}

/// A session is sealed as it was before the work, and does it again when it is opened.
#[test]
fn steps_are_not_sealed() {
    let before = complete(STEPS).seal(&key());
    let mut session = complete(STEPS);
    for _ in 0..3 {
        session = working(session.advance().unwrap());
        assert_eq!((session.seal(&key()), session.slot()), (before.clone(), before.slot()));
    }
    let expected = round(session.advance().unwrap());
    let opened = Session::<Slow>::open(&before, STEPS, &key()).unwrap();
    let (steps, again) = to_next(opened.session);
    assert_eq!((steps, &again.outgoing), (3, &expected.outgoing));
    // And what follows the work replays all of it.
    let after = expected.session.seal(&key());
    assert!(after.slot() > before.slot());
    let opened = Session::<Slow>::open(&after, STEPS, &key()).unwrap();
    assert_eq!(opened.outgoing, expected.outgoing);
    assert_eq!(opened.session.seal(&key()), after);
}

/// Frames that come in the midst of the work: one of the next round is kept, and replayed.
#[test]
fn frames_between_steps() {
    let others: Vec<_> = (2..=4)
        .map(|me| {
            let mut session = start(me, STEPS).session;
            for from in (1..=4).filter(|from| *from != me) {
                session.receive(id(from), frame(&start(from, STEPS).outgoing)).unwrap();
            }
            to_next(session).1.outgoing
        })
        .collect();
    let mut session = working(complete(STEPS).advance().unwrap());
    assert_eq!(session.receive(id(2), frame(&others[0])), Ok(FrameFate::Early));
    let sealed = session.seal(&key());
    let step = to_next(session).1;
    assert_eq!(step.outgoing, to_next(complete(STEPS)).1.outgoing);
    let again = Session::<Slow>::open(&sealed, STEPS, &key()).unwrap();
    assert_eq!(to_next(again.session).1.outgoing, step.outgoing);
    let after = step.session.seal(&key());
    let mut last = Session::<Slow>::open(&after, STEPS, &key()).unwrap().session;
    assert!(last.waiting_for().eq([id(3), id(4)]));
    last.receive(id(3), frame(&others[1])).unwrap();
    last.receive(id(4), frame(&others[2])).unwrap();
    assert!(matches!(last.advance(), Ok(Progress::Done { .. })));
}

/// A frame that contradicts one of the round ends it in the midst of the work.
#[test]
fn a_contradiction_between_steps() {
    let mut session = working(complete(STEPS).advance().unwrap());
    let mut other = frame(&start(3, STEPS).outgoing).to_vec();
    *other.last_mut().unwrap() ^= 1;
    assert_eq!(session.receive(id(3), &other), Ok(FrameFate::Conflicting));
    assert!(halt(session).abort.culprits().eq([id(3)]));
}

/// A party that gives up between two steps keeps the result so far.
#[test]
fn giving_up_between_steps() {
    let session = working(complete(STEPS).advance().unwrap());
    let unconfirmed = session.give_up().unwrap();
    assert_eq!(unconfirmed.output, 1 + 2);
    let Abort::Missing { parties, .. } = unconfirmed.abort else { panic!("{unconfirmed:?}") };
    assert!(parties.is_empty());
}

/// The driver takes all steps without waiting for frames.
#[test]
fn the_driver_takes_all_steps_without_waiting() {
    let mut mail: Vec<_> =
        (2..=4).map(|from| (id(from), frame(&start(from, STEPS).outgoing).to_vec())).collect();
    let ended = drive(start(1, STEPS), |_| (), || mail.pop()).unwrap();
    // All frames of round 1 were taken, and those of round 2 are missing.
    let Some(Abort::Missing { round, parties, .. }) = ended.abort() else { panic!("{ended:?}") };
    assert_eq!((*round, parties.len()), (Round(2), 3));
}
