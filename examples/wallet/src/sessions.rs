//! Sessions in files, with which a run resumes after its process was killed.
//!
//! `sessions/CONTEXT.party-1` holds party 1's session of one run, its job, everything that it has sent, and the end. Four
//! rules:
//!
//! - **Compare and swap.** A session is written only over the one that it follows. The lock on the wallet keeps other processes
//!   from writing in between.
//! - **A tombstone stays.** In the place of a session that has ended stands its tombstone, for ever. A start with its
//!   session id is refused: the new session would have another seed, and answer the same messages twice.
//! - **The result comes with the tombstone**, in one write. From there it goes into the wallet's own files, and that step can
//!   be repeated.
//! - **The file comes first.** The state in memory changes only after the file was written, so whatever is sent has been
//!   stored.
//!
//! The store differs from a service's in one point: messages that were received and acknowledged are in memory alone. All
//! parties are in one process, so a party that has acknowledged a message ends together with the sender. In the next process
//! every party sends everything again.

mod stored;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quorate::runner::store::{
    Arrival, BeginOutcome, Counts, Due, InboxRow, JobRow, NewRun, NewStep, PacketId, PutOutcome,
    RunContext, RunRow,
};
use quorate::runner::{Bounds, Kind, MemoryStore, MessageTable, RunTable, Time};
use quorate::session::{Sealed, Slot, SpentTable, TableEntry};
use quorate::{PartyId, SealKey, SessionId};
use quorate_examples::files::hex;
use quorate_examples::{Failure, Result};

use self::stored::{StoredRun, StoredSession};
use super::disk::{self, Privacy, private_dir};
use super::home::Home;

/// The sessions of one party.
pub struct SessionStore {
    folder: PathBuf,
    me: PartyId,
    key: Arc<SealKey>,
    /// The contents of the files.
    stored: BTreeMap<RunContext, StoredSession>,
    /// The open runs.
    memory: MemoryStore,
    /// The messages of runs that had ended before.
    resent: Vec<Due>,
}

impl SessionStore {
    /// The sessions of a party in a wallet that this process has alone, with the one of a run; none if that run has ended, and
    /// only its tombstone is left.
    pub(crate) fn of(home: &Home, me: PartyId, context: &RunContext) -> Result<Option<Self>> {
        let key = Arc::new(home.make_seal_key(me)?);
        let mut store = Self::empty(folder(home.dir())?, me, key);
        Ok(store.load(context)?.then_some(store))
    }

    /// A store on a folder, which has read none of its files.
    #[must_use]
    pub fn empty(folder: PathBuf, me: PartyId, key: Arc<SealKey>) -> Self {
        let (stored, memory, resent) = (BTreeMap::new(), MemoryStore::new(), Vec::new());
        Self { folder, me, key, stored, memory, resent }
    }

    /// Resumes from the file of a run, if it is there. Returns `false` if only a tombstone is.
    pub fn load(&mut self, context: &RunContext) -> Result<bool> {
        let Some(session) = self.read(context)? else { return Ok(true) };
        let Some(run) = &session.run else { return Ok(false) };
        if session.sealed.is_tombstone() {
            for message in &run.messages {
                let (id, context, sealed) = (message.id, *context, &message.sealed);
                let due = |to: &PartyId| Due { to: *to, id, context, sealed: sealed.clone() };
                self.resent.extend(message.to.iter().map(due));
            }
        } else {
            let bounds = Bounds { outbox: usize::MAX, ..Bounds::new(1) };
            self.memory.begin(&run.new_run(&session.sealed)?, &bounds)?;
        }
        self.stored.insert(*context, session);
        Ok(true)
    }

    /// The key with which the party seals.
    pub(crate) fn key(&self) -> Arc<SealKey> {
        Arc::clone(&self.key)
    }

    fn path(&self, context: &RunContext) -> PathBuf {
        self.folder.join(format!("{}.party-{}", hex(context), self.me.get()))
    }

