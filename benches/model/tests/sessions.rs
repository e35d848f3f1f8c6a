//! The session of the model and `quorate_keys::session::Session` do the same, whatever one party receives.

use std::collections::HashMap;
use std::convert::Infallible;

use quorate_keys::session::frame::{self, Header};
use quorate_keys::session::rand_core::{TryCryptoRng, TryRng};
use quorate_keys::session::{
    Abort, Binding, Check, Evidence, Fault, FrameFate, Inbox, Judgement, Limits, Next, Outbox,
    ParamError, Parties, PartyId, Protocol, Round, Run, Session, SessionId, Stopped, Unconfirmed,
};
use quorate_keys::session::{Progress as Real, Step};
use quorate_model::broadcast::{
    Bits, Case, Content, End, EndKind, Fate, Frame, Guard, Kind, Progress, Session as Model, cases,
    has,
};

/// The protocol of the model. `DIRECT` says whether round 2 has a message to each party.
struct Bit<const DIRECT: bool>;

enum State {
    One,
    Two(Bits),
    Three([Bits; 2]),
}

type Output = [Bits; 2];

/// The first bytes of all broadcasts of a round, one bit of each.
fn view(inbox: Inbox<'_>) -> Bits {
    inbox.broadcasts_of_all().fold(0, |bits, (party, body)| bits | body[0] << (party.get() - 1))
}

/// The byte at this place of each broadcast has to be this one.
fn verify(inbox: Inbox<'_>, at: usize, expected: u8) -> Result<(), Abort> {
    let check =
        |message: &[u8]| if message[at] == expected { Ok(()) } else { Err(Fault::InvalidProof) };
    inbox.verify(|_, message| check(message.broadcast)).map(drop)
}

impl<const DIRECT: bool> Protocol for Bit<DIRECT> {
    const NAME: &'static str = "bit";
    const CODE: u8 = 255;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 3;
    type Params = ();
    type State = State;
    type Output = Output;

    fn bind((): &(), _: &mut Binding) {}

    fn limits((): &(), _: usize, round: Round) -> Limits {
        let direct = usize::from(DIRECT && round.get() == 2);
        Limits { broadcast: if round.get() == 2 { 2 } else { 1 }, direct }
    }

    fn start((): (), _: &Run) -> Result<(State, Outbox), ParamError> {
        Ok((State::One, Outbox::broadcast(vec![0])))
    }

    fn next(state: State, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        match state {
            State::One => {
                let seen = view(inbox);
                let to = |to: PartyId| (to, vec![to.get() as u8 - 1]);
                let direct = run.others().filter(|_| DIRECT).map(to).collect();
                Ok(Next::Round(State::Two(seen), Outbox::new(Some(vec![0, seen]), direct)))
            }
            State::Two(first) => {
                verify(inbox, 1, first)?;
                let seen = view(inbox);
                Ok(Next::Round(State::Three([first, seen]), Outbox::broadcast(vec![seen])))
            }
            State::Three(result) => Ok(match verify(inbox, 0, result[1]) {
                Ok(()) => Next::Done(result),
                Err(abort) => Next::Unconfirmed(result, abort),
            }),
        }
    }

    fn judge(state: State, _: &Run, inbox: Inbox<'_>) -> Judgement<Output> {
        match state {
            State::One => Judgement::default(),
            State::Two(first) => verify(inbox, 1, first).into(),
            State::Three(result) => {
                Judgement { abort: verify(inbox, 0, result[1]).err(), unconfirmed: Some(result) }
            }
        }
    }
}

/// The session draws a seed, and the protocol draws nothing.
struct Zero;

impl TryRng for Zero {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(0)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(0)
    }

    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Infallible> {
        to.fill(0);
        Ok(())
    }
}

impl TryCryptoRng for Zero {}

fn id(party: usize) -> PartyId {
    PartyId::new(party as u16 + 1).expect("from 1")
}

fn round(number: u8) -> Round {
    let mut header = [1; frame::HEADER];
    header[2] = number;
    Header::parse(&header).expect("a header").round
}

/// The first party of a run of three, which receives frames.
struct Receiver<'a, const DIRECT: bool> {
    case: &'a Case,
    parties: Parties,
}

