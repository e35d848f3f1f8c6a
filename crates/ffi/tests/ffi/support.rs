//! Runs in one process, and a table of spent names.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use quorate_ffi::{
    ErrorKind, KeyShare, Outcome, Progress, QuorateError, Scheme, SealKey, Session, SpentTable,
    TableEntry, TableError, Task,
};

/// The kind of an error.
pub(crate) fn kind<T>(result: Result<T, QuorateError>) -> ErrorKind {
    let Err(QuorateError::Failed { kind, .. }) = result else { panic!("it succeeded") };
    kind
}

pub(crate) fn seal_key() -> Arc<SealKey> {
    SealKey::new(&[7; 32]).unwrap()
}

/// A session id that no other run of a test has.
pub(crate) fn session_id(number: u8) -> Vec<u8> {
    vec![number; 32]
}

pub(crate) fn start(number: u8, parties: &[u16], task: impl Fn(u16) -> Task) -> Vec<Arc<Session>> {
    let start =
        |me: &u16| Session::start(session_id(number), *me, parties.to_vec(), task(*me)).unwrap();
    parties.iter().map(start).collect()
}

/// Delivers everything that is outgoing.
pub(crate) fn deliver(sessions: &[Arc<Session>]) {
    for from in sessions {
        for message in from.outgoing().unwrap() {
            let to = |session: &&Arc<Session>| {
                session.party_id() != from.party_id()
                    && message.recipient.is_none_or(|party| party == session.party_id())
            };
            for session in sessions.iter().filter(to) {
                session.receive(from.party_id(), message.bytes.clone()).unwrap();
            }
        }
    }
}

/// Plays one round of all parties; returns whether it was the last.
pub(crate) fn round(sessions: &[Arc<Session>]) -> bool {
    deliver(sessions);
    let progress: Vec<Progress> = sessions
        .iter()
        .map(|session| {
            loop {
                match session.advance().unwrap() {
                    Progress::Working => {}
                    progress => break progress,
                }
            }
        })
        .collect();
    assert!(progress.iter().all(|one| *one == progress[0] && *one != Progress::Waiting));
    progress[0] == Progress::Done
}

/// The outcomes of a run of honest parties.
pub(crate) fn run(
    number: u8,
    parties: &[u16],
    task: impl Fn(u16) -> Task,
) -> BTreeMap<u16, Outcome> {
    let sessions = start(number, parties, task);
    while !round(&sessions) {}
    sessions.iter().map(|session| (session.party_id(), session.outcome().unwrap())).collect()
}

/// A 2-of-3 key.
pub(crate) fn key(number: u8, scheme: Scheme) -> BTreeMap<u16, Arc<KeyShare>> {
    let made = run(number, &[1, 2, 3], |_| Task::Keygen { scheme, threshold: 2 });
    made.into_iter()
        .map(|(party, outcome)| match outcome {
            Outcome::KeyMade { share } => (party, share),
            _ => panic!("no key"),
        })
        .collect()
}

/// A table in memory.
#[derive(Default)]
pub(crate) struct Table(Mutex<HashMap<Vec<u8>, Vec<u8>>>);

impl Table {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self::default())
    }
}

impl SpentTable for Table {
    fn record(&self, id: Vec<u8>, digest: Vec<u8>) -> Result<TableEntry, TableError> {
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(match table.entry(id) {
            Entry::Occupied(before) => TableEntry::Before { digest: before.get().clone() },
            Entry::Vacant(place) => {
                place.insert(digest);
                TableEntry::New
            }
        })
    }
}

/// A table that fails, or gives nonsense.
pub(crate) struct Broken(pub(crate) Option<Vec<u8>>);

impl SpentTable for Broken {
    fn record(&self, _: Vec<u8>, _: Vec<u8>) -> Result<TableEntry, TableError> {
        let digest = self.0.clone();
        let digest = digest.ok_or_else(|| TableError::Failed { reason: "out of disk".into() })?;
        Ok(TableEntry::Before { digest })
    }
}
