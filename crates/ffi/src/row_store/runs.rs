//! Runs and their jobs, and sums over all rows.

use quorate::runner::store::{JobRow, RunContext};
use quorate::runner::{Kind, Time};
use quorate::session::frame::Tag;
use quorate::session::wire::{Reader, wide};
use quorate::session::{Sealed, SessionId};

use super::transaction::{Result, Transaction, read};
use crate::rows::RowsError;

/// The data of a run besides its job and its session.
pub(super) struct Run {
    pub(super) kind: Kind,
    pub(super) tag: Tag,
    pub(super) sid: SessionId,
    pub(super) deadline: Time,
    pub(super) longest: usize,
    /// The slot of the session in the store, to compare.
    pub(super) party: u16,
    pub(super) length: u32,
    pub(super) ended: bool,
}

impl Run {
    fn encode(&self) -> Vec<u8> {
        let mut bytes = self.kind.as_bytes().to_vec();
        bytes.push(u8::from(self.ended));
        bytes.extend_from_slice(&self.tag);
        bytes.extend_from_slice(self.sid.as_bytes());
        bytes.extend_from_slice(&self.deadline.to_be_bytes());
        bytes.extend_from_slice(&wide(self.longest).to_be_bytes());
        bytes.extend_from_slice(&self.party.to_be_bytes());
        bytes.extend_from_slice(&self.length.to_be_bytes());
        bytes
    }

    fn decode(reader: &mut Reader<'_>) -> Option<Self> {
        let (kind, ended) = (Kind::new(reader.array().ok()?), reader.u8().ok()? == 1);
        let (tag, sid) = (reader.array().ok()?, SessionId::new(reader.array().ok()?));
        let (deadline, longest) = (reader.u64().ok()?, reader.u64().ok()?);
        let longest = usize::try_from(longest).ok()?;
        let (party, length) = (reader.u16().ok()?, reader.u32().ok()?);
        Some(Self { kind, tag, sid, deadline, longest, party, length, ended })
    }

    /// Puts another session in the place of the run's.
    pub(super) fn seal(&mut self, tx: &mut Transaction<'_>, context: &RunContext, sealed: &Sealed) {
        let slot = sealed.slot();
        (self.party, self.length) = (slot.party_id().get(), slot.length());
        self.ended = sealed.is_tombstone();
        tx.put(tx.key(b'S', &[context]), sealed.as_bytes().to_vec());
        tx.put(tx.key(b'R', &[context]), self.encode());
    }

    /// The keys of the indices of an open run.
    pub(super) fn indices(&self, tx: &Transaction<'_>, context: &RunContext) -> [Vec<u8>; 3] {
        [
            tx.key(b'O', &[context]),
            tx.key(b'D', &[&self.deadline.to_be_bytes(), context]),
            tx.key(b'T', &[&self.tag, context]),
        ]
    }
}

/// Sums over all rows.
#[derive(Default)]
pub(super) struct Totals {
    /// Open runs.
    pub(super) open: u64,
    /// Messages that wait, each as often as it has recipients who have not acknowledged it.
    pub(super) messages: u64,
    /// Bytes of them, each once.
    pub(super) outbox: u64,
}

pub(super) fn find_totals(tx: &Transaction<'_>) -> Result<Totals> {
    let Some(bytes) = tx.get(&tx.key(b'C', &[]))? else { return Ok(Totals::default()) };
    read(&bytes, |reader| {
        let (open, messages) = (reader.u64().ok()?, reader.u64().ok()?);
        Some(Totals { open, messages, outbox: reader.u64().ok()? })
    })
}

pub(super) fn totals(tx: &mut Transaction<'_>, change: impl FnOnce(&mut Totals)) -> Result<()> {
    let mut totals = find_totals(tx)?;
    change(&mut totals);
    let Totals { open, messages, outbox } = totals;
    tx.put(tx.key(b'C', &[]), [open, messages, outbox].map(u64::to_be_bytes).concat());
    Ok(())
}

/// A number of bytes or of things, to be compared with a bound.
pub(super) fn number(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

pub(super) fn find_run(tx: &Transaction<'_>, context: &RunContext) -> Result<Option<Run>> {
    let bytes = tx.get(&tx.key(b'R', &[context]))?;
    bytes.map(|bytes| read(&bytes, Run::decode)).transpose()
}

pub(super) fn find_job(tx: &Transaction<'_>, sid: &SessionId) -> Result<Option<JobRow>> {
    let Some(bytes) = tx.get(&tx.key(b'J', &[sid.as_bytes()]))? else { return Ok(None) };
    let job = read(&bytes, |reader| {
        let (digest, context) = (reader.array().ok()?, reader.array().ok()?);
        let ended = reader.u8().ok()? == 1;
        let rest = reader.bytes(reader.remaining()).ok()?;
        Some(JobRow { digest, context, outcome: ended.then(|| rest.to_vec()) })
    });
    job.map(Some)
}

pub(super) fn put_job(tx: &mut Transaction<'_>, sid: &SessionId, job: &JobRow) {
    let mut bytes = [job.digest, job.context].concat();
    bytes.push(u8::from(job.outcome.is_some()));
    bytes.extend_from_slice(job.outcome.as_deref().unwrap_or_default());
    tx.put(tx.key(b'J', &[sid.as_bytes()]), bytes);
}

/// The context at the end of an index's key.
pub(super) fn context_of(key: &[u8]) -> Result<RunContext> {
    let context = key.last_chunk().copied();
    context.ok_or_else(|| RowsError::new("a key is not what was written"))
}
