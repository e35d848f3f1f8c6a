//! Jobs, their tasks, and the ends of their runs.

use quorate::runner;

use crate::arguments::{numbers, parties, session_id};
use crate::error::{QuorateError, Result};
use crate::outcome::Outcome;
use crate::session::Blame;
use crate::task::Task;

/// A run that is ordered. The session id is its name: a job is started once, however often it is ordered.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Record))]
pub struct Job {
    /// 32 bytes, the same at all parties, and **never used twice**.
    pub session_id: Vec<u8>,
    /// The parties of the run, this one included.
    pub parties: Vec<u16>,
    /// The bytes from which `Tasks.task` makes the task. They are stored sealed.
    pub body: Vec<u8>,
    /// The moment, in milliseconds since 1970, at which the run is given up.
    pub deadline: u64,
}

impl Job {
    pub(super) fn inner(&self) -> Result<runner::Job> {
        let (sid, parties) = (session_id(&self.session_id)?, parties(&self.parties)?);
        Ok(runner::Job { sid, parties, body: self.body.clone(), deadline: self.deadline })
    }

    pub(super) fn of(job: &runner::Job) -> Self {
        let (session_id, parties) = (job.sid.as_bytes().to_vec(), numbers(job.parties.iter()));
        Self { session_id, parties, body: job.body.clone(), deadline: job.deadline }
    }
}

/// The tasks of jobs, which you implement.
#[cfg_attr(feature = "uniffi", uniffi::export(foreign))]
pub trait Tasks: Send + Sync {
    /// The task of a job; nothing if it is not at hand now, for example because a key is locked. The runner asks for it when a job
    /// starts, and each time that its session is opened again. It has to be the same each time. Do not call the runner from here.
    fn task(&self, job: Job) -> Result<Option<Task>>;
}

/// The end of a run.
#[derive(Clone)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Record))]
pub struct Ended {
    /// The result, if there is one: with an `error` beside it, it lacks confirmations. Of `Task.Acknowledge` and `Task.Listen` it is
    /// there once, when the run ends; begin another if it is lost.
    pub outcome: Option<Outcome>,
    /// The reason why there is no result, or no confirmed one.
    pub error: Option<QuorateError>,
    /// The culprits, with the frames that show it.
    pub blames: Vec<Blame>,
    /// The peers between whom and this party the rows have damaged messages. They may look silent and have sent everything: **do not
    /// hold it against them**.
    pub damaged: Vec<u16>,
    /// The sealed session of a run that was given up unopened, for example with error `Discontinued`. It may hold a share that
    /// others rely on. If the task or the key was missing, `Session.open` opens it; never send its messages.
    pub unopened: Option<Vec<u8>>,
}

impl Ended {
    /// An end without a result.
    pub(super) fn failed(error: QuorateError) -> Self {
        let (blames, damaged) = (Vec::new(), Vec::new());
        Self { outcome: None, error: Some(error), blames, damaged, unopened: None }
    }

    /// Adds what the runner itself has stored of the end.
    pub(super) fn with(self, stored: &runner::Outcome) -> Self {
        let damaged = numbers(stored.damaged.iter().copied());
        let unopened = stored.unopened.as_ref().map(|of| of.session.clone());
        Self { damaged, unopened, ..self }
    }
}

/// A run that has ended, by the name of its job.
#[derive(Clone)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Record))]
pub struct EndedRun {
    /// The session id.
    pub session_id: Vec<u8>,
    /// The end, which is stored.
    pub end: Ended,
}

/// The outcome of ordering a job.
#[derive(Clone)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Enum))]
#[expect(
    clippy::large_enum_variant,
    reason = "the generator knows no boxes, and there is one at a time"
)]
pub enum Started {
    /// The run has begun.
    Begun,
    /// The run had begun before, and is still open.
    Running,
    /// The run had begun before, and has ended.
    Ended {
        /// The end.
        end: Ended,
    },
}

/// A job whose task was not at hand when its run should have continued. The run waits, until its deadline.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Record))]
pub struct Problem {
    /// The session id.
    pub session_id: Vec<u8>,
    /// The failure of `Tasks.task`, or the fault in its task.
    pub error: QuorateError,
}
