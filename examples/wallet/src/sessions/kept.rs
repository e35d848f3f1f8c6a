//! The files of sessions.

use quorate::runner::Time;
use quorate::runner::store::{Letter, NewRun};
use quorate::session::{Sealed, frame::Tag, wire::Reader};
use quorate::{PartyId, SealKey, SessionId};
use quorate_examples::failure::Failure;

/// The purpose of what is sealed besides sessions.
const RUN: &str = "wallet: run";

/// The content of a file.
#[derive(Clone)]
pub(super) struct Kept {
    pub(super) sealed: Sealed,
    /// Left out when nobody needs it any more.
    pub(super) run: Option<KeptRun>,
}

/// What belongs to a session.
#[derive(Clone)]
pub(super) struct KeptRun {
    pub(super) code: u8,
    pub(super) sid: SessionId,
    pub(super) tag: Tag,
    pub(super) digest: [u8; 32],
    pub(super) deadline: Time,
    pub(super) longest: u64,
    pub(super) job: Vec<u8>,
    pub(super) outcome: Option<Vec<u8>>,
    pub(super) letters: Vec<Letter>,
}

impl KeptRun {
    pub(super) fn of(run: &NewRun<'_>) -> Self {
        let NewRun { code, sid, tag, digest, deadline, longest, .. } = *run;
        let longest = u64::try_from(longest).unwrap_or(u64::MAX);
        let (job, letters) = (run.job.to_vec(), run.letters.to_vec());
        Self { code, sid, tag, digest, deadline, longest, job, outcome: None, letters }
    }

    pub(super) fn new_run<'a>(&'a self, sealed: &'a Sealed) -> Result<NewRun<'a>, Failure> {
        let Self { code, sid, tag, digest, deadline, longest, job, letters, .. } = self;
        let longest = usize::try_from(*longest)?;
        let (code, sid, tag, digest, deadline) = (*code, *sid, *tag, *digest, *deadline);
        Ok(NewRun { code, sid, tag, digest, job, sealed, deadline, longest, letters })
    }

    /// Code (1) ‖ session id (32) ‖ tag (4) ‖ digest (32) ‖ deadline (8) ‖ longest (8) ‖ job ‖ whether there is an outcome (1) ‖
    /// outcome ‖ letters, each as id (32) ‖ due (8) ‖ until (8) ‖ number of recipients (2) ‖ recipients (2 each) ‖ packet. What has no
    /// length here has it in front (4).
    fn encode(&self) -> Vec<u8> {
        let mut out = vec![self.code];
        out.extend(self.sid.as_bytes());
        out.extend(self.tag);
        out.extend(self.digest);
        out.extend(self.deadline.to_be_bytes());
        out.extend(self.longest.to_be_bytes());
        sized(&mut out, &self.job);
        out.push(u8::from(self.outcome.is_some()));
        sized(&mut out, self.outcome.as_deref().unwrap_or_default());
        for Letter { to, id, sealed, due, until } in &self.letters {
            out.extend(id);
            out.extend(due.to_be_bytes());
            out.extend(until.to_be_bytes());
            out.extend(u16::try_from(to.len()).unwrap_or(u16::MAX).to_be_bytes());
            to.iter().for_each(|to| out.extend(to.get().to_be_bytes()));
            sized(&mut out, sealed);
        }
        out
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let (code, sid) = (reader.u8().ok()?, SessionId::new(reader.array().ok()?));
        let (tag, digest) = (reader.array().ok()?, reader.array().ok()?);
        let (deadline, longest) = (reader.u64().ok()?, reader.u64().ok()?);
        let job = read_sized(&mut reader)?;
        let there = reader.u8().ok()? == 1;
        let outcome = Some(read_sized(&mut reader)?).filter(|_| there);
        let mut letters = Vec::new();
        while reader.remaining() > 0 {
            let (id, due) = (reader.array().ok()?, reader.u64().ok()?);
            let (until, count) = (reader.u64().ok()?, reader.u16().ok()?);
            let to = (0..count).map(|_| PartyId::new(reader.u16().ok()?));
            let to = to.collect::<Option<_>>()?;
            letters.push(Letter { to, id, sealed: read_sized(&mut reader)?, due, until });
        }
        Some(Self { code, sid, tag, digest, deadline, longest, job, outcome, letters })
    }
}

impl Kept {
    /// `length ‖ sealed session ‖ sealed run`.
    pub(super) fn encode(&self, key: &SealKey) -> Vec<u8> {
        let mut out = Vec::new();
        sized(&mut out, self.sealed.as_bytes());
        out.extend(self.run.iter().flat_map(|run| key.seal_bytes(RUN, &run.encode())));
        out
    }

    pub(super) fn decode(bytes: &[u8], key: &SealKey) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let sealed = Sealed::from_bytes(&read_sized(&mut reader)?).ok()?;
        let rest = reader.bytes(reader.remaining()).ok()?;
        let run = match rest.is_empty() {
            true => None,
            false => Some(KeptRun::decode(&key.open_bytes(RUN, rest).ok()?)?),
        };
        Some(Self { sealed, run })
    }
}

fn sized(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend(u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes());
    out.extend_from_slice(bytes);
}

fn read_sized(reader: &mut Reader<'_>) -> Option<Vec<u8>> {
    let length = reader.u32().ok()?.try_into().ok()?;
    Some(reader.bytes(length).ok()?.to_vec())
}
