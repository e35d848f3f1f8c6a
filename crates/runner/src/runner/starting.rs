//! Starting jobs.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use quorate_session::rand_core::CryptoRng;
use quorate_session::{
    Limits, Protocol, Round, SealError, Sealed, Session, SessionId, frame, zeroize::Zeroizing,
};

use super::{Error, Runner};
use crate::metrics::count_one;
use crate::store::{BeginOutcome, JobRow, NewRun, OutgoingMessage, RunRow, Store};
use crate::work::{Cached, CachedSession, Desk};
use crate::{App, Job, Kind, Outcome, Refusal, Time};

pub(crate) const JOB: &str = "runner job";
pub(crate) const OUTCOME: &str = "runner outcome";
/// Bytes that [`quorate_session::SealKey::seal_bytes`] adds.
const SEAL: usize = 84;

/// The outcome of [`Runner::start`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StartOutcome {
    /// The run has begun.
    Begun,
    /// The run had begun before, and is open.
    Running,
    /// The run had begun before, and has ended: its outcome.
    Ended(Outcome),
}

/// The outcome of [`Runner::prepare_start`].
#[derive(Debug)]
pub enum Starting {
    /// A new job, for [`Runner::start_all`].
    New(Box<NewJob>),
    /// The run had begun before.
    Known(StartOutcome),
}

/// The first step of a job, which is not stored yet.
#[must_use]
pub struct NewJob {
    kind: Kind,
    tag: frame::Tag,
    digest: [u8; 32],
    sealed_job: Vec<u8>,
    job: Job,
    sealed: Sealed,
    longest: usize,
    messages: Vec<OutgoingMessage>,
    cached: Box<dyn Cached>,
}

impl NewJob {
    fn run(&self) -> NewRun<'_> {
        let Self { kind, tag, digest, job, longest, .. } = self;
        NewRun {
            kind: *kind,
            sid: job.sid,
            tag: *tag,
            digest: *digest,
            job: &self.sealed_job,
            sealed: &self.sealed,
            deadline: job.deadline,
            longest: *longest,
            messages: &self.messages,
        }
    }
}

impl fmt::Debug for NewJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewJob").field("sid", &self.job.sid).finish_non_exhaustive()
    }
}

impl<S: Store, A> Runner<S, A> {
    /// Starts a job of the protocol `P`, once. A job that is delivered again begins nothing: it gives the outcome, if there is one.
    ///
    /// # Errors
    /// [`Error::Refused`]: [`Refusal::Busy`] and [`Refusal::Outbox`] mean "not yet", [`Refusal::OtherJob`],
    /// [`Refusal::Unregistered`] and [`Refusal::Late`] "no". [`Error::Params`], [`Error::Store`], [`Error::Seal`], [`Error::OtherKey`].
    pub fn start<P: Protocol>(
        &mut self,
        job: &Job,
        now: Time,
        rng: &mut impl CryptoRng,
    ) -> Result<StartOutcome, Error<S::Error>>
    where
        A: App<P>,
    {
        match self.prepare_start::<P>(job, 0, now, rng)? {
            Starting::Known(outcome) => Ok(outcome),
            Starting::New(new) => {
                let begun = self.store.begin(&new.run(), &self.bounds);
                self.begun(new, begun)
            }
        }
    }

