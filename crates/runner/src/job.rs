//! Jobs, the application that knows them, and the ends of their runs.

use alloc::{string::String, vec::Vec};
use core::fmt;

use quorate_session::zeroize::Zeroizing;
use quorate_session::{Abort, Parties, PartyId, SessionId, Transcript, wire::Reader};

use crate::{Kind, Record};

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
    /// The digest by which a job of this party that is delivered again is told from another under its name. The deadline is
    /// not in it: the first counts.
    pub(crate) fn digest(&self, kind: Kind, me: PartyId) -> [u8; 32] {
        let mut transcript = Transcript::new("runner job");
        transcript.append("protocol", kind.as_bytes());
        transcript.append_u64("party", me.get().into());
        transcript.append("session", self.sid.as_bytes());
        transcript.append_list("parties", self.parties.iter().map(|id| id.get().to_be_bytes()));
        transcript.append("body", &self.body);
        transcript.finish32()
    }

    /// Session id (32) ‖ deadline (8) ‖ number of parties (2) ‖ parties (2 each) ‖ body.
    pub(crate) fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let count = self.parties.count();
        let room = self.parties.len() * 2 + 42;
        let mut out = Zeroizing::new(Vec::with_capacity(room + self.body.len()));
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

/// The application around a runner: it turns jobs into parameters, and results into records. One type has an
/// implementation for each protocol of its runner.
pub trait App<P: quorate_session::Protocol> {
    /// The application's record of the end of a run of this protocol.
    type Record: Record;

    /// The parameters of a job, or `None` if they are not at hand: its key is locked, say. Called when a job starts, and
    /// each time its session is opened again; a job has to give the same parameters each time.
    fn params(&mut self, job: &Job) -> Option<P::Params>;

    /// The record of the end of a run: the result, or the useful parts of an abort and its evidence. The runner stores it
    /// sealed, in one transaction with the tombstone. [`Outcome::record`](crate::Outcome::record) returns it.
    ///
    /// The runner may ask more than once about one run. If another worker has ended the run, or the store failed, it drops the
    /// record.
    fn record(&mut self, job: &Job, end: RunEnd<P::Output>) -> Self::Record;
}

/// The end of a run with its typed result, as [`App::record`] is given it.
///
/// Two ends have a result: keep both. Match them all by name. A `_` could lose a share of a key.
#[derive(Debug)]
#[must_use = "it holds the result of a run, perhaps a share of a key"]
pub enum RunEnd<O> {
    /// The result, confirmed by all where the protocol has confirmations.
    Done(O),
    /// The result, which this party has verified and not every other party has confirmed. **Keep it**: others may have
    /// theirs. A key share is marked as unconfirmed, and does not sign.
    Unconfirmed {
        /// The result.
        output: O,
        /// The reason, with the culprits.
        abort: Abort,
        /// The peer that said that it had stopped, as in [`Stopped`](Self::Stopped).
        told_by: Option<PartyId>,
        /// The peers between whom and this party the store has damaged messages: see [`Outcome::damaged`](crate::Outcome::damaged).
        damaged: Vec<PartyId>,
    },
    /// The run is over without a result.
    Stopped {
        /// The reason, with the culprits.
        abort: Abort,
        /// The peer that said that it had stopped, if that is why this party did not wait any longer. It is no
        /// evidence of anything.
        told_by: Option<PartyId>,
        /// The peers between whom and this party the store has damaged messages: see [`Outcome::damaged`](crate::Outcome::damaged).
        damaged: Vec<PartyId>,
    },
    /// The session could not be opened until its deadline, or the run was [abandoned](crate::Runner::abandon): the text
    /// says why.
    ///
    /// Where the store has damaged the job itself, the application is not asked, and the record is empty.
    Lost(String),
    /// The run was open in a store that may not be the latest: [`Continuity::Unknown`](crate::Continuity::Unknown).
    Discontinued,
}

impl<O> RunEnd<O> {
    /// The result, confirmed or not. `None` of an end without one.
    ///
    /// No result is lost: an unconfirmed one is marked as such, where that matters. The reason of the end is dropped.
    #[must_use]
    pub fn into_output(self) -> Option<O> {
        match self {
            Self::Done(output) | Self::Unconfirmed { output, .. } => Some(output),
            Self::Stopped { .. } | Self::Lost(_) | Self::Discontinued => None,
        }
    }

    /// The abort, if there was one.
    #[must_use]
    pub const fn abort(&self) -> Option<&Abort> {
        match self {
            Self::Unconfirmed { abort, .. } | Self::Stopped { abort, .. } => Some(abort),
            Self::Done(_) | Self::Lost(_) | Self::Discontinued => None,
        }
    }

    /// The kind of end that it is.
    #[must_use]
    pub const fn kind(&self) -> EndKind {
        match self {
            Self::Done(_) => EndKind::Done,
            Self::Unconfirmed { .. } => EndKind::Unconfirmed,
            Self::Stopped { .. } => EndKind::Stopped,
            Self::Lost(_) => EndKind::Lost,
            Self::Discontinued => EndKind::Discontinued,
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
    /// Without a result: its session could not be opened. [`Outcome::unopened`](crate::Outcome::unopened) has its stored bytes.
    Lost,
    /// Without a result: it was open in a store that may not be the latest. See
    /// [`Continuity::Unknown`](crate::Continuity::Unknown).
    Discontinued,
}