impl<const DIRECT: bool> Receiver<'_, DIRECT> {
    fn start(&self) -> Session<Bit<DIRECT>> {
        let sid = SessionId::new([7; 32]);
        Session::start(sid, id(0), &self.parties, (), &mut Zero).expect("it starts").session
    }

    /// The body of a broadcast of round 1 or 2 with this bit.
    fn body(kind: Kind, bit: u8, answer: Bits) -> Vec<u8> {
        if kind == Kind::One { vec![bit] } else { vec![bit, answer] }
    }

    /// The bytes of a frame of the model. `first` is what the receiver saw in round 1.
    fn bytes(&self, frame: &Frame, first: Bits) -> Vec<u8> {
        let Frame { from, kind, content, is_stray } = *frame;
        let sid = SessionId::new([if is_stray { 8 } else { 7 }; 32]);
        let bound = Session::<Bit<DIRECT>>::bound(sid, &self.parties, |_| {});
        let context = bound.context();
        let Content { echo, value, wrong } = content;
        let echo_of = |before: Kind| {
            let bodies = (0..3).map(|party| Self::body(before, echo >> party & 1, first));
            frame::echo(&context, round(before.round()), bodies)
        };
        let (prefix, body) = match kind {
            Kind::One => (bound.prefix(), vec![value]),
            Kind::Two => {
                (echo_of(Kind::One), Self::body(kind, value, if wrong { 255 } else { echo }))
            }
            Kind::Direct => (echo_of(Kind::One), vec![value]),
            Kind::Three => (echo_of(Kind::Two), vec![if wrong { 255 } else { echo }]),
        };
        let to = (kind == Kind::Direct).then(|| id(value.into()));
        let (version, code) = (frame::VERSION, Bit::<DIRECT>::CODE);
        let header =
            Header { version, code, round: round(kind.round()), from: id(from), to, context };
        header.frame(Some(&prefix), &body)
    }

    /// The frames that may come: those of an honest peer and of a corrupt one, and frames to reject.
    fn inputs(&self) -> Vec<(usize, Frame)> {
        let frame = |from, kind, content| Frame { from, kind, content, is_stray: false };
        let mut inputs = vec![(1, frame(1, Kind::One, Content::new(0, 0)))];
        for echo in self.case.views() {
            for kind in [Kind::Two, Kind::Direct, Kind::Three] {
                inputs.push((1, frame(1, kind, Content::new(echo, 0))));
            }
        }
        for (kind, content) in self.case.lies(0) {
            inputs.push((2, frame(2, kind, content)));
            inputs.push((2, frame(1, kind, content)));
        }
        inputs.push((1, frame(1, Kind::Direct, Content::new(0, 2))));
        inputs.push((1, Frame { is_stray: true, ..frame(1, Kind::One, Content::new(0, 1)) }));
        inputs
    }

    fn receive(
        &self,
        model: &mut Model,
        real: &mut Session<Bit<DIRECT>>,
        by: usize,
        frame: &Frame,
    ) {
        let bytes = self.bytes(frame, model.views[0].unwrap_or_default());
        let fate = match real.receive(id(by), &bytes) {
            Ok(FrameFate::Accepted) => Fate::Accepted,
            Ok(FrameFate::Early) => Fate::Early,
            Ok(FrameFate::Duplicate) => Fate::Duplicate,
            Ok(FrameFate::Conflicting) => Fate::Conflicting,
            Ok(other) => panic!("{other:?}"),
            Err(_) => Fate::Rejected,
        };
        assert_eq!(model.receive(self.case, by, frame), fate, "{frame:?} in {model:?}");
    }

    /// The evidence that the model expects of an echo that differs.
    fn evidence(&self, model: &Model, end: &End) -> Vec<(PartyId, Vec<u8>)> {
        let first = model.views[0].unwrap_or_default();
        let (before, now) =
            if end.round == 2 { (Kind::One, Kind::Two) } else { (Kind::Two, Kind::Three) };
        let of = |kind: Kind, contents: [Option<Content>; 4]| {
            let each = contents.into_iter().enumerate();
            each.filter_map(move |(from, content)| {
                let frame = Frame { from, kind, content: content?, is_stray: false };
                Some((id(from), self.bytes(&frame, first)))
            })
        };
        of(before, end.seen).chain(of(now, end.others)).collect()
    }

    fn compare(&self, model: &Model, end: &End, real: Result<Unconfirmed<Output>, Stopped>) {
        let (kind, result, abort) = match real {
            Ok(unconfirmed) => (EndKind::Unconfirmed, Some(unconfirmed.output), unconfirmed.abort),
            Err(stopped) => (EndKind::Stopped, None, stopped.abort),
        };
        let named: Vec<_> = (0..3).filter(|party| has(end.named, *party)).map(id).collect();
        assert_eq!((kind, result), (end.kind, end.result), "{model:?}");
        assert_eq!(abort.culprits().collect::<Vec<_>>(), named, "{model:?}: {abort:?}");
        let evidence = match &abort {
            Abort::Unattributed { check: Check::EchoMismatch, evidence, .. } => evidence.as_deref(),
            _ => None,
        };
        assert_eq!(evidence.is_some(), end.mismatch, "{model:?}: {abort:?}");
        if let Some(Evidence { frames, .. }) = evidence {
            let frames: Vec<_> =
                frames.iter().map(|(from, bytes)| (*from, bytes.to_vec())).collect();
            assert_eq!(frames, self.evidence(model, end), "{model:?}");
        }
    }

    /// Moves the real session on, and compares. Returns it if there is a next round.
    fn advance(&self, model: &Model, real: Session<Bit<DIRECT>>) -> Option<Session<Bit<DIRECT>>> {
        match (model.advance(self.case), real.advance()) {
            (Progress::Waiting, Ok(Real::Waiting(_))) => None,
            (Progress::Round(_), Ok(Real::Round(Step { session, .. }))) => Some(session),
            (Progress::Ended(end), Ok(Real::Done { output, .. })) => {
                assert_eq!((end.kind, end.result), (EndKind::Done, Some(output)), "{model:?}");
                None
            }
            (Progress::Ended(end), Ok(Real::Unconfirmed(unconfirmed))) => {
                self.compare(model, &end, Ok(unconfirmed));
                None
            }
            (Progress::Ended(end), Err(stopped)) => {
                self.compare(model, &end, Err(stopped));
                None
            }
            (model, real) => panic!("{model:?} and {real:?}"),
        }
    }
}

