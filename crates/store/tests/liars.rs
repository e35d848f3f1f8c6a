//! Stores that lie: what `conformance` notices, and what no test of one healthy process can.
#![cfg(feature = "sqlite")]
#![allow(missing_docs, clippy::panic, clippy::unwrap_used, reason = "tests")]

mod common;

use std::rc::Rc;

use common::{Folder, begin, session, sid};
use quorate_runner::store::*;
use quorate_runner::testing::{Violation, conformance};
use quorate_runner::{Bounds, Kind, Time};
use quorate_session::{PartyId, SessionId, Slot, SpentTable, TableEntry};
use quorate_store::{Error, SqliteStore};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lie {
    /// A method returns before its write is on the disk.
    LosesTheLastWrite,
    /// Runs and jobs are read from a replica that lags by one write.
    ReadsAReplica,
    /// The messages of a step are forgotten.
    TearsEachBatch,
    /// A run is abandoned in two transactions.
    TearsABatchAtACrash,
}

struct Liar {
    folder: Rc<Folder>,
    store: SqliteStore,
    lie: Lie,
    /// The process dies before the second transaction.
    dies: bool,
}

const NODE: &str = "node.db";

impl Liar {
    fn new(lie: Lie) -> Self {
        let folder = Rc::new(Folder::new());
        let store = SqliteStore::open(folder.file(NODE)).unwrap();
        Self { folder, store, lie, dies: false }
    }

    /// Closes the store and opens it again, as after a crash.
    fn reopen(self) -> Self {
        let Self { folder, store, lie, dies } = self;
        drop(store);
        if lie == Lie::LosesTheLastWrite && folder.file("node.db.copy").exists() {
            folder.restore(NODE);
        }
        let store = SqliteStore::open(folder.file(NODE)).unwrap();
        Self { folder, store, lie, dies }
    }

    /// The store before a write, of which a copy is kept.
    fn write(&mut self) -> &mut SqliteStore {
        if matches!(self.lie, Lie::LosesTheLastWrite | Lie::ReadsAReplica) {
            self.folder.back_up(NODE);
        }
        &mut self.store
    }

    fn read<T>(&mut self, read: impl Fn(&mut SqliteStore) -> Result<T, Error>) -> Result<T, Error> {
        let copy = self.folder.file("node.db.copy");
        if self.lie == Lie::ReadsAReplica && copy.exists() {
            return read(&mut SqliteStore::open(copy)?);
        }
        read(&mut self.store)
    }
}

impl SpentTable for Liar {
    type Error = Error;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<TableEntry, Error> {
        self.write().record(id, digest)
    }
}

impl RunTable for Liar {
    fn canary(&mut self, new: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        self.write().canary(new)
    }

    fn begin(&mut self, run: &NewRun<'_>, bounds: &Bounds) -> Result<BeginOutcome, Error> {
        self.write().begin(run, bounds)
    }

    fn job(&mut self, sid: &SessionId) -> Result<Option<JobRow>, Error> {
        self.read(|store| store.job(sid))
    }

    fn run(&mut self, context: &RunContext) -> Result<Option<RunRow>, Error> {
        self.read(|store| store.run(context))
    }

    fn swap(&mut self, before: Slot, step: &NewStep<'_>) -> Result<bool, Error> {
        let torn = self.lie == Lie::TearsEachBatch;
        let messages = if torn { &[] } else { step.messages };
        self.write().swap(before, &NewStep { messages, ..*step })
    }

    fn abandon(&mut self, context: &RunContext, step: &NewStep<'_>) -> Result<bool, Error> {
        if self.lie != Lie::TearsABatchAtACrash {
            return self.write().abandon(context, step);
        }
        let done = self.store.abandon(context, &NewStep { outcome: None, ..*step })?;
        if done && !self.dies {
            let run = self.store.run(context)?.unwrap();
            self.store.replace_outcome(&run.sid, step.outcome.unwrap())?;
        }
        Ok(done)
    }

