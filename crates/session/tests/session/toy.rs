//! A toy protocol of three rounds: the sum of committed numbers.
//!
//! Round 1: a commitment to a number and a nonce. Round 2: both revealed, and to each peer a tag
//! that only the owner of the nonce can make. Round 3: a digest of what was seen; all must agree.
#![allow(dead_code, unreachable_pub, reason = "each test file uses some of it")]

use quorate_session::{
    Abort, Binding, Check, Fault, Inbox, Judgement, Limits, Next, Outbox, ParamError, Parties,
    PartyId, PerParty, Progress, Protocol, Round, Run, Session, SessionId, Step, Stopped, To,
    rand_core::Rng, wire::Reader, zeroize::Zeroizing,
};

pub use quorate_testkit::Stuck;
pub use quorate_testkit::lockstep::id;
use quorate_testkit::lockstep::{Mail, deliver};

pub struct Sum;

#[derive(Clone)]
pub struct Params {
    pub number: u64,
    pub threshold: u64,
    pub secret: Option<[u8; 32]>,
    /// Sends a tag that does not verify to this party: a cheater that follows the frame format.
    pub cheat: Option<PartyId>,
}

pub enum State {
    Commit(Opening),
    Reveal(Opening, PerParty<Vec<u8>>),
    Confirm(u64, [u8; 64]),
}

pub struct Opening {
    number: u64,
    nonce: [u8; 32],
    cheat: Option<PartyId>,
}

fn commitment(run: &Run, party: PartyId, number: u64, nonce: &[u8]) -> [u8; 64] {
    let mut transcript = run.transcript("commitment");
    transcript.append_u64("party", party.get().into());
    transcript.append_u64("number", number);
    transcript.append("nonce", nonce);
    transcript.finish()
}

fn tag(run: &Run, to: PartyId, nonce: &[u8]) -> [u8; 64] {
    let mut transcript = run.transcript("tag");
    transcript.append_u64("to", to.get().into());
    transcript.append("nonce", nonce);
    transcript.finish()
}

impl Protocol for Sum {
    const NAME: &'static str = "toy sum";
    const CODE: u8 = 200;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 3;
    type Params = Params;
    type State = State;
    type Output = u64;

    fn bind(params: &Params, binding: &mut Binding) {
        binding.append_u64("threshold", params.threshold);
    }

    fn limits(_: &Params, _: usize, round: Round) -> Limits {
        match round.get() {
            1 => Limits { broadcast: 64, direct: 0 },
            2 => Limits { broadcast: 40, direct: 64 },
            _ => Limits { broadcast: 0, direct: 64 },
        }
    }

    fn hedge(params: &Params) -> Option<Zeroizing<Vec<u8>>> {
        params.secret.map(|secret| Zeroizing::new(secret.to_vec()))
    }

    fn start(params: Params, run: &Run) -> Result<(State, Outbox), ParamError> {
        let mut nonce = [0; 32];
        run.rng("nonce").fill_bytes(&mut nonce);
        let own = commitment(run, run.party_id(), params.number, &nonce);
        let opening = Opening { number: params.number, nonce, cheat: params.cheat };
        Ok((State::Commit(opening), Outbox::broadcast(own.to_vec())))
    }

    fn next(state: State, run: &Run, inbox: Inbox) -> Result<Next<Self>, Abort> {
        match state {
            State::Commit(opening) => commit(opening, run, inbox),
            State::Reveal(opening, commitments) => reveal(opening, &commitments, run, inbox),
            State::Confirm(sum, digest) => {
                let agreed = inbox.each().all(|message| message.direct == digest);
                let round = run.round();
                let mismatch = Abort::unattributed(round, Check::ResultMismatch);
                Ok(if agreed { Next::Done(sum) } else { Next::Unconfirmed(sum, mismatch) })
            }
        }
    }

    fn judge(state: State, run: &Run, inbox: Inbox) -> Judgement<u64> {
        match state {
            State::Commit(_) => Judgement::default(),
            State::Reveal(_, commitments) => numbers(&commitments, run, inbox).into(),
            State::Confirm(sum, _) => Judgement { abort: None, unconfirmed: Some(sum) },
        }
    }
}

