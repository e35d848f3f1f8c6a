//! Jobs of the runner: what they are to do, and what comes out.

use custody_core::{KeyId, KeySpec, RequestId, Scheme};
use quorate::runner::{EndKind, Job, RunEnd};
use quorate::session::zeroize::Zeroizing;
use quorate::session::{Parties, PartyId, Record, SessionId};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

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
}

/// A job that has not been settled.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct JobRow {
    pub(crate) task: Task,
    pub(crate) parties: Vec<u16>,
    pub(crate) deadline: u64,
}

impl Task {
    /// The name of the run, which all nodes make alike.
    pub(crate) fn session(&self) -> SessionId {
        let (step, id) = match self {
            Self::Generate { request, .. } => (1, request.as_bytes()),
            Self::Aux { request } => (2, request.as_bytes()),
            Self::Presign { run, .. } => (3, run),
            Self::Reshare { request, .. } => (4, request.as_bytes()),
        };
        let hash = Sha256::new().chain_update(b"quorate custody run v1\0").chain_update([step]);
        SessionId::new(hash.chain_update(id).finalize().into())
    }
}

impl JobRow {
    /// The job; `None` if its parties are none.
    pub(crate) fn job(&self) -> Option<Job> {
        let parties = self.parties.iter().map(|number| PartyId::new(*number));
        let parties = Parties::new(parties.collect::<Option<Vec<_>>>()?).ok()?;
        let body = postcard::to_stdvec(&self.task).ok()?;
        Some(Job { sid: self.task.session(), parties, body, deadline: self.deadline })
    }
}

/// The task of a job.
pub(crate) fn task(job: &Job) -> Option<Task> {
    postcard::from_bytes(&job.body).ok()
}

/// The end of a run, as the runner stores it.
pub enum RunRecord {
    /// The results in their stored forms: of key generation and resharing the public side and the share, if there is one.
    Made(Vec<Zeroizing<Vec<u8>>>),
    /// The reason why there are none.
    Failed(String),
}

impl RunRecord {
    /// The record of an end. An unconfirmed result is kept; its stored form says so.
    pub(crate) fn of<O>(end: RunEnd<O>, parts: impl FnOnce(O) -> Vec<Zeroizing<Vec<u8>>>) -> Self {
        let why = match (end.kind(), end.abort()) {
            (EndKind::Done | EndKind::Unconfirmed, _) => String::new(),
            (_, Some(abort)) => abort.to_string(),
            (kind, None) => format!("the run ended as {kind:?}"),
        };
        end.into_output().map_or(Self::Failed(why), |output| Self::Made(parts(output)))
    }
}

/// 0 ‖ each part behind its length (4), or 1 ‖ the reason.
impl Record for RunRecord {
    fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        match self {
            Self::Failed(why) => Zeroizing::new([&[1], why.as_bytes()].concat()),
            Self::Made(parts) => {
                let room = parts
                    .iter()
                    .fold(1_usize, |sum, part| sum.saturating_add(part.len()).saturating_add(4));
                let mut bytes = Zeroizing::new(Vec::with_capacity(room));
                bytes.push(0);
                for part in parts {
                    // A result of a run is far shorter than 4 GiB.
                    let length = u32::try_from(part.len()).unwrap_or(u32::MAX);
                    bytes.extend_from_slice(&length.to_be_bytes());
                    bytes.extend_from_slice(part);
                }
                bytes
            }
        }
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes.split_first()? {
            (0, mut rest) => {
                let mut parts = Vec::new();
                while let Some((length, more)) = rest.split_first_chunk() {
                    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
                    let (part, more) = more.split_at_checked(length)?;
                    parts.push(Zeroizing::new(part.to_vec()));
                    rest = more;
                }
                rest.is_empty().then_some(Self::Made(parts))
            }
            (1, why) => String::from_utf8(why.to_vec()).ok().map(Self::Failed),
            _ => None,
        }
    }
}
