//! A run of a protocol among all parties: each has a session, and frames go round as bytes.
//!
//! The loop is that of every program with a [`Session`]: seal, store, send, receive, advance. It times each piece of work, and
//! lets demonstrations alter messages on their way. All parties are in one process, so no message is lost, and a party that
//! still waits when nobody has anything left to send gives up.

use core::error::Error;
use core::fmt;
use core::time::Duration;
use std::time::Instant;

use getrandom::SysRng;
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::session::zeroize::Zeroizing;
use quorate::session::{Outgoing, Protocol, Sealed, To};
use quorate::{
    Parties, PartyId, Progress, SealKey, Session, SessionId, Step, Stopped, Unconfirmed,
};
use quorate_examples::{Failure, Result, bail, failure};

use super::sessions::SessionFile;
pub use super::traffic::Message;
use super::traffic::Traffic;

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
        self.results.first().ok_or_else(|| failure!("there are no parties"))
    }
}

/// A session id that was never used before: all parties have to agree on a name for their run.
#[must_use]
pub fn fresh_sid() -> SessionId {
    let mut sid = [0; 32];
    UnwrapErr(SysRng).fill_bytes(&mut sid);
    SessionId::new(sid)
}

/// The file of a party's session, and the way to write a result into it and to read it: as a [`Record`](quorate::session::Record).
pub(crate) type Stored<T> = (SessionFile, fn(&T) -> Zeroizing<Vec<u8>>, fn(&[u8]) -> Option<T>);

/// A party in a run.
struct Seat<P: Protocol> {
    me: PartyId,
    /// None in a run that is begun anew when it is interrupted.
    stored: Option<Stored<P::Output>>,
    session: Option<Session<P>>,
    result: Option<P::Output>,
}

impl<P: Protocol> Seat<P> {
    /// Stores what `seal` makes of the session, the messages that are sent next, and the result if there is one.
    fn store(&mut self, seal: impl FnOnce(&SealKey) -> Sealed, sent: &[Outgoing]) -> Result {
        let Some((file, to_bytes, _)) = &mut self.stored else { return Ok(()) };
        let record = self.result.as_ref().map(to_bytes).unwrap_or_default();
        file.write(seal(file.key()), sent, &record)
    }
}

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
    let params = params.into_iter().map(|params| (params, None));
    resume::<P>((sid, parties), params, &mut network, &mut keep)
}

/// Runs a protocol from the point that each party has stored. If it fails, the files have what is needed to try again.
pub(crate) fn resume<P: Protocol>(
    run: (SessionId, &Parties),
    params: impl IntoIterator<Item = (P::Params, Option<Stored<P::Output>>)>,
    network: &mut dyn FnMut(&mut Message),
    keep: &mut dyn FnMut(PartyId, &P::Output) -> Result,
) -> Result<Run<P::Output>, RunError> {
    let (mail, traffic) = (Vec::new(), Traffic::default());
    let mut exchange = Exchange::<P> { run, network, keep, mail, traffic };
    let mut seats = Vec::new();
    for (me, (params, stored)) in run.1.iter().zip(params) {
        seats.push(exchange.join(me, params, stored)?);
    }
    while seats.iter().any(|seat| seat.result.is_none()) {
        let mail = core::mem::take(&mut exchange.mail);
        for seat in &mut seats {
            match seat.session.take() {
                // No party has anything left to send, and this one still waits.
                Some(session) if mail.is_empty() => {
                    return Err(exchange.over(seat, session.give_up()));
                }
                Some(session) => exchange.turn(seat, session, &mail)?,
                None => {}
            }
        }
    }
    let results = seats.into_iter().filter_map(|seat| seat.result).collect();
    Ok(Run { results, traffic: exchange.traffic })
}

/// The frames under way between the parties.
struct Exchange<'a, P: Protocol> {
    run: (SessionId, &'a Parties),
    network: &'a mut dyn FnMut(&mut Message),
    keep: &'a mut dyn FnMut(PartyId, &P::Output) -> Result,
    mail: Vec<Message>,
    traffic: Traffic,
}