    /// Makes the first step of a job, as [`start`](Self::start) does, and stores nothing: give it to
    /// [`start_all`](Self::start_all), with others. `before` is the number of jobs among these already.
    ///
    /// # Errors
    /// As for [`start`](Self::start).
    pub fn prepare_start<P: Protocol>(
        &mut self,
        job: &Job,
        before: usize,
        now: Time,
        rng: &mut impl CryptoRng,
    ) -> Result<Starting, Error<S::Error>>
    where
        A: App<P>,
    {
        self.is_open()?;
        self.now = now;
        let kind = Kind::of::<P>();
        if let Some(row) = self.store.job(&job.sid).map_err(Error::Store)? {
            return self.started(kind, job, &row).map(Starting::Known);
        }
        if !self.registry.has(kind) {
            return Err(self.refuse(Refusal::Unregistered));
        }
        if job.deadline <= now {
            return Err(self.refuse(Refusal::Late));
        }
        // The store checks it. Work that it would refuse is saved from a refusal on, until half of the places are free.
        if self.busy {
            let open = self.store.open_runs().map_err(Error::Store)?;
            self.busy = open.saturating_mul(2) >= self.bounds.open;
            if open.saturating_add(before) >= self.bounds.open {
                return Err(self.refuse(Refusal::Busy));
            }
        }
        let params = self.app.params(job).ok_or_else(|| self.refuse(Refusal::NoParams))?;
        let longest = longest::<P>(&params, job.parties.len());
        let bound = Session::<P>::bound(job.sid, &job.parties, |binding| P::bind(&params, binding));
        let step = Session::<P>::start(job.sid, self.me, &job.parties, params, rng);
        let step = step.map_err(Error::Params)?;
        let sealed = step.session.seal(&self.key);
        let until = job.deadline.saturating_add(self.bounds.linger);
        let desk = Desk { me: self.me, key: &self.key, now, until };
        let mut messages = desk.messages(job, &step);
        self.put_off(&mut messages);
        let cached = Box::new(CachedSession::new(step.session, &sealed));
        Ok(Starting::New(Box::new(NewJob {
            kind,
            tag: frame::tag(&bound.prefix()),
            digest: job.digest(kind, self.me),
            sealed_job: self.key.seal_bytes(JOB, &job.to_bytes()),
            job: job.clone(),
            sealed,
            longest,
            messages,
            cached,
        })))
    }

    /// Begins the runs of several jobs at once: in one transaction, if the store has one for them
    /// ([`RunTable::begin_all`](crate::RunTable::begin_all)). Gives for each what [`start`](Self::start) gives.
    ///
    /// # Errors
    /// As for [`start`](Self::start), each about one job.
    pub fn start_all(
        &mut self,
        jobs: Vec<Box<NewJob>>,
    ) -> Vec<Result<StartOutcome, Error<S::Error>>> {
        if self.shut {
            return jobs.iter().map(|_| Err(Error::OtherKey)).collect();
        }
        let runs: Vec<_> = jobs.iter().map(|new| new.run()).collect();
        let mut begun = self.store.begin_all(&runs, &self.bounds).into_iter();
        let begun = jobs.into_iter().map(|new| {
            // A store that gives too few answers: the job is delivered again.
            let begun = begun.next().unwrap_or(Ok(BeginOutcome::Busy));
            self.begun(new, begun)
        });
        begun.collect()
    }

    /// Acts on what the store says of a job.
    fn begun(
        &mut self,
        new: Box<NewJob>,
        begun: Result<BeginOutcome, S::Error>,
    ) -> Result<StartOutcome, Error<S::Error>> {
        let NewJob { kind, job, sealed, mut cached, messages, .. } = *new;
        let context = sealed.slot().session();
        let begun = begun.map_err(Error::Store).inspect_err(|_| {
            self.forget_next();
            self.look_again(context);
        })?;
        self.busy |= begun == BeginOutcome::Busy;
        let parked = match begun {
            BeginOutcome::Begun { parked } => parked,
            BeginOutcome::Busy => return Err(self.refuse(Refusal::Busy)),
            BeginOutcome::Outbox => return Err(self.refuse(Refusal::Outbox)),
            // Another worker was faster, with another seed.
            BeginOutcome::Exists => {
                let row = self.store.job(&job.sid).map_err(Error::Store)?;
                let row = row.ok_or_else(|| self.refuse(Refusal::OtherJob))?;
                return self.started(kind, &job, &row);
            }
        };
        self.comes_due(job.deadline);
        self.send_soon(context, messages);
        cached.set_reread(parked);
        self.keep(context, cached);
        // There is nothing to do until a peer is heard.
        if parked || job.parties.len() == 1 {
            self.ready.push(context);
        }
        count_one(&mut self.metrics.started);
        Ok(StartOutcome::Begun)
    }

