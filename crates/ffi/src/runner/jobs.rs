//! The application of the runner: tasks of the caller's become parameters, and results become records.

use core::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use quorate::PartyId;
use quorate::runner::{self, App, EndKind, Job, RunEnd};
use quorate::session::zeroize::Zeroizing;
use quorate::session::{Abort, Protocol, SealKey};

use super::job::{self, Ended, Problem, Tasks};
use crate::error::{ErrorKind, QuorateError, Result};
use crate::records;
use crate::running::{Prepared, Ready, Wrap};
use crate::session::blame;

/// The name of a job.
type Name = [u8; 32];

/// The application around the runs of all protocols.
pub(super) struct Jobs {
    me: PartyId,
    key: Arc<SealKey>,
    tasks: Arc<dyn Tasks>,
    /// The task of the job that is being started.
    prepared: Option<Box<dyn Prepared>>,
    /// The [`Wrap`] of each run that was opened.
    wraps: BTreeMap<Name, Box<dyn Any + Send>>,
    /// The reasons why runs do not continue.
    problems: BTreeMap<Name, QuorateError>,
    /// Ends as they were made, until the caller is told.
    live: BTreeMap<Name, Ended>,
}

impl Jobs {
    pub(super) fn new(me: PartyId, key: Arc<SealKey>, tasks: Arc<dyn Tasks>) -> Self {
        let (wraps, problems, live) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { me, key, tasks, prepared: None, wraps, problems, live }
    }

    /// The task of a job, as the caller gives it now.
    pub(super) fn ask(&self, job: &Job) -> Result<Box<dyn Prepared>> {
        let none = || QuorateError::new(ErrorKind::Arguments, "there is no task for this job");
        self.tasks.task(job::Job::of(job))?.ok_or_else(none)?.prepare(self.me)
    }

    /// Sets the task of the job that is about to be started; `None` after the start.
    pub(super) fn prepare(&mut self, prepared: Option<Box<dyn Prepared>>) {
        self.prepared = prepared;
    }

    /// Forgets what the first start of a job has left, if it failed.
    pub(super) fn not_started(&mut self, job: &Job) {
        self.wraps.remove(job.sid.as_bytes());
    }

    /// The end of a run that the runner has just told.
    pub(super) fn told(&mut self, name: &Name, outcome: &runner::Outcome) -> Ended {
        self.problems.remove(name);
        match self.live.remove(name) {
            Some(ended) => ended.with(outcome),
            None => self.read(outcome).unwrap_or_else(Ended::failed),
        }
    }

    /// Forgets the ends of runs that others have ended first. The runner has told all of its own.
    pub(super) fn all_told(&mut self) {
        self.live.clear();
    }

    /// A stored end.
    pub(super) fn read(&self, outcome: &runner::Outcome) -> Result<Ended> {
        let ended = match outcome.kind {
            _ if !outcome.record_bytes.is_empty() => {
                records::read(&outcome.record_bytes, &self.key)?
            }
            // Where the job itself is damaged, nothing was recorded.
            EndKind::Lost => Ended::failed(lost("the session could not be opened")),
            EndKind::Discontinued => Ended::failed(discontinued()),
            _ => {
                let check = "the run has ended, and there is no record of it";
                Ended::failed(QuorateError::new(ErrorKind::Consumed, check))
            }
        };
        Ok(ended.with(outcome))
    }

    pub(super) fn problems(&self) -> Vec<Problem> {
        let problem = |(name, error): (&Name, &QuorateError)| Problem {
            session_id: name.to_vec(),
            error: error.clone(),
        };
        self.problems.iter().map(problem).collect()
    }

    fn ended<P: Protocol>(&mut self, name: &Name, end: RunEnd<P::Output>) -> Ended {
        let wrap = self.wraps.remove(name);
        let (output, abort, told_by) = match end {
            RunEnd::Done(output) => (Some(output), None, None),
            RunEnd::Unconfirmed { output, abort, told_by, .. } => {
                (Some(output), Some(abort), told_by)
            }
            RunEnd::Stopped { abort, told_by, .. } => (None, Some(abort), told_by),
            RunEnd::Lost(why) => return Ended::failed(lost(&why)),
            RunEnd::Discontinued => return Ended::failed(discontinued()),
        };
        let outcome = match (output, wrap.and_then(|wrap| wrap.downcast::<Wrap<P>>().ok())) {
            (Some(output), Some(wrap)) => Some(wrap(output)),
            (Some(_), None) => {
                let check = "a result came without the task that it is of";
                return Ended::failed(QuorateError::new(ErrorKind::Defect, check));
            }
            (None, _) => None,
        };
        let blames = match &abort {
            Some(Abort::Misbehaviour(blames)) => blames.iter().map(blame).collect(),
            _ => Vec::new(),
        };
        let error = abort.map(|abort| stopped(abort, told_by));
        Ended { outcome, error, blames, damaged: Vec::new(), unopened: None }
    }
}

/// The error of a run whose session could not be opened.
fn lost(why: &str) -> QuorateError {
    QuorateError::new(ErrorKind::Seal, why)
}

/// The error of a run that was open in rows that may not be the latest.
fn discontinued() -> QuorateError {
    let check = "the run was open in rows that are not known to be the latest";
    QuorateError::new(ErrorKind::Discontinued, check)
}

/// The reason of an abort, and the peer that said that it had stopped.
fn stopped(abort: Abort, told_by: Option<PartyId>) -> QuorateError {
    let QuorateError::Failed { kind, culprits, check } = abort.into();
    let check = match told_by {
        Some(party) => format!("{check}; party {party} said that it had stopped"),
        None => check,
    };
    QuorateError::Failed { kind, culprits, check }
}

/// The parameters of a task, if it is of this protocol.
fn of_protocol<P: Protocol>(prepared: Box<dyn Prepared>) -> Result<Ready<P>> {
    let other = |_| QuorateError::new(ErrorKind::Mismatch, "the job had another task before");
    Ok(*prepared.into_any().downcast().map_err(other)?)
}

impl<P: Protocol> App<P> for Jobs {
    type Record = Zeroizing<Vec<u8>>;

    fn params(&mut self, job: &Job) -> Option<P::Params> {
        let name = *job.sid.as_bytes();
        let prepared = self.prepared.take().map_or_else(|| self.ask(job), Ok);
        match prepared.and_then(of_protocol::<P>) {
            Ok(Ready { params, wrap }) => {
                self.problems.remove(&name);
                self.wraps.insert(name, Box::new(wrap));
                Some(params)
            }
            Err(error) => {
                self.problems.insert(name, error);
                None
            }
        }
    }

    fn record(&mut self, job: &Job, end: RunEnd<P::Output>) -> Zeroizing<Vec<u8>> {
        let name = *job.sid.as_bytes();
        let ended = self.ended::<P>(&name, end);
        let record = records::write(&ended, &self.key).unwrap_or_else(|error| {
            // An outcome that cannot be written is given once, with its reason.
            records::write(&Ended::failed(error), &self.key).unwrap_or_default()
        });
        self.live.insert(name, ended);
        record
    }
}
