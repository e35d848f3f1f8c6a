//! Sessions in files: what lets a run be gone on with after its process was killed.
//!
//! `sessions/CONTEXT.party-1` holds party 1's session of one run, its job, everything that it has sent, and the end.
//! Three rules:
//!
//! - **Compare and swap.** A session is written only over the one that it follows. The lock on the
//!   wallet sees to it that nobody writes in between.
//! - **What has ended stays.** In the place of a session that has ended stands its tombstone, for
//!   ever. A start with its session id is refused: with another seed it would answer a second time
//!   what it has answered.
//! - **The result comes with the tombstone**, in one write. From there it goes into the wallet's own files, which can be
//!   done again.
//!
//! It is a runner's store, with one difference to a service's: what was received, and acknowledged, is in memory alone. All
//! parties are in one process, so whoever has acknowledged a message dies with the one that was told so, and in the next
//! process everybody sends everything again.

mod kept;

use core::convert::Infallible;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quorate::runner::store::{
    Arrival, BeginOutcome, Context, Counts, Due, InboxRow, JobRow, Letter, NewRun, NewStep,
    PacketId, PutOutcome, RunRow,
};
use quorate::runner::{Bounds, MemoryStore, Store, Time};
use quorate::session::{Sealed, Slot, SpentTable};
use quorate::{PartyId, SealKey, SessionId};
use quorate_examples::failure::Failure;
use quorate_examples::files::hex;

use self::kept::{Kept, KeptRun};
use super::disk::{self, Privacy, private_dir, write_whole};
use super::home::Home;

const FOLDER: &str = "sessions";

/// The sessions of one party.
pub(crate) struct SessionStore {
    folder: PathBuf,
    me: PartyId,
    key: Arc<SealKey>,
    kept: BTreeMap<Context, Kept>,
    memory: MemoryStore,
    /// What runs have sent that had ended before.
    resent: Vec<Due>,
}

/// What there is of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// Nothing, or something to go on with, or the end with its result.
    Run,
    /// The tombstone alone.
    Tombstone,
}

impl SessionStore {
    /// Those of a party in a wallet that this process has alone, with what there is of one run.
    pub(crate) fn of(
        home: &Home,
        me: PartyId,
        context: &Context,
    ) -> Result<(Self, Found), Failure> {
        let key = Arc::new(home.make_seal_key(me)?);
        let mut store = Self::empty(folder(home.dir())?, me, key);
        let Some(kept) = store.read(context)? else { return Ok((store, Found::Run)) };
        let Some(run) = &kept.run else { return Ok((store, Found::Tombstone)) };
        if kept.sealed.is_tombstone() {
            let due = run.letters.iter().flat_map(|letter| {
                let Letter { to, id, sealed, .. } = letter;
                to.iter().map(|to| Due { to: *to, id: *id, sealed: sealed.clone() })
            });
            store.resent = due.collect();
        } else {
            let new = run.new_run(&kept.sealed)?;
            let bounds = Bounds { outbox: usize::MAX, ..Bounds::new(1) };
            sure(store.memory.begin(&new, &bounds));
        }
        store.kept.insert(*context, kept);
        Ok((store, Found::Run))
    }

    fn empty(folder: PathBuf, me: PartyId, key: Arc<SealKey>) -> Self {
        let (kept, memory) = (BTreeMap::new(), MemoryStore::new());
        Self { folder, me, key, kept, memory, resent: Vec::new() }
    }

    /// The key that the party seals with.
    pub(crate) fn key(&self) -> Arc<SealKey> {
        Arc::clone(&self.key)
    }

    /// Writes what follows from what was there.
    fn write(&mut self, kept: Kept) -> Result<(), Failure> {
        let context = kept.sealed.slot().session();
        let path = self.path(&context);
        let slot = |kept: Option<&Kept>| kept.map(|kept| kept.sealed.slot());
        if slot(self.read(&context)?.as_ref()) != slot(self.kept.get(&context)) {
            return Err(Failure::new(format!(
                "{} is not what this process goes on from: another one has gone on, or it came \
                 back from a backup",
                path.display()
            )));
        }
        write_whole(&path, &kept.encode(&self.key), Privacy::OwnerOnly)?;
        self.kept.insert(context, kept);
        Ok(())
    }

    /// Writes a step of a run, or its end.
    fn step(&mut self, context: &Context, step: &NewStep<'_>) -> Result<(), Failure> {
        let Some(mut kept) = self.kept.get(context).cloned() else { return Ok(()) };
        kept.sealed = step.after.clone();
        if let Some(run) = &mut kept.run {
            run.letters.extend_from_slice(step.letters);
            run.outcome = step.outcome.map(<[u8]>::to_vec);
            if step.outcome.is_some() {
                run.job = Vec::new();
            }
        }
        self.write(kept)
    }

    /// A run that had ended before this process.
    fn ended(&self, context: &Context) -> Option<(&Sealed, &KeptRun)> {
        let kept = self.kept.get(context).filter(|kept| kept.sealed.is_tombstone())?;
        Some((&kept.sealed, kept.run.as_ref()?))
    }

    fn path(&self, context: &Context) -> PathBuf {
        self.folder.join(format!("{}.party-{}", hex(context), self.me.get()))
    }

    fn read(&self, context: &Context) -> Result<Option<Kept>, Failure> {
        let path = self.path(context);
        let Some(bytes) = disk::read(&path)? else { return Ok(None) };
        match Kept::decode(&bytes, &self.key) {
            Some(kept) => Ok(Some(kept)),
            None => Err(Failure::new(format!("{} is damaged", path.display()))),
        }
    }
}

fn sure<T>(result: Result<T, Infallible>) -> T {
    match result {
        Ok(value) => value,
        Err(never) => match never {},
    }
}

