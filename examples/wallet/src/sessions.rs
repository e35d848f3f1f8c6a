//! Sessions in files: what lets a run be gone on with after its process was killed.
//!
//! `sessions/CONTEXT.party-1` holds party 1's session of one run, its job, everything that it has sent, and the end.
//! Four rules:
//!
//! - **Compare and swap.** A session is written only over the one that it follows. The lock on the
//!   wallet sees to it that nobody writes in between.
//! - **What has ended stays.** In the place of a session that has ended stands its tombstone, for
//!   ever. A start with its session id is refused: with another seed it would answer a second time
//!   what it has answered.
//! - **The result comes with the tombstone**, in one write. From there it goes into the wallet's own files, which can be
//!   done again.
//! - **The file comes first.** What this process has in memory follows the file, and a write that fails changes nothing
//!   there: nothing is sent that is not stored.
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
        let found = store.load(context)?;
        Ok((store, found))
    }

    /// Goes on from the file of a run, if it is there.
    fn load(&mut self, context: &Context) -> Result<Found, Failure> {
        let Some(kept) = self.read(context)? else { return Ok(Found::Run) };
        let Some(run) = &kept.run else { return Ok(Found::Tombstone) };
        if kept.sealed.is_tombstone() {
            let due = run.letters.iter().flat_map(|letter| {
                let Letter { to, id, sealed, .. } = letter;
                to.iter().map(|to| Due { to: *to, id: *id, sealed: sealed.clone() })
            });
            self.resent = due.collect();
        } else {
            let new = run.new_run(&kept.sealed)?;
            let bounds = Bounds { outbox: usize::MAX, ..Bounds::new(1) };
            sure(self.memory.begin(&new, &bounds));
        }
        self.kept.insert(*context, kept);
        Ok(Found::Run)
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

    /// Why a run cannot begin, by the rules of [`MemoryStore`], which says so only when it is too late for the file.
    fn refusal(&mut self, run: &NewRun<'_>, bounds: &Bounds) -> Option<BeginOutcome> {
        let mut sids = self.kept.values().filter_map(|kept| kept.run.as_ref()).map(|run| run.sid);
        let Counts { open, outbox, .. } = sure(self.memory.counts());
        if self.kept.contains_key(&run.sealed.slot().session()) || sids.any(|sid| sid == run.sid) {
            return Some(BeginOutcome::Exists);
        }
        if open >= bounds.open {
            return Some(BeginOutcome::Busy);
        }
        (outbox > bounds.outbox).then_some(BeginOutcome::Outbox)
    }

    /// An open run.
    fn open_run(&self, context: &Context) -> Option<&Kept> {
        self.kept.get(context).filter(|kept| !kept.sealed.is_tombstone())
    }

    /// Writes a step of a run, or its end.
    fn step(&mut self, mut kept: Kept, step: &NewStep<'_>) -> Result<(), Failure> {
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
        if let Some(refusal) = self.refusal(run, bounds) {
            return Ok(refusal);
        }
        self.write(Kept { sealed: run.sealed.clone(), run: Some(KeptRun::of(run)) })?;
        Ok(sure(self.memory.begin(run, bounds)))
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
        let run = self.open_run(&before.session());
        let Some(kept) = run.filter(|kept| kept.sealed.slot() == before).cloned() else {
            return Ok(false);
        };
        self.step(kept, step)?;
        Ok(sure(self.memory.swap(before, step)))
    }

    fn bury(&mut self, context: &Context, step: &NewStep<'_>) -> Result<bool, Failure> {
        let Some(kept) = self.open_run(context).cloned() else { return Ok(false) };
        self.step(kept, step)?;
        Ok(sure(self.memory.bury(context, step)))
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

    use getrandom::SysRng;
    use quorate::Parties;
    use quorate::frost::ed25519::Ed25519Sha512;
    use quorate::frost::generic::{Dkg, DkgParams};
    use quorate::session::{Session, rand_core::UnwrapErr};
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

    /// What a store sends, and what it has of a run.
    fn gives(store: &mut SessionStore, context: &Context) -> (Vec<PacketId>, Option<RunRow>) {
        let due = store.due(1, &Bounds::new(1), usize::MAX).unwrap();
        (due.into_iter().map(|due| due.id).collect(), store.run(context).unwrap())
    }

    #[test]
    fn what_the_files_refuse_is_neither_sent_nor_gone_on_from() {
        let place = std::env::temp_dir().join(quorate_examples::files::fresh_name("sessions-"));
        let (folder, away) = (place.join("here"), place.join("away"));
        fs::create_dir_all(&folder).unwrap();
        let [me, peer] = [1, 2].map(|number| PartyId::new(number).unwrap());
        let (key, parties) = (Arc::new(SealKey::new([3; 32])), Parties::numbered(2).unwrap());
        let (sid, rng) = (SessionId::new([1; 32]), &mut UnwrapErr(SysRng));
        let params = DkgParams::new(2);
        let session =
            Session::<Dkg<Ed25519Sha512>>::start(sid, me, &parties, params, rng).unwrap().session;
        let (sealed, end) = (session.seal(&key), session.tombstone());
        let context = sealed.slot().session();
        let open = || {
            let mut store = SessionStore::empty(folder.clone(), me, Arc::clone(&key));
            store.load(&context).unwrap();
            store
        };
        let letter =
            |id| [Letter { to: vec![peer], id: [id; 32], sealed: vec![id], due: 0, until: 9 }];
        let (first, last) = (letter(1), letter(2));
        let (code, tag, digest, job) = (1, [1; 4], [7; 32], &b"job"[..]);
        let (sealed, deadline, longest) = (&sealed, 9, 1000);
        let run =
            NewRun { code, sid, tag, digest, job, sealed, deadline, longest, letters: &first };
        let step = NewStep { after: &end, taken: &[], letters: &last, outcome: Some(b"end") };
        let begin = |store: &mut SessionStore| {
            store.begin(&run, &Bounds::new(1)).map(|outcome| outcome == BeginOutcome::Begun)
        };
        let swap = |store: &mut SessionStore| store.swap(sealed.slot(), &step);
        let bury = |store: &mut SessionStore| store.bury(&context, &step);
        let refused = |method: &dyn Fn(&mut SessionStore) -> Result<bool, Failure>| {
            let mut store = open();
            fs::rename(&folder, &away).unwrap();
            method(&mut store).unwrap_err();
            fs::rename(&away, &folder).unwrap();
            assert_eq!(gives(&mut store, &context), gives(&mut open(), &context));
            store
        };
        assert!(begin(&mut refused(&begin)).unwrap());
        assert_eq!(gives(&mut open(), &context).0, [[1; 32]]);
        refused(&bury);
        assert!(swap(&mut refused(&swap)).unwrap());
        assert_eq!(gives(&mut open(), &context).0, [[1; 32], [2; 32]]);
        fs::remove_dir_all(place).unwrap();
    }
}
