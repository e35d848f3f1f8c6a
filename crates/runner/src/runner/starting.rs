//! Starting jobs.

use alloc::vec::Vec;

use quorate_session::rand_core::CryptoRng;
use quorate_session::{
    Limits, Protocol, Round, SealError, Session, SessionId, frame, zeroize::Zeroizing,
};

use super::{Error, Runner};
use crate::bounds::count_one;
use crate::store::{BeginOutcome, JobRow, NewRun, Store};
use crate::work::{Desk, Hot};
use crate::{App, Job, Outcome, Refusal, Time};

pub(crate) const JOB: &str = "runner job";
pub(crate) const OUTCOME: &str = "runner outcome";
/// Bytes that [`quorate_session::SealKey::seal_bytes`] adds.
const SEAL: usize = 84;

/// The outcome of [`Runner::start`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StartOutcome {
    /// The run has begun.
    Begun,
    /// It had begun before, and goes on.
    Running,
    /// It had begun before, and has ended so.
    Ended(Outcome),
}

impl<P: Protocol, S: Store, A: App<P>> Runner<P, S, A> {
    /// Starts a job, once. A job that is delivered again begins nothing: it gives the outcome, if there is one.
    ///
    /// # Errors
    /// [`Error::Refused`]: [`Refusal::Busy`] and [`Refusal::Outbox`] mean "not yet", [`Refusal::OtherJob`] and
    /// [`Refusal::Late`] "no". [`Error::Params`], [`Error::Store`], [`Error::Seal`].
    pub fn start(
        &mut self,
        job: &Job,
        now: Time,
        rng: &mut impl CryptoRng,
    ) -> Result<StartOutcome, Error<S::Error>> {
        if let Some(row) = self.store.job(&job.sid).map_err(Error::Store)? {
            return self.started(job, &row);
        }
        if job.deadline <= now {
            return Err(self.refuse(Refusal::Late));
        }
        let counts = self.store.counts().map_err(Error::Store)?;
        if counts.open >= self.bounds.open {
            return Err(self.refuse(Refusal::Busy));
        }
        let params = self.app.params(job).ok_or_else(|| self.refuse(Refusal::NoParams))?;
        let longest = longest::<P>(&params, job.parties.len());
        let bound = Session::<P>::bound(job.sid, &job.parties, |binding| P::bind(&params, binding));
        let step = Session::<P>::start(job.sid, self.me, &job.parties, params, rng);
        let step = step.map_err(Error::Params)?;
        let sealed = step.session.seal(&self.key);
        let until = job.deadline.saturating_add(self.bounds.linger);
        let desk = Desk { me: self.me, key: &self.key, now, until };
        let run = NewRun {
            code: P::CODE,
            sid: job.sid,
            tag: frame::tag(&bound.prefix()),
            digest: job.digest(P::CODE),
            job: &self.key.seal_bytes(JOB, &job.to_bytes()),
            sealed: &sealed,
            deadline: job.deadline,
            longest,
            letters: &desk.letters(job, &step),
        };
        let context = sealed.slot().session();
        let begun = self.store.begin(&run, &self.bounds).map_err(Error::Store);
        match begun.inspect_err(|_| self.look_again(context))? {
            BeginOutcome::Begun => {}
            BeginOutcome::Busy => return Err(self.refuse(Refusal::Busy)),
            BeginOutcome::Outbox => return Err(self.refuse(Refusal::Outbox)),
            // Another worker was faster, with another seed.
            BeginOutcome::Exists => {
                let row = self.store.job(&job.sid).map_err(Error::Store)?;
                let row = row.ok_or_else(|| self.refuse(Refusal::OtherJob))?;
                return self.started(job, &row);
            }
        }
        let mut hot = Hot::new(step.session, &sealed);
        // What was parked.
        hot.reread = true;
        self.keep(context, hot);
        self.ready.push(context);
        count_one(&mut self.metrics.started);
        Ok(StartOutcome::Begun)
    }

    /// The outcome of a job, or `None` if it is unknown or still runs.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::Seal`].
    pub fn outcome(&mut self, job: &Job) -> Result<Option<Outcome>, Error<S::Error>> {
        let Some(row) = self.store.job(&job.sid).map_err(Error::Store)? else { return Ok(None) };
        self.open_outcome(job, &row)
    }

    /// Forgets what the application made of the end of a job, and keeps how it ended: once the application has stored
    /// it elsewhere, say, with rules of its own for when it is deleted. Gives `false` if the job is unknown or still
    /// runs.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::Seal`].
    pub fn forget_record(&mut self, job: &Job) -> Result<bool, Error<S::Error>> {
        let Some(Outcome { kind, .. }) = self.outcome(job)? else { return Ok(false) };
        let outcome = Outcome { kind, record: Zeroizing::default() };
        let sealed = self.seal_outcome(&job.sid, &outcome);
        self.store.replace_outcome(&job.sid, &sealed).map_err(Error::Store)
    }

    fn started(&mut self, job: &Job, row: &JobRow) -> Result<StartOutcome, Error<S::Error>> {
        if row.digest != job.digest(P::CODE) {
            return Err(self.refuse(Refusal::OtherJob));
        }
        count_one(&mut self.metrics.redelivered);
        Ok(self.open_outcome(job, row)?.map_or(StartOutcome::Running, StartOutcome::Ended))
    }

    fn open_outcome(&self, job: &Job, row: &JobRow) -> Result<Option<Outcome>, Error<S::Error>> {
        let Some(sealed) = &row.outcome else { return Ok(None) };
        let plain = self.key.open_bytes(OUTCOME, sealed).map_err(Error::Seal)?;
        let (sid, outcome) = plain.split_at_checked(32).unwrap_or_default();
        // The row of another job, put in this one's place.
        let outcome = Outcome::from_bytes(outcome).filter(|_| sid == job.sid.as_bytes());
        outcome.map(Some).ok_or(Error::Seal(SealError::Malformed))
    }

    /// The outcome of a job, sealed.
    pub(super) fn seal_outcome(&self, sid: &SessionId, outcome: &Outcome) -> Vec<u8> {
        let outcome = outcome.to_bytes();
        let mut plain = Zeroizing::new(Vec::with_capacity(outcome.len().saturating_add(32)));
        plain.extend_from_slice(sid.as_bytes());
        plain.extend_from_slice(&outcome);
        self.key.seal_bytes(OUTCOME, &plain)
    }

    /// The job of a run.
    pub(super) fn open_job(&self, sealed: &[u8]) -> Option<Job> {
        Job::from_bytes(&self.key.open_bytes(JOB, sealed).ok()?)
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
