//! A run of a protocol among all parties: each runs a `Session`, and messages go round as bytes.

use core::error::Error;
use core::fmt;
use core::time::Duration;
use std::collections::BTreeMap;
use std::time::Instant;

use getrandom::SysRng;
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::session::{Outgoing, ParamError, Protocol, Sealed, Slot, Stopped, To};
use quorate::{Abort, Parties, PartyId, Progress, Rejected, Session, SessionId, Step};
use quorate_examples::failure::Failure;

/// The result of a run, of all parties together.
pub struct Run<T> {
    /// Each party's result, in ascending order of the parties.
    pub results: Vec<T>,
    /// The messages that went over the table.
    pub traffic: Traffic,
}

/// The messages of a run, since it was begun or gone on with.
#[derive(Default)]
pub struct Traffic {
    /// The messages of each round, and in the place after the last the work at the end.
    pub rounds: BTreeMap<u8, Sent>,
    /// The frames that were not taken.
    pub rejected: Vec<Rejection>,
}

/// The work of the parties in one round.
#[derive(Default)]
pub struct Sent {
    /// The size in bytes of each message to all other parties.
    pub broadcasts: Vec<usize>,
    /// The size in bytes of each message to one party.
    pub directs: Vec<usize>,
    /// The time that each party took to check the messages received and to make these.
    pub times: Vec<(PartyId, Duration)>,
}

/// Frames of one party that another did not take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// The party that did not take them.
    pub by: PartyId,
    /// The party that sent them.
    pub from: PartyId,
    /// The reason.
    pub why: Rejected,
    /// The number of frames.
    pub count: u32,
}

/// A message on its way.
pub struct Letter {
    /// The sender; a real transport has to authenticate it.
    pub from: PartyId,
    /// The recipient; a message for one party alone has to travel encrypted.
    pub to: To,
    /// The message.
    pub bytes: Vec<u8>,
}

/// The store that outlives the process. Called before anything leaves the party.
pub trait Keeper<P: Protocol> {
    /// A session has entered a round; before, it was at that slot.
    ///
    /// # Errors
    /// A [`Failure`]: then nothing may be sent.
    fn entered(&mut self, before: Option<Slot>, step: &Step<P>) -> Result<(), Failure>;

    /// A session has ended with this result.
    ///
    /// # Errors
    /// A [`Failure`]: then the result does not count.
    fn ended(
        &mut self,
        me: PartyId,
        before: Slot,
        output: &P::Output,
        tombstone: Sealed,
    ) -> Result<(), Failure>;

    /// A session has ended without a result.
    ///
    /// # Errors
    /// A [`Failure`].
    fn stopped(&mut self, me: PartyId, before: Slot, tombstone: Sealed) -> Result<(), Failure>;
}

/// Is told of each party's result, and keeps nothing else. The sessions are in no file, so that none can be restored,
/// and their id is known to nobody else: a run that is interrupted is begun anew.
pub(crate) struct Ended<F>(pub(crate) F);

impl<P: Protocol, F: FnMut(PartyId, &P::Output) -> Result<(), Failure>> Keeper<P> for Ended<F> {
    fn entered(&mut self, _: Option<Slot>, _: &Step<P>) -> Result<(), Failure> {
        Ok(())
    }

    fn ended(
        &mut self,
        me: PartyId,
        _: Slot,
        output: &P::Output,
        _: Sealed,
    ) -> Result<(), Failure> {
        (self.0)(me, output)
    }

    fn stopped(&mut self, _: PartyId, _: Slot, _: Sealed) -> Result<(), Failure> {
        Ok(())
    }
}

/// A party at the beginning of a run, or where it is gone on with.
pub struct Player<P: Protocol> {
    me: PartyId,
    /// With the slot that it was stored under; none when it is over.
    session: Option<(Session<P>, Slot)>,
    output: Option<P::Output>,
    /// All messages that it has sent so far.
    sent: Vec<Outgoing>,
}