fn commit(opening: Opening, run: &Run, inbox: Inbox) -> Result<Next<Sum>, Abort> {
    let commitments = inbox.verify(|_, message| {
        let length = message.broadcast.len() == 64;
        length.then(|| message.broadcast.to_vec()).ok_or(Fault::WrongLength)
    })?;
    let mut body = opening.number.to_be_bytes().to_vec();
    body.extend(opening.nonce);
    let direct = run.others().map(|to| {
        let mut tag = tag(run, to, &opening.nonce).to_vec();
        if opening.cheat == Some(to) {
            tag[0] ^= 1;
        }
        (to, tag)
    });
    let outbox = Outbox::new(Some(body), direct.collect());
    Ok(Next::Round(State::Reveal(opening, commitments), outbox))
}

fn reveal(
    opening: Opening,
    commitments: &PerParty<Vec<u8>>,
    run: &Run,
    inbox: Inbox,
) -> Result<Next<Sum>, Abort> {
    let numbers = numbers(commitments, run, inbox)?;
    let sum = numbers.values().copied().fold(opening.number, u64::wrapping_add);
    let mut transcript = run.transcript("result");
    transcript.append_u64("sum", sum);
    let digest = transcript.finish();
    let direct = run.others().map(|to| (to, digest.to_vec())).collect();
    Ok(Next::Round(State::Confirm(sum, digest), Outbox::new(None, direct)))
}

/// Reads what each peer reveals, and checks it against its commitment.
fn numbers(
    commitments: &PerParty<Vec<u8>>,
    run: &Run,
    inbox: Inbox,
) -> Result<PerParty<u64>, Abort> {
    inbox.verify(|from, message| {
        let mut reader = Reader::new(message.broadcast);
        let number = reader.u64()?;
        let nonce: [u8; 32] = reader.array()?;
        reader.finish()?;
        let expected = commitment(run, from, number, &nonce);
        if commitments.get(from).is_none_or(|seen| *seen != expected) {
            return Err(Fault::InvalidDecommitment);
        }
        if message.direct != tag(run, run.party_id(), &nonce) {
            return Err(Fault::InvalidShare);
        }
        Ok(number)
    })
}

/// Length of a frame before its body in round 1, and in rounds with an echo.
pub const HEADER: usize = 39;
pub const ECHOED: usize = 71;

pub fn params(me: PartyId) -> Params {
    Params {
        number: u64::from(me.get()) * 1000,
        threshold: 2,
        secret: Some([u8::try_from(me.get() & 0xff).unwrap(); 32]),
        cheat: None,
    }
}

pub fn start(sid: u8, me: PartyId, parties: &Parties) -> Step<Sum> {
    Session::start(SessionId::new([sid; 32]), me, parties, params(me), &mut Stuck::at(0)).unwrap()
}

pub fn start_all(sid: u8, parties: &Parties) -> Vec<Step<Sum>> {
    parties.iter().map(|me| start(sid, me, parties)).collect()
}

/// The frame of a step for this recipient; the broadcast or the direct one.
pub fn frame(step: &Step<Sum>, to: PartyId, broadcast: bool) -> Vec<u8> {
    let wanted = if broadcast { To::Everyone } else { To::Only(to) };
    step.outgoing.iter().find(|message| message.to == wanted).unwrap().bytes.clone()
}

/// Delivers all messages of these steps to all, in order.
pub fn exchange(steps: Vec<Step<Sum>>) -> Vec<Session<Sum>> {
    let (mail, mut sessions): (Vec<_>, Vec<_>) = steps.into_iter().map(Mail::of).unzip();
    deliver(&mail, &mut sessions);
    sessions
}

pub fn advance_all(sessions: Vec<Session<Sum>>) -> Vec<Step<Sum>> {
    sessions.into_iter().map(|session| round(session.advance())).collect()
}

pub fn round(progress: Result<Progress<Sum>, Stopped>) -> Step<Sum> {
    match progress {
        Ok(Progress::Round(step)) => step,
        other => panic!("expected a new round, got {other:?}"),
    }
}

pub fn aborted(progress: Result<Progress<Sum>, Stopped>) -> Abort {
    match progress {
        Err(stopped) => stopped.abort,
        other => panic!("expected an abort, got {other:?}"),
    }
}
