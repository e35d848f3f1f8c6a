//! A run of a protocol among all parties: each runs a `Session`, and messages go round as bytes.

use core::error::Error;
use core::fmt;
use core::time::Duration;
use std::time::Instant;

use getrandom::SysRng;
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::session::{ParamError, Protocol, Round, To};
use quorate::{Abort, Parties, PartyId, Progress, Session, SessionId};

/// What a run gives, of all parties together.
pub struct Run<T> {
    /// Each party's result, in ascending order of the parties.
    pub results: Vec<T>,
    /// What was sent on the way.
    pub rounds: Vec<Sent>,
}

/// What the parties did in one round.
#[derive(Default)]
pub struct Sent {
    /// The size in bytes of each message to all other parties.
    pub broadcasts: Vec<usize>,
    /// The size in bytes of each message to one party.
    pub directs: Vec<usize>,
    /// How long each party took to check what it had received and to make these messages.
    pub times: Vec<(PartyId, Duration)>,
}

/// A message on its way.
pub struct Letter {
    /// Who sent it; a real transport has to authenticate that.
    pub from: PartyId,
    /// Whom it is for; what is for one party alone has to travel encrypted.
    pub to: To,
    /// The round that it is of.
    pub round: Round,
    /// The message.
    pub bytes: Vec<u8>,
}

/// Runs a protocol from its start to its end.
///
/// `params` are those of each party, in ascending order of the parties. `network` sees every
/// message on its way and may alter it: only for showing what happens then.
///
/// # Errors
/// [`RunError`]; nobody has a result.
pub fn run<P: Protocol>(
    parties: &Parties,
    params: impl IntoIterator<Item = P::Params>,
    mut network: impl FnMut(&mut Letter),
) -> Result<Run<P::Output>, RunError> {
    let mut rng = UnwrapErr(SysRng);
    // All parties have to agree on a name for this run that was never used before.
    let mut sid = [0; 32];
    rng.fill_bytes(&mut sid);
    let sid = SessionId::new(sid);

    // Each party starts, and has its first messages to send.
    let mut sent = Sent::default();
    let mut steps = Vec::new();
    for (me, params) in parties.iter().zip(params) {
        let clock = Instant::now();
        let step = Session::<P>::start(sid, me, parties, params, &mut rng);
        steps.push(step.map_err(RunError::Params)?);
        sent.times.push((me, clock.elapsed()));
    }

    let mut results = Vec::new();
    let mut rounds = Vec::new();
    // All parties finish in the same round.
    while results.is_empty() {
        // What all parties send in this round.
        let mut letters = Vec::new();
        let mut sessions = Vec::new();
        for step in steps.drain(..) {
            let (from, round) = (step.session.me(), step.session.round());
            for message in step.outgoing {
                sent.count(&message.to, message.bytes.len());
                let mut letter = Letter { from, to: message.to, round, bytes: message.bytes };
                network(&mut letter);
                letters.push(letter);
            }
            sessions.push(step.session);
        }
        rounds.push(core::mem::take(&mut sent));

        // Each party takes what is for it, checks it, and moves on.
        for mut session in sessions {
            let me = session.me();
            let clock = Instant::now();
            for letter in letters.iter().filter(|letter| letter.is_for(me)) {
                // A frame that is rejected does not harm the run: it waits for a better one.
                session.receive(letter.from, &letter.bytes).ok();
            }
            let mut progress = session.advance();
            while let Ok(Progress::Working(more)) = progress {
                progress = more.advance();
            }
            sent.times.push((me, clock.elapsed()));
            let aborted = |why| RunError::Aborted { by: me, why };
            match progress.map_err(|stopped| aborted(stopped.abort))? {
                Progress::Round(step) => steps.push(step),
                Progress::Waiting(session) | Progress::Working(session) => {
                    return Err(aborted(session.give_up().abort));
                }
                Progress::Done { output, .. } => results.push(output),
            }
        }
    }
    rounds.push(sent);
    Ok(Run { results, rounds })
}

impl Letter {
    fn is_for(&self, party: PartyId) -> bool {
        match self.to {
            To::Everyone => self.from != party,
            To::Only(to) => to == party,
        }
    }
}

impl Sent {
    fn count(&mut self, to: &To, bytes: usize) {
        match to {
            To::Everyone => self.broadcasts.push(bytes),
            To::Only(_) => self.directs.push(bytes),
        }
    }
}

/// Why there is no result.
#[derive(Debug)]
pub enum RunError {
    /// It could not begin.
    Params(ParamError),
    /// A party ended the run. The others would wait for its next message, and have no result either.
    Aborted {
        /// The party that noticed.
        by: PartyId,
        /// What it noticed, and who is to blame.
        why: Abort,
    },
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Params(error) => error.fmt(f),
            Self::Aborted { by, why } => write!(f, "party {by} {why}"),
        }
    }
}

impl Error for RunError {}
