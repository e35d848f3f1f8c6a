//! The files of sessions.

use quorate::runner::store::{NewRun, OutgoingMessage};
use quorate::runner::{Kind, Time};
use quorate::session::wire::{Reader, bounded, wide};
use quorate::session::{Sealed, frame::Tag};
use quorate::{PartyId, SealKey, SessionId};
use quorate_examples::Result;

/// The purpose under which a run's data besides its session is sealed.
const RUN: &str = "wallet: run";

/// The content of a file.
#[derive(Clone)]
pub(super) struct StoredSession {
    pub(super) sealed: Sealed,
    /// Left out when it is not needed any more.
    pub(super) run: Option<StoredRun>,
}

/// The data of a run besides its session.
#[derive(Clone)]
pub(super) struct StoredRun {
    pub(super) kind: Kind,
    pub(super) sid: SessionId,
    pub(super) tag: Tag,
    pub(super) digest: [u8; 32],
    pub(super) deadline: Time,
    pub(super) longest: u64,
    pub(super) job: Vec<u8>,
    pub(super) outcome: Option<Vec<u8>>,
    pub(super) messages: Vec<OutgoingMessage>,
}

impl StoredRun {
    pub(super) fn of(run: &NewRun<'_>) -> Self {
        let NewRun { kind, sid, tag, digest, deadline, longest, .. } = *run;
        let longest = wide(longest);
        let (job, messages) = (run.job.to_vec(), run.messages.to_vec());
        Self { kind, sid, tag, digest, deadline, longest, job, outcome: None, messages }
    }

    pub(super) fn new_run<'a>(&'a self, sealed: &'a Sealed) -> Result<NewRun<'a>> {
        let Self { kind, sid, tag, digest, deadline, longest, ref job, ref messages, .. } = *self;
        let longest = usize::try_from(longest)?;
        Ok(NewRun { kind, sid, tag, digest, job, sealed, deadline, longest, messages })
    }

    /// Kind (32) ‖ session id (32) ‖ tag (4) ‖ digest (32) ‖ deadline (8) ‖ longest (8) ‖ job ‖ whether there is an outcome (1)
    /// ‖ outcome ‖ messages, each as id (32) ‖ due (8) ‖ until (8) ‖ number of recipients (2) ‖ recipients (2 each) ‖ packet.
    /// What has no length here has it in front (4).
    fn encode(&self) -> Vec<u8> {
        let mut out = [self.kind.as_bytes().as_slice(), self.sid.as_bytes(), &self.tag].concat();
        out.extend(self.digest);
        out.extend([self.deadline, self.longest].map(u64::to_be_bytes).as_flattened());
        put_sized(&mut out, &self.job);
        out.push(u8::from(self.outcome.is_some()));
        put_sized(&mut out, self.outcome.as_deref().unwrap_or_default());
        for OutgoingMessage { to, id, sealed, due, until } in &self.messages {
            out.extend(id);
            out.extend([*due, *until].map(u64::to_be_bytes).as_flattened());
            // Parties of the run, each once.
            out.extend(bounded::<u16>(to.len()).to_be_bytes());
            to.iter().for_each(|to| out.extend(to.get().to_be_bytes()));
            put_sized(&mut out, sealed);
        }
        out
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        let (kind, sid) = (Kind::new(reader.array()?), SessionId::new(reader.array()?));
        let (tag, digest) = (reader.array()?, reader.array()?);
        let (deadline, longest) = (reader.u64()?, reader.u64()?);
        let (job, has_outcome) = (sized(reader)?.to_vec(), reader.u8()? == 1);
        let outcome = Some(sized(reader)?.to_vec()).filter(|_| has_outcome);
        let mut messages = Vec::new();
        while reader.remaining() > 0 {
            messages.push(message(reader)?);
        }
        Ok(Self { kind, sid, tag, digest, deadline, longest, job, outcome, messages })
    }
}

fn message(reader: &mut Reader<'_>) -> Result<OutgoingMessage> {
    let (id, due, until) = (reader.array()?, reader.u64()?, reader.u64()?);
    let to = (0..reader.u16()?).map(|_| Ok(PartyId::try_from(reader.u16()?)?));
    let to = to.collect::<Result<_>>()?;
    Ok(OutgoingMessage { to, id, sealed: sized(reader)?.to_vec(), due, until })
}

impl StoredSession {
    /// `length ‖ sealed session ‖ sealed run`.
    pub(super) fn encode(&self, key: &SealKey) -> Vec<u8> {
        let mut out = Vec::new();
        put_sized(&mut out, self.sealed.as_bytes());
        out.extend(self.run.iter().flat_map(|run| key.seal_bytes(RUN, &run.encode())));
        out
    }

    pub(super) fn decode(bytes: &[u8], key: &SealKey) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let sealed = Sealed::from_bytes(sized(&mut reader)?)?;
        let rest = reader.bytes(reader.remaining())?;
        let run = match rest.is_empty() {
            true => None,
            false => Some(StoredRun::decode(&mut Reader::new(&key.open_bytes(RUN, rest)?))?),
        };
        Ok(Self { sealed, run })
    }
}

/// The beginning of a file, which is all of it once its run is forgotten.
pub(super) fn tombstone(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    put_sized(&mut out, sized(&mut Reader::new(bytes))?);
    Ok(out)
}

/// Appends bytes, with their length (4) in front.
fn put_sized(out: &mut Vec<u8>, bytes: &[u8]) {
    // Sealed: the length of a container has four bytes.
    out.extend(bounded::<u32>(bytes.len()).to_be_bytes());
    out.extend_from_slice(bytes);
}

fn sized<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8]> {
    let length = reader.u32()?.try_into()?;
    Ok(reader.bytes(length)?)
}