    fn read(&self, context: &RunContext) -> Result<Option<StoredSession>> {
        let path = self.path(context);
        let Some(bytes) = disk::read(&path)? else { return Ok(None) };
        let damaged = |_| Failure::at(&path, "is damaged");
        StoredSession::decode(&bytes, &self.key).map(Some).map_err(damaged)
    }

    /// Writes the state that follows from the present one.
    fn write(&mut self, session: StoredSession) -> Result {
        let context = session.sealed.slot().session();
        let path = self.path(&context);
        let slot = |session: Option<&StoredSession>| session.map(|session| session.sealed.slot());
        if slot(self.read(&context)?.as_ref()) != slot(self.stored.get(&context)) {
            let why = "is not what this process goes on from: another one has gone on, or it came back from a backup";
            return Err(Failure::at(&path, why));
        }
        disk::replace(&path, &session.encode(&self.key), Privacy::OwnerOnly)?;
        self.stored.insert(context, session);
        Ok(())
    }

    /// Writes a step of an open run, or its end. Returns whether the run is open, at this slot if one is named.
    fn step(
        &mut self,
        context: &RunContext,
        before: Option<Slot>,
        step: &NewStep<'_>,
    ) -> Result<bool> {
        let open = |session: &&StoredSession| {
            let sealed = &session.sealed;
            !sealed.is_tombstone() && before.is_none_or(|before| before == sealed.slot())
        };
        let Some(mut session) = self.stored.get(context).filter(open).cloned() else {
            return Ok(false);
        };
        session.sealed = step.after.clone();
        if let Some(run) = &mut session.run {
            run.messages.extend_from_slice(step.messages);
            run.outcome = step.outcome.map(<[u8]>::to_vec);
            if step.outcome.is_some() {
                run.job = Vec::new();
            }
        }
        self.write(session)?;
        Ok(true)
    }

    /// A run that had ended before this process.
    fn ended(&self, context: &RunContext) -> Option<(&Sealed, &StoredRun)> {
        let session = self.stored.get(context).filter(|session| session.sealed.is_tombstone())?;
        Some((&session.sealed, session.run.as_ref()?))
    }

    /// The session and the run of a job.
    fn of_job(&self, sid: &SessionId) -> Option<(&StoredSession, &StoredRun)> {
        let mut runs =
            self.stored.values().filter_map(|session| Some((session, session.run.as_ref()?)));
        runs.find(|(_, run)| run.sid == *sid)
    }
}

impl SpentTable for SessionStore {
    type Error = Failure;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<TableEntry> {
        Ok(self.memory.record(id, digest)?)
    }
}

impl RunTable for SessionStore {
    fn canary(&mut self, new: &[u8]) -> Result<Option<Vec<u8>>> {
        let path = self.folder.join(format!("canary.party-{}", self.me.get()));
        if let Some(found) = disk::read(&path)? {
            return Ok(Some(found.get(4..).unwrap_or_default().to_vec()));
        }
        let length = u32::try_from(new.len())?.to_be_bytes();
        disk::replace(&path, &[&length, new].concat(), Privacy::OwnerOnly)?;
        Ok(None)
    }

    fn begin(&mut self, run: &NewRun<'_>, bounds: &Bounds) -> Result<BeginOutcome> {
        if self.stored.contains_key(&run.sealed.slot().session()) || self.of_job(&run.sid).is_some()
        {
            return Ok(BeginOutcome::Exists);
        }
        // The answer of the store in memory would come too late for the file.
        if let Some(refusal) = self.memory.refusal(run, bounds) {
            return Ok(refusal);
        }
        self.write(StoredSession { sealed: run.sealed.clone(), run: Some(StoredRun::of(run)) })?;
        Ok(self.memory.begin(run, bounds)?)
    }