impl<P: Protocol> Player<P> {
    /// A party whose session goes on, and everything that it has sent so far.
    pub fn going(session: Session<P>, sent: Vec<Outgoing>) -> Self {
        let slot = session.slot();
        Self { me: session.me(), session: Some((session, slot)), output: None, sent }
    }

    /// A party that has its result, and everything that it has sent, which others may need.
    pub fn over(me: PartyId, output: P::Output, sent: Vec<Outgoing>) -> Self {
        Self { me, session: None, output: Some(output), sent }
    }
}

/// Runs a protocol from its start to its end, under a fresh session id and in memory.
///
/// `params` are those of each party, in ascending order of the parties. `network` sees every
/// message on its way and may alter it: only for showing what happens then.
///
/// # Errors
/// [`RunError`]; nobody has a result.
pub fn run<P: Protocol>(
    parties: &Parties,
    params: impl IntoIterator<Item = P::Params>,
    network: impl FnMut(&mut Letter),
) -> Result<Run<P::Output>, RunError> {
    run_with::<P>(parties, params, network, Ended(|_, _: &P::Output| Ok(())))
}

/// As [`run`], with a keeper that is told of each party's end.
///
/// # Errors
/// [`RunError`]; whoever has ended before has its result.
pub fn run_with<P: Protocol>(
    parties: &Parties,
    params: impl IntoIterator<Item = P::Params>,
    network: impl FnMut(&mut Letter),
    keeper: impl Keeper<P>,
) -> Result<Run<P::Output>, RunError> {
    let mut rng = UnwrapErr(SysRng);
    // All parties have to agree on a name for this run that was never used before.
    let mut sid = [0; 32];
    rng.fill_bytes(&mut sid);
    let sid = SessionId::new(sid);
    let mut players = Vec::new();
    let mut table = Table::new(network, keeper);
    for (me, params) in parties.iter().zip(params) {
        let clock = Instant::now();
        let step = Session::<P>::start(sid, me, parties, params, &mut rng);
        players.push(table.enter(step.map_err(RunError::Params)?, clock.elapsed()));
    }
    table.play(players)
}

/// Runs a protocol from where its players are, with a keeper that has stored where that is.
///
/// # Errors
/// [`RunError`]; the keeper has what is needed to try again.
pub fn go_on<P: Protocol>(
    players: Vec<Player<P>>,
    keeper: impl Keeper<P>,
) -> Result<Run<P::Output>, RunError> {
    Table::new(|_: &mut Letter| {}, keeper).play(players)
}

/// The messages under way between the parties.
struct Table<N, K> {
    network: N,
    keeper: K,
    letters: Vec<Letter>,
    traffic: Traffic,
}

impl<N: FnMut(&mut Letter), K> Table<N, K> {
    fn new(network: N, keeper: K) -> Self {
        Self { network, keeper, letters: Vec::new(), traffic: Traffic::default() }
    }

    /// The player that has made this step, which took so long.
    fn enter<P: Protocol>(&mut self, step: Step<P>, time: Duration) -> Player<P> {
        let sent = self.traffic.rounds.entry(step.session.round().get()).or_default();
        sent.times.push((step.session.me(), time));
        for message in &step.outgoing {
            match message.to {
                To::Everyone => sent.broadcasts.push(message.bytes.len()),
                To::Only(_) => sent.directs.push(message.bytes.len()),
            }
        }
        Player::going(step.session, step.outgoing)
    }

    /// Puts a player's messages on the table.
    fn post<P: Protocol>(&mut self, player: &mut Player<P>) {
        for mut message in player.sent.drain(..) {
            let bytes = core::mem::take(&mut message.bytes);
            let mut letter = Letter { from: player.me, to: message.to, bytes };
            (self.network)(&mut letter);
            self.letters.push(letter);
        }
    }

