//! A run of a protocol among all parties: each has a runner, and packets go round as bytes.
//!
//! The loop is that of `quorate-runner`, taken apart: it times each piece of work, and lets demonstrations alter messages on
//! their way. All parties are in one process, so no message is lost. The clock moves once, to the deadline, when no party
//! has anything left to send.

mod form;

use core::error::Error;
use core::fmt;
use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use getrandom::SysRng;
use quorate::runner::packet;
use quorate::runner::store::PacketId;
use quorate::runner::{
    self, App, Bounds, Continuity, EndKind, Job, MemoryStore, OutgoingPacket, ReceiveOutcome,
    Refusal, RunEnd, Runner, StartOutcome, Store, Time,
};
use quorate::session::frame::Header;
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::session::zeroize::Zeroizing;
use quorate::session::{Protocol, To};
use quorate::{Abort, Parties, PartyId, SealKey, SessionId};
use quorate_examples::{Failure, Result};

pub(crate) use self::form::Form;
pub use super::traffic::Message;
use super::traffic::{Traffic, header, reason};

/// The result of a run, of all parties together.
pub struct Run<T> {
    /// Each party's result, in ascending order of the parties.
    pub results: Vec<T>,
    /// The messages that were sent.
    pub traffic: Traffic,
}

impl<T> Run<T> {
    /// The result of the first party, for results that are the same for all.
    pub(crate) fn first(&self) -> Result<&T> {
        self.results.first().ok_or_else(|| Failure::new("there are no parties"))
    }
}

/// A session id that was never used before: all parties have to agree on a name for their run.
#[must_use]
pub fn fresh_sid() -> SessionId {
    let mut sid = [0; 32];
    UnwrapErr(SysRng).fill_bytes(&mut sid);
    SessionId::new(sid)
}

/// The deadline of every run, which the clock reaches when no party has anything left to send.
const DEADLINE: Time = 1;

/// Bounds that are too wide to stop a wallet's own parties.
const BOUNDS: Bounds = Bounds { packet: 256 << 20, outbox: usize::MAX, ..Bounds::new(1_000) };

/// The parameters of a party, and the end of its run.
struct PartyApp<P: Protocol> {
    params: Option<P::Params>,
    /// The stored form of the result; none if only `keep` stores it.
    form: Option<Form<P::Output>>,
    end: Option<RunEnd<P::Output>>,
    result: Option<P::Output>,
}

