//! Sessions in files, with which a run resumes after its process was killed.
//!
//! `sessions/CONTEXT.party-1` holds party 1's session of one run, everything that it has sent, and the result. Four rules:
//!
//! - **Compare and swap.** A session is written only over the one that it follows. The lock on the wallet keeps other processes
//!   from writing in between.
//! - **A tombstone stays.** In the place of a session that has ended stands its tombstone, for ever. The session is never
//!   started again: it would have another seed, and answer the same messages twice.
//! - **The result comes with the tombstone**, in one write. From there it goes into the wallet's own files, and that step can
//!   be repeated.
//! - **The file comes first.** Whatever is sent has been stored.
//!
//! Messages that were received are in memory alone. All parties are in one process, so they end together, and in the next
//! process every party sends everything again.

use std::path::{Path, PathBuf};

use quorate::session::wire::{Reader, bounded};
use quorate::session::zeroize::Zeroizing;
use quorate::session::{Outgoing, Sealed, Slot, To};
use quorate::{PartyId, SealKey};
use quorate_examples::files::hex;
use quorate_examples::{Failure, Result, ensure};

use super::disk::{self, Privacy, private_dir};
use super::home::Home;

/// The purpose under which the messages and the result are sealed.
const RUN: &str = "wallet: run";

/// A party's session of one run.
pub struct SessionFile {
    path: PathBuf,
    key: SealKey,
    /// The bytes of the file, if it is there. Their content follows.
    stored: Option<Vec<u8>>,
    session: Option<Sealed>,
    rest: Rest,
}

/// The result and the messages; neither when they are not needed any more.
#[derive(Clone, Default)]
struct Rest {
    /// Empty until there is a result.
    record: Zeroizing<Vec<u8>>,
    sent: Vec<Outgoing>,
}

impl SessionFile {
    /// The file in a wallet that this process has alone.
    pub(crate) fn of(home: &Home, me: PartyId, context: [u8; 32]) -> Result<Self> {
        Self::open(&folder(home.dir())?, me, context, home.make_seal_key(me)?)
    }

    /// Reads the file, if it is there.
    pub fn open(folder: &Path, me: PartyId, context: [u8; 32], key: SealKey) -> Result<Self> {
        let path = folder.join(format!("{}.party-{}", hex(&context), me.get()));
        let stored = disk::read(&path)?;
        let Some(bytes) = &stored else {
            return Ok(Self { path, key, stored, session: None, rest: Rest::default() });
        };
        let decode = || {
            let mut reader = Reader::new(bytes);
            let sealed = Sealed::from_bytes(read_sized(&mut reader)?)?;
            let slot: Slot = sealed.slot();
            let is_own = (slot.session(), slot.party_id()) == (context, me);
            ensure!(is_own, "a session of another run");
            let rest = match reader.bytes(reader.remaining())? {
                [] => Rest::default(),
                rest => Rest::decode(&key.open_bytes(RUN, rest)?)?,
            };
            Ok((sealed, rest))
        };
        let (session, rest) = decode().map_err(|_: Failure| Failure::at(&path, "is damaged"))?;
        Ok(Self { path, key, stored, session: Some(session), rest })
    }

    /// The session, open or ended; none before it begins.
    #[must_use]
    pub const fn session(&self) -> Option<&Sealed> {
        self.session.as_ref()
    }

    /// The record of the result, if there is one.
    #[must_use]
    pub fn record(&self) -> Option<&[u8]> {
        Some(self.rest.record.as_slice()).filter(|record| !record.is_empty())
    }

    /// Everything that the party has sent.
    #[must_use]
    pub fn sent(&self) -> &[Outgoing] {
        &self.rest.sent
    }

    /// The key with which the party seals.
    pub(crate) const fn key(&self) -> &SealKey {
        &self.key
    }

    /// Writes the state that follows from the present one: the session, and what it adds to the messages and the result.
    pub fn write(&mut self, session: Sealed, messages: &[Outgoing], record: &[u8]) -> Result {
        if disk::read(&self.path)? != self.stored {
            let why = "is not what this process goes on from: another one has gone on, or it came back from a backup";
            return Err(Failure::at(&self.path, why));
        }
        let mut rest = self.rest.clone();
        rest.sent.extend_from_slice(messages);
        rest.record = Zeroizing::new(record.to_vec());
        let bytes = [sized(session.as_bytes()), self.key.seal_bytes(RUN, &rest.encode())].concat();
        disk::replace(&self.path, &bytes, Privacy::OwnerOnly)?;
        (self.stored, self.session, self.rest) = (Some(bytes), Some(session), rest);
        Ok(())
    }
}

impl Rest {
    /// The record, then each message as recipient (2, zero for all) ‖ frame. A length (4) stands in front of each.
    fn encode(&self) -> Zeroizing<Vec<u8>> {
        let mut parts = vec![Zeroizing::new(sized(&self.record))];
        for Outgoing { to, bytes } in &self.sent {
            let to = if let To::Only(party) = to { party.get() } else { 0 };
            parts.push(Zeroizing::new([&to.to_be_bytes(), &*sized(bytes)].concat()));
        }
        Zeroizing::new(parts.iter().map(|part| part.as_slice()).collect::<Vec<_>>().concat())
    }

    fn decode(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let record = Zeroizing::new(read_sized(&mut reader)?.to_vec());
        let mut sent = Vec::new();
        while reader.remaining() > 0 {
            let to = PartyId::new(reader.u16()?).map_or(To::Everyone, To::Only);
            sent.push(Outgoing { to, bytes: read_sized(&mut reader)?.to_vec() });
        }
        Ok(Self { record, sent })
    }
}

/// Bytes with their length (4) in front.
fn sized(bytes: &[u8]) -> Vec<u8> {
    // Containers and frames: their lengths have four bytes.
    [&bounded::<u32>(bytes.len()).to_be_bytes(), bytes].concat()
}

fn read_sized<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8]> {
    let length = reader.u32()?.try_into()?;
    Ok(reader.bytes(length)?)
}

/// The folder of sessions, which is made if it is not there.
pub(crate) fn folder(dir: &Path) -> Result<PathBuf> {
    let folder = dir.join("sessions");
    private_dir(&folder)?;
    Ok(folder)
}

/// Forgets everything but the tombstones of all sessions, when all parties have stored their results.
pub(crate) fn forget_messages(dir: &Path) -> Result {
    let folder = folder(dir)?;
    let names = disk::names(&folder)?.into_iter().filter(|name| name.contains(".party-"));
    for path in names.map(|name| folder.join(name)) {
        let bytes = disk::read(&path)?.unwrap_or_default();
        let tombstone = read_sized(&mut Reader::new(&bytes));
        let tombstone = sized(tombstone.map_err(|_| Failure::at(&path, "is damaged"))?);
        disk::replace(&path, &tombstone, Privacy::OwnerOnly)?;
    }
    Ok(())
}