    fn play<P: Protocol>(mut self, mut players: Vec<Player<P>>) -> Result<Run<P::Output>, RunError>
    where
        K: Keeper<P>,
    {
        // How many of the letters each has seen.
        let mut read = vec![0; players.len()];
        players.iter_mut().for_each(|player| self.post(player));
        loop {
            let mut moved = false;
            for (player, read) in players.iter_mut().zip(&mut read) {
                moved |= self.turn(player, read)?;
            }
            if players.iter().all(|player| player.session.is_none()) {
                break;
            }
            if !moved {
                return Err(stuck(players));
            }
        }
        let results = players.into_iter().filter_map(|player| player.output);
        let results = results.collect();
        Ok(Run { results, traffic: self.traffic })
    }

    /// A party takes what is for it, checks it, and moves on if it can.
    fn turn<P: Protocol>(
        &mut self,
        player: &mut Player<P>,
        read: &mut usize,
    ) -> Result<bool, RunError>
    where
        K: Keeper<P>,
    {
        let Some((mut session, before)) = player.session.take() else { return Ok(false) };
        let (me, clock) = (player.me, Instant::now());
        let letters = self.letters.get(*read..).unwrap_or_default();
        *read = self.letters.len();
        for letter in letters.iter().filter(|letter| letter.is_for(me)) {
            // A frame that is rejected does not harm the run: it waits for a better one.
            if let Err(why) = session.receive(letter.from, &letter.bytes) {
                count(
                    &mut self.traffic.rejected,
                    Rejection { by: me, from: letter.from, why, count: 1 },
                );
            }
        }
        let mut progress = session.advance();
        while let Ok(Progress::Working(more)) = progress {
            progress = more.advance();
        }
        let progress = match progress {
            Ok(progress) => progress,
            Err(Stopped { abort: why, tombstone, .. }) => {
                self.keeper.stopped(me, before, tombstone).map_err(RunError::Failed)?;
                return Err(RunError::Aborted { by: me, why });
            }
        };
        let time = clock.elapsed();
        match progress {
            Progress::Waiting(session) | Progress::Working(session) => {
                player.session = Some((session, before));
                return Ok(false);
            }
            Progress::Round(step) => {
                self.keeper.entered(Some(before), &step).map_err(RunError::Failed)?;
                *player = self.enter(step, time);
                self.post(player);
            }
            Progress::Done { output, tombstone } => {
                self.keeper.ended(me, before, &output, tombstone).map_err(RunError::Failed)?;
                let end = P::ROUNDS.saturating_add(1);
                self.traffic.rounds.entry(end).or_default().times.push((me, time));
                player.output = Some(output);
            }
        }
        Ok(true)
    }
}

fn count(rejected: &mut Vec<Rejection>, new: Rejection) {
    let same = |old: &&mut Rejection| (old.by, old.from, old.why) == (new.by, new.from, new.why);
    match rejected.iter_mut().find(same) {
        Some(old) => old.count = old.count.saturating_add(1),
        None => rejected.push(new),
    }
}

impl Letter {
    fn is_for(&self, party: PartyId) -> bool {
        match self.to {
            To::Everyone => self.from != party,
            To::Only(to) => to == party,
        }
    }
}

/// Nobody has anything left to say, and somebody waits.
fn stuck<P: Protocol>(players: Vec<Player<P>>) -> RunError {
    match players.into_iter().find_map(|player| player.session) {
        Some((session, _)) => RunError::Aborted { by: session.me(), why: session.give_up().abort },
        None => RunError::Failed(Failure::new("nobody waits, and nobody has a result")),
    }
}

/// The reason why there is no result.
#[derive(Debug)]
pub enum RunError {
    /// It could not begin.
    Params(ParamError),
    /// A party ended the run. The others would wait for its next message, and have no result either.
    Aborted {
        /// The party that noticed.
        by: PartyId,
        /// The party's findings, and who is to blame.
        why: Abort,
    },
    /// Something could not be stored.
    Failed(Failure),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Params(error) => error.fmt(f),
            Self::Aborted { by, why } => write!(f, "party {by} {why}"),
            Self::Failed(failure) => failure.fmt(f),
        }
    }
}

impl Error for RunError {}
