//! A run of a protocol among all parties: each has a runner, and packets go round as bytes.
//!
//! The loop is that of `quorate-runner`, taken apart: it times each piece of work, and lets demonstrations alter what is on
//! its way. All parties are in one process, so nothing is lost, and time stands still until nothing moves any more.

use core::error::Error;
use core::fmt;
use core::marker::PhantomData;
use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use getrandom::SysRng;
use quorate::runner::packet;
use quorate::runner::store::PacketId;
use quorate::runner::{
    App, Bounds, EndKind, Job, MemoryStore, OutgoingPacket, ReceiveOutcome, Refusal, RunEnd,
    Runner, StartOutcome, Store, Time,
};
use quorate::session::frame::Header;
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::session::zeroize::Zeroizing;
use quorate::session::{ParamError, Protocol, Stopped, To};
use quorate::{Abort, Parties, PartyId, SealKey, SessionId};
use quorate_examples::failure::Failure;

use super::form::Form;
pub use super::traffic::Letter;
use super::traffic::{Rejection, Traffic, count, header, reason};

/// The result of a run, of all parties together.
pub struct Run<T> {
    /// Each party's result, in ascending order of the parties.
    pub results: Vec<T>,
    /// The messages that went over the table.
    pub traffic: Traffic,
}

/// The time at which a run is given up: when nothing moves any more.
const DEADLINE: Time = 1;

/// Nothing is in the way of a wallet's own parties.
const BOUNDS: Bounds = Bounds { packet: 256 << 20, outbox: usize::MAX, ..Bounds::new(1_000) };

/// The parameters of a party, and the end of its run.
struct Desk<P: Protocol> {
    params: Option<P::Params>,
    /// None of results that are stored nowhere else than where `keep` puts them.
    form: Option<Form<P::Output>>,
    end: Option<RunEnd<P::Output>>,
}

impl<P: Protocol> App<P> for Desk<P> {
    fn params(&mut self, _: &Job) -> Option<P::Params> {
        self.params.take()
    }

    fn record(&mut self, _: &Job, end: RunEnd<P::Output>) -> Zeroizing<Vec<u8>> {
        let record = match (&end, &self.form) {
            (RunEnd::Done(output), Some(form)) => form.record(output),
            _ => Zeroizing::default(),
        };
        self.end = Some(end);
        record
    }
}

/// A party with what it brings along.
pub(crate) enum Seat<P: Protocol, S> {
    /// It runs.
    Runs { me: PartyId, key: Arc<SealKey>, store: S, params: P::Params },
    /// It has its result, and nobody needs anything of it any more.
    Over(P::Output),
}

/// A party in a run.
struct Player<P: Protocol, S> {
    /// None when nobody needs anything of it any more.
    runner: Option<Runner<P, S, Desk<P>>>,
    output: Option<P::Output>,
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
    run_with::<P>(parties, params, network, |_, _| Ok(()))
}

/// As [`run`], with a `keep` that is told of each party's result. The sessions are in no file, so that none can be restored,
/// and their id is known to nobody else: a run that is interrupted is begun anew.
///
/// # Errors
/// [`RunError`]; whoever has ended before has its result.
pub fn run_with<P: Protocol>(
    parties: &Parties,
    params: impl IntoIterator<Item = P::Params>,
    network: impl FnMut(&mut Letter),
    keep: impl FnMut(PartyId, &P::Output) -> Result<(), Failure>,
) -> Result<Run<P::Output>, RunError> {
    run_as::<P>(fresh_sid(), parties, params, network, keep)
}

/// A session id that was never used before: all parties have to agree on a name for their run.
#[must_use]
pub fn fresh_sid() -> SessionId {
    let mut sid = [0; 32];
    UnwrapErr(SysRng).fill_bytes(&mut sid);
    SessionId::new(sid)
}

/// As [`run_with`], under a session id that was made for this run.
///
/// # Errors
/// [`RunError`]; whoever has ended before has its result.
pub fn run_as<P: Protocol>(
    sid: SessionId,
    parties: &Parties,
    params: impl IntoIterator<Item = P::Params>,
    network: impl FnMut(&mut Letter),
    keep: impl FnMut(PartyId, &P::Output) -> Result<(), Failure>,
) -> Result<Run<P::Output>, RunError> {
    let mut rng = UnwrapErr(SysRng);
    let mut table = Table::<P, _, _>::new(sid, parties, network, keep);
    let mut players = Vec::new();
    for (me, params) in parties.iter().zip(params) {
        let key = Arc::new(SealKey::generate(&mut rng).map_err(|error| failed(&error))?);
        let seat = Seat::Runs { me, key, store: MemoryStore::new(), params };
        players.push(table.join(seat, None)?);
    }
    table.play(players)
}

