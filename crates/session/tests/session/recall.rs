//! Recall: an opened session gives its protocol the messages and checkpoints that it made, which saves work.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::Arc;

use quorate_session::{
    Abort, Binding, Fault, Inbox, Limits, Next, Outbox, Outgoing, ParamError, Parties, PartyId,
    Progress, Protocol, Round, Run, SealError, SealKey, Session, SessionId, Step, Transcript,
    rand_core::Rng, zeroize::Zeroizing,
};
use quorate_testkit::Stuck;

/// Counts what takes long.
#[derive(Clone, Default)]
struct Costs(Arc<[AtomicUsize; 2]>);

impl Costs {
    /// Proofs made, and proofs verified, since this was called last.
    fn take(&self) -> [usize; 2] {
        [0, 1].map(|which| self.0.get(which).unwrap().swap(0, Relaxed))
    }

    fn count(&self, which: usize) {
        self.0.get(which).unwrap().fetch_add(1, Relaxed);
    }
}

/// In each of four rounds a proof, whose secret is in the checkpoint.
struct Proving;

#[derive(Clone)]
struct Params {
    costs: Costs,
    /// Changes what is proved, as another release would.
    release: &'static str,
}

struct State {
    params: Params,
    secrets: Vec<u8>,
}

fn proof(secret: u8) -> Vec<u8> {
    let mut transcript = Transcript::new("a proof");
    transcript.append("secret", &[secret]);
    let mut bytes = transcript.finish32().to_vec();
    bytes.push(secret);
    bytes
}

impl State {
    fn speak(mut self, run: &Run) -> (Self, Outbox) {
        if let Some(sent) = run.recalled() {
            self.secrets.extend_from_slice(&sent.checkpoint);
            return (self, sent);
        }
        self.params.costs.count(0);
        let mut secret = [0];
        run.rng(self.params.release).fill_bytes(&mut secret);
        self.secrets.extend_from_slice(&secret);
        let [secret] = secret;
        let checkpoint = Zeroizing::new(vec![secret]);
        (self, Outbox { checkpoint, ..Outbox::broadcast(proof(secret)) })
    }
}

impl Protocol for Proving {
    const NAME: &'static str = "proving";
    const CODE: u8 = 211;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 4;
    type Params = Params;
    type State = State;
    type Output = Vec<u8>;

    fn bind(_: &Params, _: &mut Binding) {}

    fn limits(_: &Params, _: usize, _: Round) -> Limits {
        Limits { broadcast: 33, direct: 0 }
    }

    fn start(params: Params, run: &Run) -> Result<(State, Outbox), ParamError> {
        Ok(State { params, secrets: Vec::new() }.speak(run))
    }

    fn next(state: State, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        if !run.is_verified() {
            inbox.verify(|_, message| {
                state.params.costs.count(1);
                let secret = *message.broadcast.last().ok_or(Fault::WrongLength)?;
                (proof(secret) == message.broadcast).then_some(()).ok_or(Fault::Malformed)
            })?;
        }
        if run.round().get() == Self::ROUNDS {
            return Ok(Next::Done(state.secrets));
        }
        let (state, outbox) = state.speak(run);
        Ok(Next::Round(state, outbox))
    }
}

const RELEASE: &str = "one";

fn id(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

fn params() -> Params {
    Params { costs: Costs::default(), release: RELEASE }
}

fn key() -> SealKey {
    SealKey::new([3; 32])
}

fn start(party: u16, params: Params) -> Step<Proving> {
    let (sid, parties) = (SessionId::new([1; 32]), Parties::numbered(2).unwrap());
    let seed = u8::try_from(party).unwrap();
    Session::start(sid, id(party), &parties, params, &mut Stuck::at(seed)).unwrap()
}

fn go_on(session: Session<Proving>, frame: &Outgoing) -> Result<Step<Proving>, Vec<u8>> {
    let mut session = session;
    let peer = if session.party_id() == id(1) { 2 } else { 1 };
    session.receive(id(peer), &frame.bytes).unwrap();
    match session.advance().unwrap() {
        Progress::Round(step) => Ok(step),
        Progress::Done { output, .. } => Err(output),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_opened_session_neither_proves_nor_verifies() {
    let mut own = start(1, params());
    let mut peer = start(2, params());
    for round in 1.. {
        let sealed = own.session.seal(&key());
        let costs = Costs::default();
        let params = Params { costs: costs.clone(), ..params() };
        let opened = Session::<Proving>::open(&sealed, params.clone(), &key()).unwrap();
        assert_eq!(costs.take(), [0, 0]);
        assert!(opened.outgoing == own.outgoing && opened.session.seal(&key()) == sealed);
        let audited = Session::<Proving>::audit(&sealed, params, &key()).unwrap();
        assert_eq!(costs.take(), [round, round - 1]);
        assert!(audited.outgoing == own.outgoing && audited.session.seal(&key()) == sealed);
        // Both go on as the one that was sealed, and what comes now is verified.
        let theirs = peer.outgoing.first().unwrap().clone();
        let mine = own.outgoing.first().unwrap().clone();
        let next = [own.session, opened.session, audited.session];
        let [live, opened, audited] = next.map(|session| go_on(session, &theirs));
        let took = costs.take();
        match (live, opened, audited) {
            (Ok(live), Ok(opened), Ok(audited)) => {
                assert_eq!(took, [2, 2]);
                let seals = [&live, &opened, &audited].map(|step| step.session.seal(&key()));
                assert!(seals.iter().all(|sealed| *sealed == seals[0]));
                own = live;
            }
            (Err(live), Err(opened), Err(audited)) => {
                assert!(live == opened && live == audited && live.len() == 4);
                return assert_eq!(took, [0, 2]);
            }
            _ => panic!("they disagree"),
        }
        peer = go_on(peer.session, &mine).unwrap();
    }
}

#[test]
fn an_audit_finds_that_another_release_would_send_something_else() {
    let sealed = start(1, params()).session.seal(&key());
    let other = || Params { release: "two", ..params() };
    let audited = Session::<Proving>::audit(&sealed, other(), &key());
    assert_eq!(audited.err(), Some(SealError::Diverged));
    assert!(Session::<Proving>::open(&sealed, other(), &key()).is_ok());
}

/// A run that is restored and told something else draws other values in the round after: opening changes nothing of it.
#[test]
fn streams_depend_on_the_frames_received_after_opening_too() {
    let sealed = start(1, params()).session.seal(&key());
    let told = |party: u8| {
        let (sid, parties) = (SessionId::new([1; 32]), Parties::numbered(2).unwrap());
        let mut rng = Stuck::at(party);
        let peer = Session::<Proving>::start(sid, id(2), &parties, params(), &mut rng).unwrap();
        let opened = Session::<Proving>::open(&sealed, params(), &key()).unwrap();
        go_on(opened.session, peer.outgoing.first().unwrap()).unwrap()
    };
    let [one, same, other] = [8, 8, 9].map(told);
    assert_eq!(one.outgoing, same.outgoing);
    let body = |step: &Step<Proving>| {
        step.outgoing.first().unwrap().bytes.iter().rev().take(33).copied().collect::<Vec<_>>()
    };
    assert_ne!(body(&one), body(&other));
}