    fn replace_outcome(&mut self, sid: &SessionId, outcome: &[u8]) -> Result<bool, Error> {
        self.write().replace_outcome(sid, outcome)
    }

    fn expired(
        &mut self,
        kinds: &[Kind],
        now: Time,
        most: usize,
    ) -> Result<Vec<RunContext>, Error> {
        self.store.expired(kinds, now, most)
    }

    fn open(
        &mut self,
        kinds: &[Kind],
        after: Option<&RunContext>,
        most: usize,
    ) -> Result<Vec<RunContext>, Error> {
        RunTable::open(&mut self.store, kinds, after, most)
    }

    fn next(&mut self, kinds: &[Kind]) -> Result<Option<Time>, Error> {
        self.store.next(kinds)
    }

    fn counts(&mut self) -> Result<Counts, Error> {
        self.store.counts()
    }
}

impl MessageTable for Liar {
    fn put(&mut self, arrival: &Arrival<'_>, bounds: &Bounds) -> Result<PutOutcome, Error> {
        self.write().put(arrival, bounds)
    }

    fn inbox(&mut self, context: &RunContext) -> Result<Vec<InboxRow>, Error> {
        self.store.inbox(context)
    }

    fn acknowledge(&mut self, by: PartyId, ids: &[PacketId]) -> Result<usize, Error> {
        self.write().acknowledge(by, ids)
    }

    fn due(&mut self, now: Time, bounds: &Bounds, most: usize) -> Result<Vec<Due>, Error> {
        self.write().due(now, bounds, most)
    }

    fn prune(&mut self, now: Time) -> Result<(), Error> {
        self.write().prune(now)
    }
}

fn found(lie: Lie, reopen: impl FnMut(Liar) -> Liar) -> Option<&'static str> {
    match conformance(|| Liar::new(lie), reopen) {
        Ok(()) => None,
        Err(Violation::Rule(rule)) => Some(rule),
        Err(Violation::Failed(error)) => panic!("{error}"),
    }
}

#[test]
fn lies_of_a_healthy_process_are_noticed_by_name() {
    // The second write of the first rule changes nothing, so the loss of a write shows in the second rule.
    let rule = found(Lie::LosesTheLastWrite, Liar::reopen);
    assert_eq!(rule, Some("of two workers one swaps"));
    let rule = found(Lie::ReadsAReplica, |store| store);
    assert_eq!(rule, Some("and the other is kept"));
    let rule = found(Lie::TearsEachBatch, |store| store);
    assert_eq!(rule, Some("a swap stores its messages"));
}

#[test]
fn a_lost_write_is_not_noticed_by_who_does_not_reopen() {
    let mut liar = Liar::new(Lie::LosesTheLastWrite);
    assert_eq!(liar.record(&[1; 32], &[2; 32]), Ok(TableEntry::New));
    assert_eq!(liar.store.record(&[1; 32], &[3; 32]), Ok(TableEntry::Before([2; 32])));
    assert_eq!(liar.reopen().record(&[1; 32], &[3; 32]), Ok(TableEntry::New), "spent twice");
}

#[test]
fn a_batch_that_tears_at_a_crash_alone_is_not_noticed() {
    assert_eq!(found(Lie::TearsABatchAtACrash, Liar::reopen), None);
    let mut liar = Liar { dies: true, ..Liar::new(Lie::TearsABatchAtACrash) };
    begin(&mut liar.store, 1).unwrap();
    let (sealed, tombstone) = session(1);
    let outcome = Some(b"outcome".as_slice());
    let step = NewStep { after: &tombstone, taken: &[], messages: &[], outcome, until: 9 };
    assert_eq!(liar.abandon(&sealed.slot().session(), &step), Ok(true));
    let job = liar.reopen().job(&sid(1)).unwrap().unwrap();
    assert_eq!(job.outcome.as_deref(), Some(b"".as_slice()), "its outcome is gone");
}
