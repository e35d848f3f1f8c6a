//! Jobs of the runner: what they are to do, and what comes out.

use custody_core::{KeyId, KeySpec, RequestId, Scheme};
use quorate::runner::{EndKind, Job, RunEnd};
use quorate::session::wire::bounded;
use quorate::session::zeroize::Zeroizing;
use quorate::session::{Parties, PartyId, Record, SessionId};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::accuse::accused;
use crate::life::Life;

/// A task of several nodes. Its encoding is the body of the job, so all nodes have to make the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Task {
    /// Makes a key.
    Generate { request: RequestId, spec: KeySpec },
    /// Makes auxiliary information for keys of ECDSA.
    Aux { request: RequestId },
    /// Makes presignatures.
    Presign { key: KeyId, scheme: Scheme, package: [u8; 32], run: [u8; 32], count: u16 },
    /// Makes new shares of a key.
    Reshare { request: RequestId, key: KeyId, public: Vec<u8>, dealers: Vec<u16>, spec: KeySpec },
    /// Makes a signature of ML-DSA of this message representative, perhaps.
    Attempt { request: RequestId, key: KeyId, run: [u8; 32], mu: Vec<u8> },
}

/// The longest time of an attempt, in milliseconds: a signature takes several.
const ATTEMPT: u64 = 30_000;

/// A job that has not been settled.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct JobRow {
    pub(crate) task: Task,
    pub(crate) parties: Vec<u16>,
    /// The lives of the parties, in their order.
    pub(crate) lives: Vec<Life>,
    pub(crate) deadline: u64,
}

impl Task {
    /// The time after which the run is given up, in milliseconds, of the time of all runs.
    pub(crate) fn time(&self, longest: u64) -> u64 {
        if matches!(self, Self::Attempt { .. }) { longest.min(ATTEMPT) } else { longest }
    }
}

impl JobRow {
    /// The name of the run, which all nodes make alike. A node that was restored makes another one.
    pub(crate) fn session(&self) -> SessionId {
        let none: &[u8] = &[];
        let (step, id, attempt) = match &self.task {
            Task::Generate { request, .. } => (1, request.as_bytes(), none),
            Task::Aux { request } => (2, request.as_bytes(), none),
            Task::Presign { run, .. } => (3, run, none),
            Task::Reshare { request, .. } => (4, request.as_bytes(), none),
            // A name that two requests have in common names two runs.
            Task::Attempt { request, run, .. } => (5, request.as_bytes(), run.as_slice()),
        };
        let hash = Sha256::new().chain_update(b"quorate custody run v2\0").chain_update([step]);
        let hash = hash.chain_update(id).chain_update(attempt);
        let hash = hash.chain_update(self.lives.as_flattened());
        SessionId::new(hash.finalize().into())
    }

    /// The life of a party in the run.
    pub(crate) fn life(&self, party: PartyId) -> Option<Life> {
        let place = self.parties.iter().position(|number| *number == party.get())?;
        self.lives.get(place).copied()
    }

    /// The job; `None` if its parties are none.
    pub(crate) fn job(&self) -> Option<Job> {
        let parties = self.parties.iter().map(|number| PartyId::new(*number));
        let parties = Parties::new(parties.collect::<Option<Vec<_>>>()?).ok()?;
        let body = postcard::to_stdvec(&self.task).ok()?;
        Some(Job { sid: self.session(), parties, body, deadline: self.deadline })
    }
}

/// The task of a job.
pub(crate) fn task(job: &Job) -> Option<Task> {
    postcard::from_bytes(&job.body).ok()
}

/// The end of a run, as the runner stores it.
pub struct RunRecord {
    /// The parties that have broken the protocol, each with its fault.
    pub(crate) accused: Vec<(u16, String)>,
    /// The results, or the reason why there are none.
    pub(crate) end: Result<Parts, String>,
}

/// The results of a run in their stored forms: of key generation and resharing the public side and the share, if there is one.
pub(crate) type Parts = Vec<Zeroizing<Vec<u8>>>;

impl RunRecord {
    /// The record of an end at this party. An unconfirmed result is kept; its stored form says so.
    pub(crate) fn of<O>(
        (job, me): (&Job, PartyId),
        end: RunEnd<O>,
        parts: impl FnOnce(O) -> Parts,
    ) -> Self {
        let accused = end.abort().map(|abort| accused(job, me, abort)).unwrap_or_default();
        let why = match (end.kind(), end.abort()) {
            (EndKind::Done | EndKind::Unconfirmed, _) => String::new(),
            (_, Some(abort)) => abort.to_string(),
            (kind, None) => format!("the run ended as {kind:?}"),
        };
        Self { accused, end: end.into_output().map(parts).ok_or(why) }
    }
}

/// The accused behind their length (4), then 0 ‖ each part behind its length (4), or 1 ‖ the reason.
impl Record for RunRecord {
    fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let accused = postcard::to_stdvec(&self.accused).unwrap_or_default();
        let parts = self.end.iter().flatten().map(|part| part.len() + 4);
        let room = parts.fold(accused.len(), usize::saturating_add) + 5;
        let mut bytes = Zeroizing::new(Vec::with_capacity(room));
        put(&mut bytes, &accused);
        match &self.end {
            Err(why) => {
                bytes.push(1);
                bytes.extend_from_slice(why.as_bytes());
            }
            Ok(parts) => {
                bytes.push(0);
                parts.iter().for_each(|part| put(&mut bytes, part));
            }
        }
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (accused, rest) = take(bytes)?;
        let accused = postcard::from_bytes(accused).ok()?;
        let end = match rest.split_first()? {
            (0, mut rest) => {
                let mut parts = Vec::new();
                while !rest.is_empty() {
                    let (part, more) = take(rest)?;
                    parts.push(Zeroizing::new(part.to_vec()));
                    rest = more;
                }
                Ok(parts)
            }
            (1, why) => Err(String::from_utf8(why.to_vec()).ok()?),
            _ => return None,
        };
        Some(Self { accused, end })
    }
}

/// Appends a part behind its length. A result of a run is far shorter than 4 GiB.
fn put(bytes: &mut Vec<u8>, part: &[u8]) {
    bytes.extend_from_slice(&bounded::<u32>(part.len()).to_be_bytes());
    bytes.extend_from_slice(part);
}

/// Takes a part from the front.
fn take(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)
}