impl SpentTable for SessionStore {
    type Error = Failure;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<[u8; 32], Failure> {
        Ok(sure(self.memory.record(id, digest)))
    }
}

impl Store for SessionStore {
    fn begin(&mut self, run: &NewRun<'_>, bounds: &Bounds) -> Result<BeginOutcome, Failure> {
        if self.kept.contains_key(&run.sealed.slot().session()) {
            return Ok(BeginOutcome::Exists);
        }
        let outcome = sure(self.memory.begin(run, bounds));
        if outcome == BeginOutcome::Begun {
            self.write(Kept { sealed: run.sealed.clone(), run: Some(KeptRun::of(run)) })?;
        }
        Ok(outcome)
    }

    fn job(&mut self, sid: &SessionId) -> Result<Option<JobRow>, Failure> {
        let kept = self.kept.iter().find_map(|(context, kept)| {
            let run = kept.run.as_ref().filter(|run| run.sid == *sid)?;
            let outcome = run.outcome.clone();
            Some(JobRow { digest: run.digest, context: *context, outcome })
        });
        Ok(kept)
    }

    fn run(&mut self, context: &Context) -> Result<Option<RunRow>, Failure> {
        let Some((sealed, run)) = self.ended(context) else {
            return Ok(sure(self.memory.run(context)));
        };
        let KeptRun { code, sid, deadline, .. } = *run;
        let sealed = sealed.as_bytes().to_vec();
        Ok(Some(RunRow { code, sid, job: Vec::new(), sealed, deadline }))
    }

    fn swap(&mut self, before: Slot, step: &NewStep<'_>) -> Result<bool, Failure> {
        let swapped = sure(self.memory.swap(before, step));
        if swapped {
            self.step(&before.session(), step)?;
        }
        Ok(swapped)
    }

    fn bury(&mut self, context: &Context, step: &NewStep<'_>) -> Result<bool, Failure> {
        let buried = sure(self.memory.bury(context, step));
        if buried {
            self.step(context, step)?;
        }
        Ok(buried)
    }

    fn replace_outcome(&mut self, sid: &SessionId, outcome: &[u8]) -> Result<bool, Failure> {
        let ended = self.kept.values().find(|kept| {
            kept.run.as_ref().is_some_and(|run| run.sid == *sid && run.outcome.is_some())
        });
        let Some(mut kept) = ended.cloned() else { return Ok(false) };
        if let Some(run) = &mut kept.run {
            run.outcome = Some(outcome.to_vec());
        }
        self.write(kept)?;
        Ok(true)
    }

    fn put(&mut self, arrival: &Arrival<'_>, bounds: &Bounds) -> Result<PutOutcome, Failure> {
        if self.ended(&arrival.context).is_some() {
            return Ok(PutOutcome::Ended);
        }
        Ok(sure(self.memory.put(arrival, bounds)))
    }

    fn inbox(&mut self, context: &Context) -> Result<Vec<InboxRow>, Failure> {
        Ok(sure(self.memory.inbox(context)))
    }

    fn acknowledge(&mut self, by: PartyId, ids: &[PacketId]) -> Result<usize, Failure> {
        Ok(sure(self.memory.acknowledge(by, ids)))
    }

    fn due(&mut self, now: Time, bounds: &Bounds, most: usize) -> Result<Vec<Due>, Failure> {
        let mut due = core::mem::take(&mut self.resent);
        due.extend(sure(self.memory.due(now, bounds, most)));
        Ok(due)
    }

    fn expired(&mut self, code: u8, now: Time, most: usize) -> Result<Vec<Context>, Failure> {
        Ok(sure(self.memory.expired(code, now, most)))
    }

    fn open(
        &mut self,
        code: u8,
        after: Option<&Context>,
        most: usize,
    ) -> Result<Vec<Context>, Failure> {
        Ok(sure(Store::open(&mut self.memory, code, after, most)))
    }

    fn prune(&mut self, now: Time) -> Result<(), Failure> {
        sure(self.memory.prune(now));
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Time>, Failure> {
        Ok(sure(Store::next(&mut self.memory)))
    }

    fn counts(&mut self) -> Result<Counts, Failure> {
        Ok(sure(self.memory.counts()))
    }
}

/// The folder of sessions, which is made if it is not there.
pub(crate) fn folder(dir: &Path) -> Result<PathBuf, Failure> {
    let folder = dir.join(FOLDER);
    private_dir(&folder)?;
    Ok(folder)
}

/// Forgets everything but the tombstones of all sessions, when all parties have stored their results.
pub(crate) fn forget_messages(home: &Home) -> Result<(), Failure> {
    let folder = folder(home.dir())?;
    for entry in fs::read_dir(&folder).map_err(Failure::file("read", &folder))? {
        let path = entry?.path();
        let bytes = fs::read(&path).map_err(Failure::file("read", &path))?;
        let head = bytes.split_first_chunk().and_then(|(length, rest)| {
            let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
            bytes.get(..rest.get(..length)?.len().checked_add(4)?)
        });
        write_whole(&path, head.unwrap_or_default(), Privacy::OwnerOnly)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use quorate_runner::testing::conformance;

    use super::*;

    #[test]
    fn the_files_keep_the_contract_of_a_store() {
        let mut number = 0;
        let place = std::env::temp_dir().join(quorate_examples::files::fresh_name("sessions-"));
        fs::create_dir(&place).unwrap();
        let make = || {
            number += 1;
            let folder = place.join(number.to_string());
            fs::create_dir(&folder).unwrap();
            let me = PartyId::new(1).unwrap();
            SessionStore::empty(folder, me, Arc::new(SealKey::new([3; 32])))
        };
        conformance(make, |store| store).unwrap();
        fs::remove_dir_all(place).unwrap();
    }
}