/// A step of one party: a frame that it takes, or `None` where it moves on.
type Input = Option<(usize, Frame)>;

/// Runs both through all that one party can receive, and returns the number of states.
fn lockstep<const DIRECT: bool>(case: &Case) -> usize {
    let parties = Parties::numbered(3).expect("three");
    let receiver = Receiver::<DIRECT> { case, parties };
    let inputs = receiver.inputs();
    let mut known: HashMap<Model, usize> = HashMap::from([(Model::new(0, 0), 0)]);
    let mut states: Vec<(Model, Vec<Input>)> = vec![(Model::new(0, 0), vec![])];
    let mut at = 0;
    while at < states.len() {
        let (model, history) = states[at].clone();
        let again = || replay(&receiver, &history);
        let mut follow = |next: Model, input: Input| {
            let count = known.len();
            known.entry(next.clone()).or_insert_with(|| {
                states.push((next, [&history[..], &[input]].concat()));
                count
            });
        };
        let (_, mut real) = again();
        // After a contradiction the party moves on, and what else it receives makes no difference.
        let is_open = model.contradicted() == 0;
        for (by, frame) in inputs.iter().filter(|_| is_open) {
            let is_ahead = frame.kind.round() > model.round + u8::from(case.early);
            let mut next = model.clone();
            next.receive(case, *by, frame);
            if next == model {
                receiver.receive(&mut next, &mut real, *by, frame);
            } else if !is_ahead {
                follow(next, Some((*by, *frame)));
            }
        }
        receiver.advance(&model, real);
        receiver.compare(&model, &model.give_up(case), again().1.give_up());
        if let Progress::Round(next) = model.advance(case) {
            follow(next, None);
        }
        at += 1;
    }
    states.len()
}

/// Both sessions after these steps.
fn replay<const DIRECT: bool>(
    receiver: &Receiver<'_, DIRECT>,
    history: &[Input],
) -> (Model, Session<Bit<DIRECT>>) {
    let (mut model, mut real) = (Model::new(0, 0), receiver.start());
    for input in history {
        if let Some((by, frame)) = input {
            receiver.receive(&mut model, &mut real, *by, frame);
        } else {
            real = receiver.advance(&model, real).expect("a round follows");
            let Progress::Round(next) = model.advance(receiver.case) else { panic!("no round") };
            model = next;
        }
    }
    (model, real)
}

fn case(name: &str) -> Case {
    let found = cases().into_iter().find(|case| case.name == name);
    found.expect("a case of this name")
}

#[test]
fn model_and_session_agree_on_early_frames() {
    let states = lockstep::<false>(&case("3 parties, 1 corrupt; early"));
    println!("{states} states");
    assert!(states > 1000, "{states}");
}

#[test]
fn model_and_session_agree_on_direct_messages() {
    let states = lockstep::<true>(&case("3 parties, 1 corrupt; direct, strays"));
    println!("{states} states");
    assert!(states > 1000, "{states}");
}

/// The guards of a session. The others are those of its store.
const GUARDS: [Guard; 15] = [
    Guard::Sender,
    Guard::Run,
    Guard::Recipient,
    Guard::Repeated,
    Guard::First,
    Guard::Contradiction,
    Guard::Everybody,
    Guard::Echo,
    Guard::EveryEcho,
    Guard::WholeEcho,
    Guard::TwoEchoes,
    Guard::Nobody,
    Guard::Seen,
    Guard::EchoFirst,
    Guard::JudgedFirst,
];

#[test]
fn a_model_without_a_guard_of_the_session_is_found_to_differ() {
    for guard in GUARDS {
        let case = case("3 parties, 1 corrupt; direct, strays").without(guard);
        let outcome = std::panic::catch_unwind(|| lockstep::<true>(&case));
        assert!(outcome.is_err(), "{guard:?}: {outcome:?} states");
    }
}