impl<P: Protocol> App<P> for PartyApp<P> {
    type Record = Zeroizing<Vec<u8>>;

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

/// A party before a run, with its inputs.
pub(crate) struct PartyInputs<P: Protocol, S> {
    pub(crate) me: PartyId,
    pub(crate) key: Arc<SealKey>,
    pub(crate) store: S,
    pub(crate) params: P::Params,
}

/// A party in a run.
type PartyRunner<P, S> = Runner<S, PartyApp<P>>;

/// Runs a protocol from its start to its end, under a fresh session id and in memory: a run that is interrupted is begun anew.
///
/// `params` are those of each party, in ascending order of the parties. `network` sees every message on its way and may alter
/// it, which is only for demonstrations.
pub fn run<P: Protocol>(
    parties: &Parties,
    params: impl IntoIterator<Item = P::Params>,
    network: impl FnMut(&mut Message),
) -> Result<Run<P::Output>, RunError> {
    run_as::<P>(fresh_sid(), parties, params, network, |_, _| Ok(()))
}

/// As [`run`], under a session id that was made for this run. `keep` gets each party's result.
pub fn run_as<P: Protocol>(
    sid: SessionId,
    parties: &Parties,
    params: impl IntoIterator<Item = P::Params>,
    mut network: impl FnMut(&mut Message),
    mut keep: impl FnMut(PartyId, &P::Output) -> Result,
) -> Result<Run<P::Output>, RunError> {
    let key = || SealKey::generate(&mut UnwrapErr(SysRng)).map(Arc::new).map_err(failed);
    let one = |(me, params): (_, P::Params)| {
        Ok(PartyInputs { me, key: key()?, store: MemoryStore::new(), params })
    };
    let inputs = parties.iter().zip(params).map(one).collect::<Result<Vec<_>, RunError>>()?;
    resume::<P, _>((sid, parties), inputs, None, &mut network, &mut keep)
}

/// Runs a protocol in the stores of its parties, from the point that each has stored. If it fails, the stores have what is
/// needed to try again.
pub(crate) fn resume<P: Protocol, S: Store<Error: fmt::Display>>(
    (sid, parties): (SessionId, &Parties),
    inputs: Vec<PartyInputs<P, S>>,
    form: Option<Form<P::Output>>,
    network: &mut dyn FnMut(&mut Message),
    keep: &mut dyn FnMut(PartyId, &P::Output) -> Result,
) -> Result<Run<P::Output>, RunError> {
    let job = Job { sid, parties: parties.clone(), body: Vec::new(), deadline: DEADLINE };
    let (mail, broadcasts, traffic) = (BTreeMap::new(), BTreeMap::new(), Traffic::default());
    let mut exchange = Exchange { job, form, network, keep, mail, broadcasts, traffic, now: 0 };
    let runners = inputs.into_iter().map(|one| exchange.join(one));
    let mut runners = runners.collect::<Result<Vec<_>, _>>()?;
    while runners.iter_mut().any(|runner| runner.app().result.is_none()) {
        let mut moved = false;
        for runner in &mut runners {
            moved |= exchange.turn(runner)?;
        }
        if !moved && exchange.now == DEADLINE {
            return Err(failed("nobody waits, and somebody has no result"));
        }
        if !moved {
            // No party has anything left to send, and some party still waits.
            exchange.now = DEADLINE;
        }
    }
    let results = runners.iter_mut().filter_map(|runner| runner.app().result.take()).collect();
    Ok(Run { results, traffic: exchange.traffic })
}

/// The packets under way between the parties.
struct Exchange<'a, P: Protocol> {
    job: Job,
    form: Option<Form<P::Output>>,
    network: &'a mut dyn FnMut(&mut Message),
    keep: &'a mut dyn FnMut(PartyId, &P::Output) -> Result,
    mail: BTreeMap<PartyId, Vec<(PartyId, Vec<u8>)>>,
    /// The form of each broadcast after `network` saw it, the same for all recipients.
    broadcasts: BTreeMap<PacketId, (To, Vec<u8>)>,
    traffic: Traffic,
    now: Time,
}

