//! Rows in memory, and three parties with a runner each.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quorate_ffi::{
    Change, Continuity, Job, Outcome, QuorateError, Received, Row, Rows, RowsError, Runner,
    Started, Task, Tasks,
};

use crate::support::{seal_key, session_id};

/// Rows in memory.
#[derive(Default)]
pub(crate) struct Memory(Mutex<Content>);

#[derive(Default)]
struct Content {
    generation: u64,
    rows: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl Memory {
    fn content(&self) -> MutexGuard<'_, Content> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rows for Memory {
    fn generation(&self) -> Result<u64, RowsError> {
        Ok(self.content().generation)
    }

    fn scan(&self, from: Vec<u8>, until: Vec<u8>, most: u32) -> Result<Vec<Row>, RowsError> {
        let row =
            |(key, value): (&Vec<u8>, &Vec<u8>)| Row { key: key.clone(), value: value.clone() };
        Ok(self.content().rows.range(from..until).take(most as usize).map(row).collect())
    }

    fn write(&self, generation: u64, changes: Vec<Change>) -> Result<bool, RowsError> {
        let mut content = self.content();
        if content.generation != generation {
            return Ok(false);
        }
        content.generation += 1;
        for Change { key, value } in changes {
            match value {
                Some(value) => drop(content.rows.insert(key, value)),
                None => drop(content.rows.remove(&key)),
            }
        }
        Ok(true)
    }
}

/// The tasks of one party, by the bodies of jobs.
#[derive(Default)]
pub(crate) struct Bodies(Mutex<BTreeMap<Vec<u8>, Task>>);

impl Bodies {
    fn content(&self) -> MutexGuard<'_, BTreeMap<Vec<u8>, Task>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tasks for Bodies {
    fn task(&self, job: Job) -> Result<Option<Task>, QuorateError> {
        Ok(self.content().get(&job.body).cloned())
    }
}

pub(crate) fn job(number: u8, parties: &[u16], body: u8) -> Job {
    let session_id = session_id(number);
    Job { session_id, parties: parties.to_vec(), body: vec![body], deadline: 50_000 }
}

pub(crate) const ALL: [u16; 3] = [1, 2, 3];

/// Three parties, each with one runner on rows of its own.
pub(crate) struct Network {
    rows: [Arc<Memory>; 3],
    pub(crate) tasks: [Arc<Bodies>; 3],
    pub(crate) runners: Vec<Arc<Runner>>,
    pub(crate) mail: [Vec<Received>; 3],
    pub(crate) now: u64,
}

impl Network {
    pub(crate) fn new() -> Self {
        let (rows, tasks) = Default::default();
        let mut network =
            Self { rows, tasks, runners: Vec::new(), mail: Default::default(), now: 1_000 };
        network.runners = [0, 1, 2].map(|at| network.open(at)).into();
        network
    }

    fn open(&self, at: usize) -> Arc<Runner> {
        let rows = Arc::clone(&self.rows[at]) as Arc<dyn Rows>;
        let tasks = Arc::clone(&self.tasks[at]) as Arc<dyn Tasks>;
        Runner::open(ALL[at], seal_key(), rows, tasks, Continuity::Operator).unwrap()
    }

    /// Puts new runners on the rows.
    pub(crate) fn restart(&mut self) {
        self.runners = [0, 1, 2].map(|at| self.open(at)).into();
    }

    /// Makes a task known to the party at this place, under a body.
    pub(crate) fn knows(&self, at: usize, body: u8, task: Task) {
        self.tasks[at].content().insert(vec![body], task);
    }

    /// Makes a body unknown to the party at this place.
    pub(crate) fn forgets(&self, at: usize, body: u8) {
        self.tasks[at].content().remove([body].as_slice());
    }

    /// Starts a job at all its parties.
    pub(crate) fn order(&self, number: u8, parties: &[u16], task: impl Fn(u16) -> Task) -> Job {
        let job = job(number, parties, number);
        for me in parties {
            let at = usize::from(*me) - 1;
            self.knows(at, number, task(*me));
            let started = self.runners[at].start(job.clone(), self.now);
            assert!(matches!(started, Ok(Started::Begun)));
        }
        job
    }

    pub(crate) fn turn(&mut self) {
        for (at, runner) in self.runners.iter().enumerate() {
            let received = core::mem::take(&mut self.mail[at]);
            let turn = runner.turn(received, self.now).unwrap();
            assert!(turn.refused.is_empty());
            for packet in turn.packets {
                let (sender, bytes) = (ALL[at], packet.bytes);
                self.mail[usize::from(packet.recipient) - 1].push(Received { sender, bytes });
            }
        }
        self.now += 100;
    }

    /// The outcomes of a job at its parties, as they are stored; nothing if a run is open.
    pub(crate) fn ends(&self, job: &Job) -> Option<BTreeMap<u16, Outcome>> {
        let end = |me: &u16| {
            let end = self.runners[usize::from(*me) - 1].outcome(job.clone()).unwrap()?;
            assert!(end.error.is_none() && end.blames.is_empty());
            Some((*me, end.outcome.expect("an outcome")))
        };
        job.parties.iter().map(end).collect()
    }

    /// Makes turns until these jobs have ended.
    pub(crate) fn run<const N: usize>(
        &mut self,
        jobs: [Job; N],
        between: impl Fn(&mut Self),
    ) -> [BTreeMap<u16, Outcome>; N] {
        for _ in 0..100 {
            self.turn();
            between(self);
            if jobs.iter().all(|job| self.ends(job).is_some()) {
                return jobs.map(|job| self.ends(&job).unwrap());
            }
        }
        panic!("the jobs have not ended")
    }
}
