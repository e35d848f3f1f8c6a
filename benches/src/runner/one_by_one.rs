//! Stores that commit each record in a transaction of its own, as those without batches do.

use quorate::runner::store::{
    Arrival, BeginOutcome, Counts, Due, InboxRow, JobRow, NewRun, NewStep, PacketId, PutOutcome,
    RunContext, RunRow,
};
use quorate::runner::{Bounds, Kind, MessageTable, RunTable, Store, Time};
use quorate::session::{PartyId, SessionId, Slot, SpentTable, TableEntry};

use super::databases::{Databases, Open};

/// A store whose batches are the default ones.
pub(super) struct OneByOne<S>(S);

impl<S: Store> SpentTable for OneByOne<S> {
    type Error = S::Error;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<TableEntry, S::Error> {
        self.0.record(id, digest)
    }
}

impl<S: Store> RunTable for OneByOne<S> {
    fn canary(&mut self, new: &[u8]) -> Result<Option<Vec<u8>>, S::Error> {
        self.0.canary(new)
    }

    fn begin(&mut self, run: &NewRun<'_>, bounds: &Bounds) -> Result<BeginOutcome, S::Error> {
        self.0.begin(run, bounds)
    }

    fn job(&mut self, sid: &SessionId) -> Result<Option<JobRow>, S::Error> {
        self.0.job(sid)
    }

    fn run(&mut self, context: &RunContext) -> Result<Option<RunRow>, S::Error> {
        self.0.run(context)
    }

    fn swap(&mut self, before: Slot, step: &NewStep<'_>) -> Result<bool, S::Error> {
        self.0.swap(before, step)
    }

    fn abandon(&mut self, context: &RunContext, step: &NewStep<'_>) -> Result<bool, S::Error> {
        self.0.abandon(context, step)
    }

    fn replace_outcome(&mut self, sid: &SessionId, outcome: &[u8]) -> Result<bool, S::Error> {
        self.0.replace_outcome(sid, outcome)
    }

    fn expired(
        &mut self,
        kinds: &[Kind],
        now: Time,
        most: usize,
    ) -> Result<Vec<RunContext>, S::Error> {
        self.0.expired(kinds, now, most)
    }

    fn open(
        &mut self,
        kinds: &[Kind],
        after: Option<&RunContext>,
        most: usize,
    ) -> Result<Vec<RunContext>, S::Error> {
        self.0.open(kinds, after, most)
    }

    fn next(&mut self, kinds: &[Kind]) -> Result<Option<Time>, S::Error> {
        self.0.next(kinds)
    }

    fn open_runs(&mut self) -> Result<usize, S::Error> {
        self.0.open_runs()
    }

    fn counts(&mut self) -> Result<Counts, S::Error> {
        self.0.counts()
    }
}

impl<S: Store> MessageTable for OneByOne<S> {
    fn put(&mut self, arrival: &Arrival<'_>, bounds: &Bounds) -> Result<PutOutcome, S::Error> {
        self.0.put(arrival, bounds)
    }

    fn inbox(&mut self, context: &RunContext) -> Result<Vec<InboxRow>, S::Error> {
        self.0.inbox(context)
    }

    fn acknowledge(&mut self, by: PartyId, ids: &[PacketId]) -> Result<usize, S::Error> {
        self.0.acknowledge(by, ids)
    }

    fn due(&mut self, now: Time, bounds: &Bounds, most: usize) -> Result<Vec<Due>, S::Error> {
        self.0.due(now, bounds, most)
    }

    fn prune(&mut self, now: Time) -> Result<(), S::Error> {
        self.0.prune(now)
    }
}

/// Databases of which each store commits one by one.
pub(super) struct Single<D>(pub(super) D);

impl<D: Databases> Databases for Single<D> {
    type Store = OneByOne<D::Store>;

    const NAME: &'static str = D::NAME;

    fn open(&self, me: PartyId) -> Open<Self::Store> {
        let open = self.0.open(me);
        Box::new(move || open().map(OneByOne))
    }
}