    fn job(&mut self, sid: &SessionId) -> Result<Option<JobRow>> {
        Ok(self.of_job(sid).map(|(session, run)| JobRow {
            digest: run.digest,
            context: session.sealed.slot().session(),
            outcome: run.outcome.clone(),
        }))
    }

    fn run(&mut self, context: &RunContext) -> Result<Option<RunRow>> {
        let Some((sealed, run)) = self.ended(context) else {
            return Ok(self.memory.run(context)?);
        };
        let StoredRun { kind, sid, deadline, .. } = *run;
        let sealed = sealed.as_bytes().to_vec();
        Ok(Some(RunRow { kind, sid, job: Vec::new(), sealed, deadline }))
    }

    fn swap(&mut self, before: Slot, step: &NewStep<'_>) -> Result<bool> {
        Ok(self.step(&before.session(), Some(before), step)? && self.memory.swap(before, step)?)
    }

    fn abandon(&mut self, context: &RunContext, step: &NewStep<'_>) -> Result<bool> {
        Ok(self.step(context, None, step)? && self.memory.abandon(context, step)?)
    }

    fn replace_outcome(&mut self, sid: &SessionId, outcome: &[u8]) -> Result<bool> {
        let Some((session, _)) = self.of_job(sid) else { return Ok(false) };
        let mut session = session.clone();
        let there = session.run.as_mut().and_then(|run| run.outcome.as_mut());
        let Some(there) = there else { return Ok(false) };
        *there = outcome.to_vec();
        self.write(session)?;
        Ok(true)
    }

    fn expired(&mut self, kinds: &[Kind], now: Time, most: usize) -> Result<Vec<RunContext>> {
        Ok(self.memory.expired(kinds, now, most)?)
    }

    fn open(
        &mut self,
        kinds: &[Kind],
        after: Option<&RunContext>,
        most: usize,
    ) -> Result<Vec<RunContext>> {
        Ok(self.memory.open(kinds, after, most)?)
    }

    fn next(&mut self, kinds: &[Kind]) -> Result<Option<Time>> {
        Ok(self.memory.next(kinds)?)
    }

    fn counts(&mut self) -> Result<Counts> {
        Ok(self.memory.counts()?)
    }
}

impl MessageTable for SessionStore {
    fn put(&mut self, arrival: &Arrival<'_>, bounds: &Bounds) -> Result<PutOutcome> {
        if self.ended(&arrival.context).is_some() {
            return Ok(PutOutcome::Ended);
        }
        Ok(self.memory.put(arrival, bounds)?)
    }

    fn inbox(&mut self, context: &RunContext) -> Result<Vec<InboxRow>> {
        Ok(self.memory.inbox(context)?)
    }

    fn acknowledge(&mut self, by: PartyId, ids: &[PacketId]) -> Result<usize> {
        Ok(self.memory.acknowledge(by, ids)?)
    }

    fn due(&mut self, now: Time, bounds: &Bounds, most: usize) -> Result<Vec<Due>> {
        let mut due = core::mem::take(&mut self.resent);
        due.extend(self.memory.due(now, bounds, most)?);
        Ok(due)
    }

    fn prune(&mut self, now: Time) -> Result {
        self.memory.prune(now)?;
        Ok(())
    }
}

/// The folder of sessions, which is made if it is not there.
pub(crate) fn folder(dir: &Path) -> Result<PathBuf> {
    let folder = dir.join("sessions");
    private_dir(&folder)?;
    Ok(folder)
}

/// Forgets everything but the tombstones of all sessions, when all parties have stored their results.
pub(crate) fn forget_messages(home: &Home) -> Result {
    let folder = folder(home.dir())?;
    for path in disk::names(&folder)?.into_iter().map(|name| folder.join(name)) {
        let bytes = disk::read(&path)?.unwrap_or_default();
        disk::replace(&path, &stored::tombstone(&bytes)?, Privacy::OwnerOnly)?;
    }
    Ok(())
}
