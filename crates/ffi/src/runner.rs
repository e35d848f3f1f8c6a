//! The runner: many runs of all tasks at one party, on rows of the caller's.

mod inner;
mod job;
mod jobs;
mod protocols;
mod turn;

use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

use self::inner::Inner;
pub use self::job::{Ended, EndedRun, Job, Problem, Started, Tasks};
pub use self::turn::{Packet, Refused, Turn};
use crate::arguments::{Received, lock};
use crate::continuity::Continuity;
use crate::error::{ErrorKind, QuorateError, Result};
use crate::rows::Rows;
use crate::seal_key::SealKey;

/// The runs of one party, of every task and scheme, on one store of rows.
///
/// The runner stores each session before it sends what follows from it, and sends again until peers acknowledge. It gives runs up at
/// their deadlines, keeps the results of runs whose confirmation failed, and resumes after a crash. It has no socket, thread or clock:
/// call `turn` when packets have come, and at `next_due`. Use it from one thread at a time; a call waits for the one before it.
#[cfg_attr(feature = "uniffi", derive(uniffi::Object))]
#[cfg_attr(feature = "uniffi", uniffi::export(Debug))]
pub struct Runner {
    party: u16,
    /// The thread that is in a call.
    caller: Mutex<Option<ThreadId>>,
    inner: Mutex<Inner>,
}

impl Runner {
    /// Runs calls one after the other. A call from inside another's `Tasks.task` or `Rows` would wait for itself.
    fn with<T>(&self, call: impl FnOnce(&mut Inner) -> Result<T>) -> Result<T> {
        let this = thread::current().id();
        if *lock(&self.caller) == Some(this) {
            let check = "a runner was called from its own tasks or rows";
            return Err(QuorateError::new(ErrorKind::Arguments, check));
        }
        let mut inner = lock(&self.inner);
        *lock(&self.caller) = Some(this);
        let _leave = Leave(&self.caller);
        call(&mut inner)
    }
}

/// Marks the end of a call, also of one that panics.
struct Leave<'a>(&'a Mutex<Option<ThreadId>>);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        *lock(self.0) = None;
    }
}

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl Runner {
    /// A runner of party `me`, which continues all open runs in the rows. `key` seals what is stored; keep it apart from that. A
    /// party's rows are its own.
    ///
    /// `continuity` is the reason why you know that the rows are the latest. With `Unknown` the runs that were open end with error
    /// `Discontinued`. **Then drop all presignatures and nonces, too**, at all parties, including those that are still in the ends of
    /// jobs (`forget_record`).
    ///
    /// # Errors
    /// `Store` if the rows failed, `Seal` if another key has sealed them, `Mismatch` if they are another party's, `Arguments` for
    /// `NewStore` if they are not empty.
    #[cfg_attr(feature = "uniffi", uniffi::constructor)]
    pub fn open(
        me: u16,
        key: Arc<SealKey>,
        rows: Arc<dyn Rows>,
        tasks: Arc<dyn Tasks>,
        continuity: Continuity,
    ) -> Result<Arc<Self>> {
        let inner = Mutex::new(Inner::open(me, key.shared(), rows, tasks, continuity)?);
        Ok(Arc::new(Self { party: me, caller: Mutex::new(None), inner }))
    }

    /// This party.
    pub fn id(&self) -> u16 {
        self.party
    }

    /// Starts a job, once. A job that is ordered again begins nothing, and gives the end, if there is one. `now` is the time in
    /// milliseconds since 1970.
    ///
    /// # Errors
    /// `Busy`: order it again later. `Arguments` if its deadline is over, if another job has its session id, or if it has no task; those
    /// of `Tasks.task`, and of `Session.start`; `Store`: it has begun or not, order it again.
    pub fn start(&self, job: Job, now: u64) -> Result<Started> {
        let job = job.inner()?;
        self.with(|inner| inner.start(&job, now))
    }

    /// Takes in the packets that have come, works, and gives the packets to be sent. `sender` of each packet is its sender, as the
    /// **authenticated** transport names it.
    ///
    /// # Errors
    /// `Store`: nothing is lost, packets come again; call it again later. `Seal` if something in the rows does not open.
    pub fn turn(&self, received: Vec<Received>, now: u64) -> Result<Turn> {
        self.with(|inner| inner.turn(&received, now))
    }

    /// The end of a job; nothing if it is unknown or still runs.
    ///
    /// # Errors
    /// `Store`, `Seal`.
    pub fn outcome(&self, job: Job) -> Result<Option<Ended>> {
        let job = job.inner()?;
        self.with(|inner| inner.outcome(&job))
    }

    /// Forgets the result of a job that has ended, once it is stored elsewhere, and keeps that it ended. Gives `false` if the job is
    /// unknown or still runs.
    ///
    /// # Errors
    /// `Store`, `Seal`.
    pub fn forget_record(&self, job: Job) -> Result<bool> {
        let job = job.inner()?;
        self.with(|inner| inner.forget_record(&job))
    }

    /// The jobs whose runs wait because `Tasks.task` gave nothing, failed, or gave what does not fit.
    pub fn problems(&self) -> Result<Vec<Problem>> {
        self.with(|inner| Ok(inner.problems()))
    }
}