/// Runs a protocol in the stores of its parties, from where it is there.
///
/// # Errors
/// [`RunError`]; the stores have what is needed to try again.
pub(crate) fn go_on<P: Protocol, S: Store<Error: fmt::Display>>(
    (sid, parties): (SessionId, &Parties),
    seats: Vec<Seat<P, S>>,
    form: Form<P::Output>,
    keep: impl FnMut(PartyId, &P::Output) -> Result<(), Failure>,
) -> Result<Run<P::Output>, RunError> {
    let mut table = Table::<P, _, _>::new(sid, parties, |_: &mut Letter| {}, keep);
    let mut players = Vec::new();
    for seat in seats {
        players.push(table.join(seat, Some(form))?);
    }
    table.play(players)
}

/// The packets under way between the parties.
struct Table<P, N, K> {
    job: Job,
    network: N,
    keep: K,
    mail: BTreeMap<PartyId, Vec<(PartyId, Vec<u8>)>>,
    /// What has become of each broadcast on its way: the same for all.
    broadcasts: BTreeMap<PacketId, (To, Vec<u8>)>,
    traffic: Traffic,
    now: Time,
    protocol: PhantomData<P>,
}

impl<P, N, K> Table<P, N, K>
where
    P: Protocol,
    N: FnMut(&mut Letter),
    K: FnMut(PartyId, &P::Output) -> Result<(), Failure>,
{
    fn new(sid: SessionId, parties: &Parties, network: N, keep: K) -> Self {
        let job = Job { sid, parties: parties.clone(), body: Vec::new(), deadline: DEADLINE };
        let (mail, broadcasts, traffic) = (BTreeMap::new(), BTreeMap::new(), Traffic::default());
        Self { job, network, keep, mail, broadcasts, traffic, now: 0, protocol: PhantomData }
    }

    /// A party that begins its run, goes on with it, or has ended it and has messages that others may need.
    fn join<S: Store<Error: fmt::Display>>(
        &mut self,
        seat: Seat<P, S>,
        form: Option<Form<P::Output>>,
    ) -> Result<Player<P, S>, RunError> {
        let (me, key, store, params) = match seat {
            Seat::Runs { me, key, store, params } => (me, key, store, params),
            Seat::Over(output) => return Ok(Player { runner: None, output: Some(output) }),
        };
        let clock = Instant::now();
        let desk = Desk { params: Some(params), form, end: None };
        let mut runner = Runner::new(me, key, (store, desk), BOUNDS).map_err(stop)?;
        let started = runner.start(&self.job, self.now, &mut UnwrapErr(SysRng)).map_err(stop)?;
        let (time, output) = match started {
            StartOutcome::Begun => (Some(clock.elapsed()), None),
            StartOutcome::Running => (None, None),
            StartOutcome::Ended(outcome) if outcome.kind == EndKind::Done => {
                let form = form.ok_or_else(|| failed("its form is not known"))?;
                let output = form.open(&outcome.record).map_err(RunError::Failed)?;
                (self.keep)(me, &output).map_err(RunError::Failed)?;
                (None, Some(output))
            }
            StartOutcome::Ended(_) => return Err(RunError::Failed(over(me, "it was given up"))),
        };
        self.post(&mut runner, time)?;
        Ok(Player { runner: Some(runner), output })
    }

    fn play<S: Store<Error: fmt::Display>>(
        mut self,
        mut players: Vec<Player<P, S>>,
    ) -> Result<Run<P::Output>, RunError> {
        while players.iter().any(|player| player.output.is_none()) {
            let mut moved = false;
            for player in &mut players {
                moved |= self.turn(player)?;
            }
            if !moved && self.now == DEADLINE {
                return Err(failed("nobody waits, and somebody has no result"));
            }
            if !moved {
                // Nobody has anything left to say, and somebody waits.
                self.now = DEADLINE;
            }
        }
        let results = players.into_iter().filter_map(|player| player.output).collect();
        Ok(Run { results, traffic: self.traffic })
    }

    /// A party takes what is for it, checks it, and moves on if it can.
    fn turn<S: Store<Error: fmt::Display>>(
        &mut self,
        player: &mut Player<P, S>,
    ) -> Result<bool, RunError> {
        let Some(runner) = &mut player.runner else { return Ok(false) };
        let (mut clock, me) = (Instant::now(), runner.me());
        let arrived = self.mail.remove(&me).unwrap_or_default();
        let moved = !arrived.is_empty();
        for (from, packet) in arrived {
            let outcome = runner.receive(from, &packet, self.now).map_err(stop)?;
            // A packet that is refused does not harm the run: it waits for a better one.
            if let ReceiveOutcome::Refused(refused) = outcome
                && refused != Refusal::OtherParameters
            {
                let why = reason::<P>(me, from, &packet);
                count(&mut self.traffic.rejected, Rejection { by: me, from, why, count: 1 });
            }
        }
        while let Some(work) = runner.next_work(self.now).map_err(stop)? {
            let ended = runner.finish(work.run()).map_err(stop)?.is_some();
            let time = clock.elapsed();
            clock = Instant::now();
            if ended {
                player.output = Some(self.end(me, runner.app().end.take(), time)?);
            }
            self.post(runner, Some(time))?;
        }
        self.post(runner, None)?;
        Ok(moved)
    }

    /// The result of a party whose run has ended.
    fn end(
        &mut self,
        by: PartyId,
        end: Option<RunEnd<P::Output>>,
        time: Duration,
    ) -> Result<P::Output, RunError> {
        match end {
            Some(RunEnd::Done(output)) => {
                (self.keep)(by, &output).map_err(RunError::Failed)?;
                let end = P::ROUNDS.saturating_add(1);
                self.traffic.rounds.entry(end).or_default().times.push((by, time));
                Ok(output)
            }
            Some(RunEnd::Stopped { stopped: Stopped { abort: mut why, .. }, .. }) => {
                // What the runner has refused no session has seen.
                if let Abort::Missing { rejected, .. } = &mut why {
                    let own = self.traffic.rejected.iter().filter(|one| one.by == by);
                    rejected.extend(own.map(Rejection::of_session));
                }
                Err(RunError::Aborted { by, why })
            }
            Some(RunEnd::Lost(why)) => Err(RunError::Failed(over(by, &why))),
            _ => Err(RunError::Failed(over(by, "its end is not known"))),
        }
    }

    /// Puts a party's packets on the table. With the time that it took to make them they count as traffic.
    fn post<S: Store<Error: fmt::Display>>(
        &mut self,
        runner: &mut Runner<P, S, Desk<P>>,
        time: Option<Duration>,
    ) -> Result<(), RunError> {
        let (mut made, me) = (None, runner.me());
        for OutgoingPacket { to, bytes } in runner.outgoing(self.now, usize::MAX).map_err(stop)? {
            let packet = match header(&bytes) {
                Some(header) => {
                    made = made.max(Some(header.round.get()));
                    match self.pass(&header, &bytes, time.is_some()) {
                        (To::Only(other), _) if other != to => continue,
                        (_, packet) => packet,
                    }
                }
                None => bytes.to_vec(),
            };
            self.mail.entry(to).or_default().push((me, packet));
        }
        if let (Some(round), Some(time)) = (made, time) {
            self.traffic.rounds.entry(round).or_default().times.push((me, time));
        }
        Ok(())
    }

    /// A frame on its way: to whom it goes, and as what.
    fn pass(&mut self, header: &Header, packet: &[u8], counts: bool) -> (To, Vec<u8>) {
        let id = packet::id(packet);
        if let Some(same) = self.broadcasts.get(&id) {
            return same.clone();
        }
        let (kind, frame) = packet.split_at(1);
        if counts {
            let sent = self.traffic.rounds.entry(header.round.get()).or_default();
            let sizes = if header.to.is_none() { &mut sent.broadcasts } else { &mut sent.directs };
            sizes.push(frame.len());
        }
        let to = header.to.map_or(To::Everyone, To::Only);
        let mut letter = Letter { from: header.from, to, bytes: frame.to_vec() };
        (self.network)(&mut letter);
        let passed = (letter.to, [kind, &letter.bytes].concat());
        if header.to.is_none() {
            self.broadcasts.insert(id, passed.clone());
        }
        passed
    }
}

/// The failure of a runner.
fn stop<E: fmt::Display>(error: quorate::runner::Error<E>) -> RunError {
    match error {
        quorate::runner::Error::Params(error) => RunError::Params(error),
        quorate::runner::Error::Store(error) => failed(&error),
        other => failed(&other),
    }
}

fn failed(why: &(impl fmt::Display + ?Sized)) -> RunError {
    RunError::Failed(Failure::new(why.to_string()))
}

/// A run that has ended, and whose result is not there.
pub(crate) fn over(party: PartyId, why: &str) -> Failure {
    Failure::new(format!(
        "a session of party {party} has ended, and its result is not there ({why}): it is not started again, for it would \
         answer twice. Make another wallet"
    ))
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