impl<P: Protocol> Exchange<'_, P> {
    /// Opens the runner of a party. It begins its run, resumes it, or, if the run has ended, sends its messages again.
    fn join<S: Store<Error: fmt::Display>>(
        &mut self,
        one: PartyInputs<P, S>,
    ) -> Result<PartyRunner<P, S>, RunError> {
        let PartyInputs { me, key, store, params } = one;
        let clock = Instant::now();
        let app = PartyApp { params: Some(params), form: self.form, end: None, result: None };
        // A wallet's folder is never copied or restored, by its rules.
        let continuity = Continuity::Operator;
        let builder = Runner::builder(me, key, continuity).protocol::<P>().bounds(BOUNDS);
        let mut runner = builder.open(store, app)?;
        let started = runner.start::<P>(&self.job, self.now, &mut UnwrapErr(SysRng))?;
        let mut time = None;
        match started {
            StartOutcome::Begun => time = Some(clock.elapsed()),
            StartOutcome::Running => {}
            StartOutcome::Ended(outcome) if outcome.kind == EndKind::Done => {
                let form = self.form.ok_or_else(|| failed("its form is not known"))?;
                let output = form.open(&outcome.record_bytes)?;
                (self.keep)(me, &output)?;
                runner.app().result = Some(output);
            }
            StartOutcome::Ended(_) => return Err(lost_result(me, "it was given up").into()),
        }
        self.post(&mut runner, time)?;
        Ok(runner)
    }

    /// Gives a party its packets, which it checks, and lets it move on if it can.
    fn turn<S: Store<Error: fmt::Display>>(
        &mut self,
        runner: &mut PartyRunner<P, S>,
    ) -> Result<bool, RunError> {
        let (mut clock, me) = (Instant::now(), runner.id());
        let arrived = self.mail.remove(&me).unwrap_or_default();
        let moved = !arrived.is_empty();
        for (from, packet) in arrived {
            // A packet that is refused does not harm the run: it waits for a better one.
            if let ReceiveOutcome::Refused(refused) = runner.receive(from, &packet, self.now)?
                && refused != Refusal::OtherParameters
            {
                self.traffic.reject(me, from, reason::<P>(me, from, &packet));
            }
        }
        while let Some(work) = runner.next_work(self.now)? {
            let ended = runner.finish(work.run())?.is_some();
            let time = clock.elapsed();
            clock = Instant::now();
            if ended {
                let end = runner.app().end.take();
                runner.app().result = Some(self.end(me, end, time)?);
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
                (self.keep)(by, &output)?;
                self.traffic.round(P::ROUNDS.saturating_add(1)).times.push((by, time));
                Ok(output)
            }
            // All parties are in this process: if one of them lacks its result, none of them uses theirs.
            Some(
                RunEnd::Unconfirmed { abort: mut why, .. } | RunEnd::Stopped { abort: mut why, .. },
            ) => {
                // The session has not seen packets that the runner refused.
                if let Abort::Missing { rejected, .. } = &mut why {
                    let own = self.traffic.rejected.iter().filter(|(to, _)| *to == by);
                    rejected.extend(own.map(|(_, rejection)| *rejection));
                }
                Err(RunError::Aborted { by, why })
            }
            Some(RunEnd::Lost(why)) => Err(lost_result(by, &why).into()),
            Some(RunEnd::Discontinued) | None => {
                Err(lost_result(by, "its end is not known").into())
            }
        }
    }

    /// Sends a party's packets. `time` is how long it took to make them; without it they do not count as traffic.
    fn post<S: Store<Error: fmt::Display>>(
        &mut self,
        runner: &mut PartyRunner<P, S>,
        time: Option<Duration>,
    ) -> Result<(), RunError> {
        let (mut made, me) = (None, runner.id());
        for OutgoingPacket { to, bytes } in runner.outgoing(self.now, usize::MAX)? {
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
            self.traffic.round(round).times.push((me, time));
        }
        Ok(())
    }

    /// Shows a frame to `network`. Returns its recipient and its packet as they are afterwards.
    fn pass(&mut self, header: &Header, packet: &[u8], counts: bool) -> (To, Vec<u8>) {
        let id = packet::id(packet);
        if let Some(same) = self.broadcasts.get(&id) {
            return same.clone();
        }
        let (kind, frame) = packet.split_at(1);
        if counts {
            let sent = self.traffic.round(header.round.get());
            let sizes = if header.to.is_none() { &mut sent.broadcasts } else { &mut sent.directs };
            sizes.push(frame.len());
        }
        let to = header.to.map_or(To::Everyone, To::Only);
        let mut passing = Message { from: header.from, to, bytes: frame.to_vec() };
        (self.network)(&mut passing);
        let passed = (passing.to, [kind, &passing.bytes].concat());
        if header.to.is_none() {
            self.broadcasts.insert(id, passed.clone());
        }
        passed
    }
}

fn failed(why: impl fmt::Display) -> RunError {
    RunError::Failed(Failure::new(why.to_string()))
}

/// A run that has ended, and whose result is not there.
pub(crate) fn lost_result(party: PartyId, why: &str) -> Failure {
    Failure::new(format!(
        "a session of party {party} has ended, and its result is not there ({why}): it is not started again, for it would \
         answer twice. Make another wallet"
    ))
}

/// The reason why there is no result.
#[derive(Debug)]
pub enum RunError {
    /// A party ended the run. The others would wait for its next message, and have no result either.
    Aborted {
        /// The party that noticed.
        by: PartyId,
        /// The party's findings, and the parties to blame.
        why: Abort,
    },
    /// The run could not begin, or something could not be stored.
    Failed(Failure),
}

impl From<Failure> for RunError {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl<E: fmt::Display> From<runner::Error<E>> for RunError {
    fn from(error: runner::Error<E>) -> Self {
        match error {
            runner::Error::Store(error) => failed(error),
            other => failed(other),
        }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Aborted { by, why } => write!(f, "party {by} {why}"),
            Self::Failed(failure) => failure.fmt(f),
        }
    }
}

impl Error for RunError {}
