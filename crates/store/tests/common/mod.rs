//! Folders, databases and rows for the tests.
#![allow(dead_code, unreachable_pub, reason = "each test file uses some of it")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use core::sync::atomic::{AtomicU32, Ordering};
use std::path::{Path, PathBuf};

use quorate_runner::store::{NewRun, NewStep, OutgoingMessage};
use quorate_runner::{Bounds, Kind, RunTable as _};
use quorate_session::rand_core::{TryCryptoRng, TryRng};
use quorate_session::{
    Abort, Binding, Inbox, Limits, Next, Outbox, ParamError, Parties, PartyId, Protocol, Round,
    Run, SealKey, Sealed, Session, SessionId,
};
use quorate_store::{Engine, SqlStore, SqliteStore};

static FOLDERS: AtomicU32 = AtomicU32::new(0);

/// A folder that is deleted at the end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        // Memory, where there is a disk of it: a disk takes milliseconds for each commit.
        let memory = Path::new("/dev/shm");
        let place = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let path = place.join(format!("quorate-store-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Opens the store of the two files.
    pub fn pair(&self) -> Result<SqliteStore, quorate_store::Error> {
        SqliteStore::options().spent(self.file("spent.db")).open(self.file("node.db"))
    }

    /// Copies a database as a backup does.
    pub fn back_up(&self, name: &str) {
        let from = rusqlite::Connection::open(self.file(name)).unwrap();
        let copy = self.file(&format!("{name}.copy"));
        std::fs::remove_file(&copy).ok();
        from.execute("VACUUM INTO ?", [copy.display().to_string()]).unwrap();
    }

    /// Restores the copy.
    pub fn restore(&self, name: &str) {
        for end in ["-wal", "-shm"] {
            std::fs::remove_file(self.file(&format!("{name}{end}"))).ok();
        }
        std::fs::copy(self.file(&format!("{name}.copy")), self.file(name)).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

pub struct Toy;

impl Protocol for Toy {
    const NAME: &'static str = "store toy";
    const CODE: u8 = 211;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 1;
    type Params = ();
    type State = ();
    type Output = ();

    fn bind((): &(), _: &mut Binding) {}

    fn limits((): &(), _: usize, _: Round) -> Limits {
        Limits { broadcast: 8, direct: 0 }
    }

    fn start((): (), _: &Run) -> Result<((), Outbox), ParamError> {
        Ok(((), Outbox::broadcast(vec![7])))
    }

    fn next((): (), _: &Run, _: Inbox<'_>) -> Result<Next<Self>, Abort> {
        Ok(Next::Done(()))
    }
}

/// A generator that always gives the same.
pub struct Fixed;

impl TryRng for Fixed {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(1)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(1)
    }

    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Self::Error> {
        to.fill(1);
        Ok(())
    }
}

impl TryCryptoRng for Fixed {}

pub const KIND: Kind = Kind::new([9; 32]);

pub fn party(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

/// The name of the run of this number.
pub fn sid(number: u32) -> SessionId {
    let mut sid = [3; 32];
    sid[..4].copy_from_slice(&number.to_be_bytes());
    SessionId::new(sid)
}

/// A session of a run at its start, and its tombstone.
pub fn session(number: u32) -> (Sealed, Sealed) {
    let parties = Parties::numbered(2).unwrap();
    let step = Session::<Toy>::start(sid(number), party(1), &parties, (), &mut Fixed).unwrap();
    (step.session.seal(&SealKey::new([1; 32])), step.session.tombstone())
}

pub fn message(number: u32) -> OutgoingMessage {
    let id = *sid(number).as_bytes();
    OutgoingMessage { to: vec![party(2)], id, sealed: vec![5; 50], due: 0, until: 1_000_000 }
}

/// Begins the run of this number, which has one message.
pub fn begin<E: Engine>(store: &mut SqlStore<E>, number: u32) -> Result<(), quorate_store::Error> {
    begin_all(store, &[number]).remove(0)
}

/// Begins several at once.
pub fn begin_all<E: Engine>(
    store: &mut SqlStore<E>,
    numbers: &[u32],
) -> Vec<Result<(), quorate_store::Error>> {
    let seals: Vec<_> = numbers.iter().map(|number| session(*number).0).collect();
    let messages: Vec<_> = numbers.iter().map(|number| [message(*number)]).collect();
    let of_each = numbers.iter().zip(&seals).zip(&messages);
    let runs = of_each.map(|((number, sealed), messages)| NewRun {
        kind: KIND,
        sid: sid(*number),
        tag: Default::default(),
        digest: [7; 32],
        job: b"job",
        sealed,
        deadline: 1000,
        longest: 100,
        messages,
    });
    let runs: Vec<_> = runs.collect();
    let bounds = Bounds { open: 1_000_000, ..Bounds::new(10) };
    store.begin_all(&runs, &bounds).into_iter().map(|begun| begun.map(drop)).collect()
}

/// Ends it.
pub fn end<E: Engine>(store: &mut SqlStore<E>, number: u32) -> Result<bool, quorate_store::Error> {
    let (sealed, tombstone) = session(number);
    let outcome = Some(b"outcome".as_slice());
    let step = NewStep { after: &tombstone, taken: &[], messages: &[], outcome, until: 2000 };
    store.swap(sealed.slot(), &step)
}