    /// The outcome of a job, or `None` if it is unknown or still runs.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::Seal`], [`Error::OtherKey`].
    pub fn outcome(&mut self, job: &Job) -> Result<Option<Outcome>, Error<S::Error>> {
        let Some(row) = self.store.job(&job.sid).map_err(Error::Store)? else { return Ok(None) };
        self.open_outcome(job, &row)
    }

    /// Forgets what the application made of the end of a job, and keeps the rest of the outcome: once the application has stored
    /// it elsewhere, say, with rules of its own for when it is deleted. Gives `false` if the job is unknown or still
    /// runs.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::Seal`], [`Error::OtherKey`].
    pub fn forget_record(&mut self, job: &Job) -> Result<bool, Error<S::Error>> {
        let Some(mut outcome) = self.outcome(job)? else { return Ok(false) };
        outcome.record_bytes = Zeroizing::default();
        let sealed = self.seal_outcome(&job.sid, &outcome);
        self.store.replace_outcome(&job.sid, &sealed).map_err(Error::Store)
    }

    fn started(
        &mut self,
        kind: Kind,
        job: &Job,
        row: &JobRow,
    ) -> Result<StartOutcome, Error<S::Error>> {
        if row.digest != job.digest(kind, self.me) {
            return Err(self.refuse(Refusal::OtherJob));
        }
        count_one(&mut self.metrics.redelivered);
        let outcome = self.open_outcome(job, row)?;
        if outcome.is_none() {
            // Another worker may have begun it, and died.
            self.next = None;
        }
        Ok(outcome.map_or(StartOutcome::Running, StartOutcome::Ended))
    }

    fn open_outcome(&self, job: &Job, row: &JobRow) -> Result<Option<Outcome>, Error<S::Error>> {
        let Some(sealed) = &row.outcome else { return Ok(None) };
        let plain = self.key.open_bytes(OUTCOME, sealed).map_err(Error::sealed)?;
        let (sid, outcome) = plain.split_at_checked(32).unwrap_or_default();
        // The row of another job, put in this one's place.
        let outcome = Outcome::from_bytes(outcome).filter(|_| sid == job.sid.as_bytes());
        outcome.map(Some).ok_or(Error::Seal(SealError::Malformed))
    }

    /// The outcome of a job, sealed.
    pub(super) fn seal_outcome(&self, sid: &SessionId, outcome: &Outcome) -> Vec<u8> {
        let outcome = outcome.to_bytes();
        let mut plain = Zeroizing::new(Vec::with_capacity(outcome.len() + 32));
        plain.extend_from_slice(sid.as_bytes());
        plain.extend_from_slice(&outcome);
        self.key.seal_bytes(OUTCOME, &plain)
    }

    /// The job of a run, unless it is damaged. A run ends at the earlier one of the deadlines in the job and in the row: one
    /// that the store gives as due for ever would be worked on for ever.
    pub(super) fn open_job(&self, row: &RunRow) -> Result<Option<Job>, Error<S::Error>> {
        match self.key.open_bytes(JOB, &row.job) {
            Ok(job) => Ok(Job::from_bytes(&job)
                .filter(|job| job.sid == row.sid)
                .map(|job| Job { deadline: job.deadline.min(row.deadline), ..job })),
            Err(SealError::Unauthentic) => Err(Error::OtherKey),
            Err(_) => Ok(None),
        }
    }
}

/// The longest frame of a run, sealed.
fn longest<P: Protocol>(params: &P::Params, parties: usize) -> usize {
    let bodies = (1..=P::ROUNDS).map(|round| {
        let Limits { broadcast, direct } = P::limits(params, parties, Round(round));
        broadcast.max(direct)
    });
    let frame = frame::HEADER + frame::PREFIX + SEAL;
    bodies.max().unwrap_or(0).saturating_add(frame)
}