impl<P: Protocol> Exchange<'_, P> {
    /// Begins a party's session, opens it, or, if it has ended, takes its result from the file. What was sent before is sent
    /// again.
    fn join(
        &mut self,
        me: PartyId,
        params: P::Params,
        stored: Option<Stored<P::Output>>,
    ) -> Result<Seat<P>> {
        let (clock, (sid, parties)) = (Instant::now(), self.run);
        let mut seat = Seat { me, stored, session: None, result: None };
        let found = seat.stored.as_ref();
        let Some((file, open, sealed)) =
            found.and_then(|(file, _, open)| Some((file, open, file.session()?)))
        else {
            let step = Session::start(sid, me, parties, params, &mut UnwrapErr(SysRng))?;
            seat.session = Some(self.post(&mut seat, step, clock.elapsed())?);
            return Ok(seat);
        };
        if !sealed.is_tombstone() {
            seat.session = Some(Session::open(sealed, params, file.key())?.session);
        } else if let Some(record) = file.record() {
            let output = open(record).ok_or_else(|| failure!("party {me}'s result is damaged"))?;
            (self.keep)(me, &output)?;
            seat.result = Some(output);
        } else {
            bail!(
                "a session of party {me} has ended, and its result is not there: it is not started again, for it would \
                 answer twice. If the wallet was complete, restore public.key from a copy; if not, make another wallet"
            );
        }
        file.sent().iter().for_each(|message| self.send(me, message));
        Ok(seat)
    }

    /// Gives a party its frames, which it checks, and lets it move on as far as it can.
    fn turn(
        &mut self,
        seat: &mut Seat<P>,
        mut session: Session<P>,
        mail: &[Message],
    ) -> Result<(), RunError> {
        let (mut clock, me) = (Instant::now(), seat.me);
        let mine = |message: &&Message| match message.to {
            To::Everyone => message.from != me,
            To::Only(to) => to == me,
        };
        for Message { from, bytes, .. } in mail.iter().filter(mine) {
            // A frame that is refused is counted, and does not harm the run: it waits for a better one.
            session.receive(*from, bytes).ok();
        }
        self.traffic.rejected.insert(me, session.rejections());
        loop {
            session = match session.advance() {
                Ok(Progress::Working(session)) => session,
                Ok(Progress::Round(step)) => {
                    let session = self.post(seat, step, clock.elapsed())?;
                    clock = Instant::now();
                    session
                }
                Ok(Progress::Waiting(session)) => {
                    seat.session = Some(session);
                    return Ok(());
                }
                Ok(Progress::Done { output, tombstone }) => {
                    let end = self.traffic.round(P::ROUNDS.saturating_add(1));
                    end.times.insert(me, clock.elapsed());
                    seat.result = Some(output);
                    seat.store(|_| tombstone, &[])?;
                    seat.result.iter().try_for_each(|output| (self.keep)(me, output))?;
                    return Ok(());
                }
                Ok(Progress::Unconfirmed(unconfirmed)) => {
                    return Err(self.over(seat, Ok(unconfirmed)));
                }
                Err(stopped) => return Err(self.over(seat, Err(stopped))),
            }
        }
    }

    /// The error of a party whose run has ended, which never begins again. All parties are in this process: if one of them
    /// lacks its result, or a confirmation of it, none of them uses theirs.
    fn over(&self, seat: &mut Seat<P>, end: Result<Unconfirmed<P::Output>, Stopped>) -> RunError {
        let (abort, tombstone) = match end {
            Ok(Unconfirmed { abort, tombstone, .. }) | Err(Stopped { abort, tombstone }) => {
                (abort, tombstone)
            }
        };
        match seat.store(|_| tombstone, &[]) {
            Ok(()) => {
                let (culprits, failure) =
                    (abort.culprits().collect(), failure!("party {} {abort}", seat.me));
                RunError { culprits, failure }
            }
            Err(failure) => failure.into(),
        }
    }

    /// Stores a party's session, and sends the messages that it took `time` to make.
    fn post(
        &mut self,
        seat: &mut Seat<P>,
        Step { session, outgoing }: Step<P>,
        time: Duration,
    ) -> Result<Session<P>> {
        seat.store(|key| session.seal(key), &outgoing)?;
        let sent = self.traffic.round(session.round().get());
        sent.times.insert(seat.me, time);
        for Outgoing { to, bytes } in &outgoing {
            let sizes = if *to == To::Everyone { &mut sent.broadcasts } else { &mut sent.directs };
            sizes.push(bytes.len());
        }
        outgoing.iter().for_each(|message| self.send(seat.me, message));
        Ok(session)
    }

    /// Shows a frame to `network`, and sends it as it is afterwards.
    fn send(&mut self, from: PartyId, Outgoing { to, bytes }: &Outgoing) {
        let mut message = Message { from, to: *to, bytes: bytes.clone() };
        (self.network)(&mut message);
        self.mail.push(message);
    }
}

/// The reason why there is no result.
#[derive(Debug)]
pub struct RunError {
    /// The parties to blame, if a party has ended the run for what others did. The others would wait for its next message, and
    /// have no result either.
    pub culprits: Vec<PartyId>,
    failure: Failure,
}

impl From<Failure> for RunError {
    fn from(failure: Failure) -> Self {
        Self { culprits: Vec::new(), failure }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.failure.fmt(f)
    }
}

impl Error for RunError {}
