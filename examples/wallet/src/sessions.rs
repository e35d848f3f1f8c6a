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
    me: PartyId,
    context: [u8; 32],
    key: SealKey,
    stored: Option<Stored>,
}

/// The content of the file.
struct Stored {
    sealed: Sealed,
    /// The record of the result and the messages; none when they are not needed any more.
    rest: Option<Rest>,
}

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
        let mut file = Self { path, me, context, key, stored: None };
        file.stored = file.read()?;
        Ok(file)
    }

    /// The session, open or ended; none before it begins.
    #[must_use]
    pub fn session(&self) -> Option<&Sealed> {
        self.stored.as_ref().map(|stored| &stored.sealed)
    }

    /// Returns whether only the tombstone is left.
    #[must_use]
    pub fn is_forgotten(&self) -> bool {
        self.stored.as_ref().is_some_and(|stored| stored.rest.is_none())
    }

    /// The record of the result, if there is one.
    #[must_use]
    pub fn record(&self) -> Option<&[u8]> {
        let rest = self.stored.as_ref()?.rest.as_ref()?;
        (!rest.record.is_empty()).then_some(&rest.record)
    }

    /// Everything that the party has sent.
    pub fn sent(&self) -> &[Outgoing] {
        let rest = self.stored.as_ref().and_then(|stored| stored.rest.as_ref());
        rest.map_or(&[], |rest| &rest.sent)
    }

    /// The key with which the party seals.
    pub(crate) const fn key(&self) -> &SealKey {
        &self.key
    }

    /// Writes the state that follows from the present one: the session, and what it adds to the messages and the result.
    pub fn write(&mut self, sealed: Sealed, messages: &[Outgoing], record: &[u8]) -> Result {
        let slot = |stored: Option<&Stored>| stored.map(|stored| stored.sealed.slot());
        if slot(self.read()?.as_ref()) != slot(self.stored.as_ref()) {
            let why = "is not what this process goes on from: another one has gone on, or it came back from a backup";
            return Err(Failure::at(&self.path, why));
        }
        let mut rest =
            self.stored.as_ref().and_then(|stored| stored.rest.clone()).unwrap_or_default();
        rest.sent.extend_from_slice(messages);
        rest.record = Zeroizing::new(record.to_vec());
        let bytes = [sized(sealed.as_bytes()), self.key.seal_bytes(RUN, &rest.encode())].concat();
        disk::replace(&self.path, &bytes, Privacy::OwnerOnly)?;
        self.stored = Some(Stored { sealed, rest: Some(rest) });
        Ok(())
    }

    fn read(&self) -> Result<Option<Stored>> {
        let Some(bytes) = disk::read(&self.path)? else { return Ok(None) };
        let damaged = |_| Failure::at(&self.path, "is damaged");
        self.decode(&bytes).map(Some).map_err(damaged)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Stored> {
        let mut reader = Reader::new(bytes);
        let sealed = Sealed::from_bytes(read_sized(&mut reader)?)?;
        let slot: Slot = sealed.slot();
        let own = (slot.session(), slot.party_id()) == (self.context, self.me);
        ensure!(own, "a session of another run");
        let rest = match reader.bytes(reader.remaining())? {
            [] => None,
            rest => Some(Rest::decode(&self.key.open_bytes(RUN, rest)?)?),
        };
        Ok(Stored { sealed, rest })
    }
}

impl Rest {
    /// The record, then each message as recipient (2, zero for all) ‖ frame. A length (4) stands in front of both.
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
