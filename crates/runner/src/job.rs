//! Jobs, the application that knows them, and the ends of their runs.

use alloc::{string::String, vec::Vec};
use core::fmt;

use quorate_session::zeroize::Zeroizing;
use quorate_session::{Abort, Parties, PartyId, SessionId, Stopped, Transcript, wire::Reader};

/// A moment by the caller's clock, in units of the caller's choice (milliseconds since 1970, say). It has to go on
/// across restarts, and all times that a runner and its store are given have to be by one clock.
pub type Time = u64;

/// An order for one run of a protocol.
///
/// The session id is the idempotency key: a job is started once, however often it is delivered. All parties need the
/// same id and parties, and a body that gives the same parameters.
#[derive(Clone, PartialEq, Eq)]
pub struct Job {
    /// The name of the job and of its session, never used for another.
    pub sid: SessionId,
    /// The parties of the run, this one included.
    pub parties: Parties,
    /// The bytes from which the application makes the parameters ([`App::params`]). Sealed in the store.
    pub body: Vec<u8>,
    /// The moment at which the run is given up.
    pub deadline: Time,
}

impl Job {
    /// The digest by which a job that is delivered again is told from another under its name. The deadline is not in
    /// it: the first counts.
    pub(crate) fn digest(&self, code: u8) -> [u8; 32] {
        let mut transcript = Transcript::new("runner job");
        transcript.append_u64("protocol", code.into());
        transcript.append("session", self.sid.as_bytes());
        transcript.append_list("parties", self.parties.iter().map(|id| id.get().to_be_bytes()));
        transcript.append("body", &self.body);
        transcript.finish32()
    }

    /// Session id (32) ‖ deadline (8) ‖ number of parties (2) ‖ parties (2 each) ‖ body.
    pub(crate) fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let count = u16::try_from(self.parties.len()).unwrap_or(u16::MAX);
        let room = self.parties.len().saturating_mul(2).saturating_add(42);
        let mut out = Zeroizing::new(Vec::with_capacity(room.saturating_add(self.body.len())));
        out.extend_from_slice(self.sid.as_bytes());
        out.extend_from_slice(&self.deadline.to_be_bytes());
        out.extend_from_slice(&count.to_be_bytes());
        self.parties.iter().for_each(|id| out.extend_from_slice(&id.get().to_be_bytes()));
        out.extend_from_slice(&self.body);
        out
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let sid = SessionId::new(reader.array().ok()?);
        let deadline = reader.u64().ok()?;
        let count = reader.u16().ok()?;
        let parties = (0..count).map(|_| PartyId::new(reader.u16().ok()?));
        let parties = Parties::new(parties.collect::<Option<Vec<_>>>()?).ok()?;
        let body = reader.bytes(reader.remaining()).ok()?.to_vec();
        Some(Self { sid, parties, body, deadline })
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job")
            .field("sid", &self.sid)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

/// The application around a runner: it turns jobs into parameters, and results into bytes.
pub trait App<P: quorate_session::Protocol> {
    /// The parameters of a job, or `None` if they are not at hand: its key is locked, say. Called when a job starts, and
    /// each time its session is opened again; a job has to give the same parameters each time.
    fn params(&mut self, job: &Job) -> Option<P::Params>;

    /// The record of the end of a run: the result in its stored form, or whatever is of use of an abort and its
    /// evidence. The runner stores it sealed, in one transaction with the tombstone, and gives it out in
    /// [`Outcome::record`].
    ///
    /// It may be called more than once for a run that ends once: when another worker has ended it, or the store failed,
    /// what it gives is dropped.
    fn record(&mut self, job: &Job, end: RunEnd<P::Output>) -> Zeroizing<Vec<u8>>;
}

/// The end of a run with its typed result, as [`App::record`] is given it.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunEnd<O> {
    /// The result.
    Done(O),
    /// The run is over; perhaps with a result that only lacks confirmation.
    Stopped {
        /// The reason, with the culprits, and the result if there is one.
        stopped: Stopped<O>,
        /// The peer that said that it had stopped, if that is why this party did not wait any longer. It is no
        /// evidence of anything.
        told_by: Option<PartyId>,
    },
    /// The session could not be opened until its deadline: the text says why.
    ///
    /// Where the store has damaged the job itself, the application is not asked, and the record is empty.
    Lost(String),
}

impl<O> RunEnd<O> {
    /// The abort, if there was one.
    #[must_use]
    pub const fn abort(&self) -> Option<&Abort> {
        match self {
            Self::Stopped { stopped, .. } => Some(&stopped.abort),
            Self::Done(_) | Self::Lost(_) => None,
        }
    }

    /// The kind of end that it is.
    #[must_use]
    pub const fn kind(&self) -> EndKind {
        match self {
            Self::Done(_) => EndKind::Done,
            Self::Stopped { stopped: Stopped { unconfirmed: Some(_), .. }, .. } => {
                EndKind::Unconfirmed
            }
            Self::Stopped { .. } => EndKind::Stopped,
            Self::Lost(_) => EndKind::Lost,
        }
    }
}

/// The kinds of ends of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum EndKind {
    /// With a result.
    Done,
    /// With a result that lacks a confirmation.
    Unconfirmed,
    /// Without a result.
    Stopped,
    /// Without a result: its session could not be opened.
    Lost,
}

/// The stored end of a run.
#[derive(Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The kind of end.
    pub kind: EndKind,
    /// The application's record of it ([`App::record`]).
    pub record: Zeroizing<Vec<u8>>,
}

impl Outcome {
    pub(crate) fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let mut out = Zeroizing::new(Vec::with_capacity(self.record.len().saturating_add(1)));
        out.push(match self.kind {
            EndKind::Done => 0,
            EndKind::Unconfirmed => 1,
            EndKind::Stopped => 2,
            EndKind::Lost => 3,
        });
        out.extend_from_slice(&self.record);
        out
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (code, record) = bytes.split_first()?;
        let kind = match code {
            0 => EndKind::Done,
            1 => EndKind::Unconfirmed,
            2 => EndKind::Stopped,
            3 => EndKind::Lost,
            _ => return None,
        };
        Some(Self { kind, record: Zeroizing::new(record.to_vec()) })
    }
}

impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outcome").field("kind", &self.kind).finish_non_exhaustive()
    }
}
